//! Reading files again: after a change on disk, on request, or with another layout. The view of the stage is kept.

use crate::{
    bytes::numbers::counted,
    formats::{Asset, Content, Diagnostic, EntryId, LoadOptions, Overrides, Severity},
    jobs::JobContext,
    library::{EntryMoves, Loaded, OpenFile, OpenOptions, read_container_as},
    scene::{Binding, Clip, Terrain},
    ui::{
        command::{Command, LibraryCommand},
        place::{FileId, Place, StageId},
        section::Section,
        state::{
            OpenedFile, State,
            core::Core,
            effect::Effect,
            loads::{Purpose, Request},
            log::LogEntry,
            message::{MAX_NOTICES, Message, NewReading, Reread, RereadCause},
            stage::{
                FailedStage, Stage, StageContent,
                curves::{ClipStage, Curves},
                scene::SceneModel,
            },
            stages::Stages,
            unfinished::Reloads,
        },
    },
};
use std::{
    collections::HashMap,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// An entry that is looked at or plays, with the number of errors that it had.
type Seen = (EntryId, Option<usize>);

/// A file to reload.
struct Task {
    file: FileId,
    turn: u64,
    old: Arc<OpenFile>,
    overrides: Overrides,
    seen: Vec<Seen>,
}

impl State {
    /// Files changed, came or went on disk.
    pub(crate) fn files_changed(&mut self, paths: &[PathBuf]) {
        if !self.core.settings.watch_files {
            return;
        }
        let opened = self.core.library.files.iter().filter(|opened| !opened.file.piped);
        let changed = opened.filter(|opened| paths.contains(&opened.file.on_disk));
        let files: Vec<(FileId, Arc<OpenFile>)> = changed.map(|opened| (opened.id, opened.file.clone())).collect();
        self.reread_in_background(files, RereadCause::Changed);
    }

    /// Reloads a file, even if it is damaged now; `None` for the shown file.
    pub(crate) fn read_again(&mut self, file: Option<FileId>) {
        let Some(id) = file.or(self.stages.file_in_front(&self.core)) else { return };
        let Some(file) = self.core.file(id).cloned() else { return };
        if file.piped {
            let text = "cannot reload: the file was read from a pipe";
            return self.core.log.announce(LogEntry::new(Severity::Warning, &file.name, text));
        }
        self.reread_in_background(vec![(id, file)], RereadCause::Asked);
    }

    /// Reloads open files.
    pub(crate) fn reread_in_background(&mut self, files: Vec<(FileId, Arc<OpenFile>)>, cause: RereadCause) {
        let quiet = files.len() > MAX_NOTICES;
        let mut tasks = Vec::new();
        for (file, old) in files {
            let turn = self.core.works.fresh_id();
            self.reloads.running.insert(file, turn);
            let overrides = self.core.settings.reading_of(&old.path).clone();
            tasks.push(Task { file, turn, overrides, seen: self.stages.seen_of(&mut self.core, file, &old), old });
        }
        let title = match tasks.as_slice() {
            [] => return,
            [one] => format!("Reloading {}", one.old.name),
            many => format!("Reloading {}", counted(many.len(), "file")),
        };
        let (folders, options, sender) =
            (self.core.settings.folders.clone(), self.core.load_options, self.core.works.sender());
        self.core.works.run_apart(title, move |cx| {
            let count = tasks.len() as u64;
            for (index, task) in tasks.into_iter().enumerate() {
                if cx.cancelled() {
                    return;
                }
                cx.progress(index as u64, count, &task.old.name);
                let opened = task.read(&cause, &folders, options, cx).map(|new| new.map(Box::new));
                let reread = Reread { file: task.file, turn: task.turn, cause: cause.clone(), quiet, opened };
                let _ = sender.send(Message::Reread(Box::new(reread)));
            }
        });
    }

    /// Replaces a file by its new version. The selection, the camera and the shown entries are kept.
    pub(crate) fn reread(&mut self, reread: Reread) {
        let Reread { file, turn, cause, quiet, opened } = reread;
        if self.reloads.running.get(&file) != Some(&turn) {
            return;
        }
        self.reloads.running.remove(&file);
        let Some(old) = self.core.file(file).cloned() else { return };
        match opened {
            Ok(Some(new)) => self.put_anew(file, &old, *new, &cause),
            // It is as it was read.
            Ok(None) => self.reloads.is_fresh(file),
            Err(why) => self.reloads.not_reread(&mut self.core, file, &old, cause, quiet, why),
        }
    }

    fn put_anew(&mut self, file: FileId, old: &OpenFile, new: NewReading, cause: &RereadCause) {
        let NewReading { file: new, loaded, found } = new;
        let moves = EntryMoves::new(old, &new);
        let shown: Vec<(StageId, Option<EntryId>)> = self
            .stages
            .iter()
            .filter_map(|stage| {
                let place = stage.content.place().filter(|place| place.file == file)?;
                Some((stage.id, moves.of(place.entry)))
            })
            .collect();
        self.reloads.outdated.remove(&file);
        self.core.cache.forget(&old.path);
        self.thumbnails.forget(file);
        self.core.library.replace(file, new.clone(), |entry| moves.of(entry));
        for (entry, loaded) in &loaded {
            if let Ok(loaded) = loaded {
                self.core.cache.insert(new.key(*entry, self.core.load_options), loaded.clone());
            }
        }
        let text = match cause {
            RereadCause::Changed => "reloaded after a change on disk".to_owned(),
            RereadCause::Asked => "reloaded".to_owned(),
            RereadCause::NewFolder if found.is_empty() => "searched the new folder for missing files".to_owned(),
            RereadCause::NewFolder => format!("found missing files: {}", found.join(", ")),
            RereadCause::Reading { wanted, .. } if wanted.is_empty() => "reloaded with automatic settings".to_owned(),
            RereadCause::Reading { wanted, .. } => {
                let said: Vec<String> = wanted.iter().map(|(id, value)| format!("{id} {value}")).collect();
                format!("reloaded with {}", said.join(", "))
            }
        };
        self.core.log.push(LogEntry::new(Severity::Info, &new.name, text).at(Place { file, entry: EntryId::FILE }));
        self.core.note_diagnostics(file, &new.diagnostics, true);
        for loaded in loaded.values().flatten() {
            self.core.note_diagnostics(file, &loaded.diagnostics, true);
        }
        self.move_places(file, &moves, new.document.source().len() as u64);
        // Taken before anything is requested for the new version.
        let mut waiting: HashMap<StageId, Vec<Request>> =
            self.stages.iter_mut().map(|stage| (stage.id, stage.pending.loads.take_of(file))).collect();
        for (id, entry) in shown {
            // The stage is about to show this entry in its new version.
            if let (Some(entry), Some(requests)) = (entry, waiting.get_mut(&id)) {
                let place = Place { file, entry };
                requests.retain(|request| request.purpose != Purpose::Show || request.place != place);
            }
            if let Some(stage) = self.stages.get_mut(id) {
                stage.show_anew(&mut self.core, file, entry, &loaded, cause);
            }
        }
        for stage in self.stages.iter_mut() {
            stage.rebind_layers(&mut self.core, file, &loaded);
            let requests = waiting.remove(&stage.id).unwrap_or_default();
            stage.request_again(&mut self.core, requests);
            let plays = |model: &&SceneModel| model.playing.is_some_and(|place| place.file == file);
            let models = stage.scene().into_iter().flat_map(|scene| &scene.models);
            for id in models.filter(plays).map(|model| model.id).collect::<Vec<_>>() {
                stage.replay_in_scene(&mut self.core, id);
            }
        }
        self.stages.refresh_scenes(&mut self.core);
    }

    /// Whatever stands for an entry of the file stands for the same one as it is now, or for the file.
    pub(crate) fn move_places(&mut self, file: FileId, moves: &EntryMoves<'_>, size: u64) {
        let to = |place: Place| match place.file == file {
            true => moves.of(place.entry).map(|entry| Place { entry, ..place }),
            false => Some(place),
        };
        let moved = |place: &mut Place| *place = to(*place).unwrap_or(Place { entry: EntryId::FILE, ..*place });
        if let Some(selected) = &mut self.core.selection {
            let bytes = self.core.selected_bytes.take().filter(|bytes| selected.file != file || bytes.end <= size);
            moved(selected);
            self.core.selected_bytes = bytes;
        }
        self.lookups.uses.take_if(|uses| uses.of.file == file);
        if let Some(draft) = &mut self.exports.draft {
            moved(&mut draft.place);
        }
        for stage in self.stages.iter_mut() {
            stage.history.move_places(moved);
            match &mut stage.content {
                StageContent::Model(shown) => {
                    if shown.move_places(to) {
                        stage.pending.loads.forget_main_clip();
                    }
                }
                StageContent::Level(shown) => moved(&mut shown.place),
                StageContent::Landscape(shown) => moved(&mut shown.place),
                StageContent::Image(shown) => moved(&mut shown.place),
                StageContent::Sound(shown) => moved(&mut shown.place),
                StageContent::Text(shown) => moved(&mut shown.place),
                StageContent::Clip(shown) => shown.move_places(moved),
                StageContent::Failed(failed) => {
                    moved(&mut failed.place);
                    if let Some(StageContent::Model(shown)) = failed.before.as_deref_mut() {
                        shown.move_places(to);
                    }
                }
                StageContent::Empty
                | StageContent::Gallery(_)
                | StageContent::Table(_)
                | StageContent::Classes(_)
                | StageContent::Scripts
                | StageContent::Collection
                | StageContent::Pictures
                | StageContent::Compare => {}
            }
            stage.pending.move_places(to);
            let gone = stage.pending.loads.move_places(to);
            stage.forget_requests(gone);
        }
    }

    /// There is another folder to look in: files that miss others look there, and so do those that are on a stage. What is shown of
    /// them is made anew, with cameras and clips as they are.
    pub(crate) fn look_anew(&mut self) {
        let on_stage: Vec<FileId> = self.stages.iter().filter_map(|stage| stage.content.subject().file()).collect();
        let looks = |opened: &&OpenedFile| {
            !opened.file.piped && (opened.file.document.has_dependencies() || on_stage.contains(&opened.id))
        };
        let files =
            self.core.library.files.iter().filter(looks).map(|opened| (opened.id, opened.file.clone())).collect();
        self.reread_in_background(files, RereadCause::NewFolder);
    }

    /// Answers one question about a file's layout, or leaves it to its bytes.
    pub(crate) fn set_reading(&mut self, file: FileId, id: String, value: Option<String>) {
        let Some(path) = self.core.file(file).map(|f| f.path.clone()) else { return };
        let mut wanted = self.core.settings.reading_of(&path).clone();
        match value {
            Some(value) => wanted.insert(id, value),
            None => wanted.remove(&id),
        };
        self.read_as(file, &path, wanted);
    }

    pub(crate) fn forget_readings(&mut self, file: FileId) {
        if let Some(path) = self.core.file(file).map(|f| f.path.clone()) {
            self.read_as(file, &path, Overrides::new());
        }
    }

    /// Reloads an open file with these interpretations, in a job.
    fn read_as(&mut self, file: FileId, path: &Path, wanted: Overrides) {
        let before = self.core.settings.reading_of(path).clone();
        if wanted == before {
            return;
        }
        let Some(old) = self.core.file(file).cloned() else { return };
        self.core.settings.set_reading(path, wanted.clone());
        // Paths that lead into it go by the names that are shown.
        read_container_as(path, &wanted, false);
        self.reread_in_background(vec![(file, old)], RereadCause::Reading { wanted, before });
    }
}

impl Stages {
    /// What was on its way to any stage is of the file as it was: it is decoded anew.
    pub(crate) fn load_anew_on_stages(&mut self, core: &mut Core, file: FileId) {
        for stage in self.iter_mut() {
            let requests = stage.pending.loads.take_of(file);
            stage.request_again(core, requests);
        }
    }

    /// The file that [`State::read_again`] means: that on the stage, else the selected one.
    pub(crate) fn file_in_front(&self, core: &Core) -> Option<FileId> {
        self.front.content.subject().file().or(core.selection.map(|place| place.file))
    }

    /// The entries of a file that are decoded for what is looked at now.
    fn seen_of(&mut self, core: &mut Core, file: FileId, old: &OpenFile) -> Vec<Seen> {
        let mut entries: Vec<EntryId> = Vec::new();
        for stage in self.iter() {
            let shown = stage.content.place().filter(|_| !matches!(stage.content, StageContent::Failed(_)));
            let curves = stage.curves().and_then(|curves| curves.shown.as_ref()).map(|shown| shown.place);
            let playback = stage.playback().into_iter();
            let layers = playback.flat_map(|p| p.player.layers().iter().filter_map(|layer| p.places.of(layer)));
            entries.extend(shown.into_iter().chain(curves).chain(layers).filter(|p| p.file == file).map(|p| p.entry));
        }
        entries.sort_unstable();
        entries.dedup();
        let options = core.load_options;
        let mut known = |entry| core.cache.get(&old.key(entry, options)).map(|loaded| errors(&loaded.diagnostics));
        entries.into_iter().map(|entry| (entry, known(entry))).collect()
    }
}

impl Reloads {
    /// The last good state stays. What is said once about a file on disk is not said again while it stays so.
    fn not_reread(
        &mut self,
        core: &mut Core,
        file: FileId,
        old: &OpenFile,
        cause: RereadCause,
        quiet: bool,
        why: String,
    ) {
        let place = Place { file, entry: EntryId::FILE };
        match cause {
            RereadCause::Reading { before, .. } => {
                read_container_as(&old.path, &before, false);
                core.settings.set_reading(&old.path, before);
                let text = format!("cannot be read with this layout: {why}. The previous layout is kept");
                core.log.announce(LogEntry::new(Severity::Error, &old.name, text));
            }
            // What it needs may be elsewhere; it stays as it is.
            RereadCause::NewFolder => {}
            RereadCause::Asked => {
                let text = format!("cannot reload: {why}. The previous version is kept");
                core.log.announce(LogEntry::new(Severity::Error, &old.name, text).at(place));
            }
            RereadCause::Changed => {
                let known = self.outdated.insert(file, why.clone());
                if known.as_ref() == Some(&why) {
                    return;
                }
                let text = format!("changed on disk, but cannot be reloaded: {why}. The previous version is kept");
                let mut entry = LogEntry::new(Severity::Warning, &old.name, text).at(place);
                if crate::files::is_file(&old.on_disk) {
                    entry = entry.with_action("Reload", Command::Library(LibraryCommand::ReadAgain(Some(file))));
                }
                match known.is_some() || quiet {
                    true => core.log.push(entry),
                    false => core.log.announce(entry),
                }
            }
        }
    }
}

impl Stage {
    /// What is on the stage in front is of a file that was read anew; `None` for an entry that is there no longer.
    fn show_anew(
        &mut self,
        core: &mut Core,
        file: FileId,
        entry: Option<EntryId>,
        loaded: &HashMap<EntryId, Result<Arc<Loaded>, String>>,
        cause: &RereadCause,
    ) {
        let whole = Place { file, entry: EntryId::FILE };
        let name = core.file(file).map(|file| file.name.clone()).unwrap_or_default();
        let Some(entry) = entry else {
            let text = format!("{name}: the shown entry no longer exists");
            return self.take_stage(core, StageContent::Failed(FailedStage::new(whole, text)));
        };
        let place = Place { file, entry };
        if matches!(self.content, StageContent::Failed(_)) {
            return self.show(core, place);
        }
        match loaded.get(&entry) {
            // It came to the stage meanwhile.
            None => self.show(core, place),
            Some(Ok(loaded)) => self.present_anew(core, place, &loaded.asset),
            Some(Err(_)) if self.landscape().is_some() && matches!(cause, RereadCause::Reading { .. }) => {
                self.take_stage(core, StageContent::Empty);
                let text = "cannot read the ground with this layout. Select a different layout under Reading";
                core.log.announce(LogEntry::new(Severity::Warning, &name, text));
            }
            Some(Err(why)) => {
                let entry = LogEntry::new(Severity::Error, &name, why.clone()).at(place);
                self.take_stage(core, StageContent::Failed(FailedStage::new(place, entry.text())));
                core.log.announce(entry);
            }
        }
    }

    /// Puts an asset in the place of what it was before, and looks at it as before.
    fn present_anew(&mut self, core: &mut Core, place: Place, asset: &Asset) {
        match asset {
            Asset::Model(model) => {
                self.put_on_show(core, place, model.clone());
                let selected = core.selection.filter(|selected| selected.file == place.file);
                match selected {
                    Some(selected) => self.select_pieces(core, selected),
                    None => self.select_in_model(|selected| {
                        selected.joint.take_if(|joint| *joint as usize >= model.joint_count());
                        selected.part = None;
                    }),
                }
            }
            Asset::Clip(clip) => {
                let before = self.curves().map(|curves| curves.alone().clone()).unwrap_or_default();
                self.take_stage(core, StageContent::Clip(ClipStage::new(place)));
                self.show_curves(core, place, clip.clone());
                if let Some(Curves { alone, .. }) = self.curves_mut() {
                    (alone.playing, alone.speed) = (before.playing, before.speed);
                    alone.set_loop_mode(before.loop_mode());
                    alone.seek(before.frame());
                }
            }
            Asset::Image(_) | Asset::Picture(_) | Asset::Procedural(_) | Asset::Palette(_) | Asset::Font(_) => {
                let before = self.image().map(|shown| (shown.player, shown.speed()));
                self.show_picture(core, place, asset.clone());
                if let (Some((player, speed)), Some(shown)) = (before, self.content.image_mut()) {
                    shown.set_speed(speed);
                    shown.player = player;
                    shown.player.playing &= shown.moves();
                    shown.catch_up();
                }
            }
            Asset::Sound(_) | Asset::Music(_) => self.show_sound(core, place, asset.clone()),
            Asset::Text(text) => self.show_text(core, place, text.clone()),
            Asset::Terrain(terrain) => self.show_terrain_anew(core, place, terrain),
            Asset::Map(map) => self.show_map(core, place, map.clone()),
        }
    }

    fn show_terrain_anew(&mut self, core: &mut Core, place: Place, terrain: &Arc<Terrain>) {
        let mut slots = Vec::new();
        if let Some(shown) = self.landscape() {
            let props = self.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
            slots.extend(props.map(|prop| prop.slot));
            slots.sort_unstable();
        }
        let ground = self.landscape().map(|shown| ground_of(&shown.terrain));
        self.show_terrain(core, place, terrain.clone());
        self.select_slots(&slots);
        if ground.is_some_and(|before| before != ground_of(terrain)) && !self.view.camera_touched {
            self.reset_view();
        }
    }

    /// Joins the clips that play to the model, where one of them is of a file that was read anew. They go on where they are.
    fn rebind_layers(&mut self, core: &mut Core, file: FileId, loaded: &HashMap<EntryId, Result<Arc<Loaded>, String>>) {
        let Some(shown) = self.content.model_mut() else { return };
        let playback = &mut shown.playback;
        let layers: Vec<(Option<Place>, Arc<Clip>)> =
            playback.player.layers().iter().map(|l| (playback.places.of(l), l.clip.clone())).collect();
        let has_clips = core.file(file).is_some_and(|file| !file.entries_with(Content::Clip).is_empty());
        let is_touched = shown.place.file == file || layers.iter().any(|(p, _)| p.is_some_and(|p| p.file == file));
        if !is_touched {
            if has_clips {
                self.look_for_clips(core, false);
            }
            return;
        }
        let options = playback.options;
        for (place, clip) in layers {
            let entry = place.filter(|place| place.file == file).map(|place| place.entry);
            let new = match entry.and_then(|entry| loaded.get(&entry)).map(|loaded| loaded.as_ref().map(|l| &l.asset)) {
                Some(Ok(Asset::Clip(new))) => new.clone(),
                _ => clip.clone(),
            };
            let binding = Arc::new(Binding::new(&new, &shown.model, options));
            let player = &mut playback.player;
            if new.kind() != clip.kind()
                && let Some(layer) = player.layer_of(&clip)
            {
                player.remove(layer);
            }
            player.replace_clip(new.clone(), binding);
            if let Some(place) = place.filter(|_| !Arc::ptr_eq(&new, &clip)) {
                playback.note_layer(&new, place);
            }
            if shown.curves.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(&shown.clip, &clip))
                && let Some(place) = place.or(playback.playing)
            {
                shown.curves.show(place, new.clone(), || core.works.fresh_id());
            }
        }
        playback.fit = playback.player.main().map(|main| main.binding.fit.clone());
        let last = playback.player.clip().map_or(0.0, |clip| clip.last_frame());
        if playback.player.frame() > last {
            playback.player.seek(last);
        }
        playback.fade = None;
        playback.refresh_ticks();
        playback.revision += 1;
        if shown.place.file != file {
            self.look_for_clips(core, false);
        }
    }
}

