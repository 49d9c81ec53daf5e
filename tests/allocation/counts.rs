//! R5: no input makes Bonebox hold more than 64 MiB + 16 × its size.

use crate::{
    heap::{self, Heap},
    kit::{self, exercise::exercise},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Packages to damage: our own samples, and small ones of the corpus.
fn packages() -> Vec<PathBuf> {
    let mut folders = vec![kit::samples()];
    folders.extend(kit::corpus_beside().map(|corpus| corpus.join("unreal")));
    let known = ["u", "utx", "uax", "umx", "unr"];
    let files = folders.iter().flat_map(|folder| kit::files_below(folder));
    files
        .filter(|p| p.extension().is_some_and(|e| known.iter().any(|k| e == *k)))
        .filter(|p| p.metadata().is_ok_and(|m| m.len() < 16_384) || p.to_string_lossy().contains("samples"))
        .collect()
}

/// What reading a file that is damaged at `at` holds at its most, which must be within the cap.
fn used_by(name: &str, damaged: &[u8], path: &Path, at: usize) -> usize {
    let heap = Heap::watch();
    exercise(name, damaged, true);
    heap.assert_justified_by(damaged.len(), &format!("{} with the number at {at} at its most", path.display()))
}

#[test]
fn damaged_counts_size_no_allocation() {
    let _alone = heap::alone();
    let files: Vec<_> = kit::files_below(&kit::data())
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
            highest = highest.max(used_by("damaged.psk", &damaged, &path, at));
        }
    }
    // Packages count in compact indices of up to five bytes, which lie anywhere.
    for path in packages() {
        let bytes = fs::read(&path).unwrap();
        let step = (bytes.len() / 120).max(1);
        for at in (0..bytes.len().saturating_sub(4)).step_by(step) {
            for worst in [[0x7F, 0xFF, 0xFF, 0xFF, 0x0F], [0xFF, 0xFF, 0xFF, 0x7F, bytes[at + 4]]] {
                let mut damaged = bytes.clone();
                damaged[at..at + 5].copy_from_slice(&worst);
                highest = highest.max(used_by("damaged.u", &damaged, &path, at));
            }
        }
    }
    // The counter counts: reading a file takes at least its own size.
    assert!(highest > 2_000);
    println!("highest: {highest} bytes");
}
