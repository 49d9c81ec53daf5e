use super::{ExportError, write::Existing};
use crate::bytes::Cancel;

/// The options of a running export, its progress, and a flag that cancels it.
#[derive(Clone, Copy)]
pub struct ExportJob<'a> {
    /// Cancels the export.
    pub cancel: &'a Cancel,
    /// Receives the finished count, the total count and the name of the current item.
    pub progress: &'a (dyn Fn(u64, u64, &str) + Sync),
    /// True if existing files are replaced.
    pub force: bool,
    /// Maximum number of bytes of all exports of one file. `None`: in proportion to the file ([`super::Budget`]).
    pub max_output: Option<u64>,
    /// True if an earlier export of a whole file is continued. Files that its manifest lists stay, and so do files that already have the
    /// new bytes.
    pub resume: bool,
}

impl ExportJob<'_> {
    /// Returns the treatment of existing files.
    pub(super) fn existing(&self) -> Existing {
        match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::KeepEqual,
            (false, false) => Existing::Keep,
        }
    }

    pub(super) fn check(&self) -> Result<(), ExportError> {
        if self.cancel.is_cancelled() { Err(ExportError::Cancelled) } else { Ok(()) }
    }
}
