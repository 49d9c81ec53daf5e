//! RARC: folders and files behind one table of names.

/// A folder of an archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folder {
    /// Name, encoded as Shift JIS when written.
    pub name: String,
    /// Files directly in the folder.
    pub files: Vec<ArchiveFile>,
    /// Folders directly in the folder.
    pub folders: Vec<Folder>,
}

/// A file of an archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArchiveFile {
    /// Name, encoded as Shift JIS when written.
    pub name: String,
    /// Contents, stored unchanged; a Yaz0 or Yay0 stream is marked as compressed.
    pub bytes: Vec<u8>,
}

const FILE: u8 = 1;
const FOLDER: u8 = 2;
const COMPRESSED: u8 = 4;
const PRELOADED: u8 = 0x10;
const YAZ0: u8 = 0x80;
const NO_ID: u16 = 0xFFFF;

/// Names, each once.
#[derive(Default)]
struct Names {
    bytes: Vec<u8>,
}

impl Names {
    fn place(&mut self, name: &str) -> (u32, u16) {
        let name = encoding_rs::SHIFT_JIS.encode(name).0.into_owned();
        let hash = name.iter().fold(0_u16, |hash, byte| hash.wrapping_mul(3).wrapping_add(u16::from(*byte)));
        let at = count(self.bytes.len());
        self.bytes.extend_from_slice(&name);
        self.bytes.push(0);
        (at, hash)
    }
}

struct Entry {
    id: u16,
    hash: u16,
    flags: u8,
    name: u32,
    offset: u32,
    size: u32,
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn up(size: usize) -> usize {
    size.checked_next_multiple_of(32).unwrap_or(size)
}

/// A folder met on the way through the tree, and the place of the one that holds it.
struct Node<'a> {
    folder: &'a Folder,
    parent: Option<u32>,
    name: (u32, u16),
}

