//! Who takes what from whom: the imports of a collection's files, found within the collection.

use super::{Catalog, FileIndex, ImportRecord, Row, RowIndex, nearness::Places};
use crate::formats::{EntryId, file_name};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    ops::Range,
};

/// Entries of the name of one that is missing, which are given at most.
const MAX_ELSEWHERE: usize = 16;
/// Entries of one name that are looked at for these.
const MAX_OF_A_NAME: usize = 64;

/// The target of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// In a file of the collection.
    File(FileIndex),
    /// In the game's executable.
    BuiltIn,
    /// No file of the collection.
    Missing,
}

/// Files of which one takes something from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The file with the import.
    pub from: FileIndex,
    /// The file that has the things.
    pub to: FileIndex,
    /// Things that it takes.
    pub count: u32,
}

/// The imports of a collection, each with the file that has what it names. The same catalog has to be given to its functions.
pub struct Links {
    /// Of all files one behind the other, as the catalog has them.
    targets: Vec<Target>,
    /// Where the targets of each file begin, and the end.
    first_target: Vec<u32>,
    /// By what takes, then by what has it.
    edges: Vec<Edge>,
    first_edge: Vec<u32>,
    /// Into the edges, by what has it.
    back: Vec<u32>,
    first_back: Vec<u32>,
    places: Places,
}

/// An import of a file.
#[derive(Clone, Debug)]
pub struct Need<'a> {
    /// The other file as the format names it.
    pub name: &'a str,
    /// The place of the other file.
    pub target: Target,
    /// The things that are taken.
    pub entries: Vec<NeededEntry<'a>>,
}

/// One thing that a file takes from another one.
#[derive(Clone, Debug)]
pub struct NeededEntry<'a> {
    /// The import as the file stores it.
    pub import: &'a ImportRecord<'static>,
    /// Where it lies in the other file. `None` for what is not in it, and for the file as a whole.
    pub row: Option<RowIndex>,
    /// Where entries of its name lie, where it is not in the file or there is no such file: those of its class first. At most 16.
    pub elsewhere: Vec<RowIndex>,
}

/// A file that takes something, and what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    /// The file that takes something.
    pub file: FileIndex,
    /// Into [`Catalog::imports`] of that file.
    pub import: usize,
}

/// Which way along edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To what a file needs.
    Needs,
    /// To what uses it.
    Users,
}

/// Files that are reached along edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Each with how many steps away it is, the nearest first. The file that was begun with is the first.
    pub files: Vec<(FileIndex, u32)>,
    /// There are more.
    pub is_cut: bool,
}

fn file_indices(catalog: &Catalog) -> impl Iterator<Item = FileIndex> + use<> {
    (0..u32::try_from(catalog.files().len()).unwrap_or(u32::MAX)).map(FileIndex)
}

/// Where the items of each of `count` begin in a list that is in their order, and the end.
fn starts(count: usize, items: impl Iterator<Item = FileIndex>) -> Vec<u32> {
    let mut starts = vec![0_u32; count.saturating_add(1)];
    for item in items {
        if let Some(behind) = starts.get_mut((item.0 as usize).saturating_add(1)) {
            *behind = behind.saturating_add(1);
        }
    }
    let mut sum = 0_u32;
    for start in &mut starts {
        sum = sum.saturating_add(*start);
        *start = sum;
    }
    starts
}

fn range(starts: &[u32], file: FileIndex) -> Range<usize> {
    let at = |index: usize| starts.get(index).map_or(0, |start| *start as usize);
    let index = file.0 as usize;
    at(index)..at(index.saturating_add(1))
}

