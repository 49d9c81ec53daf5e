//! A collection in memory, and the kinds of its entries, for counting.

use super::{
    needle,
    record::{About, ImportRecord, JointSet, Record},
};
use crate::{
    files::name_text,
    formats::{Content, EntryId, Role},
    library::words::contains,
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// Kinds that are counted at most: each is a bit.
const MOST: usize = 32;

/// Kinds by the words that `type:` takes.
pub(super) struct Kinds {
    words: Vec<String>,
    by_class: Vec<KindMask>,
}

/// The kinds that an entry is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KindMask(u32);

/// The kinds of roles and contents, as far as they were met.
#[derive(Default)]
pub(super) struct MetKinds(Vec<Option<KindMask>>);

/// More than there are of [`Content`].
const CONTENTS: usize = 16;

impl Kinds {
    pub fn of(catalog: &Catalog, words: &[&str]) -> Self {
        let words: Vec<String> = words.iter().take(MOST).map(|word| word.to_lowercase()).collect();
        let by_class = catalog.classes().iter().map(|class| KindMask::of(&words, |word| contains(class, word)));
        Self { by_class: by_class.collect(), words }
    }

    /// Returns the number of counts: one for each kind, and one for all rows; 0 without kinds.
    pub fn counts(&self) -> usize {
        if self.words.is_empty() { 0 } else { self.words.len().saturating_add(1) }
    }

    /// The kinds of a row whose class has this number.
    pub fn of_row(&self, row: &Row<'_>, class: u32, met: &mut MetKinds) -> KindMask {
        if self.words.is_empty() {
            return KindMask::default();
        }
        let by_class = self.by_class.get(class as usize).copied().unwrap_or_default();
        KindMask(by_class.0 | met.of(row.role, row.content, &self.words).0)
    }
}

impl MetKinds {
    fn of(&mut self, role: Role, content: Content, words: &[String]) -> KindMask {
        let at = (role as usize).saturating_mul(CONTENTS).saturating_add(content as usize);
        if let Some(known) = self.0.get(at).copied().flatten() {
            return known;
        }
        let kinds = KindMask::of(words, |word| contains(role.word(), word) || contains(content.word(), word));
        if self.0.len() <= at {
            self.0.resize(at.saturating_add(1), None);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = Some(kinds);
        }
        kinds
    }
}

impl KindMask {
    fn of(words: &[String], is_of: impl Fn(&str) -> bool) -> Self {
        let bits = words.iter().enumerate().filter(|(_, word)| is_of(word)).map(|(kind, _)| bit(kind));
        Self(bits.fold(0, |mask, bit| mask | bit))
    }

    pub fn has(self, kind: usize) -> bool {
        self.0 & bit(kind) != 0
    }

    /// Counts a row of these kinds; the last count is that of all rows.
    pub fn count(self, counts: &mut [usize]) {
        let Some((all, kinds)) = counts.split_last_mut() else { return };
        *all = all.saturating_add(1);
        for (kind, count) in kinds.iter_mut().enumerate() {
            *count = count.saturating_add(usize::from(self.has(kind)));
        }
    }
}

fn bit(kind: usize) -> u32 {
    u32::try_from(kind).ok().and_then(|kind| 1_u32.checked_shl(kind)).unwrap_or(0)
}

/// A file of a [`Catalog`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileIndex(pub u32);

/// An entry of a [`Catalog`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowIndex(pub u32);

/// A file of a collection. Members of containers are files of their own.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// Where it lies; for a member of a container the container's path with the member's behind it.
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Time at which the file, or the container around it, was last modified.
    pub modified: Option<SystemTime>,
    /// The start of the SHA-1 of its bytes.
    pub digest: u64,
    /// Id of its format; empty where nothing takes it.
    pub format: Arc<str>,
    /// The reason why the file could not be opened or indexed completely. `None` if there was no problem.
    pub problem: Option<String>,
    /// The first of its rows, which is the file itself, and the one behind its last.
    pub rows: std::ops::Range<u32>,
    /// Into the catalog's imports.
    imports: std::ops::Range<u32>,
}

