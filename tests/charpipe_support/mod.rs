//! What tests of made character-pipeline files share: opening bytes, models of any shape, and their poses in double precision.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod described;

use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Diagnostic, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext,
        Severity, coverage::coverage,
    },
    scene::{Clip, Model},
};
use std::sync::{Arc, atomic::AtomicBool};

/// Opens bytes; nothing may be amiss and no byte left unread.
pub fn open_whole(name: &str, bytes: &[u8]) -> Box<dyn Document> {
    let (document, findings) = open(name, bytes);
    let bad: Vec<&Diagnostic> = findings.iter().filter(|d| d.severity > Severity::Info).collect();
    assert!(bad.is_empty(), "{name}: {bad:?}");
    let read = coverage(document.as_ref());
    assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{name}");
    document
}

/// Opens bytes and checks every entry.
pub fn open(name: &str, bytes: &[u8]) -> (Box<dyn Document>, Vec<Diagnostic>) {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::new(bytes.to_vec()), &mut cx).unwrap_or_else(|e| panic!("{name}: {e}"));
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
    }
    (document, diagnostics.finish())
}

/// Loads an entry; nothing may be amiss.
pub fn load(document: &dyn Document, entry: EntryId) -> Asset {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = LoadContext {
        file: "made.model",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &AtomicBool::new(false),
    };
    let asset = document.load(entry, &mut cx).unwrap();
    let bad: Vec<&Diagnostic> = diagnostics.as_slice().iter().filter(|d| d.severity > Severity::Info).collect();
    assert!(bad.is_empty(), "{bad:?}");
    asset
}

/// The model of a whole file.
pub fn model(name: &str, bytes: &[u8]) -> Arc<Model> {
    match load(open_whole(name, bytes).as_ref(), EntryId::FILE) {
        Asset::Model(model) => model,
        other => panic!("{name}: {other:?}"),
    }
}

/// The clips of a whole file.
pub fn clips(name: &str, bytes: &[u8]) -> Vec<Arc<Clip>> {
    let document = open_whole(name, bytes);
    let entries = document.outline().entries().iter();
    let clips = entries.filter(|entry| entry.content == formats::Content::Clip).map(|entry| entry.id);
    let clip = |entry| match load(document.as_ref(), entry) {
        Asset::Clip(clip) => clip,
        other => panic!("{name}: {other:?}"),
    };
    clips.map(clip).collect()
}

/// Numbers that look random and are the same in every run.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        let mut noise = Self(seed.wrapping_mul(0xD129_0DDB_53C4_3E49) ^ 0x9E37_79B9_7F4A_7C15);
        (0..8).for_each(|_| _ = noise.next());
        noise
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 0 to `end` less 1.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    /// From −1 to 1.
    pub fn unit(&mut self) -> f32 {
        self.below(20_001) as f32 / 10_000.0 - 1.0
    }

    pub fn vector(&mut self) -> [f32; 3] {
        std::array::from_fn(|_| self.unit())
    }

    /// Of unit length.
    pub fn quaternion(&mut self) -> [f32; 4] {
        let q = glam::Quat::from_xyzw(self.unit(), self.unit(), self.unit(), self.unit() + 1.1);
        q.normalize().to_array()
    }
}
