//! Restoring a view: first the files, then the contents of the stages, then cameras and clips.

use crate::{
    files::text_of,
    formats::{EntryId, Severity},
    ui::{
        library_row::RowId,
        named_file::{self, NamedFile},
        place::{FileId, Place},
        saved_view::{Modes, SavedPlace, SavedRow, SavedStage, SavedSubject, SavedView},
        short_text::shortened,
        state::{
            State,
            control::saving_views::{MAX_LOGGED_PATH, MAX_NOTICES, PAUSE_SECS},
            core::Core,
            log::LogEntry,
            message::Message,
            stage::{
                Left, Stage,
                curves::Curves,
                pending::{Coming, ComingClip, ReturningClock, ReturningLayer},
                scene::StageScene,
                top_down::Tilt,
            },
            unfinished::{Restore, Restoring},
            works::AskedBy,
        },
        subject::{PlayMode, StageId, TimeOf},
        view_file::{self, ReadView},
    },
};
use std::path::{Path, PathBuf};

impl State {
    /// Brings a view back whose files `work` opens, or which are all open. `paths` says where its files lie.
    pub(crate) fn restore_view(&mut self, view: SavedView, paths: Vec<PathBuf>, work: Option<u64>) {
        for id in self.stages.ids() {
            self.stages.close(id, &mut self.core);
        }
        for stage in view.stages.iter().filter(|stage| stage.id != StageId::FIRST.0) {
            self.stages.add(StageId(stage.id), &self.core);
        }
        if let Some(front) = view.stages.first() {
            self.stages.bring_to_front(StageId(front.id));
        }
        self.restore.view = Some(Box::new(Restoring { work, view, paths, begun: Vec::new() }));
        self.go_on_restoring();
        if work.is_none() {
            self.end_restoring();
        }
    }

    /// Puts on the stages what has been opened so far.
    pub(crate) fn go_on_restoring(&mut self) {
        let Some(mut restoring) = self.restore.view.take() else { return };
        for saved in restoring.view.stages.clone() {
            let id = StageId(saved.id);
            if restoring.begun.contains(&id) {
                continue;
            }
            let file = saved.subject.file().and_then(|file| self.core.file_of(&restoring, file));
            if let Some(file) = file {
                restoring.begun.push(id);
                if let Some(stage) = self.stages.get_mut(id) {
                    stage.begin_stage(&mut self.core, file, saved);
                }
            }
        }
        self.restore.view = Some(restoring);
    }

    /// Every file is open that could be: what depends on several of them follows. Gives whether anything is on its way to a stage.
    pub(crate) fn end_restoring(&mut self) -> bool {
        self.go_on_restoring();
        let Some(restoring) = self.restore.view.take() else { return false };
        let stages: Vec<(StageId, SavedSubject)> =
            restoring.view.stages.iter().map(|stage| (StageId(stage.id), stage.subject.clone())).collect();
        for (id, subject) in stages {
            let is_gone = subject != SavedSubject::Nothing && !restoring.begun.contains(&id);
            if is_gone {
                self.stages.close(id, &mut self.core);
            }
        }
        let rows = restoring.view.rows.iter().filter_map(|row| self.core.row_of(&restoring, row)).collect();
        self.core.library.set_unfolded(rows);
        self.restore.selection =
            restoring.view.selection.as_ref().and_then(|place| self.core.place_of(&restoring, place));
        let linked = restoring.view.linked;
        let begun = !restoring.begun.is_empty();
        // Clips, other models and images may lie in files that came after the model.
        for saved in restoring.view.stages.clone() {
            let clip = saved.clip.as_ref().and_then(|place| self.core.place_of(&restoring, place));
            let also = saved.layers.iter();
            let also =
                also.filter_map(|layer| Some((self.core.place_of(&restoring, &layer.place)?, layer.state))).collect();
            let id = StageId(saved.id);
            let coming =
                |stage: &Stage| stage.pending.look.as_ref().map(|coming| coming.place).or(stage.content.place());
            let on = self.stages.get(id).and_then(coming);
            let scene = on.and_then(|on| self.core.scene_of(&restoring, &saved, on));
            if let Some(stage) = self.stages.get_mut(id) {
                // One that cannot come back leaves its place to what plays by itself.
                if saved.clip.is_some() && clip.is_none() {
                    stage.pending.without_clip = false;
                    stage.pending.look.iter_mut().for_each(|coming| coming.plays_by_itself = true);
                }
                stage.pending.scene = scene.map(Box::new);
                let clip = clip.zip(on).map(|(place, on)| ComingClip { on, place, also, stage: saved });
                stage.pending.clip = clip;
                stage.look_for_clips(&mut self.core, false);
            }
        }
        self.stages.link(linked);
        self.finish_views();
        begun
    }

