//! A record of the files that Bonebox was reading when it ended, and of those that are left alone until a person opens them.
//!
//! Each process writes the files that it is reading to a journal of its own, which it keeps locked. The system frees the lock when the
//! process ends, however that happens. A journal that can be locked therefore belongs to a process that is gone. Its files are suspects:
//! one of them may have ended that process, or a person did. Suspects are read again, one after another. A suspect that is being read
//! when a second process ends is left alone. One that was read by a process that is closed properly is no longer a suspect.

use super::{stamp::absolute, written_path};
use crate::files::{self as fs, File, try_lock};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

/// The problem of a file that is left alone. It follows the file's name.
pub const LEFT_ALONE: &str = "Bonebox crashed or was closed while reading this file. Open it to try again";

/// Maximum bytes of a journal that are read.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of journals that are read.
const MAX_JOURNALS: usize = 1_000;
/// Attempts to create a journal.
const ATTEMPTS: usize = 3;
/// The extension of a journal of a running process.
const LIVE: &str = "journal";
/// The extension of a journal whose process is known to be gone.
const GONE: &str = "left-alone";

/// The files that are being read by this process, and those that earlier processes were reading when they ended.
#[derive(Default)]
pub struct Quarantine {
    /// `None` until [`Quarantine::start`], and if the journal cannot be written.
    journal: Mutex<Option<Journal>>,
    records: Mutex<Vec<Record>>,
    /// Held while a job reads a suspect.
    turn: Mutex<()>,
}

/// A file that is left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftAlone {
    /// Path of the file.
    pub path: PathBuf,
    /// True if the process that was reading the file was not known to be gone before.
    pub is_new: bool,
}

/// A file that a process was reading when it ended, and the journal that contains it.
#[derive(Clone)]
struct Record {
    noted: Noted,
    journal: PathBuf,
    is_new: bool,
}

/// A file in a journal, as it was when reading began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// The path of the file. For a member of a container, the container's path followed by the member's.
    #[serde(with = "written_path")]
    path: PathBuf,
    /// The size and time of the file on the disk.
    size: u64,
    modified: Option<SystemTime>,
    /// True if an earlier process ended while it was reading the file. The file is left alone if this process ends in the same way.
    #[serde(default)]
    was_suspect: bool,
}

/// The first line of a journal. The bytes after it remain from an earlier, longer line.
#[derive(Serialize, Deserialize)]
struct Line<F> {
    files: Vec<F>,
}

/// The journal of this process.
struct Journal {
    path: PathBuf,
    file: File,
    reading: BTreeMap<u64, Noted>,
    /// Suspects that were read.
    cleared: BTreeSet<PathBuf>,
    next: u64,
}

/// A note that a file is being read, until this is dropped.
#[must_use]
pub struct Reading<'a> {
    quarantine: &'a Quarantine,
    id: Option<u64>,
    _turn: Option<MutexGuard<'a, ()>>,
}

