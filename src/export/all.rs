//! Everything that is in files, exported into a folder.

use super::{
    ExportError, ExportFormat, ExportJob, ExportSource, Exported, export_entry, make_folders, natural_format,
    natural_stem,
    path::{MAX_FOLDERS, UniqueNames, safe_name},
    write::{check_free, write_file},
};
use crate::formats::{Document, EntryId};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Name of the file that says what came from where.
pub const MANIFEST: &str = "manifest.json";

/// What of a file is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Every entry that shows as something, in its natural format.
    Natural,
    /// The files of an archive below an entry, as they are: it is unpacked.
    Members { below: EntryId },
}

/// A file to export whole.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub source: ExportSource<'a>,
    pub what: What,
    /// How the manifest calls the file.
    pub name: &'a str,
    /// Folders below the target that the file's tree goes into; empty for the target itself.
    pub folders: &'a [String],
}

/// What [`export_all`] made.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Which program, and which version.
    generator: String,
    pub exported: Vec<Item>,
    pub failed: Vec<Failed>,
    /// Files of which nothing could be exported, because they could not be opened.
    pub unopened: Vec<Unopened>,
    /// Whether it was cancelled before the end.
    pub cancelled: bool,
}

/// An entry and its file.
#[derive(Debug, Serialize)]
pub struct Item {
    pub file: String,
    pub entry: String,
    pub id: u32,
    pub format: &'static str,
    /// Relative to the folder; with `/` on every system.
    pub path: String,
    pub notes: Vec<String>,
}

/// An entry that could not be exported.
#[derive(Debug, Serialize)]
pub struct Failed {
    pub file: String,
    pub entry: String,
    pub id: u32,
    pub format: &'static str,
    pub error: String,
}

/// A file that could not be opened.
#[derive(Clone, Debug, Serialize)]
pub struct Unopened {
    pub file: String,
    pub error: String,
}

struct Planned<'a> {
    tree: &'a Tree<'a>,
    entry: EntryId,
    format: ExportFormat,
    /// Its bytes are written as they are.
    is_member: bool,
    /// Relative, with extension.
    path: PathBuf,
}

/// Writes what is asked for of every file, in the tree's own folders below `root`, on all cores, and a [`MANIFEST`]. What fails is in the manifest and stops nothing else; `unopened` is put there too.
///
/// # Errors
/// When the folder or the manifest cannot be written.
pub fn export_all(
    trees: &[Tree<'_>],
    unopened: Vec<Unopened>,
    root: &Path,
    job: &ExportJob<'_>,
) -> Result<Manifest, ExportError> {
    make_folders(root, Path::new(""))?;
    let manifest_path = root.join(MANIFEST);
    check_free(&manifest_path, job.force)?;
    let planned = plan(trees);
    let (done, total) = (AtomicU64::new(0), planned.len() as u64);
    let step = Mutex::new(());
    let results: Vec<Result<Exported, ExportError>> = planned
        .par_iter()
        .map(|item| {
            let quiet = ExportJob { progress: &|_, _, _| {}, ..*job };
            let result = job.check().and_then(|()| one(item, root, &quiet));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let _one_at_a_time = step.lock().unwrap_or_else(PoisonError::into_inner);
            (job.progress)(done, total, &item.path.to_string_lossy());
            result
        })
        .collect();
    let mut manifest = Manifest {
        generator: format!("Bonebox {}", env!("CARGO_PKG_VERSION")),
        exported: Vec::new(),
        failed: Vec::new(),
        unopened,
        cancelled: false,
    };
    for (item, result) in planned.iter().zip(results) {
        let file = item.tree.name.to_owned();
        let entry =
            item.tree.source.document.outline().get(item.entry).map(|e| e.path().into_owned()).unwrap_or_default();
        let (id, format) = (item.entry.0, item.format.id());
        match result {
            Ok(exported) => {
                // Sounds and music choose their ending themselves.
                let name = exported.paths.first().and_then(|path| path.file_name());
                let path = name.map_or_else(|| item.path.clone(), |name| item.path.with_file_name(name));
                let parts: Vec<String> =
                    path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
                manifest.exported.push(Item { file, entry, id, format, path: parts.join("/"), notes: exported.notes });
            }
            Err(ExportError::Cancelled) => manifest.cancelled = true,
            Err(error) => manifest.failed.push(Failed { file, entry, id, format, error: error.to_string() }),
        }
    }
    write_file(&manifest_path, job.force, |out| {
        serde_json::to_writer_pretty(&mut *out, &manifest)?;
        out.write_all(b"\n")
    })?;
    Ok(manifest)
}

fn one(item: &Planned<'_>, root: &Path, job: &ExportJob<'_>) -> Result<Exported, ExportError> {
    let folder = make_folders(root, item.path.parent().unwrap_or(Path::new("")))?;
    let name = item.path.file_name().unwrap_or_default();
    if item.is_member {
        let path = folder.join(name);
        let bytes = item.tree.source.document.bytes(item.entry)?;
        write_file(&path, job.force, |out| out.write_all(bytes.as_slice()))?;
        return Ok(Exported { paths: vec![path], ..Exported::default() });
    }
    export_entry(&item.tree.source, item.entry, item.format, &folder.join(name), job)
}

/// Gives every entry its path before anything is written, in order: the same files get the same names every time.
fn plan<'a>(trees: &'a [Tree<'a>]) -> Vec<Planned<'a>> {
    let mut names = UniqueNames::default();
    // The manifest's own name is taken, with and without its extension.
    names.claim(Path::new(""), MANIFEST);
    names.claim(Path::new(""), "manifest");
    let mut planned = Vec::new();
    for tree in trees {
        let document = tree.source.document;
        let base: PathBuf = tree.folders.iter().map(|f| safe_name(f)).collect();
        let top = match tree.what {
            What::Natural => EntryId::FILE,
            What::Members { below } => below,
        };
        for entry in document.outline().entries() {
            let format = match tree.what {
                What::Natural => natural_format(entry),
                What::Members { .. } => document.is_member(entry.id).then_some(ExportFormat::Raw),
            };
            let Some((format, above)) = format.zip(folder_of(document, entry.id, top)) else { continue };
            let folder = above.iter().fold(base.clone(), |path, name| path.join(name));
            let is_member = document.is_member(entry.id) && format == ExportFormat::Raw;
            let (stem, extension) = match entry.name.rsplit_once('.') {
                // Files of archives keep their names.
                Some((stem, extension)) if is_member => (stem.to_owned(), Some(safe_name(extension))),
                _ if is_member => (entry.name.to_string(), None),
                _ => (natural_stem(tree.source.file, document, entry), Some(format.extension().to_owned())),
            };
            let path = match extension {
                Some(extension) => names.claim_file(&folder, &stem, &extension, tree.what == What::Natural),
                None => names.claim(&folder, &stem),
            };
            planned.push(Planned { tree, entry: entry.id, format, is_member, path });
        }
    }
    planned
}

/// Names of the entries between one and `top`, as folders, the outermost first; at most 32. `None` when it does not lie below
/// `top` and is not `top` itself.
fn folder_of(document: &dyn Document, entry: EntryId, top: EntryId) -> Option<Vec<String>> {
    let outline = document.outline();
    let mut folders = Vec::new();
    if entry == top {
        return Some(folders);
    }
    let mut above = outline.get(entry).and_then(|e| e.parent);
    while above != Some(top) {
        let parent = above.and_then(|p| outline.get(p))?;
        folders.push(safe_name(&parent.name));
        above = parent.parent;
    }
    folders.reverse();
    folders.truncate(MAX_FOLDERS);
    Some(folders)
}
