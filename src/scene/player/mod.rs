use super::{
    Binding, Clip, ClipEnd, Frame, FrameRange, Layer, LayerIndex, LoopMode, MaterialSet, Model, PlayerLayer,
    PoseOptions, TargetKind, evaluate_with,
};
use std::sync::Arc;

mod range;

/// Which clips play, where they are and how they loop, all on one clock but those that are detached from it. Clips of one kind
/// play together if they drive different parts of materials ([`Layer::is_rival_of`]). The timeline counts the frames of the main layer: the first that is on the clock.
#[derive(Clone, Debug)]
pub struct Player {
    /// By kind; what moves bones and vertices first, morphs last.
    layers: Vec<PlayerLayer>,
    /// True while time passes for the layers on the clock.
    pub playing: bool,
    /// Times the clips' own rates; negative plays backwards.
    pub speed: f32,
    /// Of the layers to come.
    loop_mode: LoopMode,
    assumed_rate_hz: Option<f32>,
    /// Options for evaluating poses.
    pub options: PoseOptions,
    /// Weights set by hand, in the order of [`Model::morph_names`].
    pub morph_weights: Vec<f32>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            layers: Vec::new(),
            playing: false,
            speed: 1.0,
            loop_mode: LoopMode::Loop,
            assumed_rate_hz: None,
            options: PoseOptions::default(),
            morph_weights: Vec::new(),
        }
    }
}

/// The order of layers: the main one moves bones or vertices where any does.
fn rank(kind: TargetKind) -> u8 {
    match kind {
        TargetKind::Joints => 0,
        TargetKind::Vertices => 1,
        TargetKind::TextureMatrices => 2,
        TargetKind::TextureSlots => 3,
        TargetKind::Registers => 4,
        TargetKind::MaterialColors => 5,
        TargetKind::Visibility => 6,
        TargetKind::Clusters => 7,
        TargetKind::VertexColors => 8,
        TargetKind::Materials => 9,
        TargetKind::Morphs => 10,
    }
}

impl Player {
    /// Layers in the order of their kinds: bones and vertices first, morphs last.
    pub fn layers(&self) -> &[PlayerLayer] {
        &self.layers
    }

    /// The first layer of a kind.
    pub fn layer(&self, kind: TargetKind) -> Option<&PlayerLayer> {
        self.layers.iter().find(|l| l.kind() == kind)
    }

    /// The layer that a clip cannot play together with.
    pub fn rival_of(&self, clip: &Clip, binding: &Binding) -> Option<&PlayerLayer> {
        let joining = Layer { clip, binding, frame: 0.0, looping: false };
        self.layers.iter().find(|layer| layer.at_its_frame().is_rival_of(&joining))
    }

    /// The layer that the timeline counts.
    pub fn main(&self) -> Option<&PlayerLayer> {
        self.layers.get(self.main_index()?.as_usize())
    }

    fn main_index(&self) -> Option<LayerIndex> {
        let at = self.layers.iter().position(|l| !l.detached).unwrap_or(0);
        (at < self.layers.len()).then_some(LayerIndex(at as u32))
    }

    /// The layer of a clip.
    pub fn layer_of(&self, clip: &Arc<Clip>) -> Option<LayerIndex> {
        self.layers.iter().position(|l| Arc::ptr_eq(&l.clip, clip)).map(|at| LayerIndex(at as u32))
    }

