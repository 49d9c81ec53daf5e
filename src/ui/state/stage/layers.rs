//! The clips of several kinds that play together: each with its own place, loop and clock.

use crate::{
    scene::{Clip, LayerIndex, LoopMode},
    ui::{command::LayerCommand, place::Place, state::stage::Stage},
};
use std::sync::Arc;

impl Stage {
    /// Remembers where a clip that is about to play lies.
    pub(in crate::ui) fn note_layer(&mut self, clip: &Arc<Clip>, place: Place) {
        let layers = self.playback.player.layers();
        self.playback.places.0.retain(|(known, _)| layers.iter().any(|l| Arc::ptr_eq(&l.clip, known)));
        self.playback.places.0.push((clip.clone(), place));
    }

    /// Whether a clip plays, on whatever kind of thing.
    pub fn plays(&self, place: Place) -> bool {
        let places = &self.playback.places;
        self.playback.player.layers().iter().any(|layer| places.of(layer) == Some(place))
    }

    pub(in crate::ui) fn change_layer(&mut self, layer: LayerIndex, change: LayerCommand) {
        self.playback.fade = None;
        let player = &mut self.playback.player;
        match change {
            LayerCommand::Seek(frame) => player.seek_layer(layer, frame),
            LayerCommand::SetLoop(mode) => player.set_layer_loop(layer, mode),
            LayerCommand::SetDetached(detached) => player.set_detached(layer, detached),
            LayerCommand::SetPlaying(playing) => player.set_layer_playing(layer, playing),
            LayerCommand::Remove => return self.remove_layer(layer),
        }
        self.playback.refresh_ticks();
        self.playback.revision += 1;
    }

    pub(in crate::ui) fn remove_layer(&mut self, layer: LayerIndex) {
        self.playback.player.remove(layer);
        let Some(main) = self.playback.player.main() else { return self.stop_clip() };
        let fit = main.binding.fit.clone();
        self.playback.playing = self.playback.places.of(main);
        self.playback.chosen = self.playback.playing;
        self.pending.loads.forget_main_clip();
        self.playback.fit = Some(fit);
        self.playback.refresh_ticks();
        self.playback.revision += 1;
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