    /// Looks at what has come as it was looked at.
    pub(crate) fn finish_views(&mut self) {
        let is_wanted = |stage: &Stage| {
            let has_come =
                stage.pending.look.as_ref().is_some_and(|coming| stage.content.place() == Some(coming.place));
            has_come || stage.pending.clip.is_some() || stage.pending.scene.is_some()
        };
        for id in self.stages.iter().filter(|stage| is_wanted(stage)).map(|stage| stage.id).collect::<Vec<_>>() {
            self.on_stage(id, |state| {
                let shown = state.stages.front.content.place();
                if let Some(coming) = state.stages.front.pending.look.take_if(|coming| Some(coming.place) == shown) {
                    state.stages.front.look_as_before_close(&mut state.core, &coming);
                }
                state.stages.front.play_as_saved(&mut state.core);
                state.stages.bring_scene_back(&mut state.core);
            });
        }
        // What comes to a stage is selected: only then what was.
        if self.restore.view.is_none()
            && self.restore.selection.is_some()
            && self.stages.iter().all(|stage| stage.pending.look.is_none())
            && let Some(place) = self.restore.selection.take()
        {
            self.stages.front.set_selection(&mut self.core, place);
        }
    }

    /// Notes what is looked at for the next start; what moves by itself now and then. Not while it is still coming back.
    pub fn keep_view(&mut self, always: bool) {
        let is_coming = self.restore.view.is_some() || self.stages.iter().any(|stage| stage.pending.look.is_some());
        // Where nothing is at work, what is missing does not come any more.
        let is_coming_back = self.core.works.is_busy() && self.stages.iter().any(Stage::is_coming_back);
        if is_coming || is_coming_back || self.core.works.iter().any(|work| work.restores) {
            return;
        }
        let now = self.core.clock.now_secs();
        if !always && self.stages.is_moving() && now - self.restore.kept_secs < PAUSE_SECS {
            return;
        }
        self.restore.kept_secs = now;
        let view = self.stages.view_now(&self.core);
        self.core.settings.session_view = Some(view).filter(|view| !view.files.is_empty());
    }

    /// Opens the files of a view and shows them as it does. Files outside its folder are asked about first.
    pub(crate) fn view_read(&mut self, mut read: ReadView) {
        for named in &mut read.files {
            let known = |path: &&PathBuf| self.core.library.at_path(path).is_some();
            if let NamedFile::Outside(paths) = named
                && let Some(open) = paths.iter().find(known)
            {
                *named = NamedFile::Allowed(open.clone());
            }
        }
        if read.named().any(|named| matches!(named, NamedFile::Outside(_))) {
            self.dialogs.asked_view = Some(Box::new(read));
        } else {
            self.bring_view_back(read);
        }
    }

    /// Opens the view that a person was asked about, with the files outside its folder or without them.
    pub(crate) fn answer_view(&mut self, with_outside: bool) {
        let Some(mut read) = self.dialogs.asked_view.take() else { return };
        if !with_outside {
            return self.bring_view_back(*read);
        }
        let sender = self.core.works.sender();
        self.core.works.run_apart(format!("Opening {}", read.name), move |_| {
            read.named_mut().for_each(NamedFile::allow);
            let _ = sender.send(Message::ViewRead(read));
        });
    }

