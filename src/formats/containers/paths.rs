//! Paths that are shown, and that exports write, made of the names that a container has (formats/containers.md §1.2).

use std::collections::HashMap;

/// What a name became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Of [`Paths`].
    pub node: usize,
    /// The name is not the one that the container has.
    pub is_unsafe: bool,
    /// Its folder had one of this name: a number was added.
    pub is_duplicate: bool,
}

/// The folders and files of a container, under names that are safe to write.
#[derive(Debug)]
pub struct Paths {
    nodes: Vec<Node>,
}

#[derive(Debug)]
pub struct Node {
    pub name: String,
    /// `None` for the container itself and what lies in it.
    pub parent: Option<usize>,
    /// The item that it stands for, an index; `None` for a folder that only paths name.
    pub item: Option<usize>,
    pub is_folder: bool,
    depth: u32,
    /// By name in lower case.
    inside: HashMap<String, usize>,
    /// The next number for a second one of a name.
    numbers: HashMap<String, u32>,
}

const ROOT: usize = 0;

impl Paths {
    pub fn new() -> Self {
        Self { nodes: vec![Node::folder(String::new(), None, 0)] }
    }

    /// Folders and files, each after the folder that it is in.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().skip(1)
    }

    /// Adds an item below `parent`, a node, or below the container itself; with `is_path` its name leads through folders.
    ///
    /// `None` when it would lie in more than `deepest` folders.
    pub fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        (is_path, is_folder): (bool, bool),
        item: usize,
        deepest: u32,
    ) -> Option<Place> {
        let name = name.split('\0').next().unwrap_or_default();
        let segments: Vec<&str> = match is_path {
            true => name.split(['/', '\\']).filter(|segment| !segment.is_empty() && *segment != ".").collect(),
            false => vec![name],
        };
        let mut is_unsafe = is_path && changes_where_it_leads(name, is_folder);
        let mut safe = segments.into_iter().map(|segment| {
            let made = safe_segment(segment);
            is_unsafe |= made != segment;
            made
        });
        let mut folder = parent.unwrap_or(ROOT);
        let mut last = safe.next();
        if last.is_none() {
            last = Some("_".to_owned());
        }
        let rest: Vec<String> = safe.collect();
        is_unsafe |= name.is_empty();
        let mut rest = rest.into_iter();
        while let Some(name) = last.take() {
            match rest.next() {
                Some(next) => {
                    folder = self.folder(folder, &name, deepest)?;
                    last = Some(next);
                }
                None if is_folder => {
                    let node = self.folder(folder, &name, deepest)?;
                    let found = self.nodes.get_mut(node)?;
                    found.item = found.item.or(Some(item));
                    return Some(Place { node, is_unsafe, is_duplicate: false });
                }
                None => {
                    let (node, is_duplicate) = self.file(folder, name, item)?;
                    return Some(Place { node, is_unsafe, is_duplicate });
                }
            }
        }
        None
    }

    /// The folder of a name in another one, which is made where it is not there. Names are one without regard to case.
    fn folder(&mut self, parent: usize, name: &str, deepest: u32) -> Option<usize> {
        let above = self.nodes.get(parent)?;
        if let Some(found) = above.inside.get(&name.to_lowercase()).copied()
            && self.nodes.get(found).is_some_and(|node| node.is_folder)
        {
            return Some(found);
        }
        let depth = above.depth.saturating_add(1);
        if depth > deepest {
            return None;
        }
        let (name, _) = self.free_name(parent, name.to_owned())?;
        Some(self.push(Node::folder(name, Some(parent).filter(|p| *p != ROOT), depth), parent))
    }

    fn file(&mut self, parent: usize, name: String, item: usize) -> Option<(usize, bool)> {
        let (name, is_duplicate) = self.free_name(parent, name)?;
        let depth = self.nodes.get(parent)?.depth.saturating_add(1);
        let node = Node {
            item: Some(item),
            is_folder: false,
            ..Node::folder(name, Some(parent).filter(|p| *p != ROOT), depth)
        };
        Some((self.push(node, parent), is_duplicate))
    }

    /// A name that its folder does not have yet: itself, or with a number before the extension.
    fn free_name(&mut self, parent: usize, name: String) -> Option<(String, bool)> {
        let above = self.nodes.get_mut(parent)?;
        let key = name.to_lowercase();
        if !above.inside.contains_key(&key) {
            return Some((name, false));
        }
        let (stem, extension) = match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
            _ => (name.as_str(), String::new()),
        };
        let number = above.numbers.entry(key).or_insert(1);
        loop {
            *number = number.checked_add(1)?;
            let numbered = format!("{stem} ({number}){extension}");
            if !above.inside.contains_key(&numbered.to_lowercase()) {
                return Some((numbered, true));
            }
        }
    }

    fn push(&mut self, node: Node, parent: usize) -> usize {
        let at = self.nodes.len();
        if let Some(above) = self.nodes.get_mut(parent) {
            above.inside.insert(node.name.to_lowercase(), at);
        }
        self.nodes.push(node);
        at
    }
}

impl Node {
    fn folder(name: String, parent: Option<usize>, depth: u32) -> Self {
        let (inside, numbers) = (HashMap::new(), HashMap::new());
        Self { name, parent, item: None, is_folder: true, depth, inside, numbers }
    }
}

/// Whether a path leads elsewhere than its segments do: it starts at a root, or has empty segments.
fn changes_where_it_leads(path: &str, is_folder: bool) -> bool {
    let path = if is_folder { path.strip_suffix(['/', '\\']).unwrap_or(path) } else { path };
    path.split(['/', '\\']).any(|segment| segment.is_empty() || segment == ".")
}

/// A name that a file can have everywhere, and that leads nowhere.
fn safe_segment(segment: &str) -> String {
    let is_bad = |c: char| c < ' ' || matches!(c, '\u{7F}' | '\\' | '/' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let made: String = segment.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
    let made = made.trim_end_matches([' ', '.']);
    if made.is_empty() { "_".to_owned() } else { made.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(paths: &Paths, node: usize) -> String {
        let node = &paths.nodes[node];
        match node.parent {
            Some(parent) => format!("{}/{}", path(paths, parent), node.name),
            None => node.name.clone(),
        }
    }

    /// The path of a file, and whether it was changed and was there before.
    fn added(paths: &mut Paths, name: &str) -> (String, bool, bool) {
        let place = paths.add(name, None, (true, false), 0, 64).unwrap();
        (path(paths, place.node), place.is_unsafe, place.is_duplicate)
    }

    #[test]
    fn names_are_made_by_every_rule() {
        let mut paths = Paths::new();
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
        let mut paths = Paths::new();
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
        let mut paths = Paths::new();
        let folder = paths.add("models", None, (false, true), 0, 64).unwrap().node;
        let file = paths.add("../a\\b", Some(folder), (false, false), 1, 64).unwrap();
        assert_eq!((path(&paths, file.node).as_str(), file.is_unsafe), ("models/.._a_b", true));
        let deep = "a/".repeat(65) + "x";
        assert!(paths.add(&deep, None, (true, false), 2, 64).is_none());
        assert!(paths.add(&deep[2..], None, (true, false), 2, 64).is_some());
        assert_eq!(paths.nodes().filter(|(_, node)| node.item == Some(0)).count(), 1);
    }
}
