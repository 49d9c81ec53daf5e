//! The clips of several kinds that play together: each with its own place, loop and clock.

use super::{Place, State};
use crate::{
    scene::{Clip, LoopMode, PlayerLayer, TargetKind},
    ui::command::LayerCommand,
};
use std::sync::Arc;

/// Where the clips that play were found.
#[derive(Default)]
pub struct LayerPlaces(Vec<(Arc<Clip>, Place)>);

impl LayerPlaces {
    pub fn of(&self, layer: &PlayerLayer) -> Option<Place> {
        self.0.iter().find(|(clip, _)| Arc::ptr_eq(clip, &layer.clip)).map(|(_, place)| *place)
    }
}

impl State {
    /// Remembers where a clip that is about to play lies.
    pub(super) fn note_layer(&mut self, clip: &Arc<Clip>, place: Place) {
        let layers = self.stage.playback.player.layers();
        self.stage.playback.places.0.retain(|(known, _)| layers.iter().any(|l| Arc::ptr_eq(&l.clip, known)));
        self.stage.playback.places.0.push((clip.clone(), place));
    }

    /// Whether a clip plays, on whatever kind of thing.
    pub fn plays(&self, place: Place) -> bool {
        let places = &self.stage.playback.places;
        self.stage.playback.player.layers().iter().any(|layer| places.of(layer) == Some(place))
    }

    pub(super) fn change_layer(&mut self, kind: TargetKind, change: LayerCommand) {
        let player = &mut self.stage.playback.player;
        match change {
            LayerCommand::Seek(frame) => player.seek_layer(kind, frame),
            LayerCommand::SetLoop(mode) => player.set_layer_loop(kind, mode),
            LayerCommand::SetDetached(detached) => player.set_detached(kind, detached),
            LayerCommand::SetPlaying(playing) => player.set_layer_playing(kind, playing),
            LayerCommand::Remove => return self.remove_layer(kind),
        }
        self.stage.playback.refresh_ticks();
        self.stage.playback.revision += 1;
    }

    fn remove_layer(&mut self, kind: TargetKind) {
        self.stage.playback.player.remove(kind);
        let Some(main) = self.stage.playback.player.main() else { return self.stop_clip() };
        let fit = main.binding.fit.clone();
        self.stage.playback.playing = self.stage.playback.places.of(main);
        self.stage.playback.wanted_clip = self.stage.playback.playing;
        self.stage.playback.fit = Some(fit);
        self.stage.playback.refresh_ticks();
        self.stage.playback.revision += 1;
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
