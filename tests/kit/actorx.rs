//! The family's own test files, opened as the program opens them.

use super::open::{Loading, clip_in, model_in, open};
use bonebox::{
    bytes::Source,
    formats::{Content, FileRequest, FoundFile, LoadOptions, Resolver},
    scene::{Clip, Model},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

pub fn own() -> PathBuf {
    super::data().join("actorx")
}

/// The bytes of one of the project's files.
#[track_caller]
pub fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(own().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
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

/// The model of a file, whatever was found wrong on the way.
#[track_caller]
pub fn model_of(name: &str, bytes: Vec<u8>, options: LoadOptions) -> Arc<Model> {
    let opened = open(name, bytes);
    let (asset, _) =
        Loading { name, options, ..Loading::default() }.load(opened.document.as_ref(), opened.first(Content::Model));
    model_in(asset.unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// The clips of a file, with the sidecars of `folder`.
#[track_caller]
pub fn clips_of(name: &str, bytes: Vec<u8>, folder: &Path) -> Vec<Arc<Clip>> {
    let opened = open(name, bytes);
    let beside = Beside(folder.to_owned());
    let load = |entry| {
        let loading = Loading { name, resolver: &beside, ..Loading::default() };
        clip_in(loading.load(opened.document.as_ref(), entry).0.unwrap_or_else(|e| panic!("{name}: {e}")))
    };
    opened.document.outline().with_content(Content::Clip).map(|entry| load(entry.id)).collect()
}
