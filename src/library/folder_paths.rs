//! Paths below a folder, without regard to case.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// How many files a folder search looks at.
pub(super) const MAX_FILES: usize = 20_000;
/// Folders that are listed.
const MAX_FOLDERS: usize = 5_000;

/// What lies in folders; each is listed once.
#[derive(Default)]
pub struct FolderPaths {
    listed: Mutex<HashMap<PathBuf, Arc<Names>>>,
}

/// Names in lower case with the paths that they stand for.
#[derive(Default)]
struct Names {
    folders: HashMap<String, PathBuf>,
    files: HashMap<String, PathBuf>,
}

impl FolderPaths {
    /// The file that `parts` lead to from `folder`. Links to folders are not followed.
    pub fn find(&self, folder: &Path, parts: &[&str]) -> Option<PathBuf> {
        let (file, folders) = parts.split_last()?;
        let mut at = folder.to_owned();
        for part in folders {
            at = self.names(&at).folders.get(&part.to_lowercase())?.clone();
        }
        self.names(&at).files.get(&file.to_lowercase()).cloned()
    }

    fn names(&self, folder: &Path) -> Arc<Names> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = listed.get(folder) {
            return names.clone();
        }
        let names = Arc::new(if listed.len() < MAX_FOLDERS { Names::of(folder) } else { Names::default() });
        listed.insert(folder.to_owned(), names.clone());
        names
    }
}

impl Names {
    fn of(folder: &Path) -> Self {
        let mut names = Self::default();
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
        let mut paths: Vec<(PathBuf, bool)> = entries
            .filter_map(|entry| {
                let kind = entry.file_type().ok()?;
                let is_file = kind.is_file() || (kind.is_symlink() && entry.path().is_file());
                (is_file || kind.is_dir()).then(|| (entry.path(), is_file))
            })
            .collect();
        // Of names that differ in case alone the first counts.
        paths.sort();
        for (path, is_file) in paths {
            let Some(name) = path.file_name().map(|n| n.to_string_lossy().to_lowercase()) else { continue };
            let kind = if is_file { &mut names.files } else { &mut names.folders };
            kind.entry(name).or_insert(path);
        }
        names
    }
}
