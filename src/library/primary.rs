//! What a file is about: the one answer for the window and the command line.

use super::OpenFile;
use crate::formats::{Content, Entry, EntryId, Role};

/// Contents that a file may be about, by priority.
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

/// The entry that a file is most likely about: a level or a landscape, else the first model that is not merely the bones of its
/// clips, else the first picture, music, sound, font, text or palette.
pub fn primary(file: &OpenFile) -> Option<EntryId> {
    ORDER.iter().find_map(|content| of(file, *content).next()).map(|entry| entry.id)
}

/// Whether a file is first of all program code: it declares classes and is no level. Its meshes, textures and sounds are what its
/// classes use.
pub fn is_code(file: &OpenFile) -> bool {
    let outline = file.document.outline();
    let declares = outline.entries().iter().any(|entry| entry.role == Role::Class && entry.content == Content::Text);
    declares && outline.with_content(Content::Map).next().is_none()
}

/// As [`primary`], of some contents alone, and with all that come before the others alike: several where none of them is more
/// than the others. Clips and the bones that come with them are what a file is about where nothing else is.
pub fn primaries(file: &OpenFile, usable: &[Content]) -> Vec<EntryId> {
    let order = ORDER.iter().chain([&Content::Clip]).filter(|content| usable.contains(content));
    let found = order
        .map(|content| of(file, *content).map(|entry| entry.id).collect::<Vec<_>>())
        .find(|found| !found.is_empty());
    let bones = || if usable.contains(&Content::Model) { file.entries_with(Content::Model) } else { Vec::new() };
    found.unwrap_or_else(bones)
}

impl OpenFile {
    /// The models, except the skeletons that only accompany clips.
    pub fn models(&self) -> impl Iterator<Item = &Entry> {
        of(self, Content::Model)
    }

    /// The animation clips, in file order.
    pub fn clips(&self) -> impl Iterator<Item = &Entry> {
        self.document.outline().with_content(Content::Clip)
    }

    /// The images, including those with mips and computed ones.
    pub fn textures(&self) -> impl Iterator<Item = &Entry> {
        self.document.outline().with_content(Content::Image)
    }
}

/// Bones that come with clips only stand in for a model.
fn of(file: &OpenFile, content: Content) -> impl Iterator<Item = &Entry> {
    let outline = file.document.outline();
    let stands_in =
        |entry: &Entry| entry.role == Role::Skeleton && outline.with_content(Content::Clip).next().is_some();
    outline.with_content(content).filter(move |entry| !stands_in(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OpenOptions;
    use std::path::{Path, PathBuf};

    fn files_below(folder: &Path, into: &mut Vec<PathBuf>) {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() { files_below(&path, into) } else { into.push(path) }
        }
    }

    fn path_of(file: &OpenFile, entry: EntryId) -> String {
        let path = file.entry(entry).unwrap().path();
        if path.is_empty() { "itself".to_owned() } else { path.into_owned() }
    }

    /// What a file below `assets/samples` or `tests/data` is about.
    fn expected(name: &str) -> &'static str {
        match name {
            "BoneRoom.unr" | "BoneYard.unr" => return "MyLevel",
            "BoneTune.umx" => return "BoneTune",
            "Bonebox.szs" => return "Bonebox.arc/bmd/lumo.bmd",
            "Bonebox.u" => return "OssieMesh",
            "BoneboxFX.utx" => return "Rooms.Bricks",
            "ScalingRules.arc" => return "bmd/basic.bmd",
            "actorx/empty.psk" => return "nothing",
            "archive/arm.arc" | "archive/arm_nested.arc" => return "bmd/arm.bmd",
            "archive/arm.szs" => return "arm.arc/bmd/arm.bmd",
            // A set of materials is for a model; what can be shown of it alone are its textures.
            "j3d/arm.bmt" => return "TEX1/grad",
            _ => {}
        }
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "psk" => "Mesh",
            "pew" => "Terrain",
            "bmd" | "bdl" | "bti" | "png" | "tga" | "bmp" | "dds" | "model" | "act" | "gpl" | "skn" | "tpl" | "p3d"
            | "3d" => "itself",
            // Clips alone, and archives of them.
            _ => "nothing",
        }
    }

    #[test]
    fn every_sample_and_every_file_of_the_tests_is_about_what_it_was_made_for() {
        for (folder, least) in [("assets/samples", 20), ("tests/data", 80)] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let mut paths = Vec::new();
            files_below(&root, &mut paths);
            let mut opened = 0;
            for path in paths {
                let Ok(file) = OpenOptions::new().open(&path) else { continue };
                opened += 1;
                let found = primary(&file).map_or_else(|| "nothing".to_owned(), |entry| path_of(&file, entry));
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                assert_eq!(found, expected(&name), "{name}");
            }
            assert!(opened >= least, "{folder}: {opened}");
        }
    }

    #[test]
    fn a_package_of_classes_is_code_and_a_level_or_pictures_are_not() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples");
        let code = |name: &str| is_code(&OpenOptions::new().open(samples.join(name)).unwrap());
        let found = ["Bonebox.u", "BoneRoom.unr", "BoneboxFX.utx", "BoneTune.umx", "Ossie.psk"].map(code);
        assert_eq!(found, [true, false, false, false, false]);
    }

    #[test]
    fn several_are_named_only_where_none_is_more_than_the_others() {
        let open = |name: &str| {
            OpenOptions::new().open(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/samples").join(name)).unwrap()
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
