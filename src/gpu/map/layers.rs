//! What of a level is drawn, and when.

use crate::gpu::Line;
use crate::scene::{MapItemKind, MapMoment};
use std::{collections::BTreeSet, sync::Arc};

/// Which of a level's items are drawn beside its walls and movers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MapLayers {
    pub meshes: bool,
    pub sprites: bool,
    pub brushes: bool,
    /// Glows around lights.
    pub coronas: bool,
    /// Sky, mirrors and warp zones in the place of their surfaces.
    pub windows: bool,
}

impl Default for MapLayers {
    fn default() -> Self {
        Self { meshes: true, sprites: true, brushes: false, coronas: true, windows: true }
    }
}

impl MapLayers {
    pub fn shows(&self, kind: MapItemKind) -> bool {
        match kind {
            MapItemKind::World | MapItemKind::Mover => true,
            MapItemKind::Mesh => self.meshes,
            MapItemKind::Sprite => self.sprites,
            MapItemKind::Corona => self.coronas,
            MapItemKind::Brush => self.brushes,
        }
    }
}

/// What of a level a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct MapView<'a> {
    pub layers: MapLayers,
    /// Actors whose items are left out; `None` is the level itself.
    pub hidden: &'a BTreeSet<Option<u32>>,
    pub moment: &'a MapMoment,
    /// Over the surfaces, beside the outlines of brushes.
    pub lines: &'a [Line],
    /// Likewise; put on the device when others are handed over than in the last picture.
    pub overlay: Option<&'a Arc<[Line]>>,
    /// For pictures that are kept: computed textures run up to the moment, however long that takes. Otherwise they go on by and
    /// by, and what is slower runs slower.
    pub exact: bool,
}
