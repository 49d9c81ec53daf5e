//! R1, R12, R13: every sample of every format, cut at every length and with flipped bytes: a document or a typed error.

use crate::kit::{self, charpipe::files, containers::ZipMember, discs::Packing, exercise::exercise, wrp};
use bonebox::formats::{
    FORMATS,
    j3d::encode::{
        ClusterClip, ColorTracks, Key, MaterialColorClip, Track, VertexColorClip, VertexColorTracks, encode_bla,
        encode_bpa, encode_bxa, encode_bxk,
    },
};
use std::{collections::HashSet, ffi::OsString, fs, path::PathBuf};

/// Files that some format knows: the project's own test files and samples, and those of the corpus.
fn samples() -> Vec<(String, Vec<u8>)> {
    let folders = [kit::data(), kit::samples()];
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(|folder| kit::files_below(folder)).collect();
    // Projects differ from each other in few bytes; one is enough here.
    paths.retain(|path| {
        path.extension().is_none_or(|e| e != "pew") || path.ends_with("tiny60.pew") || path.starts_with(&folders[1])
    });
    if let Some(corpus) = kit::corpus_beside() {
        let others = ["actorx", "unreal", "j3d"].iter().flat_map(|family| kit::files_below(&corpus.join(family)));
        let own: HashSet<OsString> = paths.iter().filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect();
        paths.extend(others.filter(|path| path.file_name().is_some_and(|name| !own.contains(name))));
    }
    let known: Vec<&str> = FORMATS.iter().flat_map(|f| f.info().extensions).copied().collect();
    paths.retain(|p| p.extension().is_some_and(|e| known.contains(&e.to_string_lossy().to_lowercase().as_str())));
    let named = |path: &PathBuf| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap());
    paths.iter().map(named).chain(made()).collect()
}

/// Kinds that no file at hand is of.
fn made() -> Vec<(String, Vec<u8>)> {
    let table = || vec![0.0, 40.0, 255.0, 9.0];
    let parts = || [table(), table(), Vec::new(), vec![255.0]];
    let colors = vec![ColorTracks { material: "skin".to_owned(), id: 0, parts: parts() }];
    let full = MaterialColorClip { loop_mode: 2, duration: 4, colors };
    let weights = ClusterClip { loop_mode: 2, duration: 4, weights: vec![table(), vec![0.5]] };
    let tables = VertexColorTracks { vertices: vec![4, 7], parts: parts() };
    let tables = VertexColorClip { loop_mode: 2, duration: 4, sets: [vec![tables.clone()], vec![tables]] };
    let keys = [0.0, 3.0, 9.0].map(|frame| Key { frame, value: frame * 20.0, ..Key::default() });
    let track = || Track::Keys(keys.to_vec());
    let tracks =
        VertexColorTracks { vertices: vec![1], parts: [track(), track(), Track::Constant(3.0), Track::Default] };
    let tracks = VertexColorClip { loop_mode: 2, duration: 9, sets: [vec![tracks], Vec::new()] };
    let j3d = [
        ("made.bpa".to_owned(), encode_bpa(&full)),
        ("made.bla".to_owned(), encode_bla(&weights)),
        ("made.bxa".to_owned(), encode_bxa(&tables)),
        ("made.bxk".to_owned(), encode_bxk(&tracks)),
    ];
    let objects = wrp::objects();
    let worlds = [("made.wrp", wrp::eight(&objects)), ("old.wrp", wrp::four(&objects))];
    let worlds = worlds.map(|(name, bytes)| (name.to_owned(), bytes));
    let text = b"class Bone { bone = 1; };".repeat(20);
    let files: &[(&str, &[u8])] = &[("bone/config.cpp", &text), ("read.me", b"Bones.")];
    let disc = kit::discs::gcm("Bones", files);
    let packed = [
        ("made.umod", kit::containers::umod(&[("System\\Manifest.ini", b"[Setup]", 3), ("a\\config.cpp", &text, 0)])),
        ("made.zip", kit::containers::zip(&[ZipMember::stored("a/b.txt", &text), ZipMember::deflated("c.txt", &text)])),
        ("made.7z", kit::containers::seven_zip("bone.txt", b"Bones and more bones.")),
        ("made.iso", kit::isos::iso("BONES", files, true)),
        ("made.ciso", kit::discs::ciso(&disc, 0x8000)),
        ("made.gcz", kit::discs::gcz(&disc, 0x4000)),
        ("made.tgc", kit::discs::tgc(&disc)),
        ("made.wbfs", kit::discs::wbfs(&disc, 15)),
        ("made.wia", kit::discs::wia(&disc, 0x20_0000, Packing::Bzip2, false)),
        ("made.rvz", kit::discs::wia(&disc, 0x8000, Packing::Zstd, true)),
        ("made.gcm", disc),
        ("made.uz", kit::containers_uz::uz()),
        ("made.uz2", kit::containers_uz::uz2(&text, 100)),
        ("made.pbo", kit::containers_uz::pbo(&[("config.cpp", &text), ("data\\bone.rvmat", &text)])),
        ("made.paa", kit::paa::rich()),
        ("made.cue", b"FILE \"made.bin\" BINARY\r\n  TRACK 01 MODE1/2352\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    INDEX 01 00:02:00\r\n".to_vec()),
    ];
    let packed = packed.map(|(name, bytes)| (name.to_owned(), bytes));
    j3d.into_iter().chain(files::files()).chain(worlds).chain(pictures()).chain(packed).collect()
}

