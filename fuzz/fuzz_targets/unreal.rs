//! Packages: tables, the fields of exports, and what they show as, without following references into other files.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = read::started(bytes, &[&[0xC1, 0x83, 0x2A, 0x9E]]);
    let parts = read::Parts::by_last(&file);
    let _ = read::read("fuzz.u", file, parts);
});
