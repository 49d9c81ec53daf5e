//! Exports all textures of a file as PNG, on all processor cores.
//!
//! `cargo run --example textures_to_png -- FILE FOLDER`

use bonebox::{
    export::{path::safe_name, png, still},
    formats::Entry,
    library::OpenOptions,
};
use rayon::prelude::*;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, folder] = arguments.as_slice() else { return Err("usage: textures_to_png FILE FOLDER".into()) };
    println!("{} textures", textures_to_png(Path::new(file), Path::new(folder))?);
    Ok(())
}

/// Writes the textures to an existing folder. Returns the number of files.
///
/// # Errors
/// Returns an error if the file or a texture cannot be read, or an image cannot be written.
pub fn textures_to_png(path: &Path, folder: &Path) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let file = OpenOptions::new().open(path)?;
    let entries: Vec<&Entry> = file.textures().collect();
    entries.par_iter().try_for_each(|entry| {
        // A texture may have several formats and mips, or be procedural. `still` returns the image that the window shows first.
        let (image, _) = still(&file.load_asset(entry.id)?)?;
        fs::write(folder.join(safe_name(&format!("{}.png", entry.path()))), png(&image)?)?;
        Ok::<(), Box<dyn Error + Send + Sync>>(())
    })?;
    Ok(entries.len())
}
