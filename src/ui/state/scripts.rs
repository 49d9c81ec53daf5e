//! The search through all scripts, and what it has found.

use crate::{
    library::{ScriptMatch, ScriptQuery},
    ui::place::FileId,
};

/// Lines that a search finds at most.
pub const MAX_MATCHES: usize = 10_000;

/// What is looked for in the scripts of all open files.
#[derive(Clone, Debug, Default)]
pub struct ScriptSearch {
    pub query: ScriptQuery,
    /// Which search it is: what an earlier one finds counts no more.
    pub turn: u64,
    /// In the order of files, classes and lines.
    pub found: Vec<(FileId, ScriptMatch)>,
    /// Classes that were looked at.
    pub classes: usize,
    /// Files that were looked at, and that there are to look at.
    pub files: (usize, usize),
    /// The work that looks.
    pub work: Option<u64>,
    /// It was ended before its end.
    pub cancelled: bool,
    /// The result that was gone to last.
    pub current: Option<usize>,
    /// Changes whenever the field wants the keyboard.
    pub focus: u64,
}

impl ScriptSearch {
    /// Whether there is more than is listed.
    pub fn is_cut(&self) -> bool {
        self.found.len() >= MAX_MATCHES
    }
}
