//! How surfaces are drawn, and what is drawn with them.

use crate::{
    gpu::GxSettings,
    ui::{
        saved_view::ViewToggle,
        state::{ColorChannel, LightPreset, Shading, UpAxis},
    },
};

/// One switch of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    SetShading(Shading),
    /// Colours surfaces so, or no longer; texture coordinates set after set.
    ToggleShading(Shading),
    Toggle(ViewToggle),
    /// Shows vertex colours alone: all of them, or one channel.
    SetChannel(ColorChannel),
    SetLight(LightPreset),
    /// Lamps and fog of materials of the GameCube's chip.
    SetGx(GxSettings),
    /// Puts the key lamp on or out.
    ToggleGxLights,
    ToggleGxFog,
    /// A colour behind everything; `None` for the theme's.
    SetBackground(Option<[u8; 3]>),
    SetUpAxis(UpAxis),
    /// Shows numbers in the scene's axes, or in the file's.
    ToggleSceneAxes,
    SetSamples(Option<u32>),
    /// Whether there is a grid under models, now and in new stages.
    SetGrid(bool),
}
