//! Opens files from memory that find each other through a custom resolver.
//!
//! `cargo run --example own_archive -- FOLDER FILE` reads a folder into memory and opens the model of one of its files. The
//! folder could be replaced by your game's own archive format. (The library opens ZIP, 7z, PBO and others itself: paths continue into
//! them.)

use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Content, Diagnostics, FileRequest, FoundFile, LoadContext, LoadOptions, NO_OVERRIDES, OpenContext,
        Resolver,
    },
    scene::Model,
};
use std::{
    collections::HashMap,
    env,
    error::Error,
    fs,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, name] = arguments.as_slice() else { return Err("usage: own_archive FOLDER FILE".into()) };
    let mut archive = Archive::default();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_file()) {
            archive.add(name, fs::read(&path)?);
        }
    }
    let model = model(Arc::new(archive), name)?;
    let triangles: usize = model.meshes.iter().map(|mesh| mesh.indices.len() / 3).sum();
    println!("{}: {triangles} triangles, {} images", model.name, model.images.len());
    model.missing.iter().for_each(|missing| eprintln!("note: {missing}"));
    Ok(())
}

/// Files by their names in lower case, because games do not distinguish `Wall.TGA` from `wall.tga`.
#[derive(Default)]
pub struct Archive(HashMap<String, Source>);

impl Archive {
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.insert(name.to_lowercase(), Source::from(bytes));
    }

    fn found(&self, name: &str) -> Option<FoundFile> {
        // A source is a handle: cloning it copies no bytes. The path is empty, because the file is not on disk.
        let source = self.0.get(&name.to_lowercase())?.clone();
        Some(FoundFile { name: name.to_owned(), path: PathBuf::new(), source })
    }
}

impl Resolver for Archive {
    /// Finds a file by its name without extension and a list of possible extensions, the best first.
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        request.extensions.iter().find_map(|extension| self.found(&format!("{}.{extension}", request.stem)))
    }

    /// Finds a file by its complete name.
    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        self.found(name)
    }
}

/// Loads the first model of a file in the archive.
///
/// # Errors
/// Returns an error if the file is missing, has an unknown format or contains no model.
pub fn model(archive: Arc<Archive>, name: &str) -> Result<Arc<Model>, Box<dyn Error>> {
    let source = archive.found(name).ok_or("no such file")?.source;
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut opening = OpenContext {
        file: name,
        resolver: archive.clone(),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &NO_OVERRIDES,
    };
    let document = formats::open(source, &mut opening)?;
    let entry = document.outline().with_content(Content::Model).next().ok_or("the file contains no model")?.id;
    let mut loading = LoadContext {
        file: name,
        resolver: &*archive,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &AtomicBool::new(false),
    };
    match document.load(entry, &mut loading)? {
        Asset::Model(model) => Ok(model),
        _ => Err("the entry is not a model".into()),
    }
}
