//! Names from files become names on disk that stay in the chosen folder on every system.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// Bytes of UTF-8 that a name keeps, so that a number and an extension still fit into the 255 that file systems allow.
const LONGEST_NAME: usize = 120;
/// Folders that a path keeps; what lies deeper goes into the last one.
pub const MAX_FOLDERS: usize = 32;

/// Names that Windows gives to devices, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// One path component made of a name from a file: never empty, never `.` or `..`, no separator, no drive letter, nothing that
/// Windows forbids or reads as a device.
pub fn safe_name(name: &str) -> String {
    let mut safe: String = name.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    if safe.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|end| safe.is_char_boundary(*end)).unwrap_or(0);
        safe.truncate(end);
    }
    let trimmed = safe.trim_start_matches(' ').trim_end_matches(['.', ' ']);
    if trimmed.is_empty() {
        return "unnamed".to_owned();
    }
    if is_device(trimmed) { format!("_{trimmed}") } else { trimmed.to_owned() }
}

fn is_allowed(c: char) -> bool {
    let turns_text_around = matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns_text_around && !matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_lowercase();
    let numbered = ["com", "lpt"].iter().any(|prefix| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    });
    numbered || DEVICES.contains(&stem.as_str())
}

/// A relative path of safe names, one for each part that is not empty.
pub fn safe_path<'a>(parts: impl IntoIterator<Item = &'a str>) -> PathBuf {
    parts.into_iter().filter(|p| !p.is_empty()).take(MAX_FOLDERS).map(safe_name).collect()
}

/// Hands out names that no other one of the same export has, not even by another case.
#[derive(Debug, Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
}

impl UniqueNames {
    /// `folder/stem`, or `folder/stem (2)` and so on when that is taken. `folder` is relative, `stem` a name from a file.
    pub fn claim(&mut self, folder: &Path, stem: &str) -> PathBuf {
        self.claim_with(folder, stem, "")
    }

    /// As [`UniqueNames::claim`], for a file with an extension, which comes after the number. `alone`: no other file of the
    /// folder may have the stem either, whatever its extension.
    pub fn claim_file(&mut self, folder: &Path, stem: &str, extension: &str, alone: bool) -> PathBuf {
        let extension = format!(".{extension}");
        if alone {
            let mut path = self.claim_with(folder, stem, "").into_os_string();
            path.push(extension);
            return path.into();
        }
        self.claim_with(folder, stem, &extension)
    }

    fn claim_with(&mut self, folder: &Path, stem: &str, ending: &str) -> PathBuf {
        let stem = safe_name(stem);
        let first = folder.join(format!("{stem}{ending}"));
        if self.taken.insert(fold(&first)) {
            return first;
        }
        let mut number = 2_u64;
        loop {
            let path = folder.join(format!("{stem} ({number}){ending}"));
            if self.taken.insert(fold(&path)) {
                return path;
            }
            number += 1;
        }
    }
}

fn fold(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Component;

    fn stays(path: &Path) -> bool {
        path.components().all(|c| matches!(c, Component::Normal(_)))
    }

    #[test]
    fn parents_and_self_are_no_names() {
        for name in ["..", ".", "...", ". .", " ..", ""] {
            assert_eq!(safe_name(name), "unnamed", "{name:?}");
        }
        assert_eq!(safe_path(["..", "..", "etc", "passwd"]), Path::new("unnamed/unnamed/etc/passwd"));
        assert!(stays(&safe_path(["../../x", "a/../../b"])));
    }

    #[test]
    fn absolute_paths_become_names() {
        for name in ["/etc/passwd", "\\\\server\\share", "//x", "\\x"] {
            let safe = safe_name(name);
            assert!(!safe.contains(['/', '\\']) && stays(Path::new(&safe)), "{safe}");
        }
        assert_eq!(safe_name("/etc/passwd"), "_etc_passwd");
    }

    #[test]
    fn drive_letters_and_streams_become_names() {
        assert_eq!(safe_name("C:\\boot.ini"), "C__boot.ini");
        assert_eq!(safe_name("file.txt:stream"), "file.txt_stream");
    }

    #[test]
    fn nul_and_control_characters_are_replaced() {
        assert_eq!(safe_name("a\0b\n\u{7f}\u{85}c"), "a_b___c");
        assert_eq!(safe_name("gpj.\u{202E}exe"), "gpj._exe");
    }

    #[test]
    fn what_windows_forbids_is_replaced() {
        assert_eq!(safe_name("a*b?c\"d<e>f|g"), "a_b_c_d_e_f_g");
    }

    #[test]
    fn devices_get_another_name() {
        for name in ["CON", "prn", "Aux", "NUL", "COM1", "lpt9", "nul.txt", "CON .x", "com¹", "CONIN$"] {
            assert!(safe_name(name).starts_with('_'), "{name}");
        }
        for name in ["CONTROL", "COM", "COM10", "nulls", "a.con"] {
            assert_eq!(safe_name(name), name);
        }
    }

    #[test]
    fn trailing_dots_and_blanks_go() {
        assert_eq!(safe_name("Walk. . "), "Walk");
        assert_eq!(safe_name("  Walk"), "Walk");
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        let safe = safe_name(&"ä".repeat(500));
        assert!(safe.len() <= LONGEST_NAME && safe.chars().all(|c| c == 'ä'));
        let cut_at_a_dot = safe_name(&format!("{}. .{}", "a".repeat(LONGEST_NAME - 2), "b".repeat(99)));
        assert!(!cut_at_a_dot.ends_with(['.', ' ']));
        assert!(safe_path(std::iter::repeat_n("deep", 5_000)).components().count() <= MAX_FOLDERS);
    }

    #[test]
    fn clashes_by_case_get_a_number() {
        let mut names = UniqueNames::default();
        let folder = Path::new("mesh");
        assert_eq!(names.claim(folder, "Walk"), Path::new("mesh/Walk"));
        assert_eq!(names.claim(folder, "WALK"), Path::new("mesh/WALK (2)"));
        assert_eq!(names.claim(folder, "walk"), Path::new("mesh/walk (3)"));
        assert_eq!(names.claim(folder, "walk (2)"), Path::new("mesh/walk (2) (2)"));
        assert_eq!(names.claim(Path::new("other"), "Walk"), Path::new("other/Walk"));
        assert_eq!(names.claim(Path::new(""), "Ä"), Path::new("Ä"));
        assert_eq!(names.claim(Path::new(""), "ä"), Path::new("ä (2)"));
    }
}
