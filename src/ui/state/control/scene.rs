//! Adding models to the scene of a stage, attaching and removing them.

use crate::{
    formats::{Content, EntryId, Severity},
    library::primary,
    scene::Model,
    ui::{
        command::{Command, SceneCommand},
        place::{Place, PlayMode},
        scene_member::{Anchor, Attachment, MAX_MODELS, SceneLook, SceneMember, SceneModelId},
        state::{
            core::Core,
            loads::Purpose,
            log::LogEntry,
            stage::{
                Stage,
                scene::{SceneModel, StageScene, name_of},
            },
            stages::Stages,
            works::AskedBy,
        },
    },
};
use std::{path::PathBuf, sync::Arc};

impl Stages {
    /// Reloads models in scenes whose files have changed.
    pub(crate) fn refresh_scenes(&mut self, core: &mut Core) {
        self.iter_mut().for_each(|stage| stage.refresh_scene(core));
    }
}

impl Stage {
    /// Adds a model to the scene of the stage.
    pub(crate) fn add_to_scene(&mut self, core: &mut Core, place: Place) {
        let Some(file) = core.file(place.file).cloned() else { return };
        let Some(place) = core.model_in(place) else {
            let text = "the file contains no model to add to the scene";
            return core.log.announce(LogEntry::new(Severity::Info, &file.name, text).at(place));
        };
        if self.model().is_none() {
            let is_model = |place: &Place| core.model_in(*place) == Some(*place);
            match self.pending.loads.shown().filter(is_model) {
                // It is added when the main model is loaded.
                Some(_) => self.pending.joins.push(place),
                None => self.show(core, place),
            }
            return;
        }
        let Some(scene) = self.scene() else { return };
        let is_new = |id: &SceneModelId| scene.model(*id).is_none();
        let waiting = self.pending.loads.scene_models().filter(is_new).count();
        if scene.models.len().saturating_add(waiting) >= MAX_MODELS {
            let text = format!("a scene can have at most {MAX_MODELS} added models. Remove one first");
            return core.log.announce(LogEntry::new(Severity::Info, &file.name, text));
        }
        let id = SceneModelId(core.works.fresh_id());
        self.request(core, place, Purpose::SceneModel(id));
    }

    pub(crate) fn scene_model_loaded(&mut self, core: &mut Core, id: SceneModelId, place: Place, model: Arc<Model>) {
        let generation = core.works.fresh_id();
        let source = core.file(place.file).map(Arc::downgrade).unwrap_or_default();
        let Some(shown) = self.content.kept_model_mut() else { return };
        let scene = &mut shown.scene;
        let returning = scene.returning.iter().position(|returning| returning.id == id);
        let returning = returning.map(|at| scene.returning.remove(at));
        if let Some(known) = scene.model_mut(id) {
            known.replace(place, model.clone(), source, generation);
            scene.find_anchors(SceneMember::Other(id), &model);
            // The binding of a clip that is being loaded is for the previous version of the model.
            let playing = scene.model(id).and_then(|model| model.playing);
            if let Some(clip) = self.pending.loads.scene_clip(id).or(playing) {
                self.play_in_scene(core, id, Some(clip));
            }
        } else {
            scene.insert(SceneModel::new(id, place, model, source, generation));
            if returning.is_none() {
                scene.selected = Some(id);
                scene.list_is_open = true;
            }
        }
        self.link_scene();
        if let Some(returning) = returning {
            self.stand_as_saved(core, returning);
            self.scene_changed();
            return self.find_clips_in_scene(core, id);
        }
        self.scene_changed();
        self.find_clips_in_scene(core, id);
        self.frame_motion();
        self.tell_of_scene_model(core, id);
    }

