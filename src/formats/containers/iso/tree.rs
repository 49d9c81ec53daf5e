//! The sets of names of a disc, and the folders and files of one of its trees (formats/containers.md §9.2–9.4).

use super::{
    descriptor::{Descriptor, FIRST, SECTOR, Volume},
    record::{Charset, Record},
    susp::{self, LARGEST_AREA, Said},
};
use crate::{
    bytes::{Endian, MemberLimits, numbers::grouped, text},
    formats::{
        Choice, Rival,
        containers::{
            codes,
            contents::{Item, Reading, Trouble},
            flat::{self, Flat},
            window::Window,
        },
        read_budget::ReadBudget,
    },
};
use std::{collections::HashSet, ops::Range};

/// Sectors of a folder that are read at once.
const AT_ONCE: u64 = 32;
/// Bytes that an area counts for at least which continues a record.
const LEAST_READ: u64 = 64;

/// What was found of a tree.
#[derive(Default)]
pub struct Found {
    pub items: Vec<Item>,
    pub troubles: Vec<Trouble>,
    /// The folders that were read, where that is asked for.
    pub folders: Vec<Folder>,
    /// What continues records elsewhere, where that is asked for: bytes of the disc.
    pub areas: Vec<Range<u64>>,
}

/// Where the records of a folder begin, in bytes of the disc.
pub struct Folder {
    pub name: String,
    pub records: Vec<u64>,
}

/// Reads a tree.
pub struct Walk<'a> {
    disc: &'a dyn Flat,
    volume: &'a Volume,
    limits: &'a MemberLimits,
    /// The bytes before what Rock Ridge says of a file; `None` where it says nothing.
    skipped: Option<usize>,
    /// Rock Ridge is not looked at.
    is_plain: bool,
    /// Records are bytes of the file.
    is_file: bool,
    /// Folders and areas are kept.
    keeps: bool,
    /// Bytes of folders, bytes of names, and records, that may still be read.
    budget: ReadBudget,
    names: ReadBudget,
    left: u64,
    /// Where the sectors of folders begin that were listed: each is listed once.
    listed: HashSet<u64>,
    found: Found,
}

/// A folder that is being listed.
struct Open {
    records: std::vec::IntoIter<Record>,
    item: Option<usize>,
}

/// What lies in a folder.
struct Listed {
    records: Vec<Record>,
    /// The record of the folder itself.
    own: Option<Record>,
}

impl<'a> Walk<'a> {
    /// Of a disc that is its own image, or is not.
    pub fn new(disc: &'a dyn Flat, volume: &'a Volume, limits: &'a MemberLimits, is_file: bool) -> Self {
        let size = disc.size();
        // What continues records elsewhere is read besides the folders.
        let budget = ReadBudget::new(limits.table.min(size.saturating_mul(2)));
        let names = ReadBudget::new(limits.paths.of(size));
        let (listed, found) = (HashSet::new(), Found::default());
        let left = limits.entries_of(size);
        let (skipped, is_plain, keeps) = (None, false, false);
        Self { disc, volume, limits, skipped, is_plain, is_file, keeps, budget, names, left, listed, found }
    }

