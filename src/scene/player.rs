use super::{Binding, Clip, Frame, Layer, LoopMode, Model, TargetKind, evaluate};
use std::sync::Arc;

/// A clip that plays.
#[derive(Clone, Debug)]
pub struct PlayerLayer {
    pub clip: Arc<Clip>,
    pub binding: Arc<Binding>,
}

/// Which clips play, where they are and how they loop: one clock for all. The first layer is the one whose frames the
/// timeline counts; the others follow by time, each in its own length.
#[derive(Clone, Debug)]
pub struct Player {
    layers: Vec<PlayerLayer>,
    /// In frames of the first layer.
    frame: f32,
    /// +1 forwards, −1 backwards (the way back of [`LoopMode::PingPong`]).
    direction: f32,
    pub playing: bool,
    /// Times the clip's own rate; negative plays backwards.
    pub speed: f32,
    pub loop_mode: LoopMode,
    /// Weights set by hand, in the order of [`Model::morph_names`].
    pub morph_weights: Vec<f32>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            layers: Vec::new(),
            frame: 0.0,
            direction: 1.0,
            playing: false,
            speed: 1.0,
            loop_mode: LoopMode::Loop,
            morph_weights: Vec::new(),
        }
    }
}

impl Player {
    pub fn layers(&self) -> &[PlayerLayer] {
        &self.layers
    }

    /// The clip that the timeline shows.
    pub fn clip(&self) -> Option<&Arc<Clip>> {
        self.layers.first().map(|l| &l.clip)
    }

    /// Plays a clip in the place of the one of its kind; the first layer's change starts from frame 0.
    pub fn set_clip(&mut self, clip: Arc<Clip>, binding: Arc<Binding>) {
        let kind = clip.kind();
        let layer = PlayerLayer { clip, binding };
        match self.layers.iter().position(|l| l.clip.kind() == kind) {
            Some(index) => {
                if let Some(slot) = self.layers.get_mut(index) {
                    *slot = layer;
                }
                if index == 0 {
                    self.frame = 0.0;
                }
            }
            None if kind != TargetKind::Morphs => self.layers.insert(0, layer),
            None => self.layers.push(layer),
        }
        self.direction = 1.0;
    }

    /// Back to the bind pose.
    pub fn clear(&mut self) {
        self.layers.clear();
        self.frame = 0.0;
        self.playing = false;
    }

    /// In frames of the first layer.
    pub fn frame(&self) -> f32 {
        self.frame
    }

    /// Seconds from the start of the first layer.
    pub fn time_secs(&self) -> f32 {
        self.clip().map_or(0.0, |c| if c.rate_hz > 0.0 { self.frame / c.rate_hz } else { 0.0 })
    }

    /// Moves to a frame, held inside the clip.
    pub fn seek(&mut self, frame: f32) {
        let last = self.clip().map_or(0.0, |c| c.last_frame());
        self.frame = if frame.is_finite() { frame.clamp(0.0, last) } else { 0.0 };
        self.direction = 1.0;
    }

    /// Moves by whole frames, rounding to one; past an end it comes in at the other.
    pub fn step(&mut self, frames: i32) {
        let last = self.clip().map_or(0.0, |c| c.last_frame());
        let target = (self.frame.round() + frames as f32).round();
        self.seek(if target < 0.0 {
            last
        } else if target > last {
            0.0
        } else {
            target
        });
    }

    /// Starts; at the end of a clip that does not loop, from its start.
    pub fn play(&mut self) {
        if let Some(clip) = self.clip() {
            if self.loop_mode == LoopMode::Once && self.frame >= clip.last_frame() && self.speed > 0.0 {
                self.frame = 0.0;
            }
            self.playing = true;
        }
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f32) {
        let Some(clip) = self.layers.first().map(|l| l.clip.clone()) else { return };
        if !self.playing || !seconds.is_finite() {
            return;
        }
        let delta = seconds * clip.rate_hz * self.speed;
        let last = clip.last_frame();
        let next = self.frame + delta * self.direction;
        self.frame = match self.loop_mode {
            LoopMode::Loop => {
                let period = clip.loop_frames();
                if period > 0.0 { next.rem_euclid(period) } else { 0.0 }
            }
            LoopMode::Once => {
                if next >= last || next < 0.0 {
                    self.playing = false;
                }
                next.clamp(0.0, last)
            }
            LoopMode::OnceReset => {
                let over = next >= clip.loop_frames() || next < 0.0;
                self.playing &= !over;
                if over { 0.0 } else { next }
            }
            LoopMode::PingPong | LoopMode::OnceForthAndBack => {
                if last <= 0.0 {
                    0.0
                } else {
                    // One way is `last` frames; the position on the whole way there and back gives frame and direction.
                    let way = if self.direction < 0.0 { 2.0 * last - self.frame } else { self.frame };
                    let way = (way + delta).rem_euclid(2.0 * last);
                    self.direction = if way > last { -1.0 } else { 1.0 };
                    if way > last { 2.0 * last - way } else { way }
                }
            }
        };
    }

    /// The model at the player's time.
    pub fn evaluate(&self, model: &Model, out: &mut Frame) {
        let time_secs = self.time_secs();
        let looping = self.loop_mode == LoopMode::Loop;
        let layers: Vec<Layer<'_>> = self
            .layers
            .iter()
            .enumerate()
            .map(|(index, layer)| {
                let clip = &layer.clip;
                let frame = if index == 0 { self.frame } else { wrapped(clip, time_secs * clip.rate_hz, looping) };
                Layer { clip, binding: &layer.binding, frame, looping }
            })
            .collect();
        evaluate(model, &layers, &self.morph_weights, out);
    }
}

fn wrapped(clip: &Clip, frame: f32, looping: bool) -> f32 {
    let period = clip.loop_frames();
    if looping && period > 0.0 { frame.rem_euclid(period) } else { frame.clamp(0.0, clip.last_frame()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(frames: u32, mode: LoopMode) -> Player {
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
        let mut player = Player { loop_mode: mode, ..Player::default() };
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
    fn steps_wrap_around() {
        let mut player = player(5, LoopMode::Loop);
        player.step(-1);
        assert_eq!(player.frame(), 4.0);
        player.step(1);
        assert_eq!(player.frame(), 0.0);
    }
}
