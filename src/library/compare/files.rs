//! The files of two folders or containers.

use super::state::{Counts, State, Tell};
use crate::{
    bytes::{Cancel, Limits, Source, budget},
    files::text_of,
    formats::{
        self, ContainerDocument, Diagnostics, Document as _, EntryId, NO_OVERRIDES, NoFiles, OpenContext, caught,
        containers::holds_files as holds_members,
    },
    library::{
        OpenFile, OpenOptions,
        collection::{absolute, sum, walk},
        reading::Pipes,
        shared_files::SharedFiles,
    },
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

/// A file of each of two folders, or of one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePair {
    /// The result of the comparison.
    pub state: State,
    /// From the folder, with `/`, as [`crate::files::text_of`] writes it; leads into containers.
    pub left: Option<String>,
    /// The path on the right, like `left`; `None` if the file is missing.
    pub right: Option<String>,
    /// Size of the left file in bytes; `None` if the file is missing.
    pub left_size: Option<u64>,
    /// Size of the right file in bytes; `None` if the file is missing.
    pub right_size: Option<u64>,
}

/// Two folders or containers, file by file.
#[derive(Clone, Debug, Default)]
pub struct FilesComparison {
    /// By path.
    pub files: Vec<FilePair>,
    /// What could not be read, with why.
    pub troubles: Vec<(String, String)>,
    /// True if the comparison was cancelled and files are missing.
    pub cancelled: bool,
}

impl FilesComparison {
    /// Counts the files by state.
    pub fn counts(&self) -> Counts {
        Counts::of(self.files.iter().map(|pair| pair.state))
    }
}

/// Whether what lies at a path is compared file by file: it is a folder, or a container of several files. Blocks: call it on a worker.
pub fn holds_files(path: &Path) -> bool {
    let several = |file: OpenFile| file.document.container().is_some_and(|container| container.wrapped().is_none());
    crate::files::is_dir(path) || OpenOptions::new().open(path).is_ok_and(several)
}

/// Holds the files of two folders or containers against each other. Where a container differs, the files in it are compared in its place.
/// Hidden files are left out. Blocks: call it on a worker.
///
/// # Errors
/// In a sentence with the path, when one of them cannot be read.
pub fn compare_files(left: &Path, right: &Path, tell: Tell<'_>, cancel: &Cancel) -> Result<FilesComparison, String> {
    let mut walk = Walk { found: FilesComparison::default(), unpacked: Unpacked::default(), tell, cancel };
    // What is unpacked at first is bounded by both sides together.
    let both = [left, right].map(|path| crate::files::metadata(path).map_or(0, |data| data.len()));
    walk.unpacked.begin(both);
    let of_left = walk.listed(left)?;
    let of_right = walk.listed(right)?;
    walk.compare("", of_left, of_right, 0);
    let mut found = walk.found;
    found.files.sort_by(|a, b| a.left.as_ref().or(a.right.as_ref()).cmp(&b.left.as_ref().or(b.right.as_ref())));
    found.cancelled = cancel.is_cancelled();
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

    fn sum(&self, work: &AtomicU64) -> Result<[u8; 20], String> {
        let sum = match &self.kept {
            // Files on the disk are read once. Members may overlap.
            Kept::OnDisk(path) => sum(&opened(path)?),
            Kept::Held(source) => budget::sharing(work, || sum(source)),
            Kept::Sum(known) => Ok(*known),
        };
        sum.map_err(Source::read_failed)
    }

    fn is_equal(&self, other: &Self, work: &AtomicU64) -> Result<bool, String> {
        if self.size != other.size {
            return Ok(false);
        }
        let (Some(own), Some(others)) = (self.source()?, other.source()?) else {
            return Ok(self.sum(work)? == other.sum(work)?);
        };
        let is_member = [self, other].iter().any(|file| matches!(file.kept, Kept::Held(_)));
        if is_member && !budget::sharing(work, || budget::charge_work(self.size)) {
            return Err(budget::Exceeded::Work.message().to_owned());
        }
        Ok(own.is_equal(&others))
    }
}

fn opened(path: &Path) -> Result<Source, String> {
    Ok(SharedFiles::shared().opened(path, Limits::default().file_bytes, Pipes::Refused)?)
}

/// The work and memory left for the members of one file of each side.
#[derive(Default)]
struct Unpacked {
    work: AtomicU64,
    /// Bytes of unpacked containers that may still be held.
    bytes: u64,
}

impl Unpacked {
    fn begin(&mut self, sizes: [u64; 2]) {
        let size = sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
        let limits = Limits::default().members;
        (self.work, self.bytes) = (limits.work.of(size).into(), limits.held.of(size));
    }

    /// Takes memory for a container. Returns `false` if too little is left.
    fn hold(&mut self, size: u64) -> bool {
        let left = self.bytes.checked_sub(size);
        self.bytes = left.unwrap_or(self.bytes);
        left.is_some()
    }
}

struct Walk<'a> {
    found: FilesComparison,
    unpacked: Unpacked,
    tell: Tell<'a>,
    cancel: &'a Cancel,
}

