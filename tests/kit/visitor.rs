//! Opening Visitor projects in tests.

use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Content, Diagnostic, Diagnostics, Document, LoadContext, LoadOptions, NO_OVERRIDES, NoFiles,
        OpenContext, OpenError, Overrides, coverage::coverage,
    },
    scene::Terrain,
};
use std::sync::{Arc, atomic::AtomicBool};

/// An open project with what was found on the way.
pub struct Opened {
    pub document: Box<dyn Document>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn try_open(bytes: &[u8], overrides: &Overrides) -> Result<Opened, OpenError> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx =
        OpenContext { file: "test.pew", resolver: Arc::new(NoFiles), diagnostics: &mut diagnostics, limits, overrides };
    let document = formats::open(Source::new(bytes.to_vec()), &mut cx)?;
    Ok(Opened { document, diagnostics: diagnostics.finish() })
}

pub fn open(bytes: &[u8]) -> Opened {
    try_open(bytes, &NO_OVERRIDES).unwrap()
}

/// Opens with one thing read as it is wanted.
pub fn open_with(bytes: &[u8], id: &str, value: &str) -> Opened {
    try_open(bytes, &Overrides::from([(id.to_owned(), value.to_owned())])).unwrap()
}

impl Opened {
    pub fn codes(&self) -> Vec<&'static str> {
        self.diagnostics.iter().map(|d| d.code).collect()
    }

    /// What was chosen.
    pub fn reading(&self, id: &str) -> String {
        let choice = self.document.reading().iter().find(|choice| choice.id == id);
        choice.map(|choice| choice.value.clone()).unwrap_or_default()
    }

    pub fn terrain(&self) -> Arc<Terrain> {
        self.load().unwrap()
    }

    pub fn load(&self) -> Result<Arc<Terrain>, String> {
        let entries = self.document.outline().entries();
        let entry = entries.iter().find(|entry| entry.content == Content::Terrain).ok_or("no terrain")?;
        let cancel = AtomicBool::new(false);
        let mut diagnostics = Diagnostics::new(50);
        let mut cx = LoadContext {
            file: "test.pew",
            resolver: &NoFiles,
            diagnostics: &mut diagnostics,
            limits: Limits::default(),
            options: LoadOptions::default(),
            cancel: &cancel,
        };
        match self.document.load(entry.id, &mut cx) {
            Ok(Asset::Terrain(terrain)) => Ok(terrain),
            Ok(other) => Err(format!("{other:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Every byte is in one field of one entry, and what is opaque has a name of the family's list.
    pub fn assert_tiled(&self, what: &str) {
        let read = coverage(self.document.as_ref());
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{what}");
        let known = self.document.format().opaque;
        for span in read.opaque {
            assert!(known.iter().any(|(name, _)| *name == span.name), "{what}: {span:?}");
        }
        for diagnostic in &self.diagnostics {
            let codes = self.document.format().codes;
            assert!(codes.iter().any(|code| code.id == diagnostic.code), "{what}: {}", diagnostic.code);
        }
    }
}
