//! Unfinished files. A file that is being written has a temporary name, and is locked as long as its program needs it. Later exports remove
//! the files that killed programs left.

use crate::files::{self as fs, DirEntry, File, OpenOptions};
use std::{
    collections::HashSet,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// Maximum number of names that are tried for one file.
const MAX_TRIES: usize = 100;
/// Maximum number of characters of the file's own name in its temporary name.
const MAX_NAME: usize = 40;
/// Maximum number of finished files that stay open for their locks. These locks also protect the other files of the program from
/// [`clear_abandoned`].
const MAX_LOCKED: u32 = 32;
/// The end of a temporary name.
const ENDING: &str = ".part";
/// The end of a name that another program writes to. It follows [`ENDING`].
const NAMED: &str = ".data";

static LOCKED: AtomicU32 = AtomicU32::new(0);

/// An unfinished file, which is removed when this is dropped.
pub(super) struct Part {
    path: PathBuf,
    /// The open file, which is locked until it gets its name.
    lock: Option<File>,
}

impl Part {
    /// Creates an empty file next to `target`, and locks it.
    pub fn create(target: &Path) -> io::Result<(Self, File)> {
        for _ in 0..MAX_TRIES {
            let path = temporary_name(target)?;
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                // A killed program with the same number left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let part = Self { path, lock: None };
            // Another program may have locked it first, to remove it.
            let is_lost = matches!(fs::try_lock(&file), Ok(false));
            if !is_lost && fs::symlink_metadata(&part.path).is_ok() {
                return Ok((part, file));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a name next to the file for another program to write to.
    pub fn named(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(NAMED);
        name.into()
    }

    /// Keeps the lock until the file has its name, for up to [`MAX_LOCKED`] files at once.
    pub fn keep_locked(&mut self, file: File) {
        let more = |locked: u32| (locked < MAX_LOCKED).then_some(locked + 1);
        if LOCKED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok() {
            self.lock = Some(file);
        }
    }

    /// Closes the file.
    pub fn unlock(&mut self) {
        if self.lock.take().is_some() {
            LOCKED.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.unlock();
        // After a rename there is nothing to remove.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns a name that no other file of this program has.
fn temporary_name(target: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let start: String = name.to_string_lossy().chars().take(MAX_NAME).collect();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(target.with_file_name(format!(".{start}.{}-{number}{ENDING}", fs::process_number())))
}

/// Returns the number of the program that gave a temporary name, `None` for any other name.
fn process_of(name: &OsStr) -> Option<u32> {
    let name = name.to_str()?;
    let (start, numbers) = name.strip_suffix(NAMED).unwrap_or(name).strip_suffix(ENDING)?.rsplit_once('.')?;
    let (process, number) = numbers.split_once('-')?;
    let number_of = |text: &str| text.parse::<u32>().ok().filter(|number| number.to_string() == text);
    let start = start.strip_prefix('.')?;
    number_of(number)?;
    (!start.is_empty() && start.chars().count() <= MAX_NAME).then(|| number_of(process)).flatten()
}

/// Removes the unfinished files of killed programs in a folder. A program that has a locked file there is running, and keeps all of its
/// files. So does this program.
pub fn clear_abandoned(folder: &Path) {
    // The disk of a browser ends with its program.
    if cfg!(target_arch = "wasm32") {
        return;
    }
    let is_file = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().filter(is_file);
    let found = entries.filter_map(|entry| Some((process_of(&entry.file_name())?, entry.path())));
    let found: Vec<(u32, PathBuf)> = found.filter(|(process, _)| *process != fs::process_number()).collect();
    let used = found.iter().filter(|(_, path)| locked(path).is_none());
    let running: HashSet<u32> = used.map(|(process, _)| *process).collect();
    for (_, path) in found.iter().filter(|(process, _)| !running.contains(process)) {
        // The file stays locked until it is removed: a program that has just created it takes another name.
        if let Some(_lock) = locked(path) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Opens and locks a file. Returns `None` if another program has locked it, or it cannot be opened.
fn locked(path: &Path) -> Option<File> {
    let file = OpenOptions::new().write(true).open(path).ok()?;
    fs::try_lock(&file).is_ok_and(|is_locked| is_locked).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn files_of_programs_that_were_killed_go_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // A killed program leaves files without a lock.
        for name in [".a.png.4000000001-0.part", ".a.b.c.4000000001-12.part", ".a.mp4.4000000001-3.part.data"] {
            fs::write(at(name), "half").unwrap();
        }
        let others = [
            "a.4000000001-0.part",
            ".4000000001-0.part",
            "..4000000001-0.part",
            ".a.4000000001.part",
            ".a.4000000001-0.part2",
            ".a.04000000001-0.part",
            ".a.+400-0.part",
            ".a.99999999999-0.part",
            ".a.40-x.part",
            ".a.40-0.data",
            "a.part",
        ];
        others.iter().for_each(|name| fs::write(at(name), "kept").unwrap());
        fs::write(at(&format!(".{}.40-0.part", "n".repeat(41))), "kept").unwrap();
        fs::create_dir(at(".folder.40-0.part")).unwrap();
        // A running program holds one lock, and has several files.
        let held = File::create_new(at(".b.4000000002-0.part")).unwrap();
        held.try_lock().unwrap();
        fs::write(at(".b.4000000002-1.part"), "in use").unwrap();
        let (part, _lock) = Part::create(&at("own.png")).unwrap();

        let before = names(folder.path());
        clear_abandoned(folder.path());
        let after = names(folder.path());
        let gone: Vec<&String> = before.iter().filter(|name| !after.contains(name)).collect();
        assert_eq!(gone, [".a.b.c.4000000001-12.part", ".a.mp4.4000000001-3.part.data", ".a.png.4000000001-0.part"]);
        assert!(part.path().exists());
        drop(held);
        clear_abandoned(folder.path());
        assert!(!names(folder.path()).iter().any(|name| name.contains("4000000002")));
        clear_abandoned(&at("missing"));
    }

    #[test]
    fn a_name_that_a_killed_program_left_is_not_used_again() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.png");
        // The next names of this program are taken.
        let next = temporary_name(&target).unwrap();
        let name = next.file_name().unwrap().to_str().unwrap();
        assert_eq!(process_of(OsStr::new(name)), Some(fs::process_number()));
        let number: u32 = name.rsplit_once('-').unwrap().1.strip_suffix(ENDING).unwrap().parse().unwrap();
        for ahead in 1..20 {
            let taken = format!(".a.png.{}-{}{ENDING}", fs::process_number(), number + ahead);
            fs::write(folder.path().join(taken), "left").unwrap();
        }
        let (part, _lock) = Part::create(&target).unwrap();
        assert_eq!(fs::read(part.path()).unwrap(), b"");
    }

    #[test]
    fn any_number_of_left_files_is_cleared_and_files_of_this_program_stay() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..=MAX_LOCKED {
            fs::write(folder.path().join(format!(".a.4000000001-{number}.part")), "left").unwrap();
        }
        let own = format!(".a.{}-4000000000.part", fs::process_number());
        fs::write(folder.path().join(&own), "in use").unwrap();
        clear_abandoned(folder.path());
        assert_eq!(names(folder.path()), [own]);
    }

    #[test]
    fn few_finished_files_stay_locked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let finished = || {
            let (mut part, file) = Part::create(&folder.path().join("a.png")).unwrap();
            part.keep_locked(file);
            part
        };
        let parts: Vec<Part> = (0..=MAX_LOCKED).map(|_| finished()).collect();
        // Other tests may lock files meanwhile.
        let count = parts.iter().filter(|part| part.lock.is_some()).count();
        assert!((1..=MAX_LOCKED as usize).contains(&count), "{count}");
        assert_eq!(names(folder.path()).len(), parts.len());
        drop(parts);
        // The locks are free again.
        assert!((0..=MAX_LOCKED).all(|_| finished().lock.is_some()));
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
