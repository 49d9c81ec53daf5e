//! Containers of valid shape, spoilt: installers, discs and archives in each other, with folders, equal names and empty members.
#![no_main]

#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::containers::encode::{gcm, umod};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
enum Kind {
    Umod,
    Gcm,
    Zip,
    Pbo,
}

#[derive(Debug, Arbitrary)]
struct Tree {
    kind: Kind,
    /// How deep in folders, which name, how many bytes.
    files: Vec<(u8, u8, u8)>,
    inner: Vec<Tree>,
}

fn name(folders: u8, name: u8) -> String {
    format!("{}file{}", "folder/".repeat(usize::from(folders % 4)), name % 16)
}

/// The members of a container, each name once.
fn members(tree: &Tree, depth: u8) -> Vec<(String, Vec<u8>)> {
    let mut members: Vec<(String, Vec<u8>)> = Vec::new();
    for (folders, number, size) in tree.files.iter().take(8) {
        let name = name(*folders, *number);
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, vec![*number; usize::from(*size)]));
        }
    }
    if depth < 4 {
        let inner = tree.inner.iter().take(3).enumerate();
        members.extend(inner.map(|(index, tree)| (format!("inner{index}"), packed(tree, depth + 1).1)));
    }
    members
}

fn packed(tree: &Tree, depth: u8) -> (&'static str, Vec<u8>) {
    let members = members(tree, depth);
    let plain: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    match tree.kind {
        Kind::Umod => ("fuzz.umod", umod(&plain.iter().map(|(name, bytes)| (*name, *bytes, 0)).collect::<Vec<_>>())),
        Kind::Gcm => ("fuzz.gcm", gcm("fuzz", &plain)),
        Kind::Zip => ("fuzz.zip", zip(&plain)),
        Kind::Pbo => ("fuzz.pbo", pbo(&plain)),
    }
}

/// A zip archive of members that are stored as they are.
fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let offset = bytes.len() as u32;
        let sum = crc(content).to_le_bytes();
        let (size, length) = ((content.len() as u32).to_le_bytes(), (name.len() as u16).to_le_bytes());
        let shared = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &sum, &size, &size, &length, &[0, 0]].concat();
        bytes.extend([b"PK\x03\x04", &shared[..], name.as_bytes(), *content].concat());
        let more = [&[0; 10][..], &offset.to_le_bytes()].concat();
        directory.extend([&b"PK\x01\x02\x14\0"[..], &shared, &more, name.as_bytes()].concat());
    }
    let (at, count) = ((bytes.len() as u32).to_le_bytes(), (members.len() as u16).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &at, &[0, 0]].concat());
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}

/// An archive of Bohemia's games, without a hash.
fn pbo(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = [&b"\0sreV"[..], &[0; 16], b"\0"].concat();
    for (name, content) in members {
        let size = (content.len() as u32).to_le_bytes();
        bytes.extend([name.as_bytes(), b"\0", &[0; 16], &size].concat());
    }
    bytes.extend([0; 21]);
    members.iter().for_each(|(_, content)| bytes.extend(*content));
    bytes
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<Tree>| {
    shape::run_linked(
        input,
        |tree| packed(tree, 0),
        |tree, read| {
            let entries = read.document.outline().entries();
            let has = |wanted: &str| entries.iter().any(|entry| *entry.name == *wanted);
            let files = tree.files.iter().take(8);
            assert!(files.map(|(_, number, _)| format!("file{}", number % 16)).all(|name| has(&name)), "{entries:?}");
        },
    );
});
