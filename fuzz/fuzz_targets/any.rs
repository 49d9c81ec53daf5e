//! Any bytes: open, outline, every field, every asset, every export.
#![no_main]

#[path = "../../tests/kit/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exercise::exercise("fuzz.bin", bytes, true);
});
