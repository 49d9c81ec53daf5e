//! Containers and discs: opened, checked, every field of every entry, and a walk through all that is in them.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

use bonebox::{
    bytes::{Cancel, Limits},
    formats::{containers, coverage::coverage},
};

/// Names by which a format is taken where its bytes alone do not tell.
const NAMES: [&str; 8] = ["a.umod", "a.uz", "a.uz2", "a.pbo", "a.gcm", "a.iso", "a.zip", "a.7z"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Whole files are inputs too: the last byte takes part in this, not the first one.
    let name = NAMES[usize::from(bytes.last().copied().unwrap_or(0) / 32)];
    let parts = read::Parts::by_last(bytes);
    let Ok(read) = read::read(name, bytes.to_vec(), parts) else { return };
    let Some(container) = read.document.container() else { return };
    containers::walk(container, &Limits::default(), Cancel::never(), &mut |walked| {
        let _ = walked.unpacked.map(|unpacked| unpacked.source.as_slice().len());
        true
    });
    if parts.fields {
        let covered = coverage(read.document.as_ref());
        assert!(covered.doubled.iter().all(|span| span.size > 0));
    }
});
