//! Which clips of a collection fit a model, and which models a clip: from what the index knows of them.
//!
//! What [`crate::library::fits_for`] says of open files this says of a whole collection, from joints' names and counts
//! and from the places and names of files.

use super::{About, Catalog, FileIndex, JointSet, Row, RowIndex};
use crate::{
    bytes::Cancel,
    formats::{Content, EntryId, FORMATS, FormatInfo, Role},
    library::{Among, Found, Home, Kinship, TELLING},
    scene::{Fit, Parts, PartsFit, joint_key},
};
use rayon::prelude::*;
use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    path::Path,
};

/// Joints' names that are given of those which a model has not.
const MAX_UNMATCHED: usize = 8;

/// What speaks for a clip and a model, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// It lies where the model's clips are, and fits it: by names, or by place and called after it.
    Own,
    /// Names of joints, from elsewhere.
    Names,
    /// Fewer than half of the clip's names, but it lies where the model's clips are.
    SomeNames,
    /// As many joints, and it lies where the model's clips are; or fewer, and it is called after the model.
    CountAndPlace,
    /// Fewer than half of the clip's names, from elsewhere.
    FewNames,
    /// As many joints, from elsewhere: many models have as many.
    Count,
}

/// A clip or a model that fits.
#[derive(Clone, Debug)]
pub struct CatalogFit {
    /// The clip or model that fits.
    pub row: RowIndex,
    /// The evidence that the two belong together.
    pub evidence: Evidence,
    /// The fit of the clip to the model.
    pub fit: Fit,
    /// Why it is offered, in a sentence.
    pub reason: String,
}

/// The models and clips of a catalog, ready to be held against each other. The same catalog has to be given to its functions.
pub struct ClipFits {
    models: Vec<RowIndex>,
    clips: Vec<RowIndex>,
    /// By joint set: numbers of the joints' names, equal for those that find each other.
    sets: Vec<Vec<u32>>,
    /// How many names there are.
    names: usize,
    /// By file the models among which its own lie.
    among: HashMap<FileIndex, Among>,
    /// How many models of a file have so many joints.
    with_joints: HashMap<(FileIndex, u32), usize>,
}

/// How the joints of a clip find those of a model.
#[derive(Clone, Copy, Default)]
struct Match {
    matched: usize,
    /// The clip's root drives the model's though their names differ.
    root_renamed: bool,
}

/// The least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    evidence: Evidence,
    moves_no_joint: bool,
    /// It knows joints by name, and has not the model's.
    is_strange: bool,
    /// Of the clip's joints those that find one, in millionths.
    share: Reverse<u64>,
    matched: Reverse<usize>,
    /// Letters with which both names begin.
    common: Reverse<usize>,
    in_other_file: bool,
    /// Joints of the model that are not moved.
    unmoved: usize,
    row: RowIndex,
}

/// A model as clips are held against it.
struct Held<'a> {
    row: Row<'a>,
    home: Home,
    joint_count: usize,
}

impl ClipFits {
    /// Reads the names of all joints once.
    pub fn of(catalog: &Catalog) -> Self {
        let mut number_of: HashMap<String, u32> = HashMap::new();
        // Names as they are written, which mostly repeat.
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let mut sets = Vec::with_capacity(catalog.joint_set_count());
        for set in 0..u32::try_from(catalog.joint_set_count()).unwrap_or(u32::MAX) {
            let numbers = catalog.joints(JointSet(set)).iter().map(|name| {
                *seen.entry(&**name).or_insert_with(|| {
                    let next = u32::try_from(number_of.len()).unwrap_or(u32::MAX);
                    *number_of.entry(joint_key(name)).or_insert(next)
                })
            });
            sets.push(numbers.collect());
        }
        let with = |content| catalog.rows().filter(move |(_, row)| row.content == content).map(|(at, _)| at);
        let mut models: Vec<RowIndex> = with(Content::Model).collect();
        // Parts, brushes, and bones that came with clips, are no models that a clip is looked for.
        models.retain(|model| catalog.row(*model).is_some_and(|row| row.role == Role::Model));
        let clips: Vec<RowIndex> = with(Content::Clip).collect();
        let among = among(catalog, &models, &clips);
        let mut with_joints = HashMap::new();
        for row in models.iter().filter_map(|model| catalog.row(*model)) {
            if let About::Model { joint_count, .. } = row.about {
                *with_joints.entry((row.file, joint_count)).or_default() += 1;
            }
        }
        Self { clips, models, sets, names: number_of.len(), among, with_joints }
    }