    /// The clip that the timeline shows.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        self.main().map(|l| &l.clip)
    }

    /// Plays a clip in the place of those of its kind. Where it is the main one, the clock starts over; otherwise it joins
    /// the clock where that is, or starts on its own first frame if it plays once.
    pub fn set_clip(&mut self, clip: Arc<Clip>, binding: Arc<Binding>) -> LayerIndex {
        let kind = clip.kind();
        let mut before = None;
        for old in self.layers.extract_if(.., |l| l.kind() == kind) {
            before.get_or_insert(old);
        }
        self.insert(clip, binding, before)
    }

    /// Plays a clip together with all others; `None` if one of them is its rival, which goes on alone.
    pub fn join_clip(&mut self, clip: Arc<Clip>, binding: Arc<Binding>) -> Option<LayerIndex> {
        self.rival_of(&clip, &binding).is_none().then(|| self.insert(clip, binding, None))
    }

    /// Adds a layer that takes over what is set of the one before it.
    fn insert(&mut self, clip: Arc<Clip>, binding: Arc<Binding>, before: Option<PlayerLayer>) -> LayerIndex {
        let kind = clip.kind();
        let clock = self.clock_secs();
        let place = self.layers.partition_point(|l| rank(l.kind()) <= rank(kind));
        let mut layer = PlayerLayer {
            rate_hz: self.rate_of(&clip),
            clip,
            binding,
            loop_mode: before.as_ref().map_or(self.loop_mode, |l| l.loop_mode),
            secs: 0.0,
            detached: before.as_ref().is_some_and(|l| l.detached),
            playing: before.as_ref().is_some_and(|l| l.playing),
            held: None,
            range: None,
        };
        let is_main = !layer.detached && !self.layers.iter().take(place).any(|l| !l.detached);
        if is_main {
            // A range belongs to the clip that it was made on.
            let same = before.as_ref().filter(|before| Arc::ptr_eq(&before.clip, &layer.clip));
            layer.range = same.and_then(|before| before.range);
            self.layers.iter_mut().for_each(|l| l.set_range(None));
            layer.seek(layer.first_frame());
            self.layers.iter_mut().filter(|l| !l.detached).for_each(|l| l.seek_secs(0.0));
        } else if !layer.detached && matches!(layer.loop_mode, LoopMode::Loop | LoopMode::PingPong) {
            layer.secs = clock.unwrap_or_default();
        }
        self.layers.insert(place, layer);
        self.follow_range();
        LayerIndex(place as u32)
    }

    /// A clip that plays already, read or bound otherwise: it goes on where it is. Of several layers of its kind it is the one of
    /// the same clip, or of the same name.
    pub fn replace_clip(&mut self, clip: Arc<Clip>, binding: Arc<Binding>) {
        let find = |is_it: &dyn Fn(&PlayerLayer) -> bool| self.layers.iter().position(is_it);
        let is_of_kind = |l: &PlayerLayer| l.kind() == clip.kind();
        let found = find(&|l| Arc::ptr_eq(&l.clip, &clip))
            .or_else(|| find(&|l| is_of_kind(l) && l.clip.name == clip.name))
            .or_else(|| find(&is_of_kind));
        let Some(layer) = found.and_then(|at| self.layers.get_mut(at)) else {
            self.set_clip(clip, binding);
            return;
        };
        (layer.clip, layer.binding) = (clip, binding);
        let range = layer.range.and_then(|range| FrameRange::within(&layer.clip, range.first(), range.last()));
        if range != layer.range {
            layer.set_range(range);
        }
    }

    /// Takes a clip away.
    pub fn remove(&mut self, layer: LayerIndex) {
        if layer.as_usize() < self.layers.len() {
            self.layers.remove(layer.as_usize());
        }
        self.playing &= self.layers.iter().any(|l| !l.detached);
    }

    /// Back to the bind pose.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.playing = false;
    }

    /// Takes a layer off the clock, at the frame where it is, or puts it back on.
    pub fn set_detached(&mut self, layer: LayerIndex, detached: bool) {
        let (clock, playing) = (self.clock_secs(), self.playing);
        let Some(layer) = self.layers.get_mut(layer.as_usize()) else { return };
        if layer.detached == detached {
            return;
        }
        layer.set_range(None);
        layer.detached = detached;
        layer.playing = playing;
        if !detached && let Some(clock) = clock {
            layer.seek_secs(clock);
        }
    }

    /// Starts or stops a detached layer.
    pub fn set_layer_playing(&mut self, layer: LayerIndex, playing: bool) {
        let forwards = self.speed >= 0.0;
        if let Some(layer) = self.layers.get_mut(layer.as_usize()).filter(|l| l.detached) {
            if playing && layer.is_over(forwards) {
                layer.seek(if forwards { 0.0 } else { f32::MAX });
            }
            layer.playing = playing;
        }
    }

    /// Of the main layer; of the next one without any.
    pub fn loop_mode(&self) -> LoopMode {
        self.main().map_or(self.loop_mode, |l| l.loop_mode)
    }

    /// For all layers on the clock, and those to come.
    pub fn set_loop_mode(&mut self, mode: LoopMode) {
        self.loop_mode = mode;
        self.layers.iter_mut().filter(|l| !l.detached).for_each(|l| l.set_loop_mode(mode));
    }

    /// Sets the loop mode of one layer; does nothing if the layer does not exist.
    pub fn set_layer_loop(&mut self, layer: LayerIndex, mode: LoopMode) {
        if let Some(layer) = self.layers.get_mut(layer.as_usize()) {
            layer.set_loop_mode(mode);
        }
    }

    /// Frames a second of clips that do not say ([`Clip::rate_is_assumed`]); `None`: what their format mostly has.
    pub fn assumed_rate_hz(&self) -> Option<f32> {
        self.assumed_rate_hz
    }

    /// Frames stay where they are.
    pub fn set_assumed_rate_hz(&mut self, rate_hz: Option<f32>) {
        self.assumed_rate_hz = rate_hz;
        for layer in self.layers.iter_mut().filter(|l| l.clip.rate_is_assumed) {
            layer.set_rate_hz(rate_hz.unwrap_or(layer.clip.rate_hz));
        }
    }

    fn rate_of(&self, clip: &Clip) -> f32 {
        self.assumed_rate_hz.filter(|_| clip.rate_is_assumed).unwrap_or(clip.rate_hz)
    }

    /// Frames a second of the main layer.
    pub fn rate_hz(&self) -> f32 {
        self.main().map_or(0.0, |l| l.rate_hz)
    }

    /// In frames of the main layer.
    pub fn frame(&self) -> f32 {
        self.main().map_or(0.0, PlayerLayer::frame)
    }

    /// Seconds from the start of the main layer.
    pub fn time_secs(&self) -> f32 {
        self.secs_of(self.frame())
    }

    /// Seconds that the main layer takes from end to end.
    pub fn duration_secs(&self) -> f32 {
        self.clip().map_or(0.0, |c| match c.end {
            ClipEnd::Length(frames) => self.secs_of(frames),
            ClipEnd::LastFrame | ClipEnd::Duration => self.secs_of(c.frame_count as f32),
        })
    }

    /// Seconds of so many frames of the main layer.
    pub fn secs_of(&self, frames: f32) -> f32 {
        let rate_hz = self.rate_hz();
        if rate_hz > 0.0 { frames / rate_hz } else { 0.0 }
    }

    /// Seconds that were played so far, loops counted on; `None` where nothing is on the clock.
    pub fn clock_secs(&self) -> Option<f64> {
        self.layers.iter().find(|l| !l.detached).map(|l| l.secs)
    }

    /// Goes by the clock of another player: each layer on the clock is where its own loop is after so many seconds.
    pub fn follow_clock(&mut self, secs: f64) {
        if secs.is_finite() {
            self.layers.iter_mut().filter(|l| !l.detached).for_each(|l| l.seek_secs(secs));
        }
    }

    /// Moves the clock to where the main layer is at a frame, held inside its clip.
    pub fn seek(&mut self, frame: f32) {
        if let Some(main) = self.main_index() {
            self.seek_layer(main, frame);
        }
    }

    /// Moves a layer to a frame, held inside its clip; if it is on the clock, the clock.
    pub fn seek_layer(&mut self, layer: LayerIndex, frame: f32) {
        let Some(moved) = self.layers.get_mut(layer.as_usize()) else { return };
        moved.seek(frame);
        if !moved.detached {
            let secs = moved.secs;
            self.others_on_clock(layer).for_each(|l| l.seek_secs(secs));
        }
    }

    /// Layers on the clock but one.
    fn others_on_clock(&mut self, layer: LayerIndex) -> impl Iterator<Item = &mut PlayerLayer> {
        let others = self.layers.iter_mut().enumerate().filter(move |(at, l)| *at != layer.as_usize() && !l.detached);
        others.map(|(_, l)| l)
    }

    /// Shows a frame in every layer: given to the tracks as it is, each holding its own ends or going round, where clips end by
    /// their duration or length; held inside the clip elsewhere.
    pub fn hold(&mut self, frame: f32) {
        for layer in &mut self.layers {
            layer.seek(frame);
            if layer.clip.end != ClipEnd::LastFrame {
                layer.held = Some(frame);
            }
        }
    }

    /// Moves by whole frames, rounding to one; past an end, of the range where it is in one, it comes in at the other.
    pub fn step(&mut self, frames: i32) {
        let frame = self.frame();
        let ends = |main: &PlayerLayer| match main.range.filter(|range| range.contains(frame)) {
            Some(range) => (range.first().ceil(), range.last().floor()),
            None => (0.0, main.clip.last_frame().floor()),
        };
        let (first, last) = self.main().map_or((0.0, 0.0), ends);
        let target = (frame.round() + frames as f32).round();
        self.seek(if target < first {
            last
        } else if target > last {
            first
        } else {
            target
        });
    }

    /// Starts; at the end of clips that do not loop, from the start.
    pub fn play(&mut self) {
        let forwards = self.speed >= 0.0;
        if self.layers.iter().all(|l| l.detached) {
            return;
        }
        if self.ranged().is_some_and(PlayerLayer::is_outside) || !self.is_under_way(forwards) {
            let (first, last) = self.ranged().map_or((0.0, f32::MAX), |main| (main.first_frame(), main.last_frame()));
            self.seek(if forwards { first } else { last });
        }
        // A clip of one frame that does not loop is over before it starts.
        self.playing = self.is_under_way(forwards);
    }

    /// Whether something on the clock has not come to its end; the end of a range is that of everything.
    fn is_under_way(&self, forwards: bool) -> bool {
        match self.ranged() {
            Some(main) => !main.is_over(forwards),
            None => self.layers.iter().any(|l| !l.detached && !l.is_over(forwards)),
        }
    }

    /// Whether time changes anything.
    pub fn is_moving(&self) -> bool {
        self.layers.iter().any(|l| l.has_time() && if l.detached { l.playing } else { self.playing })
    }

    /// Lets time pass. When everything on the clock has come to its end, the clock stops.
    pub fn advance(&mut self, seconds: f32) {
        if !seconds.is_finite() {
            return;
        }
        let secs = f64::from(seconds * self.speed);
        let forwards = secs >= 0.0;
        for layer in &mut self.layers {
            if if layer.detached { layer.playing } else { self.playing } {
                layer.advance(secs);
                layer.playing &= !layer.is_over(forwards);
            }
        }
        if self.playing {
            self.follow_range();
        }
        self.playing &= self.is_under_way(forwards);
    }

    /// The materials and textures that take the places of the model's: what is drawn is [`MaterialSet::applied_to`] the model.
    pub fn material_set(&self) -> Option<&Arc<MaterialSet>> {
        self.layers.iter().find_map(|layer| layer.clip.material_set.as_ref())
    }

    /// The model at the player's time.
    pub fn evaluate(&self, model: &Model, out: &mut Frame) {
        let layers: Vec<Layer<'_>> = self.layers.iter().map(PlayerLayer::at_its_frame).collect();
        evaluate_with(model, &layers, &self.morph_weights, self.options, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Channel, ClipJoint, ClipMaterial, Keys, Material, MaterialKind, Sampler, Target, Unit};

    pub(super) fn player(frames: u32, mode: LoopMode) -> Player {
        let clip = Clip {
            name: "clip".into(),
            group: String::new(),
            frame_count: frames,
            rate_hz: 10.0,
            default_loop: LoopMode::Loop,
            blends_across_seam: true,
            joints: [].into(),
            key_rule: crate::scene::KeyRule::Plain,
            ..Clip::default()
        };
        let mut player = Player::default();
        player.set_loop_mode(mode);
        player.set_clip(Arc::new(clip), Arc::new(Binding::default()));
        player.play();
        player
    }

    #[test]
    fn a_loop_takes_exactly_its_frames() {
        let mut player = player(5, LoopMode::Loop);
        player.advance(0.45);
        assert!((player.frame() - 4.5).abs() < 1e-5);
        player.advance(0.1);
        assert!((player.frame() - 0.5).abs() < 1e-5);
    }

    #[test]
    fn once_stops_on_the_last_frame_and_starts_over() {
        let mut player = player(5, LoopMode::Once);
        player.advance(9.0);
        assert_eq!((player.frame(), player.playing), (4.0, false));
        player.play();
        assert_eq!((player.frame(), player.playing), (0.0, true));
    }

    #[test]
    fn ping_pong_comes_back() {
        let mut player = player(5, LoopMode::PingPong);
        player.advance(0.5);
        assert!((player.frame() - 3.0).abs() < 1e-5);
        player.advance(0.1);
        assert!((player.frame() - 2.0).abs() < 1e-5);
        player.advance(0.3);
        assert!((player.frame() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn clips_of_no_or_one_frame_stay_finite() {
        for frames in [0, 1] {
            for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong] {
                let mut player = player(frames, mode);
                player.advance(0.37);
                player.step(1);
                player.seek(f32::NAN);
                assert!(player.frame().is_finite() && player.frame() >= 0.0 && player.frame() < 1.0);
            }
        }
    }

    #[test]
    fn a_clip_that_time_does_not_change_needs_no_pictures() {
        for (frames, keys, moves) in [(0, 1, false), (1, 1, false), (1, 2, true), (2, 1, true)] {
            let mut clip = (*of_kind(TargetKind::Joints, frames)).clone();
            clip.channels[0].sampler.keys = Keys::Scalar(vec![1.0; keys]);
            let mut player = Player::default();
            player.set_loop_mode(LoopMode::Loop);
            player.set_clip(Arc::new(clip), Arc::default());
            assert!(!player.is_moving(), "nothing plays yet");
            player.play();
            assert_eq!(player.is_moving(), moves, "{frames} frames, {keys} keys");
        }
        let mut over = player(1, LoopMode::Once);
        assert!(!over.playing, "a clip of one frame does not start with Once");
        over.advance(1.0);
        assert!(!over.is_moving());
    }

    /// A clip of a kind, of so many frames and of a rate that is not known.
    pub(super) fn of_kind(kind: TargetKind, frame_count: u32) -> Arc<Clip> {
        let target = match kind {
            TargetKind::TextureSlots => Target::TextureSlot { material: ClipMaterial(0), slot: 0 },
            _ => Target::JointEulerAxis { joint: ClipJoint(0), axis: 0 },
        };
        let sampler = Sampler::every_frame(Keys::Scalar(vec![0.0]));
        let channel = Channel { target, sampler, unit: Unit::Plain, muted: false };
        let (end, rate_hz) = (ClipEnd::Duration, 30.0);
        Arc::new(Clip { frame_count, rate_hz, rate_is_assumed: true, end, channels: vec![channel], ..Clip::default() })
    }

    pub(super) fn frames(player: &Player) -> Vec<f32> {
        player.layers().iter().map(|l| (l.frame() * 1000.0).round() / 1000.0).collect()
    }

    #[test]
    fn clips_of_several_kinds_share_a_clock_and_keep_their_own_lengths() {
        let mut player = Player::default();
        player.set_clip(of_kind(TargetKind::TextureSlots, 25), Arc::default());
        player.play();
        player.advance(0.5);
        assert_eq!(frames(&player), [15.0]);
        // What moves bones leads, and starts with its own first frame.
        player.set_clip(of_kind(TargetKind::Joints, 40), Arc::default());
        assert_eq!((frames(&player), player.clip().unwrap().frame_count), (vec![0.0, 0.0], 40));
        player.advance(1.0);
        assert_eq!(frames(&player), [30.0, 5.0]);
        player.advance(1.0);
        assert_eq!(frames(&player), [20.0, 10.0]);
        player.seek(30.0);
        assert_eq!(frames(&player), [30.0, 5.0]);
        // The kind's clip is replaced by one that joins in.
        player.set_clip(of_kind(TargetKind::TextureSlots, 12), Arc::default());
        assert_eq!(frames(&player), [30.0, 6.0]);
        player.set_layer_loop(LayerIndex(1), LoopMode::Once);
        player.advance(0.5);
        assert_eq!((frames(&player), player.playing), (vec![5.0, 11.999], true));
        player.remove(LayerIndex(0));
        assert_eq!(player.layers().len(), 1);
    }

    #[test]
    fn clips_of_one_kind_join_where_they_drive_nothing_in_common() {
        let mut player = Player::default();
        player.set_clip(of_kind(TargetKind::Joints, 40), Arc::default());
        assert_eq!(player.join_clip(of_kind(TargetKind::Joints, 30), Arc::default()), None);
        // Textures of other slots of one material, and of one of them again.
        let material = |name: &str| Material { name: name.into(), kind: MaterialKind::Tev(Box::default()) };
        let model = Model { materials: vec![material("a"), material("b")], ..Model::empty("two") };
        let textures = |name: &str, slots: &[u8]| {
            let channel = |slot: &u8| Channel {
                target: Target::TextureSlot { material: ClipMaterial(0), slot: *slot },
                sampler: Sampler::every_frame(Keys::Scalar(vec![0.0; 20])),
                unit: Unit::Plain,
                muted: false,
            };
            let channels = slots.iter().map(channel).collect();
            let clip = Clip { frame_count: 20, materials: [name.to_owned()].into(), channels, ..Clip::default() };
            let binding = Binding::new(&clip, &model, Default::default());
            (Arc::new(clip), Arc::new(binding))
        };
        let mut join = |name: &str, slots: &[u8]| {
            let (clip, binding) = textures(name, slots);
            player.join_clip(clip, binding)
        };
        assert_eq!([join("a", &[0]), join("a", &[1, 2]), join("b", &[0])], [1, 2, 3].map(|at| Some(LayerIndex(at))));
        assert_eq!([join("a", &[2, 3]), join("b", &[0])], [None, None]);
        // One that is chosen takes the places of all of its kind.
        let (clip, binding) = textures("a", &[3]);
        assert_eq!((player.set_clip(clip, binding), player.layers().len()), (LayerIndex(1), 2));
    }

    #[test]
    fn a_detached_layer_goes_its_own_way_and_comes_back() {
        let mut player = Player::default();
        player.set_clip(of_kind(TargetKind::Joints, 40), Arc::default());
        player.set_clip(of_kind(TargetKind::TextureSlots, 40), Arc::default());
        player.play();
        player.advance(0.2);
        player.set_detached(LayerIndex(1), true);
        player.set_layer_playing(LayerIndex(1), false);
        player.advance(0.2);
        assert_eq!(frames(&player), [12.0, 6.0]);
        player.seek_layer(LayerIndex(1), 33.0);
        player.seek(2.0);
        assert_eq!(frames(&player), [2.0, 33.0]);
        player.playing = false;
        player.set_layer_playing(LayerIndex(1), true);
        assert!(player.is_moving());
        player.advance(0.1);
        assert_eq!(frames(&player), [2.0, 36.0]);
        player.set_detached(LayerIndex(1), false);
        assert_eq!((frames(&player), player.is_moving()), (vec![2.0, 2.0], false));
    }

    #[test]
    fn the_clock_stops_when_everything_on_it_is_over() {
        let mut player = Player::default();
        player.set_loop_mode(LoopMode::OnceForthAndBack);
        player.set_clip(of_kind(TargetKind::Joints, 30), Arc::default());
        player.set_loop_mode(LoopMode::Once);
        player.set_clip(of_kind(TargetKind::TextureSlots, 60), Arc::default());
        player.set_layer_loop(LayerIndex(0), LoopMode::OnceForthAndBack);
        player.play();
        player.advance(1.5);
        assert_eq!((frames(&player), player.playing), (vec![15.0, 45.0], true));
        player.advance(5.0);
        assert_eq!((frames(&player), player.playing), (vec![0.0, 59.999], false));
        player.play();
        assert_eq!((frames(&player), player.playing), (vec![0.0, 0.0], true));
    }

    #[test]
    fn another_rate_or_loop_mode_keeps_the_frame() {
        let mut player = Player::default();
        player.set_clip(of_kind(TargetKind::Joints, 40), Arc::default());
        player.play();
        player.advance(5.1);
        assert_eq!(frames(&player), [33.0]);
        player.set_assumed_rate_hz(Some(60.0));
        assert_eq!((frames(&player), player.rate_hz()), (vec![33.0], 60.0));
        player.advance(0.1);
        assert_eq!(frames(&player), [39.0]);
        player.set_loop_mode(LoopMode::PingPong);
        player.advance(0.1);
        assert_eq!(frames(&player), [35.0]);
        player.set_loop_mode(LoopMode::OnceForthAndBack);
        player.advance(0.1);
        assert_eq!(frames(&player), [29.0], "it goes on backwards");
        player.set_loop_mode(LoopMode::Once);
        assert_eq!(frames(&player), [29.0]);
        player.speed = -1.0;
        player.advance(9.0);
        assert_eq!((frames(&player), player.playing), (vec![0.0], false));
        player.play();
        assert_eq!(frames(&player), [39.999], "backwards from the end");
    }

    #[test]
    fn a_frame_that_is_held_is_given_as_it_is() {
        let mut player = Player::default();
        player.set_clip(of_kind(TargetKind::Joints, 40), Arc::default());
        player.hold(120.5);
        assert_eq!(frames(&player), [120.5]);
        player.seek(120.5);
        assert_eq!(frames(&player), [39.999]);
    }

    #[test]
    fn a_clip_of_some_length_loops_after_that_and_shows_its_end() {
        let clip = Clip { rate_hz: 10.0, frame_count: 8, end: ClipEnd::Length(7.5), ..Clip::default() };
        let mut player = Player::default();
        player.set_clip(Arc::new(clip), Arc::default());
        assert_eq!(player.duration_secs(), 0.75);
        player.play();
        player.advance(0.8);
        assert!((player.frame() - 0.5).abs() < 1e-5, "{}", player.frame());
        player.seek(99.0);
        assert_eq!(frames(&player), [7.499]);
        player.hold(99.0);
        assert_eq!(player.frame(), 99.0, "the tracks go round by themselves");
        player.set_loop_mode(LoopMode::PingPong);
        player.seek(0.0);
        player.advance(1.0);
        assert!((player.frame() - 5.0).abs() < 1e-5, "{}", player.frame());
    }

    #[test]
    fn steps_wrap_around() {
        let mut player = player(5, LoopMode::Loop);
        player.step(-1);
        assert_eq!(player.frame(), 4.0);
        player.step(1);
        assert_eq!(player.frame(), 0.0);
    }
}
