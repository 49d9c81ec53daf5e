//! J3D animations: what files hold byte by byte, and what their clips say at frames.

use crate::kit;
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Children, Content, Diagnostic, Diagnostics, Document, EntryId, Field, LoadContext, LoadOptions,
        NoFiles, OpenContext, Severity, coverage::coverage,
    },
    scene::{Clip, Keys, LoopMode},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

const EXTENSIONS: [&str; 12] = ["bck", "bca", "btk", "btp", "brk", "bpk", "bpa", "bva", "blk", "bla", "bxk", "bxa"];

fn open(name: &str, bytes: Vec<u8>) -> Result<(Box<dyn Document>, Vec<Diagnostic>), String> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::new(bytes), &mut cx).map_err(|e| e.to_string())?;
    Ok((document, diagnostics.finish()))
}

fn clip(name: &str, document: &dyn Document) -> Result<(Arc<Clip>, Vec<Diagnostic>), String> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let cancel = AtomicBool::new(false);
    let mut cx = LoadContext {
        file: name,
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    match document.load(EntryId::FILE, &mut cx).map_err(|e| e.to_string())? {
        Asset::Clip(clip) => Ok((clip, diagnostics.finish())),
        other => Err(format!("{other:?}")),
    }
}

fn clip_of(path: &Path) -> Arc<Clip> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (document, _) = open(name, std::fs::read(path).unwrap()).unwrap();
    clip(name, document.as_ref()).unwrap().0
}

/// The animations of the corpus.
fn animations(folder: &Path) -> Vec<PathBuf> {
    let of_kind = |path: &PathBuf| {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        EXTENSIONS.contains(&extension)
    };
    kit::files_below(folder).into_iter().filter(of_kind).collect()
}

#[test]
fn every_byte_of_good_files_is_read_once() {
    let Some(corpus) = kit::corpus() else { return };
    let files = animations(&corpus.join("j3d"));
    assert_eq!(files.len(), 26);
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (document, mut findings) = open(name, std::fs::read(&path).unwrap()).unwrap();
        let covered = coverage(document.as_ref());
        assert!(covered.unread.is_empty() && covered.doubled.is_empty(), "{name}: {covered:?}");
        let (clip, of_clip) = clip(name, document.as_ref()).unwrap();
        findings.extend(of_clip);
        let bad: Vec<_> = findings.iter().filter(|d| d.severity > Severity::Info).collect();
        assert!(bad.is_empty(), "{name}: {bad:?}");
        assert!(!clip.channels.is_empty() && clip.rate_is_assumed, "{name}");
        assert_eq!(clip.name, name.rsplit_once('.').unwrap().0);
        assert_eq!(document.outline().get(EntryId::FILE).unwrap().content, Content::Clip);
    }
}

#[test]
fn each_thing_that_moves_is_an_entry_with_its_keys() {
    let Some(corpus) = kit::corpus() else { return };
    let synth = corpus.join("j3d/synth");
    let parts = |file: &str| {
        let (document, _) = open(file, std::fs::read(synth.join(file)).unwrap()).unwrap();
        let outline = document.outline();
        let parts = outline.entries().iter().filter(|e| e.parent.is_some_and(|p| p != EntryId::FILE));
        let paths: Vec<String> = parts.map(|e| e.path.clone()).collect();
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
    let Some(corpus) = kit::corpus() else { return };
    let synth = corpus.join("j3d/synth");
    for (file, mode, frames, joints) in [
        ("arm_wave.bck", LoopMode::Loop, 40, 3),
        ("arm_two_joints.bck", LoopMode::OnceForthAndBack, 40, 2),
        ("arm_wave_shift4.bck", LoopMode::PingPong, 40, 3),
        ("arm_wave_shift0_once.bck", LoopMode::Once, 40, 3),
        ("arm.bla", LoopMode::Once, 5, 0),
        ("arm.bva", LoopMode::Loop, 12, 0),
    ] {
        let clip = clip_of(&synth.join(file));
        assert_eq!((clip.default_loop, clip.frame_count, clip.joints.len()), (mode, frames, joints), "{file}");
    }
}

/// Opens, reads every field, and makes the clip.
fn exercise(name: &str, bytes: Vec<u8>) {
    let Ok((document, _)) = open(name, bytes) else { return };
    for entry in document.outline().entries() {
        let fields = document.fields(entry.id).map(|t| t.fields).unwrap_or_default();
        fields.iter().for_each(read_rows);
    }
    let Ok((clip, _)) = clip(name, document.as_ref()) else { return };
    let keys: usize = clip.channels.iter().map(|c| c.sampler.keys.len()).sum();
    assert!(keys <= (1 << 21) + clip.channels.len(), "{keys} keys");
    for channel in &clip.channels {
        assert!(
            channel.sampler.scalar(1.5, None).is_none_or(f32::is_finite)
                || matches!(channel.sampler.keys, Keys::Hermite(_))
        );
    }
}

fn read_rows(field: &Field) {
    match &field.children {
        Children::None => {}
        Children::Fields(fields) => fields.iter().for_each(read_rows),
        Children::Table(table) => (0..table.len().min(64)).filter_map(|i| table.row(i)).for_each(|row| read_rows(&row)),
    }
}

#[test]
fn files_cut_anywhere_do_no_harm() {
    let Some(corpus) = kit::corpus() else { return };
    for path in animations(&corpus.join("j3d/synth")) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        for length in 0..bytes.len() {
            exercise(name, bytes[..length].to_vec());
        }
    }
}

#[test]
fn every_number_at_its_largest_does_no_harm() {
    let Some(corpus) = kit::corpus() else { return };
    for path in animations(&corpus.join("j3d/synth")) {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        for at in (8..bytes.len() - 4).step_by(2) {
            for (size, value) in [(2, 0xFF), (4, 0xFF), (2, 0x7F), (4, 0)] {
                let mut damaged = bytes.clone();
                damaged[at..at + size].fill(value);
                exercise(name, damaged);
            }
        }
    }
}

/// A BCK whose joints all share one long bank: keys must not be multiplied without bound.
#[test]
fn tracks_that_share_keys_cannot_flood() {
    let (joints, keys) = (600_u16, 20_000_u16);
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
    let (document, _) = open("flood.bck", file).unwrap();
    let (clip, findings) = clip("flood.bck", document.as_ref()).unwrap();
    assert!(findings.iter().any(|d| d.code == "j3d.key-flood"), "{findings:?}");
    assert_eq!(clip.channels.len(), (1 << 21) / usize::from(keys));
}
