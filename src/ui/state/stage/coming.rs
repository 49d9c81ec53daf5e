//! How a stage is to be looked at as soon as what it shows is there.

use crate::ui::{place::Place, saved_view::SavedStage};

/// How a stage is to be looked at as soon as its subject is there.
pub(in crate::ui::state) struct Coming {
    pub place: Place,
    pub stage: SavedStage,
    /// The clip that played is gone: what fits plays.
    pub plays_by_itself: bool,
}

/// Where a clip is to be as soon as it plays.
pub(in crate::ui::state) struct ComingClip {
    /// The model.
    pub on: Place,
    pub place: Place,
    pub also: Vec<Place>,
    pub stage: SavedStage,
}
