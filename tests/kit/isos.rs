//! CD images made in code (formats/containers.md §9).

use std::collections::BTreeMap;

pub const SECTOR: usize = 2048;

/// A number in both orders.
fn both(value: u32) -> Vec<u8> {
    [value.to_le_bytes(), value.to_be_bytes()].concat()
}

fn both_short(value: u16) -> Vec<u8> {
    [value.to_le_bytes(), value.to_be_bytes()].concat()
}

/// A directory record; `flags`: 2 for a folder, 80h where the next record goes on with the same file.
pub fn record(name: &[u8], block: u32, size: u32, flags: u8, system: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0];
    bytes.extend(both(block));
    bytes.extend(both(size));
    bytes.extend([98, 5, 22, 13, 14, 15, 0, flags, 0, 0]);
    bytes.extend(both_short(1));
    bytes.push(name.len() as u8);
    bytes.extend(name);
    if bytes.len() % 2 == 1 {
        bytes.push(0);
    }
    bytes.extend(system);
    bytes[0] = bytes.len() as u8;
    bytes
}

/// A volume descriptor: of the first tree, or of that with names of Joliet.
pub fn descriptor(is_joliet: bool, label: &str, root: &[u8], path_table: u32, path_tables: (u32, u32)) -> Vec<u8> {
    let text = |text: &str, size: usize| {
        let mut bytes: Vec<u8> = match is_joliet {
            true => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            false => text.bytes().collect(),
        };
        bytes.resize(size, if is_joliet { 0 } else { b' ' });
        bytes
    };
    let mut bytes = vec![if is_joliet { 2 } else { 1 }];
    bytes.extend(b"CD001\x01\0");
    bytes.extend(text("", 32));
    bytes.extend(text(label, 32));
    bytes.extend([0; 8]);
    bytes.extend(both(0));
    bytes.extend(if is_joliet { *b"%/E" } else { [0; 3] });
    bytes.extend([0; 29]);
    bytes.extend([both_short(1), both_short(1), both_short(SECTOR as u16)].concat());
    bytes.extend(both(path_table));
    for (place, is_high) in [(path_tables.0, false), (0, false), (path_tables.1, true), (0, true)] {
        bytes.extend(if is_high { place.to_be_bytes() } else { place.to_le_bytes() });
    }
    bytes.extend(root);
    bytes.resize(SECTOR, 0);
    bytes[881] = 1;
    bytes
}

/// The descriptor behind all others.
pub fn last_descriptor() -> Vec<u8> {
    let mut bytes = b"\xFFCD001\x01".to_vec();
    bytes.resize(SECTOR, 0);
    bytes
}

/// An image of these sectors, from the first descriptor on.
pub fn image(sectors: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0; 16 * SECTOR];
    for sector in sectors {
        bytes.extend(sector);
        bytes.resize(bytes.len().next_multiple_of(SECTOR), 0);
    }
    bytes
}

#[derive(Default)]
struct Folder {
    folders: BTreeMap<String, Folder>,
    files: BTreeMap<String, usize>,
}

/// A folder that has a place: its path in indices, the folder above, what is in it.
struct Placed<'a> {
    name: String,
    above: usize,
    folder: &'a Folder,
}

