//! Keys, as files have them.

use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

/// A vector with control points that count from it (formats/charpipe.md §8).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BezierKey {
    /// Value at the key.
    pub value: Vec3,
    /// Control point before the key, relative to `value`.
    pub control_in: Vec3,
    /// Control point after the key, relative to `value`.
    pub control_out: Vec3,
}

/// A vector with slopes for a segment of length one, and how far the way to and from it is eased (0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EasedKey {
    /// Value at the key.
    pub value: Vec3,
    /// Slope at the end of the segment before the key.
    pub tangent_in: Vec3,
    /// Slope at the start of the segment after the key.
    pub tangent_out: Vec3,
    /// Share of the segment before the key over which the motion slows down.
    pub ease_in: f32,
    /// Share of the segment after the key over which the motion speeds up.
    pub ease_out: f32,
}

/// A rotation with control rotations, and how far the way to and from it is eased (0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SquadKey {
    /// Rotation at the key.
    pub value: Quat,
    /// Control rotation of the segment before the key.
    pub control_in: Quat,
    /// Control rotation of the segment after the key.
    pub control_out: Quat,
    /// Share of the segment before the key over which the motion slows down.
    pub ease_in: f32,
    /// Share of the segment after the key over which the motion speeds up.
    pub ease_out: f32,
}

/// A number with its slopes, in units of the value a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HermiteKey {
    /// Value at the key.
    pub value: f32,
    /// Slope at the end of the segment before the key.
    pub tangent_in: f32,
    /// Slope at the start of the segment after the key.
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

/// How many of some ascending times are not after `frame`.
pub(super) fn count_until(times: &[f32], frame: f32) -> usize {
    let ([first, .., last], steps) = (times, times.len().saturating_sub(1)) else {
        return times.iter().filter(|t| **t <= frame).count();
    };
    // Keys stand at nearly even distances as a rule; where they do not, half of the search is saved.
    let guess = ((frame - first) / (last - first) * steps as f32) as usize;
    let (before, after) = times.split_at_checked(guess).unwrap_or((times, &[]));
    match after {
        [at, next, ..] if *at <= frame && frame < *next => guess.saturating_add(1),
        [at, ..] if *at <= frame => guess.saturating_add(after.partition_point(|t| *t <= frame)),
        _ => before.partition_point(|t| *t <= frame),
    }
}

/// The values of the keys.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Keys {
    /// Vectors without control points or slopes.
    Vec3(Vec<Vec3>),
    /// As stored, not necessarily of unit length.
    Rotation(Vec<Quat>),
    /// Numbers without slopes.
    Scalar(Vec<f32>),
    /// Numbers with [`super::Interpolation::Hermite`].
    Hermite(Vec<HermiteKey>),
    /// Vectors with [`super::Interpolation::Bezier`].
    Bezier(Vec<BezierKey>),
    /// Vectors with [`super::Interpolation::Hermite`].
    Eased(Vec<EasedKey>),
    /// Rotations with [`super::Interpolation::Squad`].
    Squad(Vec<SquadKey>),
    /// Degrees about X, Y and Z: the rotation is `Rz · Ry · Rx`. Linear goes the short way, angle by angle.
    Euler(Vec<Vec3>),
    /// Likewise, with [`super::Interpolation::Bezier`].
    EulerBezier(Vec<BezierKey>),
    /// Whole matrices; each holds until the next.
    Matrix(Vec<Affine3A>),
    /// So many whole frames of something: key `k` is frame `k` itself.
    Frames(u32),
}

impl Keys {
    /// Number of keys.
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

    /// True if there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_until_a_frame_are_counted_however_they_are_spread() {
        let spread: [&[f32]; 7] = [
            &[],
            &[3.0],
            &[0.0, 5.0, 10.0, 15.0],
            &[0.0, 1.0, 2.0, 100.0],
            &[-7.0, 90.0, 91.0, 92.0],
            &[0.0, 4.0, 4.0, 4.0, 8.0],
            &[5.0, 5.0],
        ];
        for times in spread {
            let frames = (-20..400).map(|step| step as f32 * 0.25).chain([f32::NEG_INFINITY, f32::INFINITY, f32::NAN]);
            for frame in frames {
                let wanted = times.iter().filter(|time| **time <= frame).count();
                assert_eq!(count_until(times, frame), wanted, "{frame} in {times:?}");
            }
        }
    }
}
