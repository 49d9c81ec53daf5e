use super::{
    AssetKey, FolderResolver,
    containers::{Containers, outermost},
    reading::{Pipes, is_pipe},
    shared_files::SharedFiles,
};
use crate::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Content, Dependency, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadContext, LoadOptions,
        NO_OVERRIDES, OpenContext, OpenError, Overrides, ReadError, caught,
    },
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::SystemTime,
};

/// A file that is open: its document and what was found while opening it.
pub struct OpenFile {
    /// Where it lies; for a member of a container the container's path with the member's behind it.
    pub path: PathBuf,
    /// The file on the disk that it is, or lies in.
    pub on_disk: PathBuf,
    /// File name without its folder.
    pub name: String,
    /// It was read from a pipe, and cannot be read again.
    pub piped: bool,
    /// When it had been written last, before it was read.
    pub written: Option<SystemTime>,
    /// Another number for each reading of a file.
    pub reading: u64,
    pub document: Box<dyn Document>,
    pub diagnostics: Vec<Diagnostic>,
    resolver: Arc<FolderResolver>,
    limits: Limits,
}

/// A decoded entry with what was found while decoding it.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub asset: Asset,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file and opens it as whatever it is. Blocks: call it on a worker.
///
/// # Errors
/// When the file cannot be read, or no format takes it.
pub fn open_path(path: &Path, limits: Limits) -> Result<OpenFile, OpenError> {
    open_path_among(path, limits, &[])
}

/// As [`open_path`]; what the file refers to is looked for in `folders` too.
///
/// # Errors
/// As [`open_path`].
pub fn open_path_among(path: &Path, limits: Limits, folders: &[PathBuf]) -> Result<OpenFile, OpenError> {
    open_path_as(path, limits, folders, &NO_OVERRIDES)
}

/// As [`open_path_among`], with disputed layouts read as a person says.
///
/// # Errors
/// As [`open_path`].
pub fn open_path_as(
    path: &Path,
    limits: Limits,
    folders: &[PathBuf],
    overrides: &Overrides,
) -> Result<OpenFile, OpenError> {
    open(path, limits, folders, overrides, Pipes::Refused)
}

/// As [`open_path_as`], for a file that a person named on purpose: a pipe is read too, to its end. It waits for who writes to it.
///
/// # Errors
/// As [`open_path`].
pub fn open_named(
    path: &Path,
    limits: Limits,
    folders: &[PathBuf],
    overrides: &Overrides,
) -> Result<OpenFile, OpenError> {
    open(path, limits, folders, overrides, Pipes::Read)
}

fn open(
    path: &Path,
    limits: Limits,
    folders: &[PathBuf],
    overrides: &Overrides,
    pipes: Pipes,
) -> Result<OpenFile, OpenError> {
    let piped = pipes == Pipes::Read && is_pipe(path);
    let limits = Containers::shared().limits_of(path, limits);
    let read = read(path, limits, pipes)?;
    open_read(path, read, limits, folders, overrides, piped)
}

/// Reads an open file anew; `None` where its bytes are those that are known. Blocks: call it on a worker.
///
/// # Errors
/// As [`open_path`].
pub fn open_changed(
    known: &OpenFile,
    folders: &[PathBuf],
    overrides: &Overrides,
) -> Result<Option<OpenFile>, OpenError> {
    let read = read(&known.path, known.limits, Pipes::Refused)?;
    if read.source.is_equal(known.document.source()) {
        return Ok(None);
    }
    open_read(&known.path, read, known.limits, folders, overrides, false).map(Some)
}

/// The file that a compressed file is but the packing of, where it opens; any other file as it is. Blocks: call it on a worker.
pub fn without_packing(mut file: OpenFile, folders: &[PathBuf], overrides: &Overrides) -> OpenFile {
    while let Some(path) = wrapped(&file)
        && let Ok(inner) = open_path_as(&path, file.limits, folders, overrides)
    {
        file = inner;
    }
    file
}

