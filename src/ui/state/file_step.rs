//! Going through the files of a folder.

use crate::ui::place::FileId;

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
