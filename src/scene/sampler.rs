//! Keys over time, kept as the file has them.

use super::rotation_or_identity;
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// How values come about between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interpolation {
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

/// A vector with control points that count from it (formats/charpipe.md §8).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BezierKey {
    pub value: Vec3,
    pub control_in: Vec3,
    pub control_out: Vec3,
}

/// A vector with slopes for a segment of length one, and how far the way to and from it is eased (0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EasedKey {
    pub value: Vec3,
    pub tangent_in: Vec3,
    pub tangent_out: Vec3,
    pub ease_in: f32,
    pub ease_out: f32,
}

/// A rotation with control rotations, and how far the way to and from it is eased (0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SquadKey {
    pub value: Quat,
    pub control_in: Quat,
    pub control_out: Quat,
    pub ease_in: f32,
    pub ease_out: f32,
}

/// A number with its slopes, in units of the value a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HermiteKey {
    pub value: f32,
    pub tangent_in: f32,
    pub tangent_out: f32,
}

/// When the keys are, in frames.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyTimes {
    /// Key `k` is at frame `k`.
    EveryFrame,
    /// Ascending as a rule; files may repeat times, and nothing breaks where they fall.
    At(Arc<[f32]>),
}

/// The values of the keys.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Keys {
    Vec3(Vec<Vec3>),
    /// As stored, not necessarily of unit length.
    Rotation(Vec<Quat>),
    Scalar(Vec<f32>),
    Hermite(Vec<HermiteKey>),
    /// Vectors with [`Interpolation::Bezier`].
    Bezier(Vec<BezierKey>),
    /// Vectors with [`Interpolation::Hermite`].
    Eased(Vec<EasedKey>),
    /// Rotations with [`Interpolation::Squad`].
    Squad(Vec<SquadKey>),
    /// Degrees about X, Y and Z: the rotation is `Rz · Ry · Rx`. Linear goes the short way, angle by angle.
    Euler(Vec<Vec3>),
    /// Likewise, with [`Interpolation::Bezier`].
    EulerBezier(Vec<BezierKey>),
    Matrix(Vec<Affine3A>),
    /// So many whole frames of something: key `k` is frame `k` itself.
    Frames(u32),
}

/// Keys with times and interpolation.
#[derive(Clone, Debug)]
pub struct Sampler {
    pub times: KeyTimes,
    pub keys: Keys,
    pub interpolation: Interpolation,
    /// Frames after which the keys begin anew, whatever the clip does: the last key leads to the first (formats/charpipe.md §8).
    pub cycle: Option<f32>,
}

impl Keys {
    pub fn len(&self) -> usize {
        match self {
            Self::Vec3(keys) => keys.len(),
            Self::Rotation(keys) => keys.len(),
            Self::Scalar(keys) => keys.len(),
            Self::Hermite(keys) => keys.len(),
            Self::Bezier(keys) | Self::EulerBezier(keys) => keys.len(),
            Self::Eased(keys) => keys.len(),
            Self::Squad(keys) => keys.len(),
            Self::Euler(keys) => keys.len(),
            Self::Matrix(keys) => keys.len(),
            Self::Frames(count) => *count as usize,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Two neighbouring keys and how far between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from: usize,
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
    /// hold. `None` without keys. A seek costs what playing costs.
    pub fn span(&self, frame: f32, wrap: Option<f32>) -> Option<Span> {
        let last = self.keys.len().checked_sub(1)?;
        let frame = if frame.is_finite() { frame } else { 0.0 };
        let hold = |key: usize| Span { from: key, to: key, blend: 0.0 };
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
                let after = times.partition_point(|t| *t <= frame);
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

    /// `None` when the keys are no vectors, or there are none.
    pub fn vec3(&self, frame: f32, wrap: Option<f32>) -> Option<Vec3> {
        let Keys::Vec3(keys) = &self.keys else { return None };
        let span = self.span(frame, wrap)?;
        let (from, to) = (keys.get(span.from)?, keys.get(span.to)?);
        Some(from.lerp(*to, span.blend))
    }

    /// A unit rotation; `None` when the keys are no rotations, or there are none.
    pub fn rotation(&self, frame: f32, wrap: Option<f32>) -> Option<Quat> {
        let Keys::Rotation(keys) = &self.keys else { return None };
        let span = self.span(frame, wrap)?;
        let from = rotation_or_identity(*keys.get(span.from)?);
        if span.blend <= 0.0 {
            return Some(from);
        }
        let to = rotation_or_identity(*keys.get(span.to)?);
        // glam turns the second one over when the arc is the longer one.
        Some(rotation_or_identity(from.slerp(to, span.blend)))
    }

    /// `None` when the keys are no numbers, or there are none.
    pub fn scalar(&self, frame: f32, wrap: Option<f32>) -> Option<f32> {
        match (&self.keys, self.interpolation) {
            (Keys::Hermite(keys), Interpolation::Hermite) => self.hermite(keys, frame),
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

    /// A cubic between two keys; both ends hold, and nothing loops here (formats/j3d.md §2.1). Times may repeat: the last key
    /// of a time counts from that time on.
    fn hermite(&self, keys: &[HermiteKey], frame: f32) -> Option<f32> {
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
            KeyTimes::At(times) => times.partition_point(|t| *t <= frame),
        };
        let Some(from) = to.checked_sub(1) else { return Some(first.value) };
        let (Some(left), Some(right)) = (keys.get(from), keys.get(to)) else { return Some(last.value) };
        let start = self.key_frame(from);
        let length = self.key_frame(to) - start;
        // Times that go down lead nowhere.
        if length <= 0.0 {
            return Some(right.value);
        }
        let s = (frame - start) / length;
        let (s2, s3) = (s * s, s * s * s);
        Some(
            (2.0 * s3 - 3.0 * s2 + 1.0) * left.value
                + (s3 - 2.0 * s2 + s) * (left.tangent_out * length)
                + (3.0 * s2 - 2.0 * s3) * right.value
                + (s3 - s2) * (right.tangent_in * length),
        )
    }
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
}
