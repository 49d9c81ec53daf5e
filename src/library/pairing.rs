//! Which clip fits which model, and why.

use super::{
    Found, Home, Kinship, OpenFile, TELLING,
    listings::{Likeness, likeness, stem},
};
use crate::{
    bytes::Cancel,
    formats::{Asset, Content, EntryId, LoadOptions, file_name},
    scene::{Binding, BindingOptions, Clip, Fit, Model, Parts, TargetKind},
};
use std::{borrow::Cow, collections::HashMap, sync::Arc};

/// How many files each of so many models' clips are looked for in when nobody names any; of more, those whose names are most
/// alike. The work and what comes of it grow with the models, not with models times clips.
pub fn companions_each(models: usize) -> usize {
    (65_536 / models.max(1)).clamp(8, 256)
}

/// Clips of a file held against a model.
#[derive(Clone)]
pub struct ClipFit {
    /// The file of the clips.
    pub file: Arc<OpenFile>,
    /// All those that drive the same things, in file order.
    pub entries: Vec<EntryId>,
    /// The fit of the first clip that can be read.
    pub fit: Fit,
    /// The kind of target that the clips drive.
    pub kind: TargetKind,
    /// True if the clip refers to bones or meshes by name instead of by number.
    pub by_name: bool,
    /// The relation by location and name.
    pub kinship: Kinship,
}

impl ClipFit {
    /// Returns true if the clip belongs to the model ([`Kinship::belongs`]). Such clips play automatically.
    pub fn belongs(&self) -> bool {
        let plays = self.plays();
        let found = match self.fit.parts {
            _ if self.fit.frames.is_some() => Found::Mesh { plays },
            None if self.by_name => Found::Names { plays, same_skeleton: self.fit.is_same_skeleton() },
            None => Found::Unknown,
            Some(parts) => match parts.what {
                Parts::Joints => {
                    let whole = self.fit.is_complete();
                    Found::Parts { plays, whole, tells: parts.model >= TELLING }
                }
                Parts::Shapes => Found::Parts { plays, whole: self.fit.is_complete(), tells: false },
                Parts::Tracks { joints } => Found::Tracks { plays, tells: joints == parts.model && joints >= TELLING },
                what => Found::Parts { plays, whole: plays, tells: what == Parts::Materials },
            },
        };
        self.kinship.belongs(found)
    }

    /// Whether it plays at all: one that drives no joints needs nothing but something to drive.
    pub fn plays(&self) -> bool {
        self.fit.plays() || self.fit.clip_joints == 0 && self.fit.any()
    }

    /// Of several models the one with the highest rank is the clip's: numbers alone fit many, and one that the clip is called
    /// after comes first.
    pub fn rank_of_model(&self) -> f32 {
        let own = if self.belongs() { 1.0 } else { 0.0 };
        self.fit.share() + own + if self.kinship.is_named() { 0.25 } else { 0.0 }
    }

    fn is_of_tracks(&self) -> bool {
        matches!(self.fit.parts.map(|p| p.what), Some(Parts::Tracks { .. }))
    }

    /// Why it is offered, in words.
    pub fn reason(&self) -> String {
        self.kinship.reason(&self.fit)
    }

    /// The lower comes first.
    fn rank(&self) -> (bool, bool, u8, bool) {
        let kind = match self.kind {
            _ if self.by_name => 0,
            TargetKind::Joints | TargetKind::Vertices | TargetKind::Morphs => 0,
            TargetKind::TextureMatrices => 1,
            TargetKind::TextureSlots => 2,
            TargetKind::Registers => 3,
            TargetKind::MaterialColors => 4,
            TargetKind::Visibility => 5,
            _ => 6,
        };
        // Models of one game have bones of the same names or numbers: the file's name says more than how many of them a clip moves.
        let is_strange = (self.by_name || self.is_of_tracks()) && !self.kinship.same_name;
        (!self.belongs(), !self.kinship.nearness.is_near(), kind, is_strange)
    }
}

/// The clips of a file, in file order.
pub fn clip_entries(file: &OpenFile) -> Vec<EntryId> {
    file.entries_with(Content::Clip)
}

