//! The difference of colours, and the colour that replaces a map such that the result keeps its mean.

use super::{
    evaluator::{Evaluator, exact_mean},
    samples::SamplePoint,
};

/// Mean and greatest distance, of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    pub mean: f32,
    pub most: f32,
}

impl Difference {
    /// Of pairs of colours, by their first `channels`.
    pub fn of(pairs: impl Iterator<Item = ([f32; 4], [f32; 4])>, channels: std::ops::Range<usize>) -> Self {
        let (mut sum, mut count, mut most) = (0.0, 0.0_f32, 0.0_f32);
        for (a, b) in pairs {
            let away = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            let away = away.skip(channels.start).take(channels.len()).fold(0.0, f32::max);
            sum += away;
            count += 1.0;
            most = most.max(away);
        }
        Self { mean: sum / count.max(1.0), most }
    }

    /// Nobody would see it.
    pub fn is_unseen(self) -> bool {
        self.mean <= 1.5 && self.most <= 6.0
    }
}

/// Steps of the search: the last is a 256th of a colour's range.
const STEPS: u32 = 8;
/// Means that differ by less are the same, of 255.
const SAME: f32 = 1.0;

/// Brightens or darkens the colours of maps, all in the same measure, until red, green and blue have the means that they had `before`: a
/// sum that is cut off at white, or a product, has another mean than its parts.
pub fn balance(evaluator: &mut Evaluator, points: &[SamplePoint], maps: &[(u8, [u8; 4])], before: &[[u8; 4]]) {
    let weights = || points.iter().map(|point| point.weight);
    let wanted = exact_mean(before.iter().copied().zip(weights()));
    let mut found = |measure: [f32; 3]| {
        for (map, color) in maps {
            evaluator.fill(*map, scaled(*color, measure));
        }
        let shade = |point: &SamplePoint| evaluator.shade(&evaluator.constants, &point.vertex);
        exact_mean(points.iter().map(|point| (shade(point), point.weight)))
    };
    let away = |found: [f32; 4]| std::array::from_fn::<f32, 3, _>(|part| (found[part] - wanted[part]).abs());
    let mut best = ([1.0; 3], away(found([1.0; 3])));
    if maps.is_empty() || best.1.iter().all(|away| *away <= SAME) {
        return;
    }
    let (mut low, mut high) = ([0.0_f32; 3], [2.0_f32; 3]);
    let (dark, bright) = (found(low), found(high));
    for _ in 0..STEPS {
        let middle: [f32; 3] = std::array::from_fn(|part| f32::midpoint(low[part], high[part]));
        let shown = found(middle);
        let distance = away(shown);
        for part in 0..3 {
            if distance[part] < best.1[part] {
                (best.0[part], best.1[part]) = (middle[part], distance[part]);
            }
            // More of the map darkens what it is taken from.
            let too_much = (shown[part] > wanted[part]) == (bright[part] >= dark[part]);
            if too_much {
                high[part] = middle[part];
            } else {
                low[part] = middle[part];
            }
        }
    }
    found(best.0);
}

/// A colour between black at 0, itself at 1 and white at 2.
fn scaled(color: [u8; 4], measure: [f32; 3]) -> [u8; 4] {
    std::array::from_fn(|part| {
        let (value, Some(measure)) = (f32::from(color[part]), measure.get(part)) else { return color[part] };
        let value = if *measure <= 1.0 { value * measure } else { value + (255.0 - value) * (measure - 1.0) };
        value.round() as u8
    })
}
