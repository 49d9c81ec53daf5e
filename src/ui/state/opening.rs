//! Opening files and everything that follows from it, all of it on workers.

use super::{FileId, LogEntry, Place, Shown, State};
use crate::{
    bytes::Limits,
    formats::{Asset, Content, Diagnostic, EntryId, LoadOptions, Severity},
    jobs::{Job, JobContext, JobError, Progress},
    library::{AssetKey, ClipFit, Loaded, OpenFile, beside, expand, fits_of, open_path},
    scene::{Binding, Clip, Model},
    ui::command::Command,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Files beside a model that are tried as its animations.
const MOST_COMPANIONS: usize = 24;
/// From this share of its bones on, a clip is played without asking.
pub(super) const FITS: f32 = 0.5;

/// A piece of background work.
pub struct Work {
    pub id: u64,
    job: Job<()>,
    /// Files that it has opened.
    opened: Vec<FileId>,
    /// It has put a model on show.
    shows_model: bool,
}

impl Work {
    pub fn title(&self) -> &str {
        &self.job.title
    }

    pub fn age_secs(&self) -> f32 {
        self.job.age_secs()
    }

    pub fn progress(&self) -> Progress {
        self.job.progress()
    }
}

/// What comes back from workers and dialogs.
pub enum Message {
    /// A dialog was answered.
    Command(Command),
    Log(LogEntry),
    Opened {
        work: u64,
        file: Arc<OpenFile>,
    },
    /// All files of a request were tried.
    AllOpened {
        work: u64,
    },
    ModelLoaded {
        place: Place,
        key: AssetKey,
        loaded: Arc<Loaded>,
    },
    /// Which clips fit the shown model; `found` were not open before.
    Fits {
        generation: u64,
        fits: Vec<ClipFit>,
        found: Vec<Arc<OpenFile>>,
    },
    /// Which model the clips of some files belong to.
    Paired {
        clip: Place,
        model: PairedModel,
    },
    ClipReady(ClipReady),
}

/// The model that clips belong to.
pub enum PairedModel {
    /// Open already.
    Open(Place),
    /// Lies beside the clips.
    Beside(Arc<OpenFile>),
    /// None; what came nearest, in words.
    None(String),
}

/// A clip joined to the shown model.
pub struct ClipReady {
    pub(super) place: Place,
    pub(super) generation: u64,
    pub(super) key: AssetKey,
    pub(super) loaded: Arc<Loaded>,
    pub(super) clip: Arc<Clip>,
    pub(super) binding: Arc<Binding>,
    pub(super) how: HowToPlay,
}

/// Why a clip is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HowToPlay {
    /// Asked for: says how it fits, and refuses when little of it does.
    Asked,
    /// By itself: says nothing when it does not work out.
    Quiet,
    /// Whatever fits.
    Anyway,
    /// The same clip again with other switches: the time stays.
    Again,
}

/// A model file that is open, for pairing.
#[derive(Clone)]
struct Candidate {
    place: Place,
    file: Arc<OpenFile>,
}

impl State {
    /// Runs `work` in the background; a panic in it becomes a line in the log.
    pub fn run_in_background(
        &mut self,
        title: impl Into<String>,
        work: impl FnOnce(&JobContext) + Send + 'static,
    ) -> u64 {
        let id = self.fresh_id();
        let job = self.jobs.spawn(title, work);
        self.works.push(Work { id, job, opened: Vec::new(), shows_model: false });
        id
    }

    pub(super) fn cancel(&mut self, id: u64) {
        if let Some(work) = self.works.iter().find(|w| w.id == id) {
            work.job.cancel();
            self.log.push(LogEntry::new(Severity::Info, "", format!("{}: cancelled", work.job.title)));
        }
        // Dropping it forgets what still comes.
        self.works.retain(|w| w.id != id);
    }

