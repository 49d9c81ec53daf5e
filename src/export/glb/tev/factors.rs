//! Which constants of a material its base colour is proportional to.

use super::{difference::Difference, evaluator::Evaluator, samples::SamplePoint, vertex_colors::FoundColors};
use crate::export::glb::base_color::{FactorSource, FactorSources};
use crate::scene::gx::Constants;

/// Points that are looked at.
const POINTS: usize = 32;

/// The constants that are a plain factor of the colour, or the alpha, of these points.
pub fn find(evaluator: &Evaluator, points: &[SamplePoint], found: &FoundColors) -> FactorSources {
    let step = (points.len() / POINTS).max(1);
    let points: Vec<&SamplePoint> = points.iter().step_by(step).collect();
    let shades = |constants: &Constants| -> Vec<[f32; 4]> {
        let shade = |point: &&SamplePoint| {
            let mut vertex = point.vertex;
            let raster = evaluator.raster(constants, point);
            // Colours of vertices stay what they were replaced by.
            for ((color, now), [varies, fades]) in vertex.colors.iter_mut().zip(raster).zip(found.varying) {
                if !varies {
                    color[..3].copy_from_slice(&now[..3]);
                }
                if !fades {
                    color[3] = now[3];
                }
            }
            evaluator.shade(constants, &vertex).map(f32::from)
        };
        points.iter().map(shade).collect()
    };
    let now = shades(&evaluator.constants);
    let follows = |source: FactorSource, components: std::ops::Range<usize>| {
        let with = |value: Option<i32>| {
            let mut constants = evaluator.constants;
            let color = constant(&mut constants, source);
            let old = *color;
            if let Some(value) = value {
                color[components.clone()].fill(value);
            }
            (constants, old)
        };
        let (full, old) = with(Some(255));
        let (half, _) = with(Some(128));
        let (full, half) = (shades(&full), shades(&half));
        let scaled = |by: [f32; 4]| {
            let by = move |color: &[f32; 4]| -> [f32; 4] { std::array::from_fn(|i| color[i] * by[i]) };
            full.iter().map(by).collect::<Vec<_>>()
        };
        let away = |a: &[[f32; 4]], b: &[[f32; 4]]| {
            Difference::of(a.iter().copied().zip(b.iter().copied()), components.clone())
        };
        let is_used = away(&full, &half).most > 6.0;
        is_used
            && away(&scaled([128.0 / 255.0; 4]), &half).is_unseen()
            && away(&scaled(old.map(|value| value as f32 / 255.0)), &now).is_unseen()
    };
    let all = (0..3).map(FactorSource::Register).chain((0..4).map(FactorSource::Konst));
    let all: Vec<FactorSource> = all.chain((0..2).map(FactorSource::MaterialColor)).collect();
    let of = |components: std::ops::Range<usize>| {
        all.iter().copied().filter(|source| follows(*source, components.clone())).collect()
    };
    FactorSources { color: of(0..3), alpha: of(3..4) }
}

fn constant(constants: &mut Constants, source: FactorSource) -> &mut [i32; 4] {
    match source {
        FactorSource::Register(index) => &mut constants.registers[usize::from(index % 3)],
        FactorSource::Konst(index) => &mut constants.konst[usize::from(index & 3)],
        FactorSource::MaterialColor(index) => &mut constants.material_colors[usize::from(index & 1)],
    }
}
