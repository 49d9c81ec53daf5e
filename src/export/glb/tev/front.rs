//! Factors of vertices for what differs from vertex to vertex otherwise than by a colour of theirs: reflections,
//! projections, and sums that are cut off at white. They show the model from the front.

use super::{
    alpha::AlphaPlan,
    balance::Difference,
    evaluator::{CoordSource, Evaluator},
    samples::{SamplePoint, Triangle},
    vertex_colors::FoundColors,
};
use crate::{
    export::glb::{
        base_color::{FactorSource, FactorSources, VertexColorSet},
        srgb,
    },
    scene::{
        Mesh, Model,
        gx::{Constants, TexturedVertex},
    },
};
use glam::{Affine3A, Vec2};
use rayon::prelude::*;
use std::{collections::HashMap, ops::Range, sync::LazyLock};

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

/// Points of a material whose texture coordinates stand for all.
const PROBES: usize = 8;
/// Shares of the brightest inputs that are tried as the inputs at which the factor is 1.
const SHARES: u32 = 8;
/// Steps of the search for factors that keep the mean.
const STEPS: usize = 6;

static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| srgb::linear_shorts(255).map(|value| f32::from(value) / f32::from(u16::MAX)));

/// A factor of a base colour that differs from vertex to vertex.
#[derive(Clone, Debug)]
pub struct Front {
    /// The material as it looks.
    look: Evaluator,
    probes: Vec<[Option<Vec2>; 8]>,
    /// Mean colour of the probes where the factor is 1, linear.
    base: [f32; 4],
    has_alpha: bool,
    /// The channel whose alpha is the factor's, instead of that of the look.
    own_alpha: Option<usize>,
    view: Affine3A,
    /// Mean factor of the points, linear.
    pub mean: [f32; 4],
}

/// A material whose inputs are the same at every vertex, with its factor.
pub struct Choice {
    pub front: Front,
    pub evaluator: Evaluator,
    pub raster: [[u8; 4]; 2],
    /// The colour of a material without texture coordinates.
    pub color: Option<[u8; 4]>,
    /// Distance from the look.
    pub away: Difference,
}

impl Front {
    /// The factor of every vertex of a mesh: linear red, green and blue, and alpha.
    pub fn factors(&self, mesh: &Mesh) -> Vec<[f32; 4]> {
        let vertices = (0..mesh.vertex_count() as u32).into_par_iter();
        vertices.map(|vertex| self.factor(self.look_of(&SamplePoint::of_vertex(mesh, vertex, &self.view)))).collect()
    }

    fn look_of(&self, point: &SamplePoint) -> [f32; 4] {
        let colors = self.look.raster(&self.look.constants, point);
        let mut look = mean(&self.look, TexturedVertex { colors, ..point.vertex }, &self.probes);
        if let Some(channel) = self.own_alpha {
            look[3] = f32::from(colors[channel][3]) / 255.0;
        }
        look
    }

    fn factor(&self, look: [f32; 4]) -> [f32; 4] {
        let of = |part: usize| if self.base[part] > 0.0 { (look[part] / self.base[part]).min(1.0) } else { 1.0 };
        [of(0), of(1), of(2), if self.has_alpha { of(3) } else { 1.0 }]
    }

