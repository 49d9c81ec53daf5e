use super::{pairs::paired, parts::Parts};
use crate::scene::Clip;

/// Two clips: their lengths, rates and joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipDifference {
    /// Of the left and of the right.
    pub frames: [u32; 2],
    /// Frames a second.
    pub rates: [f32; 2],
    /// By name.
    pub joints: Parts,
    /// Channels of each, and how many differ; `None` where they drive other joints or materials.
    pub channels: [usize; 2],
    pub other_channels: Option<usize>,
}

impl ClipDifference {
    pub fn of(left: &Clip, right: &Clip) -> Self {
        Self {
            frames: [left.frame_count, right.frame_count],
            rates: [left.rate_hz, right.rate_hz],
            joints: Parts::of(&left.joints, &right.joints),
            channels: [left.channels.len(), right.channels.len()],
            other_channels: (left.joints == right.joints && left.materials == right.materials)
                .then(|| other_channels(left, right)),
        }
    }

    pub fn is_same(&self) -> bool {
        let [left, right] = self.frames;
        let [left_rate, right_rate] = self.rates;
        left == right
            && left_rate.to_bits() == right_rate.to_bits()
            && self.joints.is_same()
            && self.other_channels == Some(0)
    }
}

/// How many channels there are of which the other side has none like them.
fn other_channels(left: &Clip, right: &Clip) -> usize {
    let keys =
        |clip: &Clip| -> Vec<String> { clip.channels.iter().map(|channel| format!("{:?}", channel.target)).collect() };
    let differs = |(a, b): &(Option<usize>, Option<usize>)| {
        let pair = a.and_then(|a| left.channels.get(a)).zip(b.and_then(|b| right.channels.get(b)));
        !pair.is_some_and(|(a, b)| a.sampler == b.sampler && a.unit == b.unit && a.muted == b.muted)
    };
    paired(&keys(left), &keys(right)).iter().filter(|pair| differs(pair)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Channel, ClipJoint, Keys, Sampler, Target, Unit};
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
        let found = ClipDifference::of(&left, &clip(&[Vec3::ZERO, Vec3::Y]));
        assert_eq!((found.channels, found.other_channels, found.is_same()), ([2, 2], Some(1), false));
        assert_eq!(ClipDifference::of(&left, &clip(&[Vec3::ZERO])).other_channels, Some(1));
        assert!(ClipDifference::of(&left, &left).is_same());
    }
}