    /// Says what can be done with a model that was added.
    fn tell_of_scene_model(&mut self, core: &mut Core, id: SceneModelId) {
        let name = self.scene_name(core, SceneMember::Other(id));
        let Some(shown) = self.model() else { return };
        let Some(model) = shown.scene.model(id).filter(|model| model.attached.is_none() && !model.follows) else {
            return;
        };
        let (shared, fits) = shown.shared_bones(model);
        let bones = model.model.joint_count();
        let on_stage = |command| Command::OnStage(self.id, Box::new(Command::Scene(command)));
        let entry = LogEntry::new(Severity::Info, &name, "");
        if fits {
            let text = format!("added to the scene: {shared} of {bones} bones match the main model");
            let follow = on_stage(SceneCommand::SetFollows(id, true));
            let entry = LogEntry { message: text, ..entry }.with_action("Follow pose", follow);
            return core.log.announce(entry);
        }
        if let Some(bone) = self.selected_bone() {
            let text = format!("added to the scene. Bone {} is selected", bone.name);
            let attach = on_stage(SceneCommand::AttachToSelectedBone(Some(id)));
            let entry = LogEntry { message: text, ..entry }.with_action("Attach to the selected bone", attach);
            return core.log.announce(entry);
        }
        core.log.push(LogEntry { message: "added to the scene".to_owned(), ..entry });
    }

    /// Something about the scene is seen in the picture.
    pub(crate) fn scene_changed(&mut self) {
        if let Some(shown) = self.content.model_mut() {
            shown.scene_changed();
        }
        self.pose();
    }

    /// Opens files whose models are added to the scene.
    pub(crate) fn open_for_scene(&mut self, core: &mut Core, paths: Vec<PathBuf>) {
        if self.model().is_none() {
            return core.open(paths);
        }
        if let Some(work) = core.open_in_background(paths, AskedBy::Person)
            && let Some(work) = core.works.get_mut(work)
        {
            work.joins_scene = true;
        }
    }

    /// A model was dropped and has taken the place of another: it can stand beside that one instead.
    pub(crate) fn offer_to_join(&mut self, core: &mut Core, main: Place, added: Place) {
        let name = |place: Place| core.file(place.file).map(|file| file.name.clone()).unwrap_or_default();
        let text = format!("replaced {}. Hold Alt while dropping to show both", name(main));
        let join = Command::Scene(SceneCommand::Join { main, added });
        let join = Command::OnStage(self.id, Box::new(join));
        let entry = LogEntry::new(Severity::Info, &name(added), text);
        core.log.announce(entry.with_action("Add to the scene", join));
    }

    /// The model of the stage is there: what was to stand beside it comes too.
    pub(crate) fn add_waiting_to_scene(&mut self, core: &mut Core) {
        for place in std::mem::take(&mut self.pending.joins) {
            self.add_to_scene(core, place);
        }
    }

    pub(crate) fn remove_from_scene(&mut self, id: SceneModelId) {
        self.pending.loads.forget_scene_model(id);
        if let Some(shown) = self.content.model_mut() {
            shown.scene.models.retain(|model| model.id != id);
            shown.scene.let_go();
        }
        self.scene_changed();
    }

    /// Hangs a model on another one, unless they would hang on each other.
    pub(crate) fn attach(&mut self, core: &mut Core, id: SceneModelId, to: Option<Attachment>) {
        if let Some(to) = &to
            && self.scene().is_some_and(|scene| scene.hangs_on(to.to, id))
        {
            let name = self.scene_name(core, SceneMember::Other(id));
            let text = match to.to == SceneMember::Other(id) {
                true => "cannot be attached to itself".to_owned(),
                false => {
                    let other = self.scene_name(core, to.to);
                    format!("cannot be attached to {other}: {other} is attached to this model")
                }
            };
            return core.log.announce(LogEntry::new(Severity::Warning, &name, text));
        }
        let Some(model) = self.scene_model_mut(id) else { return };
        // What follows a pose stands where that is.
        model.follows &= to.is_none();
        model.attached = to;
        self.scene_changed();
    }

