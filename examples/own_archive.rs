//! Opens a model from memory and finds its textures with a custom resolver. A resolver can read the archive format of a game.
//!
//! `cargo run --example own_archive -- FOLDER FILE` uses the files of a folder as the archive.

use bonebox::{
    bytes::Source,
    formats::{FileRequest, FoundFile, Resolver},
    library::OpenOptions,
    scene::Model,
};
use std::{collections::HashMap, env, error::Error, fs, path::PathBuf, sync::Arc};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, name] = arguments.as_slice() else { return Err("usage: own_archive FOLDER FILE".into()) };
    let mut files = HashMap::new();
    for file in fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()) {
        files.insert(file.file_name().unwrap_or_default().to_string_lossy().to_lowercase(), fs::read(&file)?.into());
    }
    let model = model(Archive(files), &name.to_lowercase())?;
    println!("{}: {} triangles, {} images", model.name, model.triangle_count(), model.images.len());
    Ok(())
}

/// Files in memory. The keys are file names in lower case.
pub struct Archive(pub HashMap<String, Source>);

impl Resolver for Archive {
    // A request contains a file name without extension, and a list of extensions to try in this order.
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile> {
        let mut names = request.extensions.iter().map(|it| format!("{}.{it}", request.stem).to_lowercase());
        names.find_map(|name| Some(FoundFile { source: self.0.get(&name)?.clone(), name, path: PathBuf::new() }))
    }
}

/// Loads the first model of a file in the archive.
pub fn model(archive: Archive, name: &str) -> Result<Arc<Model>, Box<dyn Error>> {
    let source = archive.0.get(name).ok_or("no such file")?.clone();
    let file = OpenOptions::new().resolver(Arc::new(archive)).open_source(name, source)?;
    Ok(file.load_model(file.models().next().ok_or("the file contains no model")?.id)?)
}
