//! The player of a stage, and the clips that it can play.

use crate::{
    scene::{
        BindingOptions, Clip, Fit, Frame, LayerIndex, LoopMode, Model, Player, PlayerLayer, PoseFade, PoseOptions,
        TargetKind,
    },
    ui::{
        place::{FileId, Place},
        saved_view::LayerState,
        state::stage::{
            key_frames::{BoneKeys, key_frames},
            pending::{ReturningClock, ReturningLayer},
        },
    },
};
use std::sync::Arc;

/// The entries that the playing clips were loaded from.
#[derive(Default)]
pub struct LayerPlaces(pub(super) Vec<(Arc<Clip>, Place)>);

impl LayerPlaces {
    pub fn of(&self, layer: &PlayerLayer) -> Option<Place> {
        self.0.iter().find(|(clip, _)| Arc::ptr_eq(clip, &layer.clip)).map(|(_, place)| *place)
    }
}

/// Parts of the names of clips in which a model hardly moves.
const CALM: [&str; 3] = ["idle", "wait", "stand"];

/// Whether a model hardly moves in a clip of this name.
fn is_calm(name: &str) -> bool {
    let name = name.to_lowercase();
    CALM.iter().any(|word| name.contains(word))
}

/// A clip that can be chosen for the shown model.
#[derive(Clone, Debug)]
pub struct ClipItem {
    pub place: Place,
    pub name: String,
    pub group: String,
    /// How the clips of its file fit the model.
    pub fit: Fit,
    pub kind: TargetKind,
    /// True if the clip is one of the model's own, by its name, location and skeleton. Other clips are listed in a second group, and play
    /// only on request.
    pub belongs: bool,
    /// True if the clip is named after the model.
    pub is_named: bool,
    /// True if the clip has the same name as the model.
    pub same_name: bool,
    /// True if the clip is added to other clips, by its name, or by its keys if it was loaded.
    pub is_additive: bool,
    /// The reason for which the clip is listed.
    pub reason: String,
}

/// What the player of the next model takes from the player of the last one.
#[derive(Clone, Copy)]
pub struct PlaySettings {
    pub speed: f32,
    pub loop_mode: LoopMode,
    /// The user chose the loop mode. Otherwise clips loop.
    pub loop_chosen: bool,
    /// Frames per second of clips without a rate.
    pub assumed_rate_hz: Option<f32>,
    pub pose: PoseOptions,
    pub binding: BindingOptions,
}

impl Default for PlaySettings {
    fn default() -> Self {
        Playback::default().settings()
    }
}

/// The player of a model, and its clips.
#[derive(Default)]
pub struct Playback {
    pub player: Player,
    /// Pose of the model at the time of the player.
    pub frame: Frame,
    /// The clip that plays or is paused.
    pub playing: Option<Place>,
    pub fit: Option<Fit>,
    /// Clips that fit the model, the best file first.
    pub clips: Vec<ClipItem>,
    /// The entries of the clips in the player's layers.
    pub places: LayerPlaces,
    /// Frames that have keys, ascending.
    pub ticks: Arc<[f32]>,
    /// Frames with keys of the selected bone.
    pub bone_keys: BoneKeys,
    /// The blend from the previous clip.
    pub(crate) fade: Option<PoseFade>,
    pub options: BindingOptions,
    /// Changes whenever the pose may have.
    pub revision: u64,
    /// True until a notice about a bind pose that differs from the rest pose was shown.
    pub(crate) offers_bind_pose: bool,
    /// The clip that was requested last. The next and the previous clip are found from here.
    pub(crate) chosen: Option<Place>,
    pub(crate) loop_chosen: bool,
    /// Clips of a restored view that are being loaded, except the main clip.
    pub(crate) returning: Vec<ReturningLayer>,
    /// Clips that play because their names match that of the main clip.
    pub(crate) joined: Vec<Arc<Clip>>,
}

impl Playback {
    /// The player of a model at rest.
    pub(crate) fn new(settings: PlaySettings, model: &Model, has_bind_pose: bool) -> Self {
        let mut playback = Self { offers_bind_pose: has_bind_pose, ..Self::default() };
        playback.player.morph_weights = vec![0.0; model.morph_names().len()];
        playback.set_settings(PlaySettings { pose: PoseOptions { bind_pose: false, ..settings.pose }, ..settings });
        playback
    }

