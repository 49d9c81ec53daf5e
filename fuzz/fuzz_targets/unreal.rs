//! Packages: tables, the fields of every export, and what each shows as, without following references into other files.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Content, Diagnostics, LoadContext, LoadOptions, NoFiles, OpenContext},
};
use std::sync::{Arc, atomic::AtomicBool};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { decoded_bytes: 16 << 20, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut file = bytes.to_vec();
    if let Some(head) = file.get_mut(..4) {
        head.copy_from_slice(&[0xC1, 0x83, 0x2A, 0x9E]);
    }
    let mut cx =
        OpenContext { file: "fuzz.u", resolver: Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides: &bonebox::formats::NO_OVERRIDES };
    let Ok(document) = formats::open(Source::new(file), &mut cx) else { return };
    let cancel = AtomicBool::new(false);
    for entry in document.outline().entries() {
        let _ = document.fields(entry.id);
        if entry.content != Content::None {
            let mut cx = LoadContext {
                file: "fuzz.u",
                resolver: &NoFiles,
                diagnostics: &mut diagnostics,
                limits,
                options: LoadOptions::default(),
                cancel: &cancel,
            };
            let _ = document.load(entry.id, &mut cx);
        }
    }
});
