//! The classes of the open files.

use crate::{
    library::{ClassHome, ClassTree},
    ui::place::{FileId, Place},
};
use std::sync::Arc;

/// The classes of all files that were open at one moment.
#[derive(Clone)]
pub struct Classes {
    /// Of the library.
    pub revision: u64,
    pub tree: Arc<ClassTree>,
    /// The files that the tree numbers.
    pub files: Arc<[FileId]>,
}

impl Classes {
    /// The entry that a class of the tree is, where its file is open.
    pub fn place(&self, node: usize) -> Option<Place> {
        match &self.tree.nodes.get(node)?.home {
            ClassHome::Open { file, entry } => Some(Place { file: *self.files.get(*file)?, entry: *entry }),
            ClassHome::BuiltIn | ClassHome::NotOpen { .. } => None,
        }
    }

    /// The class that an entry is.
    pub fn node_of(&self, place: Place) -> Option<usize> {
        let file = self.files.iter().position(|id| *id == place.file)?;
        self.tree.node_at(file, place.entry)
    }
}
