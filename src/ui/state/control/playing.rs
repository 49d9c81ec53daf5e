//! Playing clips on the shown model.

use crate::{
    formats::{Content, EntryId, Severity},
    library::ClipFit,
    scene::{Binding, Clip, LayerIndex, LoopMode, Player, TargetKind, Translation, is_called_additive},
    ui::{
        command::{Command, LayerCommand, ModelCommand, TransportCommand},
        place::{Place, PlayMode, TimeOf},
        state::{
            core::Core,
            loads::Purpose,
            log::LogEntry,
            stage::{
                Stage,
                key_frames::next_key,
                playback::{ClipItem, next_mode},
            },
        },
    },
};
use std::sync::Arc;

impl Stage {
    /// Works out the pose at the player's time.
    pub(in crate::ui) fn pose(&mut self) {
        if let Some(shown) = self.content.model_mut() {
            shown.pose();
        }
        self.go_along();
        if let Some(shown) = self.content.model_mut() {
            shown.pose_scene();
        }
    }

    pub(in crate::ui) fn stop_clip(&mut self) {
        self.pending.loads.forget_main_clip();
        if let Some(playback) = self.playback_mut() {
            playback.stop();
        }
    }

    /// Keeps up with which bone is selected and which clip plays.
    pub(in crate::ui) fn note_bone_keys(&mut self) {
        if let Some(shown) = self.content.model_mut() {
            shown.playback.bone_keys.note(shown.playback.player.main(), shown.selected.joint);
        }
    }

    pub(crate) fn list_clips(&mut self, core: &mut Core, fits: &[ClipFit]) {
        let Some(playback) = self.playback_mut() else { return };
        playback.clips = core.clip_items(fits);
        if let Some((clip, how)) = self.pending.clip_after_model.take() {
            self.play_clip(core, clip, how);
        }
    }

