//! A clip that plays: where it is in its own frames.

use super::{Binding, Clip, ClipEnd, FrameRange, Layer, LoopMode, TargetKind};
use std::sync::Arc;

/// A clip that plays, with a small player of its own.
#[derive(Clone, Debug)]
pub struct PlayerLayer {
    /// The clip that plays.
    pub clip: Arc<Clip>,
    /// The clip's channels joined to the parts of the model that they drive.
    pub binding: Arc<Binding>,
    /// Changed by [`super::Player::set_layer_loop`].
    pub(super) loop_mode: LoopMode,
    /// Played so far; loops go on counting.
    pub(super) secs: f64,
    /// Frames a second, after the user's word on clips that do not say.
    pub(super) rate_hz: f32,
    /// Off the common clock: it starts and stops by itself.
    pub(super) detached: bool,
    /// While detached: time passes for it.
    pub(super) playing: bool,
    /// A frame that is given to the tracks as it is, whatever the clip's length; or one outside of the range, until time passes.
    pub(super) held: Option<f32>,
    /// What plays in the place of all of the clip.
    pub(super) range: Option<FrameRange>,
}

impl PlayerLayer {
    /// The kind of target that the clip drives.
    pub fn kind(&self) -> TargetKind {
        self.clip.kind()
    }

    /// The layer's loop mode.
    pub fn loop_mode(&self) -> LoopMode {
        self.loop_mode
    }

    /// True if the layer is off the common clock: it starts and stops by itself.
    pub fn is_detached(&self) -> bool {
        self.detached
    }

    /// Whether time passes for it by itself while it is detached.
    pub fn plays_alone(&self) -> bool {
        self.detached && self.playing
    }

    /// Frames a second: the clip's own rate, or the player's assumed rate if the file gives none.
    pub fn rate_hz(&self) -> f32 {
        self.rate_hz
    }

    /// In the clip's own frames.
    pub fn frame(&self) -> f32 {
        let played = self.secs * f64::from(self.rate_hz);
        self.held.unwrap_or_else(|| match self.range {
            Some(range) => range.position(self.loop_mode, played),
            None => position(&self.clip, self.loop_mode, played),
        })
    }

    /// Range of frames that plays; `None` if the whole clip plays.
    pub fn range(&self) -> Option<FrameRange> {
        self.range
    }

    /// Plays a range from now on, or all of the clip, from the frame that is shown.
    pub(super) fn set_range(&mut self, range: Option<FrameRange>) {
        if range == self.range {
            return;
        }
        let (frame, back) = (self.frame(), self.goes_back());
        self.range = range;
        self.put(frame, back);
    }

    /// Whether it shows a frame that does not play.
    pub(super) fn is_outside(&self) -> bool {
        self.range.zip(self.held).is_some_and(|(range, held)| !range.contains(held))
    }

    /// The first frame that plays.
    pub(super) fn first_frame(&self) -> f32 {
        self.range.map_or(0.0, FrameRange::first)
    }

    /// The last frame that plays.
    pub(super) fn last_frame(&self) -> f32 {
        self.range.map_or_else(|| self.clip.last_frame(), FrameRange::last)
    }

    /// Whether another time of it can look different.
    pub(super) fn has_time(&self) -> bool {
        let plays = self.range.is_none_or(|range| range.way() > 0.0);
        plays && (self.clip.frame_count > 1 || self.clip.channels.iter().any(|channel| channel.sampler.keys.len() > 1))
    }

