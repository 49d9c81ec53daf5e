//! Opens files that lie on no disk: bytes from memory, which find each other by a resolver of one's own.
//!
//! `cargo run --example own_archive -- FOLDER FILE` reads a folder into memory and opens the model of one of its files there. Instead of
//! the folder there could be an archive that only your game knows. (ZIP, 7z, PBO and others are opened by the library itself: a path
//! leads into them.)

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

/// Files by their names, in small letters: games do not tell `Wall.TGA` from `wall.tga`.
#[derive(Default)]
pub struct Archive(HashMap<String, Source>);

impl Archive {
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.insert(name.to_lowercase(), Source::from(bytes));
    }

    fn found(&self, name: &str) -> Option<FoundFile> {
        // A source is a handle: to clone it copies no bytes. The path is empty, since the file lies nowhere.
        let source = self.0.get(&name.to_lowercase())?.clone();
        Some(FoundFile { name: name.to_owned(), path: PathBuf::new(), source })
    }
}

impl Resolver for Archive {
    /// What a format looks for: a name without its extension, and the extensions that it may have, the best first.
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        request.extensions.iter().find_map(|extension| self.found(&format!("{}.{extension}", request.stem)))
    }

    /// A file that is named whole.
    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        self.found(name)
    }
}

/// The first model of a file of the archive.
///
/// # Errors
/// When there is no such file, it opens as nothing, or has no model.
pub fn model(archive: Arc<Archive>, name: &str) -> Result<Arc<Model>, Box<dyn Error>> {
    let source = archive.found(name).ok_or("there is no such file")?.source;
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
    let entry = document.outline().with_content(Content::Model).next().ok_or("there is no model in it")?.id;
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
        _ => Err("it shows as something else".into()),
    }
}
