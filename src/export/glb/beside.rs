//! The files beside a glTF file: the numbers of a `.gltf`, and pictures in a folder that other files may share.

use crate::{
    export::{
        path::{UniqueNames, safe_name_with, texture_stem},
        write::holds,
    },
    scene::Image,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{HashMap, HashSet},
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The folder that pictures go into, beside the file that they belong to.
pub const TEXTURES: &str = "textures";

/// What stands in a URI as it is (RFC 3986, 2.3); the slash is what parts folders.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Bytes of a picture's SHA-256 that are in its name where many files share a folder.
const HASH_BYTES: usize = 4;

/// The SHA-256 of a picture's size and pixels. Pictures with equal ones have the same bytes as PNG.
pub type PixelHash = [u8; 32];

/// Hashes the pixels of a picture as they are written; without `alpha` every pixel is opaque.
pub fn pixel_hash(image: &Image, alpha: bool) -> PixelHash {
    const PIECE: usize = 1 << 14;
    let mut hash = Sha256::new();
    [image.width, image.height].iter().for_each(|side| hash.update(side.to_le_bytes()));
    if alpha {
        hash.update(&image.rgba);
    } else {
        for piece in image.rgba.chunks(PIECE) {
            let opaque: Vec<u8> = piece.iter().enumerate().map(|(at, v)| if at % 4 == 3 { 255 } else { *v }).collect();
            hash.update(opaque);
        }
    }
    hash.finalize().into()
}

/// The pictures of all models of one run: the folder that the models share, and the files that are written already. Hashes and names are
/// held, no pictures.
#[derive(Debug)]
pub struct SharedPictures {
    folder: PathBuf,
    files: Mutex<SharedFiles>,
}

#[derive(Debug, Default)]
struct SharedFiles {
    /// The files of textures that are exported themselves.
    own: HashMap<PixelHash, PathBuf>,
    /// The picture that each path of the shared folder is for.
    claimed: HashMap<PathBuf, PixelHash>,
    /// The files in the shared folder.
    written: HashSet<PathBuf>,
}

impl SharedPictures {
    /// Shares pictures in `folder`. The folder has the same root as the models, and is created with the first picture.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, files: Mutex::default() }
    }

    /// Returns the path of the shared folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns `true` if a file is in the shared folder.
    pub fn has(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
    }

    /// Adds the written file of a texture that is exported itself. Of several equal ones the first by path is used, whatever the order.
    pub fn add_own(&self, pixels: PixelHash, path: &Path) {
        let mut files = self.files();
        let own = files.own.entry(pixels).or_insert_with(|| path.to_owned());
        if path < own.as_path() {
            *own = path.to_owned();
        }
    }

    /// Adds a written file of the shared folder.
    pub fn add(&self, path: &Path) {
        self.files().written.insert(path.to_owned());
    }

    /// Returns the written file of a picture.
    pub fn file(&self, name: &str, pixels: &PixelHash) -> Option<PathBuf> {
        let path = self.path(name, pixels);
        let files = self.files();
        files.own.get(pixels).cloned().or_else(|| files.written.contains(&path).then_some(path))
    }

    /// Returns the path of a picture in the shared folder. The start of the pixels' hash is a part of its name; the whole hash if another
    /// picture has that name.
    fn path(&self, name: &str, pixels: &PixelHash) -> PathBuf {
        let path = |bytes: usize| {
            let hash: String = pixels.iter().take(bytes).map(|byte| format!("{byte:02x}")).collect();
            self.folder.join(format!("{}.png", safe_name_with(&texture_stem(name), &hash)))
        };
        let short = path(HASH_BYTES);
        let is_own = *self.files().claimed.entry(short.clone()).or_insert(*pixels) == *pixels;
        if is_own { short } else { path(pixels.len()) }
    }

    fn files(&self) -> MutexGuard<'_, SharedFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files of a glTF file besides itself, as they come up. Each picture is there once, whatever its name.
#[derive(Clone, Debug)]
pub struct Beside {
    target: PathBuf,
    /// The URI of the numbers' file is written, otherwise the numbers are in the file itself.
    has_numbers: bool,
    shared: Option<Arc<SharedPictures>>,
    names: UniqueNames,
    known: HashMap<PixelHash, PathBuf>,
    pictures: Vec<(PathBuf, Vec<u8>)>,
    /// Pictures that were written for other files.
    there: Vec<PathBuf>,
    bytes: usize,
}

impl Beside {
    /// Beside `target`, the glTF file. Pictures go into the folder of `shared`. Without it they go into `textures` beside the file, under
    /// their names, with a number where another picture has the name already.
    pub fn new(target: &Path, has_numbers: bool, shared: Option<Arc<SharedPictures>>) -> Self {
        let (names, known, pictures, there, bytes) = Default::default();
        Self { target: target.to_owned(), has_numbers, shared, names, known, pictures, there, bytes }
    }

    /// Bytes of the pictures.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the file that another export has written for a picture.
    pub fn written(&self, name: &str, pixels: &PixelHash) -> Option<PathBuf> {
        self.shared.as_ref()?.file(name, pixels)
    }

    /// Adds a picture and returns its URI.
    pub fn add(&mut self, name: &str, pixels: PixelHash, file: PictureFile) -> String {
        let path = match (self.known.get(&pixels), file) {
            (Some(known), _) => known.clone(),
            (None, PictureFile::Written(path)) => {
                self.there.push(path.clone());
                path
            }
            (None, PictureFile::Png(png)) => {
                let path = self.path(name, &pixels, &png);
                self.bytes += png.len();
                self.pictures.push((path.clone(), png));
                path
            }
        };
        let uri = uri(&self.target, &path);
        self.known.insert(pixels, path);
        uri
    }

    fn path(&mut self, name: &str, pixels: &PixelHash, png: &[u8]) -> PathBuf {
        if let Some(shared) = &self.shared {
            return shared.path(name, pixels);
        }
        let (folder, stem) = (self.target.with_file_name(TEXTURES), texture_stem(name));
        loop {
            let path = folder.join(self.names.claim_file(Path::new(""), &stem, "png", false));
            // A picture of another model stays as it is.
            if crate::files::symlink_metadata(&path).is_err() || holds(&path, png) {
                return path;
            }
        }
    }

    /// Where the numbers go, and their URI. `None` if they are in the file itself.
    pub fn numbers(&self) -> Option<(PathBuf, String)> {
        if !self.has_numbers {
            return None;
        }
        let stem = self.target.file_stem().unwrap_or_default().to_string_lossy();
        let mut path = self.target.with_file_name(format!("{stem}.bin"));
        if path == self.target {
            path = self.target.with_file_name(format!("{stem}.bin.bin"));
        }
        let uri = uri(&self.target, &path);
        Some((path, uri))
    }

    /// Returns the pictures to write, and those that were written for other files.
    pub fn into_pictures(self) -> (Vec<(PathBuf, Vec<u8>)>, Vec<PathBuf>) {
        (self.pictures, self.there)
    }
}

/// A picture to refer to.
pub enum PictureFile {
    /// The bytes of a PNG file that has to be written.
    Png(Vec<u8>),
    /// The file that another export has written.
    Written(PathBuf),
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
        let mut beside = Beside::new(&folder.path().join("x.gltf"), true, None);
        let uris = [("a/Face.tga", b"1"), ("face", b"2"), ("Other", b"1"), ("..", b"3")]
            .map(|(name, png)| beside.add(name, [png[0]; 32], PictureFile::Png(png.to_vec())));
        assert_eq!(uris, ["Face", "face%20%282%29", "Face", "unnamed"].map(|name| format!("textures/{name}.png")));
        assert_eq!((beside.bytes(), beside.into_pictures().0.len()), (3, 3));
        // What is there with other bytes stays.
        std::fs::create_dir(folder.path().join("textures")).unwrap();
        std::fs::write(folder.path().join("textures/Face.png"), "1").unwrap();
        let add = |file: &str, png: &[u8]| {
            let mut beside = Beside::new(&folder.path().join(file), true, None);
            beside.add("Face", [png[0]; 32], PictureFile::Png(png.to_vec()))
        };
        assert_eq!(add("y.gltf", b"1"), "textures/Face.png");
        assert_eq!(add("z.gltf", b"4"), "textures/Face%20%282%29.png");
    }

    fn image(pixel: [u8; 4]) -> Image {
        Image { name: "p".into(), width: 1, height: 1, rgba: pixel.into(), stored_as: String::new() }
    }

    #[test]
    fn hashes_of_pixels_tell_pictures_apart() {
        let of = |pixel| pixel_hash(&image(pixel), true);
        assert_eq!(of([1, 2, 3, 255]), pixel_hash(&image([1, 2, 3, 7]), false));
        assert_ne!(of([1, 2, 3, 255]), of([1, 2, 3, 7]));
        let rows = |width, height| Image { width, height, rgba: [9; 8].into(), ..image([0; 4]) };
        assert_ne!(pixel_hash(&rows(1, 2), true), pixel_hash(&rows(2, 1), true));
    }

    #[test]
    fn in_a_shared_folder_names_say_what_is_in_them() {
        let shared = Arc::new(SharedPictures::new("/out/textures".into()));
        let uris = ["/out/a/x.gltf", "/out/y.glb"].map(|target| {
            let mut beside = Beside::new(Path::new(target), false, Some(shared.clone()));
            assert!(beside.numbers().is_none());
            let names = ["Face", "a/Face.tga", "../100% \u{e4}/..", "Face/50% \u{e4}"];
            let mut picture = 0;
            names.map(|name| {
                picture += 1;
                beside.add(name, [picture; 32], PictureFile::Png(vec![picture]))
            })
        });
        let names = ["Face.01010101", "Face.02020202", "unnamed.03030303", "50%25%20%C3%A4.04040404"];
        let names = names.map(|name| format!("textures/{name}.png"));
        assert_eq!(uris, [names.clone().map(|name| format!("../{name}")), names]);
    }

    #[test]
    fn pictures_whose_hashes_start_alike_are_two_files() {
        let shared = Arc::new(SharedPictures::new("/out/textures".into()));
        let (one, mut other) = ([7; 32], [7; 32]);
        other[31] = 8;
        let mut beside = Beside::new(Path::new("/out/x.glb"), false, Some(shared.clone()));
        assert_eq!(beside.add("Face", one, PictureFile::Png(vec![1])), "textures/Face.07070707.png");
        shared.add(Path::new("/out/textures/Face.07070707.png"));
        let mut beside = Beside::new(Path::new("/out/y.glb"), false, Some(shared));
        assert!(beside.written("Face", &one).is_some() && beside.written("Face", &other).is_none());
        let whole = format!("textures/Face.{}08.png", "07".repeat(31));
        assert_eq!(beside.add("Face", other, PictureFile::Png(vec![2])), whole);
    }

    #[test]
    fn written_pictures_are_referred_to_and_not_written_again() {
        let shared = Arc::new(SharedPictures::new("/out/textures".into()));
        let path = Path::new("/out/textures/Face.01010101.png");
        assert_eq!(shared.file("Face", &[1; 32]), None, "no model has written it");
        shared.add(path);
        assert_eq!(shared.file("x/Face.png", &[1; 32]).as_deref(), Some(path));
        // Equal pixels of another name are another file: which of both comes first is chance.
        assert_eq!(shared.file("Other", &[1; 32]), None);
        // A texture that is exported itself has every name, and of several the first by path.
        for name in ["/out/b.png", "/out/a b.png", "/out/c.png"] {
            shared.add_own([2; 32], Path::new(name));
        }
        let mut beside = Beside::new(Path::new("/out/models/x.glb"), false, Some(shared));
        for _ in 0..2 {
            let file = beside.written("Any", &[2; 32]).unwrap();
            assert_eq!(beside.add("Any", [2; 32], PictureFile::Written(file)), "../a%20b.png");
        }
        assert_eq!((beside.bytes(), beside.into_pictures()), (0, (vec![], vec![PathBuf::from("/out/a b.png")])));
    }

    #[test]
    fn numbers_never_take_the_name_of_the_file() {
        for (target, path, uri) in
            [("a/x y.gltf", "a/x y.bin", "x%20y.bin"), ("x.bin", "x.bin.bin", "x.bin.bin"), ("x", "x.bin", "x.bin")]
        {
            let numbers = Beside::new(Path::new(target), true, None).numbers();
            assert_eq!(numbers, Some((PathBuf::from(path), uri.to_owned())));
        }
    }
}