    pub(super) fn open(&mut self, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        let title = match paths.as_slice() {
            [one] => format!("Opening {}", name_of(one)),
            many => format!("Opening {} files", many.len()),
        };
        let sender = self.outbox.clone();
        let id = self.next_id + 1;
        self.run_in_background(title, move |cx| {
            let files = expand(&paths);
            if files.is_empty() {
                let name = paths.first().map(|p| name_of(p)).unwrap_or_default();
                let message = "nothing in this folder can be opened; other files can be opened one by one";
                let _ = sender.send(Message::Log(LogEntry::new(Severity::Warning, &name, message)));
            }
            for (index, path) in files.iter().enumerate() {
                if cx.cancelled() {
                    return;
                }
                cx.progress(index as u64, files.len() as u64, &name_of(path));
                let message = match open_path(path, Limits::default()) {
                    Ok(file) => Message::Opened { work: id, file: Arc::new(file) },
                    Err(error) => Message::Log(LogEntry::new(Severity::Error, &name_of(path), without_file(&error))),
                };
                let _ = sender.send(message);
            }
            let _ = sender.send(Message::AllOpened { work: id });
        });
    }

    /// Takes what has arrived. Results are taken before their works are let go of, because a worker sends first and ends then.
    pub(super) fn receive(&mut self) {
        let ended: Vec<(u64, Result<(), JobError>)> =
            self.works.iter().filter_map(|w| w.job.poll().map(|result| (w.id, result))).collect();
        while let Ok(message) = self.inbox.try_recv() {
            self.handle(message);
        }
        for (id, result) in ended {
            self.works.retain(|w| w.id != id);
            if let Err(error) = result {
                self.log.announce(LogEntry::new(Severity::Error, "", format!("{error}. Bonebox carries on.")));
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Command(command) => self.apply(command),
            Message::Log(entry) => self.log.announce(entry),
            Message::Opened { work, file } => self.opened(work, file),
            Message::AllOpened { work } => self.all_opened(work),
            Message::ModelLoaded { place, key, loaded } => {
                if self.playback.wanted_model == Some(place) && self.file(place.file).is_some() {
                    self.cache.insert(key, loaded.clone());
                    self.note_diagnostics(place.file, &loaded.diagnostics);
                    if let Asset::Model(model) = &loaded.asset {
                        self.put_on_show(place, model.clone());
                    }
                }
            }
            Message::Fits { generation, fits, found } => self.fits_found(generation, fits, found),
            Message::Paired { clip, model } => self.paired(clip, model),
            Message::ClipReady(ready) => self.clip_ready(ready),
        }
    }

    /// A file is open: adds it to the library, and shows the first model of the request.
    fn opened(&mut self, work: u64, file: Arc<OpenFile>) {
        let Some(index) = self.works.iter().position(|w| w.id == work) else { return };
        let id = self.add_file(file.clone());
        self.settings.remember(&file.path);
        let first = self.works[index].opened.is_empty();
        self.works[index].opened.push(id);
        if first || self.selection.is_none() {
            self.select(Place { file: id, entry: EntryId::FILE });
        }
        if !self.works[index].shows_model
            && let Some(entry) = model_of(&file)
        {
            self.works[index].shows_model = true;
            self.show(Place { file: id, entry });
        }
    }

    /// Adds a file, or puts it in the place of the same one.
    fn add_file(&mut self, file: Arc<OpenFile>) -> FileId {
        let same =
            |path: &Path| path == file.path || std::path::absolute(path).ok() == std::path::absolute(&file.path).ok();
        let id = match self.library.files.iter_mut().find(|f| same(&f.file.path)) {
            Some(opened) => {
                self.cache.forget(&opened.file.path);
                opened.file = file.clone();
                let id = opened.id;
                self.library.changed();
                id
            }
            None => self.library.add(file.clone()),
        };
        let entries = file.document.outline().entries().len() - 1;
        let kind = file.document.format().name;
        self.log.push(
            LogEntry::new(Severity::Info, &file.name, format!("opened: {kind}, {entries} entries"))
                .at(Place { file: id, entry: EntryId::FILE }),
        );
        self.note_diagnostics(id, &file.diagnostics);
        id
    }

    /// Puts findings into the log; the worst one is shown for a moment.
    pub(super) fn note_diagnostics(&mut self, id: FileId, diagnostics: &[Diagnostic]) {
        let Some(name) = self.file(id).map(|f| f.name.clone()) else { return };
        let worst = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        for diagnostic in diagnostics {
            let mut entry = LogEntry::new(diagnostic.severity, &name, diagnostic.message.clone())
                .at(Place { file: id, entry: diagnostic.entry.unwrap_or(EntryId::FILE) });
            entry.offset = diagnostic.offset;
            entry.code = diagnostic.code;
            if diagnostic.severity == Severity::Error && worst == 1 {
                self.log.announce(entry);
            } else {
                self.log.push(entry);
            }
        }
        if worst > 1 {
            self.log.announce(LogEntry::new(
                Severity::Error,
                &name,
                format!("{worst} parts are damaged; what could be read is shown"),
            ));
        }
    }

    /// Every file of a request is open: clips without a model of their own look for one.
    fn all_opened(&mut self, work: u64) {
        let Some(work) = self.works.iter().find(|w| w.id == work) else { return };
        let (opened, shows_model) = (work.opened.clone(), work.shows_model);
        let clips: Vec<FileId> = opened
            .iter()
            .copied()
            .filter(|id| self.file(*id).is_some_and(|f| !f.entries_with(Content::Clip).is_empty()))
            .collect();
        if clips.is_empty() {
            return;
        }
        if shows_model {
            self.playback.to_judge.extend(clips);
            // The model itself asks when it is there; if it is already, it has not seen these.
            if self.shown.as_ref().map(|s| s.place) == self.playback.wanted_model {
                self.look_for_clips(false);
            }
        } else {
            self.pair(clips);
        }
    }

    /// Shows an entry as what it is.
    pub(super) fn show(&mut self, place: Place) {
        let Some(entry) = self.file(place.file).and_then(|f| f.entry(place.entry)).cloned() else { return };
        match entry.content {
            Content::Model => self.load_model(place),
            Content::Clip => self.play_clip(place, HowToPlay::Asked),
            _ if entry.id == EntryId::FILE => {
                let Some(file) = self.file(place.file).cloned() else { return };
                match model_of(&file) {
                    Some(entry) => self.show(Place { entry, ..place }),
                    None if first_clip(place.file, &file).is_some() => self.pair(vec![place.file]),
                    None => self.select(place),
                }
            }
            _ => self.select(place),
        }
    }

    fn load_model(&mut self, place: Place) {
        let Some(file) = self.file(place.file).cloned() else { return };
        let options = self.load_options;
        self.playback.wanted_model = Some(place);
        let key = AssetKey { path: file.path.clone(), entry: place.entry, options };
        if let Some(loaded) = self.cache.get(&key)
            && let Asset::Model(model) = &loaded.asset
        {
            self.put_on_show(place, model.clone());
            return;
        }
        let sender = self.outbox.clone();
        self.run_in_background(format!("Reading the model of {}", file.name), move |cx| {
            let message = match file.load(place.entry, options, cx.cancel_flag()) {
                Ok(loaded) => Message::ModelLoaded { place, key, loaded: Arc::new(loaded) },
                Err(error) => Message::Log(LogEntry::new(Severity::Error, &file.name, error.to_string()).at(place)),
            };
            let _ = sender.send(message);
        });
    }

    fn put_on_show(&mut self, place: Place, model: Arc<Model>) {
        let same_place = self.shown.as_ref().is_some_and(|s| s.place == place);
        let generation = self.fresh_id();
        let bounds = model.bounds();
        let name = self.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        if !same_place {
            for missing in &model.missing {
                self.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
            if !model.images.is_empty() {
                let found = match model.images.len() {
                    1 => "1 texture found".to_owned(),
                    n => format!("{n} textures found"),
                };
                self.log.push(LogEntry::new(Severity::Info, &name, found).at(place));
            }
        }
        let morphs = model.morph_names().len();
        self.shown = Some(Shown { place, model, bounds, generation });
        if same_place {
            self.play_again();
        } else {
            self.playback.forget_model(morphs);
            self.view.vertex_colors = self
                .shown
                .as_ref()
                .is_some_and(|s| s.model.images.is_empty() && s.model.meshes.iter().any(|m| !m.colors.is_empty()));
            // Something without surfaces is its bones.
            self.view.skeleton =
                self.shown.as_ref().is_some_and(|s| s.model.triangle_count() == 0) || self.view.skeleton_asked;
            self.selected_joint = None;
            self.reset_view();
        }
        self.playback.revision += 1;
        self.look_for_clips(true);
    }

    /// Asks which open clips fit the shown model, and, with `beside_too`, those in its folder.
    pub(super) fn look_for_clips(&mut self, beside_too: bool) {
        let Some(shown) = self.shown.clone() else { return };
        let Some(file) = self.file(shown.place.file).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = self.library.files.iter().map(|f| f.file.clone()).collect();
        let sender = self.outbox.clone();
        self.run_in_background(format!("Looking for animations of {}", file.name), move |cx| {
            let mut fits = fits_of(&open, &shown.model, cx.cancel_flag());
            let mut found = Vec::new();
            if beside_too {
                let is_open = |path: &Path| open.iter().any(|f| f.path == path);
                let candidates = beside(&file.path, file.document.format().companions);
                let files: Vec<Arc<OpenFile>> = candidates
                    .into_iter()
                    .filter(|p| !is_open(p))
                    .take(MOST_COMPANIONS)
                    .take_while(|_| !cx.cancelled())
                    .filter_map(|p| open_path(&p, Limits::default()).ok().map(Arc::new))
                    .collect();
                let good: Vec<ClipFit> = fits_of(&files, &shown.model, cx.cancel_flag())
                    .into_iter()
                    .filter(|f| f.fit.share() >= FITS || f.fit.matched_morphs > 0)
                    .collect();
                found = good.iter().map(|f| f.file.clone()).collect();
                fits.extend(good);
            }
            let _ = sender.send(Message::Fits { generation: shown.generation, fits, found });
        });
    }

    fn fits_found(&mut self, generation: u64, fits: Vec<ClipFit>, found: Vec<Arc<OpenFile>>) {
        if self.shown.as_ref().is_none_or(|s| s.generation != generation) {
            return;
        }
        for file in found {
            // It may have been opened in the meantime.
            if !self.library.files.iter().any(|f| f.file.path == file.path) {
                self.add_file(file);
            }
        }
        self.list_clips(&fits);
        self.judge(&fits);
        let first = self.playback.clips.first().map(|c| c.place);
        if let Some(first) = first
            && self.settings.autoplay
            && self.playback.playing.is_none()
            && self.playback.wanted_clip.is_none()
        {
            self.play_clip(first, HowToPlay::Quiet);
        }
    }

    /// Says why clips that were opened together with the model do not fit it.
    fn judge(&mut self, fits: &[ClipFit]) {
        for id in std::mem::take(&mut self.playback.to_judge) {
            let Some(file) = self.file(id).cloned() else { continue };
            let Some(found) = fits.iter().find(|f| f.file.path == file.path) else { continue };
            let (Some(clip), false) = (first_clip(id, &file), self.playback.clips.iter().any(|c| c.place.file == id))
            else {
                continue;
            };
            let mut entry = LogEntry::new(Severity::Warning, &file.name, found.fit.to_string()).at(clip);
            if found.fit.any() {
                entry = entry.with_action("Play anyway", Command::PlayAnyway(clip));
            } else if let Some(bones) = file.entries_with(Content::Model).first() {
                entry = entry.with_action("Show its bones", Command::Show(Place { file: id, entry: *bones }));
            }
            self.log.announce(entry);
        }
    }

    /// Looks for the model that clips belong to: the shown one, another open one, one beside them, or their own bones.
    fn pair(&mut self, clips: Vec<FileId>) {
        let files: Vec<(FileId, Arc<OpenFile>)> =
            clips.iter().filter_map(|id| self.file(*id).map(|f| (*id, f.clone()))).collect();
        let shown = self.shown.clone();
        let candidates: Vec<Candidate> = self
            .library
            .files
            .iter()
            .filter_map(|f| {
                let entry = model_of(&f.file)?;
                Some(Candidate { place: Place { file: f.id, entry }, file: f.file.clone() })
            })
            .collect();
        let options = self.load_options;
        let sender = self.outbox.clone();
        self.run_in_background("Looking for the model of these animations", move |cx| {
            if let Some(message) = pair_on_worker(&files, shown.as_ref(), &candidates, options, cx) {
                let _ = sender.send(message);
            }
        });
    }

    /// Looks for the model of one file's clips.
    pub(super) fn pair_file(&mut self, id: FileId) {
        self.pair(vec![id]);
    }

    fn paired(&mut self, clip: Place, model: PairedModel) {
        match model {
            PairedModel::Open(place) => {
                if self.shown.as_ref().is_none_or(|s| s.place != place) {
                    self.playback.clip_after_model = Some(clip);
                    self.load_model(place);
                } else {
                    self.play_clip(clip, HowToPlay::Asked);
                    self.look_for_clips(false);
                }
            }
            PairedModel::Beside(file) => {
                let Some(entry) = file.entries_with(Content::Model).first().copied() else { return };
                let id = self.add_file(file);
                self.playback.clip_after_model = Some(clip);
                self.load_model(Place { file: id, entry });
            }
            PairedModel::None(reason) => {
                let Some(file) = self.file(clip.file).cloned() else { return };
                let own_bones = file.entries_with(Content::Model).first().copied();
                match own_bones {
                    // With a model on show the question is the user's; without one, bones are better than nothing.
                    Some(entry) if self.shown.is_none() => {
                        self.playback.clip_after_model = Some(clip);
                        self.load_model(Place { file: clip.file, entry });
                    }
                    _ => {
                        let mut entry = LogEntry::new(Severity::Warning, &file.name, reason).at(clip);
                        if let Some(own) = own_bones {
                            entry = entry
                                .with_action("Show its bones", Command::Show(Place { file: clip.file, entry: own }));
                        } else if self.shown.is_some() {
                            entry = entry.with_action("Play anyway", Command::PlayAnyway(clip));
                        }
                        self.log.announce(entry);
                    }
                }
            }
        }
    }
}

/// The place of the first clip of a file.
fn first_clip(id: FileId, file: &OpenFile) -> Option<Place> {
    file.entries_with(Content::Clip).first().map(|entry| Place { file: id, entry: *entry })
}

/// The model that a file is opened for. Bones that come with clips only stand in for one.
fn model_of(file: &OpenFile) -> Option<EntryId> {
    if file.entries_with(Content::Clip).is_empty() { file.entries_with(Content::Model).first().copied() } else { None }
}

fn pair_on_worker(
    files: &[(FileId, Arc<OpenFile>)],
    shown: Option<&Shown>,
    candidates: &[Candidate],
    options: LoadOptions,
    cx: &JobContext,
) -> Option<Message> {
    let only: Vec<Arc<OpenFile>> = files.iter().map(|(_, f)| f.clone()).collect();
    let place_of =
        |fit: &ClipFit| files.iter().find(|(_, f)| Arc::ptr_eq(f, &fit.file)).and_then(|(id, f)| first_clip(*id, f));
    let best = |model: &Model| fits_of(&only, model, cx.cancel_flag()).into_iter().next();
    let fits = |fit: &ClipFit| fit.fit.share() >= FITS || (fit.fit.clip_joints == 0 && fit.fit.any());
    let mut reason = None;
    if let Some(shown) = shown
        && let Some(fit) = best(&shown.model)
    {
        if fits(&fit) {
            return Some(Message::Paired { clip: place_of(&fit)?, model: PairedModel::Open(shown.place) });
        }
        reason = Some(format!("{}: {}", shown.model.name, fit.fit));
    }
    let load = |file: &OpenFile, entry| match file.load(entry, options, cx.cancel_flag()).ok()?.asset {
        Asset::Model(model) => Some(model),
        _ => None,
    };
    let mut found: Option<(f32, Place, Place)> = None;
    for candidate in candidates {
        if cx.cancelled() {
            return None;
        }
        let Some(fit) = load(&candidate.file, candidate.place.entry).and_then(|m| best(&m)) else { continue };
        if fits(&fit)
            && found.is_none_or(|(share, ..)| fit.fit.share() > share)
            && let Some(clip) = place_of(&fit)
        {
            found = Some((fit.fit.share(), clip, candidate.place));
        }
    }
    if let Some((_, clip, model)) = found {
        return Some(Message::Paired { clip, model: PairedModel::Open(model) });
    }
    let (id, first) = files.first()?;
    let mut found: Option<(f32, Place, Arc<OpenFile>)> = None;
    for path in beside(&first.path, first.document.format().companions).iter().take(MOST_COMPANIONS) {
        if cx.cancelled() {
            return None;
        }
        let Ok(file) = open_path(path, Limits::default()) else { continue };
        let Some(fit) = model_of(&file).and_then(|e| load(&file, e)).and_then(|m| best(&m)) else { continue };
        if fits(&fit)
            && found.as_ref().is_none_or(|(share, ..)| fit.fit.share() > *share)
            && let Some(clip) = place_of(&fit)
        {
            found = Some((fit.fit.share(), clip, Arc::new(file)));
        }
    }
    if let Some((_, clip, file)) = found {
        return Some(Message::Paired { clip, model: PairedModel::Beside(file) });
    }
    let reason = reason.unwrap_or_else(|| {
        "no model is open that these animations fit, and none lies beside them: open the mesh too".to_owned()
    });
    Some(Message::Paired { clip: first_clip(*id, first)?, model: PairedModel::None(reason) })
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// An opening error without the file's name in front: the log has a column for it.
fn without_file(error: &crate::formats::OpenError) -> String {
    error.message.clone()
}

/// The existing paths in a text: one a line, bare, quoted or as `file://` links.
pub fn paths_in_text(text: &str) -> Vec<PathBuf> {
    text.lines()
        .filter_map(|line| {
            let line = line.trim().trim_matches(['"', '\'']);
            let path = match line.strip_prefix("file://") {
                Some(link) => PathBuf::from(percent_decoded(link)),
                None => PathBuf::from(line),
            };
            (!line.is_empty() && path.exists()).then_some(path)
        })
        .collect()
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = bytes
            .get(at + 1..at + 3)
            .and_then(|h| std::str::from_utf8(h).ok())
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match code {
            Some(code) if *byte == b'%' => {
                out.push(code);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_paths_are_found_in_every_dress() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("a.psk");
        let spaced = folder.path().join("b ä.psk");
        std::fs::write(&plain, "x").unwrap();
        std::fs::write(&spaced, "x").unwrap();
        let link = format!("file://{}", spaced.display()).replace(' ', "%20").replace('ä', "%C3%A4");
        let text = format!("\"{}\"\n  {link}\r\nnothing/here\n\n", plain.display());
        assert_eq!(paths_in_text(&text), [plain, spaced]);
    }
}
