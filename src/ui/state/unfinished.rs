//! What the window has begun: files that are read again, a view that is restored, a step to another file of a folder.

use crate::ui::{
    place::{FileId, Place, StageId},
    saved_view::SavedView,
};
use std::{collections::HashMap, path::PathBuf};

/// Files that are read again, and files that could not be.
#[derive(Default)]
pub struct Reloads {
    /// The turn of the reading that counts, of each file that is being read.
    pub(super) running: HashMap<FileId, u64>,
    /// Files that differ from the disk, and why the newer version was not taken.
    pub(super) outdated: HashMap<FileId, String>,
}

impl Reloads {
    pub(crate) fn forget(&mut self, file: FileId) {
        self.running.remove(&file);
        self.outdated.remove(&file);
    }

    /// Notes that a file is as on disk.
    pub(crate) fn is_fresh(&mut self, file: FileId) {
        self.outdated.remove(&file);
    }

    pub(crate) fn is_running(&self, file: FileId) -> bool {
        self.running.contains_key(&file)
    }
}

/// A view whose files are being opened.
pub(crate) struct Restoring {
    /// The job that opens the files; `None` when it is complete.
    pub work: Option<u64>,
    pub view: SavedView,
    /// The paths of the files.
    pub paths: Vec<PathBuf>,
    /// Stages whose subject is on its way.
    pub begun: Vec<StageId>,
}

/// The view that is coming back, and when the present one was noted.
pub(crate) struct Restore {
    pub view: Option<Box<Restoring>>,
    /// The selection once the whole view is there.
    pub selection: Option<Place>,
    /// The time at which the present view was noted last.
    pub kept_secs: f64,
}

impl Default for Restore {
    fn default() -> Self {
        Self { view: None, selection: None, kept_secs: f64::NEG_INFINITY }
    }
}

/// A step to another file that is on its way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FileStep {
    /// The work that looks for the file.
    pub work: Option<u64>,
    /// Steps that were asked for meanwhile.
    pub more: i32,
    /// The file that was opened by a step: the next one takes its place.
    pub opened: Option<FileId>,
}
