//! The clips of several kinds that play together: each with its own place, loop and clock.

use crate::{
    scene::{LayerIndex, LoopMode},
    ui::{command::LayerCommand, place::Place, state::stage::Stage},
};

impl Stage {
    /// Whether a clip plays on the shown model, whatever it animates.
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

/// The mode after this one, as the loop button goes through them.
pub fn next_mode(mode: LoopMode) -> LoopMode {
    match mode {
        LoopMode::Loop => LoopMode::PingPong,
        LoopMode::PingPong => LoopMode::Once,
        LoopMode::Once => LoopMode::OnceReset,
        LoopMode::OnceReset => LoopMode::OnceForthAndBack,
        LoopMode::OnceForthAndBack => LoopMode::Loop,
    }
}
