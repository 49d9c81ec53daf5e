//! The time of what is on the stage: one set of commands, whatever plays.

use crate::{
    scene::Player,
    ui::{
        command::TransportCommand,
        state::{
            core::Core,
            stage::{Stage, key_frames::next_key, layers::next_mode, sound::ShownSound},
        },
        subject::TimeOf,
    },
};

/// Speeds that the keys step through.
const SPEEDS: [f32; 9] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0];

impl Stage {
    pub(in crate::ui) fn transport_of_picture(&mut self, command: TransportCommand) {
        use TransportCommand as C;
        let Some(shown) = self.content.image_mut() else { return };
        match command {
            C::TogglePlay => shown.player.playing = !shown.player.playing,
            C::Seek(frame) => shown.seek(frame.max(0.0) as u64),
            C::Step(frames) => shown.step(i64::from(frames)),
            C::SeekStart => shown.seek(0),
            C::SeekEnd => shown.seek_end(),
            C::SetSpeed(speed) => shown.set_speed(speed),
            C::Faster => shown.change_speed(true),
            C::Slower => shown.change_speed(false),
            // It begins again by itself, or never ends.
            C::SetLoop(_) | C::CycleLoop => {}
            // Only clips run backwards and have keys and ranges.
            C::Reverse | C::StepKey(_) | C::SetRange(..) | C::RangeFromHere | C::RangeToHere | C::ClearRange => {}
        }
    }
}

impl Stage {
    pub(crate) fn apply_transport(&mut self, core: &mut Core, command: TransportCommand) {
        match self.time_of() {
            Some(TimeOf::Sound) => self.transport_of_sound(core, command),
            Some(TimeOf::Picture) => self.transport_of_picture(command),
            Some(TimeOf::Clip) => {
                let curves = &mut self.curves;
                transport_of(&mut curves.alone, &curves.ticks, command);
            }
            Some(TimeOf::Model) => self.transport_of_model(core, command),
            // A level has nothing but a time that goes on; else nothing has one.
            None if command == TransportCommand::TogglePlay => self.toggle_level_play(),
            None => {}
        }
    }

    fn transport_of_model(&mut self, core: &mut Core, command: TransportCommand) {
        use TransportCommand as C;
        // A frame that is gone to or held is that of the clip alone.
        if matches!(command, C::TogglePlay | C::Seek(_) | C::Step(_) | C::SeekStart | C::SeekEnd | C::StepKey(_)) {
            self.playback.fade = None;
        }
        match command {
            // Without a clip the first one that belongs to the model plays.
            C::TogglePlay if self.playback.playing.is_none() => self.next_clip(core, 1),
            C::SetLoop(mode) => self.set_loop(mode),
            C::CycleLoop => self.set_loop(next_mode(self.playback.player.loop_mode())),
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
                self.note_bone_keys();
                let playback = &mut self.playback;
                let keys = Some(playback.bone_keys.frames()).filter(|keys| !keys.is_empty()).unwrap_or(&playback.ticks);
                transport_of(&mut playback.player, keys, command);
            }
        }
        self.playback.revision += 1;
    }

    fn transport_of_sound(&mut self, core: &mut Core, command: TransportCommand) {
        use TransportCommand as C;
        let rate_hz = self.sound().and_then(ShownSound::pcm).map_or(1, |pcm| pcm.rate_hz);
        match command {
            C::TogglePlay => self.toggle_sound(),
            C::Seek(secs) => self.audio.seek((f64::from(secs.max(0.0)) * f64::from(rate_hz)).round() as usize),
            C::Step(secs) => {
                let by = i64::from(secs) * i64::from(rate_hz);
                let to = (self.audio.position() as i64).saturating_add(by).max(0);
                self.audio.seek(to as usize);
            }
            C::SeekStart => self.audio.seek(0),
            C::SeekEnd => self.audio.seek(usize::MAX),
            C::CycleLoop => self.toggle_sound_loop(core),
            // A sound is heard at its own speed, and its file says what repeats.
            C::SetSpeed(_) | C::Faster | C::Slower | C::SetLoop(_) => {}
            C::Reverse | C::StepKey(_) | C::SetRange(..) | C::RangeFromHere | C::RangeToHere | C::ClearRange => {}
        }
    }
}

/// What every player of clips does. `keys`: frames with keys, ascending.
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