    /// The clips of the collection that fit a model, the best first. Blocks: call it on a worker. What was cancelled found nothing.
    pub fn clips_for(&self, catalog: &Catalog, model: RowIndex, at_most: usize, cancel: &Cancel) -> Vec<CatalogFit> {
        let Some(held) = self.held(catalog, model) else { return Vec::new() };
        let joints = self.joints_of(self.set_of(&held.row));
        let matches = self.matches(cancel, |left, set| left.matched(set, joints));
        let rank = |clip: &RowIndex| {
            let row = catalog.row(*clip)?;
            let matched = self.set_of(&row).and_then(|set| matches.get(set).copied()).unwrap_or_default();
            self.rank(catalog, &held, &row, matched, *clip)
        };
        best(&self.clips, rank, at_most, cancel)
            .into_iter()
            .filter_map(|(evidence, row)| self.fit(catalog, model, row, row, evidence))
            .collect()
    }

    /// The models of the collection that a clip fits, the best first. Blocks: call it on a worker. What was cancelled found nothing.
    pub fn models_for(&self, catalog: &Catalog, clip: RowIndex, at_most: usize, cancel: &Cancel) -> Vec<CatalogFit> {
        let Some(row) = catalog.row(clip).filter(|row| row.content == Content::Clip) else { return Vec::new() };
        let joints = self.joints_of(self.set_of(&row));
        let matches = self.matches(cancel, |left, set| left.matched(joints, set));
        let rank = |model: &RowIndex| {
            let held = self.held(catalog, *model)?;
            let matched = self.set_of(&held.row).and_then(|set| matches.get(set).copied()).unwrap_or_default();
            self.rank(catalog, &held, &row, matched, *model)
        };
        best(&self.models, rank, at_most, cancel)
            .into_iter()
            .filter_map(|(evidence, model)| self.fit(catalog, model, clip, model, evidence))
            .collect()
    }

