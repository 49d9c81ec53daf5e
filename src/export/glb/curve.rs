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
    /// The difference that may be left out, in the track's numbers. 0 keeps every key.
    pub tolerance: f32,
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
        Self { kind: Kind::Rotation, ways, last, tolerance: 0.0 }
    }

    pub fn vectors(ways: Vec<[Vec4; LOOKS]>, last: Vec4) -> Self {
        Self { kind: Kind::Vector, ways, last, tolerance: 0.0 }
    }

    pub fn within(self, tolerance: f32) -> Self {
        Self { tolerance, ..self }
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
        let equal = EQUAL * largest.fold(0.0_f32, |most, value| most.max(value.abs().max_element()));
        equal.max(self.tolerance)
    }

    fn between(&self, from: Vec4, to: Vec4, share: f32) -> Vec4 {
        match self.kind {
            Kind::Vector => from.lerp(to, share),
            Kind::Rotation => Quat::from_vec4(from).slerp(Quat::from_vec4(to), share).into(),
        }
    }

    /// Whether each way goes straight, and from moment to moment.
    fn is_straight(&self, equal: f32) -> bool {
        self.ways.iter().all(|way| {
            let inner = [(1, 1.0 / 3.0), (2, 0.5), (3, 2.0 / 3.0)];
            // Arcs are worked out less exactly than lines.
            inner.iter().all(|(at, share)| {
                is_near(
                    way[*at],
                    self.between(way[0], way[LOOKS - 1], *share),
                    equal.max(4.0 * (equal - self.tolerance)),
                )
            })
        })
    }

    /// The error in the middle of each way under the keys of [`Track::curve`]: in units of a vector, radians for rotations.
    pub fn errors(&self) -> Vec<f32> {
        let equal = self.equal();
        if self.constant().is_some() || self.holds(equal) {
            return vec![0.0; self.ways.len()];
        }
        let is_cubic = !self.is_straight(equal);
        self.ways.iter().map(|way| self.error(way, is_cubic)).collect()
    }

    fn error(&self, way: &[Vec4; LOOKS], is_cubic: bool) -> f32 {
        let middle = if is_cubic { cubic_middle(way) } else { self.between(way[0], way[LOOKS - 1], 0.5) };
        match self.kind {
            Kind::Vector => (middle - way[2]).abs().max_element(),
            Kind::Rotation => 2.0 * middle.normalize_or(way[2]).distance(way[2]),
        }
    }

    /// Whether the value changes at moments alone.
    fn holds(&self, equal: f32) -> bool {
        self.ways.iter().all(|way| way.iter().all(|value| is_near(*value, way[0], equal)))
    }

    /// The keys for moments at `frames`, of which `rate_hz` make a second.
    pub fn curve(&self, frames: &[f32], rate_hz: f32) -> Curve {
        let equal = self.equal();
        let seconds: Vec<f32> = frames.iter().map(|frame| frame / rate_hz).collect();
        if let Some(value) = self.constant() {
            let (times, values) = (vec![seconds.first().copied().unwrap_or_default()], vec![finite(value)]);
            return Curve { interpolation: Interpolation::Linear, times, values, error: 0.0 };
        }
        if self.holds(equal) {
            return self.steps(&seconds, equal);
        }
        let is_cubic = !self.is_straight(equal);
        let mut curve = Curve {
            interpolation: if is_cubic { Interpolation::CubicSpline } else { Interpolation::Linear },
            times: Vec::new(),
            values: Vec::new(),
            error: self.ways.iter().map(|way| self.error(way, is_cubic)).fold(0.0, f32::max),
        };
        let jumps: Vec<bool> = (0..seconds.len()).map(|at| self.jumps(at, equal)).collect();
        let kept = self.kept(&seconds, &jumps, is_cubic);
        let mut slope_in = Vec4::ZERO;
        for (which, at) in kept.iter().copied().enumerate() {
            let time = seconds[at];
            let before = at.checked_sub(1).map(|before| self.ways[before][LOOKS - 1]);
            let value = self.at(at);
            if let Some(before) = before.filter(|_| jumps[at]) {
                curve.push(time.next_down(), slope_in, before, Vec4::ZERO);
                slope_in = Vec4::ZERO;
            }
            let slopes = match kept.get(which + 1) {
                Some(next) if *next == at + 1 => slopes(&self.ways[at], seconds[*next] - time),
                Some(next) => {
                    let slope = (self.at(*next) - value) / (seconds[*next] - time);
                    (slope, slope)
                }
                None => (Vec4::ZERO, Vec4::ZERO),
            };
            curve.push(time, slope_in, value, slopes.0);
            slope_in = slopes.1;
        }
        curve
    }

    fn at(&self, moment: usize) -> Vec4 {
        self.ways.get(moment).map_or(self.last, |way| way[0])
    }

    /// Whether the value right before a moment is another than at it.
    fn jumps(&self, moment: usize, equal: f32) -> bool {
        let before = moment.checked_sub(1).and_then(|before| self.ways.get(before));
        before.is_some_and(|way| !is_near(way[LOOKS - 1], self.at(moment), equal.max(4.0 * (equal - self.tolerance))))
    }

    /// The moments that need keys: those within a straight line are left out. Cubics keep all of theirs: a program with slopes of its
    /// own is exact at keys alone.
    fn kept(&self, seconds: &[f32], jumps: &[bool], is_cubic: bool) -> Vec<usize> {
        let last = seconds.len() - 1;
        if self.tolerance == 0.0 || is_cubic {
            return (0..=last).collect();
        }
        let mut kept = vec![0];
        let mut at = 0;
        while at < last {
            let end = self.line_from(at, seconds, jumps);
            kept.push(end);
            at = end;
        }
        kept
    }

    /// The last moment that a straight line from `start` is known to reach: the next one at least.
    fn line_from(&self, start: usize, seconds: &[f32], jumps: &[bool]) -> usize {
        let last = seconds.len() - 1;
        let jump = (start + 1..last).find(|at| jumps[*at]).unwrap_or(last);
        let (mut reached, mut step) = (start + 1, 1);
        // Doubles the line while it is one, then halves what it missed.
        while step > 0 {
            let end = reached + step;
            if end <= jump && !(end == jump && jumps[jump]) && self.is_line(start, end, seconds) {
                (reached, step) = (end, step * 2);
            } else {
                step /= 2;
            }
        }
        reached
    }

    /// Whether the track goes straight from a moment to another one, both for programs that turn along arcs and for those that blend
    /// numbers.
    fn is_line(&self, start: usize, end: usize, seconds: &[f32]) -> bool {
        let (from, to) = (self.at(start), self.at(end));
        let whole = seconds[end] - seconds[start];
        (start..end).all(|way| {
            [0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0].into_iter().zip(&self.ways[way]).all(|(look, value)| {
                let time = seconds[way] + (seconds[way + 1] - seconds[way]) * look;
                let share = (time - seconds[start]) / whole;
                let blended = from.lerp(to, share);
                let blended = if self.kind == Kind::Rotation { blended.normalize_or(from) } else { blended };
                is_near(*value, blended, self.tolerance)
                    && is_near(*value, self.between(from, to, share), self.tolerance)
            })
        })
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
        assert_eq!((held.interpolation, held.times.as_slice()), (Interpolation::Linear, &[0.0][..]));
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

    #[test]
    fn keys_on_a_line_are_left_out() {
        let frames: Vec<f32> = (0..=20).map(|frame| frame as f32).collect();
        let bent = |frame: f32| if frame < 12.0 { frame * 2.0 } else { 24.0 };
        let lines = track(&frames, bent).within(1e-4).curve(&frames, 1.0);
        assert_eq!((lines.interpolation, lines.times.as_slice()), (Interpolation::Linear, &[0.0, 12.0, 20.0][..]));
        // A parabola up to 4, then its tangent: cubics keep their keys, which programs with slopes of their own need.
        let eased = |frame: f32| if frame < 4.0 { frame * frame } else { 8.0 * frame - 16.0 };
        let cubic = track(&frames, eased).within(1e-4).curve(&frames, 1.0);
        assert_eq!((cubic.interpolation, cubic.times), (Interpolation::CubicSpline, frames));
    }

    #[test]
    fn a_turn_too_wide_for_a_blend_keeps_keys() {
        let frames: Vec<f32> = (0..=8).map(|frame| frame as f32).collect();
        let turned = |frame: f32| Vec4::from(Quat::from_rotation_z(frame * 0.35));
        let looks = [0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0];
        let ways = (0..8).map(|way| looks.map(|look| turned(way as f32 + look))).collect();
        let curve = Track::rotations(ways, turned(8.0)).within(1e-5).curve(&frames, 1.0);
        assert_eq!(curve.interpolation, Interpolation::Linear);
        // An arc is exact over the whole turn; numbers that are blended leave it by more than a thousandth.
        assert!(curve.times.len() > 2, "{:?}", curve.times);
    }
}
