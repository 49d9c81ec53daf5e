//! What besides its tracks speaks for a clip: where it lies and what it is called (formats/j3d.md §3.7).

use super::{
    OpenFile,
    listings::{Ask, Listings, Names},
};
use crate::{
    formats::{Entry, EntryId, FORMATS, FormatInfo, file_name},
    scene::{Fit, Parts},
};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError, Weak},
};

/// Letters that two names must begin with alike where a word ends there in both, in one of them, or in none. Fewer are chance:
/// “beach” is no “beast”.
const LEAST: [usize; 3] = [3, 4, 6];

/// A name in lower case, without what follows the last dot.
fn lower_stem(name: &str) -> String {
    file_name::stem(name).to_lowercase()
}

/// How two names in lower case begin alike, without the separators that follow; empty where that is chance.
fn common_start<'a>(a: &'a str, b: &str) -> &'a str {
    if a == b {
        return if a.chars().any(char::is_alphanumeric) { a } else { "" };
    }
    let len: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let common = a.get(..len).unwrap_or_default();
    let next = |name: &str, from: usize| name.get(from..).and_then(|rest| rest.chars().next());
    let is_digit = |next: Option<char>| next.is_some_and(|c| c.is_ascii_digit());
    // Of a number that goes on nothing is common.
    let number_goes_on = is_digit(next(a, len)) || is_digit(next(b, len));
    let common = if number_goes_on { common.trim_end_matches(|c: char| c.is_ascii_digit()) } else { common };
    let word = common.trim_end_matches(|c: char| !c.is_alphanumeric());
    let goes_on = [a, b].iter().filter(|name| next(name, word.len()).is_some_and(char::is_alphabetic)).count();
    let least = LEAST.get(goes_on).copied().unwrap_or(usize::MAX);
    if word.chars().count() >= least { word } else { "" }
}

/// Names of folders that hold the animations of the models beside them or below, besides extensions (`bck`), in the singular.
const ANIMATION_FOLDERS: [&str; 6] = ["anim", "animation", "anm", "clip", "motion", "sequence"];

/// How many folders a model may lie below the one that has its animations' folder in it.
pub(super) const MAX_STEPS_UP: usize = 2;

/// Extensions of clips of every format: what an archive has folders of.
static ARCHIVED: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| FORMATS.iter().flat_map(|format| format.info().companions.iter().copied()).collect());

/// Models that lie beside one and are asked whether a clip is called after them.
const MAX_RIVALS: usize = 256;

/// Clips on both sides of a model's name that are asked whether they are called after it.
const MAX_NEIGHBOURS: usize = 8;

/// The location and name of a model or clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The file on disk.
    file: String,
    /// Family of the file's format.
    family: &'static str,
    /// Extensions of the files that go with one of this format.
    companions: &'static [&'static str],
    /// Its folders, on disk and then in the archive, the innermost last; lower case.
    folders: Vec<String>,
    /// Number of these folders that are on disk.
    on_disk: usize,
    /// The archive's name, for what lies in one; lower case.
    archive: Option<String>,
    /// Lower case, without what follows the last dot.
    stem: String,
    /// The other models in the same place.
    among: Among,
    /// Another model of its archive has as many joints, or may have.
    has_twin: bool,
}

/// The models of an archive, or of a folder on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Among {
    /// Names in lower case, without what follows the last dot; of many the first.
    stems: Arc<[String]>,
    /// All of them.
    count: usize,
    /// Clips of the folder are called after models there: those that are not may be of others.
    names_clips: bool,
}

/// The location of a clip relative to a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Nearness {
    /// In the same file; in an archive also in the model's folder of it, or in one of animations there.
    SameFile,
    /// In another folder of the same archive.
    OtherFolder,
    /// In the same folder, as files of their own.
    Folder,
    /// In a folder of animations in the model's, beside it or above it; its name.
    AnimationFolder(String),
    /// In an archive next to the model's archive, with the same name.
    NamedArchive,
    /// One folder above the model's.
    Above,
    /// In another archive of the folder.
    OtherArchive,
    /// Anywhere else.
    #[default]
    Elsewhere,
}

/// The relation of a clip to a model by location and name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinship {
    /// The place of the clip in relation to the model.
    pub nearness: Nearness,
    /// How the two names begin alike; empty for names that do not.
    pub common_start: String,
    /// The names are the same.
    pub same_name: bool,
    /// The clip's name begins with the whole name of the model.
    has_whole_name: bool,
    /// Another model beside this one, after which the clip is called more than after this one.
    pub rival: Option<String>,
    /// True if there is no other model in the same place.
    pub only_model: bool,
    /// The clip is in the model's folder, in which clips are called after models: those that are not may be of others.
    are_named: bool,
    /// True if the model is in an archive.
    in_archive: bool,
    /// Another model of its archive has as many joints, or may have.
    has_twin: bool,
}

