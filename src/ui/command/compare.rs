//! What can be done with two files, folders or entries side by side.

use crate::ui::place::FileId;
use std::path::PathBuf;

/// One thing to do with a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareCommand {
    /// Brings the comparison to the stage, with the selected file on the left, else the first that is open; without either,
    /// both sides are asked for.
    Selected,
    /// The same with this file; the other one is asked for, unless there is but one.
    File(FileId),
    /// The same with a file, a folder or an entry that need not be open; the other one is asked for.
    First(ComparedThing),
    /// Takes an open file for the right.
    With(FileId),
    /// Takes a file, a folder or an entry for the right; for the left where nothing is there yet.
    WithThing(ComparedThing),
    /// Asks for a file for the right.
    AskFile,
    /// Asks for a folder for the right.
    AskFolder,
    /// Forgets what was chosen: both sides are asked for.
    Forget,
    /// Changes the sides.
    Swap,
    /// Compares the same once more, as it is now.
    Again,
    /// Shows an entry of the list, by its number; of two folders, goes on into a pair of files.
    Choose(usize),
    /// From a pair of files back to the folders that they lie in.
    Back,
    /// Lists what differs alone.
    ChangedOnly(bool),
}

/// Something to compare, open or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedThing {
    /// Of a file or a folder; leads into containers.
    pub path: PathBuf,
    /// The path of one entry of the file; `None` for the whole file.
    pub entry: Option<String>,
}

impl ComparedThing {
    pub fn whole(path: PathBuf) -> Self {
        Self { path, entry: None }
    }

    /// The name of the file, and of the entry.
    pub fn name(&self) -> String {
        let file = self.path.file_name().map_or_else(|| self.path.to_string_lossy(), |name| name.to_string_lossy());
        match &self.entry {
            Some(entry) => format!("{file} › {entry}"),
            None => file.into_owned(),
        }
    }
}
