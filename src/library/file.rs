use super::{
    FolderResolver,
    containers::{Containers, outermost},
    quarantine::{Noted, Quarantine, Reading},
    reading::{Pipes, Unread, is_pipe},
    shared_files::SharedFiles,
};
use crate::{
    bytes::{Cancel, Limits, Source},
    files::{name_text, text_of},
    formats::{
        self, Asset, Content, Dependency, Diagnostic, Diagnostics, Document, Entry, EntryId, LoadContext, LoadOptions,
        NO_OVERRIDES, NoFiles, OpenContext, OpenError, OpenErrorKind, Overrides, ReadError, ReadErrorKind, Resolver,
        caught,
    },
    scene::{Clip, Model},
};
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

/// What an asset was decoded from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AssetKey {
    /// The file's path.
    pub path: PathBuf,
    /// The entry in the file.
    pub entry: EntryId,
    /// The options that the entry was decoded with.
    pub options: LoadOptions,
    /// Which reading of the file ([`super::OpenFile::reading`]): what comes of an earlier one is of no use.
    pub reading: u64,
}

/// A file that is open: its document and what was found while opening it.
pub struct OpenFile {
    /// Where it lies; for a member of a container the container's path with the member's behind it.
    pub path: PathBuf,
    /// The file on the disk that it is, or lies in.
    pub on_disk: PathBuf,
    /// File name without its folder.
    pub name: String,
    /// It was read from a pipe or from memory, and cannot be read again.
    pub piped: bool,
    /// When it had been written last, before it was read.
    pub written: Option<SystemTime>,
    /// Another number for each reading of a file.
    pub reading: u64,
    /// The decoded structure of the file.
    pub document: Box<dyn Document>,
    /// Problems that were found when the file was opened.
    pub diagnostics: Vec<Diagnostic>,
    resolver: Arc<dyn Resolver>,
    /// The resolver, unless the caller supplied another one.
    neighbours: Arc<FolderResolver>,
    limits: Limits,
    noted: Option<Noted>,
    /// How many joints its models have, of the first of them, once somebody has counted.
    pub(super) joint_counts: OnceLock<Vec<(EntryId, usize)>>,
}

/// A decoded entry with what was found while decoding it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The decoded asset.
    pub asset: Asset,
    /// Problems that were found when the entry was decoded.
    pub diagnostics: Vec<Diagnostic>,
}

/// Options for opening files. `OpenOptions::new().open("arm.psk")` detects the format, and looks for textures next to the file.
#[derive(Clone, Default)]
pub struct OpenOptions<'a> {
    limits: Limits,
    folders: &'a [PathBuf],
    resolver: Option<Arc<dyn Resolver>>,
    overrides: Option<&'a Overrides>,
    pipes: Pipes,
}

impl<'a> OpenOptions<'a> {
    /// Creates default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the limits of what the file may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Adds folders in which textures and other referenced files are searched for.
    #[must_use]
    pub fn folders(mut self, folders: &'a [PathBuf]) -> Self {
        self.folders = folders;
        self
    }

    /// Finds referenced files in `resolver`, instead of in the file's folder and [`Self::folders`].
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Selects how ambiguous data is read.
    #[must_use]
    pub fn reading(mut self, overrides: &'a Overrides) -> Self {
        self.overrides = Some(overrides);
        self
    }

    /// Whether a pipe is read to its end, instead of refused. Opening blocks until its writer closes it.
    #[must_use]
    pub fn pipes(mut self, read: bool) -> Self {
        self.pipes = if read { Pipes::Read } else { Pipes::Refused };
        self
    }

