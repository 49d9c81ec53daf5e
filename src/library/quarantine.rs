//! The files that Bonebox was reading when it ended: they are left alone until a person asks for them.
//!
//! Each process writes the files that it is reading to a journal of its own, which it keeps locked. The system frees the lock when the
//! process ends, however that happens. A journal that can be locked therefore belongs to a process that is gone: a file in it ended that
//! process, or was read at the same time. Such a journal stays as the record of these files until each was tried again or has changed.

use super::written_path;
use crate::files::{self as fs, File, try_lock};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

/// The problem of a file that is left alone. It follows the file's name.
pub const LEFT_ALONE: &str = "Bonebox ended while it was reading this file; it is left alone until you ask for it";

/// Maximum bytes of a journal that are read.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of journals that are read.
const MAX_JOURNALS: usize = 1_000;
/// Attempts to create a journal.
const ATTEMPTS: usize = 3;
/// The extension of a journal, and of one whose process is known to be gone.
const LIVE: &str = "journal";
const GONE: &str = "left-alone";

/// The files that are being read by this process, and those that are left alone.
#[derive(Default)]
pub struct Quarantine {
    /// `None` until [`Quarantine::start`], and if the journal cannot be written.
    journal: Mutex<Option<Journal>>,
    left_alone: Mutex<Vec<LeftAlone>>,
}

/// A file that is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftAlone {
    pub path: PathBuf,
    /// True if the process that was reading the file was not known to be gone before.
    pub is_new: bool,
    noted: Noted,
    journal: PathBuf,
}

/// A file in a journal, as it was when reading began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    /// A member of a container has the container's path with the member's behind it.
    #[serde(with = "written_path")]
    path: PathBuf,
    /// The size and time of the file on the disk.
    size: u64,
    modified: Option<SystemTime>,
}

/// The first line of a journal. The bytes behind it are left of an earlier, longer line.
#[derive(Serialize, Deserialize)]
struct Line<F> {
    files: Vec<F>,
}

/// The journal of this process.
struct Journal {
    path: PathBuf,
    file: File,
    reading: BTreeMap<u64, Noted>,
    next: u64,
}

/// A file is being read until this is dropped.
#[must_use]
pub struct Reading<'a> {
    quarantine: &'a Quarantine,
    id: Option<u64>,
}

