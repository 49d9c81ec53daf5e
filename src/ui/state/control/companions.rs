//! Matching clips with models on worker threads, and searching for clips next to open files.

use crate::{
    bytes::numbers::counted,
    formats::{Asset, Content, Entry, LoadOptions, Severity},
    jobs::JobContext,
    library::{ClipFit, Home, OpenFile, OpenOptions, best_first, clip_files, fits_for, model_files},
    scene::Model,
    ui::{
        command::{Command, ModelCommand, StageCommand},
        place::{FileId, Place},
        state::{
            core::Core,
            log::LogEntry,
            message::{FoundClips, MAX_NOTICES, Message, PairedModel},
            stage::Stage,
        },
    },
};
use std::{
    collections::{HashMap, HashSet},
    path::Path,
    sync::Arc,
};

/// Maximum number of files in the folder of a model that are tried as animations.
const MAX_COMPANIONS: usize = 24;

/// Models of one file that clips are held against.
const MAX_MODELS: usize = 16;

/// Files of clips that each open model is held against.
const MAX_CLIPS: usize = 64;

/// A model file that is open, for pairing.
#[derive(Clone)]
struct Candidate {
    place: Place,
    file: Arc<OpenFile>,
}

impl Stage {
    /// Asks which open clips fit the shown model, and, with `beside_too`, those in its folder.
    pub(crate) fn look_for_clips(&mut self, core: &mut Core, beside_too: bool) {
        let Some(shown) = self.model() else { return };
        let (place, model, generation) = (shown.place, shown.model.clone(), shown.generation);
        let Some(file) = core.file(place.file).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = core.library.files.iter().map(|f| f.file.clone()).collect();
        let turn = core.works.fresh_id();
        self.pending.clip_search = turn;
        let sender = self.stage_sender(core);
        core.works.run_apart(format!("Looking for clips of {}", file.name), move |cx| {
            let home = Home::of_model(&file, place.entry);
            let mut fits = fits_for(&open, &model, &home, cx.cancel());
            let mut found = Vec::new();
            if beside_too {
                let is_open: HashSet<&Path> = open.iter().map(|f| f.path.as_path()).collect();
                let candidates =
                    clip_files(&file.path, file.document.format(), MAX_COMPANIONS, |path| is_open.contains(path));
                let files: Vec<Arc<OpenFile>> = candidates
                    .into_iter()
                    .take_while(|_| !cx.cancelled())
                    .filter_map(|p| OpenOptions::new().open(p).ok().map(Arc::new))
                    .collect();
                let good: Vec<ClipFit> =
                    fits_for(&files, &model, &home, cx.cancel()).into_iter().filter(ClipFit::belongs).collect();
                found = good.iter().map(|f| f.file.clone()).collect();
                fits.extend(good);
                best_first(&mut fits);
            }
            sender.send(Message::Fits(FoundClips { generation, turn, fits, found }));
        });
    }

    /// Says why clips that were opened together with the model do not fit it.
    pub(crate) fn judge(&mut self, core: &mut Core, fits: &[ClipFit]) {
        let mut verdicts = Vec::new();
        let mut best: HashMap<&Path, &ClipFit> = HashMap::new();
        fits.iter().for_each(|fit| _ = best.entry(&fit.file.path).or_insert(fit));
        let clips = self.playback().into_iter().flat_map(|playback| &playback.clips);
        let offered: HashSet<FileId> = clips.map(|clip| clip.place.file).collect();
        for id in std::mem::take(&mut self.pending.to_judge) {
            let Some(file) = core.file(id).cloned() else { continue };
            let Some(found) = best.get(file.path.as_path()) else { continue };
            let (Some(clip), false) = (first_clip(id, &file), offered.contains(&id)) else { continue };
            let mut entry = LogEntry::new(Severity::Warning, &file.name, found.fit.to_string()).at(clip);
            if found.fit.any() {
                entry = entry.with_action("Play anyway", Command::Model(ModelCommand::PlayAnyway(clip)));
            } else if let Some(bones) = file.entries_with(Content::Model).first() {
                entry = entry.with_action(
                    "Show the clip's bones",
                    Command::Stage(StageCommand::Show(Place { file: id, entry: *bones })),
                );
            }
            verdicts.push(entry);
        }
        if verdicts.len() <= MAX_NOTICES {
            return verdicts.into_iter().for_each(|entry| core.log.announce(entry));
        }
        let text = format!("{} do not fit this model. See the log for the reasons", counted(verdicts.len(), "clip"));
        verdicts.into_iter().for_each(|entry| core.log.push(entry));
        core.log.announce(LogEntry::new(Severity::Warning, "", text));
    }

    /// Looks for the model that clips belong to: the shown one, another open one, one beside them, or their own bones.
    pub(crate) fn pair(&mut self, core: &mut Core, clips: Vec<FileId>) {
        self.pair_asked(core, clips, None);
    }

