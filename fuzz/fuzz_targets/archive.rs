//! Archives and compressed files: opened with all that is in them, every field of every entry, and what they are unpacked to.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

use bonebox::formats::coverage::coverage;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = read::started(bytes, &[b"RARC", b"Yaz0", b"Yay0", &[0x55, 0xAA, 0x38, 0x2D]]);
    let parts = read::Parts::by_last(&file);
    let Ok(read) = read::read("fuzz.szs", file, parts) else { return };
    if !parts.fields {
        return;
    }
    for entry in read.document.outline().entries() {
        let _ = read.document.bytes(entry.id);
    }
    let covered = coverage(read.document.as_ref());
    assert!(covered.doubled.iter().all(|span| span.size > 0));
});