/// An entry of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The file that contains the entry.
    pub file: FileIndex,
    /// Into the outline of the file.
    pub entry: EntryId,
    /// Within the file; of a file itself its name.
    pub path: &'a str,
    /// The last part of the path.
    pub name: &'a str,
    /// The class of the entry as its format names it.
    pub class: &'a str,
    /// Role of the entry.
    pub role: Role,
    /// The content that the entry shows.
    pub content: Content,
    /// Bytes.
    pub size: u64,
    /// The start of the SHA-1 of its bytes; 0 for what is not compared.
    pub digest: u64,
    /// Details by kind, such as the size of a picture.
    pub about: About,
}

struct Stored {
    file: u32,
    entry: u32,
    path: u32,
    path_len: u32,
    name_start: u32,
    class: u32,
    role: Role,
    content: Content,
    size: u64,
    digest: u64,
    about: About,
}

/// A collection's files and entries in memory, for searching. A million entries take about 130 MB.
#[derive(Default)]
pub struct Catalog {
    files: Vec<FileInfo>,
    rows: Vec<Stored>,
    /// The letters in the name of each row.
    letters: Vec<u64>,
    /// All paths, one behind the other.
    paths: String,
    classes: Vec<Arc<str>>,
    joint_sets: Vec<Vec<Box<str>>>,
    imports: Vec<ImportRecord<'static>>,
    by_path: HashMap<PathBuf, FileIndex>,
}

/// Puts a [`Catalog`] together, file by file.
#[derive(Default)]
pub struct CatalogBuilder {
    catalog: Catalog,
    classes: HashMap<Arc<str>, u32>,
    formats: HashMap<Box<str>, Arc<str>>,
    joint_sets: HashMap<Vec<Box<str>>, u32>,
}

impl Catalog {
    /// Returns all files, in the order of their indices.
    pub fn files(&self) -> &[FileInfo] {
        &self.files
    }

    /// Returns a file. Returns `None` if the index is invalid.
    pub fn file(&self, index: FileIndex) -> Option<&FileInfo> {
        self.files.get(index.0 as usize)
    }

    /// The file at a path.
    pub fn file_at(&self, path: &Path) -> Option<FileIndex> {
        self.by_path.get(path).copied()
    }

    /// Returns true if two catalogs contain the same versions of the same files.
    pub fn has_same_files(&self, other: &Self) -> bool {
        let of = |file: &FileInfo| (file.size, file.modified, file.digest, file.rows.clone());
        let mut pairs = self.files.iter().zip(&other.files);
        self.files.len() == other.files.len() && pairs.all(|(a, b)| a.path == b.path && of(a) == of(b))
    }