    /// The factor that comes nearest to the `exact` colours of points, which have the colours of their channels. `None` for a
    /// material that is not written as a product.
    pub fn find(
        model: &Model,
        look: &Evaluator,
        points: &[SamplePoint],
        exact: &[[u8; 4]],
        found: &FoundColors,
        alpha: &AlphaPlan,
        channels: Range<usize>,
    ) -> Option<Choice> {
        if !alpha.keeps_color_factors() {
            return None;
        }
        // What an alpha test makes of the look is no factor of each vertex, but the alpha of vertices may be one.
        let own_alpha = found.colors.alpha.filter(|_| !alpha.keeps_alpha_factors());
        let own_alpha = own_alpha.map(|set| usize::from(set == VertexColorSet::Second));
        let has_alpha = alpha.keeps_alpha_factors() || own_alpha.is_some();
        let view = points.first()?.vertex.view_from_point;
        let has_uvs = look.reads.iter().any(|read| matches!(read.source, CoordSource::Uv(_)));
        let step = if has_uvs { points.len().div_ceil(PROBES) } else { points.len() };
        let probes = points.iter().step_by(step).map(|point| point.vertex.uvs).collect();
        let front = Self { look: look.clone(), probes, base: [1.0; 4], has_alpha, own_alpha, view, mean: [1.0; 4] };
        // What clients mix: the looks of the corners.
        let mut known = HashMap::new();
        let mut looks_of =
            |point: &SamplePoint| match point.triangle.and_then(|at| Some((at, model.meshes.get(at.mesh)?))) {
                Some((Triangle { mesh: index, corners }, mesh)) => corners.map(|vertex| {
                    *known
                        .entry((index, vertex))
                        .or_insert_with(|| front.look_of(&SamplePoint::of_vertex(mesh, vertex, &view)))
                }),
                None => [front.look_of(point); 3],
            };
        let corners: Vec<[[f32; 4]; 3]> = points.iter().map(&mut looks_of).collect();
        let candidates = if has_uvs {
            inputs(look, points, found)
        } else {
            let mut flat = look.clone();
            let _ = flat.flatten(CoordSource::Vertex, points);
            vec![(flat, found.raster)]
        };
        let color = (!has_uvs).then(|| {
            let [r, g, b, a] = brightest(corners.iter().flatten());
            let full = TexturedVertex { colors: found.raster, ..points[0].vertex };
            [r, g, b, if own_alpha.is_some() { look.shade(&look.constants, &full)[3] } else { a }]
        });
        let shown = |front: &Self, bases: &[[u8; 4]]| -> Vec<[f32; 4]> {
            let of = |((point, corners), base): ((&SamplePoint, &[[f32; 4]; 3]), &[u8; 4])| {
                let factors = corners.map(|look| front.factor(look));
                let base = linear(*base);
                let product = |part: usize| {
                    base[part] * (0..3).map(|corner| factors[corner][part] * point.shares[corner]).sum::<f32>()
                };
                let gamma = |part: usize| srgb::gamma(product(part)) * 255.0;
                [gamma(0), gamma(1), gamma(2), product(3) * 255.0]
            };
            points.iter().zip(&corners).zip(bases).map(of).collect()
        };
        let away = |shown: &[[f32; 4]]| {
            let exact = exact.iter().map(|color| color.map(f32::from));
            Difference::of(shown.iter().copied().zip(exact), channels.clone())
        };
        let judged = candidates.into_iter().map(|(evaluator, raster)| {
            let colors = raster;
            let shade = |point: &SamplePoint| {
                color.unwrap_or_else(|| {
                    evaluator.shade(&evaluator.constants, &TexturedVertex { colors, ..point.vertex })
                })
            };
            let bases: Vec<[u8; 4]> = points.iter().map(shade).collect();
            let vertex = TexturedVertex { colors, ..points[0].vertex };
            let mut base = color.map_or_else(|| mean(&evaluator, vertex, &front.probes), linear);
            let parts = if own_alpha.is_some() { 3 } else { 4 };
            base[parts..].fill(1.0);
            let mut front = Self { base, ..front.clone() };
            let mut away_now = away(&shown(&front, &bases));
            // The corners' mean is not the mean of what is between them.
            let wanted = weighted(points, exact.iter().map(|color| color.map(f32::from)));
            for _ in 0..STEPS {
                let now = weighted(points, shown(&front, &bases).into_iter());
                for (part, base) in front.base.iter_mut().enumerate().take(parts) {
                    let ratio = if wanted[part] > 0.5 { (now[part] / wanted[part]).clamp(0.5, 2.0) } else { 1.0 };
                    *base *= if part < 3 { ratio * ratio } else { ratio };
                }
                away_now = away(&shown(&front, &bases));
            }
            Choice { front, evaluator, raster, color, away: away_now }
        });
        let mut best = judged.min_by(|a, b| a.away.mean.total_cmp(&b.away.mean))?;
        let front = &best.front;
        let factors = corners.iter().zip(points).map(|(corners, point)| {
            let factors = corners.map(|look| front.factor(look));
            std::array::from_fn(|part| (0..3).map(|corner| factors[corner][part] * point.shares[corner]).sum())
        });
        best.front.mean = weighted(points, factors);
        Some(best)
    }
}