    /// Opens the allowed files of a view, and then shows them as it does.
    fn bring_view_back(&mut self, read: ReadView) {
        let mut notices = 0..MAX_NOTICES;
        for named in read.named() {
            let why = match named {
                NamedFile::Allowed(_) => continue,
                NamedFile::Outside(_) => "the file is outside the view's folder",
                NamedFile::Refused(path) if named_file::is_too_long(path) => "the path is too long",
                NamedFile::Refused(path) if view_file::is_view(path) => "a view cannot open another view",
                NamedFile::Refused(_) => "network paths and devices are not allowed in views",
            };
            let path = shortened(&text_of(named.path()), MAX_LOGGED_PATH);
            let entry = LogEntry::new(Severity::Warning, &read.name, format!("cannot open {path}: {why}"));
            match named {
                NamedFile::Refused(_) if notices.next().is_some() => self.core.log.announce(entry),
                // The person has just declined a file outside the folder.
                _ => self.core.log.push(entry),
            }
        }
        let ReadView { mut view, files, pictures, .. } = read;
        let allowed = |named: &NamedFile| matches!(named, NamedFile::Allowed(_));
        if !files.iter().any(allowed) {
            return;
        }
        for (picture, named) in view.pictures.iter_mut().zip(&pictures) {
            // An empty path is no picture.
            picture.path = if allowed(named) { named.path().to_owned() } else { PathBuf::new() };
        }
        let is_missing = |named: &&NamedFile| allowed(named) && self.core.library.at_path(named.path()).is_none();
        let missing = files.iter().filter(is_missing).map(|named| named.path().to_owned()).collect();
        let work = self.core.open_in_background(missing, AskedBy::Saved);
        let paths = files.iter().map(|named| named.path().to_owned()).collect();
        self.restore_view(view, paths, work);
    }

    pub(crate) fn save_view(&mut self, path: &Path) {
        let path = match view_file::is_view(path) {
            true => path.to_owned(),
            false => {
                let mut name = path.as_os_str().to_owned();
                name.push(".");
                name.push(view_file::EXTENSION);
                PathBuf::from(name)
            }
        };
        let view = self.stages.view_now(&self.core);
        let sender = self.core.works.sender();
        self.core.works.run_apart("Saving the view", move |_| {
            let entry = match view_file::write(&path, &view) {
                Ok(()) => LogEntry::new(Severity::Info, "", format!("Saved {}", path.display())),
                Err(error) => LogEntry::new(Severity::Error, "", format!("Cannot save the view: {error}")),
            };
            let _ = sender.send(Message::Log(entry));
        });
    }
}

impl Restore {
    /// Whether this work opens the files of a view.
    pub(crate) fn restores_by(&self, work: u64) -> bool {
        self.view.as_ref().is_some_and(|restoring| restoring.work == Some(work))
    }

    /// This work has ended, whole or not.
    pub(crate) fn restoring_is_over(&mut self, work: u64) {
        self.view.take_if(|restoring| restoring.work == Some(work));
    }
}

impl Stage {
    /// Has the subject of the stage in front decoded.
    fn begin_stage(&mut self, core: &mut Core, file: FileId, stage: SavedStage) {
        match &stage.subject {
            SavedSubject::Nothing => {}
            SavedSubject::Gallery(_) => self.show_gallery(core, file),
            SavedSubject::Table(_) => self.show_table(core, file),
            SavedSubject::Classes(_) => self.show_classes(core, file),
            SavedSubject::Entry(saved) => {
                let Some(place) = core.entry_of(file, saved) else {
                    return self.show(core, Place { file, entry: EntryId::FILE });
                };
                self.pending.look = Some(Box::new(Coming { place, stage, plays_by_itself: false }));
                self.load(core, place);
            }
        }
    }

