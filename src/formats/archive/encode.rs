//! Writes RARC archives and packs with Yaz0 and Yay0 (formats/j3d.md §10, §11): samples, tests and benches write
//! through this. Made from that document alone.

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

/// How far back a copy reaches.
const WINDOW: usize = 0x1000;
/// Shortest and longest copy.
const SHORTEST: usize = 3;
const LONGEST: usize = 0x111;
/// Candidates that are looked at for each copy.
const TRIES: usize = 128;
/// Longest copy that needs no byte of its own for its length.
const SHORT_COPY: usize = 0x11;

/// What stands in a packed stream.
enum Step {
    Literal(u8),
    Copy { distance: usize, length: usize },
}

/// Where the three bytes at each place were seen before.
struct Chains {
    heads: Vec<u32>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Chains {
    fn new(size: usize) -> Self {
        Self { heads: vec![NONE; 1 << 15], before: vec![NONE; size] }
    }

    fn bucket(bytes: &[u8], at: usize) -> Option<usize> {
        let [a, b, c, ..] = bytes.get(at..)? else { return None };
        let word = u32::from(*a) << 16 | u32::from(*b) << 8 | u32::from(*c);
        Some((word.wrapping_mul(0x9E37_79B1) >> 17) as usize)
    }

    fn add(&mut self, bytes: &[u8], at: usize) {
        let Some(head) = Self::bucket(bytes, at).and_then(|bucket| self.heads.get_mut(bucket)) else { return };
        if let Some(before) = self.before.get_mut(at) {
            *before = *head;
            *head = u32::try_from(at).unwrap_or(NONE);
        }
    }

    /// Distance and length of the longest copy for this place; the nearest of equals.
    fn longest(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let wanted = bytes.get(at..).unwrap_or_default();
        let mut best = (0, 0);
        let mut candidate = Self::bucket(bytes, at).and_then(|bucket| self.heads.get(bucket)).copied().unwrap_or(NONE);
        for _ in 0..TRIES {
            let from = candidate as usize;
            let distance = at.saturating_sub(from);
            if candidate == NONE || distance == 0 || distance > WINDOW {
                break;
            }
            let seen = bytes.get(from..).unwrap_or_default();
            let length = wanted.iter().zip(seen).take(LONGEST).take_while(|(a, b)| a == b).count();
            if length > best.1 {
                best = (distance, length);
            }
            if length == LONGEST {
                break;
            }
            candidate = self.before.get(from).copied().unwrap_or(NONE);
        }
        best
    }
}

/// Greedy, except that a copy waits a byte when the next place has a longer one.
fn steps(bytes: &[u8]) -> Vec<Step> {
    let mut chains = Chains::new(bytes.len());
    let mut out = Vec::new();
    let mut at = 0_usize;
    let mut found = None;
    while let Some(byte) = bytes.get(at) {
        let (distance, length) = found.take().unwrap_or_else(|| chains.longest(bytes, at));
        chains.add(bytes, at);
        let next = at.saturating_add(1);
        if length < SHORTEST {
            out.push(Step::Literal(*byte));
            at = next;
            continue;
        }
        let later = if length < LONGEST { chains.longest(bytes, next) } else { (0, 0) };
        if later.1 > length.saturating_add(1) {
            out.push(Step::Literal(*byte));
            found = Some(later);
            at = next;
            continue;
        }
        out.push(Step::Copy { distance, length });
        let end = at.saturating_add(length);
        (next..end).for_each(|place| chains.add(bytes, place));
        at = end;
    }
    out
}

fn size_word(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes()
}

/// Two bytes of a copy: `short` length or 0, and distance less one.
fn link(distance: usize, length: usize) -> [u8; 2] {
    let short = if length > SHORT_COPY { 0 } else { length.saturating_sub(2) };
    let word = (short & 15) << 12 | distance.saturating_sub(1) & 0xFFF;
    (word as u16).to_be_bytes()
}

/// The length's own byte, where a copy has one.
fn long_length(length: usize) -> Option<u8> {
    (length > SHORT_COPY).then(|| length.saturating_sub(0x12) as u8)
}

/// Packs bytes as Yaz0.
pub fn encode_yaz0(bytes: &[u8]) -> Vec<u8> {
    let mut out = b"Yaz0".to_vec();
    out.extend_from_slice(&size_word(bytes));
    out.extend_from_slice(&[0; 8]);
    for eight in steps(bytes).chunks(8) {
        let flags = eight.iter().zip([0x80_u8, 0x40, 0x20, 0x10, 8, 4, 2, 1]);
        out.push(flags.filter(|(step, _)| matches!(step, Step::Literal(_))).fold(0, |byte, (_, bit)| byte | bit));
        for step in eight {
            match step {
                Step::Literal(byte) => out.push(*byte),
                Step::Copy { distance, length } => {
                    out.extend_from_slice(&link(*distance, *length));
                    out.extend(long_length(*length));
                }
            }
        }
    }
    out
}

/// Packs bytes as Yay0: flags, copies and the rest in streams of their own.
pub fn encode_yay0(bytes: &[u8]) -> Vec<u8> {
    let (mut flags, mut links, mut chunks) = (Vec::new(), Vec::new(), Vec::new());
    for group in steps(bytes).chunks(32) {
        let mut word = 0_u32;
        for (index, step) in (0_u32..32).zip(group) {
            match step {
                Step::Literal(byte) => {
                    word |= 0x8000_0000 >> index;
                    chunks.push(*byte);
                }
                Step::Copy { distance, length } => {
                    links.extend_from_slice(&link(*distance, *length));
                    chunks.extend(long_length(*length));
                }
            }
        }
        flags.extend_from_slice(&word.to_be_bytes());
    }
    let links_at = flags.len().saturating_add(0x10);
    let chunks_at = links_at.saturating_add(links.len());
    let mut out = b"Yay0".to_vec();
    out.extend_from_slice(&size_word(bytes));
    for offset in [links_at, chunks_at] {
        out.extend_from_slice(&u32::try_from(offset).unwrap_or(u32::MAX).to_be_bytes());
    }
    out.extend(flags);
    out.extend(links);
    out.extend(chunks);
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

    /// A plain unpacker, for these tests alone.
    fn unpack(packed: &[u8]) -> Vec<u8> {
        let size = u32::from_be_bytes(packed[4..8].try_into().unwrap()) as usize;
        let mut out = Vec::new();
        let mut at = 16;
        while out.len() < size {
            let flags = packed[at];
            at += 1;
            for bit in 0..8 {
                if out.len() >= size {
                    break;
                }
                if flags & (0x80 >> bit) != 0 {
                    out.push(packed[at]);
                    at += 1;
                } else {
                    let distance = (usize::from(packed[at] & 15) << 8 | usize::from(packed[at + 1])) + 1;
                    let mut length = usize::from(packed[at] >> 4) + 2;
                    at += 2;
                    if length == 2 {
                        length = usize::from(packed[at]) + 0x12;
                        at += 1;
                    }
                    for _ in 0..length {
                        out.push(out[out.len() - distance]);
                    }
                }
            }
        }
        assert_eq!(at, packed.len());
        out
    }

    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u32;
        (0..count)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 29) as u8
            })
            .collect()
    }

    #[test]
    fn what_is_packed_unpacks() {
        let mut inputs = vec![Vec::new(), vec![7], vec![7; 10_000], noise(20_000)];
        inputs.push(b"abcabcabcabd".repeat(700));
        inputs.push([noise(5_000), vec![0; 4_096], noise(5_000)].concat());
        for bytes in inputs {
            let packed = encode_yaz0(&bytes);
            assert_eq!(unpack(&packed), bytes);
            assert!(packed.len() <= bytes.len() + bytes.len() / 8 + 18);
        }
        assert!(encode_yaz0(&[7; 10_000]).len() < 180);
    }

    #[test]
    fn by_hand() {
        assert_eq!(encode_yaz0(b"aaaaa")[16..], [0x80, b'a', 0x20, 0]);
        let yay0 = encode_yay0(b"aaaaa");
        assert_eq!(yay0[8..], [0, 0, 0, 0x14, 0, 0, 0, 0x16, 0x80, 0, 0, 0, 0x20, 0, b'a']);
    }
}
