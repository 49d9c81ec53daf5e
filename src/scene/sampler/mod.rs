//! Keys over time, kept as the file has them.

mod game;
mod keys;
mod rotations;

use game::TimedKey;

pub use game::KeyNumbers;
pub use keys::{BezierKey, EasedKey, HermiteKey, KeyTimes, Keys, SquadKey};

use super::rotation_or_identity;
use glam::{Affine3A, Quat, Vec3};

/// How values come about between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interpolation {
    /// Constant: each key holds until the next.
    Step,
    /// Linear; rotations on the shorter arc with constant speed.
    #[default]
    Linear,
    /// Cubic, by the tangents of [`Keys::Hermite`] (formats/j3d.md §2.1).
    Hermite,
    /// Cubic, by the control points of [`Keys::Bezier`].
    Bezier,
    /// Rotations from one to the next without turning to the shorter arc (formats/charpipe.md §8).
    Slerp,
    /// Rotations by the control rotations of [`Keys::Squad`].
    Squad,
}

/// Keys with times and interpolation.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    /// Frames of the keys.
    pub times: KeyTimes,
    /// Values of the keys.
    pub keys: Keys,
    /// Interpolation between two neighbouring keys.
    pub interpolation: Interpolation,
    /// Frames after which the keys begin anew, whatever the clip does: the last key leads to the first (formats/charpipe.md §8).
    pub cycle: Option<f32>,
}

/// Two neighbouring keys and how far between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Index of the earlier key.
    pub from: usize,
    /// Index of the later key; lower than `from` if the keys loop, equal to `from` if one key holds.
    pub to: usize,
    /// 0 to 1.
    pub blend: f32,
}

impl Sampler {
    /// One key for each frame, linear between.
    pub fn every_frame(keys: Keys) -> Self {
        Self { times: KeyTimes::EveryFrame, keys, interpolation: Interpolation::Linear, cycle: None }
    }

    /// The frame of a key.
    pub fn key_frame(&self, key: usize) -> f32 {
        match &self.times {
            KeyTimes::EveryFrame => key as f32,
            KeyTimes::At(times) => times.get(key).copied().unwrap_or_default(),
        }
    }

    /// The keys around a frame. With `wrap` (frames a loop takes) the last key leads back to the first; otherwise both ends
    /// hold. A cycle of its own goes before that. `None` without keys. A seek costs what playing costs.
    pub fn span(&self, frame: f32, wrap: Option<f32>) -> Option<Span> {
        let last = self.keys.len().checked_sub(1)?;
        let frame = if frame.is_finite() { frame } else { 0.0 };
        let hold = |key: usize| Span { from: key, to: key, blend: 0.0 };
        if let Some(length) = self.cycle {
            let span = self.cycle_span(frame, length, last);
            return Some(if self.interpolation == Interpolation::Step { hold(span.from) } else { span });
        }
        let span = match &self.times {
            KeyTimes::EveryFrame => {
                if frame <= 0.0 {
                    hold(0)
                } else if frame >= last as f32 {
                    match wrap {
                        Some(_) => Span { from: last, to: 0, blend: (frame - last as f32).clamp(0.0, 1.0) },
                        None => hold(last),
                    }
                } else {
                    let from = frame as usize;
                    Span { from, to: from.saturating_add(1).min(last), blend: frame - from as f32 }
                }
            }
            KeyTimes::At(times) => {
                let after = keys::count_until(times, frame);
                match (after.checked_sub(1), wrap) {
                    (None, _) => hold(0),
                    (Some(from), _) if after <= last => {
                        let start = self.key_frame(from);
                        let length = self.key_frame(after) - start;
                        let blend = if length > 0.0 { (frame - start) / length } else { 0.0 };
                        Span { from, to: after, blend }
                    }
                    (Some(_), None) => hold(last),
                    (Some(_), Some(period)) => {
                        let start = self.key_frame(last);
                        let length = period - start + self.key_frame(0);
                        let blend = if length > 0.0 { ((frame - start) / length).clamp(0.0, 1.0) } else { 0.0 };
                        Span { from: last, to: 0, blend }
                    }
                }
            }
        };
        Some(match self.interpolation {
            Interpolation::Step => hold(if span.blend >= 1.0 { span.to } else { span.from }),
            _ => span,
        })
    }