    /// The selected bone of the main model, to hang something on.
    pub fn selected_bone(&self) -> Option<Attachment> {
        let shown = self.model()?;
        let anchor = Anchor::Joint(shown.selected.joint?);
        let name = name_of(&shown.model, anchor)?.to_owned();
        Some(Attachment { to: SceneMember::Main, anchor, name })
    }

    pub(crate) fn attach_to_selected_bone(&mut self, core: &mut Core, id: Option<SceneModelId>) {
        let selected = |scene: &StageScene| scene.selected.or(scene.models.last().map(|model| model.id));
        let Some(id) = id.or(self.scene().and_then(selected)) else {
            let text = "There is nothing to attach. Add another model to the scene first";
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        };
        match self.selected_bone() {
            Some(bone) => self.attach(core, id, Some(bone)),
            None => {
                let text = "Select a bone of the main model first, in the viewport or in the library";
                core.log.announce(LogEntry::new(Severity::Info, "", text));
            }
        }
    }

    /// Selects a model in the list, and its entry in the library. A bone that is selected stays so: something may be attached to it.
    pub(crate) fn select_in_scene(&mut self, core: &mut Core, member: SceneMember) {
        let (id, place) = match member {
            SceneMember::Main => (None, self.model().map(|shown| shown.place)),
            SceneMember::Other(id) => {
                (Some(id), self.scene().and_then(|scene| scene.model(id)).map(|model| model.place))
            }
        };
        let Some(place) = place else { return };
        let joint = self.selected().joint;
        self.select(core, place);
        if let Some(shown) = self.content.model_mut() {
            (shown.selected.joint, shown.selected.part) = (joint, None);
            shown.scene.selected = id;
            shown.playback.revision += 1;
        }
    }

    /// Makes the stage be about another model of its scene; the one before takes that one's place.
    pub(crate) fn make_main(&mut self, core: &mut Core, id: SceneModelId) {
        let Some(shown) = self.content.model_mut() else { return };
        let Some(chosen) = shown.scene.model(id) else { return };
        if chosen.place == shown.place {
            // It is the same model already.
            return self.select_in_scene(core, SceneMember::Other(id));
        }
        let (place, model, look, clip) = (chosen.place, chosen.model.clone(), chosen.look, chosen.playing);
        let before = SceneModelId(core.works.fresh_id());
        let generation = core.works.fresh_id();
        let source = core.file(shown.place.file).map(Arc::downgrade).unwrap_or_default();
        let (view, playing) = (self.view.clone(), shown.playback.playing);
        let mut scene = std::mem::take(&mut shown.scene);
        scene.models.retain(|other| other.id != id);
        for attached in scene.models.iter_mut().filter_map(|other| other.attached.as_mut()) {
            attached.to = match attached.to {
                SceneMember::Main => SceneMember::Other(before),
                SceneMember::Other(other) if other == id => SceneMember::Main,
                other => other,
            };
        }
        let mut old = SceneModel::new(before, shown.place, shown.model.clone(), source, generation);
        old.look = std::mem::replace(&mut scene.main, look);
        scene.models.insert(0, old);
        scene.selected = None;
        self.pending.loads.forget_scene_model(id);
        let waiting = self.pending.loads.take_scene();
        self.put_on_show(core, place, model);
        // Requests for a scene of the history, which this scene replaces.
        self.pending.loads.take_scene();
        self.pending.loads.put_back(waiting);
        // One looks on from where one was.
        (self.view.camera, self.view.camera_touched) = (view.camera, view.camera_touched);
        self.pending.clip_after_model = clip.map(|clip| (clip, PlayMode::Asked));
        if let Some(shown) = self.content.model_mut() {
            shown.scene = scene;
            shown.link_scene();
            let models = shown.scene.models.iter();
            let follow: Vec<bool> = models.map(|model| model.follows && shown.shared_bones(model).1).collect();
            shown.scene.models.iter_mut().zip(follow).for_each(|(model, follows)| model.follows = follows);
        }
        self.select(core, place);
        self.find_clips_in_scene(core, before);
        if playing.is_some() {
            self.play_in_scene(core, before, playing);
        }
        self.scene_changed();
    }