/// Holds files of clips against a model: the best first. Clips that lie in different entries (two animations of one package)
/// are held against it each for themselves, and those that fit alike are put together; clips that know a model's parts by
/// number alone stay apart. Where they lie and what they are called counts (`home`: the model's). Clips that cannot be read are
/// left out. Blocks: call it on a worker.
pub fn fits_for(files: &[Arc<OpenFile>], model: &Model, home: &Home, cancel: &Cancel) -> Vec<ClipFit> {
    let mut fits: Vec<ClipFit> = Vec::new();
    for file in files {
        fits.extend(fits_of_file(file, model, home, cancel));
    }
    best_first(&mut fits);
    fits
}

/// Puts clips that were held against one model in the order in which they are offered.
pub fn best_first(fits: &mut [ClipFit]) {
    fits.sort_by(|a, b| {
        let matched = |f: &Fit| (f.matched, f.matched_morphs);
        let common = |f: &ClipFit| f.kinship.common_start.len();
        let by_fit = b.fit.share().total_cmp(&a.fit.share()).then_with(|| matched(&b.fit).cmp(&matched(&a.fit)));
        a.rank().cmp(&b.rank()).then(by_fit).then_with(|| common(b).cmp(&common(a)))
    });
}

fn fits_of_file(file: &Arc<OpenFile>, model: &Model, home: &Home, cancel: &Cancel) -> Vec<ClipFit> {
    let options = LoadOptions::default();
    let mut fits: Vec<ClipFit> = Vec::new();
    for entries in groups_of(file) {
        let Some(clip) = entries.iter().find_map(|entry| load(file, *entry, options, cancel)) else { continue };
        let fit = |entries: Vec<EntryId>, clip: &Clip| {
            let first = entries.first().copied().unwrap_or(EntryId::FILE);
            let fit = held_against(file, first, clip, model, home);
            ClipFit { entries, ..fit }
        };
        if clip.joins_parts() {
            let alone = |entry: &EntryId| Some(fit(vec![*entry], &*load(file, *entry, options, cancel)?));
            fits.extend(entries.iter().filter_map(alone));
            continue;
        }
        let found = fit(entries, &clip);
        match fits.iter_mut().find(|known| known.by_name && found.by_name && known.fit == found.fit) {
            Some(known) => known.entries.extend(found.entries),
            None => fits.push(found),
        }
    }
    fits.iter_mut().for_each(|fit| fit.entries.sort_unstable());
    fits
}

/// A clip that goes with a model.
#[derive(Clone)]
pub struct ClipOf {
    /// The file of the clip.
    pub file: Arc<OpenFile>,
    /// The entry of the clip in the file.
    pub entry: EntryId,
    /// It is in the model's own file and has not been held against the model yet: it goes along only where it moves something.
    pub is_own: bool,
}

impl ClipOf {
    /// Decodes it; `None` when it cannot be read. Blocks: call it on a worker.
    pub fn load(&self, options: LoadOptions, cancel: &Cancel) -> Option<Arc<Clip>> {
        load(&self.file, self.entry, options, cancel)
    }
}

/// The clips that are used with a model if none is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClipChoice {
    /// Clips that belong to the model ([`ClipFit::belongs`]).
    #[default]
    Belonging,
    /// All clips that can be played on the model.
    Fitting,
}

/// The clips that go with a model.
#[derive(Clone, Default)]
pub struct ChosenClips {
    /// The clips. Those of the model's own file come first.
    pub clips: Vec<ClipOf>,
    /// Clips of the files that were looked into which play on the model and are not taken: they may be other models'.
    pub left_out: usize,
}