    fn look_as_before_close(&mut self, core: &mut Core, coming: &Coming) {
        let saved = &coming.stage;
        self.look_as_saved(saved);
        match self.time_of() {
            Some(TimeOf::Clip) => {
                if let Some(Curves { alone, .. }) = self.curves_mut() {
                    alone.set_loop_mode(saved.loop_mode);
                    alone.speed = saved.speed.unwrap_or(1.0);
                    ReturningClock::of(saved).bring_back(alone);
                }
            }
            Some(TimeOf::Picture) => {
                if let Some(shown) = self.content.image_mut() {
                    shown.set_speed(saved.speed.unwrap_or(1.0));
                    shown.seek(saved.frame.max(0.0) as u64);
                    shown.player.playing = saved.playing;
                }
            }
            Some(TimeOf::Model | TimeOf::Sound) | None => {}
        }
        if let Some(shown) = self.content.level_mut() {
            shown.actors.restore(&shown.map, &saved.parts.actors);
        }
        if let Some(shown) = self.content.model_mut() {
            shown.parts.restore(&shown.model, &saved.parts);
            // The model may have been shown already, in another scene and with other textures.
            self.pending.loads.take_scene();
            (shown.scene, self.pending.joins) = (StageScene::default(), Vec::new());
            shown.textures.clear();
            self.pending.loads.forget_main_clip();
            let playback = &mut shown.playback;
            playback.stop();
            (playback.options, playback.loop_chosen) = (saved.binding, true);
            let player = &mut playback.player;
            player.options = saved.pose;
            player.set_assumed_rate_hz(saved.assumed_rate_hz);
            player.speed = saved.speed.unwrap_or(1.0);
            player.set_loop_mode(saved.loop_mode);
            if saved.morphs.len() == player.morph_weights.len() {
                player.morph_weights.clone_from(&saved.morphs);
            }
            // Nothing plays by itself: what played comes back.
            self.pending.without_clip = !coming.plays_by_itself;
        }
        if let Some(selected) = core.selection {
            self.select_pieces(core, selected);
        }
    }

    /// On a way through the history: what played when the model was left plays again, from where it was, and a bone that was
    /// selected is.
    pub(crate) fn play_as_left(&mut self, core: &mut Core, on: Place, left: &Left) {
        self.pending.without_clip = left.clip.is_none() && left.has_clips;
        let clip = left.clip.filter(|place| core.file(place.file).is_some());
        self.pending.clip = clip.map(|place| {
            let loop_mode = self.play_settings().loop_mode;
            let stage = SavedStage { frame: left.frame, playing: left.playing, loop_mode, ..SavedStage::default() };
            ComingClip { on, place, also: Vec::new(), stage }
        });
        if let Some(selected) = core.selection.filter(|selected| selected.file == on.file) {
            self.select_pieces(core, selected);
        }
    }

    /// Plays what played on the stage in front, where the model is there and the clip's file open.
    fn play_as_saved(&mut self, core: &mut Core) {
        let Some(shown) = self.model() else { return };
        if self.pending.look.is_some() || self.pending.clip.as_ref().is_none_or(|coming| coming.on != shown.place) {
            return;
        }
        let (playing, wanted) = (shown.playback.playing, shown.playback.chosen);
        let Some(coming) = &self.pending.clip else { return };
        let place = coming.place;
        if playing != Some(place) {
            if wanted != Some(place) {
                self.play_clip(core, place, PlayMode::Anyway);
            }
            if self.playback().and_then(|playback| playback.playing) != Some(place) {
                return;
            }
        }
        let Some(ComingClip { also, stage: saved, .. }) = self.pending.clip.take() else { return };
        let Some(playback) = self.playback_mut() else { return };
        let player = &mut playback.player;
        player.set_loop_mode(saved.loop_mode);
        let places = &playback.places;
        let layer = player.layers().iter().find(|layer| places.of(layer) == Some(place));
        let layer = layer.and_then(|layer| player.layer_of(&layer.clip));
        let clock = ReturningClock::of(&saved);
        match layer {
            Some(layer) => playback.bring_layer_back(layer, saved.clip_state, &clock),
            None => clock.bring_back(player),
        }
        playback.revision += 1;
        let returning = also.iter().map(|(place, state)| ReturningLayer { place: *place, state: *state, clock });
        playback.returning.extend(returning);
        for (place, _) in also {
            self.play_clip(core, place, PlayMode::Join);
        }
    }
}