/// An archive with this root: each folder's files, then its folders, then itself and its parent, as the games' own have them.
pub fn encode_rarc(root: &Folder) -> Vec<u8> {
    let mut names = Names::default();
    let (own, parent) = (names.place("."), names.place(".."));
    let mut nodes = vec![Node { folder: root, parent: None, name: names.place(&root.name) }];
    let (mut entries, mut rows, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0_usize;
    while let Some(Node { folder, parent: above, name }) = nodes.get(at) {
        let (folder, above, name) = (*folder, *above, *name);
        let first = entries.len();
        for file in &folder.files {
            let (file_name, hash) = names.place(&file.name);
            let packed = if file.bytes.starts_with(b"Yaz0") { COMPRESSED | YAZ0 } else { 0 };
            let packed = if file.bytes.starts_with(b"Yay0") { COMPRESSED } else { packed };
            let (offset, size) = (count(data.len()), count(file.bytes.len()));
            let id = u16::try_from(entries.len()).unwrap_or(NO_ID);
            entries.push(Entry { id, hash, flags: FILE | PRELOADED | packed, name: file_name, offset, size });
            data.extend_from_slice(&file.bytes);
            data.resize(up(data.len()), 0);
        }
        for below in &folder.folders {
            let (below_name, hash) = names.place(&below.name);
            entries.push(Entry {
                id: NO_ID,
                hash,
                flags: FOLDER,
                name: below_name,
                offset: count(nodes.len()),
                size: 0x10,
            });
            nodes.push(Node { folder: below, parent: Some(count(at)), name: (below_name, hash) });
        }
        for ((name, hash), target) in [(own, Some(count(at))), (parent, above)] {
            let offset = target.unwrap_or(u32::MAX);
            entries.push(Entry { id: NO_ID, hash, flags: FOLDER, name, offset, size: 0x10 });
        }
        rows.push((name, entries.len().saturating_sub(first), first));
        at = at.saturating_add(1);
    }
    write(&nodes, &rows, &entries, &names, &data)
}

fn write(
    nodes: &[Node<'_>],
    rows: &[((u32, u16), usize, usize)],
    entries: &[Entry],
    names: &Names,
    data: &[u8],
) -> Vec<u8> {
    let nodes_at = 0x20_usize;
    let entries_at = up(nodes.len().saturating_mul(0x10)).saturating_add(nodes_at);
    let names_at = up(entries.len().saturating_mul(0x14)).saturating_add(entries_at);
    let names_size = up(names.bytes.len());
    let data_at = names_at.saturating_add(names_size);
    let size = data_at.saturating_add(0x20).saturating_add(data.len());
    let mut out = b"RARC".to_vec();
    let words = |out: &mut Vec<u8>, words: &[usize]| {
        words.iter().for_each(|word| out.extend_from_slice(&count(*word).to_be_bytes()));
    };
    words(&mut out, &[size, 0x20, data_at, data.len(), data.len(), 0, 0]);
    words(&mut out, &[nodes.len(), nodes_at, entries.len(), entries_at, names_size, names_at]);
    out.extend_from_slice(&u16::try_from(entries.len()).unwrap_or(NO_ID).to_be_bytes());
    // Files' numbers are their places.
    out.extend_from_slice(&[1, 0, 0, 0, 0, 0]);
    for (index, (node, ((name, hash), entry_count, first))) in nodes.iter().zip(rows).enumerate() {
        let short: Vec<u8> = node.folder.name.to_ascii_uppercase().bytes().chain([b' '; 4]).take(4).collect();
        out.extend_from_slice(if index == 0 { b"ROOT" } else { &short });
        words(&mut out, &[*name as usize]);
        out.extend_from_slice(&hash.to_be_bytes());
        out.extend_from_slice(&u16::try_from(*entry_count).unwrap_or(NO_ID).to_be_bytes());
        words(&mut out, &[*first]);
    }
    out.resize(entries_at.saturating_add(0x20), 0);
    for entry in entries {
        out.extend_from_slice(&entry.id.to_be_bytes());
        out.extend_from_slice(&entry.hash.to_be_bytes());
        out.extend_from_slice(&(u32::from(entry.flags) << 24 | entry.name & 0x00FF_FFFF).to_be_bytes());
        words(&mut out, &[entry.offset as usize, entry.size as usize, 0]);
    }
    out.resize(names_at.saturating_add(0x20), 0);
    out.extend_from_slice(&names.bytes);
    out.resize(data_at.saturating_add(0x20), 0);
    out.extend_from_slice(data);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> usize {
        u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    }

    #[test]
    fn tables_point_at_files_and_folders() {
        let file = |name: &str, bytes: &[u8]| ArchiveFile { name: name.into(), bytes: bytes.to_vec() };
        let below = Folder { name: "bck".into(), files: vec![file("b", b"BB")], folders: Vec::new() };
        let root = Folder { name: "arc".into(), files: vec![file("a", b"A")], folders: vec![below] };
        let bytes = encode_rarc(&root);
        assert_eq!((&bytes[..4], word(&bytes, 4), word(&bytes, 8)), (&b"RARC"[..], bytes.len(), 0x20));
        let data = 0x20 + word(&bytes, 0x0C);
        assert_eq!((bytes[data], &bytes[data + 32..data + 34]), (b'A', &b"BB"[..]));
        assert_eq!((word(&bytes, 0x20), word(&bytes, 0x28)), (2, 7));
        let nodes = 0x20 + word(&bytes, 0x24);
        assert_eq!((&bytes[nodes..nodes + 4], &bytes[nodes + 16..nodes + 20]), (&b"ROOT"[..], &b"BCK "[..]));
        // The folder's node: three entries from the fifth on.
        assert_eq!((bytes[nodes + 16 + 11], word(&bytes, nodes + 16 + 12)), (3, 4));
        let entries = 0x20 + word(&bytes, 0x2C);
        // The root's ".." leads nowhere.
        assert_eq!(word(&bytes, entries + 3 * 0x14 + 8), 0xFFFF_FFFF);
        let name = 0x20 + word(&bytes, 0x34) + (word(&bytes, entries + 4 * 0x14 + 4) & 0xFF_FFFF);
        assert_eq!((&bytes[name..name + 2], word(&bytes, entries + 4 * 0x14 + 12)), (&b"b\0"[..], 2));
    }
}
