//! What besides its tracks speaks for a clip: where it lies and what it is called (formats/j3d.md §3.7).

use super::OpenFile;
use crate::formats::{Content, EntryId, FormatInfo, file_name};

/// Letters that two names must begin with alike; fewer are chance.
const ALIKE: usize = 3;

/// Names of folders that hold the animations of the models beside them or below, besides extensions (`bck`), in the singular.
const ANIMATION_FOLDERS: [&str; 6] = ["anim", "animation", "anm", "clip", "motion", "sequence"];

/// How many folders a model may lie below the one that has its animations' folder in it.
const MAX_STEPS_UP: usize = 2;

/// Where a model or clip lies and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The file on disk.
    file: String,
    /// What the file's format is one of.
    family: &'static str,
    /// Extensions of the files that go with one of this format.
    companions: &'static [&'static str],
    /// Its folders, on disk and then in the archive, the innermost last; lower case.
    folders: Vec<String>,
    /// How many of them are on disk.
    on_disk: usize,
    /// The archive's name, for what lies in one; lower case.
    archive: Option<String>,
    /// Lower case, without what follows the last dot.
    stem: String,
    /// Models in the same file.
    models: usize,
}

/// How near a clip is to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinship {
    /// How the two names begin alike; empty for names that do not.
    pub common_start: String,
    /// The names are the same.
    pub same_name: bool,
    /// What is known of their places, in words.
    pub places: Vec<String>,
    /// Nothing else in the archive could be meant.
    pub only_model: bool,
    /// They lie in one file.
    pub same_file: bool,
}

fn stem(name: &str) -> String {
    file_name::stem(name).to_lowercase()
}

impl Home {
    pub fn of(file: &OpenFile, entry: EntryId) -> Self {
        let path = file.entry(entry).map(|e| e.path().into_owned()).unwrap_or_default();
        let models = file.document.outline().with_content(Content::Model).count();
        Self::of_path(&file.path.to_string_lossy(), &path, models, Some(file.document.format()))
    }

    /// The same of paths alone: of the file, and of the entry in it. `models` are those in the file.
    pub fn of_path(file: &str, entry: &str, models: usize, format: Option<&'static FormatInfo>) -> Self {
        let in_file: Vec<String> = entry.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        let home = Self::at(&file.replace('\\', "/"), &in_file, models);
        let (family, companions) = format.map(|format| (format.family, format.companions)).unwrap_or_default();
        Self { family, companions, ..home }
    }

    fn at(file: &str, in_file: &[String], models: usize) -> Self {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let mut folders: Vec<String> = folder.split('/').map(str::to_lowercase).collect();
        let on_disk = folders.len();
        let (archive, stem) = match in_file.split_last() {
            Some((name, inside)) => {
                folders.push(name_of_archive(file));
                folders.extend(inside.iter().map(|f| f.to_lowercase()));
                (Some(self::stem(file.rsplit('/').next().unwrap_or(file))), self::stem(name))
            }
            None => (None, self::stem(name)),
        };
        Self { file: file.to_owned(), family: "", companions: &[], folders, on_disk, archive, stem, models }
    }

    /// Whether a clip lies where those of this model are: in the same file or folder, in a folder of animations (`bck`, `anm`)
    /// beside the model or above it, or in an archive of the model's name. Whatever fits a model from elsewhere may be of another
    /// game.
    pub fn is_related(&self, clip: &Self) -> bool {
        if self.file == clip.file {
            return true;
        }
        if self.archive.is_some() || clip.archive.is_some() {
            let own_name = self.archive.as_ref().unwrap_or(&self.stem);
            let other_name = clip.archive.as_ref().unwrap_or(&clip.stem);
            return own_name == other_name && self.folders_on_disk() == clip.folders_on_disk();
        }
        let of_animations = |folder: &str| {
            let singular = folder.strip_suffix('s').unwrap_or(folder);
            ANIMATION_FOLDERS.contains(&singular) || self.companions.contains(&singular)
        };
        let beside_or_above = || {
            let Some((last, base)) = clip.folders.split_last() else { return false };
            of_animations(last) && self.folders.starts_with(base) && self.folders.len() - base.len() <= MAX_STEPS_UP
        };
        self.family == clip.family && (self.folders == clip.folders || beside_or_above())
    }

    fn folders_on_disk(&self) -> &[String] {
        self.folders.get(..self.on_disk).unwrap_or_default()
    }

    /// What brings a clip near to this model.
    pub fn kinship(&self, clip: &Self) -> Kinship {
        let mut places = Vec::new();
        let siblings = || {
            let (own, other) = (self.folders.split_last()?, clip.folders.split_last()?);
            // Archives beside each other are no folders.
            let one_place = self.file == clip.file || self.archive.is_none() && clip.archive.is_none();
            (one_place && own.1 == other.1 && own.0 != other.0).then(|| other.0.clone())
        };
        if self.folders == clip.folders {
            places.push("in the same folder".to_owned());
        } else if let Some(folder) = siblings() {
            places.push(format!("in the folder “{folder}” beside the model's"));
        } else if self.file == clip.file {
            places.push("in the same archive".to_owned());
        }
        let in_other_archive = self.file != clip.file && clip.archive.is_some();
        if in_other_archive && [self.archive.as_ref(), Some(&self.stem)].contains(&clip.archive.as_ref()) {
            places.push("in an archive of the model's name".to_owned());
        }
        Kinship {
            common_start: common_start(&self.stem, &clip.stem),
            same_name: self.stem == clip.stem,
            places,
            only_model: self.archive.is_some() && self.file == clip.file && self.models == 1,
            same_file: self.file == clip.file,
        }
    }
}

