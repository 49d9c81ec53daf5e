//! Restoring the other models of a scene, and replaced textures of a model.

use crate::{
    formats::{Content, Severity},
    scene::{MaterialIndex, MaterialKind, Model, TexturePlace},
    ui::{
        place::{Place, TextureSource},
        saved_view::{SavedImage, SavedPlace, SavedScene, SavedStage, SavedTexturePlace},
        scene_member::{Attachment, SceneMember, SceneModelId},
        state::{
            control::opening::name_of,
            core::Core,
            loads::Purpose,
            log::LogEntry,
            stage::{
                Stage,
                pending::{ComingModel, ComingScene, ReturningClip, ReturningModel},
                scene::{StageScene, anchor_named},
            },
            stages::Stages,
            unfinished::Restoring,
        },
    },
};
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
