//! Which rows of the library are in sight: folders of files, files, groups and entries, as far as they are unfolded.

use crate::{
    formats::{EntryId, Outline, Role},
    ui::{
        library_row::{FolderId, LibraryOrder, RowId},
        place::Place,
        state::library::{
            meaning::{Arrangement, Item},
            opened::OpenedFile,
            troubles::{Trouble, way_up},
        },
    },
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// One visible row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryRow {
    pub id: RowId,
    /// Steps to the right.
    pub depth: u16,
    pub has_children: bool,
    pub open: bool,
    /// Number of its contents, if shown.
    pub count: Option<u32>,
    /// Its errors and warnings; for collapsed rows and files, with those of their contents.
    pub trouble: Trouble,
}

impl LibraryRow {
    pub fn place(&self) -> Option<Place> {
        self.id.place()
    }
}

/// The arrangements of the rows that were expanded.
pub(super) type Arrangements = HashMap<Place, Arc<Arrangement>>;

/// Lists the rows of the files that are open.
pub(super) struct Lister<'a> {
    pub files: &'a [OpenedFile],
    pub order: LibraryOrder,
    pub expanded: &'a HashSet<RowId>,
    pub arranged: &'a mut Arrangements,
    pub rows: &'a mut Vec<LibraryRow>,
}

impl Lister<'_> {
    /// All rows; returns how many entries the files have.
    pub fn list(&mut self) -> usize {
        let files = self.files;
        let mut in_folder: HashMap<FolderId, Vec<&OpenedFile>> = HashMap::new();
        for opened in files {
            in_folder.entry(opened.folder).or_default().push(opened);
        }
        let mut entries = 0;
        for opened in files {
            entries += opened.file.document.outline().entries().len().saturating_sub(1);
            // A folder of several files stands where its first one does, with all of them.
            match in_folder.get_mut(&opened.folder).map(std::mem::take) {
                Some(inside) if inside.len() > 1 => self.folder(opened.folder, &inside),
                Some(inside) => inside.into_iter().for_each(|opened| self.file(opened, 0)),
                None => {}
            }
        }
        entries
    }

    fn folder(&mut self, folder: FolderId, inside: &[&OpenedFile]) {
        let id = RowId::Folder(folder);
        let open = self.expanded.contains(&id);
        let trouble = inside.iter().map(|f| f.troubles.with_below(EntryId::FILE)).reduce(Trouble::and);
        let trouble = trouble.filter(|_| !open).unwrap_or_default();
        let count = u32::try_from(inside.len()).ok();
        self.rows.push(LibraryRow { id, depth: 0, has_children: true, open, count, trouble });
        if open {
            inside.iter().for_each(|opened| self.file(opened, 1));
        }
    }

    fn file(&mut self, opened: &OpenedFile, depth: u16) {
        let outline = opened.file.document.outline();
        let id = RowId::File(opened.id);
        let has_children = !outline.children(EntryId::FILE).is_empty();
        let open = has_children && self.expanded.contains(&id);
        let trouble = opened.troubles.with_below(EntryId::FILE);
        self.rows.push(LibraryRow { id, depth, has_children, open, count: None, trouble });
        if open {
            let depth = depth.saturating_add(1);
            match self.order {
                LibraryOrder::Meaning => self.scope(opened, EntryId::FILE, depth),
                LibraryOrder::Structure => self.structure(opened, depth),
            }
        }
    }

    /// The chunks or exports of a file, as its outline has them.
    fn structure(&mut self, opened: &OpenedFile, depth: u16) {
        let outline = opened.file.document.outline();
        let below = |entry, depth: u16| outline.children(entry).iter().rev().map(move |child| (*child, depth));
        let mut stack: Vec<(EntryId, u16)> = below(EntryId::FILE, depth).collect();
        while let Some((entry, depth)) = stack.pop() {
            let id = RowId::Entry(Place { file: opened.id, entry });
            let children = outline.children(entry).len();
            let open = children > 0 && self.expanded.contains(&id);
            let trouble = if open { opened.troubles.own(entry) } else { opened.troubles.with_below(entry) };
            let count = u32::try_from(children).ok().filter(|children| *children > 0);
            self.rows.push(LibraryRow { id, depth, has_children: children > 0, open, count, trouble });
            if open {
                stack.extend(below(entry, depth.saturating_add(1)));
            }
        }
    }

    /// Adds the rows of an entry, by group.
    fn scope(&mut self, opened: &OpenedFile, scope: EntryId, depth: u16) {
        let place = Place { file: opened.id, entry: scope };
        let arrangement = arrangement_of(self.arranged, opened, scope);
        let is_container = opened.file.entry(scope).is_some_and(|entry| entry.role == Role::Archive);
        let mut at = 0;
        while let Some(node) = arrangement.nodes().get(at).copied() {
            let id = row_of(node.item, place);
            let has_children = arrangement.has_children(at);
            let open = has_children && self.expanded.contains(&id);
            let depth = depth.saturating_add(node.depth);
            let count = match node.item {
                Item::Group(_) | Item::Branch(..) => Some(node.count),
                Item::Entry(entry) if has_children && !node.is_scope && is_container => {
                    u32::try_from(opened.file.document.outline().children(entry).len()).ok()
                }
                Item::Entry(_) => None,
            };
            let trouble = arrangement.trouble(at, !open);
            self.rows.push(LibraryRow { id, depth, has_children, open, count, trouble });
            if open
                && node.is_scope
                && let Some(entry) = node.item.entry()
            {
                self.scope(opened, entry, depth.saturating_add(1));
            }
            at = if open { at.saturating_add(1) } else { arrangement.end(at) };
        }
    }
}

