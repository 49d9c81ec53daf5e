use super::parts::Parts;
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
}

impl ClipDifference {
    pub fn of(left: &Clip, right: &Clip) -> Self {
        Self {
            frames: [left.frame_count, right.frame_count],
            rates: [left.rate_hz, right.rate_hz],
            joints: Parts::of(&left.joints, &right.joints),
        }
    }

    pub fn is_same(&self) -> bool {
        let [left, right] = self.frames;
        let [left_rate, right_rate] = self.rates;
        left == right && left_rate.to_bits() == right_rate.to_bits() && self.joints.is_same()
    }
}
