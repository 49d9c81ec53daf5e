//! Searches in the open files, and their results.

use crate::ui::{
    byte_search::ByteSearch,
    place::FileId,
    state::{classes::Classes, dependencies::Dependencies, scripts::ScriptSearch, uses::Uses},
};

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
