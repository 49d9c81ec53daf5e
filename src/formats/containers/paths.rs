//! Paths that are shown, and that exports write, made of the names that a container has (formats/containers.md §1.2).

use crate::{bytes::MemberLimits, formats::SharedText};
use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
};

/// The characters of the bytes from 80h on.
const UPPER: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// Text of which every byte is a character.
pub fn decode(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte.checked_sub(0x80) {
        Some(upper) => UPPER.chars().nth(usize::from(upper)).unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    bytes.iter().map(letter).collect()
}

/// The place of an item among the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index into the nodes of [`Paths`].
    pub node: usize,
    /// True if the name differs from the one in the container.
    pub is_unsafe: bool,
    /// True if its folder had this name already and a number was added.
    pub is_duplicate: bool,
}

/// Reason why an item has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is in more folders than the limit.
    Depth,
    /// The container has the maximum number of files and folders already.
    Entries(u64),
    /// The paths have the maximum number of bytes already.
    Bytes(u64),
}

/// The folders and files of a container, under names that are safe to write. Each node has only its own name and its parent: whole
/// paths, which can be much longer than the file, are built on request.
#[derive(Debug)]
pub struct Paths {
    nodes: Vec<Node>,
    /// The last node by the hash of its folder and its name in lower case.
    by_name: HashMap<u64, usize>,
    /// The next number for another file of a name.
    numbers: HashMap<u64, u32>,
    hasher: RandomState,
    deepest: u32,
    most: u64,
    most_bytes: u64,
    /// Bytes of all paths.
    bytes: u64,
}

#[derive(Debug)]
pub struct Node {
    pub name: SharedText,
    /// `None` for a node of the container itself.
    pub parent: Option<usize>,
    /// Index of its item; `None` for a folder that only paths name.
    pub item: Option<usize>,
    pub is_folder: bool,
    depth: u32,
    /// Bytes of its path.
    path: u64,
    /// The next node whose folder and name have the same hash.
    same_hash: Option<usize>,
}

const ROOT: usize = 0;

impl Paths {
    /// Makes the paths of a container of `size` bytes.
    pub fn new(limits: &MemberLimits, size: u64) -> Self {
        Self {
            nodes: vec![Node::folder(SharedText::default(), None, 0)],
            by_name: HashMap::new(),
            numbers: HashMap::new(),
            hasher: RandomState::new(),
            deepest: limits.folders,
            most: limits.entries_of(size),
            most_bytes: limits.paths.of(size),
            bytes: 0,
        }
    }

