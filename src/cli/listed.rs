//! Which entries of a file are listed.

use crate::formats::{Content, Document, Entry, EntryId};

/// The entries that are inside a file; the file itself is among them only where it shows as something of its own.
pub fn listed(document: &dyn Document) -> impl Iterator<Item = &Entry> {
    document.outline().entries().iter().filter(|e| is_listed(e))
}

pub fn is_listed(entry: &Entry) -> bool {
    entry.id != EntryId::FILE || entry.content != Content::None
}
