//! Files and folders: those of the system, and in a browser, which has none, those of a disk in memory (memory.rs). Everything but the
//! command line and the watching of files, which no browser has, goes through here.

#[cfg(any(test, target_arch = "wasm32"))]
#[allow(missing_docs, reason = "the items are those of std::fs")]
pub mod memory;
mod path_text;

#[cfg(target_arch = "wasm32")]
pub use memory::{
    DirEntry, File, FileType, Metadata, OpenOptions, absolute, canonicalize, create_dir, create_dir_all, hard_link,
    metadata, now, process_number, read, read_dir, remove_file, rename, symlink_metadata, write,
};
#[cfg(not(target_arch = "wasm32"))]
pub use std::{
    fs::{
        DirEntry, File, FileType, Metadata, OpenOptions, canonicalize, create_dir, create_dir_all, hard_link, metadata,
        read, read_dir, remove_file, rename, symlink_metadata, write,
    },
    path::absolute,
};

pub use path_text::{name_text, path_of, text_of};

use std::{
    io::{self, Write as _},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// Returns true if a file or folder exists at a path.
pub fn exists(path: &Path) -> bool {
    metadata(path).is_ok()
}

/// Returns true if a path leads to a regular file, possibly through links.
pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_file())
}

/// Returns true if a path leads to a folder, possibly through links.
pub fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|found| found.is_dir())
}

/// Writes a file through a temporary one in its folder. Other programs see the old file or the whole new one.
///
/// # Errors
/// Returns an error if the file cannot be written, or the path is that of something else.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    if metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(io::Error::other("the path is not a file"));
    }
    // Several programs and threads may write at once.
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_file_name(format!(".bonebox-{}-{number}.tmp", process_number()));
    let written = File::create_new(&temporary).and_then(|mut file| file.write_all(bytes));
    written.and_then(|()| rename(&temporary, path)).inspect_err(|_| _ = remove_file(&temporary))
}

/// The time by the clock that files are stamped with.
#[cfg(not(target_arch = "wasm32"))]
pub fn now() -> std::time::SystemTime {
    std::time::SystemTime::now()
}

/// Locks an open file until it is closed or the program ends. Returns `false` if the file is locked already.
///
/// # Errors
/// Returns an error if the file system has no locks.
#[cfg(not(target_arch = "wasm32"))]
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(std::fs::TryLockError::WouldBlock) => Ok(false),
        Err(std::fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Returns `true`: no other program uses a disk in memory.
///
/// # Errors
/// Never.
#[cfg(target_arch = "wasm32")]
pub fn try_lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Returns a number that differs between programs that write into the same folder.
#[cfg(not(target_arch = "wasm32"))]
pub fn process_number() -> u32 {
    std::process::id()
}
