//! A view that is being brought back.

use crate::ui::{place::Place, saved_view::SavedView, subject::StageId};
use std::path::PathBuf;

/// A view whose files are being opened.
pub(crate) struct Restoring {
    /// What opens them; `None` once all are tried.
    pub work: Option<u64>,
    pub view: SavedView,
    /// Where its files lie.
    pub paths: Vec<PathBuf>,
    /// Stages whose subject is on its way.
    pub begun: Vec<StageId>,
}

/// The view that is coming back, and when the present one was noted.
pub(crate) struct Restore {
    pub view: Option<Box<Restoring>>,
    /// The selection once the whole view is there.
    pub selection: Option<Place>,
    /// The time at which the present view was noted last.
    pub kept_secs: f64,
}

impl Default for Restore {
    fn default() -> Self {
        Self { view: None, selection: None, kept_secs: f64::NEG_INFINITY }
    }
}
