//! Archives in archives of valid shape, spoilt: folders in folders, equal names, streams in streams.
#![no_main]

#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::archive::encode::{ArchiveFile, Folder, encode_rarc, encode_yay0, encode_yaz0};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct Tree {
    files: Vec<(u8, u8)>,
    folders: Vec<Tree>,
    /// Archives in it: how each is packed.
    archives: Vec<(u8, Tree)>,
}

fn folder(tree: &Tree, name: String, depth: u8) -> Folder {
    let mut files: Vec<ArchiveFile> = tree
        .files
        .iter()
        .take(8)
        .map(|(name, size)| ArchiveFile { name: format!("file{}", name % 16), bytes: vec![*name; usize::from(*size)] })
        .collect();
    let mut folders = Vec::new();
    if depth < 6 {
        for (index, (packing, tree)) in tree.archives.iter().take(2).enumerate() {
            files.push(ArchiveFile { name: format!("inner{index}.szs"), bytes: packed(tree, *packing, depth + 1) });
        }
        for (index, tree) in tree.folders.iter().take(3).enumerate() {
            folders.push(folder(tree, format!("folder{index}"), depth + 1));
        }
    }
    Folder { name, files, folders }
}

fn packed(tree: &Tree, packing: u8, depth: u8) -> Vec<u8> {
    let mut bytes = encode_rarc(&folder(tree, "root".to_owned(), depth));
    for bit in 0..packing % 4 {
        bytes = if packing >> bit & 8 == 0 { encode_yaz0(&bytes) } else { encode_yay0(&bytes) };
    }
    bytes
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<(u8, Tree)>| {
    shape::run_linked(
        input,
        |(packing, tree)| ("fuzz.szs", packed(tree, *packing, 0)),
        |(_, tree), read| {
            let entries = read.document.outline().entries();
            let has = |wanted: &str| entries.iter().any(|entry| *entry.name == *wanted);
            assert!(tree.files.iter().take(8).all(|(name, _)| has(&format!("file{}", name % 16))), "{entries:?}");
            assert!((0..tree.folders.len().min(3)).all(|index| has(&format!("folder{index}"))), "{entries:?}");
        },
    );
});