    /// Returns folders and files, each after the folder that it is in.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().skip(1)
    }

    /// Adds an item below `parent`, a node, or below the container itself; with `is_path` its name leads through folders.
    ///
    /// # Errors
    /// Returns the limit that does not allow it.
    pub fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        (is_path, is_folder): (bool, bool),
        item: usize,
    ) -> Result<Place, Refusal> {
        let name = name.split('\0').next().unwrap_or_default();
        let mut is_unsafe = name.is_empty() || is_path && changes_where_it_leads(name, is_folder);
        let separators: &[char] = if is_path { &['/', '\\'] } else { &[] };
        let segments = name.split(separators).filter(|segment| !is_path || !segment.is_empty() && *segment != ".");
        let mut segments = segments.peekable();
        let mut folder = parent.unwrap_or(ROOT);
        loop {
            let segment = segments.next().unwrap_or_default();
            let made = safe_segment(segment);
            is_unsafe |= made != segment;
            if segments.peek().is_some() {
                folder = self.folder(folder, made)?;
                continue;
            }
            let (node, is_duplicate) = match is_folder {
                true => (self.folder(folder, made)?, false),
                false => self.new_node(folder, made, false)?,
            };
            if let Some(found) = self.nodes.get_mut(node) {
                found.item = found.item.or(Some(item));
            }
            return Ok(Place { node, is_unsafe, is_duplicate });
        }
    }

    /// Returns the folder of a name in another one, and makes it if it is missing. Names are compared without case.
    fn folder(&mut self, parent: usize, name: String) -> Result<usize, Refusal> {
        let found = self.find(parent, &name.to_lowercase());
        match found.filter(|found| self.nodes.get(*found).is_some_and(|node| node.is_folder)) {
            Some(found) => Ok(found),
            None => self.new_node(parent, name, true).map(|(node, _)| node),
        }
    }

    /// Makes a node below another one. Returns also whether its name was changed because the folder had that name already.
    fn new_node(&mut self, parent: usize, name: String, is_folder: bool) -> Result<(usize, bool), Refusal> {
        let above = self.nodes.get(parent).ok_or(Refusal::Depth)?;
        let depth = above.depth.saturating_add(1);
        if is_folder && depth > self.deepest {
            return Err(Refusal::Depth);
        }
        if self.nodes.len() as u64 > self.most {
            return Err(Refusal::Entries(self.most));
        }
        let above = above.path;
        let (name, is_duplicate) = self.free_name(parent, name);
        let path = above.saturating_add(u64::from(above > 0)).saturating_add(name.len() as u64);
        let bytes = self.bytes.saturating_add(path);
        if bytes > self.most_bytes {
            return Err(Refusal::Bytes(self.most_bytes));
        }
        self.bytes = bytes;
        let at = self.nodes.len();
        let same_hash = self.by_name.insert(self.hash(parent, &name.to_lowercase()), at);
        let parent = Some(parent).filter(|parent| *parent != ROOT);
        self.nodes.push(Node { path, is_folder, same_hash, ..Node::folder(name.into(), parent, depth) });
        Ok((at, is_duplicate))
    }

    /// Returns a name that its folder does not have yet: the name itself, or with a number before the extension.
    fn free_name(&mut self, parent: usize, name: String) -> (String, bool) {
        let key = name.to_lowercase();
        if self.find(parent, &key).is_none() {
            return (name, false);
        }
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name.as_str(), String::new()),
        };
        let key = self.hash(parent, &key);
        let mut number = self.numbers.get(&key).copied().unwrap_or(1);
        loop {
            number = number.saturating_add(1);
            let numbered = format!("{stem} ({number}){extension}");
            // There are fewer nodes than numbers.
            if self.find(parent, &numbered.to_lowercase()).is_none() || number == u32::MAX {
                self.numbers.insert(key, number);
                return (numbered, true);
            }
        }
    }

    fn hash(&self, parent: usize, lower: &str) -> u64 {
        self.hasher.hash_one((parent, lower))
    }

    /// Returns the node of a name, in lower case, in a folder.
    fn find(&self, parent: usize, lower: &str) -> Option<usize> {
        let first = self.by_name.get(&self.hash(parent, lower)).copied();
        let next = |at: &usize| self.nodes.get(*at).and_then(|node| node.same_hash);
        std::iter::successors(first, next).find(|at| {
            let node = self.nodes.get(*at);
            node.is_some_and(|node| node.parent.unwrap_or(ROOT) == parent && node.name.to_lowercase() == lower)
        })
    }
}

impl Node {
    fn folder(name: SharedText, parent: Option<usize>, depth: u32) -> Self {
        Self { name, parent, item: None, is_folder: true, depth, path: 0, same_hash: None }
    }
}

/// Returns whether a path starts at a root, or has empty segments.
fn changes_where_it_leads(path: &str, is_folder: bool) -> bool {
    let path = if is_folder { path.strip_suffix(['/', '\\']).unwrap_or(path) } else { path };
    path.split(['/', '\\']).any(|segment| segment.is_empty() || segment == ".")
}

