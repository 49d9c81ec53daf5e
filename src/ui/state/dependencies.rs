//! The files that the selected file needs.

use crate::{formats::Dependency, ui::place::FileId};
use std::{path::PathBuf, sync::Arc};

/// The other files that a file takes something from.
#[derive(Clone, Debug)]
pub struct Dependencies {
    pub file: FileId,
    /// What the list was made for: the revision of the library, and the folders to look in.
    pub(crate) made_for: (u64, Vec<PathBuf>),
    /// `None` while they are looked for.
    pub list: Option<Arc<[Dependency]>>,
}
