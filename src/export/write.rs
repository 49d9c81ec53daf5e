//! Writes files without loss: under a temporary name next to the target, then under its name. Another file is replaced only on request.

use super::part::Part;
use crate::files::{self as fs, File, text_of};
use std::{
    io::{self, BufWriter, IntoInnerError, Read as _},
    path::{Path, PathBuf},
};

pub use super::part::clear_abandoned;

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A file with this path exists, and has to stay.
    #[error("{}: the file already exists", text_of(.0))]
    Exists(PathBuf),
    /// Something that is not a regular file has this path, and was not replaced.
    #[error("{}: not a regular file; it was not overwritten", text_of(.0))]
    NotAFile(PathBuf),
    /// The file cannot be written.
    #[error("{}: {source}", text_of(.path))]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
}

/// The treatment of an existing file that has the name of a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The file stays, and writing fails.
    Keep,
    /// The file stays, and writing fails unless the file has the same bytes already.
    KeepEqual,
    /// The file is replaced.
    Replace,
}

impl From<bool> for Existing {
    /// Converts `--force`: `true` replaces the file.
    fn from(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }
}

/// Checks that `path` may be written. The check is cheap, and comes before the work. A link at the path is replaced, never followed.
///
/// # Errors
/// Returns an error if something at the path has to stay ([`WriteError::Exists`]). With [`Existing::Replace`] these are folders, devices,
/// pipes and links to them ([`WriteError::NotAFile`]).
pub fn check_free(path: &Path, existing: impl Into<Existing>) -> Result<(), WriteError> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let leads_elsewhere = || found.is_symlink() && fs::metadata(path).is_ok_and(|end| !end.is_file());
    match existing.into() {
        Existing::KeepEqual if found.is_file() => Ok(()),
        Existing::Keep | Existing::KeepEqual => Err(WriteError::Exists(path.to_owned())),
        Existing::Replace if found.is_file() || found.is_symlink() && !leads_elsewhere() => Ok(()),
        Existing::Replace => Err(WriteError::NotAFile(path.to_owned())),
    }
}