impl Quarantine {
    /// Returns the quarantine of this process.
    pub fn shared() -> &'static Self {
        static SHARED: Quarantine =
            Quarantine { journal: Mutex::new(None), records: Mutex::new(Vec::new()), turn: Mutex::new(()) };
        &SHARED
    }

    /// Keeps a journal in a folder, and reads the journals of processes that are gone. Returns the files that are left alone. If the
    /// folder cannot be written, no journal is kept.
    pub fn start(&self, folder: &Path) -> Vec<LeftAlone> {
        let listed = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_JOURNALS);
        let found: Vec<Record> = listed.flat_map(|entry| records(&entry.path())).collect();
        let mut known = lock(&self.records);
        known.retain(|other| !other.journal.starts_with(folder));
        known.extend_from_slice(&found);
        drop(known);
        let mut journal = lock(&self.journal);
        if journal.is_none() {
            *journal = Journal::create(folder)
                .inspect_err(|error| log::warn!("cannot create a journal in {}: {error}", folder.display()))
                .ok();
        }
        drop(journal);
        let left_alone = found.into_iter().filter(|Record { noted, .. }| noted.was_suspect && noted.is_unchanged());
        left_alone.map(|Record { noted, is_new, .. }| LeftAlone { path: noted.path, is_new }).collect()
    }

    /// Deletes the journal, and the records of the suspects that were read. Call it before the process ends: jobs that are stopped in
    /// this way end nothing.
    pub fn end(&self) {
        let Some(journal) = lock(&self.journal).take() else { return };
        // Still locked: another process would take the journal for one of a process that is gone.
        let _ = fs::remove_file(&journal.path);
        self.remove(|noted| !noted.was_suspect && journal.cleared.contains(&noted.path));
    }

    /// Notes a file while it is read.
    pub fn reading(&self, path: &Path) -> Reading<'_> {
        self.reading_noted(self.about(path))
    }

    /// Notes a file that was examined before.
    pub fn reading_noted(&self, noted: Option<Noted>) -> Reading<'_> {
        Reading { quarantine: self, id: noted.and_then(|noted| self.note(noted)), _turn: None }
    }

    /// Examines a file for [`Quarantine::reading_noted`]. Returns `None` if no journal is kept.
    pub fn about(&self, path: &Path) -> Option<Noted> {
        let is_kept = lock(&self.journal).is_some();
        if is_kept { Noted::of(path) } else { None }
    }

    /// Notes a file while a job reads it. Suspects wait for each other, so that only one of them is being read if the process ends. Call
    /// it where no lock is held and no other file is noted.
    pub fn reading_in_turn(&self, path: &Path) -> Reading<'_> {
        let turn = self.is_suspect(path).then(|| lock(&self.turn));
        Reading { _turn: turn, id: self.about(path).and_then(|noted| self.note(noted)), quarantine: self }
    }

    fn note(&self, noted: Noted) -> Option<u64> {
        let noted = Noted { was_suspect: self.is_suspect(&noted.path), ..noted };
        let mut journal = lock(&self.journal);
        let kept = journal.as_mut()?;
        let id = kept.next;
        kept.next = id.wrapping_add(1);
        kept.reading.insert(id, noted);
        write(&mut journal);
        Some(id)
    }

    /// Returns true if a file is being read.
    #[cfg(test)]
    pub fn is_reading(&self, path: &Path) -> bool {
        lock(&self.journal).as_ref().is_some_and(|kept| kept.reading.values().any(|noted| noted.path == path))
    }

    /// Returns true if an earlier process ended while it read a file, its container, or one of its members.
    fn is_suspect(&self, path: &Path) -> bool {
        self.any(path, |noted, path| are_related(&noted.path, path))
    }

    /// Returns true if a file, or its container, is in quarantine.
    pub fn leaves_alone(&self, path: &Path) -> bool {
        self.any(path, |noted, path| noted.was_suspect && path.starts_with(&noted.path))
    }

    /// Returns true if a file, its container, or one of its members is in quarantine.
    pub fn leaves_alone_within(&self, path: &Path) -> bool {
        self.any(path, |noted, path| noted.was_suspect && are_related(&noted.path, path))
    }

    fn any(&self, path: &Path, is_about: impl Fn(&Noted, &Path) -> bool) -> bool {
        if lock(&self.records).is_empty() {
            return false;
        }
        let path = absolute(path);
        let noted = lock(&self.records)
            .iter()
            .map(|record| &record.noted)
            .filter(|noted| is_about(noted, &path))
            .cloned()
            .collect::<Vec<_>>();
        // The lock is free here: a drive may take long to answer.
        noted.iter().any(Noted::is_unchanged)
    }

    /// Makes suspects of a file, the container that it is in, and its members if they are left alone. Returns whether one of them was.
    pub fn try_again(&self, path: &Path) -> bool {
        let path = absolute(path);
        self.remove(|noted| noted.was_suspect && are_related(&noted.path, &path))
    }

    /// Removes records from memory and from the disk. Returns whether there were any.
    fn remove(&self, is_removed: impl Fn(&Noted) -> bool) -> bool {
        let mut known = lock(&self.records);
        let (removed, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut *known).into_iter().partition(|record| is_removed(&record.noted));
        *known = kept;
        drop(known);
        let journals: BTreeSet<&PathBuf> = removed.iter().map(|record| &record.journal).collect();
        for journal in journals {
            // Another process may have removed records meanwhile.
            let Ok(file) = File::open(journal) else { continue };
            let others: Vec<Noted> = read(file).into_iter().filter(|noted| !is_removed(noted)).collect();
            if let Err(error) = replace(journal, &others) {
                log::warn!("cannot write {}: {error}", journal.display());
            }
        }
        !removed.is_empty()
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let mut journal = lock(&self.quarantine.journal);
        let Some(kept) = journal.as_mut() else { return };
        let Some(noted) = kept.reading.remove(&id) else { return };
        if noted.was_suspect {
            kept.cleared.insert(noted.path);
        }
        write(&mut journal);
    }
}

