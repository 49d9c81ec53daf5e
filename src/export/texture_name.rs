//! What the files of textures beside a model are called.

use super::path::safe_name;
use crate::formats::file_name;

/// Endings of picture files, which are no part of a texture's name.
const ENDINGS: [&str; 6] = ["png", "tga", "bmp", "dds", "paa", "bti"];

/// A name for the file of a texture, without ending: that of the texture without its folders. Dots in it are its own.
pub fn texture_stem(name: &str) -> String {
    safe_name(without_ending(file_name::last_part(name)))
}

fn without_ending(name: &str) -> &str {
    let stem = file_name::stem(name);
    let ending = name.get(stem.len()..).unwrap_or_default().trim_start_matches('.');
    if ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)) { stem } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_endings_go() {
        for (name, stem) in [
            ("ca\\plants\\t_oak.paa", "t_oak"),
            ("skins/Face.PNG", "Face"),
            ("Metal.Walls.Rust", "Metal.Walls.Rust"),
            ("..", "unnamed"),
            ("a/CON.png", "_CON"),
            ("what?", "what_"),
        ] {
            assert_eq!(texture_stem(name), stem, "{name}");
        }
    }
}
