//! Files whose bytes stay on the disk and are read where they are asked for.

use super::{
    reading::{Pipes, Unread, open_file, read_opened, too_large},
    stamp::Stamp,
};
use crate::files::{File, Metadata};
use crate::{
    bytes::{ReadAt, Source},
    formats::{self, Hint},
};
use std::{
    io::{self, Read as _, Seek as _},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Files that are open at once. Systems allow a process 1,024 of them at times, and the window needs some too.
const MAX_OPEN: usize = 256;

/// A file of at least so many bytes stays on the disk, if its format reads parts of it.
pub(super) const MIN_STORED: u64 = 64 << 10;

/// Bytes at the start that tell the format.
const HEAD: u64 = 256;

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// A file that stays open. What was read of it holds only as long as it is not written over: afterwards nothing more is read.
struct StoredFile {
    file: File,
    stamp: Stamp,
}

/// The bytes of a file that was opened, of which nothing is read yet; gives the file back when too many are open.
fn stored(file: File, meta: &Metadata) -> Result<Source, File> {
    let room = OPEN
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |open| (open < MAX_OPEN).then_some(open.saturating_add(1)));
    match room {
        Ok(_) => Ok(Source::stored(StoredFile { file, stamp: Stamp::of(meta) })),
        Err(_) => Err(file),
    }
}

/// The bytes of a file of any size, of which nothing is read yet where it is large.
///
/// # Errors
/// When it cannot be read, or too many files are open.
pub(super) fn of_any_size(path: &Path) -> Result<Source, String> {
    let (file, meta) = open_file(path, Pipes::Refused)?;
    match meta.len() {
        0..MIN_STORED => Ok(Source::from(read_opened(file, &meta, MIN_STORED)?)),
        _ => stored(file, &meta).map_err(|_| "too many files are open".to_owned()),
    }
}

/// The bytes of a large file whose format reads parts of it; the file itself where it is to be read whole.
///
/// # Errors
/// When it is larger than `limit`, or cannot be read.
pub(super) fn kept_on_disk(
    path: &Path,
    mut file: File,
    meta: &Metadata,
    limit: u64,
) -> Result<Result<Source, File>, Unread> {
    if !meta.is_file() || meta.len() < MIN_STORED {
        return Ok(Err(file));
    }
    let mut head = Vec::new();
    (&file).take(HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let format = formats::probe(&head, &Hint { file_name: &name });
    // Of a container only the tables are read, and what lies in it is as large as it is.
    if meta.len() > limit && !format.is_some_and(|format| format.holds_files()) {
        return Err(too_large(limit));
    }
    Ok(if format.is_some_and(|format| format.reads_parts()) { stored(file, meta) } else { Err(file) })
}

impl Drop for StoredFile {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ReadAt for StoredFile {
    fn size(&self) -> u64 {
        self.stamp.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, offset, buffer)?;
        // Asked afterwards: what was read before the file was written is as good as ever.
        if Stamp::of(&self.file.metadata()?).is_written_as(&self.stamp) {
            Ok(())
        } else {
            Err(io::Error::other("the file changed after it was opened. Reload it"))
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = buffer.get_mut(count..).unwrap_or_default();
                offset = offset.saturating_add(count as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(target_arch = "wasm32")]
fn read_exact_at(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

#[cfg(not(any(unix, windows, target_arch = "wasm32")))]
fn read_exact_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn opened(path: &std::path::Path) -> Source {
        let file = File::open(path).unwrap();
        let meta = file.metadata().unwrap();
        stored(file, &meta).unwrap()
    }

    #[test]
    fn parts_are_read_until_the_file_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Walls.utx");
        std::fs::write(&path, (0..=255).collect::<Vec<u8>>()).unwrap();
        let source = opened(&path);
        assert_eq!((source.len(), source.slice(10, 3).unwrap().as_slice()), (256, &[10, 11, 12][..]));
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(&[0]).unwrap();
        drop(file);
        assert!(source.slice(20, 3).unwrap().as_slice().is_empty());
        assert_eq!(source.failure(), Some("the file changed after it was opened. Reload it"));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_another_one_took_the_place_of_is_read_on() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.utx"), folder.path().join("b"));
        std::fs::write(&path, [7; 100]).unwrap();
        let source = opened(&path);
        std::fs::write(&other, [8; 200]).unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(source.as_slice(), [7; 100]);
        std::fs::remove_file(&path).unwrap();
        assert_eq!((opened_slice(&source), source.failure()), (vec![7; 3], None));
    }

    fn opened_slice(source: &Source) -> Vec<u8> {
        source.slice(50, 3).unwrap().as_slice().to_vec()
    }
}