/// What of a clip finds something to drive in a model: without it nothing belongs, and by itself it is no evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The mesh that the clip names: whether it has the clip's frames.
    Mesh {
        /// True if the mesh has the frames of the clip.
        plays: bool,
    },
    /// Bones by name: whether enough of them are found to play, and whether both have nearly the same ones.
    Names {
        /// True if the clip plays on the model.
        plays: bool,
        /// True if clip and model have nearly the same joints, by name.
        same_skeleton: bool,
    },
    /// Joints or shapes by place, or materials: whether enough of them are found to play, whether all are, and whether that is no
    /// chance ([`TELLING`] joints, or names).
    Parts {
        /// True if the clip plays on the model.
        plays: bool,
        /// True if all parts are found.
        whole: bool,
        /// True if the match is unlikely to be a coincidence: by names, or by [`TELLING`] joints or more.
        tells: bool,
    },
    /// Tracks by number: whether enough are found to play, and whether that is no chance.
    Tracks {
        /// True if the clip plays on the model.
        plays: bool,
        /// True if the tracks find all of the model's joints, [`TELLING`] or more: unlikely to be a coincidence.
        tells: bool,
    },
    /// It drives something else than joints, and what is not known.
    Unknown,
}

/// From so many joints on it is no chance that a clip and a model have as many, where no other model beside it has.
pub const TELLING: usize = 4;

impl Home {
    /// Returns the home of a clip.
    pub fn of(file: &OpenFile, entry: EntryId) -> Self {
        let path = file.entry(entry).map(|e| e.path().into_owned()).unwrap_or_default();
        // As a person names it, or as its folder is listed.
        let at = crate::files::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
        Self::of_path(&at.to_string_lossy(), &path, Some(file.document.format()))
    }

    /// Of a model, with the models that lie beside it. Blocks: call it on a worker.
    pub fn of_model(file: &OpenFile, entry: EntryId) -> Self {
        let home = Self::of(file, entry);
        let among = match home.archive {
            Some(_) => {
                let names = file.models().map(|model| model.name.to_string());
                Among::of_names(names)
            }
            None => models_in_folder(&file.path, file.document.format()),
        };
        let has_twin = home.archive.is_some() && among.count > 1 && has_twin(file, entry);
        home.among(among).with_twin(has_twin)
    }

    /// The same of paths alone: of the file, and of the entry in it. A file whose clips, or whose model, lie in files beside it is
    /// known by its own name, and not by that of an entry.
    pub fn of_path(file: &str, entry: &str, format: Option<&'static FormatInfo>) -> Self {
        let (family, companions) = format.map(|format| (format.family, format.companions)).unwrap_or_default();
        let entry = if companions.is_empty() { entry } else { "" };
        let in_file: Vec<String> = entry.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect();
        Self { family, companions, ..Self::at(&file.replace('\\', "/"), &in_file) }
    }

    /// Adds the other models in the same place.
    pub fn among(self, among: Among) -> Self {
        Self { among, ..self }
    }

    /// A model's of an archive in which another one has as many joints.
    pub fn with_twin(self, has_twin: bool) -> Self {
        Self { has_twin, ..self }
    }

    /// Returns true if it is in an archive.
    pub fn is_in_archive(&self) -> bool {
        self.archive.is_some()
    }

    fn at(file: &str, in_file: &[String]) -> Self {
        let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
        let mut folders: Vec<String> = folder.split('/').map(str::to_lowercase).collect();
        let on_disk = folders.len();
        let (archive, stem) = match in_file.split_last() {
            Some((entry, inside)) => {
                folders.push(name.to_lowercase());
                folders.extend(inside.iter().map(|f| f.to_lowercase()));
                (Some(lower_stem(name)), lower_stem(entry))
            }
            None => (None, lower_stem(name)),
        };
        let (file, among) = (file.to_owned(), Among::default());
        Self { file, family: "", companions: &[], folders, on_disk, archive, stem, among, has_twin: false }
    }

