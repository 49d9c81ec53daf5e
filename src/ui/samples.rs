//! Where the samples are.

use std::path::{Path, PathBuf};

/// One of each family, for lists that have no room for all.
const FIRST: [&str; 6] = ["Ossie.psk", "BoneRoom.unr", "Bonebox.szs", "Helix.model", "MarrowIsle.pew", "BoneTune.umx"];

/// Where they are on the disk of a page.
pub const PAGE: &str = "/samples";

/// The folder of samples: beside the program, where it is installed, in the bundle of macOS, or in the checkout it was built from.
pub fn folder() -> Option<PathBuf> {
    // The page puts them there.
    if cfg!(target_arch = "wasm32") {
        return Some(PathBuf::from(PAGE));
    }
    let program = std::env::current_exe().ok();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
    program.iter().flat_map(|p| places(p)).chain([source]).find(|p| crate::files::is_dir(p))
}

/// Where the samples of a program can be: beside it, below the prefix that it is installed in, in the bundle that it is part of.
fn places(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let from_above = ["share/bonebox/samples", "Resources/samples"];
    let above = folder.parent().into_iter().flat_map(|above| from_above.map(|place| above.join(place)));
    std::iter::once(folder.join("samples")).chain(above).collect()
}

/// The samples that a format opens: one of each family, then the others by name.
pub fn files() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        crate::files::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|path| {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let mut own = crate::formats::FORMATS.iter().filter(|format| !format.stands_beside_others());
        own.any(|format| format.info().extensions.contains(&extension.as_str()))
    });
    files.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default();
        (FIRST.iter().position(|first| name == *first).unwrap_or(FIRST.len()), path.clone())
    });
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_looked_for_beside_the_program_below_its_prefix_and_in_its_bundle() {
        let of = |program: &str| places(Path::new(program));
        assert_eq!(
            of("/Applications/Bonebox.app/Contents/MacOS/bonebox")[2],
            Path::new("/Applications/Bonebox.app/Contents/Resources/samples")
        );
        assert_eq!(
            of("/usr/bin/bonebox")[..2],
            [Path::new("/usr/bin/samples"), Path::new("/usr/share/bonebox/samples")]
        );
        assert_eq!(of("/bonebox"), [Path::new("/samples")]);
        assert!(of("/").is_empty());
    }

    #[test]
    fn one_of_each_family_comes_first() {
        let folder = folder().unwrap();
        assert_eq!(FIRST.map(|name| (name, folder.join(name).is_file())), FIRST.map(|name| (name, true)));
        let files = files();
        let first = |path: &PathBuf| FIRST.iter().any(|name| path.ends_with(name));
        let count = files.iter().filter(|path| first(path)).count();
        assert!(count >= 5 && files.iter().take(count).all(first), "{files:?}");
        assert!(files[count..].is_sorted(), "{files:?}");
    }
}
