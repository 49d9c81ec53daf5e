//! Tracks: where in a bank the keys of one curve are (formats/j3d.md §2).

use super::bank::Element;
use crate::{
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
    scene::{HermiteKey, Interpolation, KeyTimes, Keys, Sampler},
};

/// How a track's numbers lie in its bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Keys of time, value, tangent.
    #[default]
    Shared,
    /// Keys of time, value, tangent in, tangent out.
    Split,
    /// A number a frame.
    EveryFrame,
}

/// A curve: keys in a bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// 0: the default of what it drives; 1: one constant.
    pub count: u16,
    /// Into the bank, in numbers.
    pub index: u16,
    /// Layout of the numbers in the bank.
    pub layout: Layout,
}

/// Bytes of a track with keys.
pub const KEYED_SIZE: u64 = 6;
/// Bytes of a track with a number a frame.
pub const FULL_SIZE: u64 = 4;

/// Bytes of a track.
pub const fn track_size(keyed: bool) -> u64 {
    if keyed { KEYED_SIZE } else { FULL_SIZE }
}

fn tangent_name(kind: u16) -> Option<&'static str> {
    match kind {
        0 => Some("one tangent per key"),
        1 => Some("in and out tangents"),
        _ => None,
    }
}

/// Reads a track; without `keyed` one of a number a frame.
pub fn read_track(r: &mut FieldReader<'_>, name: &'static str, keyed: bool) -> Result<Track, Fault> {
    r.valued_group(name, "Track", |r| {
        let count = r.u16("Count")?;
        let index = r.u16("Index")?;
        let layout = match keyed {
            true if r.named_u16("TangentType", tangent_name)? == 0 => Layout::Shared,
            true => Layout::Split,
            false => Layout::EveryFrame,
        };
        let track = Track { count, index, layout };
        let value = if r.is_recording() { Value::Text(track.describe()) } else { Value::None };
        Ok((track, value))
    })
}

impl Track {
    /// Numbers of a key.
    pub fn stride(self) -> usize {
        match self.layout {
            _ if self.count == 1 => 1,
            Layout::Shared => 3,
            Layout::Split => 4,
            Layout::EveryFrame => 1,
        }
    }

    /// The number of the bank after the track's last one; 0 for a track without any.
    pub fn end(self) -> usize {
        let numbers = usize::from(self.count).saturating_mul(self.stride());
        if numbers == 0 { 0 } else { usize::from(self.index).saturating_add(numbers) }
    }

    /// For people.
    pub fn describe(self) -> String {
        match (self.count, self.layout) {
            (0, _) => "default".to_owned(),
            (1, _) => format!("constant at index {}", self.index),
            (count, Layout::EveryFrame) => format!("{count} frames from index {}", self.index),
            (count, _) => format!("{count} keys from index {}", self.index),
        }
    }

    /// How many keys lie in a bank of `length` numbers.
    pub fn whole_keys(self, length: usize) -> usize {
        let room = length.saturating_sub(usize::from(self.index));
        usize::from(self.count).min(room.checked_div(self.stride()).unwrap_or(0))
    }

    /// The keys as the file has them, those that lie in the bank; `None` for a track without any. Numbers that are not finite
    /// are 0.
    pub fn sampler<T: Element>(self, bank: &[T]) -> Option<Sampler> {
        let stride = self.stride();
        let count = self.whole_keys(bank.len());
        let numbers = bank.get(usize::from(self.index)..)?.get(..count.saturating_mul(stride))?;
        let finite = |v: T| if v.number().is_finite() { v.number() } else { 0.0 };
        if numbers.is_empty() {
            return None;
        }
        if stride == 1 {
            let keys = Keys::Scalar(numbers.iter().map(|v| finite(*v)).collect());
            return Some(Sampler {
                times: KeyTimes::EveryFrame,
                keys,
                interpolation: Interpolation::Step,
                cycle: None,
            });
        }
        let mut times = Vec::with_capacity(count);
        let mut keys = Vec::with_capacity(count);
        for key in numbers.chunks_exact(stride) {
            let (time, value, tangent_in, tangent_out) = match *key {
                [time, value, tangent] => (time, value, tangent, tangent),
                [time, value, tangent_in, tangent_out] => (time, value, tangent_in, tangent_out),
                _ => continue,
            };
            times.push(finite(time));
            keys.push(HermiteKey {
                value: finite(value),
                tangent_in: finite(tangent_in),
                tangent_out: finite(tangent_out),
            });
        }
        let times = KeyTimes::At(times.into());
        Some(Sampler { times, keys: Keys::Hermite(keys), interpolation: Interpolation::Hermite, cycle: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYED: Track = Track { count: 2, index: 1, layout: Layout::Shared };

    #[test]
    fn keys_are_three_or_four_numbers_and_one_alone_is_a_constant() {
        let bank: [i16; 9] = [9, 0, 5, 1, 30, 6, -2, 8, 7];
        let sampler = KEYED.sampler(&bank).unwrap();
        assert_eq!(sampler.times, KeyTimes::At([0.0, 30.0].into()));
        let Keys::Hermite(keys) = &sampler.keys else { panic!() };
        assert_eq!(keys[1], HermiteKey { value: 6.0, tangent_in: -2.0, tangent_out: -2.0 });
        let split = Track { layout: Layout::Split, ..KEYED }.sampler(&bank).unwrap();
        let Keys::Hermite(keys) = &split.keys else { panic!() };
        assert_eq!(keys[0], HermiteKey { value: 5.0, tangent_in: 1.0, tangent_out: 30.0 });
        let constant = Track { count: 1, index: 4, layout: Layout::Split }.sampler(&bank).unwrap();
        assert!(matches!(&constant.keys, Keys::Scalar(values) if values[..] == [30.0]));
        assert!(Track { count: 0, index: 4, layout: Layout::Shared }.sampler(&bank).is_none());
    }

    #[test]
    fn keys_past_the_bank_are_left_out() {
        let bank = [0.0_f32, 1.0, 2.0, f32::NAN, 4.0];
        let track = Track { count: 9, index: 0, layout: Layout::Shared };
        assert_eq!((track.end(), track.whole_keys(5)), (27, 1));
        assert_eq!(track.sampler(&bank).unwrap().keys.len(), 1);
        assert!(Track { index: 5, ..track }.sampler(&bank).is_none());
        assert!(Track { index: 600, ..track }.sampler(&bank).is_none());
        let full = Track { count: 9, index: 2, layout: Layout::EveryFrame }.sampler(&bank).unwrap();
        assert!(matches!(&full.keys, Keys::Scalar(values) if values[..] == [2.0, 0.0, 4.0]));
    }
}
