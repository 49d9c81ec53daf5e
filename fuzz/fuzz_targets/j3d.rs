//! J3D models, animations and material sets: chunks, the fields of every entry, and what each shows as.
#![no_main]

use bonebox::{
    bytes::{Limits, Source},
    formats::{self, Content, Diagnostics, LoadContext, LoadOptions, NoFiles, OpenContext},
};
use std::sync::{Arc, atomic::AtomicBool};

/// The first byte of an input picks the kind of file, unless the input names one itself.
const MAGICS: [&[u8; 8]; 16] = [
    b"J3D2bmd3",
    b"J3D2bmd2",
    b"J3D2bdl4",
    b"J3D2bmt3",
    b"J3D1bck1",
    b"J3D1bca1",
    b"J3D1btk1",
    b"J3D1btp1",
    b"J3D1brk1",
    b"J3D1bpk1",
    b"J3D1bpa1",
    b"J3D1bva1",
    b"J3D1blk1",
    b"J3D1bla1",
    b"J3D1bxk1",
    b"J3D1bxa1",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { decoded_bytes: 16 << 20, ..Limits::default() };
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut file = bytes.to_vec();
    if let Some(head) = file.get_mut(..8)
        && !head.starts_with(b"J3D")
    {
        let kind = usize::from(head[0]) % MAGICS.len();
        head.copy_from_slice(MAGICS[kind]);
    }
    let mut cx = OpenContext { file: "fuzz.bmd", resolver: Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides: &bonebox::formats::NO_OVERRIDES };
    let Ok(document) = formats::open(Source::new(file), &mut cx) else { return };
    let cancel = AtomicBool::new(false);
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
        let _ = document.fields(entry.id);
        if entry.content != Content::None {
            let mut cx = LoadContext {
                file: "fuzz.bmd",
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
