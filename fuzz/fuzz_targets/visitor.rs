//! Terrain projects, worlds and models: opened, the fields of entries, landscapes and models, and what stands on maps.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

use bonebox::{
    bytes::Source,
    formats::{coverage::coverage, visitor::mlod::prop_body},
};

/// What a file starts with: the first byte of an input picks one, unless the input starts like one itself.
const STARTS: [&[u8]; 5] = [b"POSEW60", b"POSEW59", b"8WVR", b"4WVR", b"MLOD\x01\x01\0\0"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = read::started(bytes, &STARTS);
    let parts = read::Parts::by_last(&file);
    let name = "fuzz.pew";
    let _ = prop_body(name, &Source::new(file.clone()), |_, _| ());
    let Ok(read) = read::read(name, file, parts) else { return };
    if parts.fields {
        let covered = coverage(read.document.as_ref());
        assert!(covered.unread.is_empty() && covered.doubled.is_empty(), "{:?} {:?}", covered.unread, covered.doubled);
    }
});
