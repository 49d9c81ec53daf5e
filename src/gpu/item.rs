//! What tells items of one picture apart.

use super::GpuModel;
use crate::scene::Frame;
use glam::Affine3A;

/// One thing to draw: a model, its pose and its place.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The model.
    pub model: &'a GpuModel,
    /// The pose of the model.
    pub frame: &'a Frame,
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
}

/// How one item differs from what the view says of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemLook {
    /// A colour over all its surfaces, which keep their light and something of their textures.
    pub tint: Option<Tint>,
    /// It lets through what is behind it, and casts no shadow.
    pub ghost: bool,
    /// The part of the item that is marked as selected.
    pub mark: Mark,
    /// It is a glow: added to the picture.
    pub glow: bool,
}

/// What of an item is marked as selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The joint and the surfaces that the view names.
    #[default]
    OfView,
    /// Nothing is marked.
    Nothing,
    /// All its surfaces have an outline.
    Whole,
}

impl ItemLook {
    /// Whether the materials are drawn as they are.
    pub(super) fn keeps_materials(&self) -> bool {
        self.tint.is_none() && !self.ghost
    }
}

/// The colours that tell models of a scene apart. There are few, because each is a pipeline of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Tint {
    /// Blue.
    Blue,
    /// Cyan.
    Cyan,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Orange.
    Orange,
    /// Red.
    Red,
    /// Purple.
    Purple,
    /// Grey.
    Grey,
}

impl Tint {
    /// All colours.
    pub const ALL: [Self; 8] =
        [Self::Blue, Self::Cyan, Self::Green, Self::Yellow, Self::Orange, Self::Red, Self::Purple, Self::Grey];

    /// Returns the name of the colour.
    pub fn name(self) -> &'static str {
        match self {
            Self::Blue => "Blue",
            Self::Cyan => "Cyan",
            Self::Green => "Green",
            Self::Yellow => "Yellow",
            Self::Orange => "Orange",
            Self::Red => "Red",
            Self::Purple => "Purple",
            Self::Grey => "Grey",
        }
    }

    /// Gamma-space.
    pub fn color(self) -> [u8; 3] {
        match self {
            Self::Blue => [64, 118, 230],
            Self::Cyan => [60, 190, 214],
            Self::Green => [84, 178, 92],
            Self::Yellow => [232, 208, 70],
            Self::Orange => [234, 148, 46],
            Self::Red => [222, 80, 70],
            Self::Purple => [168, 106, 214],
            Self::Grey => [160, 160, 164],
        }
    }
}
