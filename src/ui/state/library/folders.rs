//! The folders that files were opened from.

use crate::ui::library_row::FolderId;
use std::path::{Path, PathBuf};

/// Folders by number, in the order in which files came from them.
#[derive(Default)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// The folder that a file lies in.
    pub fn of(&mut self, file: &Path) -> FolderId {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let at = self.0.iter().position(|known| *known == folder).unwrap_or_else(|| {
            self.0.push(folder);
            self.0.len() - 1
        });
        FolderId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    pub fn path(&self, id: FolderId) -> &Path {
        self.0.get(id.0 as usize).map_or(Path::new(""), PathBuf::as_path)
    }

    /// What a folder is called: its own name, with that of the one above it where two would be called the same.
    pub fn name(&self, id: FolderId) -> String {
        let path = self.path(id);
        let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = last(path) else { return path.display().to_string() };
        let is_alone = self.0.iter().filter(|other| last(other).as_ref() == Some(&name)).count() == 1;
        match path.parent().and_then(last).filter(|_| !is_alone) {
            Some(above) => format!("{above}/{name}"),
            None => name,
        }
    }
}
