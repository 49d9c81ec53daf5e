//! Restores a view that was saved: its files, its scene, its camera.

use crate::{
    files::text_of,
    formats::{Content, EntryId, Severity},
    scene::{MaterialIndex, MaterialKind, Model, TexturePlace},
    ui::{
        library_row::RowId,
        named_file::{self, NamedFile},
        place::{FileId, Place, PlayMode, StageId, TextureSource, TimeOf},
        saved_view::{
            Modes, SavedImage, SavedPlace, SavedRow, SavedScene, SavedStage, SavedSubject, SavedTexturePlace, SavedView,
        },
        scene_member::{Attachment, SceneMember, SceneModelId},
        short_text::shortened,
        state::{
            State,
            control::{
                opening::name_of,
                saving_views::{MAX_LOGGED_PATH, MAX_NOTICES, PAUSE_SECS},
            },
            core::Core,
            loads::Purpose,
            log::LogEntry,
            message::Message,
            stage::{
                Left, Stage,
                curves::Curves,
                pending::{
                    Coming, ComingClip, ComingModel, ComingScene, ReturningClip, ReturningClock, ReturningLayer,
                    ReturningModel,
                },
                scene::{StageScene, anchor_named},
                top_down::Tilt,
            },
            stages::Stages,
            unfinished::{Restore, Restoring},
            works::AskedBy,
        },
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
    /// Returns true if this job opens the files of a view.
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

impl Stages {
    /// Has read what stood beside the model of the stage in front and on it, where that is there.
    pub(crate) fn bring_scene_back(&mut self, core: &mut Core) {
        let shown = self.front.content.place();
        if self.front.pending.look.is_some() {
            return;
        }
        let Some(coming) = self.front.pending.scene.take_if(|coming| Some(coming.on) == shown) else { return };
        if self.front.model().is_none() {
            return;
        }
        let ComingScene { scene: saved, models, textures, .. } = *coming;
        let with_id = |model: Option<ComingModel>| model.map(|model| (SceneModelId(core.works.fresh_id()), model));
        let models: Vec<Option<(SceneModelId, ComingModel)>> = models.into_iter().map(with_id).collect();
        let id_of = |number: usize| models.get(number).copied().flatten().map(|(id, _)| id);
        self.front.pending.loads.take_scene();
        let Some(shown) = self.front.content.model_mut() else { return };
        let scene = &mut shown.scene;
        *scene = StageScene {
            main: saved.main,
            side_by_side: saved.side_by_side,
            list_is_open: saved.list_is_open,
            ..StageScene::default()
        };
        let selected = saved.selected.and_then(id_of);
        for ((id, model), saved) in
            models.iter().zip(saved.models).filter_map(|(model, saved)| Some(((*model)?, saved)))
        {
            let to = saved.attached.as_ref().and_then(|attached| match attached.to {
                Some(number) => id_of(number).map(SceneMember::Other),
                None => Some(SceneMember::Main),
            });
            if let Some((to, attached)) = to.zip(saved.attached.as_ref()) {
                scene.attaching.push((id, Attachment { to, anchor: attached.anchor, name: attached.name.clone() }));
            }
            scene.returning.push(ReturningModel { id, clip: model.clip, is_selected: selected == Some(id), saved });
        }
        for (id, model) in models.into_iter().flatten() {
            self.front.request(core, model.place, Purpose::SceneModel(id));
        }
        self.front.scene_changed();
        self.bring_textures_back(core, textures);
    }

    fn bring_textures_back(&mut self, core: &mut Core, textures: Vec<(TextureSource, Vec<SavedTexturePlace>)>) {
        let Some(model) = self.front.model().map(|shown| shown.model.clone()) else { return };
        let Some(target) = self.target_in_front(core) else { return };
        for (source, saved) in textures {
            let mut places = Vec::with_capacity(saved.len());
            for saved in &saved {
                match texture_place(&model, saved) {
                    Some(place) => places.push(place),
                    None => {
                        let text =
                            format!("cannot restore a texture: material {} no longer uses a texture", saved.name);
                        core.log.push(LogEntry::new(Severity::Warning, &model.name, text));
                    }
                }
            }
            if places.is_empty() {
                continue;
            }
            self.front.content.model_mut().into_iter().for_each(|shown| shown.textures.returning += 1);
            match source {
                TextureSource::Picture(path) => self.front.read_texture_file(core, &target, path, places, true),
                TextureSource::Entry(place) => self.front.read_texture(core, &target, place, places, true),
            }
        }
    }
}

impl Stage {
    /// A model has come that stood in the scene in front.
    pub(crate) fn stand_as_saved(&mut self, core: &mut Core, returning: ReturningModel) {
        let ReturningModel { id, clip, is_selected, saved } = returning;
        let Some(shown) = self.content.kept_model_mut() else { return };
        let can_follow = shown.scene.model(id).is_some_and(|model| shown.shared_bones(model).1);
        let scene = &mut shown.scene;
        if is_selected {
            scene.selected = Some(id);
        }
        let Some(model) = scene.model_mut(id) else { return };
        model.look = saved.look;
        model.own_clock = saved.own_clock;
        model.follows = saved.follows && can_follow;
        model.player.set_loop_mode(saved.loop_mode);
        model.returning = clip.map(|clip| ReturningClip {
            clip,
            frame: saved.frame,
            playing: saved.playing,
            loop_mode: saved.loop_mode,
            own_clock: saved.own_clock,
        });
        if saved.follows && !can_follow {
            let name = self.scene_name(core, SceneMember::Other(id));
            let text = "does not follow the pose of the main model: the bones no longer match";
            core.log.push(LogEntry::new(Severity::Warning, &name, text));
        }
        self.attach_returned(core);
        if clip.is_some() {
            self.play_in_scene(core, id, clip);
        }
    }

    /// Hangs on each other what did so, where both are there.
    fn attach_returned(&mut self, core: &mut Core) {
        let is_there = |scene: &StageScene, member| match member {
            SceneMember::Main => true,
            SceneMember::Other(id) => scene.model(id).is_some(),
        };
        let Some(shown) = self.content.kept_model_mut() else { return };
        let scene = &mut shown.scene;
        let waiting = std::mem::take(&mut scene.attaching);
        let (ready, waiting): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(id, to)| is_there(scene, SceneMember::Other(*id)) && is_there(scene, to.to));
        scene.attaching = waiting;
        for (id, to) in ready {
            let Some(shown) = self.content.kept_model_mut() else { return };
            let on = match to.to {
                SceneMember::Main => Some(shown.model.clone()),
                SceneMember::Other(id) => shown.scene.model(id).map(|model| model.model.clone()),
            };
            let Some(anchor) = on.and_then(|on| anchor_named(&on, to.anchor, &to.name)) else {
                let (name, other) = (self.scene_name(core, SceneMember::Other(id)), self.scene_name(core, to.to));
                let text = format!("no longer attached: {other} has no bone or socket {}", to.name);
                core.log.push(LogEntry::new(Severity::Warning, &name, text));
                continue;
            };
            let is_circle = self.scene().is_some_and(|scene| scene.hangs_on(to.to, id));
            if let Some(model) = self.scene_model_mut(id).filter(|_| !is_circle) {
                model.attached = Some(Attachment { anchor, ..to });
            }
        }
    }
}

impl Core {
    /// Looks among the open files for what stood beside a model and on it; what is gone is told in the log. `None` where nothing
    /// did.
    pub(crate) fn scene_of(&mut self, restoring: &Restoring, stage: &SavedStage, on: Place) -> Option<ComingScene> {
        if stage.scene == SavedScene::default() && stage.textures.is_empty() {
            return None;
        }
        let mut models = Vec::with_capacity(stage.scene.models.len());
        for saved in &stage.scene.models {
            let place = saved.place.as_ref()?;
            let found = self.place_of(restoring, place).filter(|place| self.content_of(*place) == Content::Model);
            if found.is_none() {
                self.tell_what_is_gone(restoring, place, "a model in the scene");
            }
            let clip = saved.clip.as_ref().and_then(|clip| {
                let found = self.place_of(restoring, clip);
                if found.is_none() {
                    self.tell_what_is_gone(restoring, clip, "a clip in the scene");
                }
                found
            });
            models.push(found.map(|place| ComingModel { place, clip }));
        }
        let mut textures = Vec::new();
        for texture in &stage.textures {
            let source = match texture.image.as_ref()? {
                SavedImage::Picture(index) => {
                    let picture = restoring.view.pictures.get(*index).map(|picture| &picture.path);
                    picture.filter(|path| !path.as_os_str().is_empty()).cloned().map(TextureSource::Picture)
                }
                SavedImage::Entry(place) => {
                    let found = self.place_of(restoring, place);
                    if found.is_none() {
                        self.tell_what_is_gone(restoring, place, "a texture of the model");
                    }
                    found.map(TextureSource::Entry)
                }
            };
            textures.extend(source.map(|source| (source, texture.places.clone())));
        }
        Some(ComingScene { on, scene: stage.scene.clone(), models, textures })
    }

    fn tell_what_is_gone(&mut self, restoring: &Restoring, place: &SavedPlace, what: &str) {
        let file = restoring.paths.get(place.file).map(|path| name_of(path)).unwrap_or_default();
        let entry = if place.entry.is_empty() { "the file".to_owned() } else { place.entry.clone() };
        let text = format!("cannot restore {what}: {entry} is missing");
        self.log.push(LogEntry::new(Severity::Warning, &file, text));
    }
}

/// The place of a texture in a model: of the material that was at its number where it still is, else of the one that is called so.
fn texture_place(model: &Model, saved: &SavedTexturePlace) -> Option<TexturePlace> {
    let is_same = |index: usize| model.materials.get(index).is_some_and(|material| material.name == saved.name);
    let number = saved.material as usize;
    let index = if is_same(number) { number } else { (0..model.materials.len()).find(|index| is_same(*index))? };
    let reads_texture = match &model.materials.get(index)?.kind {
        MaterialKind::Basic(_) => saved.slot == 0,
        MaterialKind::Tev(tev) => tev.textures.get(usize::from(saved.slot)).is_some_and(Option::is_some),
    };
    let material = MaterialIndex(u32::try_from(index).ok()?);
    reads_texture.then_some(TexturePlace { material, slot: saved.slot })
}
