//! Counts what a test holds. The allocator counts every thread, so tests of this executable run one at a time.

use crate::kit::open::{Opened, clip_in, model_in, open};
use bonebox::{
    formats::{Asset, Content},
    scene::{Clip, Model},
};
use peak_alloc::PeakAlloc;
use std::{
    cell::Cell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

static ALONE: Mutex<()> = Mutex::new(());

thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Held by a test while it runs: no other test allocates meanwhile.
pub struct Alone(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

/// Waits until no other test runs. Each test of this executable begins with it.
pub fn alone() -> Alone {
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    IS_ALONE.set(true);
    Alone(guard)
}

impl Drop for Alone {
    fn drop(&mut self) {
        IS_ALONE.set(false);
    }
}

/// The heap since a moment.
pub struct Heap {
    before: usize,
}

impl Heap {
    /// Counts from now on. Panics in a test that is not [`alone`].
    pub fn watch() -> Self {
        assert!(IS_ALONE.get(), "a test that measures memory begins with `heap::alone()`");
        let before = HEAP.current_usage();
        HEAP.reset_peak_usage();
        Self { before }
    }

    /// The most bytes held at once since then, beyond what was held before.
    pub fn peak(&self) -> usize {
        HEAP.peak_usage().saturating_sub(self.before)
    }

    /// R5: no more than 64 MiB and 16 times the size of the input.
    #[track_caller]
    pub fn assert_justified_by(&self, size: usize, what: &str) -> usize {
        let peak = self.peak();
        assert!(peak <= (64 << 20) + 16 * size, "{what}: {peak} bytes held for {size}");
        peak
    }
}

/// Seconds that a hostile file may take, unoptimised; those that are at fault take minutes.
pub const MAX_SECS: f64 = 20.0;

/// What came of a hostile file.
pub struct Held {
    /// With all that was found.
    pub file: Opened,
    /// Of the first entry that shows as something.
    asset: Option<Asset>,
}

/// Opens a file, loads the first thing that it shows as, and reads the fields of many entries, within the memory and time that
/// its size allows.
pub fn held_by(name: &str, bytes: Vec<u8>) -> Held {
    held_reading(name, bytes, |entries| (0..entries).step_by(entries / 5000 + 1).collect())
}

/// As [`held_by`], reading the fields of the first four entries: the file's and its chunks'.
pub fn held_by_chunks(name: &str, bytes: Vec<u8>) -> Held {
    held_reading(name, bytes, |entries| (0..entries.min(4)).collect())
}

fn held_reading(name: &str, bytes: Vec<u8>, read: impl FnOnce(usize) -> Vec<usize>) -> Held {
    let size = bytes.len();
    let heap = Heap::watch();
    let start = Instant::now();
    let mut file = open(name, bytes);
    let (opened, opened_secs) = (heap.peak(), start.elapsed().as_secs_f64());
    let first = file.document.outline().entries().iter().find(|entry| entry.content != Content::None).map(|e| e.id);
    let asset = first.and_then(|entry| file.load_adding(entry).ok());
    let (loaded, loaded_secs) = (heap.peak(), start.elapsed().as_secs_f64());
    let entries = file.document.outline().entries();
    for entry in read(entries.len()).into_iter().map(|index| &entries[index]) {
        std::hint::black_box(file.document.fields(entry.id).map(|tree| tree.fields.len()).unwrap_or(0));
    }
    let used = heap.assert_justified_by(size, name);
    let secs = start.elapsed().as_secs_f64();
    println!(
        "{name}: {size} bytes; opened {opened} in {opened_secs:.2} s, loaded {loaded} in {loaded_secs:.2} s, shown {used} in {secs:.2} s"
    );
    assert!(secs < MAX_SECS, "{name} takes {secs:.1} s");
    Held { file, asset }
}

impl Held {
    #[track_caller]
    pub fn model(&self) -> Arc<Model> {
        model_in(self.asset.clone().unwrap_or_else(|| panic!("no model: {:?}", self.file.diagnostics)))
    }

    #[track_caller]
    pub fn clip(&self) -> Arc<Clip> {
        clip_in(self.asset.clone().unwrap_or_else(|| panic!("no clip: {:?}", self.file.diagnostics)))
    }

    /// How many entries it has.
    pub fn entries(&self) -> usize {
        self.file.document.outline().entries().len()
    }

    /// Such a thing was found.
    #[track_caller]
    pub fn assert_said(&self, code: &str) {
        assert!(self.file.codes().contains(&code), "{}: {:?}", self.file.name, self.file.diagnostics);
    }
}