    /// Keeps where everything was found.
    pub fn keeping(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// With the plain names where there are others too.
    pub fn plain(self) -> Self {
        Self { is_plain: true, ..self }
    }

    /// Whether its root lists anything.
    pub fn lists_anything(mut self) -> bool {
        !self.list(&self.volume.root, "/").records.is_empty()
    }

    /// Whether its root says that there are names of Rock Ridge.
    pub fn has_rock_ridge(mut self) -> bool {
        let own = self.list(&self.volume.root, "/").own;
        self.volume.charset == Charset::Cp437 && own.is_some_and(|own| susp::skipped_bytes(&own.system).is_some())
    }

    /// Lists everything. Rock Ridge is looked at where the disc says that there is some.
    pub fn run(mut self) -> Found {
        let listed = self.list(&self.volume.root, "/");
        self.skipped = match self.volume.charset {
            Charset::Cp437 if !self.is_plain => listed.own.as_ref().and_then(|own| susp::skipped_bytes(&own.system)),
            Charset::Cp437 | Charset::Joliet => None,
        };
        let mut open = vec![Open { records: listed.records.into_iter(), item: None }];
        while let Some(top) = open.last_mut() {
            let Some(record) = top.records.next() else {
                open.pop();
                continue;
            };
            let parent = top.item;
            let said = self.said(&record);
            if said.is_moved {
                continue;
            }
            let name = self.name(&record, &said);
            if !self.names.take(name.len() as u64) {
                let most = self.limits.paths.of(self.disc.size());
                let message =
                    format!("the names have more than {most} bytes in total. The remaining entries are not listed");
                self.trouble(Trouble::new(&codes::TOO_MANY, record.at, message));
                break;
            }
            let range = match self.is_file {
                true => record.at..record.at.saturating_add(u64::from(record.length)),
                false => 0..0,
            };
            let folder = match said.moved_to {
                Some(block) => self.at_block(u64::from(block)),
                None => Some(record.clone()).filter(Record::is_folder),
            };
            match folder {
                Some(folder) => {
                    let index = self.push(Item { parent, ..Item::folder(name.clone(), range) });
                    if let Some(listed) = self.enter(&folder, index, open.len(), &name) {
                        open.push(Open { records: listed.records.into_iter(), item: Some(index) });
                    }
                }
                None => {
                    let mut stored = vec![self.extent(&record)];
                    let mut goes_on = record.goes_on();
                    // The further parts of a large file.
                    while goes_on
                        && let Some(next) = top.records.as_slice().first()
                        && next.name == record.name
                    {
                        goes_on = next.goes_on();
                        stored.push(extent(self.volume, next));
                        top.records.next();
                    }
                    let size =
                        stored.iter().map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add);
                    let first = stored.first().cloned().unwrap_or_default();
                    self.push(Item { parent, stored, size: Some(size), ..Item::plain(name, range, first) });
                }
            }
        }
        self.found
    }

    fn push(&mut self, item: Item) -> usize {
        self.found.items.push(item);
        self.found.items.len().saturating_sub(1)
    }

    fn trouble(&mut self, trouble: Trouble) {
        if self.found.troubles.len() < crate::formats::containers::contents::MAX_PROBLEMS {
            self.found.troubles.push(trouble);
        }
    }

    fn extent(&self, record: &Record) -> Range<u64> {
        extent(self.volume, record)
    }

    /// Lists a folder that is in `depth` others, once.
    fn enter(&mut self, folder: &Record, index: usize, depth: usize, name: &str) -> Option<Listed> {
        if depth > usize::try_from(self.limits.folders).unwrap_or(usize::MAX) {
            let message = format!(
                "“{name}” is nested more than {} folders deep. Its contents are not listed",
                self.limits.folders
            );
            self.trouble(Trouble::new(&codes::TABLE, folder.at, message).of(index));
            return None;
        }
        let extent = self.extent(folder);
        if !extent.is_empty() && self.listed.contains(&extent.start) {
            let message = format!("“{name}” refers to a folder that is already listed");
            self.trouble(Trouble::new(&codes::CYCLE, folder.at, message).of(index));
            return None;
        }
        let before = self.found.troubles.len();
        let listed = self.list(folder, name);
        for trouble in self.found.troubles.iter_mut().skip(before) {
            trouble.item = Some(index);
        }
        Some(listed)
    }

    /// The records of a folder, as far as it is there.
    fn list(&mut self, folder: &Record, name: &str) -> Listed {
        let mut listed = Listed { records: Vec::new(), own: None };
        let mut starts = Vec::new();
        let extent = self.extent(folder);
        let end = extent.end.min(self.disc.size());
        if extent.end > end && extent.start < extent.end {
            let message = format!(
                "the folder “{name}” should end at offset {}, but the disc ends at {}",
                extent.end,
                self.disc.size()
            );
            self.trouble(Trouble::new(&codes::TRUNCATED, extent.start.min(self.disc.size()), message));
        }
        let mut at = extent.start;
        while at < end && self.left > 0 {
            let next = at.saturating_add(AT_ONCE.saturating_mul(SECTOR)).min(end);
            let starts_at = (at..next).step_by(usize::try_from(SECTOR).unwrap_or(1));
            if starts_at.filter(|sector| !self.listed.insert(*sector)).count() > 0 {
                let message = format!(
                    "the folder “{name}” shares sectors with another folder. Its remaining entries are not listed"
                );
                self.trouble(Trouble::new(&codes::CYCLE, at, message));
                break;
            }
            if !self.budget.take(next.saturating_sub(at)) {
                let message = "the folders are too large for a disc of this size. The remaining entries are not listed";
                self.trouble(Trouble::new(&codes::TOO_LARGE, at, message));
                break;
            }
            match Window::read(self.disc, at..next) {
                Ok(window) => self.list_window(&window, at..next, &mut listed, &mut starts),
                Err(trouble) => {
                    self.trouble(trouble);
                    break;
                }
            }
            at = next;
        }
        if self.keeps {
            self.found.folders.push(Folder { name: name.to_owned(), records: starts });
        }
        listed
    }