fn wrapped(file: &OpenFile) -> Option<PathBuf> {
    let entry = file.document.container()?.wrapped()?;
    Some(file.path.join(&*file.entry(entry)?.path()))
}

/// What lay on the disk.
struct Read {
    source: Source,
    written: Option<SystemTime>,
}

fn read(path: &Path, limits: Limits, pipes: Pipes) -> Result<Read, OpenError> {
    // Asked before: what is written while it is read counts as newer.
    let written = crate::files::metadata(outermost(path).unwrap_or(path)).and_then(|about| about.modified()).ok();
    let source = SharedFiles::shared().opened(path, limits, pipes).map_err(|why| OpenError {
        file: path.display().to_string(),
        message: why.message,
        code: why.code,
    })?;
    Ok(Read { source, written })
}

fn open_read(
    path: &Path,
    Read { source, written }: Read,
    limits: Limits,
    folders: &[PathBuf],
    overrides: &Overrides,
    piped: bool,
) -> Result<OpenFile, OpenError> {
    static READINGS: AtomicU64 = AtomicU64::new(1);
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    let resolver = Arc::new(FolderResolver::beside(path, folders).within(limits.neighbour_bytes));
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx =
        OpenContext { file: &name, resolver: resolver.clone(), diagnostics: &mut diagnostics, limits, overrides };
    let document = caught(|| formats::open(source, &mut cx))
        .unwrap_or_else(|reason| Err(OpenError::new(&name, fault(&reason))))?;
    Ok(OpenFile {
        path: path.to_owned(),
        on_disk: outermost(path).unwrap_or(path).to_owned(),
        name,
        piped,
        written,
        reading: READINGS.fetch_add(1, Ordering::Relaxed),
        document,
        diagnostics: diagnostics.finish(),
        resolver,
        limits,
    })
}

/// What is said where a reader failed which should not.
fn fault(reason: &str) -> String {
    format!("Bonebox failed inside, which is its own fault: {reason}")
}

impl OpenFile {
    /// Decodes an entry. Blocks: call it on a worker.
    ///
    /// # Errors
    /// When there is nothing to show for the entry or cannot be read.
    pub fn load(&self, entry: EntryId, options: LoadOptions, cancel: &AtomicBool) -> Result<Loaded, ReadError> {
        let mut diagnostics = Diagnostics::new(self.limits.diagnostics_per_code);
        let mut cx = LoadContext {
            file: &self.name,
            resolver: &*self.resolver,
            diagnostics: &mut diagnostics,
            limits: self.limits,
            options,
            cancel,
        };
        let loaded = caught(|| self.document.load(entry, &mut cx));
        let asset = loaded.unwrap_or_else(|reason| {
            let entry = self.entry(entry).ok_or_else(|| ReadError::no_entry(entry))?;
            Err(ReadError::new(entry, fault(&reason)))
        })?;
        Ok(Loaded { asset, diagnostics: diagnostics.finish() })
    }

    /// What a decoded entry is known by.
    pub fn key(&self, entry: EntryId, options: LoadOptions) -> AssetKey {
        AssetKey { path: self.path.clone(), entry, options, reading: self.reading }
    }

    /// Finds the files beside this one.
    pub fn resolver(&self) -> &FolderResolver {
        &self.resolver
    }

    /// What it needs of other files and does not find, by name. Looks into folders: ask on a worker.
    pub fn missing(&self) -> Vec<String> {
        let is_missing = |needed: &Dependency| needed.found.is_none() && !needed.is_built_in;
        self.document.dependencies().into_iter().filter(is_missing).map(|needed| needed.name).collect()
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.document.outline().get(id)
    }

    /// The entries that show as `content`, in file order.
    pub fn entries_with(&self, content: Content) -> Vec<EntryId> {
        self.document.outline().with_content(content).map(|e| e.id).collect()
    }
}
