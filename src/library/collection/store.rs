//! The index on the disk: one file, which the window and the command line share.

use super::{
    catalog::{Catalog, CatalogBuilder, FileIndex},
    content::{Content, ReadContent, StoredText},
    walking::{is_below, key_of},
};
use crate::{
    files::path_of,
    formats::{EntryId, caught},
};
use redb::{Database, DatabaseError, ReadableDatabase as _, ReadableTable as _, TableDefinition, TableError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

/// Another number for each form of what is stored; what has another one is indexed anew.
const VERSION: u32 = 2;
/// How long another process's transaction is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);
/// Bytes of the file that are held in memory while it is open.
const CACHE: usize = 16 << 20;

const VERSIONS: TableDefinition<'_, &str, u32> = TableDefinition::new("versions");
const FILES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("files");
const CONTENTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("contents");
const TEXTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("texts");
/// What earlier versions kept here.
const COLLECTIONS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("collections");

/// The index of a user's collections: a file that is opened for the length of one transaction, so that other processes get at it too.
#[derive(Clone, Debug)]
pub struct Store {
    path: PathBuf,
}

/// What is known of a file on the disk: it is read again when this is no longer so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredFile {
    pub size: u64,
    pub modified: Option<SystemTime>,
    /// Into the contents; empty for a file that no format takes.
    pub content: Vec<u8>,
}

/// What is to be written of a file.
pub(super) struct NewFile {
    pub path: String,
    pub file: StoredFile,
    /// `None` where it is stored already.
    pub content: Option<ReadContent>,
}

/// What is known of files, by path, and which contents are stored.
pub(super) type Known = (BTreeMap<String, StoredFile>, HashSet<Vec<u8>>);

/// Why the index cannot be used.
enum Trouble {
    /// Another process has it.
    Locked,
    /// It is not what was written.
    Damaged(String),
    Failed(String),
}

impl<E: Into<redb::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Self::Locked,
            error @ (redb::Error::Corrupted(_)
            | redb::Error::UpgradeRequired(_)
            | redb::Error::RepairAborted
            | redb::Error::LockProtocolMismatch
            | redb::Error::TableTypeMismatch { .. }
            | redb::Error::TableIsMultimap(_)
            | redb::Error::TypeDefinitionChanged { .. }) => Self::Damaged(error.to_string()),
            redb::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Self::Damaged(error.to_string())
            }
            error => Self::Failed(error.to_string()),
        }
    }
}

