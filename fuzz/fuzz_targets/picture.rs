//! Pictures beside models: PNG, TGA, BMP, DDS.
#![no_main]

use bonebox::{bytes::Limits, formats::picture};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Small ones have the same structure, and do not spend the time on pixels.
    let limits = Limits { decoded_bytes: 1 << 20, image_side: 128, ..Limits::default() };
    let _ = picture::decode("fuzz", bytes, &limits);
});
