use super::{
    chance::Chance as _,
    sheet::{Case, Layer, Sheet, material, noise, passing},
};
use crate::kit::Noise;
use bonebox::scene::gx::{Combiner, Register, TevMaterial, TevStage, Texture};
use std::sync::Arc;

const OPS: [u8; 10] = [0, 1, 8, 9, 10, 11, 12, 13, 14, 15];

fn combiner<I: From<u8>>(random: &mut Noise, inputs: usize, last: bool) -> Combiner<I> {
    let inputs = std::array::from_fn(|_| random.byte(inputs));
    // Half of them add or subtract.
    let op = if random.coin() { random.byte(2) } else { random.pick(&OPS) };
    let codes = [op, random.byte(3), random.byte(4)];
    let clamp = random.coin();
    // What the last stage writes is what is seen.
    Combiner::of_codes(inputs, codes, clamp, if last { random.pick(&[0, 0, 1, 2, 3]) } else { random.byte(4) })
}

/// A side of a stage in codes: inputs; operation, bias and scale; clamp; destination.
type Codes = ([u8; 4], [u8; 3], bool, u8);

fn codes<I: Copy + Into<u8>>(side: &Combiner<I>) -> Codes {
    (
        side.inputs.map(Into::into),
        [side.op.into(), side.bias.into(), side.scale.into()],
        side.clamp,
        side.destination.into(),
    )
}

fn stage(random: &mut Noise, last: bool) -> TevStage {
    let konst_color: Vec<u8> = (0..8).chain(12..32).collect();
    let konst_alpha: Vec<u8> = (0..8).chain(16..32).collect();
    TevStage {
        color: combiner(random, 16, last),
        alpha: combiner(random, 8, last),
        tex_coord: Some(0),
        texture: [None, Some(0), Some(3), Some(5), Some(7)][random.below(5)],
        channel: random.pick(&[0, 1, 2, 3, 4, 5, 6, 0xFF]),
        raster_swap: random.byte(4),
        texture_swap: random.byte(4),
        konst_color: random.pick(&konst_color),
        konst_alpha: random.pick(&konst_alpha),
        ..TevStage::default()
    }
}

/// Constants, swap tables and textures by chance around some stages; the channels are the material's colours.
fn around(random: &mut Noise, stages: Vec<TevStage>, textures: &[Arc<Texture>]) -> Layer {
    let konst = std::array::from_fn(|_| random.color());
    let material_colors = std::array::from_fn(|_| random.color());
    let registers = std::array::from_fn(|_| std::array::from_fn(|_| random.below(2048) as i16 - 1024));
    let mut swap_tables = [[0, 1, 2, 3]; 4];
    for table in &mut swap_tables[1..] {
        *table = std::array::from_fn(|_| random.byte(4));
    }
    let material = TevMaterial { channel_count: 2, konst, registers, material_colors, swap_tables, ..material(stages) };
    let mut layer = Layer::new(material);
    for (slot, texture) in [0, 3, 5, 7].into_iter().zip(textures) {
        layer = layer.texture(slot, texture);
    }
    layer
}

fn textures(random: &mut Noise) -> Vec<Arc<Texture>> {
    (0..4).map(|_| noise(random)).collect()
}

#[test]
fn generated_combiners() {
    let mut random = Noise::new(1);
    let textures = textures(&mut random);
    let cases: Vec<Case> = (0..240)
        .map(|index| {
            let count = index % 16 + 1;
            let stages: Vec<TevStage> =
                (1..=count).map(|stage_number| stage(&mut random, stage_number == count)).collect();
            around(&mut random, stages, &textures).case(format!("combiner {index}"))
        })
        .collect();
    assert_everything_is_used(&cases);
    if let Some(outcome) = Sheet::new(cases).compare(0) {
        assert_eq!(outcome.cases, 240);
    }
}

/// Every operation with every bias, scale and clamp, every input in every place, every constant, swap table and channel.
fn assert_everything_is_used(cases: &[Case]) {
    let stages: Vec<&TevStage> = cases.iter().flat_map(|case| &case.layers[0].material.stages).collect();
    let sides: [(usize, Vec<Codes>); 2] = [
        (16, stages.iter().map(|stage| codes(&stage.color)).collect()),
        (8, stages.iter().map(|stage| codes(&stage.alpha)).collect()),
    ];
    for (inputs, side) in sides {
        let any = |of: &dyn Fn(&Codes) -> bool| side.iter().any(of);
        for op in OPS {
            for bias in 0..3 {
                assert!(any(&|c| c.1[..2] == [op, bias]), "{op} {bias}");
            }
            for scale in 0..4 {
                assert!(any(&|c| (c.1[0], c.1[2]) == (op, scale)), "{op} {scale}");
            }
            for clamp in [false, true] {
                assert!(any(&|c| (c.1[0], c.2) == (op, clamp)), "{op} {clamp}");
            }
        }
        for input in 0..inputs as u8 {
            for place in 0..4 {
                assert!(any(&|c| c.0[place] == input), "{input} {place}");
            }
        }
        assert!((0..4).all(|register| any(&|c| c.3 == register)));
    }
    for code in (0..8).chain(12..32) {
        assert!(stages.iter().any(|stage| stage.konst_color == code), "{code}");
        assert!(!(16..32).contains(&code) || stages.iter().any(|stage| stage.konst_alpha == code), "{code}");
    }
    for code in 0..4 {
        assert!(stages.iter().any(|stage| stage.raster_swap == code), "{code}");
        assert!(stages.iter().any(|stage| stage.texture_swap == code), "{code}");
    }
}

/// One operation at a time, so that nothing hides what it does: inputs of the full range over a square.
#[test]
fn each_operation_alone() {
    let mut random = Noise::new(2);
    let textures = textures(&mut random);
    let mut cases = Vec::new();
    // Also codes that the chip does not have.
    for op in OPS.into_iter().chain([5, 16]) {
        for scale in 0..5 {
            for bias in 0..4 {
                let clamp = (op + scale + bias) % 2 == 0;
                // Texture, C1, another texture in C0, C2.
                let codes = [op, bias, scale];
                let first = TevStage {
                    texture: Some(3),
                    color: Combiner { destination: Register::C0, ..passing(8, 4).color },
                    alpha: Combiner { destination: Register::C0, ..passing(8, 4).alpha },
                    ..passing(8, 4)
                };
                let tested = TevStage {
                    color: Combiner::of_codes([8, 4, 2, 6], codes, clamp, 0),
                    alpha: Combiner::of_codes([4, 2, 1, 3], codes, clamp, 0),
                    ..passing(8, 4)
                };
                // Whole numbers beyond 0..255 are seen as half of them with 128 added.
                let shown = TevStage {
                    color: Combiner::of_codes([15, 15, 15, 0], [0, 1, 3], true, 0),
                    alpha: Combiner::of_codes([7, 7, 7, 0], [0, 1, 3], true, 0),
                    ..passing(0, 0)
                };
                let stages = if clamp { vec![first, tested] } else { vec![first, tested, shown] };
                cases.push(around(&mut random, stages, &textures).case(format!("op {op} scale {scale} bias {bias}")));
            }
        }
    }
    if let Some(outcome) = Sheet::new(cases).compare(0) {
        assert_eq!(outcome.cases, 240);
    }
}

#[test]
fn no_stage_at_all() {
    let mut random = Noise::new(3);
    let layer = around(&mut random, Vec::new(), &[]);
    Sheet::new(vec![layer.case("no stage")]).compare(0);
}
