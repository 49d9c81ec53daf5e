//! Which entry a byte belongs to.

use crate::formats::{Document, Entry, EntryId, Outline};

/// The smallest entry that a byte lies in, of those whose offsets count as those of `shown` do.
pub fn owner_entry(document: &dyn Document, shown: EntryId, offset: u64) -> Option<&Entry> {
    let source = document.source_of(shown);
    smallest_at(document.outline(), offset, |entry| document.source_of(entry).is_same(source))
}

fn smallest_at(outline: &Outline, offset: u64, is_here: impl Fn(EntryId) -> bool) -> Option<&Entry> {
    let has = |e: &&Entry| e.offset <= offset && offset < e.offset.saturating_add(e.size) && is_here(e.id);
    outline.entries().iter().filter(has).min_by_key(|e| e.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Content, Role};

    #[test]
    fn the_smallest_entry_owns_a_byte() {
        let mut outline = Outline::new(Role::File, "Psk", 100);
        let chunk = outline.add(EntryId::FILE, "A", "A", Role::Group, "Chunk", 10, 50, Content::None);
        let bone = outline.add(chunk, "B", "A/B", Role::Bone, "Bone", 20, 8, Content::None);
        assert_eq!(smallest_at(&outline, 22, |_| true).unwrap().id, bone);
        assert_eq!(smallest_at(&outline, 30, |_| true).unwrap().id, chunk);
        assert_eq!(smallest_at(&outline, 99, |_| true).unwrap().id, EntryId::FILE);
        assert!(smallest_at(&outline, 100, |_| true).is_none());
    }
}