    pub(crate) fn set_settings(&mut self, settings: PlaySettings) {
        let player = &mut self.player;
        player.speed = settings.speed;
        player.options = settings.pose;
        // Each clip may have its own mode.
        if player.loop_mode() != settings.loop_mode {
            player.set_loop_mode(settings.loop_mode);
        }
        player.set_assumed_rate_hz(settings.assumed_rate_hz);
        (self.options, self.loop_chosen) = (settings.binding, settings.loop_chosen);
    }

    pub fn settings(&self) -> PlaySettings {
        let player = &self.player;
        PlaySettings {
            speed: player.speed,
            loop_mode: player.loop_mode(),
            loop_chosen: self.loop_chosen,
            assumed_rate_hz: player.assumed_rate_hz(),
            pose: player.options,
            binding: self.options,
        }
    }

    pub(crate) fn set_loop(&mut self, mode: LoopMode) {
        self.loop_chosen = true;
        self.player.set_loop_mode(mode);
    }

    /// Begins to blend from the pose of the clip that `clip` replaces, over this many seconds.
    pub(crate) fn fade_from(&mut self, clip: &Arc<Clip>, secs: f32) {
        let before = self.player.layer(clip.kind());
        let moves_bones = matches!(clip.kind(), TargetKind::Joints | TargetKind::Morphs);
        self.fade = before
            .filter(|before| moves_bones && !Arc::ptr_eq(&before.clip, clip))
            .and_then(|_| PoseFade::new(&self.frame, secs));
    }

    /// Notes the entry of a clip that is going to play.
    pub(crate) fn note_layer(&mut self, clip: &Arc<Clip>, place: Place) {
        let layers = self.player.layers();
        self.places.0.retain(|(known, _)| layers.iter().any(|l| Arc::ptr_eq(&l.clip, known)));
        self.places.0.push((clip.clone(), place));
    }

    /// Whether a clip plays, whatever it animates.
    pub fn plays(&self, place: Place) -> bool {
        self.player.layers().iter().any(|layer| self.places.of(layer) == Some(place))
    }

    pub(crate) fn remove_layer(&mut self, layer: LayerIndex) {
        self.player.remove(layer);
        let Some(main) = self.player.main() else { return self.stop() };
        self.fit = Some(main.binding.fit.clone());
        self.playing = self.places.of(main);
        self.chosen = self.playing;
        self.refresh_ticks();
        self.revision += 1;
    }

    /// Stops the clips. The bind pose or the rest pose is shown.
    pub(crate) fn stop(&mut self) {
        self.player.clear();
        self.fade = None;
        (self.playing, self.chosen, self.fit) = (None, None, None);
        self.ticks = Arc::default();
        self.revision += 1;
    }

    /// Restores the loop mode and clock of a clip.
    pub(crate) fn bring_layer_back(&mut self, layer: LayerIndex, state: Option<LayerState>, clock: &ReturningClock) {
        let player = &mut self.player;
        if let Some(state) = state {
            player.set_layer_loop(layer, state.loop_mode);
            player.set_detached(layer, state.detached);
            if state.detached {
                player.seek_layer(layer, state.frame);
                player.set_layer_playing(layer, state.playing);
            }
        }
        clock.bring_back(player);
        self.refresh_ticks();
    }

