//! Writing containers: for samples and tests (formats/containers.md §2, §4 and §8). What does not fit into a container's numbers is an
//! error of the caller, and cut off.

use crate::formats::compact;
use std::collections::BTreeMap;

pub use super::uz::encode::uz;

/// Where the program of a made disc begins; the list of files follows it.
pub const PROGRAM: usize = 0x2500;
/// Bytes of that program.
pub const PROGRAM_SIZE: usize = 0x120;
/// Bytes of it behind its header.
const CODE: usize = PROGRAM_SIZE - 0x100;
/// Where the list of files of a made disc begins.
pub const FILE_LIST: usize = 0x2700;
/// What files of a made disc begin at a multiple of.
pub const UNIT: usize = 32;

#[derive(Default)]
struct Folder<'a> {
    folders: BTreeMap<String, Folder<'a>>,
    files: Vec<(String, &'a [u8])>,
}

impl<'a> Folder<'a> {
    fn add(&mut self, path: &str, bytes: &'a [u8]) {
        match path.split_once('/') {
            Some((folder, rest)) => self.folders.entry(folder.to_owned()).or_default().add(rest, bytes),
            None => self.files.push((path.to_owned(), bytes)),
        }
    }

    fn count(&self) -> usize {
        let folders = self.folders.values().map(|folder| folder.count().saturating_add(1));
        folders.fold(self.files.len(), usize::saturating_add)
    }

    /// Entries of what is in it; `number` is the one of the next.
    fn write(&self, above: usize, number: &mut usize, list: &mut List<'a>) {
        for (name, folder) in &self.folders {
            let own = *number;
            *number = number.saturating_add(1);
            list.entry(1, name, above as u32, own.saturating_add(1).saturating_add(folder.count()) as u32);
            folder.write(own, number, list);
        }
        for (name, bytes) in &self.files {
            *number = number.saturating_add(1);
            list.entry(0, name, list.next as u32, bytes.len() as u32);
            list.data.push((list.next, bytes));
            list.next = list.next.saturating_add(bytes.len()).next_multiple_of(UNIT);
        }
    }
}

struct List<'a> {
    entries: Vec<u8>,
    names: Vec<u8>,
    data: Vec<(usize, &'a [u8])>,
    next: usize,
}

impl List<'_> {
    fn entry(&mut self, kind: u8, name: &str, first: u32, second: u32) {
        self.entries.push(kind);
        let [_, place @ ..] = (self.names.len() as u32).to_be_bytes();
        self.entries.extend(place);
        self.entries.extend(first.to_be_bytes());
        self.entries.extend(second.to_be_bytes());
        self.names.extend(encoding_rs::SHIFT_JIS.encode(name).0.iter());
        self.names.push(0);
    }
}

/// Writes bytes where they fit.
fn put(disc: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = at.checked_add(bytes.len()).and_then(|end| disc.get_mut(at..end)) {
        place.copy_from_slice(bytes);
    }
}

/// A disc of these files, by paths with `/`: in each folder, folders come first.
pub fn gcm(title: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut root = Folder::default();
    for (path, bytes) in files {
        root.add(path, bytes);
    }
    let count = root.count().saturating_add(1);
    let names: usize = files.iter().map(|(path, _)| path.len().saturating_add(1)).sum();
    let next = FILE_LIST
        .saturating_add(count.saturating_mul(12))
        .saturating_add(names.saturating_mul(2))
        .next_multiple_of(0x100);
    let mut list = List { entries: Vec::new(), names: Vec::new(), data: Vec::new(), next };
    list.entries.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    list.entries.extend((count as u32).to_be_bytes());
    root.write(0, &mut 1, &mut list);
    let table = [list.entries, list.names].concat();
    let mut disc = vec![0; FILE_LIST];
    put(&mut disc, 0, b"GBBE01");
    put(&mut disc, 0x1C, &0xC233_9F3D_u32.to_be_bytes());
    let title = encoding_rs::SHIFT_JIS.encode(title).0;
    put(&mut disc, 0x20, &title);
    for (at, value) in [(0x420, PROGRAM), (0x424, FILE_LIST), (0x428, table.len()), (0x42C, table.len())] {
        put(&mut disc, at, &(value as u32).to_be_bytes());
    }
    put(&mut disc, 0x2440, b"2026/11/22");
    // The first section of the program follows its header.
    for (at, value) in [(0, 0x100), (0x48, 0x8000_3100), (0x90, CODE), (0xE0, 0x8000_3100)] {
        put(&mut disc, PROGRAM.saturating_add(at), &(value as u32).to_be_bytes());
    }
    put(&mut disc, PROGRAM + 0x100, &[0x4E; CODE]);
    disc.extend(table);
    for (at, bytes) in list.data {
        disc.resize(disc.len().max(at), 0);
        disc.extend(bytes);
    }
    disc
}

/// An Unreal installer of these members: name, bytes, flags.
pub fn umod(members: &[(&str, &[u8], u32)]) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut directory = Vec::new();
    compact::write_index(&mut directory, members.len() as i32);
    for (name, content, flags) in members {
        compact::write_counted_string(&mut directory, name);
        for number in [bytes.len() as u32, content.len() as u32, *flags] {
            directory.extend(number.to_le_bytes());
        }
        bytes.extend(*content);
    }
    let at = bytes.len() as u32;
    bytes.extend(directory);
    let size = (bytes.len() as u32).saturating_add(20);
    let sum = crc(&bytes);
    for number in [0x9FE3_C5A3, at, size, 1, sum] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// CRC-32, most significant bit first.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(
            sum ^ (u32::from(*byte) << 24),
            |sum, _| if sum >> 31 == 1 { (sum << 1) ^ 0x04C1_1DB7 } else { sum << 1 },
        )
    })
}
