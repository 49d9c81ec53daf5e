//! Opening and loading bytes as the program does, without its library. What a test does not say is the default.

use bonebox::{
    bytes::{Cancel, Limits, Source},
    formats::{
        self, Asset, Content, Diagnostic, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NO_OVERRIDES,
        NoFiles, OpenContext, OpenError, Overrides, ReadError, Resolver, Severity,
        coverage::{Span, coverage},
    },
    library::OpenFile,
    scene::{Clip, Model, Picture},
};
use std::sync::Arc;

/// How a file is opened. `Opening::of("x.psk").open(bytes)`.
pub struct Opening<'a> {
    pub name: &'a str,
    pub limits: Limits,
    pub resolver: Arc<dyn Resolver>,
    pub overrides: &'a Overrides,
}

impl<'a> Opening<'a> {
    pub fn of(name: &'a str) -> Self {
        Self { name, limits: Limits::default(), resolver: Arc::new(NoFiles), overrides: &NO_OVERRIDES }
    }

    pub fn open(self, bytes: impl Into<Vec<u8>>) -> Result<Opened, OpenError> {
        self.open_source(Source::from(bytes.into()))
    }

    pub fn open_source(self, source: Source) -> Result<Opened, OpenError> {
        let Self { name, limits, resolver, overrides } = self;
        let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
        let mut cx = OpenContext { file: name, resolver, diagnostics: &mut diagnostics, limits, overrides };
        let document = formats::open(source, &mut cx)?;
        Ok(Opened { name: name.to_owned(), document, diagnostics: diagnostics.finish() })
    }
}

/// How an entry is loaded.
pub struct Loading<'a> {
    pub name: &'a str,
    pub resolver: &'a dyn Resolver,
    pub limits: Limits,
    pub options: LoadOptions,
    pub cancel: &'a Cancel,
}

impl Default for Loading<'_> {
    fn default() -> Self {
        let (limits, options) = (Limits::default(), LoadOptions::default());
        Self { name: "test", resolver: &NoFiles, limits, options, cancel: Cancel::never() }
    }
}

impl Loading<'_> {
    /// The asset, and what was found wrong on the way.
    pub fn load(self, document: &dyn Document, entry: EntryId) -> (Result<Asset, ReadError>, Vec<Diagnostic>) {
        let Self { name, resolver, limits, options, cancel } = self;
        let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
        let mut cx = LoadContext { file: name, resolver, diagnostics: &mut diagnostics, limits, options, cancel };
        let asset = document.load(entry, &mut cx);
        (asset, diagnostics.finish())
    }
}

/// An open document and what was found wrong with it.
pub struct Opened {
    pub name: String,
    pub document: Box<dyn Document>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Opens bytes that some format must know.
#[track_caller]
pub fn open(name: &str, bytes: impl Into<Vec<u8>>) -> Opened {
    Opening::of(name).open(bytes).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Opens bytes that nothing is amiss with, in any entry, and of which no byte is left unread.
#[track_caller]
pub fn open_whole(name: &str, bytes: impl Into<Vec<u8>>) -> Opened {
    let opened = open(name, bytes).checked();
    opened.assert_sound();
    opened.assert_read();
    opened
}

/// Why nothing of these bytes can be opened; it names the file.
#[track_caller]
pub fn refusal(name: &str, bytes: impl Into<Vec<u8>>) -> String {
    let error = Opening::of(name).open(bytes).err().unwrap_or_else(|| panic!("{name} opens"));
    assert_eq!(error.file, name);
    error.to_string()
}

/// Loads an entry of a file of the library with what lies beside it, which must succeed.
#[track_caller]
pub fn load_of(file: &OpenFile, entry: EntryId) -> Asset {
    file.load_asset(entry).unwrap_or_else(|e| panic!("{}: {e}", file.name))
}

/// The model that an asset is.
#[track_caller]
pub fn model_in(asset: Asset) -> Arc<Model> {
    match asset {
        Asset::Model(model) => model,
        other => panic!("no model: {other:?}"),
    }
}

/// The clip that an asset is.
#[track_caller]
pub fn clip_in(asset: Asset) -> Arc<Clip> {
    match asset {
        Asset::Clip(clip) => clip,
        other => panic!("no clip: {other:?}"),
    }
}

/// The picture that an asset is.
#[track_caller]
pub fn picture_in(asset: Asset) -> Arc<Picture> {
    match asset {
        Asset::Picture(picture) => picture,
        other => panic!("no picture: {other:?}"),
    }
}

/// The codes of findings, in their order.
pub fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(|d| d.code).collect()
}

impl Opened {
    /// With what the check of every entry finds.
    pub fn checked(mut self) -> Self {
        let mut found = Diagnostics::new(Limits::default().diagnostics_per_code);
        for diagnostic in std::mem::take(&mut self.diagnostics) {
            found.add(diagnostic);
        }
        for entry in self.document.outline().entries() {
            self.document.check(entry.id, &mut found);
        }
        self.diagnostics = found.finish();
        self
    }

    pub fn codes(&self) -> Vec<&'static str> {
        codes(&self.diagnostics)
    }

    /// Nothing but remarks was found.
    #[track_caller]
    pub fn assert_sound(&self) {
        let bad: Vec<&Diagnostic> = self.diagnostics.iter().filter(|d| d.severity > Severity::Info).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", self.name);
    }

    /// Every byte is in one field of one entry, and what is opaque has a name of the family's list.
    #[track_caller]
    pub fn assert_read(&self) {
        let read = coverage(self.document.as_ref());
        assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{}", self.name);
        // Names of what the tables of a container do not lead to: there is none where a reader is not at fault.
        let free = read.opaque.iter().filter(|span| ["unlisted bytes", "bytes after the end"].contains(&span.name));
        assert_eq!(free.collect::<Vec<_>>(), Vec::<&Span>::new(), "{}", self.name);
    }

    /// The entry at a path.
    #[track_caller]
    pub fn entry(&self, path: &str) -> EntryId {
        let entry = self.document.outline().find(path);
        entry.unwrap_or_else(|| panic!("{} has no {path}", self.name)).id
    }

    /// The first entry with such content.
    #[track_caller]
    pub fn first(&self, content: Content) -> EntryId {
        let mut entries = self.document.outline().with_content(content);
        entries.next().unwrap_or_else(|| panic!("{} has no {content:?}", self.name)).id
    }

    /// Loads an entry; what was found wrong comes along.
    pub fn load(&self, entry: EntryId) -> (Result<Asset, ReadError>, Vec<Diagnostic>) {
        Loading { name: &self.name, ..Loading::default() }.load(self.document.as_ref(), entry)
    }

    /// As [`Self::load`]; what was found wrong joins what was found before.
    pub fn load_adding(&mut self, entry: EntryId) -> Result<Asset, ReadError> {
        let (asset, found) = self.load(entry);
        self.diagnostics.extend(found);
        asset
    }

    /// Loads an entry that nothing may be amiss with.
    #[track_caller]
    pub fn asset(&self, entry: EntryId) -> Asset {
        let (asset, found) = self.load(entry);
        let bad: Vec<&Diagnostic> = found.iter().filter(|d| d.severity > Severity::Info).collect();
        assert!(bad.is_empty(), "{}: {bad:?}", self.name);
        asset.unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }
}