    /// Loads a clip and plays it on the shown model.
    pub(crate) fn play_clip(&mut self, core: &mut Core, place: Place, how: PlayMode) {
        if core.file(place.file).is_none() {
            return;
        }
        let Some(playback) = self.playback_mut() else {
            // Nothing to play it on yet: find something.
            self.pending.clip_after_model = Some((place, PlayMode::Asked));
            return self.pair_clip(core, place);
        };
        if how != PlayMode::Join {
            playback.chosen = Some(place);
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
        let Some(shown) = self.content.model_mut() else { return };
        let playback = &mut shown.playback;
        playback.note_layer(&clip, place);
        let fit = binding.fit.clone();
        let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        if how == PlayMode::Join {
            let returning = playback.returning.iter().position(|returning| returning.place == place);
            let returning = returning.map(|at| playback.returning.remove(at));
            let plays = fit.plays() || returning.is_some() && fit.any();
            // What was chosen in the meantime stays.
            if plays && let Some(layer) = playback.player.join_clip(clip.clone(), binding) {
                if returning.is_none() {
                    playback.joined.push(clip);
                }
                if let Some(returning) = returning {
                    playback.bring_layer_back(layer, returning.state, &returning.clock);
                }
                playback.revision += 1;
            }
            return;
        }
        let meant = self.pending.meant;
        if how == PlayMode::Quiet && binding.additive() && !playback.options.additive {
            // It is added to other clips: by itself another one plays.
            playback.chosen = playback.playing;
            let same = playback.clips.iter_mut().find(|item| item.place == place);
            if let (Some(()), Some(next)) = (same.map(|item| item.is_additive = true), playback.first_to_play(meant)) {
                self.play_clip(core, next, PlayMode::Quiet);
            }
            return;
        }
        // One of another skeleton asks first, unless it is among the model's own.
        let item = playback.clips.iter().find(|item| item.place == place);
        let is_own = item.is_some_and(|item| item.belongs) || Some(place.file) == meant;
        let is_strange = !is_own && !fit.is_of_this_skeleton();
        let asks = !fit.plays() || how == PlayMode::Asked && is_strange;
        if asks && !matches!(how, PlayMode::Anyway | PlayMode::Again) || !fit.any() {
            playback.chosen = playback.playing;
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
            playback.player.replace_clip(clip.clone(), binding);
        } else {
            // What is said once about a file need not be said for each of its clips.
            let said = playback.playing.is_some_and(|p| p.file == place.file);
            let complete = fit.is_complete();
            if how == PlayMode::Anyway && is_strange {
                let before = playback.playing.filter(|before| *before != place);
                let back = before.map_or(ModelCommand::StopClip, ModelCommand::PlayAnyway);
                let entry = LogEntry::new(Severity::Info, &name, fit.to_string()).at(place);
                core.log.announce(entry.with_action("Undo", Command::Model(back)));
            } else if !said {
                let entry = LogEntry::new(Severity::Info, &name, fit.to_string()).at(place);
                if how == PlayMode::Quiet || complete { core.log.push(entry) } else { core.log.announce(entry) }
            }
            if !playback.loop_chosen {
                // A clip that the file plays once still loops here until the user says otherwise: something moves.
                playback.player.set_loop_mode(LoopMode::Loop);
            }
            playback.fade_from(&clip, core.settings.blend_secs);
            if clip.kind() == TargetKind::Joints {
                // What went by the name of the clip before goes with it.
                for joined in playback.joined.drain(..) {
                    playback.player.layer_of(&joined).into_iter().for_each(|layer| playback.player.remove(layer));
                }
            }
            playback.player.set_clip(clip.clone(), binding);
            playback.player.play();
        }
        (playback.playing, playback.chosen) = (Some(place), Some(place));
        playback.fit = Some(fit.clone());
        playback.refresh_ticks();
        if how != PlayMode::Again {
            self.frame_motion();
        }
        if matches!(how, PlayMode::Quiet | PlayMode::Asked) && self.pending.clip.is_none() {
            self.join_clips(core, place);
        }
        self.show_curves(core, place, clip.clone());
        let Some(playback) = self.playback_mut() else { return };
        playback.revision += 1;
        if playback.current().is_none() {
            playback.clips.push(ClipItem {
                place,
                name: clip.name.clone(),
                group: clip.group.clone(),
                reason: fit.to_string(),
                fit,
                kind: clip.kind(),
                belongs: true,
                is_named: false,
                same_name: false,
                is_additive: false,
            });
        }
    }

    /// Plays the clips of other kinds that go by the name of the one that plays, or of the model: its eyes with its walk; and with one
    /// of materials the others of its kind, which may drive other materials.
    pub(crate) fn join_clips(&mut self, core: &mut Core, main: Place) {
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
        let Some(shown) = self.model() else { return };
        let all = &shown.playback.clips;
        let Some(first) = all.iter().find(|c| c.place == main) else { return };
        let mut kinds = vec![first.kind];
        let names = [stem(&first.name), stem(&shown.model.name)];
        let is_part = |clip: &&ClipItem| {
            !matches!(clip.kind, TargetKind::Joints | TargetKind::Materials) && clip.fit.parts.is_some()
        };
        let clips = || all.iter().filter(|clip| clip.belongs).filter(is_part);
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
        if let Some(place) = self.playback().and_then(|playback| playback.playing) {
            self.play_clip(core, place, PlayMode::Again);
        }
    }

    pub(crate) fn next_clip(&mut self, core: &mut Core, by: i32) {
        // The second group is chosen from by name.
        let Some(playback) = self.playback() else { return };
        let any_belongs = playback.clips.iter().any(|c| c.belongs);
        let clips: Vec<Place> = playback.clips.iter().filter(|c| c.belongs || !any_belongs).map(|c| c.place).collect();
        let count = clips.len() as i64;
        if count == 0 {
            return;
        }
        let at = playback.chosen.and_then(|p| clips.iter().position(|c| *c == p));
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
        self.change_play_settings(|settings| settings.binding.translation = translation);
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

/// Returns the group of a clip in the list: its parent entry, else its file.
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

/// Speeds that the keys step through.
const SPEEDS: [f32; 9] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];

impl Stage {
    pub(crate) fn apply_transport(&mut self, core: &mut Core, command: TransportCommand) {
        match self.time_of() {
            Some(TimeOf::Sound) => {
                if let Some(shown) = self.content.sound_mut() {
                    shown.transport(&mut core.settings, command);
                }
            }
            Some(TimeOf::Picture) => {
                if let Some(shown) = self.content.image_mut() {
                    shown.transport(command);
                }
            }
            Some(TimeOf::Clip) => {
                if let Some(curves) = self.curves_mut() {
                    transport_of(&mut curves.alone, &curves.ticks, command);
                }
            }
            Some(TimeOf::Model) => self.transport_of_model(core, command),
            // A level has nothing but a time that goes on; else nothing has one.
            None if command == TransportCommand::TogglePlay => self.toggle_level_play(),
            None => {}
        }
    }

    fn transport_of_model(&mut self, core: &mut Core, command: TransportCommand) {
        use TransportCommand as C;
        self.note_bone_keys();
        let Some(playback) = self.playback_mut() else { return };
        // A frame that is gone to or held is that of the clip alone.
        if matches!(command, C::TogglePlay | C::Seek(_) | C::Step(_) | C::SeekStart | C::SeekEnd | C::StepKey(_)) {
            playback.fade = None;
        }
        match command {
            // Without a clip the first one that belongs to the model plays.
            C::TogglePlay if playback.playing.is_none() => self.next_clip(core, 1),
            C::SetLoop(mode) => playback.set_loop(mode),
            C::CycleLoop => playback.set_loop(next_mode(playback.player.loop_mode())),
            C::TogglePlay
            | C::Seek(_)
            | C::Step(_)
            | C::SeekStart
            | C::SeekEnd
            | C::SetSpeed(_)
            | C::Faster
            | C::Slower
            | C::Reverse
            | C::StepKey(_)
            | C::SetRange(..)
            | C::RangeFromHere
            | C::RangeToHere
            | C::ClearRange => {
                let keys = Some(playback.bone_keys.frames()).filter(|keys| !keys.is_empty()).unwrap_or(&playback.ticks);
                transport_of(&mut playback.player, keys, command);
            }
        }
        self.model_changed();
    }
}

/// Executes a command on a player. `keys`: frames with keys, ascending.
fn transport_of(player: &mut Player, keys: &[f32], command: TransportCommand) {
    use TransportCommand as C;
    match command {
        C::TogglePlay if player.playing => player.playing = false,
        C::TogglePlay => player.play(),
        C::Seek(frame) => player.seek(frame),
        C::Step(frames) => {
            player.playing = false;
            player.step(frames);
        }
        C::SeekStart => player.seek(0.0),
        C::SeekEnd => player.seek(f32::MAX),
        C::SetSpeed(speed) => player.speed = if speed.is_finite() { speed.clamp(-8.0, 8.0) } else { 1.0 },
        C::Faster => {
            let wanted = SPEEDS.into_iter().find(|s| *s > player.speed.abs() + 1e-3);
            player.speed = wanted.map_or(player.speed, |s| s.copysign(player.speed));
        }
        C::Slower => {
            let wanted = SPEEDS.into_iter().rev().find(|s| *s < player.speed.abs() - 1e-3);
            player.speed = wanted.map_or(player.speed, |s| s.copysign(player.speed));
        }
        C::SetLoop(mode) => player.set_loop_mode(mode),
        C::CycleLoop => player.set_loop_mode(next_mode(player.loop_mode())),
        C::Reverse => player.speed = -player.speed,
        C::StepKey(by) => {
            let last = player.clip().map_or(0.0, |clip| clip.last_frame());
            if let Some(frame) = next_key(keys, player.frame(), last, by) {
                player.playing = false;
                player.seek(frame);
            }
        }
        C::SetRange(first, last) => player.set_range(first, last),
        C::RangeFromHere => player.set_range_first(player.frame()),
        C::RangeToHere => player.set_range_last(player.frame()),
        C::ClearRange => player.clear_range(),
    }
}

impl Stage {
    /// Returns true if a clip plays on the shown model.
    pub fn plays(&self, place: Place) -> bool {
        self.playback().is_some_and(|playback| playback.plays(place))
    }

    pub(in crate::ui) fn change_layer(&mut self, layer: LayerIndex, change: LayerCommand) {
        let Some(playback) = self.playback_mut() else { return };
        playback.fade = None;
        let player = &mut playback.player;
        match change {
            LayerCommand::Seek(frame) => player.seek_layer(layer, frame),
            LayerCommand::SetLoop(mode) => player.set_layer_loop(layer, mode),
            LayerCommand::SetDetached(detached) => player.set_detached(layer, detached),
            LayerCommand::SetPlaying(playing) => player.set_layer_playing(layer, playing),
            LayerCommand::Remove => return self.remove_layer(layer),
        }
        playback.refresh_ticks();
        playback.revision += 1;
    }

    pub(in crate::ui) fn remove_layer(&mut self, layer: LayerIndex) {
        if let Some(playback) = self.playback_mut() {
            playback.remove_layer(layer);
            self.pending.loads.forget_main_clip();
        }
    }
}
