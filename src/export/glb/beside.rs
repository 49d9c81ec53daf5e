//! The files beside a `.gltf`: its numbers, and its pictures in a folder that other files may share.

use crate::export::{
    path::{UniqueNames, safe_name_with},
    texture_name::texture_stem,
    write::holds,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
};

/// The folder that pictures go into, beside the file that they belong to.
pub const TEXTURES: &str = "textures";

/// What stands in a URI as it is (RFC 3986, 2.3); the slash is what parts folders.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Bytes of a picture's SHA-256 that are in its name where many files share a folder.
const HASH_BYTES: usize = 4;

/// The files of a `.gltf` besides itself, as they come up. Each picture is there once, whatever its name.
#[derive(Clone, Debug)]
pub struct Beside {
    target: PathBuf,
    folder: PathBuf,
    is_shared: bool,
    names: UniqueNames,
    /// By the SHA-256 of their bytes.
    known: HashMap<[u8; 32], PathBuf>,
    pictures: Vec<(PathBuf, Vec<u8>)>,
    bytes: usize,
}

impl Beside {
    /// Beside `target`, the glTF file. Pictures go into `shared`, a folder that is filled by several exports at once and has the
    /// same root as `target`: there the bytes of a picture are a part of its name. Without it they go into `textures` beside the
    /// file, under their names, with a number where another picture has the name already.
    pub fn new(target: &Path, shared: Option<&Path>) -> Self {
        let folder = shared.map_or_else(|| target.with_file_name(TEXTURES), Path::to_owned);
        Self {
            target: target.to_owned(),
            folder,
            is_shared: shared.is_some(),
            names: UniqueNames::default(),
            known: HashMap::new(),
            pictures: Vec::new(),
            bytes: 0,
        }
    }

    /// Bytes of the pictures.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes in a PNG and says its URI.
    pub fn add(&mut self, name: &str, png: Vec<u8>) -> String {
        let hash: [u8; 32] = Sha256::digest(&png).into();
        let path = match self.known.get(&hash) {
            Some(known) => known.clone(),
            None => {
                let path = self.path(&texture_stem(name), &hash, &png);
                self.known.insert(hash, path.clone());
                self.bytes += png.len();
                self.pictures.push((path.clone(), png));
                path
            }
        };
        uri(&self.target, &path)
    }

    fn path(&mut self, stem: &str, hash: &[u8; 32], png: &[u8]) -> PathBuf {
        if self.is_shared {
            let hash: String = hash.iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect();
            return self.folder.join(format!("{}.png", safe_name_with(stem, &hash)));
        }
        loop {
            let path = self.folder.join(self.names.claim_file(Path::new(""), stem, "png", false));
            // A picture of another model stays as it is.
            if crate::files::symlink_metadata(&path).is_err() || holds(&path, png) {
                return path;
            }
        }
    }

    /// Where the numbers go, and their URI.
    pub fn numbers(&self) -> (PathBuf, String) {
        let stem = self.target.file_stem().unwrap_or_default().to_string_lossy();
        let mut path = self.target.with_file_name(format!("{stem}.bin"));
        if path == self.target {
            path = self.target.with_file_name(format!("{stem}.bin.bin"));
        }
        let uri = uri(&self.target, &path);
        (path, uri)
    }

    pub fn into_pictures(self) -> Vec<(PathBuf, Vec<u8>)> {
        self.pictures
    }
}

/// How a file calls another one that is below the same folder.
fn uri(from: &Path, to: &Path) -> String {
    let from: Vec<Component<'_>> = from.parent().unwrap_or(Path::new("")).components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    utf8_percent_encode(&up.chain(down).collect::<Vec<_>>().join("/"), ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_lead_from_one_file_to_the_other() {
        for (from, to, expected) in [
            ("x.gltf", "x.bin", "x.bin"),
            ("x.gltf", "textures/Face (2).png", "textures/Face%20%282%29.png"),
            ("out/x.gltf", "out/textures/a#b?%.png", "textures/a%23b%3F%25.png"),
            ("/out/a/b/x.gltf", "/out/textures/Gr\u{fc}n.png", "../../textures/Gr%C3%BCn.png"),
            ("./x.gltf", "./textures/~a-b_c.png", "textures/~a-b_c.png"),
        ] {
            assert_eq!(uri(Path::new(from), Path::new(to)), expected);
        }
    }

    #[test]
    fn each_picture_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut beside = Beside::new(&folder.path().join("x.gltf"), None);
        let uris = [("a/Face.tga", b"1"), ("face", b"2"), ("Other", b"1"), ("..", b"3")]
            .map(|(name, png)| beside.add(name, png.to_vec()));
        assert_eq!(uris, ["Face", "face%20%282%29", "Face", "unnamed"].map(|name| format!("textures/{name}.png")));
        assert_eq!((beside.bytes(), beside.into_pictures().len()), (3, 3));
        // What is there with other bytes stays.
        std::fs::create_dir(folder.path().join("textures")).unwrap();
        std::fs::write(folder.path().join("textures/Face.png"), "1").unwrap();
        let mut again = Beside::new(&folder.path().join("y.gltf"), None);
        assert_eq!(again.add("Face", b"1".to_vec()), "textures/Face.png");
        let mut other = Beside::new(&folder.path().join("z.gltf"), None);
        assert_eq!(other.add("Face", b"4".to_vec()), "textures/Face%20%282%29.png");
    }

    #[test]
    fn in_a_shared_folder_names_say_what_is_in_them() {
        let uris = ["/out/a/x.gltf", "/out/y.gltf"].map(|target| {
            let mut beside = Beside::new(Path::new(target), Some(Path::new("/out/textures")));
            [b"1", b"2"].map(|png| beside.add("Face", png.to_vec()))
        });
        // SHA-256 of “1” and of “2”.
        let names = ["textures/Face.6b86b273.png", "textures/Face.d4735e3a.png"];
        assert_eq!(uris, [names.map(|name| format!("../{name}")), names.map(str::to_owned)]);
    }

    #[test]
    fn numbers_never_take_the_name_of_the_file() {
        for (target, path, uri) in
            [("a/x y.gltf", "a/x y.bin", "x%20y.bin"), ("x.bin", "x.bin.bin", "x.bin.bin"), ("x", "x.bin", "x.bin")]
        {
            let numbers = Beside::new(Path::new(target), None).numbers();
            assert_eq!(numbers, (PathBuf::from(path), uri.to_owned()));
        }
    }
}
