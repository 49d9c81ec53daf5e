//! Exports a model with all clips of another file as GLB.
//!
//! `cargo run --example to_gltf -- MODEL BANK OUT.glb`

use bonebox::{
    export::glb::{BoundClip, Glb, glb},
    formats::{Asset, Content, LoadOptions},
    library::{OpenFile, OpenOptions},
    scene::{Binding, BindingOptions},
};
use std::{env, error::Error, fs, path::Path, sync::atomic::AtomicBool};

/// Loading can be cancelled from another thread. This example never cancels.
static NEVER: AtomicBool = AtomicBool::new(false);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, bank, out] = arguments.as_slice() else {
        return Err("usage: to_gltf MODEL BANK OUT.glb".into());
    };
    let written = to_gltf(Path::new(model), Path::new(bank))?;
    // Data that glTF does not support.
    written.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Ok(fs::write(out, written.bytes)?)
}

/// Exports the first model of a file with the clips of another file.
///
/// # Errors
/// Returns an error if a file cannot be opened or decoded, the model is missing, or glTF does not support the model.
pub fn to_gltf(model: &Path, bank: &Path) -> Result<Glb, Box<dyn Error>> {
    let models = assets(&OpenOptions::new().open(model)?, Content::Model)?;
    let Some(Asset::Model(model)) = models.first() else { return Err("the file contains no model".into()) };
    let clips = assets(&OpenOptions::new().open(bank)?, Content::Clip)?;
    let clips = clips.iter().filter_map(|asset| if let Asset::Clip(clip) = asset { Some(clip) } else { None });
    // Bind each clip to the model, and skip clips that do not move it.
    let bound = clips.map(|clip| (clip, Binding::new(clip, model, BindingOptions::default())));
    let bound: Vec<_> = bound.filter(|(_, binding)| binding.fit.any()).collect();
    let bound: Vec<BoundClip<'_>> = bound.iter().map(|(clip, binding)| BoundClip { clip, binding }).collect();
    Ok(glb(model, &bound)?)
}

/// Decodes all entries of a file with this content.
fn assets(file: &OpenFile, content: Content) -> Result<Vec<Asset>, Box<dyn Error>> {
    let entries = file.entries_with(content).into_iter();
    entries.map(|entry| Ok(file.load(entry, LoadOptions::default(), &NEVER)?.asset)).collect()
}
