//! Searches in the open files, and their results: bytes, references, classes, needed files, scripts.

use crate::{
    formats::Dependency,
    library::{ClassHome, ClassTree, ScriptMatch, ScriptQuery},
    ui::{
        byte_search::ByteSearch,
        place::{FileId, Place},
    },
};
use std::{path::PathBuf, sync::Arc};

/// Lines that a search finds at most.
pub const MAX_MATCHES: usize = 10_000;

/// The results of searches in the open files.
#[derive(Default)]
pub struct Lookups {
    /// The search in the bytes of a file or an entry.
    pub bytes: ByteSearch,
    /// The references to an entry, once they were asked for.
    pub uses: Option<Uses>,
    /// The classes of the open files, once they were asked for.
    pub classes: Option<Classes>,
    /// The revision of the library whose classes are being read.
    pub(super) classes_wanted: Option<u64>,
    /// The files that the selected file needs.
    pub dependencies: Option<Dependencies>,
    /// The search through all scripts.
    pub scripts: ScriptSearch,
}

impl Lookups {
    /// Drops results that are of a file that is closed.
    pub(super) fn forget_file(&mut self, file: FileId) {
        self.uses.take_if(|uses| uses.of.file == file);
        self.dependencies.take_if(|needed| needed.file == file);
    }
}

/// The classes of all files that were open at one moment.
#[derive(Clone)]
pub struct Classes {
    /// Revision of the library.
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

/// The other files that a file takes something from.
#[derive(Clone, Debug)]
pub struct Dependencies {
    pub file: FileId,
    /// The revision of the library and the search folders of the list.
    pub(crate) made_for: (u64, Vec<PathBuf>),
    /// `None` while they are looked for.
    pub list: Option<Arc<[Dependency]>>,
}

/// A search in the scripts of all open files.
#[derive(Clone, Debug, Default)]
pub struct ScriptSearch {
    pub query: ScriptQuery,
    /// Number of the search. Results of earlier ones are dropped.
    pub turn: u64,
    /// In the order of files, classes and lines.
    pub found: Vec<(FileId, ScriptMatch)>,
    /// Classes that were looked at.
    pub classes: usize,
    /// Files that were looked at, and that there are to look at.
    pub files: (usize, usize),
    /// The work that looks.
    pub work: Option<u64>,
    /// True if the search was cancelled.
    pub cancelled: bool,
    /// The result that was gone to last.
    pub current: Option<usize>,
    /// Changes whenever the field wants the keyboard.
    pub focus: u64,
}

impl ScriptSearch {
    /// Returns true if not all results are listed.
    pub fn is_cut(&self) -> bool {
        self.found.len() >= MAX_MATCHES
    }
}

/// The references to an entry.
#[derive(Clone, Debug)]
pub struct Uses {
    pub of: Place,
    /// `None` while they are looked for.
    pub list: Option<Vec<UsedBy>>,
}

/// A field that refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedBy {
    pub place: Place,
    /// Names of the fields on the way, joined by dots.
    pub field: String,
}