impl Core {
    /// What is to be watched: nothing while that is not wanted. Each with when it had been written last.
    pub fn watched_files(&self) -> Vec<(PathBuf, Option<std::time::SystemTime>)> {
        let files = self.library.files.iter().map(|opened| &opened.file);
        let files = files.filter(|file| self.settings.watch_files && !file.piped);
        let mut watched: Vec<_> = files.map(|file| (file.on_disk.clone(), file.written)).collect();
        watched.sort();
        // Members of one container are watched by it.
        watched.dedup_by(|one, other| one.0 == other.0);
        watched
    }
}

impl Task {
    /// The file as it is now, and what is looked at of it. Nothing where it has not changed.
    fn read(
        &self,
        cause: &RereadCause,
        folders: &[PathBuf],
        options: LoadOptions,
        cx: &JobContext,
    ) -> Result<Option<NewReading>, String> {
        let old = &self.old;
        let is_change = matches!(cause, RereadCause::Changed);
        // A document remembers what it has not found; one that says what it needs is read anew only where that is found now.
        let looks = matches!(cause, RereadCause::NewFolder) && old.document.has_dependencies();
        let missed = if looks { old.missing() } else { Vec::new() };
        if looks && missed.is_empty() {
            return Ok(None);
        }
        let opening = OpenOptions::new().limits(old.limits()).folders(folders).reading(&self.overrides);
        let opened = if is_change { opening.reopen(old) } else { opening.open(&old.path).map(Some) };
        let Some(new) = opened.map_err(|error| on_disk(&old.path, error.message))? else { return Ok(None) };
        let found: Vec<String> = match cause {
            RereadCause::NewFolder => {
                let still = new.missing();
                missed.into_iter().filter(|name| !still.contains(name)).collect()
            }
            _ => Vec::new(),
        };
        if looks && found.is_empty() {
            return Ok(None);
        }
        let reading = new.note();
        drop(new.document.fields(EntryId::FILE));
        drop(reading);
        if is_change {
            is_sound(&new.diagnostics, errors(&old.diagnostics))?;
        }
        let moves = EntryMoves::new(old, &new);
        let mut loaded = HashMap::new();
        for (entry, before) in &self.seen {
            let Some(entry) = moves.of(*entry) else { continue };
            let found = new.load(entry, options, cx.cancel()).map(Arc::new).map_err(|error| error.to_string());
            if is_change {
                let found = found.as_ref().map_err(String::clone)?;
                is_sound(&found.diagnostics, before.unwrap_or(usize::MAX))?;
            }
            loaded.insert(entry, found);
        }
        drop(moves);
        Ok(Some(NewReading { file: Arc::new(new), loaded, found }))
    }
}