impl Noted {
    /// Returns `None` if neither the path nor a part of it leads to a file on the disk.
    fn of(path: &Path) -> Option<Self> {
        let path = absolute(path);
        let on_disk = path.ancestors().find_map(|above| fs::metadata(above).ok())?;
        // Times before 1970 are not written.
        let modified = on_disk.modified().ok().filter(|time| *time >= UNIX_EPOCH);
        on_disk.is_file().then_some(Self { size: on_disk.len(), modified, path, was_suspect: false })
    }

    fn is_unchanged(&self) -> bool {
        self.has_changed() == Some(false)
    }

    /// Whether the file has another size or time. Returns `None` if it is missing: its drive may come back.
    fn has_changed(&self) -> Option<bool> {
        let now = Self::of(&self.path)?;
        Some((now.size, now.modified) != (self.size, self.modified))
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
                return Ok(Self { path, file, reading: BTreeMap::new(), cleared: BTreeSet::new(), next: 0 });
            }
        }
        Err(io::Error::other("locked by another program"))
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(&line(&self.reading.values().collect::<Vec<_>>())?)
    }
}

/// Writes the journal. Deletes it if it cannot be written: an old line would contain files that are no longer being read.
fn write(kept: &mut MutexGuard<'_, Option<Journal>>) {
    let Some(Err(error)) = kept.as_mut().map(Journal::write) else { return };
    if let Some(journal) = kept.take() {
        log::warn!("cannot write the journal {}: {error}", journal.path.display());
        let _ = fs::remove_file(&journal.path);
    }
}

/// Reads the records of a journal, which are empty for a process that runs. Keeps the journal if there are any.
fn records(path: &Path) -> Vec<Record> {
    let is_new = path.extension().is_some_and(|extension| extension == LIVE);
    if !is_new && path.extension().is_none_or(|extension| extension != GONE) {
        return Vec::new();
    }
    // Opening a pipe would wait for its writer.
    let opened = if fs::is_file(path) { File::open(path).ok() } else { None };
    let Some(file) = opened.filter(|file| !is_new || matches!(try_lock(file), Ok(true))) else { return Vec::new() };
    let noted = read(file);
    let mut files: Vec<Noted> = Vec::new();
    for noted in noted.iter().filter(|noted| noted.has_changed() != Some(true)) {
        if !files.contains(noted) {
            files.push(noted.clone());
        }
    }
    let journal = path.with_extension(GONE);
    if is_new || files.len() < noted.len() || files.is_empty() {
        match replace(&journal, &files) {
            Ok(()) if is_new => _ = fs::remove_file(path),
            Ok(()) => {}
            Err(error) => log::warn!("cannot write {}: {error}", journal.display()),
        }
    }
    files.into_iter().map(|noted| Record { noted, journal: journal.clone(), is_new }).collect()
}

/// Reads a journal. A damaged one is empty.
fn read(file: File) -> Vec<Noted> {
    let mut line = Vec::new();
    let read = BufReader::new(file.take(MAX_BYTES)).read_until(b'\n', &mut line);
    read.ok().and_then(|_| serde_json::from_slice::<Line<Noted>>(&line).ok()).map(|line| line.files).unwrap_or_default()
}

/// Replaces the journal of a process that is gone, or deletes it if no file is left in it.
fn replace(path: &Path, files: &[Noted]) -> io::Result<()> {
    if files.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    let part = path.with_extension(format!("{}.part", fs::process_number()));
    fs::write(&part, line(&files.iter().collect::<Vec<_>>())?)
        .and_then(|()| fs::rename(&part, path))
        .inspect_err(|_| _ = fs::remove_file(&part))
}

fn line(files: &[&Noted]) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(&Line { files: files.to_vec() })?;
    line.push(b'\n');
    Ok(line)
}

