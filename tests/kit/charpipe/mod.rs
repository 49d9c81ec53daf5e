//! What tests of made character-pipeline files share: opening bytes, models of any shape, and their poses in double precision.

pub mod described;
pub mod files;

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
