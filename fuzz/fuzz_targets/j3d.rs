//! J3D models, animations and material sets: chunks, the fields of entries, and what they show as.
#![no_main]

#[path = "../read/mod.rs"]
mod read;

/// What a file starts with: the first byte of an input picks one, unless the input starts like one itself.
const MAGICS: [&[u8]; 16] = [
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
    let file = read::started(bytes, &MAGICS);
    let parts = read::Parts::by_last(&file);
    let _ = read::read("fuzz.bmd", file, parts);
});