/// Returns a name that a file can have on every system, and that leads to no other folder.
fn safe_segment(segment: &str) -> String {
    let is_bad = |c: char| c < ' ' || matches!(c, '\u{7F}' | '\\' | '/' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let made: String = segment.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
    let made = made.trim_end_matches([' ', '.']);
    if made.is_empty() { "_".to_owned() } else { made.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_characters_of_the_code_page() {
        assert_eq!(UPPER.chars().count(), 128);
        assert_eq!(decode(b"K\x84se"), "Käse");
        // Known places: the pound sign, the first and the last of the box drawings, the sharp s, the last.
        assert_eq!(decode(&[0x9C, 0xB3, 0xDA, 0xE1, 0xFE, 0xFF]), "£│┌ß■\u{A0}");
    }

    fn path(paths: &Paths, node: usize) -> String {
        let node = &paths.nodes[node];
        match node.parent {
            Some(parent) => format!("{}/{}", path(paths, parent), node.name),
            None => node.name.to_string(),
        }
    }

    fn paths() -> Paths {
        Paths::new(&MemberLimits::default(), 1 << 20)
    }

    /// The path of a file, and whether it was changed and was there before.
    fn added(paths: &mut Paths, name: &str) -> (String, bool, bool) {
        let place = paths.add(name, None, (true, false), 0).unwrap();
        (path(paths, place.node), place.is_unsafe, place.is_duplicate)
    }

    #[test]
    fn names_are_made_by_every_rule() {
        let mut paths = paths();
        for (name, expected, is_unsafe) in [
            ("System\\de.u", "System/de.u", false),
            ("SYSTEM/en.u", "System/en.u", false),
            ("..\\..\\boot.ini", "_/_/boot.ini", true),
            ("C:\\Windows\\x.dll", "C_/Windows/x.dll", true),
            ("/etc/passwd", "etc/passwd", true),
            ("a//b/./c", "a/b/c", true),
            ("what?*.txt", "what__.txt", true),
            ("dots. . .", "dots", true),
            ("tab\there", "tab_here", true),
            ("cut\0here", "cut", false),
            // A folder is called so already.
            ("", "_ (2)", true),
            ("/", "_ (3)", true),
        ] {
            let (path, changed, _) = added(&mut paths, name);
            assert_eq!((path.as_str(), changed), (expected, is_unsafe), "{name:?}");
        }
    }

    #[test]
    fn a_second_file_of_a_name_gets_a_number_and_folders_of_one_name_are_one() {
        let mut paths = paths();
        let all = ["a/x.txt", "A/X.TXT", "a/x.txt", "a/x (2).txt", "a/.dot", "a/.DOT", "b", "b/c"];
        let made: Vec<(String, bool)> =
            all.iter().map(|name| added(&mut paths, name)).map(|(p, _, d)| (p, d)).collect();
        let expected = [
            ("a/x.txt", false),
            ("a/X (2).TXT", true),
            ("a/x (3).txt", true),
            ("a/x (2) (2).txt", true),
            ("a/.dot", false),
            ("a/.DOT (2)", true),
            ("b", false),
            // A folder where a file has the name.
            ("b (2)/c", false),
        ];
        assert_eq!(made, expected.map(|(path, duplicate)| (path.to_owned(), duplicate)));
    }

    #[test]
    fn names_of_one_segment_lead_nowhere_and_folders_have_an_end() {
        let mut paths = paths();
        let folder = paths.add("models", None, (false, true), 0).unwrap().node;
        let file = paths.add("../a\\b", Some(folder), (false, false), 1).unwrap();
        assert_eq!((path(&paths, file.node).as_str(), file.is_unsafe), ("models/.._a_b", true));
        let deep = "a/".repeat(65) + "x";
        assert_eq!(paths.add(&deep, None, (true, false), 2), Err(Refusal::Depth));
        assert!(paths.add(&deep[2..], None, (true, false), 2).is_ok());
        assert_eq!(paths.nodes().filter(|(_, node)| node.item == Some(0)).count(), 1);
    }

    #[test]
    fn folders_that_only_paths_name_and_whole_paths_are_counted() {
        let limits = MemberLimits { few: 5, ..MemberLimits::default() };
        let mut few = Paths::new(&limits, 40);
        assert!(few.add("a/b/c/d", None, (true, false), 0).is_ok());
        assert!(few.add("A/B/x", None, (true, false), 1).is_ok());
        assert_eq!(few.add("y", None, (true, false), 2).map(|place| place.node), Ok(6));
        assert_eq!(few.add("z", None, (true, false), 3), Err(Refusal::Entries(6)));
        let limits = MemberLimits { paths: crate::bytes::Allowance { base: 10, per_byte: 0 }, ..limits };
        let mut short = Paths::new(&limits, 80);
        let folder = short.add("abc", None, (false, true), 0).unwrap().node;
        // "abc/def" has seven bytes: three and seven are ten.
        assert!(short.add("def", Some(folder), (false, false), 1).is_ok());
        assert_eq!(short.add("g", None, (false, false), 2), Err(Refusal::Bytes(10)));
    }
}
