//! How much an export may write, and hold on the way: in proportion to what it is made from, unless somebody says otherwise.

use super::ExportError;
use crate::{
    bytes::budget::sharing,
    formats::{Document, FileRequest, FoundFile, Resolver},
};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Bytes that any file may be exported to, however small it is.
pub const FREE_BYTES: u64 = 64 << 20;
/// Further bytes for each byte of the file, after decompression, and of the other files that its content is taken from.
pub const BYTES_FOR_EACH: u64 = 64;

/// What the exports of one file may take together.
#[derive(Debug)]
pub struct Budget {
    /// Grows with each file that something is taken from; never beyond what somebody asked for.
    most: AtomicU64,
    is_asked_for: bool,
    used: AtomicU64,
    /// Other files that were counted.
    counted: Mutex<HashSet<PathBuf>>,
    /// Work that may still be done to unpack members of a container.
    work: AtomicU64,
}

impl Budget {
    /// For the exports of a document: `asked` bytes, or in proportion to its own without.
    pub fn of(document: &dyn Document, asked: Option<u64>) -> Self {
        let usual = || FREE_BYTES.saturating_add(decompressed(document).saturating_mul(BYTES_FOR_EACH));
        Self {
            most: AtomicU64::new(asked.unwrap_or_else(usual)),
            is_asked_for: asked.is_some(),
            used: AtomicU64::new(0),
            counted: Mutex::default(),
            work: AtomicU64::new(if asked.is_some() { u64::MAX } else { work(document) }),
        }
    }

    /// For exports of which nothing has to be bounded.
    pub fn unbounded() -> Self {
        let (most, used) = (AtomicU64::new(u64::MAX), AtomicU64::new(0));
        Self { most, is_asked_for: true, used, counted: Mutex::default(), work: AtomicU64::new(u64::MAX) }
    }

    /// Takes another file in that content comes from: once, however often it is asked for.
    pub fn count(&self, path: &Path, bytes: u64) {
        // What lies nowhere is part of a file that is counted.
        if self.is_asked_for || path.as_os_str().is_empty() {
            return;
        }
        if self.counted.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned()) {
            self.most.fetch_add(bytes.saturating_mul(BYTES_FOR_EACH), Ordering::Relaxed);
        }
    }

    /// Unpacks a member of the document, as a part of the work that all of them share.
    pub fn unpacking<T>(&self, unpack: impl FnOnce() -> T) -> T {
        sharing(&self.work, unpack)
    }

    /// Takes bytes that are written whatever the exports need.
    pub fn reserve(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// A share of nothing yet, for what is called `name`.
    pub fn share(&self, name: &str) -> Share<'_> {
        Share { budget: self, name: name.to_owned(), held: 0 }
    }

    fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }
}

/// The work of a walk through a container; other documents have no members to unpack.
fn work(document: &dyn Document) -> u64 {
    document.container().map_or(u64::MAX, |container| container.limits().work.of(container.size()))
}

/// Returns the bytes of the streams that a document's entries are in, each counted once. A disc in a container may have any size: the
/// bytes that it is stored in are counted.
fn decompressed(document: &dyn Document) -> u64 {
    if let Some(container) = document.container() {
        return container.size();
    }
    let mut streams = HashSet::new();
    let sources = document.outline().entries().iter().map(|entry| document.source_of(entry.id));
    let fresh = sources.chain([document.source()]).filter(|source| streams.insert(source.place()));
    fresh.fold(0, |sum, source| sum.saturating_add(source.len() as u64))
}

/// What one export has taken of the budget; given back unless it is kept.
#[derive(Debug)]
pub struct Share<'a> {
    budget: &'a Budget,
    name: String,
    held: u64,
}

