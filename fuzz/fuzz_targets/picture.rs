//! Pictures beside models: PNG, TGA, BMP, DDS.
#![no_main]

use bonebox::{bytes::Limits, formats::picture};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { decoded_bytes: 16 << 20, image_side: 2_048, ..Limits::default() };
    let _ = picture::decode("fuzz", bytes, &limits);
});