/// What a node of an arrangement is as a row; `scope` is what was arranged.
fn row_of(item: Item, scope: Place) -> RowId {
    let at = |entry| Place { file: scope.file, entry };
    match item {
        Item::Group(group) => RowId::Group { of: scope, group },
        Item::Branch(entry, group) => RowId::Branch { place: at(entry), group },
        Item::Entry(entry) => RowId::Entry(at(entry)),
    }
}

/// Returns the arranged contents of an entry.
fn arrangement_of(arranged: &mut Arrangements, opened: &OpenedFile, scope: EntryId) -> Arc<Arrangement> {
    let place = Place { file: opened.id, entry: scope };
    let arrange = || {
        let document = opened.file.document.as_ref();
        let hierarchy = |entry| document.ask(entry, |can, entry| can.facts?.hierarchy(entry));
        Arc::new(Arrangement::of(document.outline(), scope, hierarchy, &opened.troubles))
    };
    arranged.entry(place).or_insert_with(arrange).clone()
}

/// Returns the rows above an entry and its own row, the file first.
pub(super) fn way(arranged: &mut Arrangements, opened: &OpenedFile, order: LibraryOrder, entry: EntryId) -> Vec<RowId> {
    let outline = opened.file.document.outline();
    let mut up: Vec<EntryId> = way_up(outline, entry).collect();
    up.reverse();
    if order == LibraryOrder::Structure {
        return up.into_iter().map(|entry| Place { file: opened.id, entry }.into()).collect();
    }
    let mut way = vec![RowId::File(opened.id)];
    let mut scope = EntryId::FILE;
    while scope != entry {
        let arrangement = arrangement_of(arranged, opened, scope);
        // The entry itself, or the nearest above it of which what lies in it is arranged by itself.
        let deeper = up.iter().rev().take_while(|above| **above != scope).find_map(|at| {
            let nodes = arrangement.way(*at);
            let last = nodes.last().and_then(|last| arrangement.nodes().get(*last))?;
            (*at == entry || last.is_scope).then_some((*at, nodes))
        });
        let Some((at, nodes)) = deeper else { break };
        let place = Place { file: opened.id, entry: scope };
        way.extend(nodes.iter().filter_map(|at| Some(row_of(arrangement.nodes().get(*at)?.item, place))));
        scope = at;
    }
    way
}

/// The entries whose warnings are told on a row while it is folded.
pub(super) fn tells_of(
    arranged: &Arrangements,
    order: LibraryOrder,
    row: RowId,
    outline: &Outline,
) -> HashSet<EntryId> {
    let mut told: HashSet<EntryId> = HashSet::new();
    let in_file = arranged.iter().filter(|(scope, _)| Some(scope.file) == row.file());
    let found = in_file.filter(|_| order == LibraryOrder::Meaning).find_map(|(scope, arrangement)| {
        let at = arrangement.nodes().iter().position(|node| row_of(node.item, *scope) == row)?;
        arrangement.nodes().get(at..arrangement.end(at))
    });
    let mut below: Vec<EntryId> = Vec::new();
    match found {
        Some(nodes) => {
            told.extend(nodes.iter().filter_map(|node| node.item.entry()));
            below.extend(nodes.iter().filter(|node| node.is_scope).filter_map(|node| node.item.entry()));
        }
        None => below.extend(row.place().map(|place| place.entry)),
    }
    while let Some(entry) = below.pop() {
        told.insert(entry);
        below.extend(outline.children(entry));
    }
    told
}