fn name_of_archive(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_lowercase()
}

/// How two names begin alike, without the separators that follow; empty where that is shorter than a word.
fn common_start(a: &str, b: &str) -> String {
    let common: String = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let word = common.trim_end_matches(|c: char| !c.is_alphanumeric());
    let whole = a == b;
    if word.chars().count() >= ALIKE || whole && !word.is_empty() { word.to_owned() } else { String::new() }
}

impl Kinship {
    /// The clip is called after the model, or no other can be meant.
    pub fn is_close(&self) -> bool {
        !self.common_start.is_empty() || self.only_model
    }
}

impl std::fmt::Display for Kinship {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut reasons = Vec::new();
        if self.same_name {
            reasons.push("has the model's name".to_owned());
        } else if !self.common_start.is_empty() {
            reasons.push(format!("is called “{}…” like the model", self.common_start));
        }
        reasons.extend(self.places.iter().cloned());
        if self.only_model && self.common_start.is_empty() {
            reasons.push("the archive has no other model".to_owned());
        }
        write!(f, "{}", reasons.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(file: &str, path: &str, models: usize) -> Home {
        let parts: Vec<String> = path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        Home::at(file, &parts, models)
    }

    #[test]
    fn clips_called_after_the_model_are_close() {
        let model = home("/a/Kinopio.arc", "bmdm/kinopio_body.bmd", 2);
        let run = model.kinship(&home("/a/Kinopio.arc", "bck/kinopio_run.bck", 2));
        assert!(run.is_close() && !run.only_model);
        assert_eq!(run.to_string(), "is called “kinopio…” like the model; in the folder “bck” beside the model's");
        let other = model.kinship(&home("/a/Kinopio.arc", "bck/enemy_run.bck", 2));
        assert!(!other.is_close());
        assert_eq!(other.to_string(), "in the folder “bck” beside the model's");
        // Two letters are chance.
        assert!(!model.kinship(&home("/b/x.bck", "", 1)).is_close());
        assert!(!home("/a/kite.bmd", "", 1).kinship(&home("/a/king.bck", "", 1)).is_close());
    }

    #[test]
    fn folders_of_animations_beside_or_above_a_model_are_related() {
        let model = home("/games/isle/model/body/arm.bmd", "", 1);
        for clip in [
            "/games/isle/model/body/x.bck",
            "/games/isle/model/body/motion/x.bck",
            "/games/isle/model/anm/x.bck",
            "/games/isle/Anims/x.bck",
        ] {
            assert!(model.is_related(&home(clip, "", 1)), "{clip}");
        }
        for clip in [
            "/games/anm/x.bck",
            "/games/isle/model/x.bck",
            "/games/isle/other/x.bck",
            "/games/isle/model/body/anm/deep/x.bck",
            "/games/isle/model/body/x.bck/y",
        ] {
            assert!(!model.is_related(&home(clip, "", 1)), "{clip}");
        }
        let of_other_family = Home { family: "other", ..home("/games/isle/model/body/x.bck", "", 1) };
        assert!(!model.is_related(&of_other_family));
        let with_companions = Home { companions: &["bck"], ..model.clone() };
        let beside = home("/games/isle/model/bck/x.bck", "", 1);
        assert!(with_companions.is_related(&beside) && !model.is_related(&beside));
        // Archives beside each other are of one model where they have one name.
        let packed = home("/a/Link.arc", "bmd/link.bmd", 1);
        assert!(packed.is_related(&home("/a/Link.arc", "other/x.bck", 1)));
        assert!(packed.is_related(&home("/a/link.szs", "x.bck", 1)));
        assert!(!packed.is_related(&home("/a/Zora.arc", "bck/x.bck", 1)));
        assert!(!packed.is_related(&home("/b/link.szs", "x.bck", 1)));
        assert!(!packed.is_related(&home("/a/x.bck", "", 1)));
    }

    #[test]
    fn the_only_model_of_an_archive_is_meant() {
        let model = home("/a/Link.arc", "bdl/cl.bdl", 1);
        assert!(model.kinship(&home("/a/Link.arc", "bcks/wait.bck", 1)).is_close());
        let split = home("/a/LkD01.arc", "cl.bdl", 1).kinship(&home("/a/LkAnm.arc", "wait.bck", 0));
        assert!(!split.is_close() && split.places.is_empty());
    }

    #[test]
    fn archives_of_the_models_name_and_files_of_one_folder_are_near() {
        let model = home("/a/boss.bmd", "", 1);
        let places = |file, path| model.kinship(&home(file, path, 0)).places;
        assert_eq!(places("/a/boss.arc", "walk.bck"), ["in an archive of the model's name"]);
        assert_eq!(places("/a/tail.bck", ""), ["in the same folder"]);
        let same = model.kinship(&home("/a/boss.btk", "", 0));
        assert!(same.same_name && same.is_close());
    }
}
