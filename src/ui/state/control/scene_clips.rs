//! Clips and poses of the models that were added to a scene.

use crate::{
    formats::Severity,
    library::{ClipFit, Home, OpenFile, fits_for},
    scene::{Aabb, Binding, Clip, Frame, Player},
    ui::{
        place::{FileId, Place},
        scene_member::{SceneMember, SceneModelId},
        state::{
            core::Core,
            loads::Purpose,
            log::LogEntry,
            message::Message,
            stage::{
                Stage,
                model::ModelStage,
                scene::{Leader, SceneModel, StageScene, name_of, place_of},
            },
        },
    },
};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

impl Stage {
    /// Looks among the open files for clips that fit a model of the scene.
    pub(crate) fn find_clips_in_scene(&mut self, core: &mut Core, id: SceneModelId) {
        let revision = core.library.revision();
        let Some(model) = self.scene_model_mut(id) else { return };
        model.clips_revision = revision;
        let (place, generation, held) = (model.place, model.generation, model.model.clone());
        let Some(file) = core.file(place.file).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = core.library.files.iter().map(|opened| opened.file.clone()).collect();
        let sender = self.stage_sender(core);
        core.works.run_apart(format!("Looking for clips of {}", file.name), move |cx| {
            let home = Home::of_model(&file, place.entry);
            let fits = fits_for(&open, &held, &home, cx.cancel());
            sender.send(Message::SceneFits { id, generation, revision, fits });
        });
    }

    pub(crate) fn scene_fits_found(
        &mut self,
        core: &mut Core,
        id: SceneModelId,
        generation: u64,
        revision: u64,
        fits: &[ClipFit],
    ) {
        let clips = core.clip_items(fits);
        // A search that began later may have ended before.
        let is_last = |model: &&mut SceneModel| model.generation == generation && model.clips_revision == revision;
        if let Some(model) = self.scene_model_mut(id).filter(is_last) {
            model.clips = clips;
        }
    }

    /// Plays a clip on a model of the scene; `None`: its bind pose.
    pub(crate) fn play_in_scene(&mut self, core: &mut Core, id: SceneModelId, place: Option<Place>) {
        let Some(model) = self.scene_model_mut(id) else { return };
        model.returning.take_if(|returning| Some(returning.clip) != place);
        let Some(place) = place else {
            model.stop_clip();
            self.pending.loads.forget_scene_clip(id);
            return self.scene_changed();
        };
        self.request(core, place, Purpose::SceneClip(id));
    }

    /// Plays a clip that was loaded for a model of the scene.
    pub(crate) fn scene_clip_ready(
        &mut self,
        core: &mut Core,
        id: SceneModelId,
        place: Place,
        clip: Arc<Clip>,
        binding: Arc<Binding>,
    ) {
        let has_clock = self.playback().is_some_and(|playback| playback.player.clip().is_some());
        let name = self.scene_name(core, SceneMember::Other(id));
        let Some(model) = self.scene_model_mut(id) else { return };
        let returning = model.returning.take();
        if !binding.fit.any() {
            let text = format!("{}: {}", clip.name, binding.fit);
            return core.log.announce(LogEntry::new(Severity::Warning, &name, text).at(place));
        }
        if model.playing == Some(place) {
            model.player.replace_clip(clip, binding);
        } else {
            model.player.set_clip(clip, binding);
            // Where the main model stands still there is no clock to go by.
            model.own_clock |= !has_clock;
            model.player.play();
        }
        if let Some(returning) = returning {
            // Whether there is a clock to go by yet says nothing.
            model.own_clock = returning.own_clock;
            model.player.set_loop_mode(returning.loop_mode);
            model.player.seek(returning.frame);
            model.player.playing = returning.playing;
        }
        model.playing = Some(place);
        model.dress();
        self.scene_changed();
    }

    /// Binds the clip of a reloaded model again.
    pub(crate) fn replay_in_scene(&mut self, core: &mut Core, id: SceneModelId) {
        if let Some(place) = self.scene().and_then(|scene| scene.model(id)).and_then(|model| model.playing) {
            self.play_in_scene(core, id, Some(place));
        }
    }
}

impl Stage {
    /// Lets time pass for models with clocks of their own.
    pub(crate) fn advance_scene(&mut self, passed_secs: f32) {
        let Some(shown) = self.content.model_mut() else { return };
        let mut moved = false;
        for model in shown.scene.models.iter_mut().filter(|model| model.is_moving()) {
            model.player.advance(passed_secs);
            moved = true;
        }
        if moved {
            shown.playback.revision += 1;
        }
    }

    /// The box around a box of the main model and all other models that are seen, in the scene.
    pub(crate) fn with_scene(&self, bounds: Aabb) -> Aabb {
        let Some(scene) = self.scene() else { return bounds };
        let seen = scene.models.iter().filter(|model| model.look.visible);
        let boxes = seen.map(|model| model.bounds.transformed(&model.scene_from_model));
        boxes.filter(is_finite).fold(bounds, Aabb::union)
    }

    /// The stage shows something else: the scene is kept for the way back.
    pub(crate) fn leave_scene(&mut self) {
        self.pending.loads.take_scene();
        if let Some(shown) = self.content.kept_model_mut().filter(|shown| !shown.scene.models.is_empty()) {
            self.history.scene = Some((shown.place, std::mem::take(&mut shown.scene)));
        }
    }

