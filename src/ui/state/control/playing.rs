//! Playing clips on the shown model.

use crate::{
    formats::{Content, EntryId, Severity},
    library::ClipFit,
    scene::{Binding, Clip, Fit, LoopMode, PoseFade, TargetKind, Translation, is_called_additive},
    ui::{
        command::{Command, ModelCommand},
        place::Place,
        state::{
            core::Core,
            loads::Purpose,
            log::LogEntry,
            stage::{Stage, playback::ClipItem},
        },
        subject::PlayMode,
    },
};
use std::sync::Arc;

impl Stage {
    /// Works out the pose at the player's time.
    pub(in crate::ui) fn pose(&mut self) {
        if let Some(shown) = self.content.model() {
            let player = &self.playback.player;
            player.evaluate(&shown.model, &mut self.playback.frame);
            if let Some(fade) = &self.playback.fade {
                fade.apply(&shown.model, player.options, &mut self.playback.frame);
            }
            if let Some(worn) = self.textures.dress(shown, player.material_set()) {
                worn.follow(&mut self.playback.frame.materials);
            }
        }
        self.go_along();
        self.pose_scene();
    }

    pub(in crate::ui) fn stop_clip(&mut self) {
        self.playback.player.clear();
        self.playback.fade = None;
        self.playback.playing = None;
        self.playback.chosen = None;
        self.pending.loads.forget_main_clip();
        self.playback.fit = None;
        self.playback.ticks = Arc::default();
        self.playback.revision += 1;
    }

    /// A clip is about to take the place of one of its kind: the pose of that one becomes its own over so many seconds.
    pub(in crate::ui) fn fade_from(&mut self, clip: &Arc<Clip>, secs: f32) {
        let before = self.playback.player.layer(clip.kind());
        let moves_bones = matches!(clip.kind(), TargetKind::Joints | TargetKind::Morphs);
        self.playback.fade = before
            .filter(|before| moves_bones && !Arc::ptr_eq(&before.clip, clip))
            .and_then(|_| PoseFade::new(&self.playback.frame, secs));
    }

    /// Keeps up with which bone is selected and which clip plays.
    pub(in crate::ui) fn note_bone_keys(&mut self) {
        let joint = self.selected.joint.filter(|_| self.content.model().is_some());
        self.playback.bone_keys.note(self.playback.player.main(), joint);
    }

    pub(in crate::ui) fn set_loop(&mut self, mode: LoopMode) {
        self.playback.loop_chosen = true;
        self.playback.player.set_loop_mode(mode);
    }

    pub(crate) fn list_clips(&mut self, core: &mut Core, fits: &[ClipFit]) {
        self.playback.clips = core.clip_items(fits);
        if let Some((clip, how)) = self.playback.clip_after_model.take() {
            self.play_clip(core, clip, how);
        }
    }

    /// Loads a clip and plays it on the shown model.
    pub(crate) fn play_clip(&mut self, core: &mut Core, place: Place, how: PlayMode) {
        if core.file(place.file).is_none() {
            return;
        }
        if self.model().is_none() {
            // Nothing to play it on yet: find something.
            self.playback.clip_after_model = Some((place, PlayMode::Asked));
            self.pair_clip(core, place);
            return;
        }
        if how != PlayMode::Join {
            self.playback.chosen = Some(place);
        }
        self.request(core, place, Purpose::Play(how));
    }

