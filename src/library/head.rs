//! The start of a file, wherever it lies.

use super::{
    containers::{Containers, outermost},
    reading,
};
use std::path::Path;

/// The first bytes of a regular file or of a member of a container, at most `count`.
///
/// # Errors
/// As [`super::read_file`], but for its size.
pub fn read_head(path: &Path, count: u64) -> Result<Vec<u8>, String> {
    if outermost(path).is_none() {
        return reading::read_head(path, count);
    }
    let (source, _) = Containers::shared().read(path, u64::MAX)?;
    let head = source.slice(0, count.min(source.len() as u64)).unwrap_or(source);
    head.in_memory().map(|head| head.as_slice().to_vec()).map_err(|error| error.to_string())
}