impl Links {
    /// Finds what all files take. Blocks: call it on a worker.
    pub fn of(catalog: &Catalog) -> Self {
        let places = Places::of(catalog);
        let count = catalog.files().len();
        let mut targets: Vec<Target> = Vec::new();
        let mut edges: Vec<Edge> = Vec::new();
        let mut first_target = vec![0_u32];
        let mut known: HashMap<&str, Target> = HashMap::new();
        let mut taken: HashMap<FileIndex, u32> = HashMap::new();
        for file in file_indices(catalog) {
            known.clear();
            taken.clear();
            let mut last: Option<(&str, Target)> = None;
            for import in catalog.imports(file) {
                let target = match last {
                    _ if import.is_built_in => Target::BuiltIn,
                    // Mostly as the one before.
                    Some((name, target)) if name == import.file => target,
                    _ => *known.entry(&import.file).or_insert_with(|| {
                        places.find(catalog, file, &import.file).map_or(Target::Missing, Target::File)
                    }),
                };
                if !import.is_built_in {
                    last = Some((&import.file, target));
                }
                if let Target::File(to) = target {
                    let count = taken.entry(to).or_default();
                    *count = count.saturating_add(1);
                }
                targets.push(target);
            }
            first_target.push(u32::try_from(targets.len()).unwrap_or(u32::MAX));
            let from_here = edges.len();
            edges.extend(taken.iter().map(|(to, count)| Edge { from: file, to: *to, count: *count }));
            edges.get_mut(from_here..).unwrap_or_default().sort_unstable_by_key(|edge| edge.to);
        }
        let first_edge = starts(count, edges.iter().map(|edge| edge.from));
        let mut back: Vec<u32> = (0..u32::try_from(edges.len()).unwrap_or(u32::MAX)).collect();
        back.sort_by_key(|at| edges.get(*at as usize).map(|edge| edge.to));
        let first_back = starts(count, edges.iter().map(|edge| edge.to));
        Self { targets, first_target, edges, first_edge, back, first_back, places }
    }

    /// All edges, by what takes and then by what has it: the graph of the collection. Its nodes are the files.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the files that a file imports from.
    pub fn needed_files(&self, file: FileIndex) -> &[Edge] {
        self.edges.get(range(&self.first_edge, file)).unwrap_or_default()
    }

    /// Returns the files that import from a file.
    pub fn using_files(&self, file: FileIndex) -> impl Iterator<Item = &Edge> {
        let back = self.back.get(range(&self.first_back, file)).unwrap_or_default();
        back.iter().filter_map(|at| self.edges.get(*at as usize))
    }

    /// Returns the target of each of a file's [`Catalog::imports`].
    pub fn targets(&self, file: FileIndex) -> &[Target] {
        self.targets.get(range(&self.first_target, file)).unwrap_or_default()
    }

    /// The file that another one means by a name, as a format writes it.
    pub fn find(&self, catalog: &Catalog, from: FileIndex, name: &str) -> Option<FileIndex> {
        self.places.find(catalog, from, name)
    }