    /// Plays a clip that was loaded for the shown model, if it fits.
    pub(crate) fn clip_ready(
        &mut self,
        core: &mut Core,
        place: Place,
        clip: Arc<Clip>,
        binding: Arc<Binding>,
        how: PlayMode,
    ) {
        self.note_layer(&clip, place);
        let fit = binding.fit.clone();
        let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        if how == PlayMode::Join {
            let returning = self.playback.returning.iter().position(|returning| returning.place == place);
            let returning = returning.map(|at| self.playback.returning.remove(at));
            let plays = fit.plays() || returning.is_some() && fit.any();
            // What was chosen in the meantime stays.
            if plays && let Some(layer) = self.playback.player.join_clip(clip.clone(), binding) {
                if returning.is_none() {
                    self.playback.joined.push(clip);
                }
                if let Some(returning) = returning {
                    self.playback.bring_layer_back(layer, returning.state, &returning.clock);
                }
                self.playback.revision += 1;
            }
            return;
        }
        if how == PlayMode::Quiet && binding.additive() && !self.playback.options.additive {
            // It is added to other clips: by itself another one plays.
            let playback = &mut self.playback;
            playback.chosen = playback.playing;
            let same = playback.clips.iter_mut().find(|item| item.place == place);
            if let (Some(()), Some(next)) = (same.map(|item| item.is_additive = true), playback.first_to_play()) {
                self.play_clip(core, next, PlayMode::Quiet);
            }
            return;
        }
        // One of another skeleton asks first, unless it is among the model's own.
        let item = self.playback.clips.iter().find(|item| item.place == place);
        let is_own = item.is_some_and(|item| item.belongs) || Some(place.file) == self.playback.meant;
        let is_strange = !is_own && !fit.is_of_this_skeleton();
        let asks = !fit.plays() || how == PlayMode::Asked && is_strange;
        if asks && !matches!(how, PlayMode::Anyway | PlayMode::Again) || !fit.any() {
            self.playback.chosen = self.playback.playing;
            // What played before and fits no longer is not asked for again.
            self.pending.clip.take_if(|coming| coming.place == place);
            if how != PlayMode::Quiet {
                let mut entry = LogEntry::new(Severity::Warning, &name, format!("{}: {fit}", clip.name)).at(place);
                if fit.any() {
                    entry = entry.with_action("Play anyway", Command::Model(ModelCommand::PlayAnyway(place)));
                }
                core.log.announce(entry);
            }
            return;
        }
        if how == PlayMode::Again {
            self.playback.player.replace_clip(clip.clone(), binding);
        } else {
            // What is said once about a file need not be said for each of its clips.
            let said = self.playback.playing.is_some_and(|p| p.file == place.file);
            let complete = fit.is_complete();
            if how == PlayMode::Anyway && is_strange {
                let before = self.playback.playing.filter(|before| *before != place);
                let back = before.map_or(ModelCommand::StopClip, ModelCommand::PlayAnyway);
                let entry = LogEntry::new(Severity::Info, &name, fit.to_string()).at(place);
                core.log.announce(entry.with_action("Undo", Command::Model(back)));
            } else if !said {
                let entry = LogEntry::new(Severity::Info, &name, fit.to_string()).at(place);
                if how == PlayMode::Quiet || complete { core.log.push(entry) } else { core.log.announce(entry) }
            }
            if !self.playback.loop_chosen {
                // A clip that the file plays once still loops here until the user says otherwise: something moves.
                self.playback.player.set_loop_mode(LoopMode::Loop);
            }
            self.fade_from(&clip, core.settings.blend_secs);
            if clip.kind() == TargetKind::Joints {
                // What went by the name of the clip before goes with it.
                let playback = &mut self.playback;
                for joined in playback.joined.drain(..) {
                    playback.player.layer_of(&joined).into_iter().for_each(|layer| playback.player.remove(layer));
                }
            }
            self.playback.player.set_clip(clip.clone(), binding);
            self.playback.player.play();
            self.frame_motion();
        }
        self.playback.playing = Some(place);
        self.playback.chosen = Some(place);
        self.playback.fit = Some(fit);
        self.playback.refresh_ticks();
        if matches!(how, PlayMode::Quiet | PlayMode::Asked) && self.pending.clip.is_none() {
            self.join_clips(core, place);
        }
        self.show_curves(core, place, clip.clone());
        self.playback.revision += 1;
        if self.playback.current().is_none() {
            self.playback.clips.push(ClipItem {
                place,
                name: clip.name.clone(),
                group: clip.group.clone(),
                fit: self.playback.fit.clone().unwrap_or_default(),
                kind: clip.kind(),
                belongs: true,
                is_named: false,
                same_name: false,
                is_additive: false,
                reason: self.playback.fit.as_ref().map(Fit::to_string).unwrap_or_default(),
            });
        }
    }

