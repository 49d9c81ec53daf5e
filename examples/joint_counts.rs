//! Prints the number of joints of each model in a folder of BMD files.
//!
//! `cargo run --example joint_counts -- FOLDER`

use bonebox::library::OpenOptions;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: joint_counts FOLDER")?;
    for (file, joints) in joint_counts(Path::new(&folder))? {
        println!("{file}: {joints}");
    }
    Ok(())
}

/// Returns the file name and the number of joints of each model, sorted by name.
///
/// # Errors
/// Returns an error if the folder or a model cannot be read.
pub fn joint_counts(folder: &Path) -> Result<Vec<(String, usize)>, Box<dyn Error>> {
    let mut counts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bmd")) {
            let file = OpenOptions::new().open(&path)?;
            for entry in file.models() {
                let model = file.load_model(entry.id)?;
                counts.push((file.name.clone(), model.skeleton.as_ref().map_or(0, |it| it.joints().len())));
            }
        }
    }
    counts.sort();
    Ok(counts)
}
