//! What a file is about: the one answer for the window and the command line.

use super::OpenFile;
use crate::formats::{Content, EntryId, Role};

/// What a file may be about, the first that it has counts.
const ORDER: [Content; 9] = [
    Content::Map,
    Content::Terrain,
    Content::Model,
    Content::Image,
    Content::Music,
    Content::Sound,
    Content::Font,
    Content::Text,
    Content::Palette,
];

/// The entry that a file is most likely about: a level or a landscape, else the first model that is not merely the bones of
/// clips, else the first picture, music, sound, font, text or palette.
pub fn primary(file: &OpenFile) -> Option<EntryId> {
    ORDER.iter().find_map(|content| of(file, *content).next())
}

/// As [`primary`], of some contents alone, and with all that come before the others alike: several where none of them is more
/// than the others. Clips and the bones that come with them are what a file is about where nothing else is.
pub fn primaries(file: &OpenFile, usable: &[Content]) -> Vec<EntryId> {
    let order = ORDER.iter().chain([&Content::Clip]).filter(|content| usable.contains(content));
    let found = order.map(|content| of(file, *content).collect::<Vec<_>>()).find(|found| !found.is_empty());
    let bones = || if usable.contains(&Content::Model) { file.entries_with(Content::Model) } else { Vec::new() };
    found.unwrap_or_else(bones)
}

/// The models of a file that clips may be for.
pub fn models(file: &OpenFile) -> impl Iterator<Item = EntryId> {
    of(file, Content::Model)
}

fn of(file: &OpenFile, content: Content) -> impl Iterator<Item = EntryId> {
    let entries = file.document.outline().with_content(content);
    entries.filter(|entry| entry.role != Role::Skeleton).map(|entry| entry.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes::Limits, library::open_path};
    use std::path::{Path, PathBuf};

    fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() { files_below(&path, into) } else { into.push(path) }
        }
    }

    fn path_of(file: &OpenFile, entry: EntryId) -> String {
        let path = &file.entry(entry).unwrap().path;
        if path.is_empty() { "itself".to_owned() } else { path.clone() }
    }

    /// Each file that opens, with what it is about.
    fn listed(folder: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut paths = Vec::new();
        files_below(&root, &mut paths);
        let mut text = String::new();
        for path in paths {
            let Ok(file) = open_path(&path, Limits::default()) else { continue };
            let found = primary(&file).map_or_else(|| "nothing".to_owned(), |entry| path_of(&file, entry));
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            text.push_str(&format!("{name}: {found}\n"));
        }
        text
    }

    #[test]
    fn every_sample_is_about_something() {
        assert_eq!(listed("assets/samples"), include_str!("primary_of_samples.txt"));
    }

    #[test]
    fn every_file_of_the_tests_is_about_what_it_was_made_for() {
        assert_eq!(listed("tests/data"), include_str!("primary_of_data.txt"));
    }

    #[test]
    fn several_are_named_only_where_none_is_more_than_the_others() {
        let open = |name: &str| {
            open_path(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name), Limits::default())
                .unwrap()
        };
        let of = |name: &str, usable: &[Content]| -> Vec<String> {
            let file = open(name);
            primaries(&file, usable).into_iter().map(|entry| path_of(&file, entry)).collect()
        };
        // A level comes before its brushes, and its brushes are several.
        assert_eq!(of("BoneRoom.unr", &[Content::Map, Content::Model]), ["MyLevel"]);
        assert!(of("BoneRoom.unr", &[Content::Model]).len() > 1);
        // The bones of an animation file give way to its clips, and stand in where clips are of no use.
        assert!(of("Ossie.psa", &[Content::Model, Content::Clip]).iter().all(|path| path.starts_with("ANIMINFO/")));
        assert_eq!(of("Ossie.psa", &[Content::Model]), ["Skeleton"]);
        assert_eq!(of("ScalingRules.arc", &[Content::Model]).len(), 3);
        assert!(of("Ossie.psk", &[Content::Sound]).is_empty());
    }
}