/// Returns `true` if a file has these bytes already.
pub fn holds(path: &Path, bytes: &[u8]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
    is_file && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Returns `true` if two files have the same bytes.
fn are_equal(one: &Path, other: &Path) -> io::Result<bool> {
    const PIECE: u64 = 1 << 16;
    let [one_found, other_found] = [fs::symlink_metadata(one)?, fs::symlink_metadata(other)?];
    if !one_found.is_file() || !other_found.is_file() || one_found.len() != other_found.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    let [mut of_one, mut of_other] = [Vec::new(), Vec::new()];
    loop {
        of_one.clear();
        of_other.clear();
        one.by_ref().take(PIECE).read_to_end(&mut of_one)?;
        other.by_ref().take(PIECE).read_to_end(&mut of_other)?;
        if of_one != of_other || of_one.is_empty() {
            return Ok(of_one == of_other);
        }
    }
}

/// Fills a new file next to `path` through `write`, and then gives it that name. On any error `path` stays as it was, and the new file is
/// removed.
///
/// # Errors
/// Returns an error if something at the path has to stay, or writing fails.
pub fn write_file(
    path: &Path,
    existing: impl Into<Existing>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    prepare_file(path, existing, write)?.give_name()
}

/// A whole file that does not have its name yet. It is removed if it never gets the name.
pub struct PreparedFile {
    part: Part,
    path: PathBuf,
    existing: Existing,
}

impl PreparedFile {
    /// Gives the file its name.
    ///
    /// # Errors
    /// Returns an error if something was created at the path meanwhile, or renaming fails.
    pub fn give_name(self) -> Result<(), WriteError> {
        become_file(self.part, &self.path, self.existing)
    }
}

/// Performs the first half of [`write_file`], for files that belong together: all of them are written before the first gets its name.
///
/// # Errors
/// Returns an error if something at the path has to stay, or writing fails.
pub fn prepare_file(
    path: &Path,
    existing: impl Into<Existing>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<PreparedFile, WriteError> {
    let existing = existing.into();
    check_free(path, existing)?;
    let failed = |source: io::Error| WriteError::Io { path: path.to_owned(), source };
    let (mut part, file) = Part::create(path).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let written = write(&mut out).and_then(|()| out.into_inner().map_err(IntoInnerError::into_error));
    part.keep_locked(written.map_err(failed)?);
    Ok(PreparedFile { part, path: path.to_owned(), existing })
}

/// Performs [`write_file`] through another program: `write` gets an unused name next to `path`, and runs the program that writes there.
///
/// # Errors
/// Returns an error if something is at the path and `force` is not set, or writing fails.
pub fn write_named(path: &Path, force: bool, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), WriteError> {
    check_free(path, force)?;
    let failed = |source: io::Error| WriteError::Io { path: path.to_owned(), source };
    // The other program locks nothing: as long as this file is locked, what it writes stays.
    let (part, lock) = Part::create(path).map_err(failed)?;
    let named = part.named();
    // What is there is somebody else's, and stays.
    check_free(&named, false)?;
    let written = write(&named);
    drop(lock);
    let renamed = written.and_then(|()| fs::rename(&named, part.path()));
    if renamed.is_err() {
        let _ = fs::remove_file(&named);
    }
    renamed.map_err(failed)?;
    become_file(part, path, force.into())
}

/// Gives an unfinished file its name.
fn become_file(mut part: Part, target: &Path, existing: Existing) -> Result<(), WriteError> {
    // Closed before it is renamed or removed: Windows wants that.
    #[cfg(windows)]
    part.unlock();
    if existing != Existing::Replace {
        // A link fails where a rename would quietly replace a file that came up meanwhile.
        let is_taken = match fs::hard_link(part.path(), target) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => true,
            // Not every file system has links.
            Err(_) => check_free(target, false).is_err(),
        };
        if is_taken {
            part.unlock();
            let is_equal = existing == Existing::KeepEqual && are_equal(part.path(), target).unwrap_or(false);
            return if is_equal { Ok(()) } else { Err(WriteError::Exists(target.to_owned())) };
        }
    }
    // What came up meanwhile may be no file.
    check_free(target, true)?;
    fs::rename(part.path(), target).map_err(|source| WriteError::Io { path: target.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_written_whole_and_not_over_others_unless_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_file(&path, false, |out| out.write_all(b"one")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        let refused = write_file(&path, false, |out| out.write_all(b"two"));
        assert!(matches!(refused, Err(WriteError::Exists(_))));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(&path, true, |out| out.write_all(b"two")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_file_that_comes_up_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let refused = write_file(&path, false, |out| {
            fs::write(&path, "other")?;
            out.write_all(b"mine")
        });
        assert!(matches!(refused, Err(WriteError::Exists(_))));
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_files_and_links_to_files_are_written_over() {
        use std::os::unix::fs::symlink;
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        fs::write(outside.path().join("kept.txt"), "kept").unwrap();
        symlink(outside.path().join("kept.txt"), at("link")).unwrap();
        symlink(outside.path().join("nothing"), at("loose")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        symlink(outside.path(), at("link to a folder")).unwrap();
        symlink("/dev/null", at("link to a device")).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for name in ["link", "loose"] {
            write_file(&at(name), true, |out| out.write_all(b"new")).unwrap();
            assert!(fs::symlink_metadata(at(name)).unwrap().is_file(), "{name}: the link itself is replaced");
        }
        assert_eq!(fs::read(outside.path().join("kept.txt")).unwrap(), b"kept");
        assert!(!outside.path().join("nothing").exists());
        for name in ["folder", "link to a folder", "link to a device", "socket"] {
            let refused = write_file(&at(name), true, |out| out.write_all(b"new"));
            assert!(matches!(refused, Err(WriteError::NotAFile(_))), "{name}: {refused:?}");
            assert!(matches!(check_free(&at(name), false), Err(WriteError::Exists(_))), "{name}");
        }
        // What came up while the file was written is no file either.
        let late = at("late");
        let refused = write_file(&late, true, |_| fs::create_dir(&late));
        assert!(matches!(refused, Err(WriteError::NotAFile(_))), "{refused:?}");
        assert!(!names(folder.path()).iter().any(|name| name.ends_with(".part")));
    }

    #[test]
    fn what_another_program_writes_has_its_name_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let write = |text: &'static str| move |part: &Path| fs::write(part, text);
        write_named(&path, false, write("one")).unwrap();
        assert!(matches!(write_named(&path, false, write("two")), Err(WriteError::Exists(_))));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_named(&path, true, write("two")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let failed = write_named(&path, true, |part| {
            fs::write(part, "half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().to_string().ends_with("no more"));
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), vec!["a.txt".to_owned()]));
        // Nothing was written: that is said too.
        assert!(write_named(&path, true, |_| Ok(())).is_err());
    }

    #[test]
    fn files_that_belong_together_come_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let prepare = |name: &str, is_sound: bool| {
            prepare_file(&at(name), false, |out| {
                out.write_all(b"part")?;
                if is_sound { Ok(()) } else { Err(io::Error::other("no more")) }
            })
        };
        {
            let _first = prepare("a.png", true).unwrap();
            assert!(prepare("a.page1.png", false).is_err());
            assert!(!at("a.png").exists());
        }
        assert_eq!(names(folder.path()), [""; 0]);
        prepare("a.png", true).unwrap().give_name().unwrap();
        assert_eq!(names(folder.path()), ["a.png"]);
    }

    #[test]
    fn what_fails_half_way_leaves_everything_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let failed = write_file(&path, true, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.unwrap_err().to_string().ends_with("no more"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
        assert!(write_file(&folder.path().join("missing/a.txt"), false, |_| Ok(())).is_err());
    }

    #[test]
    fn a_file_with_the_same_bytes_counts_as_written_where_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| n as u8).collect();
        let write = |existing, bytes: &[u8]| write_file(&path, existing, |out| out.write_all(bytes));
        write(Existing::KeepEqual, &bytes).unwrap();
        write(Existing::KeepEqual, &bytes).unwrap();
        assert!(matches!(write(Existing::Keep, &bytes), Err(WriteError::Exists(_))));
        let mut other = bytes.clone();
        other[199_999] ^= 1;
        for other in [&other[..], &bytes[1..], &[]] {
            assert!(matches!(write(Existing::KeepEqual, other), Err(WriteError::Exists(_))));
        }
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (bytes, vec!["a.bin".to_owned()]));
        fs::create_dir(folder.path().join("b")).unwrap();
        assert!(matches!(check_free(&folder.path().join("b"), Existing::KeepEqual), Err(WriteError::Exists(_))));
    }
}