    /// As [`Stage::pair`], for one clip of the files that is to be played.
    fn pair_asked(&mut self, core: &mut Core, clips: Vec<FileId>, asked: Option<Place>) {
        let files: Vec<(FileId, Arc<OpenFile>)> =
            clips.iter().filter_map(|id| core.file(*id).map(|f| (*id, f.clone()))).collect();
        let shown = self.model().and_then(|shown| {
            let file = core.file(shown.place.file)?.clone();
            Some((shown.model.clone(), Candidate { place: shown.place, file }))
        });
        let candidates: Vec<Candidate> = core
            .library
            .files
            .iter()
            .flat_map(|f| {
                let candidate =
                    |entry: &Entry| Candidate { place: Place { file: f.id, entry: entry.id }, file: f.file.clone() };
                f.file.models().take(MAX_MODELS).map(candidate)
            })
            .collect();
        let options = core.load_options;
        let sender = self.stage_sender(core);
        core.works.run_apart("Looking for the model of these clips", move |cx| {
            if let Some(message) = pair_on_worker(&files, shown.as_ref(), asked, &candidates, options, cx) {
                sender.send(message);
            }
        });
    }

    /// Looks for the model of one clip.
    pub(crate) fn pair_clip(&mut self, core: &mut Core, clip: Place) {
        self.pair_asked(core, vec![clip.file], Some(clip));
    }
}

/// The place of the first clip of a file.
pub(crate) fn first_clip(id: FileId, file: &OpenFile) -> Option<Place> {
    file.entries_with(Content::Clip).first().map(|entry| Place { file: id, entry: *entry })
}

fn pair_on_worker(
    files: &[(FileId, Arc<OpenFile>)],
    shown: Option<&(Arc<Model>, Candidate)>,
    asked: Option<Place>,
    candidates: &[Candidate],
    options: LoadOptions,
    cx: &JobContext,
) -> Option<Message> {
    let only: Vec<Arc<OpenFile>> = files.iter().map(|(_, f)| f.clone()).collect();
    let place_of = |fit: &ClipFit| {
        files
            .iter()
            .find(|(_, f)| Arc::ptr_eq(f, &fit.file))
            .and_then(|(id, _)| fit.entries.first().map(|entry| Place { file: *id, entry: *entry }))
            .map(|first| asked.unwrap_or(first))
    };
    let best = |clips: &[Arc<OpenFile>], model: &Model, home: &Home| {
        let is_asked = |fit: &ClipFit| asked.is_none_or(|clip| fit.entries.contains(&clip.entry));
        fits_for(clips, model, home, cx.cancel()).into_iter().find(is_asked)
    };
    let (fits, rank) = (ClipFit::plays, ClipFit::rank_of_model);
    let mut reason = None;
    if let Some((model, Candidate { place, file })) = shown
        && let Some(fit) = best(&only, model, &Home::of_model(file, place.entry))
    {
        if fits(&fit) {
            return Some(Message::Paired { clip: place_of(&fit)?, model: PairedModel::Open(*place) });
        }
        reason = Some(format!("{}: {}", model.name, fit.fit));
    }
    let load = |file: &OpenFile, entry| match file.load(entry, options, cx.cancel()).ok()?.asset {
        Asset::Model(model) => Some(model),
        _ => None,
    };
    // Many clips are held against one model, not against each of many.
    let some = only.get(..MAX_CLIPS).unwrap_or(&only);
    let mut found: Option<(f32, Place, Place)> = None;
    for candidate in candidates {
        if cx.cancelled() {
            return None;
        }
        let Some(fit) = load(&candidate.file, candidate.place.entry)
            .and_then(|m| best(some, &m, &Home::of_model(&candidate.file, candidate.place.entry)))
        else {
            continue;
        };
        if fits(&fit)
            && found.is_none_or(|(known, ..)| rank(&fit) > known)
            && let Some(clip) = place_of(&fit)
        {
            found = Some((rank(&fit), clip, candidate.place));
        }
    }
    if let Some((_, clip, model)) = found {
        return Some(Message::Paired { clip, model: PairedModel::Open(model) });
    }
    let (id, first) = files.first()?;
    let mut found: Option<(f32, Place, Arc<OpenFile>)> = None;
    for path in model_files(&first.path, first.document.format(), MAX_COMPANIONS) {
        if cx.cancelled() {
            return None;
        }
        let Ok(file) = OpenOptions::new().open(path) else { continue };
        let Some(entry) = file.models().next().map(|model| model.id) else { continue };
        let Some(fit) = load(&file, entry).and_then(|m| best(some, &m, &Home::of_model(&file, entry))) else {
            continue;
        };
        if fits(&fit)
            && found.as_ref().is_none_or(|(known, ..)| rank(&fit) > *known)
            && let Some(clip) = place_of(&fit)
        {
            found = Some((rank(&fit), clip, Arc::new(file)));
        }
    }
    if let Some((_, clip, file)) = found {
        return Some(Message::Paired { clip, model: PairedModel::Beside(file) });
    }
    let reason =
        reason.unwrap_or_else(|| "no open model fits these clips. Open the model that they belong to".to_owned());
    Some(Message::Paired { clip: asked.or_else(|| first_clip(*id, first))?, model: PairedModel::None(reason) })
}