    pub(super) fn at_its_frame(&self) -> Layer<'_> {
        let looping = self.loop_mode == LoopMode::Loop;
        Layer { clip: &self.clip, binding: &self.binding, frame: self.frame(), looping }
    }

    pub(super) fn advance(&mut self, secs: f64) {
        if self.is_outside() {
            // It comes in at the end that it would have started from.
            let start = if secs >= 0.0 { self.first_frame() } else { self.last_frame() };
            self.secs = self.secs_at(start.into());
        }
        self.held = None;
        self.secs += secs;
        if let Some(end) = self.end_secs() {
            self.secs = self.secs.clamp(self.start_secs(), end);
        }
    }

    /// Whether it has come to where it stops, going this way.
    pub(super) fn is_over(&self, forwards: bool) -> bool {
        let over = |end| if forwards { self.secs >= end } else { self.secs <= self.start_secs() };
        !self.is_outside() && self.end_secs().is_some_and(over)
    }

    /// To a frame inside the clip, on the way forth.
    pub(super) fn seek(&mut self, frame: f32) {
        self.put(if frame.is_finite() { frame.clamp(0.0, self.clip.last_frame()) } else { 0.0 }, false);
    }

    /// To a time from the start of the clip.
    pub(super) fn seek_secs(&mut self, secs: f64) {
        if self.range.is_some() {
            return self.seek(position(&self.clip, self.loop_mode, secs * f64::from(self.rate_hz)));
        }
        self.held = None;
        self.secs = secs;
        self.advance(0.0);
    }

    /// Another mode, from the frame that is shown.
    pub(super) fn set_loop_mode(&mut self, mode: LoopMode) {
        let (frame, back, held) = (self.frame(), self.goes_back(), self.held);
        self.loop_mode = mode;
        self.put(frame, back);
        if self.range.is_none() {
            self.held = held;
        }
    }

    /// To a frame, on the way forth or `back` where the mode has one.
    fn put(&mut self, frame: f32, back: bool) {
        let back = back && matches!(self.loop_mode, LoopMode::PingPong | LoopMode::OnceForthAndBack);
        let turn = self.range.map_or_else(|| way(&self.clip), |range| range.last().into());
        let played = f64::from(frame);
        self.secs = self.secs_at(if back { 2.0 * turn - played } else { played });
        self.held = None;
        // Frames outside of the range, and its last one in modes that go back to the first there.
        if self.range.is_some() && (self.frame() - frame).abs() > 1e-3 {
            self.held = Some(frame);
        }
    }

    /// Another rate, at the frame that is shown.
    pub(super) fn set_rate_hz(&mut self, rate_hz: f32) {
        if rate_hz > 0.0 && self.rate_hz > 0.0 {
            self.secs *= f64::from(self.rate_hz) / f64::from(rate_hz);
        }
        self.rate_hz = rate_hz;
    }

    fn goes_back(&self) -> bool {
        let way = self.range.map_or_else(|| way(&self.clip), |range| range.way().into());
        let frames = self.secs * f64::from(self.rate_hz) - f64::from(self.first_frame());
        match self.loop_mode {
            LoopMode::PingPong => way > 0.0 && frames.rem_euclid(2.0 * way) > way,
            LoopMode::OnceForthAndBack => frames > way,
            _ => false,
        }
    }

    /// When a frame is shown on the first way through.
    pub(super) fn secs_at(&self, frames: f64) -> f64 {
        if self.rate_hz > 0.0 { frames / f64::from(self.rate_hz) } else { 0.0 }
    }

    /// When what stops has not begun.
    fn start_secs(&self) -> f64 {
        self.secs_at(self.first_frame().into())
    }

    /// When it stops; `None` for modes that go on.
    fn end_secs(&self) -> Option<f64> {
        if let Some(range) = self.range {
            return range.end(self.loop_mode).map(|frames| self.secs_at(frames));
        }
        let frames = match self.loop_mode {
            LoopMode::Loop | LoopMode::PingPong => return None,
            LoopMode::Once => f64::from(self.clip.last_frame()),
            LoopMode::OnceReset => f64::from(self.clip.loop_frames()),
            LoopMode::OnceForthAndBack => 2.0 * way(&self.clip),
        };
        Some(self.secs_at(frames))
    }
}

/// Frames from one end to the other.
fn way(clip: &Clip) -> f64 {
    match clip.end {
        ClipEnd::LastFrame => f64::from(clip.last_frame()),
        ClipEnd::Duration => f64::from(clip.frame_count),
        ClipEnd::Length(frames) => f64::from(frames),
    }
}

/// The frame of a clip after so many frames of playing (formats/j3d.md §3.4).
pub fn position(clip: &Clip, mode: LoopMode, played: f64) -> f32 {
    let (way, period) = (way(clip), f64::from(clip.loop_frames()));
    let played = if played.is_finite() { played } else { 0.0 };
    let frame = match mode {
        _ if way <= 0.0 && period <= 0.0 => 0.0,
        LoopMode::Once => played.clamp(0.0, f64::from(clip.last_frame())),
        LoopMode::OnceReset if (0.0..period).contains(&played) => played,
        LoopMode::OnceReset => 0.0,
        LoopMode::Loop => {
            let frame = if period > 0.0 { played.rem_euclid(period) } else { 0.0 };
            // What rounds to the end is the start.
            if frame as f32 >= clip.loop_frames() { 0.0 } else { frame }
        }
        LoopMode::OnceForthAndBack if played < way => played.max(0.0),
        LoopMode::OnceForthAndBack => (2.0 * way - played).max(0.0),
        LoopMode::PingPong if way <= 0.0 => 0.0,
        LoopMode::PingPong => {
            let there = played.rem_euclid(2.0 * way);
            if there < way { there } else { 2.0 * way - there }
        }
    };
    frame as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loop_modes_are_the_games_closed_forms() {
        let clip = |frame_count| Clip { frame_count, end: ClipEnd::Duration, ..Clip::default() };
        let ten = clip(10);
        for (mode, at) in [
            (LoopMode::Once, [0.0, 4.5, 9.999, 9.999, 9.999, 9.999]),
            (LoopMode::OnceReset, [0.0, 4.5, 0.0, 0.0, 0.0, 0.0]),
            (LoopMode::Loop, [0.0, 4.5, 0.0, 2.25, 0.0, 7.0]),
            (LoopMode::OnceForthAndBack, [0.0, 4.5, 10.0, 7.75, 0.0, 0.0]),
            (LoopMode::PingPong, [0.0, 4.5, 10.0, 7.75, 0.0, 7.0]),
        ] {
            let found = [0.0, 4.5, 10.0, 12.25, 20.0, 27.0].map(|t| position(&ten, mode, t));
            assert_eq!(found, at, "{mode:?}");
            assert_eq!(position(&clip(0), mode, 7.3), 0.0, "{mode:?} of no frames");
            assert!(position(&clip(1), mode, 7.3).is_finite());
            assert_eq!(position(&ten, mode, f64::NAN), 0.0);
        }
    }
}
