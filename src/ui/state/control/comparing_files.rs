//! What is held against each other, read and compared on a worker.

use crate::{
    formats::EntryId,
    jobs::JobContext,
    library::{
        OpenFile, OpenOptions,
        compare::{compare, compare_files, compare_pair, holds_files},
    },
    ui::{
        kept_reading::{KeptReading, overrides_of},
        state::{Target, message::Found},
    },
};
use std::{path::PathBuf, sync::Arc};

/// Pieces of work after which progress is told.
const STEP: usize = 32;

/// Compares two folders or containers file by file, two files entry by entry, or two entries.
///
/// # Errors
/// In a sentence, when one of them cannot be read, or they cannot be compared.
pub fn find(
    targets: &[Target; 2],
    folders: &[PathBuf],
    readings: &[KeptReading],
    cx: &JobContext,
) -> Result<Found, String> {
    let [left, right] = targets;
    let tell = |what: &'static str| {
        move |done: usize, all: usize| {
            if done.is_multiple_of(STEP) {
                cx.progress(done as u64, all as u64, what);
            }
        }
    };
    if is_folder(left) && is_folder(right) {
        let found = compare_files(&left.thing.path, &right.thing.path, &tell("files"), cx.cancel())?;
        return Ok(Found::Folders(Arc::new(found)));
    }
    if [left, right].iter().any(|target| crate::files::is_dir(&target.thing.path)) {
        return Err("Select two files, or two folders or containers.".to_owned());
    }
    let (of_left, of_right) = (opened(left, folders, readings)?, opened(right, folders, readings)?);
    let found = match (&left.thing.entry, &right.thing.entry) {
        (Some(a), Some(b)) => {
            let pair = (entry(&of_left, a)?, entry(&of_right, b)?);
            compare_pair((&of_left, pair.0), (&of_right, pair.1), cx.cancel())
        }
        _ => compare(&of_left, &of_right, None, &tell("entries"), cx.cancel()),
    };
    Ok(Found::Files { left: of_left, right: of_right, found: Arc::new(found) })
}

/// Whether it is compared file by file.
fn is_folder(target: &Target) -> bool {
    let several = |file: &OpenFile| file.document.container().is_some_and(|container| container.wrapped().is_none());
    target.thing.entry.is_none()
        && target.file.as_ref().map_or_else(|| holds_files(&target.thing.path), |file| several(file))
}

fn opened(target: &Target, folders: &[PathBuf], readings: &[KeptReading]) -> Result<Arc<OpenFile>, String> {
    if let Some(file) = &target.file {
        return Ok(file.clone());
    }
    let path = &target.thing.path;
    let overrides = overrides_of(readings, path);
    let options = OpenOptions::new().folders(folders).reading(overrides);
    let file = options.open(path).map_err(|error| error.to_string())?;
    Ok(Arc::new(file.without_packing(&options)))
}

fn entry(file: &OpenFile, path: &str) -> Result<EntryId, String> {
    let found = file.document.outline().find_path(path);
    found.map(|entry| entry.id).ok_or_else(|| format!("{} has no entry “{path}”", file.name))
}
