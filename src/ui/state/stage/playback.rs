//! The player of a stage and the clips that it can play.

use crate::{
    scene::{BindingOptions, Clip, Fit, Player, PlayerLayer, PoseFade, TargetKind},
    ui::{
        place::Place,
        saved_view::LayerState,
        state::stage::{
            coming::{ReturningClock, ReturningLayer},
            key_frames::{BoneKeys, key_frames},
        },
    },
};
use std::sync::Arc;

/// Where the clips that play were found.
#[derive(Default)]
pub struct LayerPlaces(pub(super) Vec<(Arc<Clip>, Place)>);

impl LayerPlaces {
    pub fn of(&self, layer: &PlayerLayer) -> Option<Place> {
        self.0.iter().find(|(clip, _)| Arc::ptr_eq(clip, &layer.clip)).map(|(_, place)| *place)
    }
}

/// A clip that can be chosen for the shown model.
#[derive(Clone, Debug)]
pub struct ClipItem {
    pub place: Place,
    pub name: String,
    pub group: String,
    /// Of the file that it is in.
    pub fit: Fit,
    pub kind: TargetKind,
    /// One of the model's own, as far as can be told; the others stand in a second group.
    pub likely: bool,
    /// It lies where the model's clips are; others play when a person asks for them.
    pub related: bool,
    /// Why it is offered.
    pub reason: String,
}

/// The player and what it plays.
#[derive(Default)]
pub struct Playback {
    pub player: Player,
    /// The clip that plays or is held.
    pub playing: Option<Place>,
    pub fit: Option<Fit>,
    /// Clips that fit the shown model, the best file first.
    pub clips: Vec<ClipItem>,
    /// Where the clips of the player's layers were found.
    pub places: LayerPlaces,
    /// Frames that have keys, ascending.
    pub ticks: Arc<[f32]>,
    /// Those of the selected bone.
    pub bone_keys: BoneKeys,
    /// The pose of the last clip, while it becomes that of the one that plays.
    pub(in crate::ui::state) fade: Option<PoseFade>,
    pub options: BindingOptions,
    /// Filter of the clip list.
    pub clip_filter: crate::ui::query::Filter,
    /// Changes whenever the pose may have.
    pub revision: u64,
    pub(in crate::ui::state) wanted_model: Option<Place>,
    pub(in crate::ui::state) wanted_clip: Option<Place>,
    /// Plays as soon as the wanted model is there.
    pub(in crate::ui::state) clip_after_model: Option<Place>,
    /// A person chose this clip for the wanted model: it plays there however little of it fits.
    pub(in crate::ui::state) chosen_for_model: Option<Place>,
    /// Files of clips that came with the model: if they do not fit, that is said.
    pub(in crate::ui::state) to_judge: Vec<super::FileId>,
    /// The file of clips that a person named together with the model: it plays wherever it lies.
    pub(in crate::ui::state) meant: Option<super::FileId>,
    pub(in crate::ui::state) loop_chosen: bool,
    /// Clips that played beside the main one when it was looked at last, and are being read.
    pub(in crate::ui::state) returning: Vec<ReturningLayer>,
}

impl Playback {
    /// Another model comes: nothing of the last one's plays on.
    pub(in crate::ui::state) fn forget_model(&mut self, morphs: usize) {
        let before = std::mem::take(&mut self.player);
        self.player.speed = before.speed;
        self.player.options = before.options;
        self.player.set_loop_mode(before.loop_mode());
        self.player.set_assumed_rate_hz(before.assumed_rate_hz());
        self.player.morph_weights = vec![0.0; morphs];
        self.playing = None;
        self.wanted_clip = None;
        self.returning.clear();
        self.fit = None;
        self.clips = Vec::new();
        self.places = LayerPlaces::default();
        self.ticks = Arc::default();
        self.fade = None;
        self.revision += 1;
    }

    /// A clip plays again that played when the model was looked at last.
    pub(in crate::ui::state) fn bring_layer_back(
        &mut self,
        kind: TargetKind,
        state: Option<LayerState>,
        clock: &ReturningClock,
    ) {
        let player = &mut self.player;
        if let Some(state) = state {
            player.set_layer_loop(kind, state.loop_mode);
            player.set_detached(kind, state.detached);
            if state.detached {
                player.seek_layer(kind, state.frame);
                player.set_layer_playing(kind, state.playing);
            }
        }
        clock.bring_back(player);
        self.refresh_ticks();
    }

    /// Lets time pass.
    pub(in crate::ui::state) fn advance(&mut self, secs: f32) {
        let (is_moving, fades) = (self.player.is_moving(), self.fade.is_some());
        if is_moving {
            self.player.advance(secs);
        }
        self.fade.take_if(|fade| !fade.advance(secs));
        if is_moving || fades {
            self.revision += 1;
        }
    }

    /// Whether the pose changes by itself.
    pub fn is_moving(&self) -> bool {
        self.player.is_moving() || self.fade.is_some()
    }

    /// Places in a file have moved; those that are gone are none.
    pub(in crate::ui::state) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) {
        let known = std::mem::take(&mut self.places.0).into_iter();
        self.places.0 = known.filter_map(|(clip, place)| Some((clip, to(place)?))).collect();
        self.clips.retain_mut(|item| to(item.place).inspect(|place| item.place = *place).is_some());
        let wanted = [&mut self.wanted_model, &mut self.wanted_clip, &mut self.clip_after_model];
        for place in wanted.into_iter().chain([&mut self.playing, &mut self.chosen_for_model]) {
            *place = place.and_then(&to);
        }
    }

    /// The main clip's.
    pub(in crate::ui::state) fn refresh_ticks(&mut self) {
        self.ticks = self.player.clip().map(|clip| key_frames(clip, &clip.channels)).unwrap_or_default();
    }

    /// The clip that plays, as the list has it.
    pub fn current(&self) -> Option<&ClipItem> {
        let playing = self.playing?;
        self.clips.iter().find(|c| c.place == playing)
    }
}
