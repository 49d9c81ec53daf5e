//! The files of a collection's roots on the disk, and their paths in the index.

use crate::{
    bytes::numbers::grouped,
    files::{self as fs, text_of},
    library::stamp::absolute,
};
use std::{
    collections::BTreeMap,
    path::{MAIN_SEPARATOR, Path, PathBuf},
    time::SystemTime,
};

/// The text that the index knows a file by; [`crate::files::path_of`] leads back.
pub fn key_of(path: &Path) -> String {
    text_of(&absolute(path)).into_owned()
}

/// Whether a path is a root, or lies below it.
pub fn is_below(path: &str, root: &str) -> bool {
    match path.strip_prefix(root) {
        Some("") => true,
        Some(rest) => rest.starts_with(MAIN_SEPARATOR) || root.ends_with(MAIN_SEPARATOR),
        None => false,
    }
}

/// Files of one collection; further ones are left out, and said so.
const MAX_FILES: usize = 1 << 20;
/// Folders in folders.
const DEEPEST: usize = 64;

/// A file on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnDisk {
    /// The file's path.
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// Time of the last change; `None` if the system does not report it.
    pub modified: Option<SystemTime>,
}

/// The files of some roots by what they are known by, and what could not be looked into, with why.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files by their absolute paths as text.
    pub files: BTreeMap<String, OnDisk>,
    /// Paths that could not be read or were left out, with the reasons.
    pub troubles: Vec<(PathBuf, String)>,
}

/// Looks into roots. Links are followed where they are roots, or lead to files; hidden files are left out.
pub fn walk(roots: &[PathBuf]) -> Walked {
    let mut walked = Walked::default();
    for root in roots {
        let root = absolute(root);
        match fs::metadata(&root) {
            Ok(found) if found.is_dir() => walked.folder(&root, 0),
            Ok(found) if found.is_file() => walked.file(root, &found),
            Ok(_) => walked.troubles.push((root, "not a file or folder".to_owned())),
            Err(error) => walked.troubles.push((root, error.to_string())),
        }
    }
    walked
}

impl Walked {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let listed = match fs::read_dir(folder) {
            Ok(listed) if depth < DEEPEST => listed,
            Ok(_) => {
                return self
                    .troubles
                    .push((folder.to_owned(), format!("nested too deeply (at most {DEEPEST} folders)")));
            }
            Err(error) => return self.troubles.push((folder.to_owned(), error.to_string())),
        };
        for entry in listed {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.troubles.push((folder.to_owned(), error.to_string()));
                    continue;
                }
            };
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let (path, kind) = (entry.path(), entry.file_type());
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                self.folder(&path, depth.saturating_add(1));
                continue;
            }
            match fs::metadata(&path) {
                Ok(found) if found.is_file() => self.file(path, &found),
                // Links to folders lead round in circles; pipes and devices hold nothing.
                Ok(_) => {}
                Err(error) => self.troubles.push((path, error.to_string())),
            }
        }
    }

    fn file(&mut self, path: PathBuf, found: &fs::Metadata) {
        if self.files.len() >= MAX_FILES {
            let is_said = self.troubles.last().is_some_and(|(_, why)| why.starts_with("more than"));
            if !is_said {
                let most = grouped(MAX_FILES);
                let why = format!("more than {most} files were found. The remaining files are skipped");
                self.troubles.push((path, why));
            }
            return;
        }
        let key = key_of(&path);
        self.files.insert(key, OnDisk { path, size: found.len(), modified: found.modified().ok() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_are_whole() {
        assert!(is_below("/a/b", "/a") && is_below("/a", "/a") && is_below("/a", "/"));
        assert!(!is_below("/ab", "/a") && !is_below("/", "/a"));
    }
}
