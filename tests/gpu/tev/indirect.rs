use super::{
    chance::Chance as _,
    sheet::{Case, Layer, Sheet, material, noise, passing, texture},
};
use crate::kit::Noise;
use bonebox::scene::gx::{
    Combiner, Filter, IndirectMatrix, IndirectOrder, IndirectStage, TevMaterial, TevStage, TexGen, Texture, Wrap,
};
use glam::Vec2;
use std::sync::Arc;

/// Texels along the map that is moved; a pixel of a square is a texel.
const SIDE: u32 = 64;

struct Maps {
    random: Noise,
    base: Arc<Texture>,
    moves: [Arc<Texture>; 2],
}

impl Maps {
    fn new(seed: u64) -> Self {
        let mut random = Noise::new(seed);
        let texel = |_, _| random.color();
        let base = texture(SIDE, SIDE, Filter::Near, Wrap::Repeat, texel);
        let moves = [noise(&mut random), noise(&mut random)];
        Self { random, base, moves }
    }

    /// Stages that read map 0 at coordinate 0; indirect lookups in maps 1 and 2 at coordinate 1; matrices by chance.
    fn layer(&mut self, stages: Vec<TevStage>, exponents: [i8; 3]) -> Layer {
        let random = &mut self.random;
        let orders = [1, 2].map(|texture| IndirectOrder { tex_coord: 1, texture, scale_s: 0, scale_t: 0 });
        let matrices = exponents.map(|exponent| {
            let rows = std::array::from_fn(|_| std::array::from_fn(|_| random.between(-0.999, 0.999)));
            IndirectMatrix { rows, exponent }
        });
        let material = TevMaterial {
            texgens: [4, 5].map(|source| TexGen { kind: 1, source, matrix: 60 }).to_vec(),
            indirect_orders: orders.to_vec(),
            indirect_matrices: matrices,
            ..material(stages)
        };
        let mut layer = Layer::new(material).texture(0, &self.base);
        layer = layer.texture(1, &self.moves[0]).texture(2, &self.moves[1]);
        // Somewhere in the map, and past its ends; the indirect maps from edge to edge.
        let first = Vec2::new(random.below(4 * SIDE as usize) as f32, random.below(4 * SIDE as usize) as f32)
            - 2.0 * SIDE as f32;
        for corner in &mut layer.corners {
            let over = corner.uvs[0].unwrap();
            corner.uvs[0] = Some((first + over * 8.0) / SIDE as f32);
            corner.uvs[1] = Some(over);
        }
        layer
    }
}

fn moved(indirect: IndirectStage) -> TevStage {
    TevStage { indirect, ..passing(8, 4) }
}

fn check(cases: Vec<Case>, count: usize) {
    assert_eq!(cases.len(), count);
    Sheet::new(cases).compare(0);
}

#[test]
fn every_format_and_bias() {
    let mut maps = Maps::new(8);
    let mut cases = Vec::new();
    for format in 0..4 {
        for bias in 0..8 {
            for matrix in [1, 6, 11] {
                let stage = maps.random.byte(2);
                let indirect = IndirectStage { stage, format, bias, matrix, ..IndirectStage::default() };
                let layer = maps.layer(vec![moved(indirect)], [0; 3]);
                cases.push(layer.case(format!("format {format} bias {bias} matrix {matrix}")));
            }
        }
    }
    check(cases, 96);
}

#[test]
fn every_wrap() {
    let mut maps = Maps::new(9);
    let mut cases = Vec::new();
    for wrap_s in 0..7 {
        for wrap_t in 0..7 {
            let indirect = IndirectStage { wrap_s, wrap_t, matrix: wrap_t % 2, ..IndirectStage::default() };
            let mut layer = maps.layer(vec![moved(indirect)], [-2; 3]);
            // Far enough out for the largest of them.
            for corner in &mut layer.corners {
                corner.uvs[0] = corner.uvs[0].map(|uv| uv * 4.0 - 3.0 / 128.0);
            }
            cases.push(layer.case(format!("wraps {wrap_s} {wrap_t}")));
        }
    }
    check(cases, 49);
}

