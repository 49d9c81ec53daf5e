use super::{ExportError, write::Existing};
use std::sync::atomic::{AtomicBool, Ordering};

/// How far an export is, and whether anybody still wants it.
#[derive(Clone, Copy)]
pub struct ExportJob<'a> {
    pub cancel: &'a AtomicBool,
    /// Told what is done, of how much, and what it is at.
    pub progress: &'a (dyn Fn(u64, u64, &str) + Sync),
    /// Write over files that are there.
    pub force: bool,
    /// Bytes that the exports of one file may take together; in proportion to the file without ([`super::Budget`]).
    pub max_output: Option<u64>,
    /// Of a whole file: continue an earlier export. What its manifest lists and is there is left alone, and so is any file with the
    /// bytes that would be written.
    pub resume: bool,
}

impl ExportJob<'_> {
    /// What becomes of files that are there.
    pub(super) fn existing(&self) -> Existing {
        match (self.force, self.resume) {
            (true, _) => Existing::Replace,
            (false, true) => Existing::KeepEqual,
            (false, false) => Existing::Keep,
        }
    }

    pub(super) fn check(&self) -> Result<(), ExportError> {
        if self.cancel.load(Ordering::Relaxed) { Err(ExportError::Cancelled) } else { Ok(()) }
    }
}
