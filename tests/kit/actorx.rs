//! The family's own test files, opened as the program opens them.

use crate::kit;
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Content, Diagnostic, Diagnostics, Document, EntryId, FileRequest, FoundFile, LoadContext,
        LoadOptions, OpenContext, Resolver,
    },
    scene::{Clip, Model},
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

pub fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx")
}

/// The folder of files that are not the project's own; `None` where they are not at hand, which is printed.
pub fn corpus() -> Option<PathBuf> {
    Some(kit::corpus()?.join("actorx"))
}

/// The project's PSK and PSA files whose name fits, sorted.
pub fn files(fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(own())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "psk" || e == "psa"))
        .filter(|p| fits(p.file_name().unwrap().to_str().unwrap()))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

pub struct Beside(pub PathBuf);

impl Resolver for Beside {
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let extensions = request.extensions.iter();
        let path = extensions.map(|e| self.0.join(format!("{}.{e}", request.stem))).find(|p| p.is_file())?;
        let name = path.file_name()?.to_str()?.to_owned();
        Some(FoundFile { name, source: Source::from(std::fs::read(&path).ok()?), path })
    }
}

pub fn open_bytes(name: &str, bytes: Vec<u8>) -> Result<(Box<dyn Document>, Vec<Diagnostic>), String> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: std::sync::Arc::new(formats::NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::from(bytes), &mut cx).map_err(|e| e.to_string())?;
    Ok((document, diagnostics.finish()))
}

pub fn load_with(
    document: &dyn Document,
    entry: EntryId,
    name: &str,
    resolver: &dyn Resolver,
    options: LoadOptions,
) -> (Result<Asset, String>, Vec<Diagnostic>) {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let cancel = AtomicBool::new(false);
    let mut cx = LoadContext { file: name, resolver, diagnostics: &mut diagnostics, limits, options, cancel: &cancel };
    let asset = document.load(entry, &mut cx).map_err(|e| e.to_string());
    (asset, diagnostics.finish())
}

/// The model of a file, and what was found wrong on the way.
pub fn model_of(name: &str, bytes: Vec<u8>, options: LoadOptions) -> (Arc<Model>, Vec<Diagnostic>) {
    let (document, mut diagnostics) = open_bytes(name, bytes).unwrap();
    let entry = document.outline().with_content(Content::Model).next().expect("a model").id;
    let (asset, found) = load_with(&*document, entry, name, &formats::NoFiles, options);
    diagnostics.extend(found);
    let Ok(Asset::Model(model)) = asset else { panic!("{name} has no model") };
    (model, diagnostics)
}

/// A clip by its place in the file, with the sidecars of `folder`.
pub fn clip_of(name: &str, bytes: Vec<u8>, index: usize, folder: &Path) -> (Arc<Clip>, Vec<Diagnostic>) {
    let (document, mut diagnostics) = open_bytes(name, bytes).unwrap();
    let entry = document.outline().with_content(Content::Clip).nth(index).expect("a clip").id;
    let resolver = Beside(folder.to_owned());
    let (asset, found) = load_with(&*document, entry, name, &resolver, LoadOptions::default());
    diagnostics.extend(found);
    let Ok(Asset::Clip(clip)) = asset else { panic!("{name} has no clip {index}") };
    (clip, diagnostics)
}
