//! Lines and outlines on the ground: how long, how large, and over which heights.

use super::HeightGrid;
use glam::Vec2;

/// A place along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfilePoint {
    /// Metres from the line's start, on the map.
    pub along: f64,
    /// East and north, in metres.
    pub place: Vec2,
    /// The ground there, in metres; `None` outside and over holes.
    pub height: Option<f32>,
}

/// The ground along a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// From the line's start to its end.
    pub points: Vec<ProfilePoint>,
    /// Lowest and highest ground; `None` where there is none.
    pub range: Option<[f32; 2]>,
    /// Metres of ascent along the line, not negative; gaps are not counted.
    pub climb: f64,
    /// Metres of descent along the line, not negative; gaps are not counted.
    pub descent: f64,
}

/// The length of a line on the map, in metres. Points that are no numbers are passed over.
pub fn length(line: &[Vec2]) -> f64 {
    let line: Vec<Vec2> = finite(line).collect();
    line.windows(2).map(|pair| pair.first().zip(pair.last()).map_or(0.0, |(a, b)| distance(*a, *b))).sum()
}

/// The area within an outline whose last point is joined to the first, in square metres; 0 for fewer than three points.
pub fn area(outline: &[Vec2]) -> f64 {
    let outline: Vec<Vec2> = finite(outline).collect();
    let Some(first) = outline.first().filter(|_| outline.len() > 2) else { return 0.0 };
    // Counted from the first point: far from the origin small outlines keep their precision.
    let from_first = |point: &Vec2| (f64::from(point.x - first.x), f64::from(point.y - first.y));
    let next = outline.iter().cycle().skip(1);
    let twice: f64 = outline
        .iter()
        .zip(next)
        .map(|(a, b)| {
            let ((ax, ay), (bx, by)) = (from_first(a), from_first(b));
            ax * by - bx * ay
        })
        .sum();
    twice.abs() * 0.5
}

fn finite(line: &[Vec2]) -> impl Iterator<Item = Vec2> {
    line.iter().copied().filter(|point| point.is_finite())
}

fn distance(a: Vec2, b: Vec2) -> f64 {
    f64::from(b.x - a.x).hypot(f64::from(b.y - a.y))
}