impl Share<'_> {
    /// Takes as much as makes `bytes` in all.
    ///
    /// # Errors
    /// [`ExportError::OverBudget`] when that is more than is left.
    pub fn need(&mut self, bytes: u64) -> Result<(), ExportError> {
        let more = bytes.saturating_sub(self.held);
        let most = self.budget.most();
        let taken = self.budget.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(more).filter(|used| *used <= most)
        });
        if taken.is_err() {
            return Err(ExportError::OverBudget { name: self.name.clone(), size: bytes, most });
        }
        self.held = self.held.max(bytes);
        Ok(())
    }

    /// What the export is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The most that this export can come to have.
    pub fn room(&self) -> u64 {
        let others = self.budget.used.load(Ordering::Relaxed).saturating_sub(self.held);
        self.budget.most().saturating_sub(others)
    }

    /// Keeps so many bytes, which are written, and gives the others back.
    pub fn keep(mut self, bytes: u64) {
        self.held = self.held.saturating_sub(bytes);
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.held, Ordering::Relaxed);
    }
}

/// A resolver whose files count as what the export is made from.
pub struct Counted<'a> {
    pub resolver: &'a (dyn Resolver + Sync),
    pub budget: &'a Budget,
}

impl Counted<'_> {
    fn counted(&self, found: Option<FoundFile>) -> Option<FoundFile> {
        if let Some(found) = &found {
            self.budget.count(&found.path, found.source.len() as u64);
        }
        found
    }
}

impl Resolver for Counted<'_> {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        self.counted(self.resolver.find(request))
    }

    fn suggestion(&self, request: &FileRequest<'_>) -> String {
        self.resolver.suggestion(request)
    }

    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        self.counted(self.resolver.find_path(path, largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        bytes::{Limits, Source},
        formats::{self, Diagnostics, NO_OVERRIDES, NoFiles, OpenContext, containers::encode},
    };
    use std::sync::Arc;

    fn budget(most: u64) -> Budget {
        Budget {
            most: most.into(),
            is_asked_for: false,
            used: 0.into(),
            counted: Mutex::default(),
            work: u64::MAX.into(),
        }
    }

    #[test]
    fn a_compressed_disc_counts_as_what_it_is_stored_in() {
        let disc = encode::gcm("Bones", &[("a.bin", &[1; 100])]);
        assert!(disc.len() < 0x8000);
        // A map of two stored blocks, far from each other.
        let mut image = [&b"CISO"[..], &0x8000_u32.to_le_bytes(), &[0; 0x7FF8]].concat();
        (image[8], image[8 + 0x7000]) = (1, 1);
        image.extend(&disc);
        image.resize(3 * 0x8000, 0);
        let size = image.len() as u64;
        let mut cx = OpenContext {
            file: "a.ciso",
            resolver: Arc::new(NoFiles),
            diagnostics: &mut Diagnostics::new(9),
            limits: Limits::default(),
            overrides: &NO_OVERRIDES,
        };
        let document = formats::open(Source::new(image), &mut cx).unwrap();
        assert!(document.outline().entries().iter().any(|entry| document.source_of(entry.id).len() > 800 << 20));
        assert_eq!(Budget::of(&*document, None).most(), FREE_BYTES + BYTES_FOR_EACH * size);
    }

    #[test]
    fn what_is_not_kept_is_given_back() {
        let budget = budget(100);
        let mut first = budget.share("a");
        first.need(70).unwrap();
        let mut second = budget.share("b");
        let error = second.need(31).unwrap_err();
        assert!(matches!(&error, ExportError::OverBudget { size: 31, most: 100, .. }), "{error}");
        assert!(error.to_string().contains("“b”") && error.to_string().contains("31 bytes"), "{error}");
        assert_eq!((first.room(), second.room()), (100, 30));
        first.keep(10);
        second.need(90).unwrap();
        second.need(20).unwrap();
        assert_eq!(budget.used.load(Ordering::Relaxed), 100, "less than before takes nothing");
        drop(second);
        assert_eq!(budget.used.load(Ordering::Relaxed), 10);
        assert!(budget.share("c").need(u64::MAX).is_err());
    }

    #[test]
    fn each_other_file_counts_once() {
        let budget = budget(100);
        for _ in 0..3 {
            budget.count(Path::new("skin.png"), 10);
            budget.count(Path::new(""), 10);
        }
        assert_eq!(budget.most(), 100 + 10 * BYTES_FOR_EACH);
    }
}
