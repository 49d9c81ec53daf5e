//! R5: no input makes Bonebox hold more than 64 MiB + 16 × its size.

#[path = "support/exercise.rs"]
mod exercise;
mod support;

use peak_alloc::PeakAlloc;
use std::fs;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// One test alone in its binary: the counter counts every thread.
#[test]
fn damaged_counts_size_no_allocation() {
    let files: Vec<_> = support::files_below(&support::data())
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "psk" || e == "psa"))
        .collect();
    assert!(files.len() >= 20, "the test files are there");
    let mut highest = 0;
    for path in files {
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len().saturating_sub(3)).step_by(4) {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            let before = HEAP.current_usage();
            HEAP.reset_peak_usage();
            exercise::exercise("damaged.psk", &damaged, true);
            let used = HEAP.peak_usage().saturating_sub(before);
            highest = highest.max(used);
            let cap = (64 << 20) + 16 * damaged.len();
            assert!(used <= cap, "{} with the number at {at} at its most: {used} bytes", path.display());
        }
    }
    // The counter counts: reading a file takes at least its own size.
    assert!(highest > 2_000);
    println!("highest: {highest} bytes");
}
