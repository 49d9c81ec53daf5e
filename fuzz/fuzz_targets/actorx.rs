//! PSK and PSA: the parser alone.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Diagnostics, NoFiles, OpenContext},
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    for magic in [b"ACTRHEAD", b"ANIMHEAD"] {
        // The first chunk's name is given, so that every run gets past the door.
        let mut file = bytes.to_vec();
        if let Some(head) = file.get_mut(..8) {
            head.copy_from_slice(magic);
        }
        let mut cx = OpenContext { file: "fuzz.psk", resolver: std::sync::Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides: &bonebox::formats::NO_OVERRIDES };
        let _ = formats::open(Source::new(file), &mut cx);
    }
});