impl Quarantine {
    /// The quarantine of this process.
    pub fn shared() -> &'static Self {
        static SHARED: Quarantine = Quarantine { journal: Mutex::new(None), left_alone: Mutex::new(Vec::new()) };
        &SHARED
    }

    /// Keeps a journal in a folder, and leaves alone the files in the journals of processes that are gone. Returns these files. If the
    /// folder cannot be written, no journal is kept.
    pub fn start(&self, folder: &Path) -> Vec<LeftAlone> {
        let listed = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_JOURNALS);
        let found: Vec<LeftAlone> = listed.flat_map(|entry| left_alone(&entry.path())).collect();
        let mut known = lock(&self.left_alone);
        known.retain(|other| !other.journal.starts_with(folder));
        known.extend_from_slice(&found);
        drop(known);
        let mut journal = lock(&self.journal);
        if journal.is_none() {
            *journal = Journal::create(folder)
                .inspect_err(|error| log::warn!("no journal is kept in {}: {error}", folder.display()))
                .ok();
        }
        found
    }

    /// Deletes the journal. Call it before the process ends: jobs that are stopped in this way end nothing.
    pub fn end(&self) {
        if let Some(journal) = lock(&self.journal).take() {
            drop(journal.file);
            let _ = fs::remove_file(&journal.path);
        }
    }

    /// Notes a file while it is read.
    pub fn reading(&self, path: &Path) -> Reading<'_> {
        Reading { quarantine: self, id: self.note(path) }
    }

    fn note(&self, path: &Path) -> Option<u64> {
        if lock(&self.journal).is_none() {
            return None;
        }
        let noted = Noted::of(path)?;
        let mut journal = lock(&self.journal);
        let kept = journal.as_mut()?;
        let id = kept.next;
        kept.next = id.wrapping_add(1);
        kept.reading.insert(id, noted);
        write(&mut journal);
        Some(id)
    }

    /// Whether a file, or the container that it is in, is left alone.
    pub fn leaves_alone(&self, path: &Path) -> bool {
        self.any(path, |kept, path| path.starts_with(kept))
    }

    /// Whether a file, the container that it is in, or one of its members is left alone.
    pub fn leaves_alone_within(&self, path: &Path) -> bool {
        self.any(path, are_related)
    }

    fn any(&self, path: &Path, is_about: impl Fn(&Path, &Path) -> bool) -> bool {
        let known = lock(&self.left_alone);
        if known.is_empty() {
            return false;
        }
        let path = absolute(path);
        known.iter().any(|left| is_about(&left.path, &path) && left.noted.is_unchanged())
    }

    /// Leaves a file, the container that it is in, and its members alone no more. Returns whether one of them was left alone.
    pub fn try_again(&self, path: &Path) -> bool {
        let mut known = lock(&self.left_alone);
        if known.is_empty() {
            return false;
        }
        let path = absolute(path);
        let (lifted, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut *known).into_iter().partition(|left| are_related(&left.path, &path));
        for left in &lifted {
            let others = kept.iter().filter(|other| other.journal == left.journal).map(|other| &other.noted);
            if let Err(error) = replace(&left.journal, &others.collect::<Vec<_>>()) {
                log::warn!("{} cannot be written: {error}", left.journal.display());
            }
        }
        *known = kept;
        !lifted.is_empty()
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let mut journal = lock(&self.quarantine.journal);
        if journal.as_mut().is_some_and(|kept| kept.reading.remove(&id).is_some()) {
            write(&mut journal);
        }
    }
}

impl Noted {
    /// Returns `None` if neither the path nor a part of it leads to a file on the disk.
    fn of(path: &Path) -> Option<Self> {
        let path = absolute(path);
        let on_disk = path.ancestors().find_map(|above| fs::metadata(above).ok())?;
        // Times before 1970 are not written.
        let modified = on_disk.modified().ok().filter(|time| *time >= UNIX_EPOCH);
        on_disk.is_file().then_some(Self { size: on_disk.len(), modified, path })
    }

    fn is_unchanged(&self) -> bool {
        Self::of(&self.path).is_some_and(|now| now == *self)
    }
}

impl Journal {
    fn create(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        for _ in 0..ATTEMPTS {
            let time = fs::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
            let path = folder.join(format!("{time}-{}.{LIVE}", fs::process_number()));
            let file = File::create_new(&path)?;
            // Until it is locked, another process may take it for one of a process that is gone.
            if try_lock(&file)? && fs::exists(&path) {
                return Ok(Self { path, file, reading: BTreeMap::new(), next: 0 });
            }
        }
        Err(io::Error::other("another program locks it"))
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(&line(&self.reading.values().collect::<Vec<_>>())?)
    }
}

/// Writes the journal, or stops keeping it if it cannot be written: an old line would be about files that are read no more.
fn write(kept: &mut MutexGuard<'_, Option<Journal>>) {
    let Some(Err(error)) = kept.as_mut().map(Journal::write) else { return };
    if let Some(journal) = kept.take() {
        log::warn!("the journal {} cannot be written: {error}", journal.path.display());
        let _ = fs::remove_file(&journal.path);
    }
}