impl Store {
    /// The index in a file, which is made when it is needed.
    pub fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The index of the user: the file that the variable `BONEBOX_COLLECTIONS` names, else one in the folder for what can be made again.
    pub fn of_user() -> Option<Self> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(path) = variable("BONEBOX_COLLECTIONS") {
            return Some(Self::at(path));
        }
        let home = || variable("HOME");
        let caches = if cfg!(windows) {
            variable("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            home().map(|home| home.join("Library/Caches"))
        } else {
            variable("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| home().map(|home| home.join(".cache")))
        };
        caches.map(|caches| Self::at(caches.join("bonebox").join("collections.redb")))
    }

    /// Returns the path of the index file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of the journals of [`crate::library::Quarantine`], beside the index.
    pub fn journals(&self) -> PathBuf {
        self.path.with_file_name("reading")
    }

    /// What is stored of the files below some roots. No file of the collection is read.
    ///
    /// # Errors
    /// When the index cannot be opened, in a sentence.
    pub fn catalog(&self, roots: &[PathBuf]) -> Result<Catalog, String> {
        if !crate::files::exists(&self.path) {
            return Ok(Catalog::default());
        }
        self.within(|database| {
            let mut builder = CatalogBuilder::default();
            let reading = database.begin_read()?;
            let (Some(files), Some(contents)) = (some(reading.open_table(FILES))?, some(reading.open_table(CONTENTS))?)
            else {
                return Ok(Catalog::default());
            };
            for (path, file) in below(&files, roots)? {
                let Some(stored) =
                    (!file.content.is_empty()).then(|| contents.get(&*file.content)).transpose()?.flatten()
                else {
                    continue;
                };
                let content: Content<'_> = read(stored.value())?;
                for inside in content.files {
                    let whole = path_of(&path);
                    let path = if inside.path.is_empty() { whole } else { whole.join(&*inside.path) };
                    builder.add(path, inside.size, file.modified, inside.digest, inside.record);
                }
            }
            Ok(builder.finish())
        })
    }

    /// Gives each script and text of a catalog's files, in the order of files; `visit` says whether to go on.
    ///
    /// # Errors
    /// As [`Store::catalog`].
    pub fn each_text(
        &self,
        catalog: &Catalog,
        visit: &mut dyn FnMut(FileIndex, EntryId, &str) -> bool,
    ) -> Result<(), String> {
        if !crate::files::exists(&self.path) {
            return Ok(());
        }
        // A member's file on the disk is the first file in the catalog that its path starts with.
        let mut outer: Option<(PathBuf, Option<Vec<u8>>)> = None;
        let mut wanted: Vec<(Vec<u8>, PathBuf)> = Vec::new();
        self.within(|database| {
            let reading = database.begin_read()?;
            let (Some(files), Some(texts)) = (some(reading.open_table(FILES))?, some(reading.open_table(TEXTS))?)
            else {
                return Ok(());
            };
            wanted.clear();
            for info in catalog.files() {
                if outer.as_ref().is_some_and(|(path, _)| info.path != *path && info.path.starts_with(path)) {
                    continue;
                }
                let stored = files.get(&*key_of(&info.path))?;
                let stored = stored.map(|stored| read::<StoredFile>(stored.value())).transpose()?;
                if let Some(stored) = stored {
                    wanted.push((stored.content.clone(), info.path.clone()));
                    outer = Some((info.path.clone(), Some(stored.content)));
                }
            }
            for (content, path) in &wanted {
                let Some(stored) = texts.get(&**content)? else { continue };
                let (inner, texts): (Vec<String>, Vec<StoredText<'_>>) = read(stored.value())?;
                for text in texts {
                    let inside = inner.get(text.file as usize).map_or("", String::as_str);
                    let whole = if inside.is_empty() { path.clone() } else { path.join(inside) };
                    let Some(file) = catalog.file_at(&whole) else { continue };
                    if !visit(file, EntryId(text.entry), &text.text) {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }

    /// The collections that an earlier version of the program kept in the index.
    pub(super) fn collections_within<T: DeserializeOwned>(&self) -> Result<Vec<T>, String> {
        if !crate::files::exists(&self.path) {
            return Ok(Vec::new());
        }
        self.within(|database| {
            let reading = database.begin_read()?;
            let Some(table) = some(reading.open_table(COLLECTIONS))? else { return Ok(Vec::new()) };
            let rows = table.iter()?;
            rows.map(|row| read(row?.1.value())).collect()
        })
    }

    /// What is known of the files below some roots, by path, and which contents are stored.
    pub(super) fn known(&self, roots: &[PathBuf]) -> Result<Known, String> {
        if !crate::files::exists(&self.path) {
            return Ok(Default::default());
        }
        self.within(|database| {
            let reading = database.begin_read()?;
            let (Some(files), Some(contents)) = (some(reading.open_table(FILES))?, some(reading.open_table(CONTENTS))?)
            else {
                return Ok(Default::default());
            };
            let keys = contents.iter()?.map(|row| Ok(row?.0.value().to_vec())).collect::<Result<_, Trouble>>()?;
            Ok((below(&files, roots)?, keys))
        })
    }

    /// Writes what was read of some files: all of it or nothing.
    pub(super) fn write(&self, files: Vec<NewFile>) -> Result<(), String> {
        let mut rows = Vec::new();
        for file in files {
            let content = match file.content {
                Some((content, texts)) => {
                    let paths: Vec<&str> = content.files.iter().map(|inside| &*inside.path).collect();
                    let texts = if texts.is_empty() { None } else { Some(written(&(paths, texts))?) };
                    Some((written(&content)?, texts))
                }
                None => None,
            };
            rows.push((file.path, written(&file.file)?, file.file.content, content));
        }
        self.change(|transaction| {
            let mut files = transaction.open_table(FILES)?;
            let mut contents = transaction.open_table(CONTENTS)?;
            let mut texts = transaction.open_table(TEXTS)?;
            for (path, file, key, content) in &rows {
                if let Some((content, text)) = content {
                    contents.insert(&**key, &**content)?;
                    if let Some(text) = text {
                        texts.insert(&**key, &**text)?;
                    }
                }
                files.insert(&**path, &**file)?;
            }
            Ok(())
        })
    }

    /// Forgets files, and then the contents among `dropped` that no file has any more.
    pub(super) fn remove(&self, paths: &[String], dropped: &HashSet<Vec<u8>>) -> Result<(), String> {
        self.change(|transaction| {
            let mut files = transaction.open_table(FILES)?;
            for path in paths {
                files.remove(&**path)?;
            }
            let mut left = dropped.clone();
            for row in files.iter()? {
                left.remove(&read::<StoredFile>(row?.1.value())?.content);
            }
            let mut contents = transaction.open_table(CONTENTS)?;
            let mut texts = transaction.open_table(TEXTS)?;
            for key in &left {
                contents.remove(&**key)?;
                texts.remove(&**key)?;
            }
            Ok(())
        })
    }

    fn change(&self, act: impl Fn(&redb::WriteTransaction) -> Result<(), Trouble>) -> Result<(), String> {
        if let Some(folder) = self.path.parent() {
            crate::files::create_dir_all(folder).map_err(|error| self.failed(error))?;
        }
        self.within(|database| {
            let transaction = database.begin_write()?;
            act(&transaction)?;
            transaction.commit()?;
            Ok(())
        })
    }

    /// Opens the index for one act. One that is damaged, or of another version, is put aside and begun anew.
    fn within<T>(&self, mut act: impl FnMut(&Database) -> Result<T, Trouble>) -> Result<T, String> {
        let begin = Instant::now();
        let mut renewed = false;
        loop {
            let done = caught(|| {
                let database = self.open()?;
                act(&database)
            });
            let trouble = match done {
                Ok(Ok(done)) => return Ok(done),
                Ok(Err(trouble)) => trouble,
                // The store panics on some damage.
                Err(reason) => Trouble::Damaged(reason),
            };
            match trouble {
                Trouble::Locked if begin.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
                Trouble::Locked => return Err(self.failed("in use by another program")),
                Trouble::Damaged(why) if !renewed => {
                    log::warn!("{}", self.failed(format!("cannot be used ({why}). A new index is created")));
                    // It may hold something else that is somebody's: the variable can name any file.
                    crate::files::rename(&self.path, self.put_aside()).map_err(|error| self.failed(error))?;
                    renewed = true;
                }
                Trouble::Damaged(why) | Trouble::Failed(why) => return Err(self.failed(why)),
            }
        }
    }

    fn open(&self) -> Result<Database, Trouble> {
        let database = Database::builder().set_cache_size(CACHE).create(&self.path).map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => Trouble::Locked,
            error => Trouble::from(error),
        })?;
        let reading = database.begin_read()?;
        let version = match some(reading.open_table(VERSIONS))? {
            Some(table) => table.get("index")?.map(|version| version.value()),
            None => None,
        };
        match version {
            Some(VERSION) => {}
            None => {
                drop(reading);
                let transaction = database.begin_write()?;
                transaction.open_table(VERSIONS)?.insert("index", VERSION)?;
                transaction.open_table(FILES)?;
                for table in [CONTENTS, TEXTS] {
                    transaction.open_table(table)?;
                }
                transaction.commit()?;
            }
            Some(other) => return Err(Trouble::Damaged(format!("the version is {other}, but must be {VERSION}"))),
        }
        Ok(database)
    }

    /// Where an index is put that cannot be used; the one before it there is lost.
    pub(super) fn put_aside(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".old");
        name.into()
    }

    fn failed(&self, why: impl std::fmt::Display) -> String {
        format!("the index {}: {why}", self.path.display())
    }
}

/// A table, or none where it was not written yet.
fn some<T>(table: Result<T, TableError>) -> Result<Option<T>, Trouble> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The files that are, or lie below, some roots.
fn below(
    files: &redb::ReadOnlyTable<&'static str, &'static [u8]>,
    roots: &[PathBuf],
) -> Result<BTreeMap<String, StoredFile>, Trouble> {
    let mut found = BTreeMap::new();
    for root in roots.iter().map(|root| key_of(root)) {
        for row in files.range(&*root..)? {
            let (path, file) = row?;
            if !path.value().starts_with(&root) {
                break;
            }
            if is_below(path.value(), &root) {
                found.insert(path.value().to_owned(), read(file.value())?);
            }
        }
    }
    Ok(found)
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Trouble> {
    postcard::from_bytes(bytes).map_err(|error| Trouble::Damaged(error.to_string()))
}

fn written(value: &impl Serialize) -> Result<Vec<u8>, String> {
    postcard::to_stdvec(value).map_err(|error| error.to_string())
}
