//! Exports a model with all clips of another file as GLB.
//!
//! `cargo run --example to_gltf -- MODEL BANK OUT.glb`

use bonebox::{
    export::glb::{BoundClip, Glb, glb},
    library::OpenOptions,
    scene::{Binding, BindingOptions},
};
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, bank, out] = arguments.as_slice() else { return Err("usage: to_gltf MODEL BANK OUT.glb".into()) };
    let written = to_gltf(Path::new(model), Path::new(bank))?;
    // Print notes about data that glTF does not support.
    written.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Ok(fs::write(out, written.bytes)?)
}

/// Exports the first model of a file with the clips of another file.
///
/// # Errors
/// Returns an error if a file cannot be opened or decoded, the model is missing, or glTF does not support the model.
pub fn to_gltf(model: &Path, bank: &Path) -> Result<Glb, Box<dyn Error>> {
    let (file, bank) = (OpenOptions::new().open(model)?, OpenOptions::new().open(bank)?);
    let model = file.load_model(file.models().next().ok_or("the file contains no model")?.id)?;
    let clips = bank.clips().map(|entry| bank.load_clip(entry.id)).collect::<Result<Vec<_>, _>>()?;
    // Bind each clip to the model, and skip clips that do not move it.
    let bound = clips.iter().map(|clip| (clip, Binding::new(clip, &model, BindingOptions::default())));
    let bound: Vec<_> = bound.filter(|(_, binding)| binding.fit.any()).collect();
    let bound: Vec<BoundClip<'_>> = bound.iter().map(|(clip, binding)| BoundClip { clip, binding }).collect();
    Ok(glb(&model, &bound)?)
}