/// A disc of these files, by paths with `/`; with names of Joliet too, or upper case ones alone.
pub fn iso(label: &str, files: &[(&str, &[u8])], has_joliet: bool) -> Vec<u8> {
    let mut root = Folder::default();
    for (index, (path, _)) in files.iter().enumerate() {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut folder = &mut root;
        for name in folders.split('/').filter(|name| !name.is_empty()) {
            folder = folder.folders.entry(name.to_owned()).or_default();
        }
        folder.files.insert(name.to_owned(), index);
    }
    let mut folders = vec![Placed { name: String::new(), above: 0, folder: &root }];
    let mut at = 0;
    while at < folders.len() {
        let inside = folders[at].folder.folders.iter();
        let inside: Vec<_> = inside.map(|(name, folder)| Placed { name: name.clone(), above: at, folder }).collect();
        folders.extend(inside);
        at += 1;
    }
    let trees: &[bool] = if has_joliet { &[false, true] } else { &[false] };
    // Descriptors, the path tables of each tree, the folders of each, one sector each, and the files.
    let tables = 16 + trees.len() as u32 + 1;
    let first_folder = tables + 2 * trees.len() as u32;
    let first_file = first_folder + (trees.len() * folders.len()) as u32;
    let mut places = Vec::new();
    let mut next = first_file;
    for (_, bytes) in files {
        places.push(next);
        next += bytes.len().div_ceil(SECTOR) as u32;
    }
    let name_of = |name: &str, is_joliet: bool, is_file: bool| -> Vec<u8> {
        match (is_joliet, is_file) {
            (true, _) => name.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            (false, true) => format!("{};1", name.to_uppercase()).into_bytes(),
            (false, false) => name.to_uppercase().into_bytes(),
        }
    };
    let (mut descriptors, mut path_tables, mut directories) = (Vec::new(), Vec::new(), Vec::new());
    for (tree, is_joliet) in trees.iter().copied().enumerate() {
        let place = |folder: usize| first_folder + (tree * folders.len() + folder) as u32;
        let size = SECTOR as u32;
        let mut table = [Vec::new(), Vec::new()];
        for (index, folder) in folders.iter().enumerate() {
            let name = if index == 0 { vec![0] } else { name_of(&folder.name, is_joliet, false) };
            let above = folder.above as u16 + 1;
            for (table, is_high) in table.iter_mut().zip([false, true]) {
                table.extend([name.len() as u8, 0]);
                table.extend(if is_high { place(index).to_be_bytes() } else { place(index).to_le_bytes() });
                table.extend(if is_high { above.to_be_bytes() } else { above.to_le_bytes() });
                table.extend(&name);
                table.resize(table.len().next_multiple_of(2), 0);
            }
            let mut records = record(&[0], place(index), size, 2, &[]);
            records.extend(record(&[1], place(folder.above), size, 2, &[]));
            let inside = folders.iter().enumerate().filter(|(other, placed)| *other > 0 && placed.above == index);
            for (other, placed) in inside {
                records.extend(record(&name_of(&placed.name, is_joliet, false), place(other), size, 2, &[]));
            }
            for (name, file) in &folder.folder.files {
                let size = files[*file].1.len() as u32;
                records.extend(record(&name_of(name, is_joliet, true), places[*file], size, 0, &[]));
            }
            assert!(records.len() <= SECTOR, "a folder of one sector");
            directories.push(records);
        }
        let root = record(&[0], place(0), size, 2, &[]);
        let at = tables + 2 * tree as u32;
        descriptors.push(descriptor(is_joliet, label, &root, table[0].len() as u32, (at, at + 1)));
        path_tables.extend(table);
    }
    descriptors.push(last_descriptor());
    let contents = files.iter().filter(|(_, bytes)| !bytes.is_empty()).map(|(_, bytes)| bytes.to_vec());
    image(&descriptors.into_iter().chain(path_tables).chain(directories).chain(contents).collect::<Vec<_>>())
}

/// The same disc as a dump of whole sectors of 2352 bytes, or 2448 with the subchannel, in mode 1 or 2.
pub fn raw(disc: &[u8], size: usize, mode: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sector in disc.chunks(SECTOR) {
        let start = bytes.len();
        bytes.push(0);
        bytes.extend([0xFF; 10]);
        bytes.extend([0, 0, 2, 0, mode]);
        if mode == 2 {
            bytes.extend([0, 0, 8, 0, 0, 0, 8, 0]);
        }
        bytes.extend(sector);
        bytes.resize(start + size, 0);
    }
    bytes
}