    /// Returns the location of a clip relative to this model.
    fn nearness(&self, clip: &Self) -> Nearness {
        if self.file == clip.file {
            let is_elsewhere = self.archive.is_some() && self.place_of(clip, &ARCHIVED) == Nearness::Elsewhere;
            return if is_elsewhere { Nearness::OtherFolder } else { Nearness::SameFile };
        }
        if self.archive.is_some() || clip.archive.is_some() {
            let own_name = self.archive.as_ref().unwrap_or(&self.stem);
            let other_name = clip.archive.as_ref().unwrap_or(&clip.stem);
            return match self.folders_on_disk() == clip.folders_on_disk() {
                true if own_name == other_name => Nearness::NamedArchive,
                true => Nearness::OtherArchive,
                false => Nearness::Elsewhere,
            };
        }
        if self.family == clip.family { self.place_of(clip, self.companions) } else { Nearness::Elsewhere }
    }

    /// Where a clip's folder is, seen from this model's; `companions` are extensions of clips.
    fn place_of(&self, clip: &Self, companions: &[&str]) -> Nearness {
        let Some((last, base)) = clip.folders.split_last() else { return Nearness::Elsewhere };
        let above_or_beside = || self.folders.starts_with(base) && self.folders.len() - base.len() <= MAX_STEPS_UP;
        let above = || self.folders.split_last().is_some_and(|(_, above)| above == clip.folders);
        match () {
            () if self.folders == clip.folders => Nearness::Folder,
            () if is_of_animations(last, companions) && above_or_beside() => Nearness::AnimationFolder(last.clone()),
            () if above() => Nearness::Above,
            () => Nearness::Elsewhere,
        }
    }

    fn folders_on_disk(&self) -> &[String] {
        self.folders.get(..self.on_disk).unwrap_or_default()
    }

    /// Returns the relation of a clip to this model.
    pub fn kinship(&self, clip: &Self) -> Kinship {
        let nearness = self.nearness(clip);
        let common_start = common_start(&self.stem, &clip.stem).to_owned();
        let rival = match nearness.is_near() || !common_start.is_empty() {
            true => self.rival(&common_start, &clip.stem),
            false => None,
        };
        Kinship {
            has_whole_name: !common_start.is_empty() && common_start == self.stem,
            common_start,
            same_name: self.stem == clip.stem,
            rival,
            only_model: self.among.is_of_one(self.is_in_archive()),
            are_named: nearness == Nearness::Folder && self.among.names_clips,
            in_archive: self.archive.is_some(),
            has_twin: self.has_twin,
            nearness,
        }
    }

    /// Returns another model in the same place that shares more of its name with the clip.
    fn rival(&self, own_start: &str, clip_stem: &str) -> Option<String> {
        let others = self.among.stems.iter().filter(|stem| **stem != self.stem);
        let starts = others.map(|stem| (common_start(stem, clip_stem).len(), stem));
        let (len, stem) = starts.max_by_key(|(len, _)| *len)?;
        (len > own_start.len()).then(|| stem.clone())
    }
}

/// Models of one file whose joints are counted.
const MAX_COUNTED: usize = 64;

/// Whether another model of the file has as many joints as this one, or may have. Reads the models.
fn has_twin(file: &OpenFile, model: EntryId) -> bool {
    let counts = file.joint_counts.get_or_init(|| {
        let joints = |entry: &Entry| {
            let model = file.load_model(entry.id).ok()?;
            Some((entry.id, model.skeleton.as_ref().map_or(0, |skeleton| skeleton.joints().len())))
        };
        file.models().take(MAX_COUNTED).filter_map(joints).collect()
    });
    let own = counts.iter().find(|(entry, _)| *entry == model).map(|(_, count)| *count);
    own.is_none() || counts.iter().any(|(entry, count)| *entry != model && Some(*count) == own)
}

/// Whether a folder of this name, in lower case, holds animations; `companions` are extensions of such files.
pub(super) fn is_of_animations(folder: &str, companions: &[&str]) -> bool {
    let singular = folder.strip_suffix('s').unwrap_or(folder);
    ANIMATION_FOLDERS.contains(&singular) || companions.contains(&singular)
}

/// The models in the folder of a model's file, by their extensions: nothing is read.
pub(super) fn models_in_folder(file: &Path, format: &'static FormatInfo) -> Among {
    let Some(folder) = file.parent() else { return Among::default() };
    let names = Listings::shared().names(folder, Ask::Seldom);
    let key = (folder.to_owned(), format.id);
    let known = || AMONG.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((listing, among)) = known().get(&key)
        && listing.as_ptr() == Arc::as_ptr(&names)
    {
        return among.clone();
    }
    let among = models_of(&names, format);
    let mut known = known();
    if known.len() >= MAX_FOLDERS_KNOWN {
        known.clear();
    }
    known.insert(key, (Arc::downgrade(&names), among.clone()));
    among
}

