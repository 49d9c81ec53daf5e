//! A view that is being brought back.

use crate::ui::{saved_view::SavedView, subject::StageId};
use std::path::PathBuf;

/// A view whose files are being opened.
pub(super) struct Restoring {
    /// What opens them; `None` once all are tried.
    pub work: Option<u64>,
    pub view: SavedView,
    /// Where its files lie.
    pub paths: Vec<PathBuf>,
    /// Stages whose subject is on its way.
    pub begun: Vec<StageId>,
}