    fn held<'a>(&self, catalog: &'a Catalog, model: RowIndex) -> Option<Held<'a>> {
        let row = catalog.row(model).filter(|row| row.content == Content::Model)?;
        let joint_count = match row.about {
            About::Model { joint_count, .. } => joint_count,
            _ => 0,
        };
        let among = self.among.get(&row.file).cloned().unwrap_or_default();
        let as_many = self.with_joints.get(&(row.file, joint_count)).copied().unwrap_or_default();
        let home = home(catalog, &row, row.path).among(among).with_twin(as_many > 1);
        Some(Held { home, row, joint_count: joint_count as usize })
    }

    fn joints_of(&self, set: Option<usize>) -> &[u32] {
        set.and_then(|set| self.sets.get(set)).map(Vec::as_slice).unwrap_or_default()
    }

    fn set_of(&self, row: &Row<'_>) -> Option<usize> {
        match row.about {
            About::Clip { joints, .. } | About::Model { joints, .. } => {
                joints.map(|set| set.0 as usize).filter(|set| *set < self.sets.len())
            }
            _ => None,
        }
    }

    /// For each joint set how it and another one find each other.
    fn matches(&self, cancel: &Cancel, of: impl Fn(&mut Left, &[u32]) -> Match + Sync) -> Vec<Match> {
        let of_set = |left: &mut Left, set: &Vec<u32>| match cancel.is_cancelled() {
            true => Match::default(),
            false => of(left, set),
        };
        self.sets.par_iter().map_with(Left(vec![0; self.names]), of_set).collect()
    }

    /// How well a clip and a model fit; `row` is the one that is looked for. `None` where nothing speaks for it.
    fn rank(&self, catalog: &Catalog, model: &Held<'_>, clip: &Row<'_>, matched: Match, row: RowIndex) -> Option<Rank> {
        let About::Clip { joint_count, .. } = clip.about else { return None };
        let in_other_file = clip.file != model.row.file;
        let rank = |evidence, share, matched: usize, common| Rank {
            evidence,
            moves_no_joint: joint_count == 0,
            is_strange: false,
            share: Reverse(share),
            matched: Reverse(matched),
            common: Reverse(common),
            in_other_file,
            unmoved: model.joint_count.saturating_sub(matched),
            row,
        };
        if clip.role == Role::VertexSequence {
            // It moves the vertices of the mesh that it lies in.
            let is_own = !in_other_file && lies_in(clip.path, model.row.path);
            return is_own.then(|| rank(Evidence::Own, SHARES, 0, 0));
        }
        let by_name = self.set_of(clip).and_then(|set| self.sets.get(set)).filter(|set| !set.is_empty());
        if by_name.is_some() && matched.matched == 0 {
            return None;
        }
        let count = by_name.map_or(joint_count as usize, Vec::len);
        if by_name.is_some() {
            let share = share_of(matched.matched, count);
            let plays = share * 2 >= SHARES;
            let kinship = model.home.kinship(&home(catalog, clip, clip.path));
            let of_model = share_of(matched.matched, model.joint_count);
            let same_skeleton = share.min(of_model) * 10 >= SHARES * 9;
            let found = Found::Names { plays, same_skeleton };
            let evidence = match (plays, kinship.nearness.is_near()) {
                _ if kinship.belongs(found) => Evidence::Own,
                (true, _) => Evidence::Names,
                (false, true) => Evidence::SomeNames,
                (false, false) => Evidence::FewNames,
            };
            let rank = rank(evidence, share, matched.matched, kinship.common_start.len());
            return Some(Rank { is_strange: !kinship.same_name, ..rank });
        }
        let kinship = kinship_by_place(catalog, model, clip);
        let moves_no_joint = joint_count == 0;
        let is_whole = !moves_no_joint && count == model.joint_count;
        let plays = count.min(model.joint_count) * 2 >= count.max(model.joint_count);
        let found = match moves_no_joint {
            true => Found::Unknown,
            false => Found::Parts { plays, whole: is_whole, tells: count >= TELLING },
        };
        let evidence = match () {
            () if kinship.belongs(found) => Evidence::Own,
            () if moves_no_joint => return None,
            () if kinship.nearness.is_near() && (is_whole || kinship.is_close()) => Evidence::CountAndPlace,
            () if is_whole => Evidence::Count,
            () => return None,
        };
        let matched = count.min(model.joint_count);
        let share = share_of(matched, count.max(model.joint_count));
        Some(rank(evidence, share, matched, kinship.common_start.len()))
    }

    /// What is said of a clip and a model that fit.
    fn fit(
        &self,
        catalog: &Catalog,
        model: RowIndex,
        clip: RowIndex,
        row: RowIndex,
        evidence: Evidence,
    ) -> Option<CatalogFit> {
        let held = self.held(catalog, model)?;
        let clip = catalog.row(clip)?;
        let About::Clip { joints, joint_count, .. } = clip.about else { return None };
        let names = joints.map(|set| catalog.joints(set)).unwrap_or_default();
        if clip.role == Role::VertexSequence {
            let reason = "vertex animation of this mesh".to_owned();
            return Some(CatalogFit { row, evidence, fit: Fit::default(), reason });
        }
        if names.is_empty() {
            let matched = (joint_count as usize).min(held.joint_count);
            let parts = PartsFit { what: Parts::Joints, matched, clip: joint_count as usize, model: held.joint_count };
            let fit = Fit { parts: Some(parts), ..Fit::default() };
            let reason = kinship_by_place(catalog, &held, &clip).reason(&fit);
            return Some(CatalogFit { row, evidence, fit, reason });
        }
        let (set, of_model) = (self.joints_of(self.set_of(&clip)), self.joints_of(self.set_of(&held.row)));
        let found = Left(vec![0; self.names]).matched(set, of_model);
        let mut unmatched = Vec::new();
        if !found.root_renamed {
            let there: HashSet<&u32> = of_model.iter().collect();
            let missing = set.iter().zip(names).filter(|(joint, _)| !there.contains(joint));
            unmatched.extend(missing.map(|(_, name)| name.to_string()).take(MAX_UNMATCHED));
        }
        let model_names = match held.row.about {
            About::Model { joints: Some(set), .. } => catalog.joints(set),
            _ => &[],
        };
        let roots = names.first().zip(model_names.first()).filter(|_| found.root_renamed);
        let renamed_root = roots.map(|(clip, model)| (clip.to_string(), model.to_string()));
        let (clip_joints, model_joints) = (set.len(), held.joint_count);
        let fit = Fit { matched: found.matched, clip_joints, model_joints, renamed_root, unmatched, ..Fit::default() };
        let reason = held.home.kinship(&home(catalog, &clip, clip.path)).reason(&fit);
        Some(CatalogFit { row, evidence, fit, reason })
    }
}