    fn list_window(&mut self, window: &Window, range: Range<u64>, listed: &mut Listed, starts: &mut Vec<u64>) {
        let mut sector = range.start;
        while sector < range.end {
            let end = sector.saturating_add(SECTOR).min(range.end);
            let mut at = sector;
            while at < end {
                let inside = usize::try_from(at.saturating_sub(range.start)).unwrap_or(usize::MAX);
                if window.bytes().get(inside).is_none_or(|length| *length == 0) {
                    break;
                }
                let charset = self.volume.charset;
                match window.parse(at..end, Endian::Little, |r| Record::read(r, charset)) {
                    Ok(mut record) => {
                        // What a window reads counts from its own start.
                        record.at = at;
                        if self.keeps {
                            starts.push(at);
                        }
                        at = at.saturating_add(u64::from(record.length));
                        if record.is_self() && listed.own.is_none() {
                            listed.own = Some(record);
                        } else if !record.is_dots() {
                            let Some(left) = self.left.checked_sub(1) else {
                                let most = grouped(self.limits.entries_of(self.disc.size()));
                                let message = format!(
                                    "the disc has more than {most} files and folders. The remaining ones are not listed"
                                );
                                return self.trouble(Trouble::new(&codes::TOO_MANY, at, message));
                            };
                            self.left = left;
                            listed.records.push(record);
                        }
                    }
                    Err(fault) => {
                        let message = format!("{}. The rest of the sector is skipped", fault.message);
                        self.trouble(Trouble::new(&codes::TABLE, fault.offset, message));
                        break;
                    }
                }
            }
            sector = end;
        }
    }

    /// What Rock Ridge says of a file.
    fn said(&mut self, record: &Record) -> Said {
        let Some(skipped) = self.skipped else { return Said::default() };
        let Self { disc, volume, budget, found, keeps, .. } = self;
        susp::said(&record.system, skipped, |area| {
            let start = u64::from(area.block).saturating_mul(volume.block_size());
            let start = start.saturating_add(u64::from(area.offset));
            let range = start..start.saturating_add(u64::from(area.size).min(LARGEST_AREA));
            let size = range.end.saturating_sub(range.start).max(LEAST_READ);
            let bytes = budget.take(size).then(|| flat::bytes(*disc, range.clone()).ok()).flatten()?;
            if *keeps {
                found.areas.push(range);
            }
            Some(bytes)
        })
    }

    /// The folder that begins at a block: its first record is its own.
    fn at_block(&self, block: u64) -> Option<Record> {
        let start = block.saturating_mul(self.volume.block_size());
        let window = Window::read(self.disc, start..start.saturating_add(SECTOR)).ok()?;
        let charset = self.volume.charset;
        let range = start..start.saturating_add(SECTOR);
        let own = window.parse(range, Endian::Little, |r| Record::read(r, charset)).ok()?;
        Some(own).filter(Record::is_self)
    }

    fn name(&self, record: &Record, said: &Said) -> String {
        if let Some(name) = &said.name {
            return text::decode(name);
        }
        let name = self.volume.charset.decode(&record.name);
        if record.is_folder() {
            return name;
        }
        let name = match name.rsplit_once(';') {
            Some((name, version)) if version.bytes().all(|digit| digit.is_ascii_digit()) => name,
            _ => &name,
        };
        match self.volume.charset {
            Charset::Cp437 => name.strip_suffix('.').unwrap_or(name).to_owned(),
            Charset::Joliet => name.to_owned(),
        }
    }
}

/// Where the data of a record lies, in bytes of the disc. Empty files may say that they begin anywhere.
fn extent(volume: &Volume, record: &Record) -> Range<u64> {
    if record.size == 0 {
        return 0..0;
    }
    let start = record.block.saturating_mul(volume.block_size());
    start..start.saturating_add(u64::from(record.size))
}

/// The id of the choice.
const TREE: &str = "tree";

/// A set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tree {
    Joliet,
    RockRidge,
    Iso,
}

