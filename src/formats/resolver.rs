use crate::bytes::Source;
use std::path::PathBuf;

/// A file that another one asks for.
#[derive(Clone, Copy, Debug)]
pub struct FileRequest<'a> {
    /// File name without extension, compared without regard to case.
    pub stem: &'a str,
    /// Extensions to try, in order of preference, without the dot.
    pub extensions: &'a [&'a str],
    /// Look in the folders below too.
    pub subfolders: bool,
    /// Names of folders beside the file's own that are looked in after it (`System`, `Textures`), without regard to case, or
    /// [`ANY_SIBLING`].
    pub siblings: &'a [&'a str],
}

/// In the place of a name of [`FileRequest::siblings`]: whatever folders lie beside the file's own and are not hidden, as far as they
/// are few.
pub const ANY_SIBLING: &str = "*";

/// A file that was found.
#[derive(Clone, Debug)]
pub struct FoundFile {
    /// For people: the path relative to the folder that was searched.
    pub name: String,
    /// Where it lies; empty for a file that lies nowhere.
    pub path: PathBuf,
    /// Bytes of the file.
    pub source: Source,
}

/// Finds what lies in other files; the library implements it over folders.
pub trait Resolver: Send + Sync {
    /// The first file that fits, looked for beside the file that asks.
    fn find(&self, request: &FileRequest<'_>) -> Option<FoundFile>;

    /// Where the first file that fits lies; it is not read.
    fn locate(&self, request: &FileRequest<'_>) -> Option<PathBuf> {
        self.find(request).map(|found| found.path)
    }

    /// The folders that a file is looked for in, in order.
    fn places(&self, request: &FileRequest<'_>) -> Vec<PathBuf> {
        let _ = request;
        Vec::new()
    }

    /// `; did you mean “skin”?` with the nearest names of files that a request without a result may have meant, or nothing.
    fn suggestion(&self, request: &FileRequest<'_>) -> String {
        let _ = request;
        String::new()
    }

    /// The file that a relative path names, of at most `largest` bytes: below the folder of the file that asks, or below one that
    /// the user named. A path that would lead out of them ([`relative_parts`]) finds nothing.
    fn find_path(&self, path: &str, largest: u64) -> Option<FoundFile> {
        let _ = (path, largest);
        None
    }

    /// The file of this name in the folder of the file that asks, without regard to case. It may be of any size: nothing of a large one
    /// is read before it is asked for.
    fn find_beside(&self, name: &str) -> Option<FoundFile> {
        let _ = name;
        None
    }
}

/// The parts of a relative path, whichever slashes it has; `None` for one that could lead elsewhere: absolute, with a drive, with
/// `.` or `..`, or with a NUL in it.
pub fn relative_parts(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let leads_out = |part: &&str| part.is_empty() || part.chars().all(|c| c == '.') || part.contains([':', '\0']);
    (!parts.iter().any(leads_out)).then_some(parts)
}

/// A resolver that has nothing.
pub struct NoFiles;

impl Resolver for NoFiles {
    fn find(&self, _: &FileRequest<'_>) -> Option<FoundFile> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_out_have_no_parts() {
        assert_eq!(relative_parts("ca\\plants/smrk.p3d"), Some(vec!["ca", "plants", "smrk.p3d"]));
        assert_eq!(relative_parts("a b.p3d"), Some(vec!["a b.p3d"]));
        for path in [
            "",
            ".",
            "..",
            "a/..",
            "..\\a",
            "a/../b",
            "a/./b",
            "/etc/passwd",
            "\\a",
            "\\\\server\\share",
            "c:\\a",
            "C:a",
            "a//b",
            "a/",
            "a\0b",
            "a/b:stream",
            "...",
        ] {
            assert_eq!(relative_parts(path), None, "{path:?}");
        }
    }
}