    /// Opens a file of any format; a path may continue into a container. Blocks: call it on a worker.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or its format is unknown.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<OpenFile, OpenError> {
        let path = path.as_ref();
        let piped = self.pipes == Pipes::Read && is_pipe(path);
        let limits = Containers::shared().limits_of(path, self.limits);
        let read = read(path, |path| SharedFiles::shared().opened(path, limits, self.pipes))?;
        Ok(OpenFile { piped, ..self.open_read(path, read, limits)? })
    }

    /// Opens bytes, or a reader ([`Source::stored`]), under the name of a file. Only [`Self::resolver`] finds other files.
    ///
    /// # Errors
    /// Returns an error if the format is unknown or the file is damaged.
    pub fn open_source(&self, name: &str, source: impl Into<Source>) -> Result<OpenFile, OpenError> {
        let resolver = self.resolver.clone().unwrap_or_else(|| Arc::new(NoFiles));
        let read = Read { source: source.into(), written: None };
        let file = self.clone().resolver(resolver).open_read(Path::new(name), read, self.limits)?;
        Ok(OpenFile { piped: true, ..file })
    }

    /// Reads an open file again. Returns `None` if its bytes are unchanged. Blocks: call it on a worker.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn reopen(&self, known: &OpenFile) -> Result<Option<OpenFile>, OpenError> {
        let limits = known.limits;
        let read = read(&known.path, |path| SharedFiles::shared().opened(path, limits, Pipes::Refused))?;
        if read.source.is_equal(known.document.source()) {
            return Ok(None);
        }
        self.open_read(&known.path, read, limits).map(Some)
    }

    fn open_read(&self, path: &Path, read: Read, limits: Limits) -> Result<OpenFile, OpenError> {
        let neighbours = FolderResolver::beside(path, self.folders).within(limits.neighbour_bytes);
        self.open_among(path, read, limits, neighbours)
    }

    fn open_among(
        &self,
        path: &Path,
        Read { source, written }: Read,
        limits: Limits,
        neighbours: FolderResolver,
    ) -> Result<OpenFile, OpenError> {
        static READINGS: AtomicU64 = AtomicU64::new(1);
        let name = path.file_name().map_or_else(|| text_of(path), |_| name_text(path)).into_owned();
        let neighbours = Arc::new(neighbours);
        let resolver = self.resolver.clone().unwrap_or_else(|| neighbours.clone());
        let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
        let overrides = self.overrides.unwrap_or(&NO_OVERRIDES);
        let mut cx =
            OpenContext { file: &name, resolver: resolver.clone(), diagnostics: &mut diagnostics, limits, overrides };
        let noted = Quarantine::shared().about(path);
        let _reading = Quarantine::shared().reading_noted(noted.clone());
        let document = caught(|| formats::open(source, &mut cx))
            .unwrap_or_else(|reason| Err(OpenError::new(&name, fault(&reason)).with_kind(OpenErrorKind::Internal)))?;
        Ok(OpenFile {
            path: path.to_owned(),
            on_disk: outermost(path).unwrap_or(path).to_owned(),
            name,
            piped: false,
            written,
            reading: READINGS.fetch_add(1, Ordering::Relaxed),
            document,
            diagnostics: diagnostics.finish(),
            resolver,
            neighbours,
            limits,
            noted,
            joint_counts: OnceLock::new(),
        })
    }
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
    let source = opened(path).map_err(|Unread { message, code, kind, source }| OpenError {
        code,
        kind,
        source,
        ..OpenError::new(&text_of(path), message)
    })?;
    Ok(Read { source, written })
}

/// What is said where a reader failed which should not.
pub(super) fn fault(reason: &str) -> String {
    format!("internal error in Bonebox: {reason}")
}

