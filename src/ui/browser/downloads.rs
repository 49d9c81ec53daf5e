//! What was written for the person becomes a download of the browser.

use crate::ui::browser::{calls, places::DOWNLOADS};
use crate::{
    files,
    formats::Severity,
    ui::state::{LogEntry, State},
};
use std::{
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
};
use zip::{ZipWriter, write::SimpleFileOptions};

/// After each frame: what was written for the person goes to the browser.
pub fn end_frame(state: &mut State) {
    if state.core.works.is_busy() {
        return;
    }
    let entry = match give(Path::new(DOWNLOADS)) {
        Ok(None) => return,
        Ok(Some(name)) => LogEntry::new(Severity::Info, "", format!("Downloaded {name}")),
        Err(error) => LogEntry::new(Severity::Error, "", format!("Download failed: {error}")),
    };
    state.core.log.announce(entry);
}

/// Downloads what lies in a folder and takes it away: a file as it is, several as a zip. Says what the download is called.
///
/// # Errors
/// When it cannot be read, or the browser refuses it.
fn give(folder: &Path) -> Result<Option<String>, String> {
    let mut found = Vec::new();
    list(folder, &mut found);
    let Some(first) = found.first() else { return Ok(None) };
    let (name, bytes) = match found.as_slice() {
        [only] if only.parent() == Some(folder) => (name_of(only), read(only)),
        _ => {
            let is_one = found.iter().all(|path| top(folder, path) == top(folder, first));
            let name = if is_one { top(folder, first).to_string_lossy() } else { "Bonebox".into() };
            (format!("{name}.zip"), packed(folder, &found))
        }
    };
    let given = bytes.and_then(|bytes| calls::download(&name, &bytes));
    // Taken away whatever came of it, so that nothing is tried again in each frame.
    for path in &found {
        files::remove_file(path).map_err(|error| error.to_string())?;
    }
    given.map(|()| Some(name))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The file or folder directly below `folder` that a path leads through.
fn top<'a>(folder: &Path, path: &'a Path) -> &'a Path {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.components().next().map_or(below, |part| Path::new(part.as_os_str()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in files::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if files::is_dir(&path) {
            list(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn packed(folder: &Path, found: &[PathBuf]) -> Result<Vec<u8>, String> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for path in found {
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        zip.start_file(name, SimpleFileOptions::default()).map_err(|error| error.to_string())?;
        zip.write_all(&read(path)?).map_err(|error| error.to_string())?;
    }
    zip.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}