impl Tree {
    /// The one that says most comes first.
    const ALL: [Self; 3] = [Self::Joliet, Self::RockRidge, Self::Iso];

    fn id(self) -> &'static str {
        match self {
            Self::Joliet => "joliet",
            Self::RockRidge => "rock-ridge",
            Self::Iso => "iso",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Joliet => "Joliet",
            Self::RockRidge => "Rock Ridge",
            Self::Iso => "ISO 9660",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Joliet => "names of up to 64 characters, used by Windows",
            Self::RockRidge => "long names in upper and lower case, used by Unix",
            Self::Iso => "short upper-case names, present on every disc",
        }
    }
}

/// The tree that is shown.
pub struct Chosen<'a> {
    pub tree: Tree,
    pub volume: &'a Volume,
    pub found: Found,
    /// Nothing where the disc has no other names.
    pub choices: Vec<Choice>,
}

/// Reads the tree that a person wants, else Joliet's where its root lists anything, else that of Rock Ridge, else the plain one.
///
/// # Errors
/// When no descriptor leads to files.
pub fn choose<'a>(
    disc: &dyn Flat,
    descriptors: &'a [Descriptor],
    is_file: bool,
    cx: &mut Reading<'_>,
) -> Result<Chosen<'a>, Trouble> {
    let walk = |volume: &'a Volume| Walk::new(disc, volume, cx.limits, is_file);
    let volumes = || descriptors.iter().filter_map(|descriptor| Some((descriptor, descriptor.volume.as_ref()?)));
    let joliet = volumes().map(|(_, volume)| volume).rfind(|volume| volume.charset == Charset::Joliet);
    let plain = volumes().find(|(descriptor, _)| descriptor.is_primary()).map(|(_, volume)| volume);
    let joliet_lists = joliet.is_some_and(|volume| walk(volume).lists_anything());
    let has_rock_ridge = plain.is_some_and(|volume| walk(volume).has_rock_ridge());
    let there: Vec<Tree> = Tree::ALL
        .into_iter()
        .filter(|tree| match tree {
            Tree::Joliet => joliet_lists,
            Tree::RockRidge => has_rock_ridge,
            Tree::Iso => plain.is_some(),
        })
        .collect();
    let wanted = wanted(&there, cx);
    let tree = wanted.or_else(|| there.first().copied()).unwrap_or(Tree::Iso);
    let volume = match tree {
        Tree::Joliet => joliet,
        Tree::RockRidge | Tree::Iso => plain.or_else(|| volumes().next().map(|(_, volume)| volume)),
    };
    let none = || {
        Trouble::new(&codes::TABLE, FIRST.saturating_mul(SECTOR), "no volume descriptor with a root folder was found")
    };
    let volume = volume.ok_or_else(none)?;
    let mut found = match tree {
        Tree::Iso => walk(volume).plain().run(),
        Tree::Joliet | Tree::RockRidge => walk(volume).run(),
    };
    // Why the names of Joliet are not shown.
    if let Some(lost) = joliet.filter(|_| !joliet_lists) {
        found.troubles.extend(walk(lost).run().troubles.into_iter().map(|trouble| Trouble { item: None, ..trouble }));
    }
    Ok(Chosen { tree, volume, found, choices: choices(tree, &there, wanted.is_some()) })
}

/// What a person wants shown, where the disc has it.
fn wanted(there: &[Tree], cx: &mut Reading<'_>) -> Option<Tree> {
    let wanted = cx.overrides.get(TREE)?;
    let found = there.iter().copied().find(|tree| tree.id() == wanted);
    if found.is_none() {
        let message = format!("the disc has no “{wanted}” names. Other names are shown");
        cx.report(Trouble::new(&codes::ODD, FIRST.saturating_mul(SECTOR), message));
    }
    found
}

fn choices(shown: Tree, there: &[Tree], overridden: bool) -> Vec<Choice> {
    let rivals: Vec<Rival> = there
        .iter()
        .filter(|tree| **tree != shown)
        .map(|tree| Rival { value: tree.id().to_owned(), evidence: tree.meaning().to_owned() })
        .collect();
    if rivals.is_empty() {
        return Vec::new();
    }
    let evidence = format!("{}: {}", shown.name(), shown.meaning());
    let value = shown.id().to_owned();
    vec![Choice { id: TREE, label: "File names", value, evidence, rivals, overridden, number: None }]
}