/// 3 × 2 pixels of each kind of picture that stands for itself.
fn pictures() -> impl Iterator<Item = (String, Vec<u8>)> {
    let [mut bmp, mut tga] = [
        b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\x18\0".to_vec(),
        b"\0\0\x02\0\0\0\0\0\0\0\0\0\x03\0\x02\0\x18\0".to_vec(),
    ];
    bmp.resize(0x36, 0);
    // Rows of a BMP are filled up to four bytes.
    bmp.extend((0..24).map(|i| i * 9));
    tga.extend((0..18).map(|i| i * 9));
    let word = |value: u32| value.to_le_bytes();
    let mut dds = [*b"DDS ", word(124), word(0x2_1007), word(2), word(3), word(8), word(0), word(2)].concat();
    dds.resize(76, 0);
    dds.extend([word(32), word(4), *b"DXT1", word(0), word(0), word(0), word(0), word(0), word(0x40_1008)].concat());
    dds.resize(128, 0);
    dds.extend([0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0].repeat(2));
    [("made.bmp", bmp), ("made.tga", tga), ("made.dds", dds)].map(|(name, bytes)| (name.to_owned(), bytes)).into_iter()
}

#[test]
fn every_format_has_a_sample_here() {
    let samples = samples();
    // These are told by name, and never open.
    let named_only = ["rar", "split"];
    for format in FORMATS.iter().filter(|format| !named_only.contains(&format.info().id)) {
        let has = |name: &str| format.info().extensions.iter().any(|e| name.to_lowercase().ends_with(&format!(".{e}")));
        assert!(samples.iter().any(|(name, _)| has(name)), "no sample of {}", format.info().id);
    }
}

/// Files of the tests that are damaged as they are.
fn damaged_already() -> HashSet<String> {
    let is_bad = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        path.parent().is_some_and(|folder| folder.ends_with("bad"))
            || ["bad_", "empty", "zero_bytes"].iter().any(|start| name.starts_with(start))
    };
    let bad = kit::files_below(&kit::data()).into_iter().filter(is_bad);
    let bad = bad.map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
    // And the one of the corpus.
    bad.chain(["load_umx_invalid_objname.umx".to_owned()]).collect()
}

