//! Exports that are being prepared.

use crate::ui::{command::LargeExport, export_draft::ExportDraft, picture_draft::PictureDraft};
use std::path::PathBuf;

/// What the dialogs of exports contain; nothing is prepared at first.
#[derive(Default)]
pub struct Exports {
    /// The export that is being prepared.
    pub draft: Option<ExportDraft>,
    /// The picture of the stage that is being prepared.
    pub picture: Option<PictureDraft>,
    /// The export that waits for an answer because of its size.
    pub large: Option<LargeExport>,
    /// The folder of the last export.
    pub folder: Option<PathBuf>,
}

impl Exports {
    /// Whether a dialog of an export is open.
    pub fn is_open(&self) -> bool {
        self.draft.is_some() || self.picture.is_some() || self.large.is_some()
    }
}
