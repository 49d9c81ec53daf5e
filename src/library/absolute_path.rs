//! Absolute paths, by which files are known.

use std::path::{Path, PathBuf};

/// Returns the absolute path, without `.` and `..`. Links are not followed.
pub fn absolute(path: &Path) -> PathBuf {
    let whole = crate::files::absolute(path).unwrap_or_else(|_| path.to_owned());
    // `a/../b` and `b` are the same unless `a` is a link.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn paths_are_plain() {
        assert_eq!(absolute(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute(Path::new("/a/c/")), Path::new("/a/c"));
    }
}
