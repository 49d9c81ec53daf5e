//! The player of a stage and the clips that it can play.

use crate::{
    scene::{BindingOptions, Clip, Fit, KeyTimes, Player, PlayerLayer, TargetKind},
    ui::place::Place,
};
use std::sync::Arc;

/// Key ticks that the timeline is given at most.
const MAX_TICKS: usize = 20_000;

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
    pub options: BindingOptions,
    /// Filter of the clip list.
    pub clip_filter: String,
    /// Changes whenever the pose may have.
    pub revision: u64,
    pub(in crate::ui::state) wanted_model: Option<Place>,
    pub(in crate::ui::state) wanted_clip: Option<Place>,
    /// Plays as soon as the wanted model is there.
    pub(in crate::ui::state) clip_after_model: Option<Place>,
    /// Files of clips that came with the model: if they do not fit, that is said.
    pub(in crate::ui::state) to_judge: Vec<super::FileId>,
    /// The file of clips that a person named together with the model: it plays wherever it lies.
    pub(in crate::ui::state) meant: Option<super::FileId>,
    pub(in crate::ui::state) loop_chosen: bool,
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
        self.fit = None;
        self.clips.clear();
        self.ticks = Arc::default();
        self.revision += 1;
    }

    /// The main clip's.
    pub(in crate::ui::state) fn refresh_ticks(&mut self) {
        self.ticks = self.player.clip().map(|clip| ticks_of(clip)).unwrap_or_default();
    }

    /// The clip that plays, as the list has it.
    pub fn current(&self) -> Option<&ClipItem> {
        let playing = self.playing?;
        self.clips.iter().find(|c| c.place == playing)
    }
}

/// Frames with keys: all of them where the clip has one a frame.
fn ticks_of(clip: &Clip) -> Arc<[f32]> {
    let mut times: Vec<f32> = Vec::new();
    let mut seen: Vec<*const [f32]> = Vec::new();
    let mut every_frame = 0;
    for channel in &clip.channels {
        match &channel.sampler.times {
            KeyTimes::EveryFrame => every_frame = every_frame.max(channel.sampler.keys.len()),
            // Channels share their times: each list is looked at once.
            KeyTimes::At(at) => {
                let pointer = Arc::as_ptr(at);
                if !seen.contains(&pointer) && times.len() < MAX_TICKS {
                    seen.push(pointer);
                    // Shorter tracks than the clip go round.
                    let length = clip.last_frame();
                    let cycle = channel.sampler.cycle.filter(|c| *c >= 1.0 && *c < length).unwrap_or(f32::INFINITY);
                    for start in (0..MAX_TICKS).map(|round| if round > 0 { cycle * round as f32 } else { 0.0 }) {
                        if start > length || times.len() >= MAX_TICKS {
                            break;
                        }
                        times.extend(at.iter().filter(|t| t.is_finite() && **t <= cycle).map(|t| t + start));
                    }
                }
            }
        }
    }
    if every_frame > 1 {
        times.extend((0..every_frame.min(MAX_TICKS)).map(|k| k as f32));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times.truncate(MAX_TICKS);
    times.into()
}
