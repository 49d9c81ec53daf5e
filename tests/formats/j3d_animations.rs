//! J3D animations: what files hold byte by byte, and what their clips say at frames.

use crate::kit::{
    self,
    j3d::{self, assert_cut, assert_kept, left_of},
    open::{clip_in, codes, open, open_whole},
};
use bonebox::{
    formats::{Children, Content, EntryId},
    scene::{Clip, Keys, LoopMode},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

const EXTENSIONS: [&str; 12] = ["bck", "bca", "btk", "btp", "brk", "bpk", "bpa", "bva", "blk", "bla", "bxk", "bxa"];

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn clip_of(path: &Path) -> Arc<Clip> {
    clip_in(open(name(path), std::fs::read(path).unwrap()).asset(EntryId::FILE))
}

/// The animations in a folder.
fn animations(folder: &Path) -> Vec<PathBuf> {
    let of_kind = |path: &PathBuf| {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        EXTENSIONS.contains(&extension)
    };
    kit::files_below(folder).into_iter().filter(of_kind).collect()
}

#[test]
fn every_byte_of_good_files_is_read_once() {
    let mut files = animations(&j3d::own());
    assert_eq!(files.len(), 13);
    if let Some(corpus) = kit::corpus_beside() {
        files.extend(animations(&corpus.join("j3d/ddd")));
        assert_eq!(files.len(), 26);
    }
    for path in files {
        let opened = open_whole(name(&path), std::fs::read(&path).unwrap());
        let clip = clip_in(opened.asset(EntryId::FILE));
        assert!(!clip.channels.is_empty() && clip.rate_is_assumed, "{}", opened.name);
        assert_eq!(clip.name, opened.name.rsplit_once('.').unwrap().0);
        assert_eq!(opened.document.outline().get(EntryId::FILE).unwrap().content, Content::Clip);
    }
}

#[test]
fn each_thing_that_moves_is_an_entry_with_its_keys() {
    let parts = |file: &str| {
        let document = open(file, std::fs::read(j3d::own().join(file)).unwrap()).document;
        let outline = document.outline();
        let parts = outline.entries().iter().filter(|e| e.parent.is_some_and(|p| p != EntryId::FILE));
        let paths: Vec<String> = parts.map(|e| e.path().into_owned()).collect();
        let entry = outline.find(&paths[0]).unwrap().id;
        let fields = document.fields(entry).unwrap().fields;
        assert!(!fields.is_empty() && fields.iter().all(|f| f.mirror), "{file}");
        (paths, fields)
    };
    let (paths, fields) = parts("arm_wave.bck");
    assert_eq!(paths, ["ANK1/joint 0", "ANK1/joint 1", "ANK1/joint 2"]);
    let keys = fields.iter().find(|f| f.name == "RotationZKeys").unwrap();
    let Children::Table(rows) = &keys.children else { panic!("{keys:?}") };
    let Children::Fields(key) = rows.row(1).unwrap().children else { panic!() };
    assert_eq!(key.iter().map(|f| &*f.name).collect::<Vec<_>>()[..2], ["Time", "Value"]);
    assert_eq!(parts("arm_maya.btk").0, ["TTK1/mat_body matrix 0", "TTK1/mat_bb matrix 0"]);
    assert_eq!(parts("arm.btp").0, ["TPT1/mat_body texture 0", "TPT1/mat_bb texture 0"]);
    assert_eq!(parts("arm.bpk").0, ["PAK1/mat_body"]);
    assert_eq!(parts("arm.bva").0, ["VAF1/shape 0", "VAF1/shape 1"]);
    assert_eq!(parts("arm.blk").0, ["CLK1/cluster 0", "CLK1/cluster 1"]);
    assert_eq!(parts("arm.bla").0, ["CLF1/cluster 0"]);
    assert_eq!(parts("arm_full.bca").0.len(), 3);
    assert!(parts("arm.brk").0.contains(&"TRK1/mat_bb C0".to_owned()));
}

#[test]
fn loop_modes_lengths_and_joints_are_the_headers() {
    for (file, mode, frames, joints) in [
        ("arm_wave.bck", LoopMode::Loop, 40, 3),
        ("arm_two_joints.bck", LoopMode::OnceForthAndBack, 40, 2),
        ("arm_wave_shift4.bck", LoopMode::PingPong, 40, 3),
        ("arm_wave_shift0_once.bck", LoopMode::Once, 40, 3),
        ("arm.bla", LoopMode::Once, 5, 0),
        ("arm.bva", LoopMode::Loop, 12, 0),
    ] {
        let clip = clip_of(&j3d::own().join(file));
        assert_eq!((clip.default_loop, clip.frame_count, clip.joints.len()), (mode, frames, joints), "{file}");
    }
}

#[test]
fn files_cut_anywhere_do_no_harm() {
    for path in animations(&j3d::own()) {
        let (bytes, name) = (std::fs::read(&path).unwrap(), name(&path));
        let whole = open(name, bytes.as_slice());
        let clip = clip_in(whole.asset(EntryId::FILE));
        for length in 0..bytes.len() {
            let what = format!("{name} cut at {length}");
            let Some(left) = left_of(name, &bytes[..length]) else {
                assert!(length < 32, "{what}");
                continue;
            };
            assert_cut(&whole, &left, length);
            let Some((_, asset)) = left.shown.first() else { continue };
            let read = clip_in(asset.clone());
            // What is read of a channel is how it began.
            for channel in &read.channels {
                let of_whole = clip.channels.iter().find(|c| c.target == channel.target);
                let keys = &channel.sampler.keys;
                let begins = of_whole.is_some_and(|c| begins_with(&c.sampler.keys, keys));
                assert!(begins, "{what}: {keys:?} of {of_whole:?}");
            }
            assert!(read.channels.len() <= clip.channels.len(), "{what}");
            assert_eq!((read.frame_count, read.default_loop), (clip.frame_count, clip.default_loop), "{what}");
            // Nothing but what fills up is lost.
            if left.codes().len() == 2 {
                let counts = |clip: &Clip| clip.channels.iter().map(|c| c.sampler.keys.len()).collect::<Vec<_>>();
                assert_eq!(counts(&read), counts(&clip), "{what}");
            }
        }
    }
}

/// Whether keys are the first ones of others.
fn begins_with(all: &Keys, first: &Keys) -> bool {
    match (all, first) {
        (Keys::Hermite(all), Keys::Hermite(first)) => all.starts_with(first),
        (Keys::Scalar(all), Keys::Scalar(first)) => all.starts_with(first),
        (Keys::Vec3(all), Keys::Vec3(first)) => all.starts_with(first),
        (Keys::Frames(all), Keys::Frames(first)) => first <= all,
        _ => false,
    }
}

#[test]
fn every_number_at_its_largest_does_no_harm() {
    let mut seen = BTreeSet::new();
    for path in animations(&j3d::own()) {
        let (bytes, name) = (std::fs::read(&path).unwrap(), name(&path));
        let whole = open(name, bytes.as_slice());
        for at in (8..bytes.len() - 4).step_by(2) {
            for (size, value) in [(2, 0xFF), (4, 0xFF), (2, 0x7F), (4, 0)] {
                let mut damaged = bytes.clone();
                damaged[at..at + size].fill(value);
                let left = left_of(name, &damaged).unwrap_or_else(|| panic!("{name} damaged at {at}"));
                assert_kept(&whole, &left, at);
                seen.extend(left.codes());
            }
        }
    }
    for code in [
        "j3d.animated-slot",
        "j3d.bad-chunk",
        "j3d.bad-names",
        "j3d.chunk-count",
        "j3d.chunk-size",
        "j3d.cut-table",
        "j3d.file-size",
        "j3d.loop-mode",
        "j3d.name-count",
        "j3d.not-finite",
        "j3d.post-matrices",
        "j3d.track-bounds",
        "j3d.unknown-chunk",
    ] {
        assert!(seen.contains(code), "{code} is not among {seen:?}");
    }
}

/// Keys of each track of [`flood`].
const KEYS: u16 = 20_000;

/// A clip whose tracks all share one bank of keys.
pub fn flood() -> Vec<u8> {
    let (joints, keys) = (600_u16, KEYS);
    let mut chunk = b"ANK1".to_vec();
    chunk.extend(0_u32.to_be_bytes());
    chunk.extend([2, 0, 0, 60]);
    for number in [joints, 0, 60_000, 0] {
        chunk.extend(number.to_be_bytes());
    }
    let table = 0x24_u32;
    let bank = table + u32::from(joints) * 54;
    for offset in [table, bank, bank, bank] {
        chunk.extend(offset.to_be_bytes());
    }
    for _ in 0..joints {
        for part in 0..9_u16 {
            let count = if part % 3 == 1 { keys } else { 0 };
            for number in [count, 0, 0] {
                chunk.extend(number.to_be_bytes());
            }
        }
    }
    chunk.extend(vec![0; 120_000]);
    let size = (chunk.len() as u32).to_be_bytes();
    chunk[4..8].copy_from_slice(&size);
    let mut file = b"J3D1bck1".to_vec();
    file.extend((chunk.len() as u32 + 0x20).to_be_bytes());
    file.extend(1_u32.to_be_bytes());
    file.extend([0xFF; 16]);
    file.extend(chunk);
    file
}

/// A BCK whose joints all share one long bank: keys must not be multiplied without bound.
#[test]
fn tracks_that_share_keys_cannot_flood() {
    let (clip, found) = open("flood.bck", flood()).load(EntryId::FILE);
    assert!(codes(&found).contains(&"j3d.key-flood"), "{found:?}");
    assert_eq!(clip_in(clip.unwrap()).channels.len(), (1 << 21) / usize::from(KEYS));
}
