//! PSK and PSA: any chunks.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = read::started(bytes, &[b"ACTRHEAD", b"ANIMHEAD"]);
    let parts = read::Parts::by_last(&file);
    let _ = read::read("fuzz.psk", file, parts);
});