    /// Restores the scene of a model that is shown again.
    pub(crate) fn restore_scene(&mut self, place: Place) {
        let Some(shown) = self.content.model_mut() else { return };
        if let Some((_, scene)) = self.history.scene.take_if(|(left, _)| *left == place) {
            let (returning, attaching) = (Vec::new(), Vec::new());
            shown.scene = StageScene { returning, attaching, posed: None, ..scene };
            shown.link_scene();
        }
    }

    /// Forgets what came from a file that is closed.
    pub(crate) fn forget_scene_of(&mut self, file: FileId) {
        self.history.scene.take_if(|(place, _)| place.file == file);
        self.pending.joins.retain(|place| place.file != file);
        let gone = self.pending.loads.take_of(file);
        self.forget_requests(gone);
        let left = self.history.scene.as_mut().map(|(_, scene)| scene);
        let shown = self.content.kept_model_mut().map(|shown| &mut shown.scene);
        for scene in shown.into_iter().chain(left) {
            let count = scene.models.len();
            scene.models.retain(|model| model.place.file != file);
            for model in &mut scene.models {
                model.clips.retain(|clip| clip.place.file != file);
                if model.playing.is_some_and(|place| place.file == file) {
                    model.stop_clip();
                }
            }
            if scene.models.len() < count {
                scene.let_go();
            }
            scene.changed();
        }
        self.model_changed();
    }

    /// The models of the scene by name, the main one first; several of one name are numbered.
    pub fn scene_names_with(&self, name_of_place: impl Fn(Place) -> String) -> Vec<(SceneMember, String)> {
        let Some(shown) = self.model() else { return Vec::new() };
        let main = std::iter::once((SceneMember::Main, shown.place));
        let others = shown.scene.models.iter().map(|model| (SceneMember::Other(model.id), model.place));
        let mut names: Vec<(SceneMember, String)> = Vec::new();
        for (member, place) in main.chain(others) {
            let name = name_of_place(place);
            let same = names.iter().filter(|(_, known)| is_numbered(known, &name)).count();
            let numbered = if same > 0 { format!("{name} ({})", same + 1) } else { name };
            names.push((member, numbered));
        }
        names
    }
}

impl ModelStage {
    /// Returns true if the bone or socket that a model is attached to does not exist.
    pub fn hangs_on_nothing(&self, model: &SceneModel) -> bool {
        let Some(attached) = &model.attached else { return false };
        let on = match attached.to {
            SceneMember::Main => Some(&self.model),
            SceneMember::Other(id) => self.scene.model(id).map(|other| &other.model),
        };
        on.is_none_or(|on| name_of(on, attached.anchor).is_none())
    }
}

impl StageScene {
    /// Computes the poses and placements of all added models from the pose of the main one.
    pub(in crate::ui) fn pose(&mut self, shown: Leader<'_>, frame: &Frame, player: &Player) {
        // Within a range all start over together; otherwise each loop is its own.
        let in_range = player.range().map(|_| f64::from(player.time_secs()));
        let clock_secs = in_range.or(player.clock_secs());
        let needed: Vec<bool> = self.models.iter().map(|model| self.is_needed(model)).collect();
        for (model, is_needed) in self.models.iter_mut().zip(needed) {
            if !is_needed {
                continue;
            }
            if let Some(secs) = clock_secs.filter(|_| !model.own_clock) {
                model.player.follow_clock(secs);
            }
            model.player.evaluate(&model.model, &mut model.frame);
            if model.follows {
                model.link_to(shown);
                if let Some((_, link)) = &model.link {
                    link.apply(&model.model, frame, &mut model.frame);
                }
            }
        }
        let free = self.free_places(&shown.bounds);
        let all = 0..self.models.len();
        let places: Vec<Affine3A> = all.map(|at| self.place_of(shown, frame, at, &free)).collect();
        for (model, place) in self.models.iter_mut().zip(places) {
            model.scene_from_model = place;
        }
    }

    /// Returns the placement of a model: follows the chain of attachments.
    fn place_of(&self, shown: Leader<'_>, frame: &Frame, mut at: usize, free: &[f32]) -> Affine3A {
        let mut place = Affine3A::IDENTITY;
        // No longer than the way through all of them: a circle ends here.
        for _ in 0..=self.models.len() {
            let Some(model) = self.models.get(at) else { break };
            let above = model.attached.as_ref().and_then(|attached| match attached.to {
                SceneMember::Main => Some((place_of(shown.model, frame, attached.anchor)?, None)),
                SceneMember::Other(id) => {
                    let next = self.models.iter().position(|model| model.id == id)?;
                    let on = self.models.get(next)?;
                    Some((place_of(&on.model, &on.frame, attached.anchor)?, Some(next)))
                }
            });
            match above {
                Some((joint, None)) => return joint * place,
                Some((joint, Some(next))) => {
                    place = joint * place;
                    at = next;
                }
                None => {
                    let x = free.get(at).copied().unwrap_or_default();
                    return Affine3A::from_translation(Vec3::X * x) * place;
                }
            }
        }
        place
    }
}

/// Returns true if a name equals another one, possibly with a number after it.
fn is_numbered(known: &str, name: &str) -> bool {
    known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
}

fn is_finite(bounds: &Aabb) -> bool {
    bounds.min.is_finite() && bounds.max.is_finite()
}
