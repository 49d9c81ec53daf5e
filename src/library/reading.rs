//! Reading files whole. What is no regular file is refused before it can block, and every read has an end.

use crate::{
    files::{File, FileType, Metadata},
    formats::{OpenError, OpenErrorKind, containers::Trouble},
};
use std::{
    io::{self, Read as _},
    path::Path,
    sync::Arc,
};

/// The treatment of pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pipes {
    /// It is no file: nobody may ever write to it.
    #[default]
    Refused,
    /// A person named it on purpose: it is waited for.
    Read,
}

/// What a regular file holds, which may be at most `limit` bytes.
///
/// # Errors
/// In a sentence that goes after the file's name, when it is something else (a pipe, a device), larger, or cannot be read.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    Ok(read_whole(path, limit, Pipes::Refused)?)
}

fn read_whole(path: &Path, limit: u64, pipes: Pipes) -> Result<Vec<u8>, Unread> {
    let (file, meta) = open_file(path, pipes)?;
    read_opened(file, &meta, limit)
}

/// What is left in a file that was opened, at most `limit` bytes.
pub(super) fn read_opened(file: File, meta: &Metadata, limit: u64) -> Result<Vec<u8>, Unread> {
    if meta.len() > limit {
        return Err(too_large(limit));
    }
    let mut bytes = Vec::new();
    let size = usize::try_from(meta.len()).map_err(|_| too_large(limit))?;
    bytes.try_reserve_exact(size).map_err(|_| format!("not enough memory for {size} bytes"))?;
    // It may have grown since, or be a pipe, which has no size.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

/// The first bytes of a regular file, at most `count`.
///
/// # Errors
/// As [`read_file`], but for its size.
pub(super) fn read_head(path: &Path, count: u64) -> Result<Vec<u8>, String> {
    let (file, _) = open_file(path, Pipes::Refused)?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Returns true if there is a pipe at a path.
pub(super) fn is_pipe(path: &Path) -> bool {
    crate::files::metadata(path).is_ok_and(|meta| Kind::of(meta.file_type()) == Kind::Pipe)
}

/// Opening a pipe or a device can wait for ever: what it is, is asked before, and of what was opened once more.
pub(super) fn open_file(path: &Path, pipes: Pipes) -> Result<(File, Metadata), Unread> {
    check(&crate::files::metadata(path)?, pipes)?;
    let file = File::open(path)?;
    let meta = file.metadata()?;
    check(&meta, pipes)?;
    Ok((file, meta))
}

fn check(meta: &Metadata, pipes: Pipes) -> Result<(), Unread> {
    let what = match Kind::of(meta.file_type()) {
        Kind::File => return Ok(()),
        Kind::Pipe if pipes == Pipes::Read => return Ok(()),
        Kind::Pipe => "a pipe",
        Kind::Folder => "a folder",
        Kind::Other(what) => what,
    };
    Err(Unread::new(format!("cannot be opened because it is {what}, not a file"), OpenErrorKind::NotAFile))
}

pub(super) fn too_large(limit: u64) -> Unread {
    let size = match limit {
        _ if limit >= 1 << 30 && limit.is_multiple_of(1 << 30) => format!("{} GiB", limit >> 30),
        _ if limit >= 1 << 20 && limit.is_multiple_of(1 << 20) => format!("{} MiB", limit >> 20),
        _ => format!("{limit} bytes"),
    };
    Unread::new(format!("is larger than the maximum file size of {size}"), OpenErrorKind::TooLarge)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Pipe,
    /// In words.
    Other(&'static str),
}

impl Kind {
    #[cfg(unix)]
    fn of(kind: FileType) -> Self {
        use std::os::unix::fs::FileTypeExt as _;
        match kind {
            _ if kind.is_fifo() => Self::Pipe,
            _ if kind.is_socket() => Self::Other("a socket"),
            _ if kind.is_char_device() || kind.is_block_device() => Self::Other("a device"),
            _ => Self::plain(kind),
        }
    }

    #[cfg(not(unix))]
    fn of(kind: FileType) -> Self {
        Self::plain(kind)
    }

    fn plain(kind: FileType) -> Self {
        match kind {
            _ if kind.is_file() => Self::File,
            _ if kind.is_dir() => Self::Folder,
            _ => Self::Other("a special file"),
        }
    }
}

/// A message that follows the path, with the details of an [`OpenError`].
#[derive(Clone, Debug)]
pub(super) struct Unread {
    pub message: String,
    pub code: Option<&'static str>,
    pub kind: OpenErrorKind,
    pub source: Option<Arc<io::Error>>,
}

impl Unread {
    pub fn new(message: impl Into<String>, kind: OpenErrorKind) -> Self {
        Self { message: message.into(), code: None, kind, source: None }
    }

    /// The error of a missing file or member of a container.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(message, OpenErrorKind::Io(io::ErrorKind::NotFound))
    }
}

impl From<String> for Unread {
    fn from(message: String) -> Self {
        Self::new(message, OpenErrorKind::Invalid)
    }
}

impl From<&str> for Unread {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        let (message, kind) = (error.to_string(), OpenErrorKind::Io(error.kind()));
        Self { source: Some(Arc::new(error)), ..Self::new(message, kind) }
    }
}

impl From<Trouble> for Unread {
    fn from(trouble: Trouble) -> Self {
        Self { code: Some(trouble.code.id), ..trouble.message.into() }
    }
}

impl From<OpenError> for Unread {
    fn from(error: OpenError) -> Self {
        let OpenError { message, code, kind, source, .. } = error;
        Self { message, code, kind, source }
    }
}

impl From<Unread> for String {
    fn from(why: Unread) -> Self {
        why.message
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_the_limit_and_into_no_more_memory_than_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, [7; 1000]).unwrap();
        let bytes = read_file(&path, 1000).unwrap();
        assert_eq!((bytes.len(), bytes.capacity()), (1000, 1000));
        assert_eq!(read_file(&path, 999).unwrap_err(), "is larger than the maximum file size of 999 bytes");
        assert_eq!(read_head(&path, 3).unwrap(), [7; 3]);
    }

    #[test]
    fn a_sparse_file_over_the_limit_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(read_file(&path, 2 << 30).unwrap_err().contains("larger than the maximum file size of 2 GiB"));
    }

    #[test]
    fn what_is_no_file_says_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_file(folder.path(), 10).unwrap_err(), "cannot be opened because it is a folder, not a file");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_without_waiting_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, socket) = (folder.path().join("pipe"), folder.path().join("socket"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, what) in [(pipe.as_path(), "a pipe"), (&socket, "a socket"), (Path::new("/dev/zero"), "a device")] {
            let error = format!("cannot be opened because it is {what}, not a file");
            assert_eq!(read_file(path, 10).unwrap_err(), error);
            assert_eq!(read_head(path, 10).unwrap_err(), error);
        }
        assert!(is_pipe(&pipe) && !is_pipe(&socket));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_was_named_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (limit, whole) in [(5, true), (4, false)] {
            let pipe_to_write = pipe.clone();
            let writer = std::thread::Builder::new()
                .name("writer".to_owned())
                .spawn(move || std::fs::write(pipe_to_write, "bytes"))
                .unwrap();
            assert_eq!(read_whole(&pipe, limit, Pipes::Read).ok(), whole.then(|| b"bytes".to_vec()));
            writer.join().unwrap().unwrap();
        }
    }
}
