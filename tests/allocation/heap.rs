//! Counts what a test holds. The allocator counts every thread, so tests of this executable run one at a time.

use peak_alloc::PeakAlloc;
use std::{
    cell::Cell,
    sync::{Mutex, MutexGuard, PoisonError},
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
