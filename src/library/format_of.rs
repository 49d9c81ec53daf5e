//! What a file is, by its start.

use super::head::read_head;
use crate::formats::{self, Format, Hint};
use std::path::Path;

/// The format that knows a file by its start and its name.
pub(super) fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let head = read_head(path, 256).ok()?;
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    formats::probe(&head, &Hint { file_name: &name })
}