    /// The keys around a frame of a track that goes round by itself: from the last key on it leads to the first, which it has
    /// reached after `length` frames. A length of 0 does not loop (formats/charpipe.md §8).
    fn cycle_span(&self, frame: f32, length: f32, last: usize) -> Span {
        let hold = |key: usize| Span { from: key, to: key, blend: 0.0 };
        let goes_round = length > 0.0 && length.is_finite();
        let frame = if goes_round { within(frame, length) } else { frame };
        let after = match &self.times {
            KeyTimes::EveryFrame if frame < 0.0 => 0,
            KeyTimes::EveryFrame => (frame as usize).saturating_add(1),
            KeyTimes::At(times) => keys::count_until(times, frame),
        };
        let Some(from) = after.checked_sub(1).map(|from| from.min(last)) else { return hold(0) };
        if from == last && !goes_round {
            return hold(last);
        }
        let to = if from == last { 0 } else { after };
        let (start, next) = (self.key_frame(from), self.key_frame(to));
        // Keys that follow at no later time are followed by the round's end.
        let way = if to > from && next > start { next - start } else { length - start };
        let blend = (frame - start) / way;
        if way > 0.0 && blend > 0.0 { Span { from, to, blend: blend.min(1.0) } } else { hold(from) }
    }

    /// `None` when the keys are no vectors, or there are none.
    pub fn vec3(&self, frame: f32, wrap: Option<f32>) -> Option<Vec3> {
        match &self.keys {
            Keys::Vec3(keys) => {
                let span = self.span(frame, wrap)?;
                let (from, to) = (keys.get(span.from)?, keys.get(span.to)?);
                Some(from.lerp(*to, span.blend))
            }
            Keys::Bezier(keys) => {
                let span = self.span(frame, wrap)?;
                Some(rotations::bezier(keys.get(span.from)?, keys.get(span.to)?, span.blend))
            }
            Keys::Eased(keys) => {
                let span = self.span(frame, wrap)?;
                Some(rotations::hermite(keys.get(span.from)?, keys.get(span.to)?, span.blend))
            }
            _ => None,
        }
    }

    /// Angles about X, Y and Z in degrees; the rotation is `Rz · Ry · Rx`. `None` when the keys are no angles, or there are none.
    pub fn degrees(&self, frame: f32, wrap: Option<f32>) -> Option<Vec3> {
        match &self.keys {
            Keys::Euler(keys) => {
                let span = self.span(frame, wrap)?;
                let (from, to) = (*keys.get(span.from)?, *keys.get(span.to)?);
                Some(if span.blend > 0.0 { rotations::short_way(from, to, span.blend) } else { from })
            }
            Keys::EulerBezier(keys) => {
                let span = self.span(frame, wrap)?;
                Some(rotations::bezier(keys.get(span.from)?, keys.get(span.to)?, span.blend))
            }
            _ => None,
        }
    }

    /// A unit rotation; `None` when the keys are no rotations, or there are none.
    pub fn rotation(&self, frame: f32, wrap: Option<f32>) -> Option<Quat> {
        match &self.keys {
            Keys::Rotation(keys) => {
                let span = self.span(frame, wrap)?;
                let (from, to) = (*keys.get(span.from)?, *keys.get(span.to)?);
                if span.blend <= 0.0 {
                    return Some(rotation_or_identity(from));
                }
                if self.interpolation == Interpolation::Slerp {
                    return Some(rotation_or_identity(rotations::slerp(from, to, span.blend)));
                }
                // glam turns the second one over when the arc is the longer one.
                let turned = rotation_or_identity(from).slerp(rotation_or_identity(to), span.blend);
                Some(rotation_or_identity(turned))
            }
            Keys::Squad(keys) => {
                let span = self.span(frame, wrap)?;
                let turned = rotations::squad(keys.get(span.from)?, keys.get(span.to)?, span.blend);
                Some(rotation_or_identity(turned))
            }
            _ => self.degrees(frame, wrap).map(rotations::of_degrees),
        }
    }

