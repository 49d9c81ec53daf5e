//! Commands for comparisons of files, folders and entries.

use crate::ui::place::FileId;
use std::path::PathBuf;

/// A command for a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareCommand {
    /// Shows the comparison with the selected file on the left, else with the first open file. Without an open file,
    /// both sides are empty.
    Selected,
    /// Shows the comparison with this file on the left. If only one other file is open, it is selected for the right.
    File(FileId),
    /// Shows the comparison with a file, folder or entry on the left, open or not.
    First(ComparedThing),
    /// Selects an open file for the right.
    With(FileId),
    /// Selects a file, folder or entry for the right, or for the left if it is empty.
    WithThing(ComparedThing),
    /// Opens the file dialog for the right.
    AskFile,
    /// Opens the dialog for a folder for the right.
    AskFolder,
    /// Clears both sides.
    Forget,
    /// Swaps the sides.
    Swap,
    /// Repeats the comparison.
    Again,
    /// Shows an entry of the list, by its index. In a comparison of folders, compares a pair of files.
    Choose(usize),
    /// Returns from a pair of files to their folders.
    Back,
    /// Lists only differences, or everything.
    ChangedOnly(bool),
}

/// A file, folder or entry to compare, open or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedThing {
    /// The path of a file or folder; may lead into containers.
    pub path: PathBuf,
    /// The path of one entry of the file; `None` for the whole file.
    pub entry: Option<String>,
}

impl ComparedThing {
    pub fn whole(path: PathBuf) -> Self {
        Self { path, entry: None }
    }

    /// Returns the name of the file, and of the entry.
    pub fn name(&self) -> String {
        let file = self.path.file_name().map_or_else(|| self.path.to_string_lossy(), |name| name.to_string_lossy());
        match &self.entry {
            Some(entry) => format!("{file} › {entry}"),
            None => file.into_owned(),
        }
    }
}