/// The models of folders by folder and format, each with the listing that they were found in. A weak pointer keeps the address of its
/// listing from being used again.
type KnownFolders = HashMap<(PathBuf, &'static str), (Weak<Names>, Among)>;

static AMONG: LazyLock<Mutex<KnownFolders>> = LazyLock::new(Mutex::default);

/// Maximum number of folders whose models are cached.
const MAX_FOLDERS_KNOWN: usize = 1024;

fn models_of(names: &Names, format: &FormatInfo) -> Among {
    let extensions = model_extensions(format);
    let files = extensions.iter().flat_map(|extension| names.with_extension(extension));
    let clips = format.companions.iter().flat_map(|extension| names.with_extension(extension));
    Among::of_stems(files.map(|file| file.stem.to_owned())).with_clips(clips.map(|file| file.stem))
}

/// Extensions of the files whose animations are of the same formats as those of a model's format.
fn model_extensions(format: &FormatInfo) -> Vec<&'static str> {
    let is_clip = |info: &&FormatInfo| info.extensions.iter().any(|extension| format.companions.contains(extension));
    let clips = FORMATS.iter().map(|format| format.info()).filter(is_clip);
    let mut extensions: Vec<&'static str> = clips.flat_map(|clip| clip.companions.iter().copied()).collect();
    extensions.sort_unstable();
    extensions.dedup();
    extensions
}

impl Among {
    /// By the names of all models there.
    pub fn of_names(names: impl Iterator<Item = String>) -> Self {
        Self::of_stems(names.map(|name| lower_stem(&name)))
    }

    fn of_stems(all: impl Iterator<Item = String>) -> Self {
        let mut stems = Vec::new();
        let mut count = 0_usize;
        for stem in all {
            count = count.saturating_add(1);
            if stems.len() < MAX_RIVALS {
                stems.push(stem);
            }
        }
        Self { stems: stems.into(), count, names_clips: false }
    }

    /// With the clips in the same folder, by their names in lower case, without what follows the last dot.
    pub fn with_clips<'a>(self, stems: impl Iterator<Item = &'a str>) -> Self {
        let mut clips: Vec<&str> = stems.collect();
        clips.sort_unstable();
        // Names that begin alike are next to each other.
        let names_clips = self.stems.iter().any(|model| {
            let at = clips.partition_point(|clip| *clip < &**model);
            let near = clips.iter().take(at.saturating_add(MAX_NEIGHBOURS)).skip(at.saturating_sub(MAX_NEIGHBOURS));
            near.map(|clip| common_start(model, clip)).any(|start| !start.is_empty())
        });
        Self { names_clips, ..self }
    }

    /// There is one model alone; in a folder it may be there in two formats.
    pub fn is_of_one(&self, in_archive: bool) -> bool {
        let is_one = || self.stems.iter().all(|stem| Some(stem) == self.stems.first());
        if in_archive { self.count == 1 } else { self.count > 0 && is_one() }
    }
}

impl Nearness {
    /// Returns true if the clip is where the model's clips are. Clips elsewhere may belong to other models or games.
    pub fn is_near(&self) -> bool {
        !matches!(self, Self::OtherArchive | Self::Elsewhere)
    }

    fn words(&self, in_archive: bool) -> Option<String> {
        Some(match self {
            Self::SameFile if in_archive => "same archive".to_owned(),
            Self::SameFile => "same file".to_owned(),
            Self::OtherFolder => "different folder in the archive".to_owned(),
            Self::Folder => "same folder".to_owned(),
            Self::AnimationFolder(name) => format!("animation folder “{name}”"),
            Self::NamedArchive => "archive named after the model".to_owned(),
            Self::Above => "parent folder".to_owned(),
            Self::OtherArchive => "different archive in the same folder".to_owned(),
            Self::Elsewhere => return None,
        })
    }
}

impl Kinship {
    /// Returns true if the clip is named after the model, and not more closely after another one.
    pub fn is_named(&self) -> bool {
        !self.common_start.is_empty() && self.rival.is_none()
    }

    /// Returns true if the clip is named after the model, or there is no other model.
    pub fn is_close(&self) -> bool {
        self.is_named() || self.only_model && self.is_in_file()
    }

    fn is_in_file(&self) -> bool {
        matches!(self.nearness, Nearness::SameFile | Nearness::OtherFolder)
    }