impl Core {
    pub(crate) fn file_of(&self, restoring: &Restoring, file: usize) -> Option<FileId> {
        self.library.at_path(restoring.paths.get(file)?)
    }

    pub(crate) fn place_of(&self, restoring: &Restoring, saved: &SavedPlace) -> Option<Place> {
        let file = self.file_of(restoring, saved.file)?;
        self.entry_of(file, saved)
    }

    fn entry_of(&self, file: FileId, saved: &SavedPlace) -> Option<Place> {
        if saved.entry.is_empty() {
            return Some(Place { file, entry: EntryId::FILE });
        }
        let outline = self.file(file)?.document.outline();
        let same = outline.get(EntryId(saved.number)).filter(|entry| entry.path() == saved.entry);
        // What begins so is a number for who looks for entries.
        let found = same.or_else(|| outline.find(&saved.entry).filter(|_| !saved.entry.starts_with('#')))?;
        Some(Place { file, entry: found.id })
    }

    fn row_of(&self, restoring: &Restoring, row: &SavedRow) -> Option<RowId> {
        Some(match row {
            SavedRow::Folder(file) => RowId::Folder(self.library.folder_of(self.file_of(restoring, *file)?)?),
            SavedRow::File(file) => RowId::File(self.file_of(restoring, *file)?),
            SavedRow::Entry(place) => RowId::Entry(self.place_of(restoring, place)?),
            SavedRow::Branch(place, group) => RowId::Branch { place: self.place_of(restoring, place)?, group: *group },
            SavedRow::Group(of, group) => RowId::Group { of: self.place_of(restoring, of)?, group: *group },
        })
    }
}

impl Stage {
    fn look_as_saved(&mut self, saved: &SavedStage) {
        let view = &mut self.view;
        let Modes { options, terrain } = &saved.modes;
        view.options = options.clone();
        view.skeleton_asked = view.options.skeleton;
        self.viewport.drawer = saved.drawer;
        if let (Some(terrain), Some(shown)) = (terrain, self.content.landscape()) {
            let drawn = &mut view.terrain;
            drawn.tint = terrain.tint;
            drawn.contours = terrain.contours;
            drawn.contour_step = terrain.contour_step;
            drawn.water = terrain.water;
            drawn.exaggeration = terrain.exaggeration;
            drawn.wireframe = terrain.wireframe;
            drawn.grid = terrain.grid;
            drawn.props = terrain.props;
            drawn.bodies = terrain.bodies;
            drawn.prop_colors = terrain.prop_colors;
            drawn.zones = terrain.zones;
            drawn.pictures = terrain.pictures;
            (view.prop_names, view.terrain_legend) = (terrain.prop_names, terrain.legend);
            view.flipped = terrain.flipped;
            if !terrain.hidden.is_empty() {
                let hidden = shown.terrain.kinds.iter().map(|kind| terrain.hidden.contains(&kind.name));
                drawn.hidden_kinds = hidden.collect();
            }
            view.top_down = saved.top_down.map(|[yaw, pitch]| Tilt { yaw, pitch });
            let mut slots = terrain.selected.clone();
            slots.sort_unstable();
            self.select_slots(&slots);
        }
        if self.content.is_space()
            && let Some(camera) = saved.camera
        {
            self.view.tween = None;
            self.view.camera = camera;
            self.view.fly = saved.fly;
            self.view.camera_touched = true;
            if self.level().is_some() {
                // Speeds are of who flies: the remembered one, and not that of the view.
                self.set_level_speed(self.view.level_speed);
            }
        }
    }
}
