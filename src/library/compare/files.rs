//! The files of two folders or containers.

use super::state::{Counts, State, Tell};
use crate::{
    bytes::{Limits, Source, budget},
    files::text_of,
    formats::{
        self, ContainerDocument, Diagnostics, Document as _, EntryId, NO_OVERRIDES, NoFiles, OpenContext, caught,
        containers::holds_files as holds_members,
    },
    library::{
        OpenFile,
        collection::{absolute, sum, walk},
        open_path,
        reading::Pipes,
        shared_files::SharedFiles,
    },
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// A file of each of two folders, or of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    pub state: State,
    /// From the folder, with `/`, as [`crate::files::text_of`] writes it; leads into containers.
    pub left: Option<String>,
    pub right: Option<String>,
    /// Bytes.
    pub left_size: Option<u64>,
    pub right_size: Option<u64>,
}

/// Two folders or containers, file by file.
#[derive(Clone, Debug, Default)]
pub struct FilesComparison {
    /// By path.
    pub files: Vec<FilePair>,
    /// What could not be read, with why.
    pub troubles: Vec<(String, String)>,
    pub cancelled: bool,
}

impl FilesComparison {
    pub fn counts(&self) -> Counts {
        Counts::of(self.files.iter().map(|pair| pair.state))
    }
}

/// Whether what lies at a path is compared file by file: it is a folder, or a container of several files. Blocks: call it on a worker.
pub fn holds_files(path: &Path) -> bool {
    let several = |file: OpenFile| file.document.container().is_some_and(|container| container.wrapped().is_none());
    crate::files::is_dir(path) || open_path(path, Limits::default()).is_ok_and(several)
}

/// Holds the files of two folders or containers against each other. Where a container differs, the files in it are compared in its place.
/// Hidden files are left out. Blocks: call it on a worker.
///
/// # Errors
/// In a sentence with the path, when one of them cannot be read.
pub fn compare_files(
    left: &Path,
    right: &Path,
    tell: Tell<'_>,
    cancel: &AtomicBool,
) -> Result<FilesComparison, String> {
    let mut walk = Walk { found: FilesComparison::default(), unpacked: Unpacked::default(), tell, cancel };
    // What is unpacked at first is bounded by both sides together.
    let both = [left, right].map(|path| crate::files::metadata(path).map_or(0, |data| data.len()));
    walk.unpacked.begin(both);
    let of_left = walk.listed(left)?;
    let of_right = walk.listed(right)?;
    walk.compare("", of_left, of_right, 0);
    let mut found = walk.found;
    found.files.sort_by(|a, b| a.left.as_ref().or(a.right.as_ref()).cmp(&b.left.as_ref().or(b.right.as_ref())));
    found.cancelled = cancel.load(Ordering::Relaxed);
    Ok(found)
}

/// Files by path.
type Files = BTreeMap<String, File>;

/// A file of one side. What is unpacked is not kept.
struct File {
    /// Bytes.
    size: u64,
    kept: Kept,
}

enum Kept {
    OnDisk(PathBuf),
    /// Bytes that take no room of their own, or a container.
    Held(Source),
    /// The SHA-1 of what was unpacked.
    Sum([u8; 20]),
}

impl File {
    fn source(&self) -> Result<Option<Source>, String> {
        match &self.kept {
            Kept::OnDisk(path) => opened(path).map(Some),
            Kept::Held(source) => Ok(Some(source.clone())),
            Kept::Sum(_) => Ok(None),
        }
    }

    fn sum(&self) -> Result<[u8; 20], String> {
        match (&self.kept, self.source()?) {
            (Kept::Sum(known), _) => Ok(*known),
            (_, Some(source)) => sum(&source).map_err(Source::read_failed),
            (_, None) => Err("it cannot be read".to_owned()),
        }
    }

    fn is_equal(&self, other: &Self) -> Result<bool, String> {
        if self.size != other.size {
            return Ok(false);
        }
        match (self.source()?, other.source()?) {
            (Some(own), Some(other)) => Ok(own.is_equal(&other)),
            _ => Ok(self.sum()? == other.sum()?),
        }
    }
}

fn opened(path: &Path) -> Result<Source, String> {
    Ok(SharedFiles::shared().opened(path, Limits::default().file_bytes, Pipes::Refused)?)
}

/// Work that may still be done to unpack what is in one file of each side.
#[derive(Default)]
struct Unpacked {
    left: AtomicU64,
}

impl Unpacked {
    fn begin(&mut self, sizes: [u64; 2]) {
        let size = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
        self.left = Limits::default().members.work.of(size).into();
    }
}

struct Walk<'a> {
    found: FilesComparison,
    unpacked: Unpacked,
    tell: Tell<'a>,
    cancel: &'a AtomicBool,
}

