//! Where the samples are.

use std::path::{Path, PathBuf};

/// The folder of samples: beside the program, where it is installed, or in the checkout it was built from.
pub fn folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok();
    let beside = program.as_ref().and_then(|p| Some(p.parent()?.join("samples")));
    let installed = program.as_ref().and_then(|p| Some(p.parent()?.parent()?.join("share/bonebox/samples")));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    [beside, installed, Some(source)].into_iter().flatten().find(|p| p.is_dir())
}

/// The samples that a format opens, by name.
pub fn files() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|path| {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        crate::formats::FORMATS.iter().any(|f| f.info().extensions.contains(&extension.as_str()))
    });
    files.sort();
    files
}
