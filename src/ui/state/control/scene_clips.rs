//! Clips of the added models of a scene.

use crate::{
    formats::Severity,
    library::{ClipFit, Home, OpenFile, fits_for},
    scene::{Binding, Clip},
    ui::{
        place::Place,
        scene_member::{SceneMember, SceneModelId},
        state::{
            core::Core,
            loads::Purpose,
            log::LogEntry,
            message::Message,
            stage::{Stage, scene::SceneModel},
        },
    },
};
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

    /// A model was read anew: its clip is bound to it as it is now.
    pub(crate) fn replay_in_scene(&mut self, core: &mut Core, id: SceneModelId) {
        if let Some(place) = self.scene().and_then(|scene| scene.model(id)).and_then(|model| model.playing) {
            self.play_in_scene(core, id, Some(place));
        }
    }
}
