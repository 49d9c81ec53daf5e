//! Open files of the disk in memory.

use super::{
    disk::{Contents, Node, absolute, disk, found, lock, now, of_contents, put},
    metadata::Metadata,
};
use std::{
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// How a file is opened.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    write: bool,
    create_new: bool,
}

/// An open file. Its bytes stay while it is open, whatever becomes of its name.
pub struct File {
    contents: Arc<Mutex<Contents>>,
    at: AtomicU64,
}

impl OpenOptions {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn write(&mut self, write: bool) -> &mut Self {
        self.write = write;
        self
    }

    pub fn create_new(&mut self, create_new: bool) -> &mut Self {
        self.create_new = create_new;
        self
    }

    /// # Errors
    /// When no file lies there, or, for a new one, something does.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<File> {
        let path = absolute(path)?;
        let mut disk = disk();
        match found(&disk, &path) {
            Ok(_) if self.create_new => Err(ErrorKind::AlreadyExists.into()),
            Ok(Node::Folder(_)) => Err(ErrorKind::IsADirectory.into()),
            Ok(Node::File(contents)) => Ok(File { contents, at: AtomicU64::new(0) }),
            Err(_) if self.create_new => {
                let contents = Arc::new(Mutex::new(Contents { bytes: Vec::new(), modified: now() }));
                put(&mut disk, path, Node::File(contents.clone()))?;
                Ok(File { contents, at: AtomicU64::new(0) })
            }
            Err(error) => Err(error),
        }
    }
}

impl File {
    /// # Errors
    /// When no file lies there.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        OpenOptions::new().open(path)
    }

    /// # Errors
    /// When something lies there, or no folder above.
    pub fn create_new(path: impl AsRef<Path>) -> io::Result<Self> {
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    pub fn options() -> OpenOptions {
        OpenOptions::new()
    }

    /// # Errors
    /// None.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(of_contents(&self.contents))
    }

    /// # Errors
    /// When there is no memory for it.
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        let mut contents = lock(&self.contents);
        let len = usize::try_from(len).map_err(|_| ErrorKind::FileTooLarge)?;
        let more = len.saturating_sub(contents.bytes.len());
        contents.bytes.try_reserve(more).map_err(|_| ErrorKind::OutOfMemory)?;
        contents.bytes.resize(len, 0);
        contents.modified = now();
        Ok(())
    }

    /// Reads all of `buffer` from `offset` on, wherever the file stands.
    ///
    /// # Errors
    /// When it ends before.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let contents = lock(&self.contents);
        let from = usize::try_from(offset).ok().and_then(|from| contents.bytes.get(from..));
        let part = from.and_then(|from| from.get(..buffer.len())).ok_or(ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(part);
        Ok(())
    }
}

impl Read for &File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = self.at.load(Ordering::Relaxed);
        let contents = lock(&self.contents);
        let left = usize::try_from(at).ok().and_then(|at| contents.bytes.get(at..)).unwrap_or_default();
        let count = left.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), left.get(..count)) {
            to.copy_from_slice(from);
        }
        self.at.store(at.saturating_add(count as u64), Ordering::Relaxed);
        Ok(count)
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let at = usize::try_from(self.at.load(Ordering::Relaxed)).map_err(|_| ErrorKind::FileTooLarge)?;
        let end = at.checked_add(bytes.len()).ok_or(ErrorKind::FileTooLarge)?;
        let mut contents = lock(&self.contents);
        let more = end.saturating_sub(contents.bytes.len());
        contents.bytes.try_reserve(more).map_err(|_| ErrorKind::OutOfMemory)?;
        if more > 0 {
            contents.bytes.resize(end, 0);
        }
        if let Some(to) = contents.bytes.get_mut(at..end) {
            to.copy_from_slice(bytes);
        }
        contents.modified = now();
        self.at.store(end as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = lock(&self.contents).bytes.len() as u64;
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.load(Ordering::Relaxed).checked_add_signed(by),
        };
        let at = at.ok_or(ErrorKind::InvalidInput)?;
        self.at.store(at, Ordering::Relaxed);
        Ok(at)
    }
}
