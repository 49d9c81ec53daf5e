//! The clip whose curves are shown: the clip that plays, or one that was selected.

use crate::{
    scene::{Binding, Clip, FrameRange, LayerIndex, Player, PlayerLayer},
    ui::{
        place::Place,
        state::{
            core::Core,
            stage::{Stage, curves::ShownCurves, key_frames::key_frames},
        },
    },
};
use std::{collections::HashMap, sync::Arc};

impl Stage {
    /// The running layer of the shown clip; `None` for a clip on its own.
    pub(in crate::ui) fn curves_layer(&self) -> Option<&PlayerLayer> {
        let shown = self.curves.shown.as_ref()?;
        self.playback.player.layers().iter().find(|l| Arc::ptr_eq(&l.clip, &shown.clip))
    }

    /// The model that the shown clip plays on: changes with every model.
    pub fn curves_model(&self) -> Option<u64> {
        self.curves_layer().and(self.model()).map(|shown| shown.generation)
    }

    /// What the bones that the shown clip moves are called in the model that it plays on, by the clip's joints; none for a clip
    /// on its own. A bone that the model lacks keeps the clip's name.
    pub fn curves_joint_names(&self) -> Vec<String> {
        let (Some(layer), Some(shown)) = (self.curves_layer(), self.model()) else { return Vec::new() };
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
        self.curves_layer().map_or_else(|| self.curves.alone.frame(), PlayerLayer::frame)
    }

    /// The stretch of the shown clip that plays, where it is not all of it.
    pub fn curves_range(&self) -> Option<FrameRange> {
        self.curves_layer().map_or_else(|| self.curves.alone.range(), PlayerLayer::range)
    }

    /// Frames a second of the shown clip.
    pub fn curves_rate_hz(&self) -> f32 {
        self.curves_layer().map_or_else(|| self.curves.alone.rate_hz(), PlayerLayer::rate_hz)
    }

    /// Whether the playhead moves by itself.
    pub fn curves_play(&self) -> bool {
        match self.curves_layer() {
            Some(layer) if layer.is_detached() => layer.plays_alone(),
            Some(_) => self.playback.player.playing && self.playback.player.is_moving(),
            None => self.curves.alone.is_moving(),
        }
    }

    /// Moves the playhead.
    pub(in crate::ui) fn seek_curves(&mut self, frame: f32) {
        match self.curves_layer().and_then(|layer| self.playback.player.layer_of(&layer.clip)) {
            Some(layer) => {
                self.playback.fade = None;
                self.playback.player.seek_layer(layer, frame);
                self.playback.revision += 1;
            }
            None => self.curves.alone.seek(frame),
        }
    }

    pub(in crate::ui) fn advance_curves(&mut self, seconds: f32) {
        if self.curves.is_moving() {
            self.curves.alone.advance(seconds);
        }
    }

    /// Shows the curves of a clip; the panel comes up when somebody asks for it.
    pub(crate) fn show_curves(&mut self, core: &mut Core, place: Place, clip: Arc<Clip>) {
        if self.curves.shown.as_ref().is_some_and(|s| s.place == place && Arc::ptr_eq(&s.clip, &clip)) {
            return;
        }
        let generation = core.works.fresh_id();
        self.curves.alone = Player::default();
        self.curves.alone.set_clip(clip.clone(), Arc::new(Binding::default()));
        self.curves.ticks = key_frames(&clip, &clip.channels);
        self.curves.shown = Some(ShownCurves { place, clip, generation });
    }

    /// Shows the curves of one of the clips that play on the model.
    pub(crate) fn show_curves_of(&mut self, core: &mut Core, layer: LayerIndex) {
        let playback = &self.playback;
        let Some(layer) = playback.player.layers().get(layer.as_usize()) else { return };
        let (clip, place) = (layer.clip.clone(), playback.places.of(layer));
        let listed = || self.playback.clips.iter().find(|c| c.name == clip.name).map(|c| c.place);
        if let Some(place) = place.or_else(listed).or(self.playback.playing) {
            self.show_curves(core, place, clip);
        }
    }
}
