//! How surfaces are drawn, and what is drawn with them.

use crate::{
    gpu::GxSettings,
    ui::state::{ColorChannel, LightPreset, Shading, UpAxis},
};

/// One switch of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    SetShading(Shading),
    /// Colours surfaces so, or no longer; texture coordinates set after set.
    ToggleShading(Shading),
    ToggleWireframe,
    /// Shows vertex colours alone: all of them, or one channel.
    SetChannel(ColorChannel),
    /// A line along the normal of every vertex.
    ToggleNormalLines,
    /// The triangles of what is selected, as they lie in its texture.
    ToggleUvLayout,
    /// The shadow where a model stands.
    ToggleShadow,
    SetLight(LightPreset),
    ToggleSkeleton,
    ToggleBoneNames,
    /// Places where other things are attached.
    ToggleSockets,
    /// The box around the model, or around what is selected of it.
    ToggleBounds,
    ToggleVertexColors,
    ToggleTextures,
    ToggleGrid,
    ToggleCulling,
    ToggleNearest,
    ToggleHidden,
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