    /// All that a file takes, by the file that it takes it from, in the order in which these come first; and where what is missing
    /// lies elsewhere in the collection.
    pub fn needs<'a>(&self, catalog: &'a Catalog, file: FileIndex) -> Vec<Need<'a>> {
        let mut needs: Vec<Need<'a>> = Vec::new();
        let mut need_of: HashMap<(&str, bool), usize> = HashMap::new();
        for (import, target) in catalog.imports(file).iter().zip(self.targets(file)) {
            let at = *need_of.entry((&import.file, import.is_built_in)).or_insert_with(|| {
                needs.push(Need { name: &import.file, target: *target, entries: Vec::new() });
                needs.len().saturating_sub(1)
            });
            if let Some(need) = needs.get_mut(at) {
                need.entries.push(NeededEntry { import, row: None, elsewhere: Vec::new() });
            }
        }
        for need in &mut needs {
            if let Target::File(target) = need.target {
                find_rows(catalog, target, &mut need.entries);
            }
        }
        find_elsewhere(catalog, file, &mut needs);
        needs
    }

    /// Returns the users of a file or of its entries.
    pub fn users(&self, catalog: &Catalog, file: FileIndex) -> Vec<User> {
        self.users_if(catalog, file, |_| true)
    }

    /// Returns the users of an entry. For a file with one entry that is referred to as a whole, ask for the file.
    pub fn users_of_row(&self, catalog: &Catalog, row: RowIndex) -> Vec<User> {
        let Some(row) = catalog.row(row) else { return Vec::new() };
        if row.entry == EntryId::FILE {
            return self.users(catalog, row.file);
        }
        self.users_if(catalog, row.file, |import| {
            row.path.eq_ignore_ascii_case(&import.path) && is_of_class(&row, import)
        })
    }

    fn users_if(&self, catalog: &Catalog, file: FileIndex, is_meant: impl Fn(&ImportRecord<'_>) -> bool) -> Vec<User> {
        let mut users = Vec::new();
        for edge in self.using_files(file) {
            let imports = catalog.imports(edge.from).iter().zip(self.targets(edge.from)).enumerate();
            let found = imports.filter(|(_, (import, target))| **target == Target::File(file) && is_meant(import));
            users.extend(found.map(|(import, _)| User { file: edge.from, import }));
        }
        users
    }

    /// Files that are reached from one, the nearest first, at most so many and so many steps away.
    pub fn reach(&self, file: FileIndex, way: Way, most_steps: u32, at_most: usize) -> Reached {
        let mut reached = Reached::default();
        let mut seen = HashSet::from([file]);
        let mut next = VecDeque::from([(file, 0_u32)]);
        while let Some((file, steps)) = next.pop_front() {
            if reached.files.len() >= at_most {
                reached.is_cut = true;
                break;
            }
            reached.files.push((file, steps));
            let mut go_to = |file| {
                if !seen.contains(&file) {
                    if steps >= most_steps {
                        reached.is_cut = true;
                    } else {
                        seen.insert(file);
                        next.push_back((file, steps.saturating_add(1)));
                    }
                }
            };
            match way {
                Way::Needs => self.needed_files(file).iter().for_each(|edge| go_to(edge.to)),
                Way::Users => self.using_files(file).for_each(|edge| go_to(edge.from)),
            }
        }
        reached
    }
}

/// Which entries have a name, in any case, in the catalog's order; at most so many. Files are found by their names with and without
/// extension.
pub fn who_has(catalog: &Catalog, name: &str, at_most: usize) -> Vec<RowIndex> {
    let is_it = |row: &Row<'_>| {
        row.name.eq_ignore_ascii_case(name)
            || row.entry == EntryId::FILE && file_name::stem(row.name).eq_ignore_ascii_case(name)
    };
    catalog.rows().filter(|(_, row)| is_it(row)).take(at_most).map(|(at, _)| at).collect()
}

/// Whether a format calls an entry what an import says, as far as it says it.
fn is_of_class(row: &Row<'_>, import: &ImportRecord<'_>) -> bool {
    import.class.is_empty() || row.class.eq_ignore_ascii_case(&import.class)
}

/// Rows by what they are called, in any case: of a few names that are looked for.
#[derive(Default)]
struct Wanted {
    rows: HashMap<String, Vec<RowIndex>>,
    lower: String,
}

impl Wanted {
    fn want(&mut self, name: &str) {
        self.rows.entry(name.to_ascii_lowercase()).or_default();
    }

    /// Takes a row where its name is looked for; of many of one name the first.
    fn offer(&mut self, name: &str, row: RowIndex) {
        self.lower.clear();
        self.lower.push_str(name);
        self.lower.make_ascii_lowercase();
        if let Some(rows) = self.rows.get_mut(&self.lower).filter(|rows| rows.len() < MAX_OF_A_NAME) {
            rows.push(row);
        }
    }

