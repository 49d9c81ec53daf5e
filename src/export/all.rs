//! Everything that is in files, exported into a folder.

use super::{
    Budget, ExportError, ExportFormat, ExportJob, Exported, Notes,
    entry::export_within,
    folders::{Folders, make_folders},
    glb::beside::{PixelHash, SharedPictures, pixel_hash},
    manifest::{Done, Earlier, Failed, Growing, Item, Manifest, Unlisted, Unopened},
    plan::{ModelFiles, Plan, Planned, Tree, plan},
    write::{clear_abandoned, write_file},
};
use crate::{
    bytes::{Cancel, Source},
    formats::{Document, EntryId},
    scene::Image,
};
use rayon::prelude::*;
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// What is said of entries that come after the list could not be written on.
const NOT_LISTED: &str = "not exported: the manifest cannot be written";

/// Maximum number of names that are tried for the folder of textures.
const MAX_TEXTURE_FOLDERS: usize = 1_000;

/// Writes what is asked for of every file, in the tree's own folders below `root`, on all cores, and a
/// [`super::MANIFEST`], which grows with what is written and from which an export that ended early goes on. What fails is in the
/// manifest and stops nothing else; `unopened` is put there too. The exports of each file share one [`Budget`]. When the manifest
/// cannot be written on ([`Manifest::unlisted`]), no more is written.
///
/// # Errors
/// When the folder or the manifest cannot be written, or there is no manifest to go on from.
pub fn export_all(
    trees: &[Tree<'_>],
    unopened: Vec<Unopened>,
    root: &Path,
    job: &ExportJob<'_>,
) -> Result<Manifest, ExportError> {
    make_folders(root, Path::new(""))?;
    clear_abandoned(root);
    let Plan { entries: planned, manifest, textures } = plan(trees);
    let mut manifest = Manifest::new(unopened, root.join(manifest));
    let earlier = if job.resume { Earlier::read(&manifest.path)? } else { Earlier::default() };
    let growing = Mutex::new(Growing::start(&manifest, job.force || job.resume)?);
    let budgets: Vec<Budget> = trees.iter().map(|tree| Budget::of(tree.source.document, job.max_output)).collect();
    // The list of what is written is written too.
    planned.iter().for_each(|planned| budgets[planned.tree].reserve(listed_bytes(planned)));
    let folders = Folders::new(root);
    // A file or a link of that name stays, and the pictures go into another folder.
    let is_free = |folder: &PathBuf| {
        crate::files::symlink_metadata(root.join(folder)).map_or(true, |found| found.is_dir())
            && !planned.iter().any(|planned| planned.path.starts_with(folder))
    };
    let textures = textures.map(|folder| {
        let others = (2..=MAX_TEXTURE_FOLDERS).map(|number| PathBuf::from(format!("{} ({number})", folder.display())));
        let folder = std::iter::once(folder.clone()).chain(others).find(is_free).unwrap_or(folder);
        Arc::new(SharedPictures::new(root.join(folder)))
    });
    let own = |folder: &Path| crate::files::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
    textures.iter().map(|textures| textures.folder()).filter(|folder| own(folder)).for_each(clear_abandoned);
    let place = Place { root, folders: &folders, textures: textures.as_ref() };
    let (done, total) = (AtomicU64::new(0), planned.len() as u64);
    // Members of one container are unpacked one after the other: some share what they are packed in, and what is held is bounded.
    let is_together =
        |one: &Planned, next: &Planned| one.tree == next.tree && trees[one.tree].source.document.container().is_some();
    let runs: Vec<&[Planned]> = planned.chunk_by(is_together).collect();
    let results = |is_wanted: fn(&Planned) -> bool| -> Vec<Option<Result<Item, ExportError>>> {
        let export = |planned: &Planned| {
            let quiet = ExportJob { progress: &|_, _, _| {}, ..*job };
            let (tree, budget) = (&trees[planned.tree], &budgets[planned.tree]);
            let list = || growing.lock().unwrap_or_else(PoisonError::into_inner);
            let result = job.check().and_then(|()| match earlier.done(tree.name, planned, root) {
                _ if !list().is_open() => Err(ExportError::Unsupported(NOT_LISTED.to_owned())),
                Some(done) => {
                    if let (Some(textures), ExportFormat::Png) = (place.textures, planned.format) {
                        let path = root.join(&done.path);
                        pixels_of(&path).iter().for_each(|pixels| textures.add_own(*pixels, &path));
                    }
                    // What is there counts as much as what is written; it stays whatever it is.
                    let mut share = budget.share("");
                    if share.need(done.size).is_ok() {
                        share.keep(done.size);
                    }
                    Ok(item(tree, planned, done))
                }
                None => one(tree, planned, &place, budget, &quiet),
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let mut list = list();
            (job.progress)(done, total, &planned.path.to_string_lossy());
            result.inspect(|item| list.add(item))
        };
        let wanted = |planned| if is_wanted(planned) { Some(export(planned)) } else { None };
        runs.par_iter().flat_map_iter(|run| run.iter()).map(wanted).collect()
    };
    // Models refer to the files of textures, which come first.
    let mut results_of_pictures = results(|planned| planned.format == ExportFormat::Png);
    let others = results(|planned| planned.format != ExportFormat::Png);
    let results = results_of_pictures.iter_mut().zip(others).filter_map(|(picture, other)| picture.take().or(other));
    let results: Vec<Result<Item, ExportError>> = results.collect();
    // Closed before it is replaced: Windows wants that.
    let unlisted = growing.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    manifest.exported.reserve_exact(results.iter().filter(|result| result.is_ok()).count());
    for (planned, result) in planned.iter().zip(results) {
        match result {
            Ok(item) => manifest.exported.push(item),
            Err(ExportError::Cancelled) => manifest.cancelled = true,
            Err(error) => manifest.failed.push(failed(&trees[planned.tree], planned, &error)),
        }
    }
    // The whole list may have room where the growing one had none.
    manifest.unlisted = manifest.write().err().map(|error| {
        let paths = unlisted.map(|unlisted| unlisted.paths).unwrap_or_default();
        Unlisted { error, paths }
    });
    Ok(manifest)
}

/// Where things are written.
struct Place<'a> {
    root: &'a Path,
    folders: &'a Folders<'a>,
    /// The pictures of all models, if they share them.
    textures: Option<&'a Arc<SharedPictures>>,
}

fn one(
    tree: &Tree<'_>,
    planned: &Planned,
    place: &Place<'_>,
    budget: &Budget,
    job: &ExportJob<'_>,
) -> Result<Item, ExportError> {
    let folder = place.folders.make(planned.path.parent().unwrap_or(Path::new("")))?;
    let target = folder.join(planned.path.file_name().unwrap_or_default());
    let exported = if planned.is_member {
        let document = tree.source.document;
        let entry = document.outline().get(planned.entry);
        let mut share = budget.share(&entry.map(|entry| entry.path()).unwrap_or_default());
        share.need(entry.map_or(0, |entry| entry.size))?;
        let (bytes, notes) = budget.unpacking(|| member(document, planned.entry, job.cancel))?;
        share.need(bytes.len() as u64)?;
        write_file(&target, job.existing(), |out| write_source(out, &bytes))?;
        share.keep(bytes.len() as u64);
        Exported { paths: vec![target], size: bytes.len() as u64, notes, ..Exported::default() }
    } else {
        let textures = place.textures.filter(|_| tree.models != ModelFiles::Embedded);
        export_within(&tree.source, planned.entry, planned.format, &target, job, budget, textures)?
    };
    // Sounds and music choose their ending themselves.
    let relative = |path: &PathBuf| with_slashes(path.strip_prefix(place.root).unwrap_or(path));
    let mut paths = exported.paths.iter().map(relative);
    let path = paths.next().unwrap_or_else(|| with_slashes(&planned.path));
    let mut also: Vec<String> = paths.chain(exported.there.iter().map(relative)).collect();
    if planned.format.is_gltf() {
        // Which of several exports wrote a texture is chance.
        also.sort_unstable();
    }
    Ok(item(tree, planned, Done { path, also, size: exported.size, notes: exported.notes.into() }))
}

/// The pixels of a picture that an earlier export has written.
fn pixels_of(path: &Path) -> Option<PixelHash> {
    let picture = image::load_from_memory(&crate::files::read(path).ok()?).ok()?.into_rgba8();
    let (width, height) = picture.dimensions();
    let image = Image { width, height, rgba: picture.into_raw().into(), name: String::new(), stored_as: String::new() };
    Some(pixel_hash(&image, true))
}

/// A member as the file that it is, and what is wrong with it.
fn member(document: &dyn Document, entry: EntryId, cancel: &Cancel) -> Result<(Source, Notes), ExportError> {
    let (Some(container), Some(found)) = (document.container(), document.outline().get(entry)) else {
        return Ok((document.read_bytes(entry)?, Notes::default()));
    };
    let unpacked = container.unpack(entry, container.limits(), cancel);
    let unpacked = unpacked.map_err(|trouble| trouble.of_entry(found))?;
    let mut notes = Notes::default();
    notes.extend(unpacked.troubles.into_iter().map(|trouble| trouble.message));
    Ok((unpacked.source, notes))
}

/// Writes what may be larger than memory, piece by piece.
fn write_source(out: &mut impl io::Write, source: &Source) -> io::Result<()> {
    const PIECE: u64 = 1 << 20;
    let size = source.len() as u64;
    for at in (0..size).step_by(PIECE as usize) {
        let piece = source.slice(at, PIECE.min(size.saturating_sub(at))).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.write_all(piece.in_memory()?.as_slice())?;
    }
    Ok(())
}

fn with_slashes(path: &Path) -> String {
    let parts: Vec<String> = path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

/// Bytes that an entry takes in the manifest, about.
fn listed_bytes(planned: &Planned) -> u64 {
    const KEYS: usize = 400;
    (KEYS + planned.path.as_os_str().len() * 2) as u64
}

fn item(tree: &Tree<'_>, planned: &Planned, done: Done) -> Item {
    let (file, entry) = names(tree, planned);
    let Done { path, also, size, notes } = done;
    let Planned { kind, format, .. } = planned;
    Item { file, entry, id: planned.entry.0, kind: *kind, format: format.id(), path, also, size, notes }
}

fn failed(tree: &Tree<'_>, planned: &Planned, error: &ExportError) -> Failed {
    let (file, entry) = names(tree, planned);
    let over_budget = match error {
        ExportError::OverBudget { size, .. } => Some(*size),
        _ => None,
    };
    let (id, kind, format) = (planned.entry.0, planned.kind, planned.format.id());
    Failed { file, entry, id, kind, format, error: error.to_string(), cause: error.cause(), over_budget }
}

/// The file and the entry as the manifest calls them.
fn names(tree: &Tree<'_>, planned: &Planned) -> (String, String) {
    let entry = tree.source.document.outline().get(planned.entry);
    (tree.name.to_owned(), entry.map(|e| e.path().into_owned()).unwrap_or_default())
}