    /// Whether the clip is one of the model's own, as far as can be told: the one answer for what plays by itself, for the order of
    /// lists, for exports and for the collection. What the clip finds in the model (`found`) is a condition and no evidence: its
    /// name, its place or its skeleton must tie it to the model, and no other model may have the better claim. One that is called
    /// after another model there never belongs.
    pub fn belongs(&self, found: Found) -> bool {
        if self.rival.is_some() {
            return false;
        }
        let is_tied = |tells: bool| match self.nearness {
            Nearness::SameFile | Nearness::NamedArchive => {
                self.is_named() || self.only_model || tells && !self.has_twin
            }
            Nearness::OtherFolder => self.is_named() || self.only_model,
            Nearness::Folder => self.is_named() || self.only_model && !self.are_named,
            Nearness::AnimationFolder(_) => self.is_named() || self.only_model,
            Nearness::Above => self.is_named(),
            Nearness::OtherArchive => self.has_whole_name,
            // A folder of several games may have a model of one and clips of another that are called alike.
            Nearness::Elsewhere => false,
        };
        match found {
            Found::Mesh { plays } => plays && self.nearness.is_near(),
            Found::Names { plays, same_skeleton } => plays && (is_tied(false) || same_skeleton && self.skeleton_ties()),
            Found::Parts { plays, whole, tells } => {
                whole && is_tied(tells) || plays && self.same_name && is_tied(false)
            }
            Found::Tracks { plays, tells } => {
                let in_its_archive = self.is_in_file() || self.nearness == Nearness::NamedArchive;
                plays && is_tied(tells) && (in_its_archive || self.is_named())
            }
            Found::Unknown => is_tied(false) && (self.is_named() || self.only_model),
        }
    }

    /// Whether a clip of the model's own skeleton is the model's where it is: near, and not where clips are called after models.
    fn skeleton_ties(&self) -> bool {
        !self.are_named && (self.nearness.is_near() || self.nearness == Nearness::OtherArchive)
    }

    /// Returns true if a clip may belong to the model by its location and name.
    pub fn may_belong(&self) -> bool {
        self.belongs(Found::Parts { plays: true, whole: true, tells: true })
    }

    /// Returns the reason for which a clip is listed: its location, its fit and its name.
    pub fn reason(&self, fit: &Fit) -> String {
        let place = self.nearness.words(self.in_archive);
        let name = self.name_words();
        let numbers = fit.parts.filter(|_| fit.is_complete() && place.is_none() && name.is_none());
        match numbers.map(|parts| parts.what) {
            Some(Parts::Joints) => return "only the number of joints matches".to_owned(),
            Some(Parts::Shapes) => return "only the number of shapes matches".to_owned(),
            _ => {}
        }
        let moves_nothing = fit.parts.is_some_and(|parts| parts.what == Parts::Joints && parts.clip == 0);
        let fit = if moves_nothing { "no joint animation".to_owned() } else { fit.to_string() };
        // What follows is a remark on the numbers.
        let (numbers, remark) = fit.split_once("; ").map_or((&*fit, None), |(numbers, remark)| (numbers, Some(remark)));
        let parts: Vec<&str> = [place.as_deref(), Some(numbers), name.as_deref()].into_iter().flatten().collect();
        let reason = parts.join(", ");
        remark.map_or_else(|| reason.clone(), |remark| format!("{reason}; {remark}"))
    }

    fn name_words(&self) -> Option<String> {
        if let Some(rival) = &self.rival {
            return Some(format!("named after the model “{rival}”"));
        }
        match () {
            () if self.same_name => Some("same name as the model".to_owned()),
            () if !self.common_start.is_empty() => Some(format!("name begins with “{}”", self.common_start)),
            () if self.are_named => Some("other clips at this location are named after their models".to_owned()),
            () if self.only_model && self.nearness.is_near() => Some("only model at this location".to_owned()),
            () => None,
        }
    }
}

#[cfg(test)]
#[path = "kinship_tests.rs"]
mod tests;

#[cfg(test)]
mod name_start_tests {
    use super::*;

    #[test]
    fn whole_words_that_begin_two_names_are_no_chance() {
        for (a, b, word) in [
            ("beast", "beast_walk", "beast"),
            ("kinopio_body", "kinopio_run", "kinopio"),
            ("tripodbosshead", "tripodbosswalk", "tripodboss"),
            ("body", "bodywalk", "body"),
            ("cl", "cl", "cl"),
            ("arm", "arm_wave", "arm"),
            ("enemy01", "enemy01_run", "enemy01"),
            ("enemy01", "enemy02_run", "enemy"),
            ("größe", "größe2", "größe"),
            // What is left is chance.
            ("beast", "beach_ball", ""),
            ("kite", "king", ""),
            ("cat", "catapult", ""),
            ("ms_mdl", "ms_wait", ""),
            ("___", "___", ""),
            ("a1", "a2", ""),
            ("", "walk", ""),
        ] {
            assert_eq!(common_start(a, b), word, "{a} {b}");
            assert_eq!(common_start(b, a), word, "{b} {a}");
        }
    }
}
