//! Keys for what a number of a node does over time, as few kinds of them as will do: one that holds, steps, straight lines, cubics.

use super::moments::LOOKS;
use glam::{Quat, Vec4};
use gltf_json::animation::Interpolation;

/// How near numbers are that count as equal, as a share of the largest of a track.
const EQUAL: f32 = 2e-6;

/// What the numbers of a track are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Vectors: straight lines between them.
    Vector,
    /// Rotations: arcs between them.
    Rotation,
}

/// Keys of a track.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub interpolation: Interpolation,
    /// Seconds, ascending.
    pub times: Vec<f32>,
    /// One for each time; three for cubics: the slope before it, the value, the slope after it, in values a second.
    pub values: Vec<Vec4>,
    /// How far it is from the track in the middle between moments, at most: in units of a vector, radians for rotations.
    pub error: f32,
}

/// A track: `ways` between moments as [`super::moments::Moments`] has them, and the value at the last moment.
pub struct Track {
    pub kind: Kind,
    pub ways: Vec<[Vec4; LOOKS]>,
    pub last: Vec4,
}

impl Track {
    /// Rotations whose four numbers go on from moment to moment: a rotation is the same with the other sign.
    pub fn rotations(mut ways: Vec<[Vec4; LOOKS]>, mut last: Vec4) -> Self {
        let mut before = Vec4::W;
        for value in ways.iter_mut().flatten().chain(std::iter::once(&mut last)) {
            if before.dot(*value) < 0.0 {
                *value = -*value;
            }
            before = *value;
        }
        Self { kind: Kind::Rotation, ways, last }
    }

    pub fn vectors(ways: Vec<[Vec4; LOOKS]>, last: Vec4) -> Self {
        Self { kind: Kind::Vector, ways, last }
    }

    pub fn first(&self) -> Vec4 {
        self.ways.first().map_or(self.last, |way| way[0])
    }

    /// What is the same at every moment.
    pub fn constant(&self) -> Option<Vec4> {
        let (first, equal) = (self.first(), self.equal());
        let mut all = self.ways.iter().flatten().chain(std::iter::once(&self.last));
        all.all(|value| is_near(*value, first, equal)).then_some(first)
    }

    /// The difference that does not count.
    fn equal(&self) -> f32 {
        let largest = self.ways.iter().flatten().chain(std::iter::once(&self.last));
        EQUAL * largest.fold(0.0_f32, |most, value| most.max(value.abs().max_element()))
    }

    fn between(&self, from: Vec4, to: Vec4, share: f32) -> Vec4 {
        match self.kind {
            Kind::Vector => from.lerp(to, share),
            Kind::Rotation => Quat::from_vec4(from).slerp(Quat::from_vec4(to), share).into(),
        }
    }

    /// The keys for moments at `frames`, of which `rate_hz` make a second.
    pub fn curve(&self, frames: &[f32], rate_hz: f32) -> Curve {
        let equal = self.equal();
        let seconds: Vec<f32> = frames.iter().map(|frame| frame / rate_hz).collect();
        if let Some(value) = self.constant() {
            let times: Vec<f32> = match seconds.as_slice() {
                [first, .., last] if first < last => vec![*first, *last],
                _ => vec![seconds.first().copied().unwrap_or_default()],
            };
            let values = vec![finite(value); times.len()];
            return Curve { interpolation: Interpolation::Linear, times, values, error: 0.0 };
        }
        let holds = |way: &[Vec4; LOOKS]| way.iter().all(|value| is_near(*value, way[0], equal));
        if self.ways.iter().all(holds) {
            return self.steps(&seconds, equal);
        }
        let is_straight = |way: &[Vec4; LOOKS]| {
            let inner = [(1, 1.0 / 3.0), (2, 0.5), (3, 2.0 / 3.0)];
            inner.iter().all(|(at, share)| {
                // Arcs are worked out less exactly than lines.
                is_near(way[*at], self.between(way[0], way[LOOKS - 1], *share), 4.0 * equal)
            })
        };
        let is_cubic = !self.ways.iter().all(is_straight);
        let mut curve = Curve {
            interpolation: if is_cubic { Interpolation::CubicSpline } else { Interpolation::Linear },
            times: Vec::new(),
            values: Vec::new(),
            error: 0.0,
        };
        let mut slope_in = Vec4::ZERO;
        for (at, time) in seconds.iter().copied().enumerate() {
            let before = at.checked_sub(1).map(|before| self.ways[before][LOOKS - 1]);
            let value = self.ways.get(at).map_or(self.last, |way| way[0]);
            if let Some(before) = before.filter(|before| !is_near(*before, value, 4.0 * equal)) {
                curve.push(time.next_down(), slope_in, before, Vec4::ZERO);
                slope_in = Vec4::ZERO;
            }
            let slopes = self.ways.get(at).map(|way| slopes(way, seconds[at + 1] - time));
            curve.push(time, slope_in, value, slopes.map_or(Vec4::ZERO, |slopes| slopes.0));
            slope_in = slopes.map_or(Vec4::ZERO, |slopes| slopes.1);
        }
        for way in &self.ways {
            let middle = if is_cubic { cubic_middle(way) } else { self.between(way[0], way[LOOKS - 1], 0.5) };
            curve.error = curve.error.max(match self.kind {
                Kind::Vector => (middle - way[2]).abs().max_element(),
                Kind::Rotation => 2.0 * middle.normalize_or(way[2]).distance(way[2]),
            });
        }
        curve
    }