impl HeightGrid {
    /// The ground along a line, at about `samples` places evenly spread and at every corner.
    pub fn profile(&self, line: &[Vec2], samples: usize) -> Profile {
        let line: Vec<Vec2> = finite(line).collect();
        let whole = length(&line);
        let mut profile = Profile::default();
        let Some(first) = line.first() else { return profile };
        let point = |along: f64, place: Vec2| ProfilePoint {
            along,
            place,
            height: self.ground_at(place.x, place.y).filter(|height| height.is_finite()),
        };
        profile.points.push(point(0.0, *first));
        let mut along = 0.0;
        for pair in line.windows(2) {
            let (Some(from), Some(to)) = (pair.first(), pair.last()) else { continue };
            let part = distance(*from, *to);
            if part <= 0.0 || whole <= 0.0 {
                continue;
            }
            let steps = ((part / whole * samples as f64).ceil() as usize).clamp(1, samples.max(1));
            for step in 1..=steps {
                let share = step as f64 / steps as f64;
                profile.points.push(point(along + part * share, from.lerp(*to, share as f32)));
            }
            along += part;
        }
        for height in profile.points.iter().filter_map(|point| point.height) {
            let [low, high] = profile.range.unwrap_or([height; 2]);
            profile.range = Some([low.min(height), high.max(height)]);
        }
        for pair in profile.points.windows(2) {
            let heights = pair.first().and_then(|a| a.height).zip(pair.last().and_then(|b| b.height));
            let rise = heights.map_or(0.0, |(a, b)| f64::from(b - a));
            profile.climb += rise.max(0.0);
            profile.descent += (-rise).max(0.0);
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 11 × 11 samples, 10 m apart: the ground rises a metre each 10 m to the east, with one hole.
    fn slope() -> HeightGrid {
        let mut heights: Vec<f32> = (0..121).map(|i| (i % 11) as f32).collect();
        heights[5 * 11 + 5] = f32::NAN;
        HeightGrid { columns: 11, rows: 11, cell: 10.0, heights: heights.into() }
    }

    fn p(east: f32, north: f32) -> Vec2 {
        Vec2::new(east, north)
    }

    #[test]
    fn known_outlines_have_their_lengths_and_areas() {
        let square = [p(1000.0, 1000.0), p(1300.0, 1000.0), p(1300.0, 1400.0), p(1000.0, 1400.0)];
        assert_eq!((length(&square), area(&square)), (1000.0, 120_000.0));
        let other_way: Vec<Vec2> = square.iter().rev().copied().collect();
        assert_eq!(area(&other_way), 120_000.0);
        assert_eq!(area(&[p(0.0, 0.0), p(30.0, 0.0), p(0.0, 40.0)]), 600.0);
        // A notch counts as outside.
        let notched = [p(0.0, 0.0), p(10.0, 0.0), p(5.0, 5.0), p(10.0, 10.0), p(0.0, 10.0)];
        assert_eq!(area(&notched), 75.0);
    }

    #[test]
    fn one_point_none_and_no_numbers_measure_nothing() {
        for line in [&[][..], &[p(5.0, 5.0)], &[p(f32::NAN, 1.0), p(3.0, f32::INFINITY)]] {
            assert_eq!((length(line), area(line)), (0.0, 0.0));
            assert!(slope().profile(line, 100).points.len() <= 1);
        }
        assert_eq!(area(&[p(0.0, 0.0), p(9.0, 9.0)]), 0.0);
        assert_eq!(length(&[p(0.0, 0.0), p(f32::NAN, 0.0), p(3.0, 4.0)]), 5.0);
        // Twice the same place is one.
        assert_eq!(slope().profile(&[p(5.0, 5.0), p(5.0, 5.0)], 100).points.len(), 1);
    }

    #[test]
    fn a_profile_has_the_heights_under_it() {
        let there_and_back = [p(0.0, 20.0), p(100.0, 20.0), p(40.0, 20.0)];
        let profile = slope().profile(&there_and_back, 160);
        assert_eq!(profile.range, Some([0.0, 10.0]));
        let last = profile.points.last().unwrap();
        assert!((last.along - 160.0).abs() < 1e-6 && last.height == Some(4.0), "{last:?}");
        assert!((profile.climb - 10.0).abs() < 1e-3 && (profile.descent - 6.0).abs() < 1e-3, "{profile:?}");
        // The corner itself is among them, however few there are.
        let few = slope().profile(&there_and_back, 2);
        assert!(few.points.iter().any(|point| point.height == Some(10.0)), "{few:?}");
    }

    #[test]
    fn holes_and_what_is_off_the_ground_are_gaps() {
        let over_the_hole = slope().profile(&[p(20.0, 50.0), p(80.0, 50.0)], 60);
        let gaps = over_the_hole.points.iter().filter(|point| point.height.is_none()).count();
        assert!(gaps > 0 && gaps < over_the_hole.points.len());
        assert!(over_the_hole.range.is_some_and(|[low, high]| low.is_finite() && high.is_finite()));
        let off = slope().profile(&[p(-500.0, -500.0), p(-400.0, -500.0)], 60);
        assert_eq!((off.range, off.climb, off.descent), (None, 0.0, 0.0));
        assert!(HeightGrid::default().profile(&[p(0.0, 0.0), p(1.0, 1.0)], 10).range.is_none());
        // A line far beyond any ground does not make more places than were asked for.
        let far = slope().profile(&[p(-1e30, 0.0), p(1e30, 0.0)], 50);
        assert!(far.points.len() <= 52);
    }
}