    /// How steep a curve of vectors or angles is right before and right after a key, in units of the value a frame; `None` for
    /// keys without curves.
    pub fn slopes(&self, key: usize) -> Option<(Vec3, Vec3)> {
        let count = self.keys.len();
        let last = count.checked_sub(1)?;
        // The last key of a round leads to the first.
        let way_from = |key: usize| {
            let start = self.key_frame(key);
            let end = if key < last { self.key_frame(key.saturating_add(1)) } else { self.cycle.unwrap_or(start) };
            (end - start).max(1e-3)
        };
        let before = if key == 0 { last } else { key.saturating_sub(1) };
        let next = if key >= last { 0 } else { key.saturating_add(1) };
        let (come, go) = (way_from(before), way_from(key));
        match &self.keys {
            Keys::Bezier(keys) | Keys::EulerBezier(keys) => {
                let key = keys.get(key)?;
                Some((key.control_in * (-3.0 / come), key.control_out * (3.0 / go)))
            }
            Keys::Eased(keys) => {
                let (before, key, next) = (keys.get(before)?, keys.get(key)?, keys.get(next)?);
                let start = rotations::speed_at_start(key.ease_out, next.ease_in);
                let end = rotations::speed_at_start(key.ease_in, before.ease_out);
                Some((key.tangent_in * (end / come), key.tangent_out * (start / go)))
            }
            _ => None,
        }
    }

    /// A whole matrix: each key holds until the next. `None` when the keys are no matrices, or there are none.
    pub fn matrix(&self, frame: f32, wrap: Option<f32>) -> Option<Affine3A> {
        let Keys::Matrix(keys) = &self.keys else { return None };
        keys.get(self.span(frame, wrap)?.from).copied()
    }

    /// `None` when the keys are no numbers, or there are none.
    pub fn scalar(&self, frame: f32, wrap: Option<f32>) -> Option<f32> {
        match (&self.keys, self.interpolation) {
            (Keys::Hermite(keys), Interpolation::Hermite) => self.hermite(keys, frame, smooth),
            (Keys::Hermite(keys), _) => {
                let span = self.span(frame, wrap)?;
                let (from, to) = (keys.get(span.from)?.value, keys.get(span.to)?.value);
                Some(from + (to - from) * span.blend)
            }
            (Keys::Scalar(keys), Interpolation::Step) if self.times == KeyTimes::EveryFrame => {
                // `as` holds both ends: negative and not a number become 0.
                Some(*keys.get((frame as usize).min(keys.len().checked_sub(1)?))?)
            }
            (Keys::Scalar(keys), _) => {
                let span = self.span(frame, wrap)?;
                let (from, to) = (keys.get(span.from)?, keys.get(span.to)?);
                Some(from + (to - from) * span.blend)
            }
            _ => None,
        }
    }

    /// As [`Sampler::scalar`], with cubics as the GameCube's games rounded them: to the last bit (formats/j3d.md §2.1.1).
    pub fn scalar_in_game(&self, frame: f32, numbers: KeyNumbers) -> Option<f32> {
        match (&self.keys, self.interpolation) {
            (Keys::Hermite(keys), Interpolation::Hermite) => {
                self.hermite(keys, frame, |frame, left, right| game::hermite(numbers, frame, left, right))
            }
            _ => self.scalar(frame, None),
        }
    }

    /// A cubic between two keys; both ends hold, and nothing loops here (formats/j3d.md §2.1). Times may repeat: the last key
    /// of a time counts from that time on. `between` works out what lies between two keys at different times.
    fn hermite(
        &self,
        keys: &[HermiteKey],
        frame: f32,
        between: impl Fn(f32, TimedKey, TimedKey) -> f32,
    ) -> Option<f32> {
        let (first, last) = (keys.first()?, keys.last()?);
        let end = keys.len().saturating_sub(1);
        let frame = if frame.is_finite() { frame } else { 0.0 };
        if end == 0 || frame < self.key_frame(0) {
            return Some(first.value);
        }
        if frame >= self.key_frame(end) {
            return Some(last.value);
        }
        let to = match &self.times {
            KeyTimes::EveryFrame => (frame as usize).saturating_add(1),
            KeyTimes::At(times) => keys::count_until(times, frame),
        };
        let Some(from) = to.checked_sub(1) else { return Some(first.value) };
        let (Some(left), Some(right)) = (keys.get(from), keys.get(to)) else { return Some(last.value) };
        let (start, next) = (self.key_frame(from), self.key_frame(to));
        // Times that go down lead nowhere.
        if next - start <= 0.0 {
            return Some(right.value);
        }
        Some(between(frame, TimedKey { time: start, key: *left }, TimedKey { time: next, key: *right }))
    }
}

