//! Whether and how the colours of vertices count in a combined material.

use super::{
    balance::Difference,
    evaluator::{Evaluator, mean},
    samples::SamplePoint,
};
use crate::export::glb::base_color::{VertexColorSet, VertexColors};

/// The colours of vertices as `COLOR_0`, and what the material is without them.
#[derive(Clone, Copy, Debug)]
pub struct FoundColors {
    pub colors: VertexColors,
    /// What the channels hand over in their place.
    pub raster: [[u8; 4]; 2],
    /// Which parts of the channels differ from vertex to vertex: colour and alpha of each.
    pub varying: [[bool; 2]; 2],
    /// Colours or alpha count otherwise than as a factor: `raster` has their mean.
    pub is_mean: bool,
}

const COLOR: std::ops::Range<usize> = 0..3;
const ALPHA: std::ops::Range<usize> = 3..4;

/// `exact`: the colours of the points. Their alpha is looked at with `with_alpha` only.
pub fn find(evaluator: &Evaluator, points: &[SamplePoint], exact: &[[u8; 4]], with_alpha: bool) -> FoundColors {
    let varying = varying(points);
    let channel = |index: usize| mean(points.iter().map(|point| (point.vertex.colors[index], point.weight)));
    let means = [channel(0), channel(1)];
    let mut found = FoundColors {
        colors: VertexColors { color: None, alpha: None, full: 255 },
        raster: means,
        varying,
        is_mean: false,
    };
    if varying == [[false; 2]; 2] {
        return found;
    }
    let shaded = |point: &SamplePoint, raster: [[u8; 4]; 2]| {
        let mut vertex = point.vertex;
        vertex.colors = raster;
        evaluator.shade(&evaluator.constants, &vertex).map(f32::from)
    };
    // How far the colours are from those with the raster given, times what is to be a factor.
    let away = |raster: [[u8; 4]; 2], factor: &dyn Fn(&SamplePoint) -> [f32; 4], channels| {
        let pair = |(point, exact): (&SamplePoint, &[u8; 4])| {
            let (color, factor) = (shaded(point, raster), factor(point));
            (std::array::from_fn(|i| color[i] * factor[i]), exact.map(f32::from))
        };
        Difference::of(points.iter().zip(exact).map(pair), channels)
    };
    let none = |_: &SamplePoint| [1.0; 4];
    if !away(means, &none, COLOR).is_unseen() {
        let mut candidates = Vec::new();
        for index in (0..2).filter(|index| varying[*index][0]) {
            let brightest =
                points.iter().flat_map(|p| p.vertex.colors[index][..3].to_vec()).max().unwrap_or(255).max(1);
            candidates.extend([(index, 255), (index, brightest)]);
        }
        let as_factor = |(index, full): &(usize, u8)| {
            let mut raster = means;
            raster[*index][..3].fill(*full);
            let factor =
                |point: &SamplePoint| point.vertex.colors[*index].map(|c| (f32::from(c) / f32::from(*full)).min(1.0));
            away(raster, &factor, COLOR)
        };
        let fits = candidates.iter().copied().find(|candidate| as_factor(candidate).is_unseen());
        found.is_mean = fits.is_none();
        if let Some((index, full)) = fits {
            found.raster[index][..3].fill(full);
            found.colors.color = Some(set_of(index));
            found.colors.full = full;
        }
    }
    if with_alpha && !away(means, &none, ALPHA).is_unseen() {
        let fits = |index: &usize| {
            let mut raster = means;
            raster[*index][3] = 255;
            let factor = |point: &SamplePoint| [f32::from(point.vertex.colors[*index][3]) / 255.0; 4];
            away(raster, &factor, ALPHA).is_unseen()
        };
        match (0..2).filter(|index| varying[*index][1]).find(fits) {
            Some(index) => {
                found.raster[index][3] = 255;
                found.colors.alpha = Some(set_of(index));
            }
            None => found.is_mean = true,
        }
    }
    found
}

fn set_of(channel: usize) -> VertexColorSet {
    if channel == 0 { VertexColorSet::First } else { VertexColorSet::Second }
}

fn varying(points: &[SamplePoint]) -> [[bool; 2]; 2] {
    let Some(first) = points.first() else { return [[false; 2]; 2] };
    std::array::from_fn(|channel| {
        let of = |point: &SamplePoint| point.vertex.colors[channel];
        let [color, alpha] = [0..3, 3..4].map(|part: std::ops::Range<usize>| {
            points.iter().any(|point| of(point)[part.clone()] != of(first)[part.clone()])
        });
        [color, alpha]
    })
}
