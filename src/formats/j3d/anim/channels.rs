//! Tracks become channels, as many as there is room for.

use super::{bank::Element, track::Track};
use crate::{
    bytes::numbers::{counted, grouped},
    formats::j3d::{chunk::Findings, codes},
    scene::{Channel, Clip, Interpolation, KeyTimes, Keys, Sampler, Target, Unit},
};

/// Keys of one clip: tracks may share their keys, so that a small file could ask for any number of them.
const MAX_KEYS: usize = 1 << 21;

/// A clip while its channels are made.
pub struct ClipMaker<'f> {
    pub clip: Clip,
    keys_left: usize,
    left_out: usize,
    findings: &'f mut Findings,
}

impl<'f> ClipMaker<'f> {
    pub fn new(clip: Clip, findings: &'f mut Findings) -> Self {
        Self { clip, keys_left: MAX_KEYS, left_out: 0, findings }
    }

    /// A channel for a track; none for one without keys.
    pub fn track<T: Element>(&mut self, target: Target, unit: Unit, track: Track, bank: &[T]) {
        let keys = track.whole_keys(bank.len());
        let Some(left) = self.keys_left.checked_sub(keys) else {
            self.left_out = self.left_out.saturating_add(1);
            return;
        };
        self.keys_left = left;
        if let Some(sampler) = track.sampler(bank) {
            self.clip.channels.push(Channel { target, sampler, unit, muted: false });
        }
    }

    /// As [`ClipMaker::track`]; a track without keys is a constant.
    pub fn track_or<T: Element>(&mut self, target: Target, unit: Unit, track: Track, bank: &[T], default: f32) {
        if track.count > 0 {
            self.track(target, unit, track, bank);
            return;
        }
        let sampler = Sampler {
            times: KeyTimes::EveryFrame,
            keys: Keys::Scalar(vec![default]),
            interpolation: Interpolation::Step,
            cycle: None,
        };
        self.clip.channels.push(Channel { target, sampler, unit, muted: false });
    }

    pub fn finish(self) -> Clip {
        if self.left_out > 0 {
            let message = format!(
                "{} skipped: the other tracks already have the maximum of {} keys",
                counted(self.left_out, "track"),
                grouped(MAX_KEYS)
            );
            self.findings.add(&codes::KEY_FLOOD, None, message);
        }
        self.clip
    }
}