    fn found(&self, name: &str) -> &[RowIndex] {
        self.rows.get(&name.to_ascii_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Finds entries by their paths in the file that has them: of several with one path the one of the class that is named, else the
/// first.
fn find_rows(catalog: &Catalog, target: FileIndex, entries: &mut [NeededEntry<'_>]) {
    let mut wanted = Wanted::default();
    entries.iter().filter(|entry| !entry.import.path.is_empty()).for_each(|entry| wanted.want(&entry.import.path));
    let rows = catalog.file(target).map(|file| file.rows.clone()).unwrap_or_default();
    for index in rows.map(RowIndex) {
        if let Some(row) = catalog.row(index).filter(|row| row.entry != EntryId::FILE) {
            wanted.offer(row.path, index);
        }
    }
    for entry in entries {
        let found = wanted.found(&entry.import.path);
        let is_of_class = |row: &&RowIndex| catalog.row(**row).is_some_and(|row| is_of_class(&row, entry.import));
        entry.row = found.iter().find(is_of_class).or(found.first()).copied();
    }
}

/// Finds entries of the names of those that were not found, those of the class that is named first.
fn find_elsewhere(catalog: &Catalog, file: FileIndex, needs: &mut [Need<'_>]) {
    let entries = needs.iter_mut().filter(|need| need.target != Target::BuiltIn).flat_map(|need| &mut need.entries);
    let mut missing: Vec<&mut NeededEntry<'_>> = entries.filter(|entry| entry.row.is_none()).collect();
    let mut wanted = Wanted::default();
    let names = missing.iter().map(|entry| name_of(&entry.import.path));
    names.filter(|name| !name.is_empty()).for_each(|name| wanted.want(name));
    if wanted.rows.is_empty() {
        return;
    }
    for (index, row) in catalog.rows().filter(|(_, row)| row.entry != EntryId::FILE && row.file != file) {
        wanted.offer(row.name, index);
    }
    for entry in &mut missing {
        let found = wanted.found(name_of(&entry.import.path)).iter().copied();
        let is_of_class = |row: &RowIndex| catalog.row(*row).is_some_and(|row| is_of_class(&row, entry.import));
        let (mut first, others): (Vec<RowIndex>, Vec<RowIndex>) = found.partition(is_of_class);
        first.extend(others);
        first.truncate(MAX_ELSEWHERE);
        entry.elsewhere = first;
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit(['.', '/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::{Content, Role},
        library::collection::made::{Made, catalog, file},
    };

    fn package(path: &str, textures: &[&str]) -> Made {
        textures.iter().fold(file(path, "unreal"), |made, texture| made.texture(texture, 8, 8))
    }

    fn index(catalog: &Catalog, path: &str) -> FileIndex {
        catalog.file_at(std::path::Path::new(path)).unwrap_or_else(|| panic!("no {path}"))
    }

    fn path(catalog: &Catalog, file: FileIndex) -> String {
        catalog.file(file).unwrap().path.display().to_string()
    }

    /// What a file needs, as text.
    fn needs(catalog: &Catalog, links: &Links, of: &str) -> Vec<String> {
        let shown = |row: &RowIndex| {
            let row = catalog.row(*row).unwrap();
            format!("{}::{}", path(catalog, row.file), row.path)
        };
        let mut lines = Vec::new();
        for need in links.needs(catalog, index(catalog, of)) {
            let target = match need.target {
                Target::File(file) => path(catalog, file),
                Target::BuiltIn => "built in".to_owned(),
                Target::Missing => "missing".to_owned(),
            };
            for entry in &need.entries {
                let row = entry.row.as_ref().map(shown).unwrap_or_else(|| "-".to_owned());
                let elsewhere: Vec<String> = entry.elsewhere.iter().map(shown).collect();
                lines.push(format!("{} {target} {} {row} [{}]", need.name, entry.import.path, elsewhere.join(" ")));
            }
        }
        lines
    }

    #[test]
    fn the_nearest_package_of_a_name_is_meant() {
        let map = |at: &str| file(at, "unreal").import("Walls", "Stone.Brick", "Texture");
        let walls = |at: &str| package(at, &["Stone.Brick"]);
        let found = catalog([
            map("/g/Maps/A.unr"),
            map("/g/Pack.umod/Maps/B.unr"),
            map("/other/C.unr"),
            map("/far/Maps/D.unr"),
            file("/g/Pack.umod", "umod"),
            walls("/g/Pack.umod/Textures/WALLS.utx"),
            walls("/g/Textures/walls.UTX"),
            walls("/other/Walls.utx"),
            file("/other/Walls.psk", "psk"),
            file("/g/Maps/Walls.txt", ""),
        ]);
        let links = Links::of(&found);
        let target = |of: &str| links.targets(index(&found, of)).to_vec();
        let at = |path: &str| vec![Target::File(index(&found, path))];
        assert_eq!(target("/g/Maps/A.unr"), at("/g/Textures/walls.UTX"), "of a folder beside its own");
        assert_eq!(target("/g/Pack.umod/Maps/B.unr"), at("/g/Pack.umod/Textures/WALLS.utx"), "of its own container");
        assert_eq!(target("/other/C.unr"), at("/other/Walls.utx"), "of its own folder; no file of another kind");
        assert!(matches!(target("/far/Maps/D.unr")[..], [Target::File(_)]), "of anywhere");
        let texture = found.row_of(index(&found, "/g/Textures/walls.UTX"), EntryId(1)).unwrap();
        let users = links.users_of_row(&found, texture);
        assert!(users.contains(&User { file: index(&found, "/g/Maps/A.unr"), import: 0 }));
        assert!(!users.iter().any(|user| user.file == index(&found, "/other/C.unr")));
        assert_eq!(links.find(&found, index(&found, "/other/C.unr"), "walls"), Some(index(&found, "/other/Walls.utx")));
    }

    #[test]
    fn containers_find_what_lies_beside_them() {
        let found = catalog([
            file("/g/Mods/Pack.zip", "zip"),
            file("/g/Mods/Pack.zip/Maps/B.unr", "unreal").import("Walls", "", "").import("Rocks", "", ""),
            file("/g/Mods/Walls.utx", "unreal"),
            file("/a/Walls.utx", "unreal"),
            file("/g/Textures/Rocks.utx.uz", "uz"),
            file("/g/Textures/Rocks.utx.uz/Rocks.utx", "unreal"),
        ]);
        let links = Links::of(&found);
        let near = [index(&found, "/g/Mods/Walls.utx"), index(&found, "/g/Textures/Rocks.utx.uz/Rocks.utx")];
        assert_eq!(links.targets(index(&found, "/g/Mods/Pack.zip/Maps/B.unr")), near.map(Target::File));
    }

    #[test]
    fn paths_are_found_by_their_ends() {
        let land = |at: &str| file(at, "wrp").import("data\\Rock.PAA", "", "").import("ca\\gone.paa", "", "");
        let found = catalog([
            land("/p/isle.wrp"),
            file("/p/rock.paa", "paa"),
            file("/p/addons/x.pbo", "pbo"),
            file("/p/addons/x.pbo/data/rock.paa", "paa"),
            file("/p/data/rock.png", "png"),
            land("/p/addons/x.pbo/y.wrp"),
            file("/q/other/rock.paa", "paa"),
        ]);
        let links = Links::of(&found);
        let expected = [Target::File(index(&found, "/p/addons/x.pbo/data/rock.paa")), Target::Missing];
        assert_eq!(links.targets(index(&found, "/p/isle.wrp")), expected);
        assert_eq!(links.targets(index(&found, "/p/addons/x.pbo/y.wrp")), expected);
    }

    #[test]
    fn what_is_needed_is_found_missing_built_in_or_elsewhere() {
        let found = catalog([
            file("/g/A.unr", "unreal")
                .import("Walls", "stone.BRICK", "Texture")
                .import("Walls", "Stone.Gone", "Texture")
                .import("Engine", "Core.Object", "Class")
                .built_in()
                .import("NoSuch", "Group.Door", "Sound")
                .import("Walls", "", ""),
            package("/g/Walls.utx", &["Stone.Brick"]).entry("Stone.Brick", "Palette", Role::Palette, Content::Palette),
            package("/x/Else.utx", &["Old.Gone", "Door"]).entry("Steps.Door", "Sound", Role::Sound, Content::Sound),
        ]);
        let links = Links::of(&found);
        assert_eq!(
            needs(&found, &links, "/g/A.unr"),
            [
                "Walls /g/Walls.utx stone.BRICK /g/Walls.utx::Stone.Brick []",
                "Walls /g/Walls.utx Stone.Gone - [/x/Else.utx::Old.Gone]",
                "Walls /g/Walls.utx  - []",
                "Engine built in Core.Object - []",
                // Of its class first.
                "NoSuch missing Group.Door - [/x/Else.utx::Steps.Door /x/Else.utx::Door]",
            ]
        );
        let names = |name: &str, at_most| -> Vec<String> {
            let rows = who_has(&found, name, at_most).into_iter().filter_map(|row| found.row(row));
            rows.map(|row| format!("{} {}", path(&found, row.file), row.class)).collect()
        };
        assert_eq!(names("brick", 9), ["/g/Walls.utx Texture", "/g/Walls.utx Palette"]);
        assert_eq!(names("DOOR", 1), ["/x/Else.utx Texture"]);
        assert_eq!(names("walls", 9), ["/g/Walls.utx File"]);
        assert_eq!(names("none", 9), [""; 0]);
    }

    #[test]
    fn the_graph_is_followed_both_ways_within_bounds() {
        let uses = |name: &str, others: &[&str]| {
            others.iter().fold(file(&format!("/g/{name}.u"), "unreal"), |made, other| made.import(other, "x", ""))
        };
        // In a circle, with a part that is reached twice.
        let found = catalog([
            uses("a", &["b", "c", "b"]),
            uses("b", &["d"]),
            uses("c", &["d", "c"]),
            uses("d", &["a", "e"]),
            uses("e", &[]),
            uses("alone", &["gone"]),
        ]);
        let links = Links::of(&found);
        let [a, b, c, d, e, alone] = [0, 1, 2, 3, 4, 5].map(FileIndex);
        let edges: Vec<_> = links.edges().iter().map(|edge| (edge.from, edge.to, edge.count)).collect();
        assert_eq!(edges, [(a, b, 2), (a, c, 1), (b, d, 1), (c, c, 1), (c, d, 1), (d, a, 1), (d, e, 1)]);
        assert_eq!(links.using_files(d).map(|edge| edge.from).collect::<Vec<_>>(), [b, c]);
        let down = links.reach(a, Way::Needs, 9, 9);
        assert_eq!((down.files, down.is_cut), (vec![(a, 0), (b, 1), (c, 1), (d, 2), (e, 3)], false));
        let up = links.reach(e, Way::Users, 9, 9);
        assert_eq!((up.files, up.is_cut), (vec![(e, 0), (d, 1), (b, 2), (c, 2), (a, 3)], false));
        assert_eq!(links.reach(a, Way::Needs, 1, 9), Reached { files: vec![(a, 0), (b, 1), (c, 1)], is_cut: true });
        assert_eq!(links.reach(a, Way::Needs, 9, 2), Reached { files: vec![(a, 0), (b, 1)], is_cut: true });
        assert_eq!(links.reach(alone, Way::Needs, 9, 9).files, [(alone, 0)]);
        let nowhere = FileIndex(99);
        assert!(links.users(&found, nowhere).is_empty() && links.needs(&found, nowhere).is_empty());
        assert!(links.targets(nowhere).is_empty() && links.users_of_row(&found, RowIndex(999)).is_empty());
        assert_eq!(links.users(&found, b), [User { file: a, import: 0 }, User { file: a, import: 2 }]);
    }

    #[test]
    fn names_of_any_kind_are_looked_for() {
        let strange = ["", "\\", "//", "..", "a\\", "\u{0}", ".x", "ÄÖ", &"long".repeat(50_000)];
        let made = strange.iter().fold(file("", "unreal"), |made, name| made.import(name, name, name));
        let found = catalog([made, file("/", ""), file("/x/äö.u", "unreal"), package("..", &["", "."])]);
        let links = Links::of(&found);
        assert_eq!(links.targets(FileIndex(0)).len(), strange.len());
        assert_eq!(links.targets(FileIndex(0))[7], Target::File(FileIndex(2)));
        let count: usize = links.needs(&found, FileIndex(0)).iter().map(|need| need.entries.len()).sum();
        assert_eq!(count, strange.len());
    }
}