/// The clips that go with a model of `file` where none is named: of the file itself, and of `others`, of which `at_most` are tried;
/// its own are looked for in `others` only where the file has none. None is held in memory: they may be many and long. Blocks: call
/// it on a worker.
pub fn clips_for<'a>(
    (file, entry): (&Arc<OpenFile>, EntryId),
    others: impl FnOnce() -> &'a [Arc<OpenFile>],
    at_most: usize,
    model: &Model,
    choice: ClipChoice,
    cancel: &Cancel,
) -> ChosenClips {
    let home = Home::of_model(file, entry);
    let is_chosen = |fit: &ClipFit| fit.belongs() || choice == ClipChoice::Fitting && fit.plays();
    let choose = |fits: &[ClipFit], is_own| {
        let of_fit = |fit: &ClipFit| {
            let of_entry = |entry: &EntryId| ClipOf { file: fit.file.clone(), entry: *entry, is_own };
            fit.entries.iter().map(of_entry).collect::<Vec<_>>()
        };
        let others = fits.iter().filter(|fit| !is_chosen(fit) && fit.plays());
        ChosenClips {
            left_out: others.map(|fit| fit.entries.len()).sum(),
            clips: fits.iter().filter(|fit| is_chosen(fit)).flat_map(of_fit).collect(),
        }
    };
    let mut own = choose(&fits_for(std::slice::from_ref(file), model, &home, cancel), true);
    own.clips.sort_unstable_by_key(|clip| clip.entry);
    if !own.clips.is_empty() && choice == ClipChoice::Belonging {
        return own;
    }
    let mut others = others().to_vec();
    others.retain(|other| !Arc::ptr_eq(other, file));
    let of_others = choose(&fits_for(&most_alike(file, &others, at_most), model, &home, cancel), false);
    own.clips.extend(of_others.clips);
    ChosenClips { left_out: own.left_out.saturating_add(of_others.left_out), ..own }
}

/// The clips of this name that play on a model of `file`, of the file itself and of `others`; of several that drive the same kind
/// of thing the one that fits best. A name is that of an entry or of a file, with or without its ending, in any case. Blocks: call
/// it on a worker.
pub fn clips_named<'a>(
    (file, entry): (&Arc<OpenFile>, EntryId),
    others: impl FnOnce() -> &'a [Arc<OpenFile>],
    at_most: usize,
    model: &Model,
    name: &str,
    cancel: &Cancel,
) -> Vec<ClipOf> {
    let home = Home::of_model(file, entry);
    let named = |files: &[Arc<OpenFile>]| {
        let mut kinds: Vec<TargetKind> = Vec::new();
        let mut found = Vec::new();
        for fit in fits_for(files, model, &home, cancel).into_iter().filter(|fit| fit.fit.any()) {
            let mut entries = fit.entries.iter().filter(|entry| is_called(&fit.file, **entry, name));
            if let (Some(entry), false) = (entries.next(), kinds.contains(&fit.kind)) {
                kinds.push(fit.kind);
                found.push(ClipOf { file: fit.file.clone(), entry: *entry, is_own: false });
            }
        }
        found
    };
    let own = named(std::slice::from_ref(file));
    if own.is_empty() { named(&most_alike(file, others(), at_most)) } else { own }
}

fn is_called(file: &OpenFile, entry: EntryId, name: &str) -> bool {
    let own = file.entry(entry).map(|entry| entry.name.to_string()).filter(|name| !name.is_empty());
    let own = own.unwrap_or_else(|| file.name.clone()).to_lowercase();
    let name = name.to_lowercase();
    own == name || file_name::stem(&own) == name
}

/// Models of one file that a clip is held against.
const MAX_MODELS: usize = 16;

/// The model that a clip of `file` is for when nobody names one: of the file itself, else the first one of one of `others`. Of
/// several the one that it fits best, and after which it is called where it knows a model's parts by number. Blocks: call it on a
/// worker.
pub fn model_for<'a>(
    file: &Arc<OpenFile>,
    entry: EntryId,
    clip: &Clip,
    others: impl IntoIterator<Item = &'a Arc<OpenFile>>,
    options: LoadOptions,
    cancel: &Cancel,
) -> Option<Arc<Model>> {
    let best = |candidates: &mut dyn Iterator<Item = (&Arc<OpenFile>, EntryId)>| {
        let mut best: Option<(f32, Arc<Model>)> = None;
        for (of, place) in candidates {
            let Ok(Asset::Model(model)) = of.load(place, options, cancel).map(|loaded| loaded.asset) else { continue };
            let fit = held_against(file, entry, clip, &model, &Home::of_model(of, place));
            let rank = fit.rank_of_model();
            if fit.plays() && best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, model));
            }
        }
        best.map(|(_, model)| model)
    };
    best(&mut file.models().take(MAX_MODELS).map(|model| (file, model.id)))
        .or_else(|| best(&mut others.into_iter().filter_map(|of| Some((of, of.models().next()?.id)))))
}

