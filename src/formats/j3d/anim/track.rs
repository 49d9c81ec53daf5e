//! Banks, pools of numbers; tracks, the keys of one curve in a bank (formats/j3d.md §2); channels, which are made of
//! tracks.

use crate::{
    bytes::{
        Source,
        numbers::{counted, grouped},
    },
    formats::{
        Field, Table, Value,
        field_reader::{Fault, FieldReader},
        j3d::{codes, file::Findings},
    },
    scene::{Channel, Clip, HermiteKey, Interpolation, KeyTimes, Keys, Sampler, Target, Unit},
};
use std::{marker::PhantomData, sync::Arc};

/// A number as a bank stores it.
pub trait Element: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// Bytes.
    const SIZE: usize;
    /// Name of the type in fields, such as `s16`.
    const KIND: &'static str;

    /// From exactly [`Element::SIZE`] big-endian bytes.
    fn read(bytes: &[u8]) -> Self;

    /// Returns the number as the value of a field.
    fn value(self) -> Value;

    /// Returns the number as f32, unscaled.
    fn number(self) -> f32;
}

macro_rules! element {
    ($type:ty, $kind:literal, $value:ident as $as:ty, $number:expr) => {
        impl Element for $type {
            const SIZE: usize = size_of::<$type>();
            const KIND: &'static str = $kind;

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Self::default(), Self::from_be_bytes)
            }

            fn value(self) -> Value {
                Value::$value(<$as>::from(self))
            }

            fn number(self) -> f32 {
                $number(self)
            }
        }
    };
}

element!(u8, "u8", UInt as u64, f32::from);
element!(u16, "u16", UInt as u64, f32::from);
element!(i16, "s16", Int as i64, f32::from);
element!(f32, "f32", Float as f32, |v| v);

/// Numbers that tracks share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bank<T> {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Numbers as stored, including any that are not finite.
    pub numbers: Vec<T>,
}

/// Reads `count` numbers in a row; they are one field, a table of numbers.
///
/// # Errors
/// When they do not fit.
pub fn read_bank<T: Element>(
    r: &mut FieldReader<'_>,
    name: &'static str,
    kind: &'static str,
    count: usize,
) -> Result<Vec<T>, Fault> {
    let at = r.offset();
    let count = r.raw().check_count(count as u64, T::SIZE as u64)?;
    let bytes = r.raw().bytes(count.saturating_mul(T::SIZE))?;
    let numbers = bytes.chunks_exact(T::SIZE).map(T::read).collect();
    if count > 0 && r.is_recording() {
        let rows = Numbers { source: r.source().clone(), at, count, kind, element: PhantomData::<T> };
        r.push(Field::table(name, format!("{}[{count}]", T::KIND), at, bytes.len() as u64, Arc::new(rows)));
    }
    Ok(numbers)
}

/// The numbers of a bank, read again when they are looked at.
#[derive(Debug)]
struct Numbers<T> {
    source: Source,
    at: u64,
    count: usize,
    /// What they are in.
    kind: &'static str,
    element: PhantomData<T>,
}

impl<T: Element> Table for Numbers<T> {
    fn len(&self) -> usize {
        self.count
    }

    fn row(&self, index: usize) -> Option<Field> {
        if index >= self.count {
            return None;
        }
        let size = T::SIZE as u64;
        let at = self.at.checked_add((index as u64).checked_mul(size)?)?;
        let start = usize::try_from(at).ok()?;
        let bytes = self.source.as_slice().get(start..start.checked_add(T::SIZE)?)?;
        Some(Field::new(index.to_string(), self.kind, T::read(bytes).value(), at, size))
    }
}

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
const KEYED_SIZE: u64 = 6;
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
