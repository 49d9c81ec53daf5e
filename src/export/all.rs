//! Everything that is in files, exported into a folder.

use super::{
    Budget, ExportError, ExportJob, Exported,
    entry::export_within,
    folders::{Folders, make_folders},
    manifest::{Earlier, Failed, Growing, Item, Manifest, Unopened},
    plan::{Planned, Tree, plan},
    write::write_file,
};
use rayon::prelude::*;
use std::{
    io::Write as _,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Writes what is asked for of every file, in the tree's own folders below `root`, on all cores, and a
/// [`super::MANIFEST`], which grows with what is written and from which an export that ended early goes on. What fails is in the
/// manifest and stops nothing else; `unopened` is put there too. The exports of each file share one [`Budget`].
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
    let (planned, manifest) = plan(trees);
    let mut manifest = Manifest::new(unopened, root.join(manifest));
    let earlier = if job.resume { Earlier::read(&manifest.path)? } else { Earlier::default() };
    let growing = Mutex::new(Growing::start(&manifest, job.force || job.resume)?);
    let budgets: Vec<Budget> = trees.iter().map(|tree| Budget::of(tree.source.document, job.max_output)).collect();
    // The list of what is written is written too.
    planned.iter().for_each(|planned| budgets[planned.tree].reserve(listed_bytes(planned)));
    let folders = Folders::new(root);
    let (done, total) = (AtomicU64::new(0), planned.len() as u64);
    let results: Vec<Result<Item, ExportError>> = planned
        .par_iter()
        .map(|planned| {
            let quiet = ExportJob { progress: &|_, _, _| {}, ..*job };
            let (tree, budget) = (&trees[planned.tree], &budgets[planned.tree]);
            let result = job.check().and_then(|()| match earlier.done(tree.name, planned, root) {
                Some((path, size, notes)) => {
                    // What is there counts as much as what is written; it stays whatever it is.
                    let mut share = budget.share("");
                    if share.need(size).is_ok() {
                        share.keep(size);
                    }
                    Ok(item(tree, planned, path, size, notes))
                }
                None => one(tree, planned, &folders, budget, &quiet),
            });
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let mut growing = growing.lock().unwrap_or_else(PoisonError::into_inner);
            (job.progress)(done, total, &planned.path.to_string_lossy());
            result.and_then(|item| growing.add(&item).map(|()| item))
        })
        .collect();
    // Closed before it is replaced: Windows wants that.
    drop(growing);
    for (planned, result) in planned.iter().zip(results) {
        match result {
            Ok(item) => manifest.exported.push(item),
            Err(ExportError::Cancelled) => manifest.cancelled = true,
            Err(error) => manifest.failed.push(failed(&trees[planned.tree], planned, &error)),
        }
    }
    manifest.write()?;
    Ok(manifest)
}

fn one(
    tree: &Tree<'_>,
    planned: &Planned,
    folders: &Folders<'_>,
    budget: &Budget,
    job: &ExportJob<'_>,
) -> Result<Item, ExportError> {
    let folder = folders.make(planned.path.parent().unwrap_or(Path::new("")))?;
    let target = folder.join(planned.path.file_name().unwrap_or_default());
    let exported = if planned.is_member {
        let document = tree.source.document;
        let entry = document.outline().get(planned.entry);
        let mut share = budget.share(&entry.map(|entry| entry.path()).unwrap_or_default());
        share.need(entry.map_or(0, |entry| entry.size))?;
        let bytes = document.bytes(planned.entry)?;
        write_file(&target, job.force, |out| out.write_all(bytes.as_slice()))?;
        share.keep(bytes.len() as u64);
        Exported { paths: vec![target], size: bytes.len() as u64, ..Exported::default() }
    } else {
        export_within(&tree.source, planned.entry, planned.format, &target, job, budget)?
    };
    // Sounds and music choose their ending themselves.
    let name = exported.paths.first().and_then(|path| path.file_name());
    let path = name.map_or_else(|| planned.path.clone(), |name| planned.path.with_file_name(name));
    let parts: Vec<String> = path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    Ok(item(tree, planned, parts.join("/"), exported.size, exported.notes))
}

/// Bytes that an entry takes in the manifest, about.
fn listed_bytes(planned: &Planned) -> u64 {
    const KEYS: usize = 320;
    (KEYS + planned.path.as_os_str().len() * 2) as u64
}

fn item(tree: &Tree<'_>, planned: &Planned, path: String, size: u64, notes: Vec<String>) -> Item {
    let (file, entry) = names(tree, planned);
    Item { file, entry, id: planned.entry.0, format: planned.format.id(), path, size, notes }
}

fn failed(tree: &Tree<'_>, planned: &Planned, error: &ExportError) -> Failed {
    let (file, entry) = names(tree, planned);
    let over_budget = match error {
        ExportError::OverBudget { size, .. } => Some(*size),
        _ => None,
    };
    let (id, format) = (planned.entry.0, planned.format.id());
    Failed { file, entry, id, format, error: error.to_string(), over_budget }
}

/// The file and the entry as the manifest calls them.
fn names(tree: &Tree<'_>, planned: &Planned) -> (String, String) {
    let entry = tree.source.document.outline().get(planned.entry);
    (tree.name.to_owned(), entry.map(|e| e.path().into_owned()).unwrap_or_default())
}
