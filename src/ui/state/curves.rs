//! The clip whose curves are looked at: the one that plays, or one that was selected on its own.

use super::{
    Place, State, TimeOf, next_mode,
    playing::{held_speed, next_speed},
};
use crate::{
    scene::{Binding, Clip, Player, PlayerLayer, TargetKind},
    ui::command::Command,
};
use std::{collections::HashMap, sync::Arc};

/// The curves panel's clip.
#[derive(Default)]
pub struct Curves {
    pub shown: Option<ShownCurves>,
    /// Runs through a clip that plays on no model.
    alone: Player,
}

/// A clip whose curves are shown.
#[derive(Clone)]
pub struct ShownCurves {
    pub place: Place,
    pub clip: Arc<Clip>,
    /// Changes with every clip: what was worked out for the last one is of no use.
    pub generation: u64,
}

impl Curves {
    /// Whether a clip on its own runs.
    pub fn is_moving(&self) -> bool {
        self.alone.playing
    }

    /// What runs through a clip on its own.
    pub fn alone(&self) -> &Player {
        &self.alone
    }
}

impl State {
    /// Shows the curves of a clip; the panel comes up when somebody asks for it.
    pub(super) fn show_curves(&mut self, place: Place, clip: Arc<Clip>) {
        if self.stage.curves.shown.as_ref().is_some_and(|s| s.place == place && Arc::ptr_eq(&s.clip, &clip)) {
            return;
        }
        let generation = self.fresh_id();
        self.stage.curves.alone = Player::default();
        self.stage.curves.alone.set_clip(clip.clone(), Arc::new(Binding::default()));
        self.stage.curves.shown = Some(ShownCurves { place, clip, generation });
    }

    /// Shows the curves of one of the clips that play on the model.
    pub(super) fn show_curves_of(&mut self, kind: TargetKind) {
        let Some(clip) = self.stage.playback.player.layer(kind).map(|l| l.clip.clone()) else { return };
        let listed = self.stage.playback.clips.iter().find(|c| c.name == clip.name).map(|c| c.place);
        if let Some(place) = listed.or(self.stage.playback.playing) {
            self.show_curves(place, clip);
        }
    }

    /// The running layer of the shown clip; `None` for a clip on its own.
    fn curves_layer(&self) -> Option<&PlayerLayer> {
        let shown = self.stage.curves.shown.as_ref()?;
        self.stage.playback.player.layers().iter().find(|l| Arc::ptr_eq(&l.clip, &shown.clip))
    }

    /// The model that the shown clip plays on: changes with every model.
    pub fn curves_model(&self) -> Option<u64> {
        self.curves_layer().and(self.stage.model()).map(|shown| shown.generation)
    }

    /// What the bones that the shown clip moves are called in the model that it plays on, by the clip's joints; none for a clip
    /// on its own. A bone that the model lacks keeps the clip's name.
    pub fn curves_joint_names(&self) -> Vec<String> {
        let (Some(layer), Some(shown)) = (self.curves_layer(), self.stage.model()) else { return Vec::new() };
        let joints = shown.model.skeleton.as_ref().map(|s| s.joints()).unwrap_or_default();
        let clip = &layer.clip;
        let mut by_track: HashMap<u32, String> = HashMap::new();
        for joint in joints {
            let Some(track) = joint.track.filter(|_| !clip.tracks().is_empty()) else { continue };
            let name = by_track.entry(track).or_default();
            // Several bones of one track move alike; the first few are named.
            if name.len() < 40 {
                name.push_str(if name.is_empty() { "" } else { ", " });
                name.push_str(&joint.name);
            }
        }
        let named = |(index, own): (usize, &String)| {
            let found = match clip.tracks().get(index) {
                Some(track) => by_track.get(&track.number),
                None => joints.get(index).map(|joint| &joint.name).filter(|_| clip.is_by_place()),
            };
            found.filter(|name| !name.is_empty()).unwrap_or(own).clone()
        };
        clip.joints.iter().enumerate().map(named).collect()
    }

    /// Whether the shown clip plays on the model.
    pub fn curves_are_live(&self) -> bool {
        self.curves_layer().is_some()
    }

    /// Frame of the playhead, in the shown clip's frames.
    pub fn curves_frame(&self) -> f32 {
        self.curves_layer().map_or_else(|| self.stage.curves.alone.frame(), PlayerLayer::frame)
    }

    pub fn curves_play(&self) -> bool {
        match self.curves_layer() {
            Some(layer) if layer.is_detached() => layer.plays_alone(),
            Some(_) => self.stage.playback.player.playing,
            None => self.stage.curves.alone.playing,
        }
    }

    /// Moves the playhead.
    pub(super) fn seek_curves(&mut self, frame: f32) {
        match self.curves_layer().map(PlayerLayer::kind) {
            Some(kind) => {
                self.stage.playback.player.seek_layer(kind, frame);
                self.stage.playback.revision += 1;
            }
            None => self.stage.curves.alone.seek(frame),
        }
    }

    /// Takes what the playing keys and the bar say while a clip on its own is in front.
    pub(super) fn apply_to_curves(&mut self, command: &Command) -> bool {
        if self.stage.time_of() != Some(TimeOf::Clip) {
            return false;
        }
        let player = &mut self.stage.curves.alone;
        match command {
            Command::TogglePlay if player.playing => player.playing = false,
            Command::TogglePlay => player.play(),
            Command::Step(frames) => {
                player.playing = false;
                player.step(*frames);
            }
            Command::Seek(frame) => player.seek(*frame),
            Command::SeekStart => player.seek(0.0),
            Command::SeekEnd => player.seek(f32::MAX),
            Command::SetSpeed(speed) => player.speed = held_speed(*speed),
            Command::Faster => player.speed = next_speed(player.speed, true),
            Command::Slower => player.speed = next_speed(player.speed, false),
            Command::SetLoop(mode) => player.set_loop_mode(*mode),
            Command::CycleLoop => player.set_loop_mode(next_mode(player.loop_mode())),
            _ => return false,
        }
        true
    }

    pub(super) fn advance_curves(&mut self, seconds: f32) {
        if self.stage.curves.alone.playing {
            self.stage.curves.alone.advance(seconds);
        }
    }
}
