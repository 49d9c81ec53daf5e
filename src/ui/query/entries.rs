//! A query over the entries of a file.

use crate::formats::{Entry, EntryId, Outline};
use crate::ui::query::{Query, TermOf, contains};

/// Asks a query of the entries of one file. What they lie in is looked at once for each of them, however deep they lie.
pub struct EntryQuery<'a> {
    query: &'a Query,
    outline: &'a Outline,
    file_name: &'a str,
    folder: &'a str,
    /// Of each term that asks for it: which entries have it in their name or lie in what has. Empty for the others.
    within: Vec<Vec<Within>>,
    way: Vec<EntryId>,
    path: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Unknown,
    /// It is being found out: parents that lead in a circle come back here.
    Asked,
    No,
    Yes,
}

impl<'a> EntryQuery<'a> {
    /// `folder` is the name of the folder that the file lies in.
    pub fn new(query: &'a Query, outline: &'a Outline, file_name: &'a str, folder: &'a str) -> Self {
        let count = outline.entries().len();
        let within = |of| if of == TermOf::In { vec![Within::Unknown; count] } else { Vec::new() };
        let within = query.terms().iter().map(|term| within(term.of)).collect();
        Self { query, outline, file_name, folder, within, way: Vec::new(), path: String::new() }
    }

    /// Whether an entry is found by its name or its class.
    pub fn finds(&mut self, entry: &Entry) -> bool {
        let name = if entry.id == EntryId::FILE { self.file_name } else { &entry.name };
        self.ask(entry, &[name, &entry.class])
    }

    /// Whether an entry is found by its path or its class; the file itself by its name.
    pub fn finds_path(&mut self, entry: &Entry) -> bool {
        if entry.id == EntryId::FILE {
            return self.finds(entry);
        }
        let mut path = std::mem::take(&mut self.path);
        entry.write_path(&mut path);
        let found = self.ask(entry, &[&path, &entry.class]);
        self.path = path;
        found
    }

    fn ask(&mut self, entry: &Entry, texts: &[&str]) -> bool {
        let query = self.query;
        query.finds(texts, &[entry.role.word(), &entry.class], |at, word| match entry.parent {
            Some(parent) => self.is_within(at, parent, word),
            None => contains(self.folder, word),
        })
    }

    /// Whether an entry or what it lies in has a word in its name.
    fn is_within(&mut self, term: usize, entry: EntryId, word: &str) -> bool {
        let (outline, file_name, folder) = (self.outline, self.file_name, self.folder);
        let Some(known) = self.within.get_mut(term) else { return false };
        self.way.clear();
        let mut next = Some(entry);
        let found = loop {
            let Some((id, entry)) = next.and_then(|id| Some((id, outline.get(id)?))) else {
                break contains(file_name, word) || contains(folder, word);
            };
            match known.get_mut(id.0 as usize) {
                Some(Within::Yes) => break true,
                Some(Within::No | Within::Asked) | None => break false,
                Some(unknown) => *unknown = Within::Asked,
            }
            self.way.push(id);
            // The file itself has no name but that of the file.
            if id != EntryId::FILE && contains(&entry.name, word) {
                break true;
            }
            next = entry.parent;
        };
        for id in &self.way {
            if let Some(known) = known.get_mut(id.0 as usize) {
                *known = if found { Within::Yes } else { Within::No };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role};

    fn found(outline: &Outline, filter: &str) -> Vec<u32> {
        let query = Query::of(filter);
        let mut entries = EntryQuery::new(&query, outline, "room.utx", "Textures");
        outline.entries().iter().filter(|entry| entries.finds(entry)).map(|entry| entry.id.0).collect()
    }

    fn package() -> Outline {
        let mut outline = Outline::new(Role::File, "Package", 100);
        let group = outline.add(EntryId::FILE, "Walls", "Walls", Role::Group, "Group", 0, 0, Content::None);
        outline.add(group, "Brick", "Walls.Brick", Role::Texture, "FireTexture", 10, 5, Content::Image);
        outline.add(group, "BrickColors", "Walls.BrickColors", Role::Palette, "Palette", 15, 5, Content::Palette);
        let deep = outline.add(group, "Inner", "Walls.Inner", Role::Group, "Group", 0, 0, Content::None);
        outline.add(deep, "Tile", "Walls.Inner.Tile", Role::Texture, "Texture", 20, 5, Content::Image);
        outline.add(EntryId::FILE, "Sky", "Sky", Role::Texture, "Texture", 30, 5, Content::Image);
        outline
    }

    #[test]
    fn entries_are_found_by_what_they_are_and_lie_in() {
        let outline = package();
        assert_eq!(found(&outline, "brick"), [2, 3]);
        assert_eq!(found(&outline, "type:texture"), [2, 5, 6]);
        assert_eq!(found(&outline, "type:firetex"), [2], "as the format calls it");
        assert_eq!(found(&outline, "type:texture in:walls"), [2, 5]);
        assert_eq!(found(&outline, "type:texture -in:inner"), [2, 6]);
        assert_eq!(found(&outline, "in:inner"), [5]);
        assert_eq!(found(&outline, "in:room.utx type:palette"), [3]);
        assert_eq!(found(&outline, "in:textures type:file"), [0], "a file lies in its folder");
        assert_eq!(found(&outline, "in:room"), [1, 2, 3, 4, 5, 6], "a file is not inside itself");
        assert_eq!(found(&outline, "in:sky"), [0; 0]);
        assert_eq!(found(&outline, "-type:group -type:file brick -colors"), [2]);
        assert_eq!(found(&outline, "room"), [0], "the file by its name");
    }

    #[test]
    fn paths_are_looked_at_as_a_whole() {
        let outline = package();
        let query = Query::of("walls.in tile");
        let mut entries = EntryQuery::new(&query, &outline, "room.utx", "");
        let found: Vec<u32> = outline.entries().iter().filter(|e| entries.finds_path(e)).map(|e| e.id.0).collect();
        assert_eq!(found, [5]);
        let query = Query::of("room");
        let mut entries = EntryQuery::new(&query, &outline, "room.utx", "");
        let found: Vec<u32> = outline.entries().iter().filter(|e| entries.finds_path(e)).map(|e| e.id.0).collect();
        assert_eq!(found, [0], "a file has no path, but a name");
    }

    #[test]
    fn parents_that_lead_in_a_circle_end() {
        let mut entries = package().entries().to_vec();
        entries[1].parent = Some(EntryId(4));
        let outline = Outline::of(entries);
        assert_eq!(found(&outline, "in:nothing"), [0; 0]);
        assert_eq!(found(&outline, "in:inner"), [1, 2, 3, 4, 5]);
    }
}