/// Returns true if one path equals the other or is inside it.
fn are_related(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
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

        /// Two processes end while they read some files.
        fn leave_alone(&self, files: &[&PathBuf]) {
            (0..2).for_each(|_| self.end_while_reading(files));
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
    fn a_file_that_was_read_when_two_processes_ended_is_left_alone_until_it_is_tried_again() {
        let place = Place::new();
        let [read, bad, other] =
            ["a long name of a file that was read.psk", "bad.psk", "other.psk"].map(|n| place.file(n));
        let end = || {
            let (process, found) = place.start();
            assert!(found.is_empty() && !process.leaves_alone(&bad));
            // The line about two files is longer than the one that follows.
            let reading = process.reading(&read);
            std::mem::forget(process.reading(&bad));
            drop(reading);
        };
        (0..2).for_each(|_| end());
        assert_eq!(place.found(), [(bad.clone(), true)]);
        assert_eq!(place.found(), [(bad.clone(), false)], "it was named before");
        let (process, _) = place.start();
        assert!(process.leaves_alone(&bad) && !process.leaves_alone(&read) && !process.leaves_alone(&other));
        assert!(!process.try_again(&other) && process.try_again(&bad));
        assert!(!process.leaves_alone(&bad) && !process.try_again(&bad));
        std::mem::forget(process.reading(&bad));
        drop(process);
        assert_eq!(place.found(), [(bad.clone(), true)], "it stays a suspect");
        let (process, _) = place.start();
        assert!(process.try_again(&bad));
        drop(process.reading(&bad));
        process.end();
        assert_eq!(place.kept(), [""; 0]);
    }

    #[test]
    fn suspects_are_read_one_after_another_and_cleared_when_the_process_is_closed() {
        let place = Place::new();
        let [first, second, other] = ["first", "second", "other"].map(|name| place.file(name));
        place.end_while_reading(&[&first, &second]);
        let (process, found) = place.start();
        assert_eq!(found, []);
        let reading = process.reading_in_turn(&first);
        // A part of the job notes the same file, and other jobs read other files.
        drop(process.reading(&first));
        drop(process.reading_in_turn(&other));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| drop(process.reading_in_turn(&second)));
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert!(!waiting.is_finished());
            drop(reading);
        });
        process.end();
        assert_eq!(place.kept(), [""; 0], "both were read to their end");
        place.end_while_reading(&[&first]);
        assert_eq!(place.found(), [], "it is a suspect again");
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
        for _ in 0..3 {
            let (running, _) = place.start();
            std::mem::forget(running.reading(&file));
            running.end();
        }
        assert_eq!((place.found(), place.kept()), (vec![], vec![]), "it was closed");
    }

    #[test]
    fn each_file_is_tried_again_by_itself_and_only_as_it_was() {
        let place = Place::new();
        let drive = place.0.path().join("drive");
        fs::create_dir(&drive).unwrap();
        let [first, second, third] = ["first", "second", "drive/third"].map(|name| place.file(name));
        place.leave_alone(&[&first, &second, &second, &third]);
        let ((process, found), (another, _)) = (place.start(), place.start());
        assert_eq!(found.len(), 3);
        assert!(process.try_again(&first));
        // The other process still has the first file in memory, and does not write it again.
        assert!(another.try_again(&second));
        drop(process.reading(&first));
        drop(another.reading(&second));
        process.end();
        another.end();
        assert_eq!(place.found(), [(third.clone(), false)]);
        let away = place.0.path().join("away");
        fs::rename(&drive, &away).unwrap();
        assert_eq!(place.found(), [], "its drive is not mounted");
        fs::rename(&away, &drive).unwrap();
        let (process, found) = place.start();
        assert_eq!(found.len(), 1);
        fs::write(&third, "it is another file now").unwrap();
        assert!(!process.leaves_alone(&third));
        process.end();
        assert_eq!((place.found(), place.kept()), (vec![], vec![]));
    }

    #[test]
    fn a_member_of_a_container_is_left_alone_without_its_siblings() {
        let place = Place::new();
        let [container, whole] = ["a.zip", "b.zip"].map(|name| place.file(name));
        place.leave_alone(&[&container.join("Maps/a.unr"), &whole]);
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
        let file = place.file("a.psk");
        place.leave_alone(&[&file]);
        assert_eq!(place.found(), [(file, true)]);
        let kept =
            place.kept().into_iter().map(|name| (fs::read_to_string(place.journals().join(&name)).unwrap(), name));
        let (left, suspects): (Vec<_>, Vec<_>) = kept.partition(|(text, _)| text.contains("true"));
        assert_eq!((left.len(), suspects.len()), (1, 1));
        fs::remove_file(place.journals().join(&suspects[0].1)).unwrap();
        let gone = place.journals().join(&left[0].1);
        let journal = gone.with_extension(LIVE);
        fs::rename(&gone, &journal).unwrap();
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
        place.leave_alone(&[&file, &pipe]);
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