    /// The same on the stage in front.
    pub(crate) fn refresh_scene(&mut self, core: &mut Core) {
        let is_old = |model: &&SceneModel| {
            let now = core.file(model.place.file).map(Arc::downgrade);
            now.is_some_and(|now| !now.ptr_eq(&model.source))
        };
        let Some(scene) = self.scene() else { return };
        let old = scene.models.iter().filter(is_old);
        let old: Vec<(SceneModelId, Place)> = old.map(|model| (model.id, model.place)).collect();
        for (id, place) in old {
            let whole = Place { entry: EntryId::FILE, ..place };
            match core.model_in(place).or_else(|| core.model_in(whole)) {
                Some(place) => self.request(core, place, Purpose::SceneModel(id)),
                None => self.remove_from_scene(id),
            }
        }
    }

    /// The models of the scene in front by name, the main one first.
    pub fn scene_names(&self, core: &Core) -> Vec<(SceneMember, String)> {
        self.scene_names_with(|place| {
            let Some(file) = core.file(place.file) else { return String::new() };
            let several = file.document.outline().with_content(Content::Model).nth(1).is_some();
            let entry = file.entry(place.entry).filter(|entry| several && !entry.name.is_empty());
            entry.map_or_else(|| file.name.clone(), |entry| entry.name.to_string())
        })
    }

    pub(crate) fn scene_name(&self, core: &Core, member: SceneMember) -> String {
        let names = self.scene_names(core);
        names.into_iter().find(|(known, _)| *known == member).map(|(_, name)| name).unwrap_or_default()
    }
}

impl Core {
    /// The model that an entry is or has, for a scene.
    pub(crate) fn model_in(&self, place: Place) -> Option<Place> {
        let file = self.file(place.file)?;
        let is_model = |entry: &EntryId| file.entry(*entry).is_some_and(|found| found.content == Content::Model);
        let found = Some(place.entry).filter(is_model).or_else(|| {
            let of_file = (place.entry == EntryId::FILE).then(|| primary(file).filter(is_model))?;
            of_file.or_else(|| file.models().next().map(|model| model.id))
        })?;
        Some(Place { entry: found, ..place })
    }
}

impl Stage {
    pub(crate) fn change_in_scene(&mut self, id: SceneModelId, change: impl FnOnce(&mut SceneModel)) {
        if let Some(model) = self.scene_model_mut(id) {
            change(model);
        }
        self.scene_changed();
    }

    /// Changes the scene, if a model is shown.
    pub(crate) fn with_scene_mut(&mut self, change: impl FnOnce(&mut StageScene)) {
        if let Some(shown) = self.content.model_mut() {
            change(&mut shown.scene);
        }
        self.scene_changed();
    }

    pub(crate) fn scene_model_mut(&mut self, id: SceneModelId) -> Option<&mut SceneModel> {
        self.content.kept_model_mut()?.scene.model_mut(id)
    }

    /// Compares the bones of the other models with those of the main one.
    pub(crate) fn link_scene(&mut self) {
        if let Some(shown) = self.content.model_mut() {
            shown.link_scene();
        }
    }

    /// Forgets a model of the scene that could not be loaded.
    pub(crate) fn forget_waiting(&mut self, id: SceneModelId) {
        if let Some(shown) = self.content.kept_model_mut() {
            shown.scene.forget_waiting(id);
        }
    }

    pub(crate) fn set_ghost(&mut self, member: SceneMember, ghost: Option<bool>) {
        self.change_look(member, |look| look.ghost = ghost.unwrap_or(!look.ghost));
    }

    /// Changes the appearance of a model of the scene.
    pub(crate) fn change_look(&mut self, member: SceneMember, change: impl FnOnce(&mut SceneLook)) {
        self.with_scene_mut(|scene| {
            if let Some(look) = scene.look_mut(member) {
                change(look);
            }
        });
    }
}
