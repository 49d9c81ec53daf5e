//! A stretch of a clip that plays in the place of all of it.

use super::{Clip, LoopMode};

/// A stretch of a clip, from a frame to a frame of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRange {
    first: f32,
    last: f32,
}

impl FrameRange {
    /// The stretch between two frames, held inside a clip. `None` where it is all of the clip, where nothing of the clip lies
    /// in it, where the clip has one frame at most and where a frame is no number.
    pub fn within(clip: &Clip, from: f32, to: f32) -> Option<Self> {
        let end = clip.last_frame();
        let (first, last) = (from.min(to), from.max(to));
        if from.is_nan() || to.is_nan() || end <= 0.0 || first > end || last < 0.0 {
            return None;
        }
        let (first, last) = (first.max(0.0), last.min(end));
        (first > 0.0 || last < end).then_some(Self { first, last })
    }

    /// Returns the first frame of the stretch.
    pub fn first(self) -> f32 {
        self.first
    }

    /// Returns the last frame of the stretch.
    pub fn last(self) -> f32 {
        self.last
    }

    /// Frames from one end to the other.
    pub fn way(self) -> f32 {
        self.last - self.first
    }

    /// Returns true if a frame is in the stretch, ends included.
    pub fn contains(self, frame: f32) -> bool {
        (self.first..=self.last).contains(&frame)
    }

    /// The frame after so many frames of playing: on the first way through it is that number itself.
    pub fn position(self, mode: LoopMode, played: f64) -> f32 {
        let (first, last, way) = (f64::from(self.first), f64::from(self.last), f64::from(self.way()));
        if way <= 0.0 || !played.is_finite() {
            return self.first;
        }
        let from_first = played - first;
        let frame = match mode {
            LoopMode::Once => played.clamp(first, last),
            LoopMode::OnceReset if (0.0..way).contains(&from_first) => played,
            LoopMode::OnceReset => first,
            LoopMode::Loop => first + from_first.rem_euclid(way),
            LoopMode::OnceForthAndBack if from_first < way => played.max(first),
            LoopMode::OnceForthAndBack => (last + way - from_first).max(first),
            LoopMode::PingPong => {
                let there = from_first.rem_euclid(2.0 * way);
                if there < way { first + there } else { last + way - there }
            }
        };
        let frame = frame as f32;
        // What rounds to the end of a round is the start of the next one.
        if mode == LoopMode::Loop && frame >= self.last { self.first } else { frame }
    }

    /// When it stops, in frames of playing; `None` for modes that go on.
    pub(super) fn end(self, mode: LoopMode) -> Option<f64> {
        match mode {
            LoopMode::Loop | LoopMode::PingPong => None,
            LoopMode::Once | LoopMode::OnceReset => Some(self.last.into()),
            LoopMode::OnceForthAndBack => Some(f64::from(self.last) + f64::from(self.way())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::ClipEnd;

    fn clip(frame_count: u32, end: ClipEnd) -> Clip {
        Clip { frame_count, end, ..Clip::default() }
    }

    #[test]
    fn a_range_lies_inside_its_clip_or_is_none() {
        let forty = clip(41, ClipEnd::LastFrame);
        let ends = |from, to| FrameRange::within(&forty, from, to).map(|range| (range.first(), range.last()));
        assert_eq!(ends(10.0, 20.5), Some((10.0, 20.5)));
        assert_eq!(ends(20.5, 10.0), Some((10.0, 20.5)), "either way round");
        assert_eq!(ends(-9.0, 12.0), Some((0.0, 12.0)));
        assert_eq!(ends(30.0, f32::INFINITY), Some((30.0, 40.0)));
        assert_eq!(ends(7.0, 7.0), Some((7.0, 7.0)));
        assert_eq!(ends(0.0, 40.0), None, "all of the clip");
        assert_eq!(ends(-1.0, 99.0), None, "all of the clip and more");
        assert_eq!((ends(41.0, 50.0), ends(-9.0, -1.0)), (None, None), "outside of it");
        assert_eq!((ends(f32::NAN, 4.0), ends(4.0, f32::NAN)), (None, None));
        for short in [clip(0, ClipEnd::LastFrame), clip(1, ClipEnd::LastFrame), clip(0, ClipEnd::Length(0.0))] {
            assert_eq!(FrameRange::within(&short, 0.0, 0.0), None);
            assert_eq!(FrameRange::within(&short, 0.0, 9.0), None);
        }
    }

    #[test]
    fn every_mode_stays_inside_the_range() {
        let range = FrameRange::within(&clip(41, ClipEnd::LastFrame), 10.0, 20.0).unwrap();
        for (mode, at) in [
            (LoopMode::Once, [10.0, 14.5, 20.0, 20.0, 20.0, 10.0]),
            (LoopMode::OnceReset, [10.0, 14.5, 10.0, 10.0, 10.0, 10.0]),
            (LoopMode::Loop, [10.0, 14.5, 10.0, 12.25, 17.0, 18.0]),
            (LoopMode::OnceForthAndBack, [10.0, 14.5, 20.0, 17.75, 10.0, 10.0]),
            (LoopMode::PingPong, [10.0, 14.5, 20.0, 17.75, 17.0, 12.0]),
        ] {
            assert_eq!([10.0, 14.5, 20.0, 22.25, 37.0, 8.0].map(|t| range.position(mode, t)), at, "{mode:?}");
            assert_eq!(range.position(mode, f64::NAN), 10.0);
        }
        let ends = [LoopMode::Once, LoopMode::Loop, LoopMode::OnceForthAndBack].map(|mode| range.end(mode));
        assert_eq!(ends, [Some(20.0), None, Some(30.0)]);
    }

    #[test]
    fn a_range_of_one_frame_stands_still() {
        let range = FrameRange::within(&clip(41, ClipEnd::LastFrame), 7.0, 7.0).unwrap();
        for mode in [LoopMode::Once, LoopMode::Loop, LoopMode::PingPong, LoopMode::OnceReset] {
            assert_eq!([0.0, 7.0, 9.3].map(|t| range.position(mode, t)), [7.0; 3], "{mode:?}");
        }
    }
}
