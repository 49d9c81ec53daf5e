//! The clip whose curves are shown: the clip that plays, or one that was selected.

use crate::{
    scene::{Clip, FrameRange, LayerIndex, PlayerLayer},
    ui::{
        place::Place,
        state::{
            core::Core,
            stage::{Stage, curves::Curves},
        },
    },
};
use std::{collections::HashMap, sync::Arc};

impl Stage {
    /// The running layer of the shown clip; `None` for a clip on its own.
    pub(in crate::ui) fn curves_layer(&self) -> Option<&PlayerLayer> {
        let shown = self.model()?;
        let curves = shown.curves.shown.as_ref()?;
        shown.playback.player.layers().iter().find(|l| Arc::ptr_eq(&l.clip, &curves.clip))
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

    /// Returns true if the clip with the shown curves plays on the model.
    pub fn curves_are_live(&self) -> bool {
        self.curves_layer().is_some()
    }

    /// Frame of the playhead, in the shown clip's frames.
    pub fn curves_frame(&self) -> f32 {
        self.curves_layer().map(PlayerLayer::frame).or(self.curves().map(|c| c.alone.frame())).unwrap_or_default()
    }

    /// The stretch of the shown clip that plays, where it is not all of it.
    pub fn curves_range(&self) -> Option<FrameRange> {
        self.curves_layer().map(PlayerLayer::range).or(self.curves().map(|c| c.alone.range()))?
    }

    /// Frames a second of the shown clip.
    pub fn curves_rate_hz(&self) -> f32 {
        self.curves_layer().map(PlayerLayer::rate_hz).or(self.curves().map(|c| c.alone.rate_hz())).unwrap_or(1.0)
    }

    /// Returns true if the playhead moves by itself.
    pub fn curves_play(&self) -> bool {
        match self.curves_layer() {
            Some(layer) if layer.is_detached() => layer.plays_alone(),
            Some(_) => self.playback().is_some_and(|playback| playback.player.playing && playback.player.is_moving()),
            None => self.curves().is_some_and(Curves::is_moving),
        }
    }

    /// Moves the playhead.
    pub(in crate::ui) fn seek_curves(&mut self, frame: f32) {
        let clip = self.curves_layer().map(|layer| layer.clip.clone());
        match (clip, self.playback_mut()) {
            (Some(clip), Some(playback)) => {
                if let Some(layer) = playback.player.layer_of(&clip) {
                    playback.fade = None;
                    playback.player.seek_layer(layer, frame);
                    playback.revision += 1;
                }
            }
            _ => self.curves_mut().into_iter().for_each(|curves| curves.alone.seek(frame)),
        }
    }

    pub(in crate::ui) fn advance_curves(&mut self, seconds: f32) {
        if let Some(curves) = self.curves_mut().filter(|curves| curves.is_moving()) {
            curves.alone.advance(seconds);
        }
    }

    /// Shows the curves of a clip; the panel comes up when somebody asks for it.
    pub(crate) fn show_curves(&mut self, core: &mut Core, place: Place, clip: Arc<Clip>) {
        if let Some(curves) = self.curves_mut() {
            curves.show(place, clip, || core.works.fresh_id());
        }
    }

    /// Shows the curves of one of the clips that play on the model.
    pub(crate) fn show_curves_of(&mut self, core: &mut Core, layer: LayerIndex) {
        let Some(playback) = self.playback() else { return };
        let Some(layer) = playback.player.layers().get(layer.as_usize()) else { return };
        let (clip, place) = (layer.clip.clone(), playback.places.of(layer));
        let listed = || playback.clips.iter().find(|c| c.name == clip.name).map(|c| c.place);
        if let Some(place) = place.or_else(listed).or(playback.playing) {
            self.show_curves(core, place, clip);
        }
    }
}