/// The material with several shares of its brightest inputs at every vertex.
fn inputs(look: &Evaluator, points: &[SamplePoint], found: &FoundColors) -> Vec<(Evaluator, [[u8; 4]; 2])> {
    let maps = look.clone().flatten(CoordSource::Vertex, points);
    let sizes = look.sizes();
    let brightest_of = |map: u8| {
        let reads = look.reads.iter().filter(|read| read.map == map);
        let texels = reads.flat_map(|read| points.iter().map(|p| look.texel(read, &look.coords(&p.vertex), &sizes)));
        texels.fold([0; 4], |a: [u8; 4], b| std::array::from_fn(|part| a[part].max(b[part])))
    };
    let maps: Vec<(u8, [u8; 4])> = maps.into_iter().map(|(map, _)| (map, brightest_of(map))).collect();
    let of = |share: u32| {
        let scaled = |value: u8| (u32::from(value) * share / SHARES) as u8;
        let mut evaluator = look.clone();
        for (map, color) in &maps {
            evaluator.fill(*map, color.map(scaled));
        }
        let is_own = [found.colors.color.is_some(), found.colors.alpha.is_some()];
        let mut raster = found.raster;
        for (channel, color) in raster.iter_mut().enumerate().filter(|_| found.is_mean) {
            for (part, value) in color.iter_mut().enumerate() {
                let kind = usize::from(part == 3);
                if found.varying[channel][kind] && !is_own[kind] {
                    *value = scaled(points.iter().map(|point| point.vertex.colors[channel][part]).max().unwrap_or(255));
                }
            }
        }
        (evaluator, raster)
    };
    (1..=SHARES).map(of).collect()
}

/// Mean of linear colours over texture coordinates.
fn mean(evaluator: &Evaluator, mut vertex: TexturedVertex, probes: &[[Option<Vec2>; 8]]) -> [f32; 4] {
    let mut sum = [0.0; 4];
    for uvs in probes {
        vertex.uvs = *uvs;
        let color = linear(evaluator.shade(&evaluator.constants, &vertex));
        sum = std::array::from_fn(|part| sum[part] + color[part]);
    }
    sum.map(|sum| sum / probes.len().max(1) as f32)
}

/// The least colour that no part of these linear ones is above.
fn brightest<'a>(colors: impl Iterator<Item = &'a [f32; 4]>) -> [u8; 4] {
    let [r, g, b, a] = colors.fold([0.0; 4], |most: [f32; 4], color| std::array::from_fn(|i| most[i].max(color[i])));
    [srgb::gamma(r), srgb::gamma(g), srgb::gamma(b), a]
        .map(|value| (value * 255.0 - 0.01).ceil().clamp(0.0, 255.0) as u8)
}

fn linear([r, g, b, a]: [u8; 4]) -> [f32; 4] {
    let [r, g, b] = [r, g, b].map(|value| LINEAR[usize::from(value)]);
    [r, g, b, f32::from(a) / 255.0]
}

fn weighted(points: &[SamplePoint], colors: impl Iterator<Item = [f32; 4]>) -> [f32; 4] {
    let (mut sum, mut total) = ([0.0; 4], 0.0);
    for (point, color) in points.iter().zip(colors) {
        total += point.weight;
        sum = std::array::from_fn(|part| sum[part] + color[part] * point.weight);
    }
    sum.map(|sum| sum / total.max(f32::MIN_POSITIVE))
}