#[test]
fn samples_open_whole() {
    let damaged = damaged_already();
    for (name, bytes) in samples().into_iter().filter(|(name, _)| !damaged.contains(name)) {
        let outcome = exercise(&name, &bytes, true);
        assert!(outcome.opened && outcome.fields > 0, "{name}: {outcome:?}");
        // What is made here has parts that no file at hand has, and padding that nobody reads.
        let is_made = name.starts_with("made") || name.starts_with("old.");
        assert!(is_made || (outcome.unread, outcome.doubled) == (0, 0), "{name}: {outcome:?}");
    }
}

#[test]
fn samples_cut_at_every_length_give_a_document_or_an_error() {
    for (name, bytes) in samples() {
        let whole = exercise(&name, &bytes, false);
        // Small ones: every length; large ones: 1,000 lengths; very large ones fewer, since each is read whole.
        let lengths = if bytes.len() < 256 << 10 { 1_000 } else { 100 };
        let step = (bytes.len() / lengths).max(1);
        let mut silent = Vec::new();
        for length in (0..bytes.len()).step_by(step) {
            let cut = exercise(&name, &bytes[..length], false);
            assert!(cut.assets <= whole.assets, "{name} cut at {length}: {cut:?} of {whole:?}");
            let loses = cut.entries < whole.entries || cut.assets < whole.assets;
            if cut.opened && loses && cut.diagnostics == 0 && cut.refused <= whole.refused {
                silent.push(length);
            }
        }
        // A file that does not open says why. One that does says what it lost, unless the cut lies just between two parts.
        assert!(silent.len() <= whole.entries, "{name} lost parts without a word when cut at {silent:?}");
    }
}

#[test]
fn samples_with_flipped_bytes_give_a_document_or_an_error() {
    let mut noise = kit::Noise::new(7);
    for (name, bytes) in samples() {
        if bytes.is_empty() {
            continue;
        }
        let rounds = if bytes.len() < 8_192 { 200 } else { 12 };
        for _ in 0..rounds {
            let mut damaged = bytes.clone();
            for _ in 0..=noise.below(6) {
                let at = noise.below(damaged.len());
                damaged[at] = match noise.below(4) {
                    0 => 0xFF,
                    1 => 0x7F,
                    2 => 0,
                    _ => noise.byte(256),
                };
            }
            // It holds the outcome to what is promised of any file.
            let outcome = exercise(&name, &damaged, true);
            assert_eq!(outcome.opened, outcome.refusal.is_empty(), "{name}: {outcome:?}");
        }
    }
}

/// Every aligned 32-bit number of the small samples set to the values that counts and sizes go wrong with.
#[test]
fn every_count_at_its_worst_gives_a_document_or_an_error() {
    for (name, bytes) in samples().into_iter().filter(|(_, b)| b.len() < 4_096) {
        for at in (0..bytes.len().saturating_sub(3)).step_by(4) {
            for worst in [i32::MAX, i32::MIN, -1, 0, 0x1000_0000] {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&worst.to_le_bytes());
                let outcome = exercise(&name, &damaged, false);
                assert_eq!(outcome.opened, outcome.refusal.is_empty(), "{name}: {outcome:?}");
            }
        }
    }
}

#[test]
fn nothing_needs_a_deep_stack() {
    let outcomes = || -> Vec<_> { samples().iter().map(|(name, bytes)| exercise(name, bytes, true)).collect() };
    let small = std::thread::Builder::new().name("small stack".into()).stack_size(512 << 10);
    let on_small = small.spawn(outcomes).unwrap().join().unwrap();
    assert_eq!(on_small, outcomes());
}

#[test]
fn every_code_is_named_after_a_family_and_explained() {
    let mut seen = std::collections::HashSet::new();
    for format in FORMATS.iter() {
        for code in format.info().codes {
            assert!(code.id.contains('.') && code.id == code.id.to_lowercase(), "{}", code.id);
            assert!(code.meaning.ends_with('.') && code.meaning.len() > 20, "{}: {}", code.id, code.meaning);
            seen.insert(code.id);
        }
    }
    assert!(seen.len() >= 10, "the table of codes is short: {}", seen.len());
}