/// One clip held against one model.
fn held_against(file: &Arc<OpenFile>, entry: EntryId, clip: &Clip, model: &Model, home: &Home) -> ClipFit {
    let is_bank = !clip.tracks().is_empty();
    // All of a bank are for the same bones, and it is the bank that has a place and a name.
    let place = match is_bank {
        true => file.entry(entry).and_then(|found| found.parent).unwrap_or(EntryId::FILE),
        false => entry,
    };
    ClipFit {
        file: file.clone(),
        entries: vec![entry],
        fit: fit_of(clip, model),
        kind: clip.kind(),
        by_name: !clip.joins_parts() && !is_bank,
        kinship: home.kinship(&Home::of(file, place)),
    }
}

/// The files that a model's clips are looked for in, in their order.
fn most_alike<'a>(file: &OpenFile, others: &'a [Arc<OpenFile>], at_most: usize) -> Cow<'a, [Arc<OpenFile>]> {
    if others.len() <= at_most {
        return others.into();
    }
    let has_clips = |other: &OpenFile| other.clips().next().is_some();
    let own = stem(file.name.as_ref());
    let mut ranked: Vec<(Likeness, usize)> = others
        .iter()
        .enumerate()
        .filter(|(_, other)| has_clips(other))
        .map(|(at, other)| (likeness(&own, &stem(other.name.as_ref())), at))
        .collect();
    if ranked.len() > at_most {
        ranked.select_nth_unstable(at_most);
        ranked.truncate(at_most);
    }
    let mut chosen: Vec<usize> = ranked.into_iter().map(|(_, at)| at).collect();
    chosen.sort_unstable();
    chosen.into_iter().filter_map(|at| others.get(at).cloned()).collect()
}

/// Returns the clips of a file, grouped by parent entry.
fn groups_of(file: &OpenFile) -> Vec<Vec<EntryId>> {
    let mut groups: Vec<Vec<EntryId>> = Vec::new();
    let mut group_of: HashMap<Option<EntryId>, usize> = HashMap::new();
    for entry in clip_entries(file) {
        let parent = file.entry(entry).and_then(|e| e.parent);
        let group = *group_of.entry(parent).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(entry);
    }
    groups
}

fn load(file: &OpenFile, entry: EntryId, options: LoadOptions, cancel: &Cancel) -> Option<Arc<Clip>> {
    match file.load(entry, options, cancel).ok()?.asset {
        Asset::Clip(clip) => Some(clip),
        _ => None,
    }
}

fn fit_of(clip: &Clip, model: &Model) -> Fit {
    Binding::new(clip, model, BindingOptions::default()).fit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::OpenOptions;
    use std::path::Path;

    #[test]
    fn of_many_files_the_most_alike_in_name_are_tried_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/actorx");
        let open = |from: &str, to: &str| {
            std::fs::copy(data.join(from), folder.path().join(to)).unwrap();
            Arc::new(OpenOptions::new().open(folder.path().join(to)).unwrap())
        };
        let model = open("syn_arm.psk", "Snail.psk");
        let others = ["tree.psa", "snake.psa", "SNAIL.psa", "snail_b.psa"].map(|name| open("syn_arm.psa", name));
        let names = |at_most| -> Vec<String> {
            most_alike(&model, &others, at_most).iter().map(|file| file.name.clone()).collect()
        };
        assert_eq!(names(2), ["SNAIL.psa", "snail_b.psa"]);
        assert_eq!(names(3), ["snake.psa", "SNAIL.psa", "snail_b.psa"]);
        assert_eq!(names(4).len(), 4);
    }

    #[test]
    fn what_models_are_held_against_grows_with_their_number() {
        assert_eq!([0, 1, 256].map(companions_each), [256; 3]);
        assert!((1..=20_000).all(|models| models * companions_each(models) <= 160_000));
    }
}