    /// Advances the player and the blend.
    pub(crate) fn advance(&mut self, secs: f32) {
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

    /// Updates the places after a file was reloaded, and removes entries that no longer exist. True if one of them was playing.
    pub(crate) fn move_places(&mut self, to: impl Fn(Place) -> Option<Place>) -> bool {
        let is_lost = |layer: &&PlayerLayer| self.places.of(layer).is_some_and(|place| to(place).is_none());
        let lost: Vec<Arc<Clip>> =
            self.player.layers().iter().filter(is_lost).map(|layer| layer.clip.clone()).collect();
        for clip in &lost {
            if let Some(layer) = self.player.layer_of(clip) {
                self.remove_layer(layer);
            }
        }
        let known = std::mem::take(&mut self.places.0).into_iter();
        self.places.0 = known.filter_map(|(clip, place)| Some((clip, to(place)?))).collect();
        self.clips.retain_mut(|item| to(item.place).inspect(|place| item.place = *place).is_some());
        for place in [&mut self.chosen, &mut self.playing] {
            *place = place.and_then(&to);
        }
        !lost.is_empty()
    }

    /// Updates the frames that have keys in the main clip.
    pub(crate) fn refresh_ticks(&mut self) {
        self.ticks = self.player.clip().map(|clip| key_frames(clip, &clip.channels)).unwrap_or_default();
    }

    /// The clip that plays by itself when the model is shown, of those that belong to it, or are of the file that a person named
    /// together with it, and are of the kind that comes first: the one that has its name, else one that is called after it, else one
    /// in which it stands still. A clip that is added to others does not.
    pub(crate) fn first_to_play(&self, meant: Option<FileId>) -> Option<Place> {
        let plays = |clip: &&ClipItem| (clip.belongs || Some(clip.place.file) == meant) && !clip.is_additive;
        let first = self.clips.iter().find(plays)?;
        let rank = |clip: &&ClipItem| {
            let fits_less = clip.fit.share() < first.fit.share();
            (!clip.same_name, !clip.is_named, fits_less, !is_calm(&clip.name))
        };
        let alike =
            self.clips.iter().filter(plays).filter(|clip| (clip.belongs, clip.kind) == (first.belongs, first.kind));
        alike.min_by_key(rank).map(|clip| clip.place)
    }

    /// The playing clip in the list of clips.
    pub fn current(&self) -> Option<&ClipItem> {
        let playing = self.playing?;
        self.clips.iter().find(|c| c.place == playing)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::EntryId,
        scene::{Parts, PartsFit, is_called_additive},
    };

    fn item(at: u32, name: &str, belongs: bool) -> ClipItem {
        let parts = PartsFit { what: Parts::Joints, matched: 3, clip: 3, model: 3 };
        ClipItem {
            place: Place { file: FileId(7), entry: EntryId(at) },
            name: name.to_owned(),
            group: String::new(),
            fit: Fit { parts: Some(parts), ..Fit::default() },
            kind: TargetKind::Joints,
            belongs,
            is_named: false,
            same_name: false,
            is_additive: is_called_additive(name),
            reason: String::new(),
        }
    }

    #[test]
    fn the_first_clip_that_belongs_plays_and_a_calm_one_before_others() {
        let first = |clips: Vec<ClipItem>, meant| {
            let playback = Playback { clips, ..Playback::default() };
            playback.first_to_play(meant).map(|place| place.entry.0)
        };
        assert_eq!(first(vec![item(1, "walk.bck", true), item(2, "Wait01.bck", true)], None), Some(2));
        assert_eq!(first(vec![item(1, "walk.bck", true), item(2, "run.bck", true)], None), Some(1));
        assert_eq!(first(vec![item(1, "walk.bck", true), item(2, "idle.bck", false)], None), Some(1));
        assert_eq!(first(vec![item(1, "idle.bck", false)], None), None, "it is not the model's");
        assert_eq!(first(vec![item(1, "fly.bck", false)], Some(FileId(7))), Some(1), "a person named it");
        // One that is called after the model is more its own than a calm one.
        let named = ClipItem { is_named: true, ..item(1, "beast_walk.bck", true) };
        assert_eq!(first(vec![named.clone(), item(2, "wait.bck", true)], None), Some(1));
        let eyes = ClipItem { kind: TargetKind::TextureSlots, ..item(2, "wait.btp", true) };
        assert_eq!(first(vec![item(1, "walk.bck", true), eyes], None), Some(1));
        // The one of the model's name is its own before all, and one that is added to others plays on none by itself.
        let own = ClipItem { same_name: true, is_named: true, ..item(3, "beast.bck", true) };
        assert_eq!(first(vec![named, item(2, "wait.bck", true), own], None), Some(3));
        assert_eq!(first(vec![item(1, "Idle_Additive", true), item(2, "walk", true)], None), Some(2));
        assert_eq!(first(vec![item(1, "Idle_Add", true)], None), None);
    }
}
