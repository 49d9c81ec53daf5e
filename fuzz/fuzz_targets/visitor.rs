//! Terrain projects, worlds and models: opened, the fields of every entry, landscapes and models, and what stands on maps.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Content, Diagnostics, LoadContext, LoadOptions, NoFiles, OpenContext, visitor::mlod::prop_body},
};
use std::sync::{Arc, atomic::AtomicBool};

/// What a file starts with; the first byte of an input picks one, unless the input starts like this itself.
const STARTS: [&[u8]; 5] = [b"POSEW60", b"POSEW59", b"8WVR", b"4WVR", b"MLOD\x01\x01\0\0"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { decoded_bytes: 16 << 20, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut file = bytes.to_vec();
    if let (false, Some(pick)) = (STARTS.iter().any(|start| file.starts_with(start)), file.first().copied()) {
        let start = STARTS[usize::from(pick) % STARTS.len()];
        file.iter_mut().zip(start).for_each(|(place, byte)| *place = *byte);
    }
    let (name, source) = ("fuzz.pew", Source::new(file));
    let _ = prop_body(name, &source);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &formats::NO_OVERRIDES,
    };
    let Ok(document) = formats::open(source, &mut cx) else { return };
    let cancel = AtomicBool::new(false);
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
        let _ = document.fields(entry.id);
        if entry.content == Content::None {
            continue;
        }
        let mut cx = LoadContext {
            file: name,
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits,
            options: LoadOptions::default(),
            cancel: &cancel,
        };
        let _ = document.load(entry.id, &mut cx);
    }
    let covered = formats::coverage::coverage(document.as_ref());
    assert!(covered.unread.is_empty() && covered.doubled.is_empty(), "{:?} {:?}", covered.unread, covered.doubled);
});