/// Says what there is instead of the file, where that is nothing.
fn on_disk(path: &Path, message: String) -> String {
    match crate::files::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "the file was deleted or moved".to_owned(),
        _ => message,
    }
}

fn errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
}

/// What has more errors than it had before is damaged, or not written to its end yet.
fn is_sound(diagnostics: &[Diagnostic], before: usize) -> Result<(), String> {
    let first = diagnostics.iter().find(|d| d.severity == Severity::Error);
    match first.filter(|_| errors(diagnostics) > before) {
        Some(error) => Err(format!("the new version is damaged: {}", error.message)),
        None => Ok(()),
    }
}

/// Returns the extent of a landscape.
fn ground_of(terrain: &Terrain) -> (u32, u32, f32) {
    (terrain.grid.columns, terrain.grid.rows, terrain.grid.cell)
}

impl Stage {
    /// Selects the things in these places of the file's list.
    pub(in crate::ui) fn select_slots(&mut self, slots: &[u32]) {
        let Some(shown) = self.landscape() else { return };
        let props = (0_u32..).zip(&shown.terrain.props);
        let found = props.filter(|(_, prop)| slots.binary_search(&prop.slot).is_ok()).map(|(index, _)| index);
        // The selected entry stays: this is not what is looked at now, but what was before.
        self.view.terrain.selected = found.collect();
    }
}