fn smooth(frame: f32, left: TimedKey, right: TimedKey) -> f32 {
    let length = right.time - left.time;
    let s = (frame - left.time) / length;
    let (s2, s3) = (s * s, s * s * s);
    (2.0 * s3 - 3.0 * s2 + 1.0) * left.key.value
        + (s3 - 2.0 * s2 + s) * (left.key.tangent_out * length)
        + (3.0 * s2 - 2.0 * s3) * right.key.value
        + (s3 - s2) * (right.key.tangent_in * length)
}

/// A time in a round: what exceeds its length comes in again at the start, as by subtracting the length until it fits.
fn within(frame: f32, length: f32) -> f32 {
    if frame <= length {
        return frame;
    }
    let rest = frame.rem_euclid(length);
    if rest > 0.0 { rest } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Sampler {
        Sampler::every_frame(Keys::Scalar(vec![0.0, 10.0, 20.0]))
    }

    #[test]
    fn between_keys_values_are_linear_and_the_ends_hold() {
        assert_eq!(ramp().scalar(1.25, None), Some(12.5));
        assert_eq!(ramp().scalar(-4.0, None), Some(0.0));
        assert_eq!(ramp().scalar(99.0, None), Some(20.0));
        assert_eq!(ramp().scalar(f32::NAN, None), Some(0.0));
    }

    #[test]
    fn across_the_seam_the_last_key_leads_to_the_first() {
        assert_eq!(ramp().scalar(2.5, Some(3.0)), Some(10.0));
        let sparse = Sampler {
            times: KeyTimes::At([0.0, 4.0].into()),
            keys: Keys::Scalar(vec![0.0, 8.0]),
            interpolation: Interpolation::Linear,
            cycle: None,
        };
        assert_eq!(sparse.scalar(1.0, Some(8.0)), Some(2.0));
        assert_eq!(sparse.scalar(6.0, Some(8.0)), Some(4.0));
        assert_eq!(sparse.scalar(6.0, None), Some(8.0));
    }

    #[test]
    fn steps_hold_the_earlier_key() {
        let steps = Sampler { interpolation: Interpolation::Step, ..ramp() };
        assert_eq!(steps.scalar(1.9, None), Some(10.0));
    }

    #[test]
    fn rotations_take_the_shorter_arc_and_survive_nonsense() {
        let a = Quat::from_rotation_z(0.2);
        let sampler = Sampler::every_frame(Keys::Rotation(vec![
            a,
            -Quat::from_rotation_z(0.6),
            Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        ]));
        let half = sampler.rotation(0.5, None).unwrap();
        assert!(half.angle_between(Quat::from_rotation_z(0.4)) < 1e-3);
        assert_eq!(sampler.rotation(2.0, None), Some(Quat::IDENTITY));
    }

    fn track(keys: &[(f32, f32, f32, f32)]) -> Sampler {
        let key = |k: &(f32, f32, f32, f32)| HermiteKey { value: k.1, tangent_in: k.2, tangent_out: k.3 };
        Sampler {
            times: KeyTimes::At(keys.iter().map(|k| k.0).collect()),
            keys: Keys::Hermite(keys.iter().map(key).collect()),
            interpolation: Interpolation::Hermite,
            cycle: None,
        }
    }

    #[test]
    fn tracks_are_cubic_between_keys_and_hold_their_ends() {
        // The outgoing slope of the left key and the incoming one of the right key count: 5 and 7, by hand at s = 1/2:
        // 10/2 + (4·5 − 4·7)/8 + 30/2.
        let track = track(&[(2.0, 10.0, 99.0, 5.0), (6.0, 30.0, 7.0, 99.0)]);
        assert_eq!(track.scalar(4.0, None), Some(19.0));
        assert_eq!(track.scalar(3.0, None), Some(0.84375 * 10.0 + 0.140625 * 20.0 + 0.15625 * 30.0 - 0.046875 * 28.0));
        for (frame, value) in [(-3.0, 10.0), (1.99, 10.0), (2.0, 10.0), (6.0, 30.0), (1e9, 30.0), (f32::NAN, 10.0)] {
            assert_eq!(track.scalar(frame, Some(6.0)), Some(value), "frame {frame}");
        }
    }

    #[test]
    fn times_that_repeat_step_and_times_that_fall_do_no_harm() {
        let steps = track(&[(0.0, 1.0, 0.0, 0.0), (4.0, 1.0, 0.0, 0.0), (4.0, 9.0, 0.0, 0.0), (8.0, 9.0, 0.0, 0.0)]);
        assert_eq!([3.99, 4.0, 4.01].map(|f| steps.scalar(f, None)), [Some(1.0), Some(9.0), Some(9.0)]);
        let ends = track(&[(4.0, 1.0, 0.0, 0.0), (4.0, 9.0, 0.0, 0.0)]);
        assert_eq!([3.0, 4.0].map(|f| ends.scalar(f, None)), [Some(1.0), Some(9.0)]);
        let falling = track(&[(0.0, 1.0, 0.0, 0.0), (9.0, 2.0, 0.0, 0.0), (3.0, 3.0, 0.0, 0.0), (20.0, 4.0, 0.0, 0.0)]);
        for frame in 0..25 {
            let value = falling.scalar(frame as f32, None).unwrap();
            assert!((1.0..=4.0).contains(&value), "frame {frame}: {value}");
        }
    }

    #[test]
    fn tables_hold_whole_frames_and_both_ends() {
        let table =
            Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(Keys::Scalar(vec![3.0, 4.0, 5.0])) };
        for (frame, value) in [(-1.0, 3.0), (0.99, 3.0), (1.0, 4.0), (2.5, 5.0), (9e9, 5.0), (f32::NAN, 3.0)] {
            assert_eq!(table.scalar(frame, Some(3.0)), Some(value), "frame {frame}");
        }
    }

    #[test]
    fn no_keys_give_nothing() {
        assert_eq!(track(&[]).scalar(0.0, None), None);
        assert_eq!(
            Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(Keys::Scalar(vec![])) }
                .scalar(0.0, None),
            None
        );
        let none = Sampler::every_frame(Keys::Vec3(Vec::new()));
        assert_eq!(none.vec3(0.0, Some(1.0)), None);
        assert_eq!(none.rotation(0.0, None), None);
    }

    /// Keys at 2 and 4 of a track of 10 frames.
    fn round(keys: Keys, interpolation: Interpolation) -> Sampler {
        Sampler { times: KeyTimes::At([2.0, 4.0].into()), keys, interpolation, cycle: Some(10.0) }
    }

    #[test]
    fn tracks_with_a_length_of_their_own_go_round() {
        let keys = Keys::Vec3(vec![Vec3::X * 10.0, Vec3::X * 40.0]);
        let track = round(keys.clone(), Interpolation::Linear);
        let at = |track: &Sampler, frame| track.vec3(frame, Some(3.0)).unwrap().x;
        // Before the first key it holds; from the last one on it goes to the first over 10 − 4 frames.
        for (frame, value) in [
            (-5.0, 10.0),
            (0.0, 10.0),
            (2.0, 10.0),
            (3.0, 25.0),
            (4.0, 40.0),
            (7.0, 25.0),
            (10.0, 10.0),
            (11.0, 10.0),
            (13.0, 25.0),
            (17.0, 25.0),
            (20.0, 10.0),
            (1e30, 10.0),
            (f32::NAN, 10.0),
        ] {
            assert!((at(&track, frame) - value).abs() < 1e-4, "frame {frame}: {}", at(&track, frame));
        }
        let steps = round(keys.clone(), Interpolation::Step);
        let found = [0.0, 3.9, 4.0, 9.9, 10.0, 12.0, 14.0].map(|f| at(&steps, f));
        assert_eq!(found, [10.0, 10.0, 40.0, 40.0, 40.0, 10.0, 40.0], "the last key holds to the end of the round");
        // A last key at the end of the round is shown there, and the first right after.
        let closed = Sampler { times: KeyTimes::At([0.0, 10.0].into()), ..round(keys, Interpolation::Linear) };
        assert_eq!([0.0, 5.0, 10.0, 15.0, 20.0].map(|f| at(&closed, f)), [10.0, 25.0, 40.0, 25.0, 40.0]);
    }

    #[test]
    fn rounds_of_no_length_hold_and_odd_times_do_no_harm() {
        let keys = || Keys::Vec3(vec![Vec3::X, Vec3::X * 3.0, Vec3::X * 5.0]);
        let at = |times: &[f32], cycle, frame| {
            let track = Sampler {
                times: KeyTimes::At(times.into()),
                keys: keys(),
                interpolation: Interpolation::Linear,
                cycle: Some(cycle),
            };
            track.vec3(frame, None).unwrap().x
        };
        for cycle in [0.0, -4.0, f32::NAN, f32::INFINITY] {
            assert_eq!([0.0, 1.0, 2.0, 9.0].map(|f| at(&[0.0, 2.0, 4.0], cycle, f)), [1.0, 2.0, 3.0, 5.0], "{cycle}");
        }
        // Shorter than its keys: what lies behind the end is never reached.
        assert_eq!([3.0, 5.0].map(|f| at(&[0.0, 2.0, 6.0], 3.0, f)), [3.5, 3.0]);
        // Of two keys at a time the later one counts from there on.
        assert_eq!([1.0, 2.0, 3.0].map(|f| at(&[0.0, 2.0, 2.0], 4.0, f)), [2.0, 5.0, 3.0]);
        for times in [[4.0, 0.0, 2.0], [f32::NAN; 3], [0.0, f32::NAN, f32::INFINITY], [f32::NEG_INFINITY, 0.0, 1.0]] {
            for frame in 0..12 {
                let value = at(&times, 5.0, frame as f32);
                assert!((1.0..=5.0).contains(&value), "{times:?} at {frame}: {value}");
            }
        }
        // Fewer times than keys, and more.
        assert!([0.0, 3.0, 9.0].iter().all(|f| (1.0..=5.0).contains(&at(&[0.0], 5.0, *f))));
        assert!([0.0, 3.0, 9.0].iter().all(|f| (1.0..=5.0).contains(&at(&[0.0, 1.0, 2.0, 3.0, 4.0], 5.0, *f))));
    }

    #[test]
    fn curves_take_the_way_out_of_the_earlier_key_and_into_the_later_one() {
        let key = |x, control_in, control_out| BezierKey {
            value: Vec3::X * x,
            control_in: Vec3::X * control_in,
            control_out: Vec3::X * control_out,
        };
        let track = round(Keys::Bezier(vec![key(0.0, 8.0, 4.0), key(8.0, -6.0, 16.0)]), Interpolation::Bezier);
        let at = |frame| track.vec3(frame, None).unwrap().x;
        // From key 0 to key 1 control points 0, 4, 2, 8; back from key 1 to key 0 8, 24, 8, 0.
        assert_eq!([at(2.0), at(3.0), at(4.0)], [0.0, 3.25, 8.0]);
        assert_eq!([at(7.0), at(10.0)], [(8.0 + 3.0 * 24.0 + 3.0 * 8.0) / 8.0, 0.0]);
        let degrees = round(Keys::EulerBezier(vec![key(350.0, 0.0, 0.0), key(30.0, 0.0, 0.0)]), Interpolation::Bezier);
        assert_eq!(degrees.degrees(3.0, None), Some(Vec3::X * 190.0), "angles on a curve take no short way");

        let key = |x, tangent_in, tangent_out| EasedKey {
            value: Vec3::X * x,
            tangent_in: Vec3::X * tangent_in,
            tangent_out: Vec3::X * tangent_out,
            ..EasedKey::default()
        };
        let track = round(Keys::Eased(vec![key(10.0, 16.0, 8.0), key(30.0, 4.0, 24.0)]), Interpolation::Hermite);
        let at = |frame| track.vec3(frame, None).unwrap().x;
        assert_eq!([at(2.0), at(3.0), at(4.0), at(7.0)], [10.0, 20.5, 30.0, 20.0 + 3.0 - 2.0]);
    }

    #[test]
    fn every_kind_of_rotation_is_one_of_unit_length() {
        let turned = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
        let is_near = |track: &Sampler, frame: f32, degrees: f32| {
            let found = track.rotation(frame, None).unwrap();
            assert!(found.is_normalized() && found.abs_diff_eq(turned(degrees), 1e-6), "frame {frame}: {found}");
        };
        let slerp = round(Keys::Rotation(vec![turned(0.0), turned(60.0)]), Interpolation::Slerp);
        is_near(&slerp, 3.0, 30.0);
        is_near(&slerp, 7.0, 30.0);
        let long = round(Keys::Rotation(vec![turned(0.0), -turned(90.0)]), Interpolation::Slerp);
        is_near(&long, 2.0 + 2.0 / 3.0, -90.0);
        let key = |degrees, control| SquadKey {
            value: turned(degrees),
            control_in: turned(control),
            control_out: turned(control),
            ..SquadKey::default()
        };
        let squad = round(Keys::Squad(vec![key(0.0, 40.0), key(90.0, 70.0)]), Interpolation::Squad);
        is_near(&squad, 3.0, 50.0);
        let euler = round(Keys::Euler(vec![Vec3::Z * 350.0, Vec3::Z * 30.0]), Interpolation::Linear);
        is_near(&euler, 3.5, 20.0);
        is_near(&euler, 8.5, 0.0);
        let steps = round(Keys::Euler(vec![Vec3::Z * 20.0, Vec3::Z * 30.0]), Interpolation::Step);
        is_near(&steps, 3.9, 20.0);
        is_near(&steps, 4.0, 30.0);
        let zero = round(Keys::Rotation(vec![Quat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2]), Interpolation::Slerp);
        is_near(&zero, 3.0, 0.0);
        let none = round(Keys::Rotation(vec![Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0); 2]), Interpolation::Slerp);
        is_near(&none, 3.0, 0.0);
    }

    #[test]
    fn slopes_are_those_of_the_curve() {
        let key = |x, control_in, control_out| BezierKey {
            value: Vec3::X * x,
            control_in: Vec3::X * control_in,
            control_out: Vec3::X * control_out,
        };
        let bezier = round(Keys::Bezier(vec![key(0.0, 8.0, 4.0), key(8.0, -6.0, 16.0)]), Interpolation::Bezier);
        // Segments of 2 frames, and of 6 back.
        assert_eq!(bezier.slopes(0), Some((Vec3::X * -4.0, Vec3::X * 6.0)));
        assert_eq!(bezier.slopes(1), Some((Vec3::X * 9.0, Vec3::X * 8.0)));
        let key = |x, tangent, ease_out| EasedKey {
            value: Vec3::X * x,
            tangent_in: Vec3::X * tangent,
            tangent_out: Vec3::X * tangent,
            ease_in: 0.0,
            ease_out,
        };
        let eased = round(Keys::Eased(vec![key(0.0, 6.0, 0.5), key(8.0, 3.0, 0.0)]), Interpolation::Hermite);
        // What is eased out starts standing still, and comes in with 2k = 4/3 of the speed.
        assert_eq!(eased.slopes(0), Some((Vec3::X * 1.0, Vec3::ZERO)));
        assert_eq!(eased.slopes(1), Some((Vec3::X * 2.0, Vec3::X * 0.5)));
        let near = |frame: f32| (eased.vec3(frame, None).unwrap().x - eased.vec3(frame - 1e-2, None).unwrap().x) / 1e-2;
        assert!((near(4.0) - 2.0).abs() < 0.1, "{}", near(4.0));
        assert_eq!(round(Keys::Vec3(vec![Vec3::X; 2]), Interpolation::Linear).slopes(0), None);
    }

    #[test]
    fn matrices_hold_until_the_next() {
        let [a, b] = [1.0, 2.0].map(|x| Affine3A::from_scale(Vec3::new(1.0, x, 1.0)));
        let track = round(Keys::Matrix(vec![a, b]), Interpolation::Step);
        let found = [0.0, 3.99, 4.0, 10.0, 11.0].map(|f| track.matrix(f, None).unwrap());
        assert_eq!(found, [a, a, b, b, a]);
        assert_eq!(track.vec3(0.0, None).map(|_| ()).or(track.rotation(0.0, None).map(|_| ())), None);
    }
}
