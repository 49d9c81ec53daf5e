//! Folders below a chosen one.

use super::{ExportError, write::clear_abandoned};
use std::{
    collections::HashMap,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Makes the folders of `relative` below `root` (which is made too). A link in the place of a folder is refused: it could lead
/// out of the chosen folder.
pub fn make_folders(root: &Path, relative: &Path) -> Result<PathBuf, ExportError> {
    crate::files::create_dir_all(root).map_err(ExportError::io(root))?;
    let mut folder = root.to_owned();
    for part in relative.components() {
        folder.push(part);
        match crate::files::create_dir(&folder) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let kind = crate::files::symlink_metadata(&folder).map_err(ExportError::io(&folder))?;
                if !kind.is_dir() {
                    return Err(ExportError::Exists(folder));
                }
            }
            Err(error) => return Err(ExportError::io(folder)(error)),
        }
    }
    Ok(folder)
}

/// Folders below one, each made once.
pub struct Folders<'a> {
    root: &'a Path,
    made: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl<'a> Folders<'a> {
    pub fn new(root: &'a Path) -> Self {
        Self { root, made: Mutex::default() }
    }

    /// As [`make_folders`].
    pub fn make(&self, relative: &Path) -> Result<PathBuf, ExportError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = made.get(relative) {
            return Ok(folder.clone());
        }
        let folder = make_folders(self.root, relative)?;
        clear_abandoned(&folder);
        made.insert(relative.to_owned(), folder.clone());
        Ok(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_of_the_folder() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), folder.path().join("textures")).unwrap();
        assert!(matches!(make_folders(folder.path(), Path::new("textures/deep")), Err(ExportError::Exists(_))));
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }

    #[test]
    fn folders_are_made_once_and_files_in_their_place_are_said() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            assert!(make_folders(&folder.path().join("out"), Path::new("a/b")).unwrap().is_dir());
        }
        std::fs::write(folder.path().join("file"), "x").unwrap();
        assert!(make_folders(folder.path(), Path::new("file/below")).is_err());
    }
}