    /// Plays the clips of other kinds that go by the name of the one that plays, or of the model: its eyes with its walk; and with one
    /// of materials the others of its kind, which may drive other materials.
    pub(crate) fn join_clips(&mut self, core: &mut Core, main: Place) {
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
        let Some(first) = self.playback.clips.iter().find(|c| c.place == main) else { return };
        let mut kinds = vec![first.kind];
        let mut names = vec![stem(&first.name)];
        if let Some(shown) = self.model() {
            names.push(stem(&shown.model.name));
        }
        let is_part = |clip: &&ClipItem| {
            !matches!(clip.kind, TargetKind::Joints | TargetKind::Materials) && clip.fit.parts.is_some()
        };
        let clips = || self.playback.clips.iter().filter(|clip| clip.belongs).filter(is_part);
        let mut joined: Vec<Place> =
            clips().filter(|clip| clip.kind == first.kind && clip.place != main).map(|clip| clip.place).collect();
        for name in &names {
            for clip in clips().filter(|clip| stem(&clip.name) == *name) {
                if !kinds.contains(&clip.kind) {
                    kinds.push(clip.kind);
                    joined.push(clip.place);
                }
            }
        }
        for place in joined {
            self.play_clip(core, place, PlayMode::Join);
        }
    }

    /// Plays the same clip again, at the same time, with the switches as they are now.
    pub(crate) fn play_again(&mut self, core: &mut Core) {
        if let Some(place) = self.playback.playing {
            self.play_clip(core, place, PlayMode::Again);
        }
    }

    pub(crate) fn next_clip(&mut self, core: &mut Core, by: i32) {
        // The second group is chosen from by name.
        let any_belongs = self.playback.clips.iter().any(|c| c.belongs);
        let clips: Vec<Place> =
            self.playback.clips.iter().filter(|c| c.belongs || !any_belongs).map(|c| c.place).collect();
        let count = clips.len() as i64;
        if count == 0 {
            return;
        }
        let at = self.playback.chosen.and_then(|p| clips.iter().position(|c| *c == p));
        let next = match at {
            Some(at) => (at as i64 + i64::from(by)).rem_euclid(count),
            None if by < 0 => count - 1,
            None => 0,
        };
        if let Some(place) = clips.get(next as usize) {
            self.play_clip(core, *place, PlayMode::Asked);
        }
    }

    pub(crate) fn set_translation(&mut self, core: &mut Core, translation: Translation) {
        self.playback.options.translation = translation;
        self.play_again(core);
    }
}

impl Core {
    /// The clips that can be chosen for a model which they were held against.
    pub(crate) fn clip_items(&self, fits: &[ClipFit]) -> Vec<ClipItem> {
        let mut clips = Vec::new();
        for fit in fits {
            // Where numbers are all that a clip knows the model by, the user may know better.
            let usable = fit.fit.plays() || !fit.by_name && fit.fit.any();
            let id = self.library.at_path(&fit.file.path);
            let (true, Some(id)) = (usable, id) else { continue };
            let outline = fit.file.document.outline();
            // A bank's name is that of its file, which all of its clips share.
            let is_bank = fit.file.clips().nth(1).is_some();
            for entry in &fit.entries {
                let Some(found) = outline.get(*entry) else { continue };
                clips.push(ClipItem {
                    place: Place { file: id, entry: *entry },
                    name: if found.name.is_empty() { fit.file.name.clone() } else { found.name.to_string() },
                    group: group_of(&fit.file, found),
                    fit: fit.fit.clone(),
                    kind: fit.kind,
                    belongs: fit.belongs(),
                    is_named: fit.kinship.is_named(),
                    same_name: fit.kinship.same_name && (!is_bank || fit.file.document.container().is_some()),
                    is_additive: is_called_additive(&found.name),
                    reason: fit.reason(),
                });
            }
        }
        clips
    }
}

/// What the clip list groups an entry under: what the file says, else the file.
fn group_of(file: &crate::library::OpenFile, entry: &crate::formats::Entry) -> String {
    if entry.id == EntryId::FILE {
        // Files of one clip each stand together by their kind.
        return file.document.format().name.to_owned();
    }
    let outline = file.document.outline();
    let parent = entry.parent.and_then(|p| outline.get(p));
    match parent {
        Some(parent) if parent.content == Content::None && parent.parent.is_some() => {
            format!("{} · {}", file.name, parent.name)
        }
        _ => file.name.clone(),
    }
}