    /// The keys of values that hold until the next moment, whatever is between.
    pub fn stepped(&self, frames: &[f32], rate_hz: f32) -> Curve {
        let seconds: Vec<f32> = frames.iter().map(|frame| frame / rate_hz).collect();
        self.steps(&seconds, self.equal())
    }

    /// A key wherever the value changes, and at the end.
    fn steps(&self, seconds: &[f32], equal: f32) -> Curve {
        let mut curve = Curve { interpolation: Interpolation::Step, times: Vec::new(), values: Vec::new(), error: 0.0 };
        for (at, time) in seconds.iter().enumerate() {
            let value = self.ways.get(at).map_or(self.last, |way| way[0]);
            let is_last = at + 1 == seconds.len();
            if is_last || curve.values.last().is_none_or(|before| !is_near(*before, value, equal)) {
                curve.push(*time, Vec4::ZERO, value, Vec4::ZERO);
            }
        }
        curve
    }
}

impl Curve {
    fn push(&mut self, time: f32, slope_in: Vec4, value: Vec4, slope_out: Vec4) {
        // Times rise, however near they are.
        let time = self.times.last().map_or(time, |last| if time > *last { time } else { last.next_up() });
        self.times.push(time.max(0.0));
        if self.interpolation == Interpolation::CubicSpline {
            self.values.extend([slope_in, value, slope_out].map(finite));
        } else {
            self.values.push(finite(value));
        }
    }
}

/// The numbers of a damaged file may be none, and slopes between large ones too: glTF has no place for them.
fn finite(value: Vec4) -> Vec4 {
    Vec4::select(value.is_finite_mask(), value, Vec4::ZERO)
}

fn is_near(a: Vec4, b: Vec4, equal: f32) -> bool {
    (a - b).abs().max_element() <= equal
}

/// How steep the cubic through a way's start, thirds and end is at its start and end, in values a second.
fn slopes([start, third, _, other, end]: &[Vec4; LOOKS], seconds: f32) -> (Vec4, Vec4) {
    let [start, third, other, end] = [start, third, other, end].map(|value| value.as_dvec4());
    let first = (start * -11.0 + third * 18.0 - other * 9.0 + end * 2.0) * 0.5;
    let last = (start * -2.0 + third * 9.0 - other * 18.0 + end * 11.0) * 0.5;
    let seconds = f64::from(seconds);
    if seconds <= 0.0 {
        return (Vec4::ZERO, Vec4::ZERO);
    }
    ((first / seconds).as_vec4(), (last / seconds).as_vec4())
}

/// That cubic in the middle.
fn cubic_middle([start, third, _, other, end]: &[Vec4; LOOKS]) -> Vec4 {
    (*third + *other) * (9.0 / 16.0) - (*start + *end) * (1.0 / 16.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A track of one number, looked at as clips are.
    fn track(frames: &[f32], of: impl Fn(f32) -> f32) -> Track {
        let at = |frame: f32| Vec4::new(of(frame), 0.0, 0.0, 0.0);
        let way = |pair: &[f32]| {
            let between = |share: f32| at(pair[0] + (pair[1] - pair[0]) * share);
            [at(pair[0]), between(1.0 / 3.0), between(0.5), between(2.0 / 3.0), at(pair[1].next_down())]
        };
        Track::vectors(frames.windows(2).map(way).collect(), at(frames[frames.len() - 1]))
    }

    #[test]
    fn keys_are_of_the_simplest_kind_that_will_do() {
        let frames = [0.0, 1.0, 2.0, 4.0];
        let curve = |of: fn(f32) -> f32| track(&frames, of).curve(&frames, 2.0);
        let held = curve(|_| 3.0);
        assert_eq!((held.interpolation, held.times.as_slice()), (Interpolation::Linear, &[0.0, 2.0][..]));
        let steps = curve(|frame| if frame < 2.0 { 1.0 } else { 5.0 });
        assert_eq!((steps.interpolation, steps.times.as_slice()), (Interpolation::Step, &[0.0, 1.0, 2.0][..]));
        let lines = curve(|frame| frame.min(2.0));
        assert_eq!((lines.interpolation, lines.times.len()), (Interpolation::Linear, 4));
        // x³ has the slopes 3x² a frame, and two frames are a second.
        let cubic = curve(|frame| frame * frame * frame);
        assert_eq!((cubic.interpolation, cubic.values.len()), (Interpolation::CubicSpline, 12));
        let slopes: Vec<[f32; 2]> = cubic.values.chunks_exact(3).map(|key| [key[0].x, key[2].x]).collect();
        for (found, wanted) in slopes.iter().zip([[0.0, 0.0], [6.0, 6.0], [24.0, 24.0], [96.0, 0.0]]) {
            assert!((found[0] - wanted[0]).abs() < 1e-2 && (found[1] - wanted[1]).abs() < 1e-2, "{slopes:?}");
        }
        assert!(cubic.error < 1e-4, "{}", cubic.error);
    }

    #[test]
    fn a_jump_is_two_keys() {
        let frames = [0.0, 1.0, 2.0];
        let jump = track(&frames, |frame| if frame < 1.0 { frame * frame } else { 9.0 - frame }).curve(&frames, 1.0);
        assert_eq!(jump.times, [0.0, 1.0_f32.next_down(), 1.0, 2.0]);
        let values: Vec<f32> = jump.values.chunks_exact(3).map(|key| key[1].x).collect();
        assert!((values[1] - 1.0).abs() < 1e-5 && values[2] == 8.0, "{values:?}");
    }
}
