//! The folders that files were opened from.

use crate::ui::library_row::FolderId;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Folders by number, in the order in which files came from them.
#[derive(Default)]
pub struct Folders {
    paths: Vec<PathBuf>,
    numbers: HashMap<PathBuf, usize>,
    /// Number of folders with this name.
    called: HashMap<String, usize>,
}

impl Folders {
    /// Returns the folder of a file.
    pub fn of(&mut self, file: &Path) -> FolderId {
        let file = crate::files::absolute(file).unwrap_or_else(|_| file.to_owned());
        let folder = file.parent().unwrap_or(Path::new(""));
        let at = self.numbers.get(folder).copied().unwrap_or_else(|| self.add(folder));
        FolderId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn add(&mut self, folder: &Path) -> usize {
        let at = self.paths.len();
        self.paths.push(folder.to_owned());
        self.numbers.insert(folder.to_owned(), at);
        if let Some(name) = last(folder) {
            *self.called.entry(name).or_default() += 1;
        }
        at
    }

    pub fn path(&self, id: FolderId) -> &Path {
        self.paths.get(id.0 as usize).map_or(Path::new(""), PathBuf::as_path)
    }

    /// What a folder is called: its own name, with that of the one above it where two would be called the same.
    pub fn name(&self, id: FolderId) -> String {
        let path = self.path(id);
        let Some(name) = last(path) else { return path.display().to_string() };
        let is_alone = self.called.get(&name).is_none_or(|count| *count <= 1);
        match path.parent().and_then(last).filter(|_| !is_alone) {
            Some(above) => format!("{above}/{name}"),
            None => name,
        }
    }
}

fn last(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}
