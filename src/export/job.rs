use super::ExportError;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far an export is, and whether anybody still wants it.
#[derive(Clone, Copy)]
pub struct ExportJob<'a> {
    pub cancel: &'a AtomicBool,
    /// Told what is done, of how much, and what it is at.
    pub progress: &'a (dyn Fn(u64, u64, &str) + Sync),
    /// Write over files that are there.
    pub force: bool,
}

impl ExportJob<'_> {
    pub(super) fn check(&self) -> Result<(), ExportError> {
        if self.cancel.load(Ordering::Relaxed) { Err(ExportError::Cancelled) } else { Ok(()) }
    }
}