    /// Returns the number of entries, including the files themselves.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns an entry. Returns `None` if the index is invalid.
    pub fn row(&self, index: RowIndex) -> Option<Row<'_>> {
        let stored = self.rows.get(index.0 as usize)?;
        let start = stored.path as usize;
        let path = self.paths.get(start..start.checked_add(stored.path_len as usize)?)?;
        Some(Row {
            file: FileIndex(stored.file),
            entry: EntryId(stored.entry),
            path,
            name: path.get(stored.name_start as usize..)?,
            class: self.classes.get(stored.class as usize)?,
            role: stored.role,
            content: stored.content,
            size: stored.size,
            digest: stored.digest,
            about: stored.about,
        })
    }

    /// Which letters the name of a row has, and the number of its class among [`Catalog::classes`].
    pub(super) fn letters_and_class(&self, index: RowIndex) -> Option<(u64, u32)> {
        let at = index.0 as usize;
        Some((*self.letters.get(at)?, self.rows.get(at)?.class))
    }

    /// The entry of a file.
    pub fn row_of(&self, file: FileIndex, entry: EntryId) -> Option<RowIndex> {
        let range = self.file(file)?.rows.clone();
        let rows = self.rows.get(range.start as usize..range.end as usize)?;
        let at = rows.binary_search_by_key(&entry.0, |row| row.entry).ok()?;
        Some(RowIndex(range.start.saturating_add(at as u32)))
    }

    /// All rows, in order of files and then of entries.
    pub fn rows(&self) -> impl Iterator<Item = (RowIndex, Row<'_>)> {
        (0..self.rows.len() as u32).filter_map(|at| Some((RowIndex(at), self.row(RowIndex(at))?)))
    }

    /// Returns the imports of a file.
    pub fn imports(&self, file: FileIndex) -> &[ImportRecord<'static>] {
        let range = self.file(file).map(|file| file.imports.clone()).unwrap_or_default();
        self.imports.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Joints' names, in order.
    pub fn joints(&self, set: JointSet) -> &[Box<str>] {
        self.joint_sets.get(set.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Lists of joints' names there are.
    pub(super) fn joint_set_count(&self) -> usize {
        self.joint_sets.len()
    }

    /// Returns the classes of all entries, without duplicates.
    pub fn classes(&self) -> &[Arc<str>] {
        &self.classes
    }
}

impl CatalogBuilder {
    /// Adds a file. Paths come once each.
    pub fn add(&mut self, path: PathBuf, size: u64, modified: Option<SystemTime>, digest: u64, record: Record<'_>) {
        let (Ok(file), Ok(first)) = (u32::try_from(self.catalog.files.len()), u32::try_from(self.catalog.rows.len()))
        else {
            return;
        };
        let classes: Vec<u32> = record.classes.iter().map(|class| self.class(class)).collect();
        let sets: Vec<u32> = record.joint_sets.iter().map(|names| self.joint_set(names)).collect();
        let moved = |set: Option<JointSet>| set.and_then(|set| sets.get(set.0 as usize).copied()).map(JointSet);
        let own_name = name_text(&path).into_owned();
        for entry in &record.entries {
            let is_file = entry.id == EntryId::FILE.0;
            let (text, name_start) = if is_file { (&*own_name, 0) } else { (&*entry.path, entry.name_start) };
            // Four gigabytes of paths are more than any collection has.
            let (Ok(at), Ok(len)) = (u32::try_from(self.catalog.paths.len()), u32::try_from(text.len())) else { break };
            if at.checked_add(len).is_none() || u32::try_from(self.catalog.rows.len()).is_err() {
                break;
            }
            self.catalog.paths.push_str(text);
            self.catalog.letters.push(needle::of(text.get(name_start as usize..).unwrap_or_default()));
            self.catalog.rows.push(Stored {
                file,
                entry: entry.id,
                path: at,
                path_len: len,
                name_start: name_start.min(len),
                class: classes.get(entry.class as usize).copied().unwrap_or(0),
                role: entry.role,
                content: entry.content,
                size: entry.size,
                digest: entry.digest,
                about: match entry.about {
                    About::Model { joints, joint_count, vertices, triangles } => {
                        About::Model { joints: moved(joints), joint_count, vertices, triangles }
                    }
                    About::Clip { joints, joint_count, frames, rate_hz } => {
                        About::Clip { joints: moved(joints), joint_count, frames, rate_hz }
                    }
                    about => about,
                },
            });
        }
        let first_import = self.catalog.imports.len() as u32;
        self.catalog.imports.extend(record.imports.into_iter().map(ImportRecord::into_owned));
        self.catalog.by_path.insert(path.clone(), FileIndex(file));
        let format = self.format(&record.format);
        self.catalog.files.push(FileInfo {
            path,
            size,
            modified,
            digest,
            format,
            problem: record.problem.map(|problem| problem.into_owned()),
            rows: first..self.catalog.rows.len() as u32,
            imports: first_import..self.catalog.imports.len() as u32,
        });
    }

    /// Returns the finished catalog.
    pub fn finish(self) -> Catalog {
        self.catalog
    }

    fn class(&mut self, class: &str) -> u32 {
        if let Some(known) = self.classes.get(class) {
            return *known;
        }
        let (shared, number): (Arc<str>, _) = (class.into(), self.catalog.classes.len() as u32);
        self.catalog.classes.push(shared.clone());
        self.classes.insert(shared, number);
        number
    }

    fn joint_set(&mut self, names: &[std::borrow::Cow<'_, str>]) -> u32 {
        let names: Vec<Box<str>> = names.iter().map(|name| Box::from(&**name)).collect();
        if let Some(known) = self.joint_sets.get(&names) {
            return *known;
        }
        let number = self.catalog.joint_sets.len() as u32;
        self.catalog.joint_sets.push(names.clone());
        self.joint_sets.insert(names, number);
        number
    }

    fn format(&mut self, id: &str) -> Arc<str> {
        if let Some(known) = self.formats.get(id) {
            return known.clone();
        }
        let shared: Arc<str> = id.into();
        self.formats.insert(id.into(), shared.clone());
        shared
    }
}
