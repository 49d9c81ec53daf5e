//! Keeping the index as the files are.

use super::{
    catalog::Catalog,
    content::{Inside, ReadContent, content_of, is_known, left_alone},
    record,
    store::{NewFile, Store, StoredFile},
    walking::{OnDisk, walk},
};
use crate::{
    bytes::{Cancel, Limits, Source},
    files::path_of,
    library::{quarantine::Quarantine, reading::Pipes, shared_files::SharedFiles},
};
use sha1::{Digest as _, Sha1};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// A larger file is known by its size, its time and pieces of it.
const SUMMED_WHOLE: u64 = 256 << 20;
/// How many pieces of it, besides its start and its end, and their bytes.
const PIECES: u64 = 62;
const PIECE: u64 = 64 << 10;
/// What is read is written when it is of so many files, or so many entries and bytes of text.
const BATCH_FILES: usize = 256;
const BATCH_WEIGHT: usize = 8 << 20;
/// What is read and not written yet: readers wait where there is more.
const WAITING: usize = 16;
/// The key of the content of files that were left alone is this, and their size.
const LEFT_ALONE_KEY: &[u8] = b"left alone";
/// Interval at which progress is reported.
const TOLD: Duration = Duration::from_millis(100);
/// Threads that read, at most.
const MAX_THREADS: usize = 8;

/// The progress of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of files that were read.
    pub files_done: usize,
    /// Number of files that have to be read.
    pub files_known: usize,
    /// Total size of the files that were read, in bytes.
    pub bytes_read: u64,
}

/// The result of an update.
#[derive(Default)]
pub struct Updated {
    /// The catalog after the update.
    pub catalog: Catalog,
    /// Number of files that were read.
    pub read: usize,
    /// Number of files that have not changed and were not read.
    pub kept: usize,
    /// Number of files that are no longer there.
    pub gone: usize,
    /// Files that cannot be read, with the reasons.
    pub troubles: Vec<(PathBuf, String)>,
}

/// The result of reading a file.
enum Read {
    File(Box<NewFile>),
    Trouble(PathBuf, String),
    Cancelled,
}

impl Store {
    /// Reads what changed below some roots since the last time, and gives all that is known then. Files that are as large and as old
    /// as they were are not opened. `progress` is told a few times a second.
    ///
    /// # Errors
    /// When the index cannot be opened or written, in a sentence; a file that cannot be read is among the troubles.
    pub fn update(
        &self,
        roots: &[PathBuf],
        limits: Limits,
        progress: &(dyn Fn(Progress) + Sync),
        cancel: &Cancel,
    ) -> Result<Updated, String> {
        let walked = walk(roots);
        let (known, contents) = self.known(roots)?;
        let mut updated = Updated { troubles: walked.troubles, ..Updated::default() };
        // The row of a copy may be written before what both hold, and what both hold then never.
        let is_whole = |known: &StoredFile| known.content.is_empty() || contents.contains(&known.content);
        let is_same = |key: &String, file: &OnDisk| {
            known.get(key).is_some_and(|known| {
                let is_unread = || known.content.starts_with(LEFT_ALONE_KEY);
                known.size == file.size
                    && known.modified == file.modified
                    && file.modified.is_some()
                    && is_whole(known)
                    && (!is_unread() || Quarantine::shared().leaves_alone_within(&file.path))
            })
        };
        let changed: Vec<(&String, &OnDisk)> = walked.files.iter().filter(|(key, file)| !is_same(key, file)).collect();
        updated.kept = walked.files.len().saturating_sub(changed.len());
        let mut dropped: HashSet<Vec<u8>> = HashSet::new();
        let contents = Mutex::new(contents);
        let reader = Reader { limits, contents: &contents, cancel };
        let (next, done, bytes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS).min(changed.len().max(1));
        let (to_writer, read) = crossbeam_channel::bounded::<Read>(WAITING);
        let tell = || {
            progress(Progress {
                files_done: done.load(Ordering::Relaxed),
                files_known: changed.len(),
                bytes_read: bytes.load(Ordering::Relaxed),
            });
        };
        let is_cancelled = || cancel.is_cancelled();
        let written: Result<(), String> = thread::scope(|scope| {
            for _ in 0..threads {
                let to_writer = to_writer.clone();
                let (changed, reader, next, done, bytes) = (&changed, &reader, &next, &done, &bytes);
                scope.spawn(move || {
                    while let Some((key, file)) = changed.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let read = if is_cancelled() { Read::Cancelled } else { reader.read(key, file) };
                        let is_over = matches!(read, Read::Cancelled);
                        bytes.fetch_add(file.size, Ordering::Relaxed);
                        done.fetch_add(1, Ordering::Relaxed);
                        if to_writer.send(read).is_err() || is_over {
                            return;
                        }
                    }
                });
            }
            drop(to_writer);
            let mut batch = Batch::default();
            tell();
            loop {
                match read.recv_timeout(TOLD) {
                    Ok(Read::File(file)) => {
                        if let Some(before) = known.get(&file.path) {
                            dropped.insert(before.content.clone());
                        }
                        updated.read = updated.read.saturating_add(1);
                        batch.add(*file);
                        if batch.is_full() {
                            self.write(batch.take())?;
                            tell();
                        }
                    }
                    Ok(Read::Trouble(path, why)) => updated.troubles.push((path, why)),
                    Ok(Read::Cancelled) => {}
                    Err(crossbeam_channel::RecvTimeoutError::Timeout) => tell(),
                    Err(crossbeam_channel::RecvTimeoutError::Disconnected) => break,
                }
            }
            if !batch.files.is_empty() {
                self.write(batch.take())?;
            }
            tell();
            Ok(())
        });
        written?;
        // What could not be looked into is not gone.
        let hidden: Vec<&PathBuf> = updated.troubles.iter().map(|(path, _)| path).collect();
        let is_hidden = |key: &str| {
            let file = path_of(key);
            hidden.iter().any(|path| file.starts_with(path))
        };
        let gone: Vec<String> =
            known.keys().filter(|key| !walked.files.contains_key(*key) && !is_hidden(key)).cloned().collect();
        updated.gone = gone.len();
        dropped.extend(gone.iter().filter_map(|key| Some(known.get(key)?.content.clone())));
        if !dropped.is_empty() && !is_cancelled() {
            self.remove(&gone, &dropped)?;
        }
        updated.catalog = self.catalog(roots)?;
        Ok(updated)
    }
}

