//! Paths as the index has them.

use crate::{files::text_of, library::absolute_path::absolute};
use std::path::{MAIN_SEPARATOR, Path};

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
    fn names_are_whole() {
        assert!(is_below("/a/b", "/a") && is_below("/a", "/a") && is_below("/a", "/"));
        assert!(!is_below("/ab", "/a") && !is_below("/", "/a"));
    }
}