/// What the names and places say of a clip that goes by place: its own, or else those of the bank that it lies in.
fn kinship_by_place(catalog: &Catalog, model: &Held<'_>, clip: &Row<'_>) -> Kinship {
    let own = model.home.kinship(&home(catalog, clip, clip.path));
    if own.is_close() {
        return own;
    }
    let above = clip.path.get(..clip.path.len().saturating_sub(clip.name.len())).unwrap_or_default();
    let bank = model.home.kinship(&home(catalog, clip, above.trim_end_matches(['/', '.'])));
    if bank.is_close() { bank } else { own }
}

/// Shares are counted in millionths: they are compared.
const SHARES: u64 = 1_000_000;

fn share_of(matched: usize, of: usize) -> u64 {
    (matched as u64).saturating_mul(SHARES).checked_div(of as u64).unwrap_or(0)
}

fn lies_in(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.starts_with(['/', '.']))
}

/// By name how many joints of a model no joint of a clip has found yet; nothing between two uses.
#[derive(Clone)]
struct Left(Vec<u32>);

impl Left {
    /// How the joints of a clip find those of a model, by the rule of [`crate::scene::Binding`].
    fn matched(&mut self, clip: &[u32], model: &[u32]) -> Match {
        for joint in model {
            if let Some(left) = self.0.get_mut(*joint as usize) {
                *left = left.saturating_add(1);
            }
        }
        let mut found = Match::default();
        let mut first_is_missing = false;
        for (at, joint) in clip.iter().enumerate() {
            match self.0.get_mut(*joint as usize).filter(|left| **left > 0) {
                Some(left) => {
                    *left = left.saturating_sub(1);
                    found.matched = found.matched.saturating_add(1);
                }
                None => first_is_missing |= at == 0,
            }
        }
        for joint in model {
            if let Some(left) = self.0.get_mut(*joint as usize) {
                *left = 0;
            }
        }
        // A root of another name plays on the model's where all others are found.
        let only_first = first_is_missing && found.matched.saturating_add(1) == clip.len() && clip.len() > 1;
        if only_first && model.first().is_some_and(|root| !clip.contains(root)) {
            found.matched = found.matched.saturating_add(1);
            found.root_renamed = true;
        }
        found
    }
}

