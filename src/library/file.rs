use super::{
    AssetKey, FolderResolver,
    containers::{Containers, outermost},
    quarantine::{Noted, Quarantine, Reading},
    reading::{Pipes, is_pipe},
    shared_files::SharedFiles,
    unread::Unread,
};
use crate::{
    bytes::{Limits, Source},
    files::{name_text, text_of},
    formats::{
        self, Asset, Content, Dependency, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadContext, LoadOptions,
        NO_OVERRIDES, OpenContext, OpenError, Overrides, ReadError, caught,
    },
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
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
    noted: Option<Noted>,
    /// How many joints its models have, of the first of them, once somebody has counted.
    pub(super) joint_counts: OnceLock<Vec<(EntryId, usize)>>,
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
    let read = read(path, |path| SharedFiles::shared().opened(path, limits, pipes))?;
    let resolver = FolderResolver::beside(path, folders).within(limits.neighbour_bytes);
    open_read(path, read, limits, resolver, overrides, piped)
}

/// Opens a file that lies beside another one: what is read of it and of what it refers to is a part of what may be read beside that one.
/// Blocks: call it on a worker.
///
/// # Errors
/// As [`open_path`].
pub fn open_beside(file: &OpenFile, path: &Path) -> Result<OpenFile, OpenError> {
    let limits = Containers::shared().limits_of(path, file.limits);
    let opened = |largest| SharedFiles::shared().opened(path, largest, Pipes::Refused);
    let read = read(path, |path| file.resolver.counted(path, limits.into(), opened))?;
    let resolver = FolderResolver::beside(path, &[]).sharing(&file.resolver);
    open_read(path, read, limits, resolver, &NO_OVERRIDES, false)
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
    let opened = |path: &Path| SharedFiles::shared().opened(path, known.limits, Pipes::Refused);
    let read = read(&known.path, opened)?;
    if read.source.is_equal(known.document.source()) {
        return Ok(None);
    }
    let resolver = FolderResolver::beside(&known.path, folders).within(known.limits.neighbour_bytes);
    open_read(&known.path, read, known.limits, resolver, overrides, false).map(Some)
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

fn read(path: &Path, opened: impl FnOnce(&Path) -> Result<Source, Unread>) -> Result<Read, OpenError> {
    // Asked before: what is written while it is read counts as newer.
    let written = crate::files::metadata(outermost(path).unwrap_or(path)).and_then(|about| about.modified()).ok();
    let source = opened(path).map_err(|why| OpenError {
        file: text_of(path).into_owned(),
        message: why.message,
        code: why.code,
    })?;
    Ok(Read { source, written })
}

fn open_read(
    path: &Path,
    Read { source, written }: Read,
    limits: Limits,
    resolver: FolderResolver,
    overrides: &Overrides,
    piped: bool,
) -> Result<OpenFile, OpenError> {
    static READINGS: AtomicU64 = AtomicU64::new(1);
    let name = path.file_name().map_or_else(|| text_of(path), |_| name_text(path)).into_owned();
    let resolver = Arc::new(resolver);
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx =
        OpenContext { file: &name, resolver: resolver.clone(), diagnostics: &mut diagnostics, limits, overrides };
    let noted = Quarantine::shared().about(path);
    let _reading = Quarantine::shared().reading_noted(noted.clone());
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
        noted,
        joint_counts: OnceLock::new(),
    })
}

