//! An outline together with what each of its entries is to the document.

use super::{Content, Entry, EntryId, Outline, ReadError, Role, SharedText};
use std::ops::Deref;

/// An [`Outline`], which it can be read as, whose entries have a node each: what the document looks the entry up by.
#[derive(Clone, Debug)]
pub struct NodeOutline<N> {
    outline: Outline,
    /// As many as entries.
    nodes: Vec<N>,
}

impl<N> Deref for NodeOutline<N> {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl<N> NodeOutline<N> {
    /// An outline that holds nothing but the file.
    pub fn new(file: N, role: Role, file_class: impl Into<SharedText>, size: u64) -> Self {
        Self { outline: Outline::new(role, file_class, size), nodes: vec![file] }
    }

    /// An outline of entries that are known already, as [`Outline::of`] takes them, and as many nodes.
    pub fn of(entries: Vec<Entry>, nodes: Vec<N>) -> Self {
        Self { outline: Outline::of(entries), nodes }
    }

    /// Adds an entry with its node, as [`Outline::add`] does.
    #[expect(clippy::too_many_arguments, reason = "each argument is a column of the listing")]
    pub fn add(
        &mut self,
        node: N,
        parent: EntryId,
        name: impl Into<SharedText>,
        path: impl Into<SharedText>,
        role: Role,
        class: impl Into<SharedText>,
        offset: u64,
        size: u64,
        content: Content,
    ) -> EntryId {
        self.nodes.push(node);
        self.outline.add(parent, name, path, role, class, offset, size, content)
    }

    /// Says what the file itself shows as.
    pub fn set_file_content(&mut self, content: Content) {
        self.outline.set_file_content(content);
    }

    /// What an entry is.
    pub fn node(&self, entry: EntryId) -> Option<&N> {
        self.nodes.get(entry.0 as usize)
    }

    /// What an entry is.
    ///
    /// # Errors
    /// When the entry does not exist.
    pub fn require(&self, entry: EntryId) -> Result<&N, ReadError> {
        self.node(entry).ok_or_else(|| ReadError::no_entry(entry))
    }

    /// Every entry with its node, the file first.
    pub fn with_nodes(&self) -> impl Iterator<Item = (&Entry, &N)> {
        self.outline.entries().iter().zip(&self.nodes)
    }

    /// The first entry whose node is the one that is looked for.
    pub fn entry_of(&self, is_it: impl Fn(&N) -> bool) -> Option<EntryId> {
        self.with_nodes().find(|(_, node)| is_it(node)).map(|(entry, _)| entry.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_its_node() {
        let mut outline = NodeOutline::new('f', Role::File, "File", 9);
        let part = outline.add('p', EntryId::FILE, "part", "part", Role::Part, "Part", 0, 9, Content::None);
        assert_eq!((outline.node(EntryId::FILE), outline.node(part)), (Some(&'f'), Some(&'p')));
        assert_eq!((outline.entry_of(|n| *n == 'p'), outline.entry_of(|n| *n == 'x')), (Some(part), None));
        assert!(outline.require(part).is_ok() && outline.require(EntryId(2)).is_err());
        let (entries, nodes) = outline.with_nodes().map(|(entry, node)| (entry.clone(), *node)).unzip();
        let again = NodeOutline::of(entries, nodes);
        assert_eq!((again.children(EntryId::FILE), again.node(part)), ([part].as_slice(), Some(&'p')));
    }
}