struct Reader<'a> {
    limits: Limits,
    /// Contents that are stored, or will be.
    contents: &'a Mutex<HashSet<Vec<u8>>>,
    cancel: &'a Cancel,
}

impl Reader<'_> {
    fn read(&self, key: &str, file: &OnDisk) -> Read {
        let path = &file.path;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let new = |content: Vec<u8>, read| {
            let file = StoredFile { size: file.size, modified: file.modified, content };
            Read::File(Box::new(NewFile { path: key.to_owned(), file, content: read }))
        };
        if Quarantine::shared().leaves_alone_within(path) {
            return new([LEFT_ALONE_KEY, &file.size.to_le_bytes()].concat(), Some(left_alone(file.size)));
        }
        let _reading = Quarantine::shared().reading_in_turn(path);
        let source = match SharedFiles::shared().opened(path, self.limits.file_bytes, Pipes::Refused) {
            Ok(source) => source,
            Err(why) => return Read::Trouble(path.clone(), why.message),
        };
        if !is_known(&source, &name) {
            return new(Vec::new(), None);
        }
        let sum = match self.content_key(&source, file, &name) {
            Ok(sum) => sum,
            Err(error) => return Read::Trouble(path.clone(), Source::read_failed(error)),
        };
        let is_stored = !self.contents.lock().unwrap_or_else(PoisonError::into_inner).insert(sum.clone());
        if is_stored {
            return new(sum, None);
        }
        let read = content_of(&name, &source, &self.limits, self.cancel);
        // What was written over meanwhile is half of the one and half of the other.
        let is_as_it_was = crate::files::metadata(path)
            .is_ok_and(|now| now.len() == file.size && now.modified().ok() == file.modified);
        match read {
            Some(read) if is_as_it_was => new(sum, Some(read)),
            read => {
                self.contents.lock().unwrap_or_else(PoisonError::into_inner).remove(&sum);
                match read {
                    Some(_) => Read::Trouble(
                        path.clone(),
                        "the file changed while it was being read. The next update will read it again".to_owned(),
                    ),
                    None => Read::Cancelled,
                }
            }
        }
    }

    /// What a content is stored by: the SHA-1 of the bytes, and the name, which formats go by.
    fn content_key(&self, source: &Source, file: &OnDisk, name: &str) -> std::io::Result<Vec<u8>> {
        let size = source.len() as u64;
        let sum: [u8; 20] = if size <= SUMMED_WHOLE {
            record::sum(source)?
        } else {
            let mut sum = Sha1::new();
            let modified =
                file.modified.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok()).unwrap_or_default();
            sum.update(size.to_le_bytes());
            sum.update(modified.as_nanos().to_le_bytes());
            let last = size.saturating_sub(PIECE);
            for piece in 0..PIECES.saturating_add(2) {
                let at = last / PIECES.saturating_add(1) * piece;
                let at = if piece > PIECES { last } else { at };
                let piece = source.slice(at, PIECE).ok_or(std::io::ErrorKind::UnexpectedEof)?;
                sum.update(piece.in_memory()?.as_slice());
            }
            sum.finalize().into()
        };
        Ok([&sum[..], name.as_bytes()].concat())
    }
}