impl Walk<'_> {
    fn listed(&mut self, path: &Path) -> Result<Files, String> {
        if !crate::files::is_dir(path) {
            let source = opened(path).map_err(|why| format!("{}: {why}", path.display()))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return self.members(&name, source).ok_or_else(|| format!("{}: not a folder or container", path.display()));
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
        let opened = budget::sharing(&self.unpacked.work, || caught(|| formats::open(source, &mut cx)));
        let document = opened.ok()?.ok()?;
        let container = document.container()?;
        let mut files = Files::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for entry in container.base().outline.entries().iter().filter(|entry| container.is_file(entry.id)) {
            if self.cancel.is_cancelled() {
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
        let unpacked = budget::sharing(&self.unpacked.work, || container.unpack(entry, &limits, self.cancel));
        let source = unpacked.map_err(|trouble| trouble.message)?.source;
        let is_packed = container.is_packed(entry);
        let size = source.len() as u64;
        if !is_packed || holds_members(&source, name) && self.unpacked.hold(size) {
            return Ok(File { size, kept: Kept::Held(source) });
        }
        let kept = budget::sharing(&self.unpacked.work, || sum(&source)).map(Kept::Sum);
        Ok(File { size, kept: kept.map_err(Source::read_failed)? })
    }

    /// `above` goes before the paths; it is the path of the container that the files lie in, so deep in others.
    fn compare(&mut self, above: &str, left: Files, mut right: Files, depth: u32) {
        let mut gone: Vec<(String, File)> = Vec::new();
        let count = left.len();
        for (at, (path, own)) in left.into_iter().enumerate() {
            if self.cancel.is_cancelled() {
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
            match own.is_equal(&other, &self.unpacked.work) {
                Ok(true) => self.found.push(State::Same, Some((&whole, &own)), Some((&whole, &other))),
                Ok(false) => match self.inside(&path, &own, &other, depth) {
                    Some((own, other)) => self.compare(&format!("{whole}/"), own, other, depth.saturating_add(1)),
                    None => self.found.push(State::Changed, Some((&whole, &own)), Some((&whole, &other))),
                },
                Err(why) => self.found.troubles.push((whole, why)),
            }
        }
        self.found.moved(above, gone, right, &self.unpacked.work, self.cancel);
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
    fn moved(&mut self, above: &str, gone: Vec<(String, File)>, mut added: Files, work: &AtomicU64, cancel: &Cancel) {
        let sizes: HashSet<u64> = gone.iter().map(|(_, file)| file.size).collect();
        let mut by_sum: HashMap<(u64, [u8; 20]), Vec<String>> = HashMap::new();
        // The first comes last, and is taken first.
        for (path, file) in added.iter().rev().filter(|(_, file)| file.size > 0 && sizes.contains(&file.size)) {
            if cancel.is_cancelled() {
                return;
            }
            match file.sum(work) {
                Ok(sum) => by_sum.entry((file.size, sum)).or_default().push(path.clone()),
                Err(why) => self.troubles.push((format!("{above}{path}"), why)),
            }
        }
        let known: HashSet<u64> = by_sum.keys().map(|(size, _)| *size).collect();
        for (path, own) in gone {
            if cancel.is_cancelled() {
                return;
            }
            let whole = format!("{above}{path}");
            let sum = known.contains(&own.size).then(|| own.sum(work)).transpose();
            let sum = sum.unwrap_or_else(|why| {
                self.troubles.push((whole.clone(), why));
                None
            });
            let to = sum.and_then(|sum| by_sum.get_mut(&(own.size, sum))?.pop());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::encode::umod;

    /// An installer with so many members that share all of its bytes.
    fn overlapping(prefix: &str, count: usize, size: usize) -> Vec<u8> {
        let content = vec![7; size];
        let names: Vec<String> = (0..count).map(|number| format!("{prefix}{number:05}.bin")).collect();
        let members: Vec<(&str, &[u8], u32)> = names.iter().map(|name| (&**name, &[][..], 0)).collect();
        let mut bytes = umod(&[&[("whole.bin", &*content, 1)][..], &*members].concat());
        let empty = [(size as u32).to_le_bytes(), [0; 4]].concat();
        let whole = [[0; 4], (size as u32).to_le_bytes()].concat();
        let mut at = size;
        while let Some(found) = bytes[at..].windows(8).position(|number| number == empty) {
            at += found;
            bytes[at..at + 8].copy_from_slice(&whole);
            at += 8;
        }
        bytes
    }

    fn compared(left: &[u8], right: &[u8]) -> FilesComparison {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first.umod", "second.umod"].map(|name| folder.path().join(name));
        std::fs::write(&first, left).unwrap();
        std::fs::write(&second, right).unwrap();
        compare_files(&first, &second, &|_, _| {}, Cancel::never()).unwrap()
    }

    #[test]
    fn members_that_share_bytes_are_compared_until_the_work_is_spent() {
        let (count, size) = (6_000, 400 << 10);
        let few = compared(&overlapping("a", 10, size), &overlapping("a", 10, size));
        assert_eq!((few.counts().same, few.troubles.len()), (11, 0));
        let is_spent = |why: &str| why.contains(budget::Exceeded::Work.message());
        let by_name = compared(&overlapping("a", count, size), &overlapping("a", count, size));
        assert!(by_name.counts().same > 1_000 && !by_name.troubles.is_empty());
        assert_eq!(by_name.files.len() + by_name.troubles.len(), count + 1);
        assert!(by_name.troubles.iter().all(|(_, why)| is_spent(why)), "{:?}", by_name.troubles[0]);
        let by_sum = compared(&overlapping("a", count, size), &overlapping("b", count, size));
        assert!(by_sum.counts().same == 1 && !by_sum.troubles.is_empty());
        assert!(by_sum.troubles.iter().all(|(_, why)| is_spent(why)), "{:?}", by_sum.troubles[0]);
    }

    #[test]
    fn no_more_unpacked_containers_are_held_than_are_allowed() {
        let mut unpacked = Unpacked::default();
        unpacked.begin([1_000, 24]);
        let most = Limits::default().members.held.of(1_024);
        assert!(!unpacked.hold(most + 1) && unpacked.hold(most) && !unpacked.hold(1));
    }
}
