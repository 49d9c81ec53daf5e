//! The file that is read.

use crate::{
    formats::{Diagnostic, Document},
    ui::state::FileId,
};
use std::ops::Range;

/// The file that the panel is about.
pub struct ReadingSubject<'a> {
    pub file: FileId,
    /// Changes with the file.
    pub revision: u64,
    pub file_name: &'a str,
    pub document: &'a dyn Document,
    pub diagnostics: &'a [Diagnostic],
    /// Marked bytes of it.
    pub selected_bytes: Option<&'a Range<u64>>,
    /// It is being read anew.
    pub is_busy: bool,
}
