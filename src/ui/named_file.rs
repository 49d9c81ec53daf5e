//! Files that a view lists. A view may come from a stranger: its paths are judged as text before the first look-up. A look-up alone connects
//! to a network share on Windows, or mounts one elsewhere.

use crate::ui::saved_view::{SavedFile, is_view};
use crate::{export::path::is_device, files, library::collection::absolute};
use std::path::{Component, Path, PathBuf};

/// Folders in the root whose files are devices, or describe the system.
const SYSTEM_FOLDERS: [&str; 3] = ["dev", "proc", "sys"];

/// Maximum number of characters of a path in a view.
const MAX_PATH: usize = 4_096;

/// A file that a view lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedFile {
    /// The file may be opened: it is in the view's folder or below, is open already, or a person has allowed it.
    Allowed(PathBuf),
    /// A file outside the view's folder, by the paths that are tried after a person has allowed it.
    Outside(Vec<PathBuf>),
    /// A network path, a device, another view, or a path that is too long. It is never opened.
    Refused(PathBuf),
}

/// The target of a path, judged by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    Inside(PathBuf),
    Outside(PathBuf),
    Never,
}

impl NamedFile {
    /// Judges a file of a view in `folder`. An absolute path that is never opened is skipped if a relative path is present: it may be of
    /// another computer. Only a path inside the folder is looked up.
    pub fn of(folder: &Path, saved: &SavedFile) -> Self {
        let relative = saved.relative.as_ref().map(|named| (named, reach(folder, named)));
        match (relative, reach(folder, &saved.path)) {
            (Some((named, Reach::Never)), _) => Self::Refused(named.clone()),
            (Some((_, Reach::Inside(path))), whole) if whole == Reach::Never || files::is_file(&path) => {
                Self::Allowed(path)
            }
            (_, Reach::Inside(path)) => Self::Allowed(path),
            (Some((_, Reach::Outside(path))), Reach::Never) => Self::Outside(vec![path]),
            (_, Reach::Never) => Self::Refused(saved.path.clone()),
            (Some((_, Reach::Outside(first))), Reach::Outside(path)) if first != path => {
                Self::Outside(vec![first, path])
            }
            (_, Reach::Outside(path)) => Self::Outside(vec![path]),
        }
    }

    /// Returns the file's path, the first one if several are tried.
    pub fn path(&self) -> &Path {
        match self {
            Self::Allowed(path) | Self::Refused(path) => path,
            Self::Outside(paths) => paths.first().map_or(Path::new(""), PathBuf::as_path),
        }
    }

    /// Allows a file outside the folder: the first of its paths with a file, else the last one.
    pub fn allow(&mut self) {
        if let Self::Outside(paths) = self
            && let Some(path) = paths.iter().find(|path| files::is_file(path)).or(paths.last())
        {
            *self = Self::Allowed(path.clone());
        }
    }
}

/// Returns `true` if a path has more characters than a view may contain.
pub fn is_too_long(path: &Path) -> bool {
    path.to_string_lossy().chars().nth(MAX_PATH).is_some()
}

/// Judges a path by its text alone. Paths of Windows are recognised on every system.
fn reach(folder: &Path, named: &Path) -> Reach {
    let text = named.to_string_lossy();
    let is_slash = |c: char| c == '/' || c == '\\';
    let parts = || text.split(is_slash).filter(|part| !part.is_empty());
    let is_rooted = text.starts_with(is_slash);
    // `\\server\share`, `\\?\…` and `\\.\…` with either slash, and `\??\…`, which is another form of `\\?\…`.
    let is_network = is_rooted && (text.chars().nth(1).is_some_and(is_slash) || parts().next() == Some("??"));
    let names_device = |part: &str| part.split(':').next().is_some_and(|name| is_device(name.trim_start()));
    if is_too_long(named) || is_network || parts().any(names_device) || is_view(named) {
        return Reach::Never;
    }
    let whole = absolute(&folder.join(named));
    let mut at_top = whole.components().skip(1);
    let has_no_drive = whole.components().next() == Some(Component::RootDir);
    let top = at_top.next().map(|part| part.as_os_str().to_string_lossy()).filter(|_| has_no_drive);
    if top.is_some_and(|top| SYSTEM_FOLDERS.contains(&&*top)) || is_rooted && is_system(parts()) {
        return Reach::Never;
    }
    let has_drive = text.as_bytes().get(1) == Some(&b':');
    let is_foreign = (is_rooted || has_drive) && !named.has_root();
    if whole != folder && whole.starts_with(folder) && !is_foreign && (is_rooted || !leads_up(parts())) {
        Reach::Inside(whole)
    } else {
        Reach::Outside(whole)
    }
}

/// Returns `true` if a path from the root, without a drive, leads into one of [`SYSTEM_FOLDERS`].
fn is_system<'a>(parts: impl Iterator<Item = &'a str>) -> bool {
    let mut way = Vec::new();
    for part in parts {
        match part {
            "." => {}
            ".." => drop(way.pop()),
            part => way.push(part),
        }
    }
    way.first().is_some_and(|top| SYSTEM_FOLDERS.contains(top))
}

