//! One entry of an open file, exported.

use super::{
    Budget, ExportError, ExportFormat, ExportJob, ExportSource,
    folders::make_folders,
    glb::beside::{SharedPictures, TEXTURES},
    path::safe_name,
    work::Work,
    write::{PreparedFile, WriteError, check_free, clear_abandoned, holds, prepare_file},
};
use crate::export::Notes;
use crate::formats::{Content, Diagnostic, Diagnostics, Document, Entry, EntryId, file_name};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What an export made.
#[derive(Debug, Default)]
pub struct Exported {
    /// The files that were written. The first is the exported entry itself.
    pub paths: Vec<PathBuf>,
    /// Files that belong to it and were there already: textures that another one has too.
    pub there: Vec<PathBuf>,
    /// Bytes of the first of `paths`.
    pub size: u64,
    /// One plain sentence for each thing that the format cannot hold.
    pub notes: Notes,
    /// Found while decoding.
    pub diagnostics: Vec<Diagnostic>,
}

/// Exports an entry to a file. Formats of several files (OBJ and PSK with their materials and textures, PSA with its `.config`, glTF
/// with its numbers and textures) put the others beside it: those of PSK under the names of materials and textures, textures of
/// glTF in a folder, all others under names that start like its own. Nothing is written when one of them is there already and must stay, or
/// when they would be more than the file's [`Budget`].
///
/// # Errors
/// When the entry cannot be decoded or has no such format, when a file is in the way, when writing fails, when it would take more
/// than it may.
pub fn export_entry(
    source: &ExportSource<'_>,
    entry: EntryId,
    format: ExportFormat,
    target: &Path,
    job: &ExportJob<'_>,
) -> Result<Exported, ExportError> {
    clear_abandoned(target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    export_within(source, entry, format, target, job, &Budget::of(source.document, job.max_output), None)
}

/// [`export_entry`] with what several exports share: the budget of a file, and the pictures of all models.
pub(super) fn export_within(
    source: &ExportSource<'_>,
    entry: EntryId,
    format: ExportFormat,
    target: &Path,
    job: &ExportJob<'_>,
    budget: &Budget,
    textures: Option<&Arc<SharedPictures>>,
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    check_free(&format.first_file(target), job.existing())?;
    let label = source.document.outline().get(entry).map(|e| e.path().into_owned()).unwrap_or_default();
    (job.progress)(0, 1, &label);
    let mut diagnostics = Diagnostics::new(source.limits.diagnostics_per_code);
    let mut share = budget.share(if label.is_empty() { source.file } else { &label });
    let mut work = Work {
        source,
        job,
        budget,
        share: &mut share,
        diagnostics: &mut diagnostics,
        notes: &mut exported.notes,
        textures,
        there: &mut exported.there,
        pixels: None,
    };
    let written = if format.is_of_terrain() || format == ExportFormat::Json {
        let bytes = match format {
            ExportFormat::Json => work.json(entry, target)?,
            _ => work.terrain(entry, format, target)?,
        };
        exported.paths.push(target.to_owned());
        exported.size = bytes;
        bytes
    } else {
        let files = work.files(entry, format, target)?;
        let pixels = work.pixels;
        job.check()?;
        let bytes = files.iter().fold(0, |sum: u64, (_, bytes)| sum.saturating_add(bytes.len() as u64));
        share.need(bytes)?;
        let is_shared = |path: &Path| textures.is_some_and(|textures| textures.has(path));
        for (path, _) in files.iter().filter(|(path, _)| !is_shared(path)) {
            check_free(path, job.existing())?;
        }
        exported.size = files.first().map_or(0, |(_, bytes)| bytes.len() as u64);
        // Another export of the same run may have written the same texture meanwhile.
        let is_there = |path: &Path, bytes: &[u8]| is_shared(path) && holds(path, bytes);
        let prepare = |(path, bytes): &(PathBuf, Vec<u8>)| -> Result<Option<PreparedFile>, ExportError> {
            if let Some(folder) = path.parent()
                && (is_shared(path) || folder == target.with_file_name(TEXTURES))
            {
                let name = folder.file_name().unwrap_or_default();
                make_folders(folder.parent().unwrap_or(Path::new("")), Path::new(name))?;
            }
            match prepare_file(path, job.existing(), |out| out.write_all(bytes)) {
                Err(WriteError::Exists(_)) if is_there(path, bytes) => Ok(None),
                prepared => Ok(Some(prepared?)),
            }
        };
        let prepared = files.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
        // The file that refers to the others comes last.
        for (prepared, (path, bytes)) in prepared.into_iter().zip(&files).rev() {
            match prepared.map(PreparedFile::give_name) {
                Some(Err(WriteError::Exists(_))) if is_there(path, bytes) => {}
                named => named.unwrap_or(Ok(()))?,
            }
        }
        exported.paths.extend(files.into_iter().map(|(path, _)| path));
        if let Some(textures) = textures {
            let files = exported.paths.iter().chain(&exported.there);
            files.filter(|path| textures.has(path)).for_each(|path| textures.add(path));
            pixels.iter().for_each(|pixels| textures.add_own(*pixels, target));
        }
        bytes
    };
    share.keep(written);
    exported.diagnostics = diagnostics.finish();
    (job.progress)(1, 1, &label);
    Ok(exported)
}

/// What the file of an entry is called when nobody names it, without extension: what fills a whole file is called as the file.
pub fn natural_stem(file: &str, document: &dyn Document, entry: &Entry) -> String {
    // Levels of packages are all called “MyLevel”.
    let is_alone = matches!(entry.content, Content::Model | Content::Terrain | Content::Map)
        && !document.outline().is_part(entry)
        && document.outline().with_content(entry.content).nth(1).is_none();
    let whole = entry.id == EntryId::FILE || is_alone;
    if whole { safe_name(file_name::stem(file)) } else { safe_name(&entry.name) }
}