/// The best of some rows, at most so many; nothing where it was cancelled.
fn best(
    rows: &[RowIndex],
    rank: impl Fn(&RowIndex) -> Option<Rank> + Sync,
    at_most: usize,
    cancel: &Cancel,
) -> Vec<(Evidence, RowIndex)> {
    let rank = |row: &RowIndex| if cancel.is_cancelled() { None } else { rank(row) };
    let mut ranks: Vec<Rank> = rows.par_iter().filter_map(rank).collect();
    if cancel.is_cancelled() {
        return Vec::new();
    }
    if ranks.len() > at_most {
        ranks.select_nth_unstable(at_most);
        ranks.truncate(at_most);
    }
    ranks.sort_unstable();
    ranks.into_iter().map(|rank| (rank.evidence, rank.row)).collect()
}

/// Where something lies; `path` is its own, or that of what it lies in.
fn home(catalog: &Catalog, row: &Row<'_>, path: &str) -> Home {
    let file = catalog.file(row.file);
    let format = file.and_then(|file| format_of(&file.format));
    let at = file.map(|file| file.path.to_string_lossy()).unwrap_or_default();
    // A file is known by its name, and not by a path in it.
    Home::of_path(&at, if row.entry == EntryId::FILE { "" } else { path }, format)
}

/// By file the models among which its own lie: those of an archive, or those of the folder for files of one model each.
fn among(catalog: &Catalog, models: &[RowIndex], clips: &[RowIndex]) -> HashMap<FileIndex, Among> {
    /// The file, for an archive; else the folder and what the format is one of.
    #[derive(PartialEq, Eq, Hash)]
    enum Lair<'a> {
        Archive(FileIndex),
        Folder(Option<&'a Path>, &'static str),
    }
    let mut names: HashMap<Lair<'_>, (Vec<FileIndex>, Vec<String>)> = HashMap::new();
    for row in models.iter().filter_map(|model| catalog.row(*model)) {
        let Some(file) = catalog.file(row.file) else { continue };
        let format = format_of(&file.format).filter(|_| !home(catalog, &row, row.path).is_in_archive());
        let lair = match format {
            Some(format) => Lair::Folder(file.path.parent(), format.family),
            None => Lair::Archive(row.file),
        };
        let name = match lair {
            Lair::Folder(..) => file.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Lair::Archive(_) => row.name.to_owned(),
        };
        let (files, names) = names.entry(lair).or_default();
        files.push(row.file);
        names.push(name);
    }
    let clips = clips_of_folders(catalog, clips);
    let of_lair = |(lair, (files, names)): (Lair<'_>, (Vec<FileIndex>, Vec<String>))| {
        let among = Among::of_names(names.into_iter());
        let among = match lair {
            Lair::Folder(folder, _) => {
                let clips = clips.get(&folder).map(Vec::as_slice).unwrap_or_default();
                among.with_clips(clips.iter().map(String::as_str))
            }
            Lair::Archive(_) => among,
        };
        files.into_iter().map(move |file| (file, among.clone()))
    };
    names.into_iter().flat_map(of_lair).collect()
}

/// By folder the names of its files of clips, in lower case, without what follows the last dot.
fn clips_of_folders<'a>(catalog: &'a Catalog, clips: &[RowIndex]) -> HashMap<Option<&'a Path>, Vec<String>> {
    let mut names: HashMap<Option<&Path>, Vec<String>> = HashMap::new();
    let mut last = None;
    for file in clips.iter().filter_map(|clip| Some(catalog.row(*clip)?.file)) {
        if last.replace(file) == Some(file) {
            continue;
        }
        let Some(file) = catalog.file(file) else { continue };
        if format_of(&file.format).is_some_and(|format| !format.companions.is_empty()) {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
            names.entry(file.path.parent()).or_default().push(stem);
        }
    }
    names
}

fn format_of(id: &str) -> Option<&'static FormatInfo> {
    FORMATS.iter().map(|format| format.info()).find(|info| *info.id == *id)
}

#[cfg(test)]
mod tests;