impl Walk<'_> {
    fn listed(&mut self, path: &Path) -> Result<Files, String> {
        if !crate::files::is_dir(path) {
            let source = opened(path).map_err(|why| format!("{}: {why}", path.display()))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return self
                .members(&name, source)
                .ok_or_else(|| format!("{}: it is no folder and no container", path.display()));
        }
        let root = absolute(path);
        let walked = walk(std::slice::from_ref(&root));
        let troubles = walked.troubles.into_iter().map(|(path, why)| (text_of(&path).into_owned(), why));
        self.found.troubles.extend(troubles);
        let mut files = Files::new();
        for found in walked.files.into_values() {
            let inside = found.path.strip_prefix(&root).unwrap_or(&found.path);
            let parts: Vec<_> = inside.iter().map(|part| text_of(Path::new(part))).collect();
            files.insert(parts.join("/"), File { size: found.size, kept: Kept::OnDisk(found.path) });
        }
        Ok(files)
    }

    /// The files in a container, not those in containers in it; `None` for what is none.
    fn members(&mut self, name: &str, source: Source) -> Option<Files> {
        if !holds_members(&source, name) {
            return None;
        }
        let limits = Limits::default();
        let mut diagnostics = Diagnostics::new(0);
        let mut cx = OpenContext {
            file: name,
            resolver: Arc::new(NoFiles),
            diagnostics: &mut diagnostics,
            limits,
            overrides: &NO_OVERRIDES,
        };
        let document = caught(|| formats::open(source, &mut cx)).ok()?.ok()?;
        let container = document.container()?;
        let mut files = Files::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for entry in container.outline().entries().iter().filter(|entry| container.is_file(entry.id)) {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            let path = text_of(Path::new(&*entry.path())).into_owned();
            match self.member(container, entry.id, &entry.name) {
                Ok(file) => drop(files.insert(numbered(&mut seen, path), file)),
                Err(why) => self.found.troubles.push((format!("{name}/{path}"), why)),
            }
        }
        Some(files)
    }

    fn member(&mut self, container: &ContainerDocument, entry: EntryId, name: &str) -> Result<File, String> {
        let limits = Limits::default().members;
        let unpacked = budget::sharing(&self.unpacked.left, || container.unpack(entry, &limits, self.cancel));
        let source = unpacked.map_err(|trouble| trouble.message)?.source;
        let is_packed = container.is_packed(entry);
        let size = source.len() as u64;
        let kept = match !is_packed || holds_members(&source, name) {
            true => Kept::Held(source),
            false => Kept::Sum(sum(&source).map_err(Source::read_failed)?),
        };
        Ok(File { size, kept })
    }

    /// `above` goes before the paths; it is the path of the container that the files lie in, so deep in others.
    fn compare(&mut self, above: &str, left: Files, mut right: Files, depth: u32) {
        let mut gone: Vec<(String, File)> = Vec::new();
        let count = left.len();
        for (at, (path, own)) in left.into_iter().enumerate() {
            if self.cancel.load(Ordering::Relaxed) {
                return;
            }
            if depth == 0 {
                (self.tell)(at, count);
            }
            let Some(other) = right.remove(&path) else {
                gone.push((path, own));
                continue;
            };
            let whole = format!("{above}{path}");
            match own.is_equal(&other) {
                Ok(true) => self.found.push(State::Same, Some((&whole, &own)), Some((&whole, &other))),
                Ok(false) => match self.inside(&path, &own, &other, depth) {
                    Some((own, other)) => self.compare(&format!("{whole}/"), own, other, depth.saturating_add(1)),
                    None => self.found.push(State::Changed, Some((&whole, &own)), Some((&whole, &other))),
                },
                Err(why) => self.found.troubles.push((whole, why)),
            }
        }
        self.found.moved(above, gone, right, self.cancel);
    }

    /// What is in two files, where both are containers.
    fn inside(&mut self, path: &str, left: &File, right: &File, depth: u32) -> Option<(Files, Files)> {
        if depth >= Limits::default().members.depth {
            return None;
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let sizes = [left.size, right.size];
        let is_on_disk = matches!(left.kept, Kept::OnDisk(_)) || matches!(right.kept, Kept::OnDisk(_));
        let (left, right) = (left.source().ok()??, right.source().ok()??);
        // Both are asked before either is unpacked.
        if !holds_members(&left, name) || !holds_members(&right, name) {
            return None;
        }
        if is_on_disk {
            self.unpacked.begin(sizes);
        }
        let left = self.members(name, left)?;
        Some((left, self.members(name, right)?))
    }
}

/// The path of a file in a container; of several with one path, the later ones have numbers.
fn numbered(seen: &mut HashMap<String, usize>, path: String) -> String {
    let count = seen.entry(path.clone()).or_default();
    *count += 1;
    if *count == 1 { path } else { format!("{path} ({count})") }
}

impl FilesComparison {
    /// What is on one side alone: with the same bytes it moved.
    fn moved(&mut self, above: &str, gone: Vec<(String, File)>, mut added: Files, cancel: &AtomicBool) {
        let sizes: HashSet<u64> = gone.iter().map(|(_, file)| file.size).collect();
        let mut by_sum: HashMap<(u64, [u8; 20]), Vec<String>> = HashMap::new();
        // The first comes last, and is taken first.
        for (path, file) in added.iter().rev().filter(|(_, file)| file.size > 0 && sizes.contains(&file.size)) {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            match file.sum() {
                Ok(sum) => by_sum.entry((file.size, sum)).or_default().push(path.clone()),
                Err(why) => self.troubles.push((format!("{above}{path}"), why)),
            }
        }
        let known: HashSet<u64> = by_sum.keys().map(|(size, _)| *size).collect();
        for (path, own) in gone {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let sum = known.contains(&own.size).then(|| own.sum().ok()).flatten();
            let to = sum.and_then(|sum| by_sum.get_mut(&(own.size, sum))?.pop());
            let whole = format!("{above}{path}");
            match to.and_then(|to| added.remove_entry(&to)) {
                Some((to, other)) => {
                    self.push(State::Moved, Some((&whole, &own)), Some((&format!("{above}{to}"), &other)));
                }
                None => self.push(State::Gone, Some((&whole, &own)), None),
            }
        }
        for (path, file) in &added {
            self.push(State::Added, None, Some((&format!("{above}{path}"), file)));
        }
    }

    fn push(&mut self, state: State, left: Option<(&str, &File)>, right: Option<(&str, &File)>) {
        self.files.push(FilePair {
            state,
            left: left.map(|(path, _)| path.to_owned()),
            right: right.map(|(path, _)| path.to_owned()),
            left_size: left.map(|(_, file)| file.size),
            right_size: right.map(|(_, file)| file.size),
        });
    }
}