/// Returns `true` if a relative path leads above its folder at any part.
fn leads_up<'a>(parts: impl Iterator<Item = &'a str>) -> bool {
    let mut depth = 0_usize;
    for part in parts {
        match part {
            "." => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return true,
            },
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = if cfg!(windows) { r"C:\views\mine" } else { "/views/mine" };

    fn reach_of(text: &str) -> Reach {
        reach(Path::new(FOLDER), Path::new(text))
    }

    #[test]
    fn network_paths_and_devices_are_never_opened() {
        for text in [
            r"\\server\share\x.psk",
            "//server/share/x.psk",
            r"\/server\share",
            r"/\server\share",
            r"\\?\UNC\server\share\x",
            r"\\?\C:\x.psk",
            r"\\.\PhysicalDrive0",
            "//./COM1",
            "//?/C:/x",
            r"\??\C:\x",
            r"\??\UNC\server\share\x",
            "CON",
            "nul",
            "NUL:",
            " aux ",
            "com1",
            "COM²",
            "LPT9.psk",
            "models/prn .psk",
            r"C:\models\CON\a.psk",
            r"models\nul.txt",
            "/dev/null",
            "/dev/../dev/sda",
            "/./proc/self/mem",
            "/games/../sys/power/state",
            "../../dev/stdin",
            "../../proc/self/environ",
            "other.bonebox-view",
            "other.BONEBOX-VIEW",
        ] {
            let expected = match text.starts_with("../../") && cfg!(windows) {
                true => Reach::Outside(absolute(&Path::new(FOLDER).join(text))),
                false => Reach::Never,
            };
            assert_eq!(reach_of(text), expected, "{text}");
        }
    }

    #[test]
    fn long_paths_are_never_opened() {
        for start in ["", "../", "/games/"] {
            let longest = format!("{start}{}", "ä".repeat(MAX_PATH - start.len()));
            assert_ne!(reach_of(&longest), Reach::Never, "{start}");
            assert_eq!(reach_of(&format!("{longest}ä")), Reach::Never, "{start}");
        }
    }

    #[test]
    fn paths_inside_the_folder_are_told_from_others() {
        let inside = |text: &str| Reach::Inside(Path::new(FOLDER).join(text));
        for text in ["a.psk", "models/a.psk", "development/proc/sys/a.psk", "con-a.psk", "com10.psk", "..a"] {
            assert_eq!(reach_of(text), inside(text), "{text}");
        }
        assert_eq!(reach_of("./models/../a.psk"), inside("a.psk"));
        let own = Path::new(FOLDER).join("a.psk");
        assert_eq!(reach_of(&own.to_string_lossy()), Reach::Inside(own));
        for text in [
            "",
            ".",
            "..",
            "../a.psk",
            r"..\a.psk",
            "models/../../a.psk",
            r"models\..\..\a.psk",
            "../mine.psk",
            "/games/a.psk",
            "/views/minecraft/a.psk",
            "/views/mine/../a.psk",
            "/etc/passwd",
            r"\games\a.psk",
            r"D:\games\a.psk",
            "D:/games/a.psk",
            "D:a.psk",
        ] {
            assert!(matches!(reach_of(text), Reach::Outside(_)), "{text}: {:?}", reach_of(text));
        }
    }

    #[test]
    fn a_file_has_the_paths_that_are_tried() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let named = |relative: Option<&str>, path: &Path| {
            let saved = SavedFile { path: path.to_owned(), relative: relative.map(PathBuf::from) };
            NamedFile::of(folder.path(), &saved)
        };
        let (own, other) = (folder.path().join("a.psk"), elsewhere.path().join("a.psk"));
        let lost = named(Some("a.psk"), &other);
        assert_eq!(lost, NamedFile::Outside(vec![other.clone()]));
        std::fs::write(&own, "x").unwrap();
        // A file next to the view counts, whatever path it had.
        for path in [&other, Path::new(r"\\server\share\a.psk")] {
            assert_eq!(named(Some("a.psk"), path), NamedFile::Allowed(own.clone()));
        }
        assert_eq!(named(None, &own), NamedFile::Allowed(own));
        let share = Path::new(r"\\server\share\a.psk");
        assert_eq!(named(None, share), NamedFile::Refused(share.to_owned()));
        // The relative path counts, although its file is missing.
        assert_eq!(named(Some("b.psk"), share), NamedFile::Allowed(folder.path().join("b.psk")));
        assert_eq!(named(Some("//server/a"), &other), NamedFile::Refused("//server/a".into()));

        let mut outside = named(Some("../elsewhere/a.psk"), &other);
        let first = folder.path().with_file_name("elsewhere").join("a.psk");
        assert_eq!(named(Some("../elsewhere/a.psk"), share), NamedFile::Outside(vec![first.clone()]));
        assert_eq!(outside, NamedFile::Outside(vec![first.clone(), other.clone()]));
        assert_eq!(outside.path(), first);
        std::fs::write(&other, "x").unwrap();
        outside.allow();
        assert_eq!(outside, NamedFile::Allowed(other));
    }
}
