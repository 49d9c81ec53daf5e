//! The panels of the dock.

use crate::ui::subject::StageId;
use egui_phosphor::regular as icon;
use serde::{Deserialize, Serialize};

/// A panel of the dock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tab {
    Library,
    /// Of a level.
    Actors,
    /// Of a landscape.
    Objects,
    Stage(StageId),
    Inspector,
    /// Of a landscape.
    Statistics,
}

impl Tab {
    /// Those that are always there, with the first stage.
    pub const FIXED: [Self; 2] = [Self::Library, Self::Inspector];
    /// Those that are there where they have something to show.
    pub const OPTIONAL: [Self; 3] = [Self::Actors, Self::Objects, Self::Statistics];

    /// Icon and name; a stage is called after what is on it.
    pub fn sign(self) -> (&'static str, &'static str) {
        match self {
            Self::Library => (icon::BOOKS, "Library"),
            Self::Actors => (icon::MAP_PIN, "Actors"),
            Self::Objects => (icon::TREE_EVERGREEN, "Objects"),
            Self::Stage(_) => (icon::CUBE, "Stage"),
            Self::Statistics => (icon::CHART_BAR, "Statistics"),
            Self::Inspector => (icon::LIST_MAGNIFYING_GLASS, "Inspector"),
        }
    }
}
