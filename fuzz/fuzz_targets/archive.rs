//! Archives and compressed files: opened with all that is in them, every field of every entry, and what they are unpacked to.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Diagnostics, NoFiles, OpenContext},
};
use std::sync::Arc;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { decoded_bytes: 16 << 20, container_bytes: 8 << 20, ..Limits::default() };
    for magic in [b"RARC", b"Yaz0", b"Yay0", &[0x55, 0xAA, 0x38, 0x2D]] {
        // The first four bytes are given, so that every run gets past the door.
        let mut file = bytes.to_vec();
        if let Some(head) = file.get_mut(..4) {
            head.copy_from_slice(magic);
        }
        let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
        let resolver = Arc::new(NoFiles);
        let mut cx = OpenContext { file: "fuzz.szs", resolver, diagnostics: &mut diagnostics, limits, overrides: &bonebox::formats::NO_OVERRIDES };
        let Ok(document) = formats::open(Source::new(file), &mut cx) else { continue };
        for entry in document.outline().entries() {
            let _ = document.fields(entry.id);
            let _ = document.bytes(entry.id);
        }
        let covered = formats::coverage::coverage(document.as_ref());
        assert!(covered.doubled.iter().all(|span| span.size > 0));
    }
});