/// The data that is written in one transaction.
#[derive(Default)]
struct Batch {
    files: Vec<NewFile>,
    weight: usize,
}

impl Batch {
    fn add(&mut self, file: NewFile) {
        if let Some((content, texts)) = &file.content {
            let entries: usize = content.files.iter().map(|file| file.record.entries.len()).sum();
            let paths = |file: &Inside<'_>| file.record.entries.iter().map(|entry| entry.path.len()).sum::<usize>();
            let paths: usize = content.files.iter().map(|file| file.path.len().saturating_add(paths(file))).sum();
            let bytes = texts.iter().map(|text| text.text.len()).sum::<usize>().saturating_add(paths);
            self.weight = self.weight.saturating_add(entries.saturating_mul(64)).saturating_add(bytes);
        }
        self.files.push(file);
    }

    fn is_full(&self) -> bool {
        self.files.len() >= BATCH_FILES || self.weight >= BATCH_WEIGHT
    }

    fn take(&mut self) -> Vec<NewFile> {
        self.weight = 0;
        std::mem::take(&mut self.files)
    }
}

/// What the index would keep of a file, without keeping it; `None` for a file that no format takes. Blocks: call it on a worker.
///
/// # Errors
/// When it cannot be read, in a sentence that goes after its name.
pub fn read_content(path: &Path, limits: &Limits, cancel: &Cancel) -> Result<Option<ReadContent>, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let source = SharedFiles::shared().opened(path, limits.file_bytes, Pipes::Refused)?;
    Ok(if is_known(&source, &name) { content_of(&name, &source, limits, cancel) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::LEFT_ALONE;

    #[test]
    fn a_file_that_is_left_alone_is_in_the_index_with_the_reason_until_it_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        std::fs::create_dir(&files).unwrap();
        let [bad, good] = ["bad.psk", "good.psk"].map(|name| files.join(name));
        for path in [&bad, &good] {
            std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/Ossie.psk"), path).unwrap();
        }
        let store = Store::at(folder.path().join("index/c.redb"));
        let update = || {
            let updated =
                store.update(std::slice::from_ref(&files), Limits::default(), &|_| {}, Cancel::never()).unwrap();
            let said = |file: &crate::library::collection::FileInfo| (file.problem.clone(), file.rows.len());
            let said: Vec<_> = updated.catalog.files().iter().map(said).collect();
            (updated.read, updated.kept, said)
        };
        let start_after_two_readers_ended = || {
            for _ in 0..2 {
                let process = Quarantine::default();
                process.start(&store.journals());
                std::mem::forget(process.reading(&bad));
            }
            Quarantine::shared().start(&store.journals());
        };
        start_after_two_readers_ended();
        let (read, _, said) = update();
        assert_eq!((read, &said[0]), (2, &(Some(LEFT_ALONE.to_owned()), 1)));
        assert!(said[1].0.is_none() && said[1].1 > 1);
        assert_eq!(update(), (0, 2, said.clone()));
        assert!(Quarantine::shared().try_again(&bad));
        let whole = vec![said[1].clone(); 2];
        assert_eq!(update(), (1, 1, whole.clone()));
        // A picture of it ended the program: what is known stays.
        start_after_two_readers_ended();
        assert!(Quarantine::shared().leaves_alone(&bad));
        assert_eq!(update(), (0, 2, whole));
    }

    #[test]
    fn a_copy_whose_content_was_never_written_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Ossie.psk");
        std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/Ossie.psk"), &path).unwrap();
        let (store, roots) = (Store::at(folder.path().join("index/c.redb")), [path]);
        let update = || store.update(&roots, Limits::default(), &|_| {}, Cancel::never()).unwrap();
        // The batch with the copy was written, the one with what it is a copy of was not.
        let (key, file) = walk(&roots).files.pop_first().unwrap();
        let stored = StoredFile { size: file.size, modified: file.modified, content: vec![7; 20] };
        store.write(vec![NewFile { path: key, file: stored, content: None }]).unwrap();
        let updated = update();
        assert_eq!((updated.read, updated.kept, updated.catalog.files().len()), (1, 0, 1));
        let again = update();
        assert_eq!((again.read, again.kept, again.catalog.files().len()), (0, 1, 1));
    }
}
