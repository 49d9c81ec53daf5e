//! Playback commands, for models, clips, pictures, sounds and levels.

use crate::{
    scene::Player,
    ui::{
        command::TransportCommand,
        state::{
            core::Core,
            stage::{Stage, key_frames::next_key, layers::next_mode},
        },
        subject::TimeOf,
    },
};

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