/// What is said where a reader failed which should not.
fn fault(reason: &str) -> String {
    format!("internal error in Bonebox: {reason}")
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
        let _reading = self.note();
        let loaded = caught(|| self.document.load(entry, &mut cx));
        let asset = loaded.unwrap_or_else(|reason| {
            let entry = self.entry(entry).ok_or_else(|| ReadError::no_entry(entry))?;
            Err(ReadError::new(entry, fault(&reason)))
        })?;
        Ok(Loaded { asset, diagnostics: diagnostics.finish() })
    }

    /// Notes in the journal of [`Quarantine`] that the file is being read. Call it for each job that reads the document directly.
    pub fn note(&self) -> Reading<'static> {
        Quarantine::shared().reading_noted(self.noted.clone())
    }

    /// What a decoded entry is known by.
    pub fn key(&self, entry: EntryId, options: LoadOptions) -> AssetKey {
        AssetKey { path: self.path.clone(), entry, options, reading: self.reading }
    }

    /// Finds the files beside this one.
    pub fn resolver(&self) -> &FolderResolver {
        &self.resolver
    }

    /// Has textures and other files that its entries refer to looked for in `folder` first.
    pub fn look_first_in(&mut self, folder: &Path) {
        let resolver = FolderResolver::beside(&self.path, &[]).sharing(&self.resolver).after(folder);
        self.resolver = Arc::new(resolver);
    }

    /// What it needs of other files and does not find, by name. Looks into folders: ask on a worker.
    pub fn missing(&self) -> Vec<String> {
        let is_missing = |needed: &Dependency| needed.found.is_none() && !needed.is_built_in;
        let needed = self.document.ask(EntryId::FILE, |can, _| Some(can.links?.dependencies()));
        needed.into_iter().flatten().filter(is_missing).map(|needed| needed.name).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::{FileRequest, Resolver as _},
        library::LEFT_ALONE,
    };

    #[test]
    fn a_file_that_is_left_alone_opens_neither_by_itself_nor_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk");
        let [bad, good] = ["bad.psk", "good.psk"].map(|name| folder.path().join(name));
        for path in [&bad, &good] {
            std::fs::copy(&arm, path).unwrap();
        }
        for _ in 0..2 {
            let process = Quarantine::default();
            process.start(&folder.path().join("reading"));
            std::mem::forget(process.reading(&bad));
        }
        Quarantine::shared().start(&folder.path().join("reading"));
        let file = open_path(&good, Limits::default()).unwrap();
        let request = FileRequest { stem: "bad", extensions: &["psk"], subfolders: false, siblings: &[] };
        assert_eq!(open_path(&bad, Limits::default()).err().map(|error| error.message).as_deref(), Some(LEFT_ALONE));
        assert!(open_beside(&file, &bad).is_err() && file.resolver.find(&request).is_none());
        assert!(Quarantine::shared().try_again(&bad));
        assert!(open_beside(&file, &bad).is_ok() && file.resolver.find(&request).is_some());
    }

    #[test]
    fn an_open_file_is_noted_while_a_job_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.psk");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk"), &path).unwrap();
        Quarantine::shared().start(&folder.path().join("reading"));
        let file = open_path(&path, Limits::default()).unwrap();
        let is_noted = || Quarantine::shared().is_reading(&path);
        assert!(!is_noted());
        // The file is not examined again: its drive may be gone.
        std::fs::remove_file(&path).unwrap();
        let (first, second) = (file.note(), file.note());
        drop(first);
        assert!(is_noted());
        drop(second);
        assert!(!is_noted());
    }

    #[test]
    fn files_beside_files_beside_a_file_share_what_may_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let arm = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk");
        let path = |name: &str| folder.path().join(name);
        for name in ["first.psk", "second.psk", "third.psk"] {
            std::fs::copy(&arm, path(name)).unwrap();
        }
        for name in ["one.png", "two.png"] {
            std::fs::write(path(name), [0; 40]).unwrap();
        }
        let neighbour_bytes = std::fs::metadata(&arm).unwrap().len() + 50;
        let limits = Limits { neighbour_bytes, ..Limits::default() };
        let first = open_path(&path("first.psk"), limits).unwrap();
        let second = open_beside(&first, &path("second.psk")).unwrap();
        let finds = |file: &OpenFile, stem| {
            let request = FileRequest { stem, extensions: &["png"], subfolders: false, siblings: &[] };
            file.resolver.find(&request).is_some()
        };
        assert_eq!(["one", "two", "one"].map(|stem| finds(&second, stem)), [true, false, true]);
        assert!(finds(&first, "one") && !finds(&first, "two"));
        let why = open_beside(&first, &path("third.psk")).err().unwrap().message;
        assert_eq!(why, "is larger than 10 bytes, the limit for a file");
    }
}
