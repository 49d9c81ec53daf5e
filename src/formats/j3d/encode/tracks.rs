//! Tracks and the pools that their numbers lie in (formats/j3d.md §2).

use super::file::{Chunk, count16};

/// A key of a track: time in frames, the rest in the units of the pool it goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Key {
    /// Time in frames.
    pub frame: f32,
    /// Value in the unit of the pool.
    pub value: f32,
    /// Units a frame before the key; the same as after it unless the track has [`Track::Split`] keys.
    pub tangent_in: f32,
    /// Units a frame after the key.
    pub tangent_out: f32,
}

/// How a number changes over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Track {
    /// Nothing is stored: scale 1, rotation 0, translation 0, colour 0.
    #[default]
    Default,
    /// One value for all frames.
    Constant(f32),
    /// Tangent type 0: the outgoing tangent counts for both sides. A single key is written as a constant.
    Keys(Vec<Key>),
    /// Tangent type 1: a tangent for each side.
    Split(Vec<Key>),
}

impl Track {
    /// Smooth keys through `(frame, value)`: each tangent is the slope between the neighbours.
    pub fn smooth(points: &[(f32, f32)]) -> Self {
        Self::Keys(slopes(points, None))
    }

    /// As [`Track::smooth`], for a clip that repeats after `period` frames: the first and the last point are one, and their
    /// tangents agree.
    pub fn cycle(points: &[(f32, f32)], period: f32) -> Self {
        Self::Keys(slopes(points, Some(period)))
    }

    /// Every number times `factor`.
    pub fn scaled(self, factor: f32) -> Self {
        let scale = |keys: Vec<Key>| {
            keys.into_iter()
                .map(|key| Key {
                    frame: key.frame,
                    value: key.value * factor,
                    tangent_in: key.tangent_in * factor,
                    tangent_out: key.tangent_out * factor,
                })
                .collect()
        };
        match self {
            Self::Default => Self::Default,
            Self::Constant(value) => Self::Constant(value * factor),
            Self::Keys(keys) => Self::Keys(scale(keys)),
            Self::Split(keys) => Self::Split(scale(keys)),
        }
    }
}

fn slopes(points: &[(f32, f32)], period: Option<f32>) -> Vec<Key> {
    let last = points.len().saturating_sub(1);
    let at = |index: usize| points.get(index).copied().unwrap_or_default();
    (0..points.len())
        .map(|index| {
            let (frame, value) = at(index);
            let before = match (index.checked_sub(1), period) {
                (Some(before), _) => at(before),
                (None, Some(period)) => (at(last.saturating_sub(1)).0 - period, at(last.saturating_sub(1)).1),
                (None, None) => (frame, value),
            };
            let after = match period {
                Some(period) if index == last => (at(1).0 + period, at(1).1),
                _ => at(index.saturating_add(1).min(last)),
            };
            let span = after.0 - before.0;
            let slope = if span > 0.0 { (after.1 - before.1) / span } else { 0.0 };
            Key { frame, value, tangent_in: slope, tangent_out: slope }
        })
        .collect()
}

/// What the numbers of a pool are stored as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    F32,
    I16,
    U8,
    U16,
}

/// A pool of numbers; runs that it holds already are not stored again.
pub(super) struct Bank {
    number: Number,
    values: Vec<f32>,
}

impl Bank {
    pub(super) fn new(number: Number) -> Self {
        Self { number, values: Vec::new() }
    }

    /// Where a run of numbers lies, in numbers.
    fn pool(&mut self, mut run: Vec<f32>) -> u16 {
        for value in &mut run {
            *value = match self.number {
                Number::F32 => *value,
                Number::I16 => value.round().clamp(-32768.0, 32767.0),
                Number::U8 => value.round().clamp(0.0, 255.0),
                Number::U16 => value.round().clamp(0.0, 65535.0),
            };
        }
        let known = if run.is_empty() { Some(0) } else { self.values.windows(run.len()).position(|w| w == run) };
        let at = known.unwrap_or_else(|| {
            let at = self.values.len();
            self.values.append(&mut run);
            at
        });
        count16(at)
    }

    /// Count, index and tangent type of a track.
    pub(super) fn keyed(&mut self, track: &Track) -> [u16; 3] {
        match track {
            Track::Default => [0, 0, 0],
            Track::Constant(value) => [1, self.pool(vec![*value]), 0],
            Track::Keys(keys) | Track::Split(keys) if keys.len() < 2 => {
                let value = keys.first().map_or(0.0, |key| key.value);
                [1, self.pool(vec![value]), u16::from(matches!(track, Track::Split(_)))]
            }
            Track::Keys(keys) => {
                let run = keys.iter().flat_map(|key| [key.frame, key.value, key.tangent_out]).collect();
                [count16(keys.len()), self.pool(run), 0]
            }
            Track::Split(keys) => {
                let run = keys.iter().flat_map(|key| [key.frame, key.value, key.tangent_in, key.tangent_out]).collect();
                [count16(keys.len()), self.pool(run), 1]
            }
        }
    }

    /// Count and index of a table with a number for each frame.
    pub(super) fn full(&mut self, values: &[f32]) -> [u16; 2] {
        [count16(values.len()), self.pool(values.to_vec())]
    }

    pub(super) fn len(&self) -> u16 {
        count16(self.values.len())
    }

    pub(super) fn write(&self, out: &mut Chunk) {
        for value in &self.values {
            match self.number {
                Number::F32 => out.f32s(&[*value]),
                Number::I16 => out.i16(*value as i16),
                Number::U8 => out.u8(*value as u8),
                Number::U16 => out.u16(*value as u16),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_equal_runs_share_a_place() {
        let mut bank = Bank::new(Number::I16);
        let keys = Track::smooth(&[(0.0, 0.0), (10.0, 100.0), (20.0, 0.0)]);
        assert_eq!(bank.keyed(&keys), [3, 0, 0]);
        assert_eq!(bank.keyed(&Track::Constant(100.4)), [1, 4, 0]);
        assert_eq!(bank.keyed(&Track::Constant(-9.0)), [1, 9, 0]);
        assert_eq!(bank.keyed(&keys), [3, 0, 0]);
        assert_eq!(bank.keyed(&Track::Default), [0, 0, 0]);
        let mut out = Chunk::new(b"TEST");
        bank.write(&mut out);
        let numbers: Vec<i16> =
            out.finish()[8..28].chunks(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]])).collect();
        assert_eq!(numbers, [0, 0, 10, 10, 100, 0, 20, 0, -10, -9]);
    }

    #[test]
    fn a_cycle_has_one_slope_at_its_seam() {
        let Track::Keys(keys) = Track::cycle(&[(0.0, 0.0), (10.0, 10.0), (30.0, -20.0), (40.0, 0.0)], 40.0) else {
            panic!("not keyed")
        };
        let slopes: Vec<f32> = keys.iter().map(|key| key.tangent_out).collect();
        assert_eq!(slopes, [1.5, -20.0 / 30.0, -10.0 / 30.0, 1.5]);
    }

    #[test]
    fn split_keys_have_four_numbers() {
        let mut bank = Bank::new(Number::F32);
        let keys = vec![
            Key { frame: 0.0, value: 1.0, tangent_in: 2.0, tangent_out: 3.0 },
            Key { frame: 5.0, value: 4.0, tangent_in: 5.0, tangent_out: 6.0 },
        ];
        assert_eq!(bank.keyed(&Track::Split(keys)), [2, 0, 1]);
        assert_eq!(bank.values, [0.0, 1.0, 2.0, 3.0, 5.0, 4.0, 5.0, 6.0]);
    }
}