#[test]
fn every_matrix() {
    let mut maps = Maps::new(10);
    let mut cases = Vec::new();
    for matrix in [0, 1, 2, 3, 5, 6, 7, 9, 10, 11] {
        for exponent in [-4, -1, 0, 3] {
            let bias = maps.random.byte(8);
            let indirect = IndirectStage { matrix, bias, ..IndirectStage::default() };
            let layer = maps.layer(vec![moved(indirect)], [exponent; 3].map(|e: i8| e));
            cases.push(layer.case(format!("matrix {matrix} exponent {exponent}")));
        }
    }
    check(cases, 40);
}

#[test]
fn every_scale() {
    let mut maps = Maps::new(11);
    let mut cases = Vec::new();
    for scale_s in 0..9 {
        for scale_t in [0, 8 - scale_s] {
            let indirect = IndirectStage { matrix: 1, ..IndirectStage::default() };
            let mut layer = maps.layer(vec![moved(indirect)], [0; 3]);
            (layer.material.indirect_orders[0].scale_s, layer.material.indirect_orders[0].scale_t) = (scale_s, scale_t);
            cases.push(layer.case(format!("scales {scale_s} {scale_t}")));
        }
    }
    check(cases, 18);
}

/// Alpha that an indirect lookup leaves over, straight and stretched, and kept by a stage without any.
#[test]
fn bump_alpha() {
    let mut maps = Maps::new(12);
    let mut cases = Vec::new();
    for alpha in 0..4 {
        for format in 0..4 {
            for channel in [7, 8] {
                let first = TevStage {
                    indirect: IndirectStage { stage: 1, alpha: 1 + format % 3, format, ..IndirectStage::default() },
                    ..moved(IndirectStage::default())
                };
                let shown = TevStage {
                    channel,
                    indirect: IndirectStage { alpha, format, matrix: 2, ..IndirectStage::default() },
                    ..passing(10, 5)
                };
                let layer = maps.layer(vec![first, shown], [1; 3]);
                cases.push(layer.case(format!("alpha {alpha} format {format} channel {channel}")));
            }
        }
    }
    check(cases, 32);
}

/// A stage's coordinate goes on to the next, through one that reads no texture too.
#[test]
fn coordinates_add_up() {
    let mut maps = Maps::new(13);
    let mut cases = Vec::new();
    for (index, wrap) in [(0, 0), (1, 0), (2, 6), (3, 6), (4, 3), (5, 3)] {
        let adding = |matrix| IndirectStage {
            matrix,
            add_previous: true,
            wrap_s: wrap,
            wrap_t: wrap,
            stage: 1,
            ..IndirectStage::default()
        };
        // Half of what was before and half of the texture.
        let halves = |inputs| Combiner::of_codes(inputs, [0, 0, 3], true, 0);
        let mixed = |indirect| TevStage { color: halves([8, 15, 15, 0]), ..moved(indirect) };
        let mut second = mixed(adding(2));
        if index % 2 == 1 {
            second = TevStage { texture: None, ..second };
        }
        let first = moved(IndirectStage { matrix: 1, ..IndirectStage::default() });
        let layer = maps.layer(vec![first, second, mixed(adding(10))], [0, 1, -1]);
        cases.push(layer.case(format!("adding {index}")));
    }
    check(cases, 6);
}

/// A coordinate has the size of the last map that is read with it, an indirect one before all.
#[test]
fn one_size_a_coordinate() {
    let mut maps = Maps::new(14);
    let indirect = IndirectStage { matrix: 1, ..IndirectStage::default() };
    let mut shared = maps.layer(vec![moved(indirect)], [0; 3]);
    shared.material.indirect_orders.iter_mut().for_each(|order| order.tex_coord = 0);
    let mut direct = maps.layer(vec![passing(8, 4), TevStage { texture: Some(1), ..passing(0, 0) }], [0; 3]);
    direct.material.indirect_orders.clear();
    for layer in [&mut shared, &mut direct] {
        for corner in &mut layer.corners {
            corner.uvs[0] = corner.uvs[1];
        }
    }
    check(vec![shared.case("shared with an indirect lookup"), direct.case("shared by two stages")], 2);
}
