use super::{
    pairs::paired,
    parts::Parts,
    values::{are_equal, are_equal_rotations, is_equal},
};
use crate::scene::{BezierKey, Clip, Interpolation, KeyTimes, Keys, Sampler};
use glam::Quat;
use std::mem::discriminant;

/// Two clips: their lengths, rates and joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipDifference {
    /// Number of frames, left and right.
    pub frames: [u32; 2],
    /// Frames a second, left and right.
    pub rates: [f32; 2],
    has_equal_rates: bool,
    /// By name.
    pub joints: Parts,
    /// Number of channels, left and right.
    pub channels: [usize; 2],
    /// Number of channels that differ; `None` if the lists of joints or materials are not equal.
    pub other_channels: Option<usize>,
}

impl ClipDifference {
    /// Compares two clips. Numbers that differ by `tolerance` or less are equal; without it their bits are compared.
    pub fn of(left: &Clip, right: &Clip, tolerance: Option<f32>) -> Self {
        Self {
            frames: [left.frame_count, right.frame_count],
            rates: [left.rate_hz, right.rate_hz],
            has_equal_rates: is_equal(left.rate_hz, right.rate_hz, tolerance),
            joints: Parts::of(&left.joints, &right.joints),
            channels: [left.channels.len(), right.channels.len()],
            other_channels: (left.joints == right.joints && left.materials == right.materials)
                .then(|| other_channels(left, right, tolerance)),
        }
    }

    /// Returns `true` if lengths, rates, joints and channels are equal.
    pub fn is_same(&self) -> bool {
        let [left, right] = self.frames;
        left == right && self.has_equal_rates && self.joints.is_same() && self.other_channels == Some(0)
    }
}

/// How many channels there are of which the other side has none like them.
fn other_channels(left: &Clip, right: &Clip, tolerance: Option<f32>) -> usize {
    let keys =
        |clip: &Clip| -> Vec<String> { clip.channels.iter().map(|channel| format!("{:?}", channel.target)).collect() };
    let differs = |(a, b): &(Option<usize>, Option<usize>)| {
        let pair = a.and_then(|a| left.channels.get(a)).zip(b.and_then(|b| right.channels.get(b)));
        !pair.is_some_and(|(a, b)| is_same(&a.sampler, &b.sampler, tolerance) && a.unit == b.unit && a.muted == b.muted)
    };
    paired(&keys(left), &keys(right)).iter().filter(|pair| differs(pair)).count()
}

fn is_same(left: &Sampler, right: &Sampler, tolerance: Option<f32>) -> bool {
    if tolerance.is_none() || left.interpolation != right.interpolation || left.cycle != right.cycle {
        return left == right;
    }
    let has_equal_times = match (&left.times, &right.times) {
        (KeyTimes::At(a), KeyTimes::At(b)) => are_equal(a, b, tolerance),
        (a, b) => a == b,
    };
    // These turn the way that the signs of their keys specify.
    let counts_signs = matches!(left.interpolation, Interpolation::Slerp | Interpolation::Squad);
    let has_equal_keys = match (&left.keys, &right.keys) {
        (Keys::Rotation(a), Keys::Rotation(b)) if !counts_signs => {
            let equal = |(a, b): (&Quat, &Quat)| are_equal_rotations(&a.to_array(), &b.to_array(), tolerance);
            a.len() == b.len() && a.iter().zip(b).all(equal)
        }
        (Keys::Frames(a), Keys::Frames(b)) => a == b,
        (a, b) => discriminant(a) == discriminant(b) && are_equal(&numbers(a), &numbers(b), tolerance),
    };
    has_equal_times && has_equal_keys
}