impl Reloads {
    /// Returns true if a file is being reloaded.
    pub fn is_reread(&self, file: FileId) -> bool {
        self.is_running(file)
    }
}

impl Stage {
    /// Marks bytes of a file.
    pub(crate) fn show_bytes(&mut self, core: &mut Core, file: FileId, range: Range<u64>) {
        self.select(core, Place { file, entry: EntryId::FILE });
        core.selected_bytes = Some(range);
        self.show_section(core, Section::Bytes);
    }

    /// Unfolds a section of the inspector and brings it into view.
    pub(crate) fn show_section(&mut self, core: &mut Core, section: Section) {
        if section == Section::Reading
            && let Some((id, _)) = self.disputed_file(core)
            && core.selection.is_none_or(|place| place.file != id)
        {
            self.select(core, Place { file: id, entry: EntryId::FILE });
        }
        core.settings.sections.set(section, true);
        core.effects.push(Effect::ShowSection(section));
    }

    /// The file whose layout is in dispute: the selected one, else that of what is on the stage.
    pub fn disputed_file<'a>(&self, core: &'a Core) -> Option<(FileId, &'a Arc<OpenFile>)> {
        let with_id = |id: FileId| core.file(id).map(|file| (id, file));
        let selected = core.selection.and_then(|place| with_id(place.file));
        let shown = || self.content.subject().file().and_then(with_id);
        let is_disputed = |found: &(FileId, &Arc<OpenFile>)| !found.1.document.reading().is_empty();
        selected.filter(is_disputed).or_else(|| shown().filter(is_disputed))
    }
}