/// The files in a journal that are to be left alone, which is empty for a journal of a process that runs. Keeps the journal if there are any.
fn left_alone(path: &Path) -> Vec<LeftAlone> {
    let is_new = path.extension().is_some_and(|extension| extension == LIVE);
    if !is_new && path.extension().is_none_or(|extension| extension != GONE) {
        return Vec::new();
    }
    // A pipe would be waited for.
    let opened = if fs::is_file(path) { File::open(path).ok() } else { None };
    let Some(file) = opened.filter(|file| !is_new || matches!(try_lock(file), Ok(true))) else { return Vec::new() };
    let noted = read(file);
    let mut files: Vec<Noted> = Vec::new();
    for noted in noted.iter().filter(|noted| noted.is_unchanged()) {
        if !files.contains(noted) {
            files.push(noted.clone());
        }
    }
    let journal = path.with_extension(GONE);
    if is_new || files.len() < noted.len() || files.is_empty() {
        match replace(&journal, &files.iter().collect::<Vec<_>>()) {
            Ok(()) if is_new => _ = fs::remove_file(path),
            Ok(()) => {}
            Err(error) => log::warn!("{} cannot be written: {error}", journal.display()),
        }
    }
    let left = |noted: Noted| LeftAlone { path: noted.path.clone(), is_new, noted, journal: journal.clone() };
    files.into_iter().map(left).collect()
}

/// Reads a journal. One that is damaged is empty.
fn read(file: File) -> Vec<Noted> {
    let mut line = Vec::new();
    let read = BufReader::new(file.take(MAX_BYTES)).read_until(b'\n', &mut line);
    read.ok().and_then(|_| serde_json::from_slice::<Line<Noted>>(&line).ok()).map(|line| line.files).unwrap_or_default()
}

/// Replaces the journal of a process that is gone, or deletes it if no file is left in it.
fn replace(path: &Path, files: &[&Noted]) -> io::Result<()> {
    if files.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    let part = path.with_extension(format!("{}.part", fs::process_number()));
    fs::write(&part, line(files)?).and_then(|()| fs::rename(&part, path)).inspect_err(|_| _ = fs::remove_file(&part))
}

fn line(files: &[&Noted]) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Line { files: files.to_vec() })?;
    line.push(b'\n');
    Ok(line)
}

