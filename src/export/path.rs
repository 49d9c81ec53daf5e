//! Names from files become names on disk that stay in the chosen folder on every system.

use crate::formats::file_name;
use std::{
    collections::{HashMap, HashSet},
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

/// [`safe_name`] of a name and something behind it that tells it from another one: of a long name the end goes.
pub fn safe_name_with(name: &str, ending: &str) -> String {
    let ending = safe_name(ending);
    let end = (0..=LONGEST_NAME.saturating_sub(ending.len() + 1)).rev().find(|end| name.is_char_boundary(*end));
    let start = name.get(..end.unwrap_or(0).min(name.len())).unwrap_or(name);
    safe_name(&format!("{start}.{ending}"))
}

fn is_allowed(c: char) -> bool {
    let turns_text_around = matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns_text_around && !matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
}

/// Whether Windows reads a name as a device, whatever its extension.
pub fn is_device(name: &str) -> bool {
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

/// Hands out names that no other one of the same export has, not even by another case. A folder and a file never share one.
#[derive(Clone, Debug, Default)]
pub struct UniqueNames {
    /// Whether each is a folder, by its path in lower case.
    taken: HashMap<String, bool>,
    /// Files without their extension, for those that share theirs with no other file.
    stems: HashSet<String>,
    /// The number to try next, by the name that was asked for: names that are equal a thousand times are not tried a thousand
    /// times each.
    next: HashMap<String, u64>,
}

impl UniqueNames {
    /// `folder/stem`, or `folder/stem (2)` and so on when that is taken. `folder` is relative, `stem` a name from a file.
    pub fn claim(&mut self, folder: &Path, stem: &str) -> PathBuf {
        self.claim_with(folder, stem, [""], false)
    }

    /// As [`UniqueNames::claim`], for a file with an extension, which comes after the number. `alone`: no other file of the
    /// folder that is alone may have the stem either, whatever its extension.
    pub fn claim_file(&mut self, folder: &Path, stem: &str, extension: &str, alone: bool) -> PathBuf {
        self.claim_with(folder, stem, [&format!(".{extension}")], alone)
    }

    /// As [`UniqueNames::claim_file`] for two files that differ in their extensions and are alone with their stem: the first of them.
    pub fn claim_files(&mut self, folder: &Path, stem: &str, extensions: [&str; 2]) -> PathBuf {
        let [first, second] = extensions.map(|extension| format!(".{extension}"));
        self.claim_with(folder, stem, [&first, &second], true)
    }

    /// A folder below another one: the same for equal names, which are one folder, and another one where a file has the name.
    pub fn folder(&mut self, above: &Path, name: &str) -> PathBuf {
        self.numbered(above, name, "", |names, path| {
            let key = fold(path);
            // Folders that differ in case are two on some systems and one on others: both hold what lies in either.
            *names.taken.entry(key).or_insert(true)
        })
    }

    fn claim_with<const N: usize>(&mut self, folder: &Path, stem: &str, endings: [&str; N], alone: bool) -> PathBuf {
        let first = endings.first().copied().unwrap_or_default();
        self.numbered(folder, stem, first, |names, path| {
            let key = fold(path);
            let stem = key.get(..key.len().saturating_sub(first.len())).unwrap_or(&key);
            let keys = endings.map(|ending| format!("{stem}{}", fold(Path::new(ending))));
            if keys.iter().any(|key| names.taken.contains_key(key)) || alone && names.stems.contains(stem) {
                return false;
            }
            if alone {
                names.stems.insert(stem.to_owned());
            }
            names.taken.extend(keys.map(|key| (key, false)));
            true
        })
    }

    /// The first of `name`, `name (2)`, … that `take` takes.
    fn numbered(
        &mut self,
        folder: &Path,
        name: &str,
        ending: &str,
        take: impl Fn(&mut Self, &Path) -> bool,
    ) -> PathBuf {
        let name = safe_name(name);
        let first = folder.join(format!("{name}{ending}"));
        if take(self, &first) {
            return first;
        }
        let asked = fold(&first);
        let mut number = self.next.get(&asked).copied().unwrap_or(2);
        loop {
            let path = folder.join(format!("{name} ({number}){ending}"));
            number += 1;
            if take(self, &path) {
                // A folder is asked for once for each thing in it, and is the same one each time.
                if !self.taken.get(&fold(&path)).copied().unwrap_or(false) {
                    self.next.insert(asked, number);
                }
                return path;
            }
        }
    }
}

fn fold(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

/// Endings of picture files, which are no part of a texture's name.
const ENDINGS: [&str; 6] = ["png", "tga", "bmp", "dds", "paa", "bti"];

/// A name for the file of a texture, without ending: that of the texture without its folders. Dots in it are its own.
pub(super) fn texture_stem(name: &str) -> String {
    safe_name(without_ending(file_name::last_part(name)))
}

fn without_ending(name: &str) -> &str {
    let stem = file_name::stem(name);
    let ending = name.get(stem.len()..).unwrap_or_default().trim_start_matches('.');
    if ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending)) { stem } else { name }
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

    /// What Windows says of the names of files, in other words than [`safe_name`] has.
    fn is_taken_by_windows(name: &str) -> bool {
        let is_forbidden = |c: char| c < ' ' || r#"<>:"/\|?*"#.contains(c);
        let stem = name.split('.').next().unwrap().trim_end().to_uppercase();
        let is_numbered = stem.starts_with("COM") || stem.starts_with("LPT");
        let is_device = ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str())
            || is_numbered && stem.chars().count() == 4 && stem.ends_with(|c: char| c.is_numeric());
        !name.is_empty() && !name.ends_with([' ', '.']) && !name.contains(is_forbidden) && !is_device
    }

    #[test]
    fn windows_takes_every_name_and_all_systems_get_the_same() {
        let mut names = UniqueNames::default();
        let path = |path: PathBuf| path.iter().map(|part| part.to_str().unwrap().to_owned()).collect::<Vec<_>>();
        let hostile =
            ["aux", "AUX.txt", "com1", "COM¹.x.y", "nul .x", "a:b", "a. ", ". .", "", "x\\y", "lpt0", "\u{1}"];
        for name in hostile {
            let folder = names.folder(Path::new(""), name);
            let made = [
                names.claim(&folder, name),
                names.claim_file(&folder, name, &safe_name(name), false),
                names.claim_file(&folder, name, "png", true),
                names.claim_files(&folder, name, ["gltf", "bin"]),
                folder.join(safe_name_with(name, name)),
            ];
            for made in made.into_iter().flat_map(path) {
                assert!(is_taken_by_windows(&made), "{name:?} became {made:?}");
            }
        }
        let alone = UniqueNames::default().claim_file(Path::new(""), "aux", "tga", true);
        assert_eq!(alone, Path::new("_aux.tga"));
        assert!(!["aux", "a.", "b ", "c:d", "com1.x", "", "nul .x"].into_iter().any(is_taken_by_windows));
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
    fn an_ending_stays_behind_a_name_of_any_length() {
        assert_eq!(safe_name_with("Bricks", "Sound"), "Bricks.Sound");
        assert_eq!(safe_name_with("a/b", "../c"), "a_b..._c");
        let long = safe_name_with(&"ä".repeat(500), "Texture");
        assert!(long.len() <= LONGEST_NAME && long.ends_with("ä.Texture"), "{long}");
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

    #[test]
    fn a_file_and_a_folder_never_share_a_name() {
        let mut names = UniqueNames::default();
        let top = Path::new("");
        assert_eq!(names.claim(top, "Data"), Path::new("Data"));
        assert_eq!(names.folder(top, "data"), Path::new("data (2)"));
        assert_eq!(names.folder(top, "data"), Path::new("data (2)"), "it is one folder");
        assert_eq!(names.folder(top, "maps"), Path::new("maps"));
        assert_eq!(names.claim(top, "Maps"), Path::new("Maps (2)"));
        // A folder is called as a file without its ending.
        assert_eq!(names.claim_file(top, "hero", "glb", true), Path::new("hero.glb"));
        assert_eq!(names.folder(top, "hero"), Path::new("hero"));
        assert_eq!(names.folder(top, "hero.glb"), Path::new("hero.glb (2)"));
        assert_eq!(names.claim_file(top, "Hero", "png", true), Path::new("Hero (2).png"));
    }

    #[test]
    fn two_files_of_one_stem_have_a_number_together() {
        let mut names = UniqueNames::default();
        let (top, both) = (Path::new(""), ["gltf", "bin"]);
        // In any case.
        assert_eq!(names.claim_file(top, "a", "txt", false), Path::new("a.txt"));
        assert_eq!(names.claim_file(top, "A", "TXT", false), Path::new("A (2).TXT"));
        assert_eq!(names.folder(top, "Hero.BIN"), Path::new("Hero.BIN"));
        assert_eq!(names.claim_files(top, "hero", both), Path::new("hero (2).gltf"));
        assert_eq!(names.folder(top, "hero (2).bin"), Path::new("hero (2).bin (2)"));
        assert_eq!(names.claim_files(top, "hero", both), Path::new("hero (3).gltf"));
        assert_eq!(names.claim_file(top, "hero (3)", "png", true), Path::new("hero (3) (2).png"));
    }

    #[test]
    fn equal_names_are_counted_and_not_tried() {
        let mut names = UniqueNames::default();
        // Each name tried anew would be two hundred million tries.
        let last = (0..20_000).map(|_| names.claim_file(Path::new("d"), "same", "bin", false)).last();
        assert_eq!(last.unwrap(), Path::new("d/same (20000).bin"));
        assert_eq!((names.next.len(), names.taken.len()), (1, 20_000));
    }

    #[test]
    fn folders_and_endings_go() {
        for (name, stem) in [
            ("ca\\plants\\t_oak.paa", "t_oak"),
            ("skins/Face.PNG", "Face"),
            ("Metal.Walls.Rust", "Metal.Walls.Rust"),
            ("..", "unnamed"),
            ("a/CON.png", "_CON"),
            ("what?", "what_"),
        ] {
            assert_eq!(texture_stem(name), stem, "{name}");
        }
    }
}
