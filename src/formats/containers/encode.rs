//! Writing containers: for samples and tests (formats/containers.md §4 and §8). What does not fit into a container's numbers is an
//! error of the caller, and cut off.

use std::collections::BTreeMap;

/// Where the program of a made disc begins; the list of files follows it.
pub const PROGRAM: usize = 0x2500;
/// Bytes of that program.
pub const PROGRAM_SIZE: usize = 0x120;
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
        self.files.len() + self.folders.values().map(|folder| 1 + folder.count()).sum::<usize>()
    }

    /// Entries of what is in it; `number` is the one of the next.
    fn write(&self, above: usize, number: &mut usize, list: &mut List<'a>) {
        for (name, folder) in &self.folders {
            let own = *number;
            *number += 1;
            list.entry(1, name, above as u32, (own + 1 + folder.count()) as u32);
            folder.write(own, number, list);
        }
        for (name, bytes) in &self.files {
            *number += 1;
            list.entry(0, name, list.next as u32, bytes.len() as u32);
            list.data.push((list.next, bytes));
            list.next = (list.next + bytes.len()).next_multiple_of(UNIT);
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
        self.entries.extend(&(self.names.len() as u32).to_be_bytes()[1..]);
        self.entries.extend(first.to_be_bytes());
        self.entries.extend(second.to_be_bytes());
        self.names.extend(encoding_rs::SHIFT_JIS.encode(name).0.iter());
        self.names.push(0);
    }
}

/// A disc of these files, by paths with `/`: in each folder, folders come first.
pub fn gcm(title: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut root = Folder::default();
    for (path, bytes) in files {
        root.add(path, bytes);
    }
    let count = root.count() + 1;
    let names: usize = files.iter().map(|(path, _)| path.len() + 1).sum();
    let next = (FILE_LIST + 12 * count + 2 * names).next_multiple_of(0x100);
    let mut list = List { entries: Vec::new(), names: Vec::new(), data: Vec::new(), next };
    list.entries.extend([1, 0, 0, 0, 0, 0, 0, 0]);
    list.entries.extend((count as u32).to_be_bytes());
    root.write(0, &mut 1, &mut list);
    let table = [list.entries, list.names].concat();
    let mut disc = vec![0; FILE_LIST];
    disc[..6].copy_from_slice(b"GBBE01");
    disc[0x1C..0x20].copy_from_slice(&0xC233_9F3D_u32.to_be_bytes());
    let title = encoding_rs::SHIFT_JIS.encode(title).0;
    disc[0x20..0x20 + title.len()].copy_from_slice(&title);
    for (at, value) in [(0x420, PROGRAM), (0x424, FILE_LIST), (0x428, table.len()), (0x42C, table.len())] {
        disc[at..at + 4].copy_from_slice(&(value as u32).to_be_bytes());
    }
    disc[0x2440..0x244A].copy_from_slice(b"2026/11/22");
    // The first section of the program follows its header.
    for (at, value) in [(0, 0x100), (0x48, 0x8000_3100), (0x90, PROGRAM_SIZE - 0x100), (0xE0, 0x8000_3100)] {
        disc[PROGRAM + at..PROGRAM + at + 4].copy_from_slice(&(value as u32).to_be_bytes());
    }
    disc[PROGRAM + 0x100..PROGRAM + PROGRAM_SIZE].fill(0x4E);
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
    let mut directory = index(members.len() as i32);
    for (name, content, flags) in members {
        let length = name.len() as i32 + 1;
        directory.extend(index(if name.is_empty() { 0 } else { length }));
        if !name.is_empty() {
            directory.extend(name.bytes().chain([0]));
        }
        for number in [bytes.len() as u32, content.len() as u32, *flags] {
            directory.extend(number.to_le_bytes());
        }
        bytes.extend(*content);
    }
    let at = bytes.len() as u32;
    bytes.extend(directory);
    let size = bytes.len() as u32 + 20;
    let sum = crc(&bytes);
    for number in [0x9FE3_C5A3, at, size, 1, sum] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// A compact index below 8192.
fn index(value: i32) -> Vec<u8> {
    match value {
        0..64 => vec![value as u8],
        _ => vec![0x40 | (value & 0x3F) as u8, (value >> 6) as u8],
    }
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
