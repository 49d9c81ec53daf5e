use super::OpenFile;
use crate::formats::{Document, EntryId};
use std::{borrow::Cow, cell::OnceCell, collections::HashMap};

type ByPath<'a> = HashMap<Cow<'a, str>, Vec<EntryId>>;

/// Which entry of a file that was read anew is which of the file as it was: by its path, among equal ones by its turn.
pub struct EntryMoves<'a> {
    old: &'a dyn Document,
    new: &'a dyn Document,
    /// Made when something has moved: mostly nothing has.
    by_path: OnceCell<[ByPath<'a>; 2]>,
}

impl<'a> EntryMoves<'a> {
    /// Compares two readings of the same file: the previous one and the current one.
    pub fn new(old: &'a OpenFile, new: &'a OpenFile) -> Self {
        Self { old: old.document.as_ref(), new: new.document.as_ref(), by_path: OnceCell::new() }
    }

    /// The entry as it is now; `None` where it is there no longer.
    pub fn of(&self, entry: EntryId) -> Option<EntryId> {
        if entry == EntryId::FILE {
            return Some(entry);
        }
        let wanted = self.old.outline().get(entry)?.path();
        if self.new.outline().get(entry).is_some_and(|e| e.path() == wanted) {
            return Some(entry);
        }
        let [old, new] = self.by_path.get_or_init(|| [self.old, self.new].map(by_path));
        let turn = old.get(&wanted)?.iter().position(|known| *known == entry)?;
        new.get(&wanted)?.get(turn).copied()
    }
}

fn by_path(document: &dyn Document) -> ByPath<'_> {
    let mut by_path = ByPath::new();
    for entry in document.outline().entries().iter().skip(1) {
        by_path.entry(entry.path()).or_default().push(entry.id);
    }
    by_path
}