impl OpenFile {
    /// Decodes an entry. Blocks: call it on a worker.
    ///
    /// # Errors
    /// Returns an error if the entry does not exist, cannot be shown or cannot be read, or if `cancel` was cancelled meanwhile.
    pub fn load(&self, entry: EntryId, options: LoadOptions, cancel: &Cancel) -> Result<Loaded, ReadError> {
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
            let entry = self.document.outline().entry(entry)?;
            Err(ReadError::new(entry, fault(&reason)).with_kind(ReadErrorKind::Internal))
        });
        let has_no_asset = |entry: &Entry| matches!(entry.content, Content::None | Content::Bytes | Content::Actor);
        let asset = asset.map_err(|error| match error.kind {
            ReadErrorKind::Internal | ReadErrorKind::NoEntry => error,
            _ if cancel.is_cancelled() => error.with_kind(ReadErrorKind::Cancelled),
            ReadErrorKind::Invalid if self.entry(entry).is_some_and(has_no_asset) => {
                error.with_kind(ReadErrorKind::NotAnAsset)
            }
            _ => error,
        })?;
        Ok(Loaded { asset, diagnostics: diagnostics.finish() })
    }

    /// Decodes an entry with default options. [`Self::load`] also returns what was found wrong. Blocks: call it on a worker.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_asset(&self, entry: EntryId) -> Result<Asset, ReadError> {
        Ok(self.load(entry, LoadOptions::default(), Cancel::never())?.asset)
    }

    /// As [`Self::load_asset`].
    ///
    /// # Errors
    /// Returns an error if the entry cannot be decoded, or is not a model.
    pub fn load_model(&self, entry: EntryId) -> Result<Arc<Model>, ReadError> {
        match self.load_asset(entry)? {
            Asset::Model(model) => Ok(model),
            _ => Err(self.is_not(entry, "a model")),
        }
    }

    /// As [`Self::load_asset`].
    ///
    /// # Errors
    /// Returns an error if the entry cannot be decoded, or is not a clip.
    pub fn load_clip(&self, entry: EntryId) -> Result<Arc<Clip>, ReadError> {
        match self.load_asset(entry)? {
            Asset::Clip(clip) => Ok(clip),
            _ => Err(self.is_not(entry, "a clip")),
        }
    }

    fn is_not(&self, id: EntryId, what: &str) -> ReadError {
        let entry = self.document.outline().entry(id);
        entry.map_or_else(
            |error| error,
            |entry| ReadError::new(entry, format!("not {what}")).with_kind(ReadErrorKind::NotAnAsset),
        )
    }

    /// Notes in the journal of [`Quarantine`] that the file is being read. Call it for each job that reads the document directly.
    pub fn note(&self) -> Reading<'static> {
        Quarantine::shared().reading_noted(self.noted.clone())
    }

    /// What a decoded entry is known by.
    pub fn key(&self, entry: EntryId, options: LoadOptions) -> AssetKey {
        AssetKey { path: self.path.clone(), entry, options, reading: self.reading }
    }

    /// Opens a file next to this one. Both share one limit for the bytes of neighbouring files. Blocks: call it on a worker.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn open_next_to(&self, path: &Path) -> Result<Self, OpenError> {
        let limits = Containers::shared().limits_of(path, self.limits);
        let opened = |largest| SharedFiles::shared().opened(path, largest, Pipes::Refused);
        let read = read(path, |path| self.neighbours.counted(path, limits.into(), opened))?;
        let neighbours = FolderResolver::beside(path, &[]).sharing(&self.neighbours);
        OpenOptions::new().open_among(path, read, limits, neighbours)
    }

    /// Opens the content of a compressed file, if it can be opened; returns any other file unchanged. Blocks: call it on a worker.
    #[must_use]
    pub fn without_packing(mut self, options: &OpenOptions<'_>) -> Self {
        while let Some(path) = wrapped(&self)
            && let Ok(inner) = options.clone().limits(self.limits).open(path)
        {
            self = inner;
        }
        self
    }

    /// Finds the files beside this one.
    pub fn resolver(&self) -> &dyn Resolver {
        &*self.resolver
    }

    /// Searches `folder` first for textures and other referenced files. Replaces a resolver that the caller supplied.
    pub fn look_first_in(&mut self, folder: &Path) {
        let resolver = FolderResolver::beside(&self.path, &[]).sharing(&self.neighbours).after(folder);
        self.neighbours = Arc::new(resolver);
        self.resolver = self.neighbours.clone();
    }

    /// What it needs of other files and does not find, by name. Looks into folders: ask on a worker.
    pub fn missing(&self) -> Vec<String> {
        let is_missing = |needed: &Dependency| needed.found.is_none() && !needed.is_built_in;
        let needed = self.document.ask(EntryId::FILE, |can, _| Some(can.links?.dependencies()));
        needed.into_iter().flatten().filter(is_missing).map(|needed| needed.name).collect()
    }

    /// Returns the limits that the file was opened with.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns an entry of the file. Returns `None` if the id is invalid.
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
    use crate::{formats::FileRequest, library::LEFT_ALONE};

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
        let file = OpenOptions::new().open(&good).unwrap();
        let request = FileRequest { stem: "bad", extensions: &["psk"], subfolders: false, siblings: &[] };
        assert_eq!(OpenOptions::new().open(&bad).err().map(|error| error.message).as_deref(), Some(LEFT_ALONE));
        assert!(file.open_next_to(&bad).is_err() && file.resolver.find(&request).is_none());
        assert!(Quarantine::shared().try_again(&bad));
        assert!(file.open_next_to(&bad).is_ok() && file.resolver.find(&request).is_some());
    }

    #[test]
    fn an_open_file_is_noted_while_a_job_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.psk");
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx/syn_arm.psk"), &path).unwrap();
        Quarantine::shared().start(&folder.path().join("reading"));
        let file = OpenOptions::new().open(&path).unwrap();
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
        let first = OpenOptions::new().limits(limits).open(path("first.psk")).unwrap();
        let second = first.open_next_to(&path("second.psk")).unwrap();
        let finds = |file: &OpenFile, stem| {
            let request = FileRequest { stem, extensions: &["png"], subfolders: false, siblings: &[] };
            file.resolver.find(&request).is_some()
        };
        assert_eq!(["one", "two", "one"].map(|stem| finds(&second, stem)), [true, false, true]);
        assert!(finds(&first, "one") && !finds(&first, "two"));
        let why = first.open_next_to(&path("third.psk")).err().unwrap().message;
        assert_eq!(why, "is larger than the maximum file size of 10 bytes");
    }
}