/// The floats of keys in a fixed order.
fn numbers(keys: &Keys) -> Vec<f32> {
    let bezier = |key: &BezierKey| [key.value, key.control_in, key.control_out].map(|v| v.to_array()).concat();
    match keys {
        Keys::Vec3(keys) | Keys::Euler(keys) => keys.iter().flat_map(|key| key.to_array()).collect(),
        Keys::Rotation(keys) => keys.iter().flat_map(|key| key.to_array()).collect(),
        Keys::Scalar(keys) => keys.clone(),
        Keys::Hermite(keys) => keys.iter().flat_map(|key| [key.value, key.tangent_in, key.tangent_out]).collect(),
        Keys::Bezier(keys) | Keys::EulerBezier(keys) => keys.iter().flat_map(bezier).collect(),
        Keys::Eased(keys) => {
            let vectors = keys.iter().flat_map(|key| [key.value, key.tangent_in, key.tangent_out]);
            let eases = keys.iter().flat_map(|key| [key.ease_in, key.ease_out]);
            vectors.flat_map(|vector| vector.to_array()).chain(eases).collect()
        }
        Keys::Squad(keys) => {
            let rotations = keys.iter().flat_map(|key| [key.value, key.control_in, key.control_out]);
            let eases = keys.iter().flat_map(|key| [key.ease_in, key.ease_out]);
            rotations.flat_map(|rotation| rotation.to_array()).chain(eases).collect()
        }
        Keys::Matrix(keys) => keys.iter().flat_map(|key| key.to_cols_array()).collect(),
        Keys::Frames(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Channel, ClipJoint, Target, Unit};
    use glam::Vec3;

    fn clip(places: &[Vec3]) -> Clip {
        let channel = |(at, place): (u32, &Vec3)| Channel {
            target: Target::JointTranslation(ClipJoint(at)),
            sampler: Sampler::every_frame(Keys::Vec3(vec![*place])),
            unit: Unit::default(),
            muted: false,
        };
        Clip { channels: (0..).zip(places).map(channel).collect(), ..Clip::default() }
    }

    #[test]
    fn keys_of_channels_count() {
        let left = clip(&[Vec3::ZERO, Vec3::X]);
        let found = ClipDifference::of(&left, &clip(&[Vec3::ZERO, Vec3::Y]), None);
        assert_eq!((found.channels, found.other_channels, found.is_same()), ([2, 2], Some(1), false));
        assert_eq!(ClipDifference::of(&left, &clip(&[Vec3::ZERO]), None).other_channels, Some(1));
        assert!(ClipDifference::of(&left, &left, None).is_same());
    }

    #[test]
    fn a_tolerance_is_for_each_number_and_a_rotation_has_two_signs() {
        let of_keys = |keys: Keys, interpolation| {
            let mut clip = clip(&[Vec3::ZERO]);
            clip.channels[0].sampler = Sampler { interpolation, ..Sampler::every_frame(keys) };
            clip
        };
        let vector = |x| of_keys(Keys::Vec3(vec![Vec3::new(x, 5.0, 0.0)]), Interpolation::Linear);
        let same = |left: &Clip, right: &Clip, tolerance| ClipDifference::of(left, right, tolerance).is_same();
        assert!(same(&vector(1.0), &vector(1.25), Some(0.25)));
        assert!(!same(&vector(1.0), &vector(1.25), Some(0.125)) && !same(&vector(1.0), &vector(1.25), None));
        assert!(!same(&vector(1.0), &vector(f32::NAN), Some(9.0)));
        // Whole numbers are compared exactly.
        let frames = |count| of_keys(Keys::Frames(count), Interpolation::Linear);
        assert!(same(&frames(3), &frames(3), Some(2.0)) && !same(&frames(3), &frames(4), Some(2.0)));
        let turn = |sign: f32, interpolation| {
            of_keys(Keys::Rotation(vec![Quat::from_xyzw(0.6 * sign, 0.0, 0.0, 0.8 * sign)]), interpolation)
        };
        let both = |interpolation, tolerance| same(&turn(1.0, interpolation), &turn(-1.0, interpolation), tolerance);
        assert!(both(Interpolation::Linear, Some(0.0)) && !both(Interpolation::Linear, None));
        // The sign says which way round.
        assert!(!both(Interpolation::Slerp, Some(0.0)));
        let faster = Clip { rate_hz: 31.0, ..vector(1.0) };
        assert!(!same(&Clip { rate_hz: 30.0, ..vector(1.0) }, &faster, Some(0.5)));
    }
}
