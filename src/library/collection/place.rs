//! Paths as the index has them.

use crate::files::text_of;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The path from the top. Links are not followed: a file is known by the way that leads to it.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = crate::files::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `a/../b` and `b` are one place, as far as no link is on the way.
    let mut plain = PathBuf::new();
    for part in whole.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_are_plain_and_names_are_whole() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute(Path::new("/a/c/")), Path::new("/a/c"));
        assert!(is_below("/a/b", "/a") && is_below("/a", "/a") && is_below("/a", "/"));
        assert!(!is_below("/ab", "/a") && !is_below("/", "/a"));
    }
}