/// Whether one path leads through the other.
fn are_related(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

fn absolute(path: &Path) -> PathBuf {
    fs::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder for journals, and files to read.
    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn journals(&self) -> PathBuf {
            self.0.path().join("reading")
        }

        fn file(&self, name: &str) -> PathBuf {
            let path = self.0.path().join(name);
            fs::write(&path, name).unwrap();
            path
        }

        fn start(&self) -> (Quarantine, Vec<LeftAlone>) {
            let quarantine = Quarantine::default();
            let found = quarantine.start(&self.journals());
            (quarantine, found)
        }

        /// A process ends while it reads some files.
        fn end_while_reading(&self, files: &[&PathBuf]) {
            let (process, _) = self.start();
            files.iter().for_each(|file| std::mem::forget(process.reading(file)));
        }

        /// The paths that a new process leaves alone, and which of them are new.
        fn found(&self) -> Vec<(PathBuf, bool)> {
            let (process, found) = self.start();
            process.end();
            let mut found: Vec<_> = found.into_iter().map(|left| (left.path, left.is_new)).collect();
            found.sort();
            found
        }

        /// The names of the journals.
        fn kept(&self) -> Vec<String> {
            let listed = fs::read_dir(self.journals()).unwrap();
            listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    #[test]
    fn a_file_that_was_read_when_a_process_ended_is_left_alone_until_it_is_tried_again() {
        let place = Place::new();
        let [read, bad, other] =
            ["a long name of a file that was read.psk", "bad.psk", "other.psk"].map(|n| place.file(n));
        let (process, found) = place.start();
        assert_eq!(found, []);
        // The line about two files is longer than the one that follows.
        let reading = process.reading(&read);
        std::mem::forget(process.reading(&bad));
        drop(reading);
        drop(process);
        assert_eq!(place.found(), [(bad.clone(), true)]);
        assert_eq!(place.found(), [(bad.clone(), false)], "it was named before");
        let (process, _) = place.start();
        assert!(process.leaves_alone(&bad) && !process.leaves_alone(&read) && !process.leaves_alone(&other));
        assert!(!process.try_again(&other) && process.try_again(&bad));
        assert!(!process.leaves_alone(&bad));
        process.end();
        assert_eq!(place.kept(), [""; 0]);
    }

    #[test]
    fn files_of_a_process_that_runs_are_not_left_alone() {
        let place = Place::new();
        let file = place.file("a.psk");
        let (running, _) = place.start();
        let reading = running.reading(&file);
        assert_eq!(place.found(), []);
        drop(reading);
        drop(running);
        assert_eq!((place.found(), place.kept()), (vec![], vec![]), "it was idle when it ended");
        let (running, _) = place.start();
        std::mem::forget(running.reading(&file));
        running.end();
        assert_eq!(place.found(), [], "it was closed");
    }

    #[test]
    fn each_file_is_tried_again_by_itself_and_only_as_it_was() {
        let place = Place::new();
        let [first, second, third] = ["first", "second", "third"].map(|name| place.file(name));
        place.end_while_reading(&[&first, &second, &second, &third]);
        let (process, found) = place.start();
        assert_eq!(found.len(), 3);
        assert!(process.try_again(&first));
        fs::write(&second, "it is another file now").unwrap();
        assert!(!process.leaves_alone(&second));
        process.end();
        assert_eq!(place.found(), [(third.clone(), false)]);
        fs::remove_file(&third).unwrap();
        assert_eq!((place.found(), place.kept()), (vec![], vec![]));
    }

    #[test]
    fn a_member_of_a_container_is_left_alone_without_its_siblings() {
        let place = Place::new();
        let [container, whole] = ["a.zip", "b.zip"].map(|name| place.file(name));
        place.end_while_reading(&[&container.join("Maps/a.unr"), &whole]);
        let (process, _) = place.start();
        assert!(process.leaves_alone(&container.join("Maps/a.unr")) && process.leaves_alone(&whole.join("Maps/a.unr")));
        assert!(!process.leaves_alone(&container) && !process.leaves_alone(&container.join("Maps/b.unr")));
        // To index a container is to read all of its members.
        assert!(process.leaves_alone_within(&container) && process.leaves_alone_within(&whole));
        assert!(process.try_again(&container));
        assert!(!process.leaves_alone(&container.join("Maps/a.unr")));
    }

    #[test]
    fn damaged_journals_leave_nothing_alone_and_are_deleted() {
        let place = Place::new();
        place.end_while_reading(&[&place.file("a.psk")]);
        let name = place.kept().remove(0);
        let journal = place.journals().join(&name);
        let whole = fs::read(&journal).unwrap();
        fs::write(place.journals().join("stranger.txt"), &whole).unwrap();
        let zeros = vec![0; 1 << 20];
        let garbage: Vec<u8> = (0..1_u32 << 20).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for bytes in [&[][..], b"\n", b"{\"files\":[{}]}\n", &whole[..whole.len() / 2], &zeros, &garbage] {
            fs::write(&journal, bytes).unwrap();
            assert_eq!((place.found(), place.kept()), (vec![], vec!["stranger.txt".to_owned()]));
        }
        fs::write(&journal, [&vec![b' '; 1 << 20], &*whole].concat()).unwrap();
        assert_eq!(place.found(), [], "it is too long");
        fs::write(&journal, whole).unwrap();
        assert_eq!(place.found().len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_unicode_are_kept_and_pipes_are_not() {
        use std::os::unix::ffi::OsStrExt as _;
        let place = Place::new();
        let file = place.0.path().join(std::ffi::OsStr::from_bytes(b"\xff.psk"));
        fs::write(&file, "x").unwrap();
        let pipe = place.0.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        place.end_while_reading(&[&file, &pipe]);
        let pipe = place.journals().join("pipe.journal");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(place.found(), [(file, true)]);
    }

    #[test]
    fn without_a_journal_nothing_is_noted() {
        let place = Place::new();
        let file = place.file("a.psk");
        let idle = Quarantine::default();
        drop(idle.reading(&file));
        // A file is in the place of the folder.
        let process = Quarantine::default();
        assert_eq!(process.start(&file), []);
        drop(process.reading(&file));
        assert_eq!(fs::read_to_string(&file).unwrap(), "a.psk");
    }
}
