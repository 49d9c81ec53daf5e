//! One combiner (TEV) stage in the chip's integers (formats/j3d.md §8.4).

use super::{AlphaInput, ColorInput, CombineBias, CombineOp, CombineScale, Combiner, Constants, TevStage};
use std::num::Wrapping;

/// What a stage reads besides registers, 0..255 and already swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageInputs {
    /// Texel: red, green, blue, alpha.
    pub texture: [i32; 4],
    /// Raster colour: red, green, blue, alpha.
    pub raster: [i32; 4],
    /// The colour selector's red, green, blue and the alpha selector's alpha.
    pub konst: [i32; 4],
}

/// PREV, C0, C1, C2 before the first stage.
pub fn initial_registers(constants: &Constants) -> [[i32; 4]; 4] {
    let [c0, c1, c2] = constants.registers;
    [[0; 4], c0, c1, c2]
}

/// Runs a stage: all inputs are read before anything is written.
pub fn combine(stage: &TevStage, inputs: &StageInputs, registers: &mut [[i32; 4]; 4]) {
    let [ca, cb, cc, cd] = stage.color.inputs.map(|code| color_input(code, inputs, registers));
    let [aa, ab, ac, ad] = stage.alpha.inputs.map(|code| alpha_input(code, inputs, registers));
    let [ca, cb, cc] = [ca, cb, cc].map(|input| input.map(|v| v & 255));
    let [aa, ab, ac] = [aa, ab, ac].map(|v| v & 255);
    // Both sides compare the colour's inputs where whole pixels are compared.
    let whole = compares_whole(stage.color.op, ca, cb);
    let mut color = [0; 3];
    for ((((out, a), b), c), d) in color.iter_mut().zip(ca).zip(cb).zip(cc).zip(cd) {
        *out = result(&stage.color, whole, [a, b, c, d]);
    }
    let alpha = result(&stage.alpha, compares_whole(stage.alpha.op, ca, cb), [aa, ab, ac, ad]);
    let [r, g, b] = color;
    if let Some([red, green, blue, _]) = registers.get_mut(stage.color.destination.index()) {
        (*red, *green, *blue) = (r, g, b);
    }
    if let Some([_, _, _, a]) = registers.get_mut(stage.alpha.destination.index()) {
        *a = alpha;
    }
}

/// Red, green, blue of a constant for a selector; 0 for codes that do not exist.
pub fn konst_color(selector: u8, constants: &Constants) -> [i32; 3] {
    let whole = |index: u8| constants.konst.get(usize::from(index)).copied().unwrap_or_default();
    match selector {
        12..=15 => {
            let [r, g, b, _] = whole(selector & 3);
            [r, g, b]
        }
        _ => [konst_scalar(selector, constants); 3],
    }
}

/// Alpha of a constant for a selector; 0 for codes that do not exist.
pub fn konst_alpha(selector: u8, constants: &Constants) -> i32 {
    konst_scalar(selector, constants)
}

fn konst_scalar(selector: u8, constants: &Constants) -> i32 {
    const EIGHTHS: [i32; 8] = [255, 223, 191, 159, 128, 96, 64, 32];
    match selector {
        0..=7 => EIGHTHS.get(usize::from(selector)).copied().unwrap_or_default(),
        16..=31 => {
            let color = constants.konst.get(usize::from(selector & 3));
            let component = usize::from(selector.saturating_sub(16) / 4);
            color.and_then(|color| color.get(component)).copied().unwrap_or_default()
        }
        _ => 0,
    }
}

/// A colour through a swap table.
pub fn swapped(color: [i32; 4], table: &[u8; 4]) -> [i32; 4] {
    table.map(|channel| color.get(usize::from(channel & 3)).copied().unwrap_or_default())
}

fn color_input(input: ColorInput, inputs: &StageInputs, registers: &[[i32; 4]; 4]) -> [i32; 3] {
    let rgb = |[r, g, b, _]: [i32; 4]| [r, g, b];
    let alpha = |[_, _, _, a]: [i32; 4]| [a; 3];
    let [previous, c0, c1, c2] = *registers;
    match input {
        ColorInput::Previous => rgb(previous),
        ColorInput::PreviousAlpha => alpha(previous),
        ColorInput::C0 => rgb(c0),
        ColorInput::C0Alpha => alpha(c0),
        ColorInput::C1 => rgb(c1),
        ColorInput::C1Alpha => alpha(c1),
        ColorInput::C2 => rgb(c2),
        ColorInput::C2Alpha => alpha(c2),
        ColorInput::Texture => rgb(inputs.texture),
        ColorInput::TextureAlpha => alpha(inputs.texture),
        ColorInput::Raster => rgb(inputs.raster),
        ColorInput::RasterAlpha => alpha(inputs.raster),
        ColorInput::One => [255; 3],
        ColorInput::Half => [128; 3],
        ColorInput::Konst => rgb(inputs.konst),
        ColorInput::Zero | ColorInput::Unknown(_) => [0; 3],
    }
}

fn alpha_input(input: AlphaInput, inputs: &StageInputs, registers: &[[i32; 4]; 4]) -> i32 {
    let alpha = |[_, _, _, a]: [i32; 4]| a;
    let [previous, c0, c1, c2] = *registers;
    match input {
        AlphaInput::Previous => alpha(previous),
        AlphaInput::C0 => alpha(c0),
        AlphaInput::C1 => alpha(c1),
        AlphaInput::C2 => alpha(c2),
        AlphaInput::Texture => alpha(inputs.texture),
        AlphaInput::Raster => alpha(inputs.raster),
        AlphaInput::Konst => alpha(inputs.konst),
        AlphaInput::Zero | AlphaInput::Unknown(_) => 0,
    }
}

/// The outcome of an operation that compares several components as one number.
fn compares_whole(op: CombineOp, [ar, ag, ab]: [i32; 3], [br, bg, bb]: [i32; 3]) -> bool {
    let wide = |r: i32, g: i32, b: i32| (b << 16) | (g << 8) | r;
    let (a, b) = match op {
        CombineOp::RedGreater | CombineOp::RedEqual => (ar, br),
        CombineOp::GreenRedGreater | CombineOp::GreenRedEqual => (wide(ar, ag, 0), wide(br, bg, 0)),
        _ => (wide(ar, ag, ab), wide(br, bg, bb)),
    };
    if op.asks_for_equality() { a == b } else { a > b }
}

/// One component: A, B and C are 0..255, D is signed.
fn result<I>(combiner: &Combiner<I>, whole: bool, [a, b, c, d]: [i32; 4]) -> i32 {
    let value = if combiner.op.compares() {
        let holds = match combiner.op {
            CombineOp::EachGreater => a > b,
            CombineOp::EachEqual => a == b,
            _ => whole,
        };
        Wrapping(d) + Wrapping(if holds { c } else { 0 })
    } else {
        let [a, b, c, d] = [a, b, c, d].map(Wrapping);
        let shift = match combiner.scale {
            CombineScale::Two => 1,
            CombineScale::Four => 2,
            CombineScale::One | CombineScale::Half | CombineScale::Unknown(_) => 0,
        };
        let halves = combiner.scale == CombineScale::Half;
        let subtracts = combiner.op == CombineOp::Subtract;
        let bias = Wrapping(match combiner.bias {
            CombineBias::AddHalf => 128,
            CombineBias::SubtractHalf => -128,
            CombineBias::Zero | CombineBias::Unknown(_) => 0,
        });
        let rounding = Wrapping(match (halves, subtracts) {
            (true, _) => 0,
            (false, false) => 128,
            (false, true) => 127,
        });
        let mixed = (a << 8) + (b - a) * (c + (c >> 7));
        let mixed = ((mixed << shift) + rounding) >> 8;
        let start = (d + bias) << shift;
        let sum = if subtracts { start - mixed } else { start + mixed };
        if halves { sum >> 1 } else { sum }
    };
    if combiner.clamp { value.0.clamp(0, 255) } else { value.0.clamp(-1024, 1023) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::gx::ColorCombiner;

    const ZERO: u8 = 15;
    const NO_ALPHA: u8 = 7;

    fn of(op: u8, bias: u8, scale: u8, clamp: bool) -> ColorCombiner {
        Combiner::of_codes([2, 4, 6, 0], [op, bias, scale], clamp, 0)
    }

    /// A = C0, B = C1, C = C2, D = PREV, red alone; A, B, C, D are given.
    fn red(combiner: ColorCombiner, [a, b, c, d]: [i32; 4]) -> i32 {
        let mut registers = [[d, 0, 0, 0], [a, 0, 0, 0], [b, 0, 0, 0], [c, 0, 0, 0]];
        let stage = TevStage { color: combiner, ..TevStage::default() };
        combine(&stage, &StageInputs::default(), &mut registers);
        registers[0][0]
    }

    #[test]
    fn mixing() {
        // 100·256 + 100·(128 + 1) = 38500, + 128 = 38628: 150 (and 228 of 256 left).
        assert_eq!(red(of(0, 0, 0, true), [100, 200, 128, 0]), 150);
        // C = 255 counts as 256: B in full; C = 127 as 127.
        assert_eq!(red(of(0, 0, 0, true), [100, 200, 255, 0]), 200);
        assert_eq!(red(of(0, 0, 0, true), [0, 255, 127, 0]), 127);
        // 200·256 − 200·64 = 38400: 150.
        assert_eq!(red(of(0, 0, 0, true), [200, 0, 64, 0]), 150);
        // Subtracting: 300 − 150.
        assert_eq!(red(of(1, 0, 0, true), [200, 0, 64, 300]), 150);
        // A half goes up in a sum and down in what is subtracted: 1·128/256 = 0.5.
        assert_eq!(red(of(0, 0, 0, true), [1, 0, 127, 10]), 11);
        assert_eq!(red(of(1, 0, 0, true), [1, 0, 127, 10]), 9);
        assert_eq!(red(of(0, 0, 0, true), [1, 0, 128, 10]), 10);
        // Exactly half: 2·64 = 128 of 256.
        assert_eq!(red(of(0, 0, 0, true), [0, 2, 64, 10]), 11);
        assert_eq!(red(of(1, 0, 0, true), [0, 2, 64, 10]), 10);
    }

    #[test]
    fn bias_and_scale() {
        assert_eq!(red(of(0, 1, 0, false), [0, 0, 0, 10]), 138);
        assert_eq!(red(of(0, 2, 0, false), [0, 0, 0, 10]), -118);
        // (10 + 128)·2 + 2·150.
        assert_eq!(red(of(0, 1, 1, false), [200, 0, 64, 10]), 576);
        // (10 − 128)·4 + 4·150 = 128.
        assert_eq!(red(of(0, 2, 2, false), [200, 0, 64, 10]), 128);
        // ÷2 does not round: (10 + 128 + 150)/2, and (−5)>>1 = −3.
        assert_eq!(red(of(0, 1, 3, false), [200, 0, 64, 10]), 144);
        assert_eq!(red(of(0, 0, 3, false), [0, 0, 0, -5]), -3);
        // 0.5 stays out of a halved sum.
        assert_eq!(red(of(0, 0, 3, false), [0, 2, 64, 10]), 5);
        // The fraction counts after scaling: 1·64/256 = 0.25, times 4 = 1.
        assert_eq!(red(of(0, 0, 2, false), [0, 1, 64, 0]), 1);
    }

    #[test]
    fn ranges() {
        assert_eq!(red(of(0, 0, 0, true), [255, 0, 0, 255]), 255);
        assert_eq!(red(of(0, 0, 0, true), [0, 0, 0, -5]), 0);
        assert_eq!(red(of(0, 0, 2, false), [255, 0, 0, 255]), 1023);
        assert_eq!(red(of(0, 2, 2, false), [0, 0, 0, -1024]), -1024);
        // A, B and C lose what is beyond 8 bits: −1 is 255, 256 + 7 is 7.
        assert_eq!(red(of(0, 0, 0, true), [-1, 0, 0, 0]), 255);
        assert_eq!(red(of(0, 0, 0, true), [263, 0, 0, 0]), 7);
        // D keeps its sign and size.
        assert_eq!(red(of(0, 0, 0, false), [5, 0, 0, -700]), -695);
    }

    #[test]
    fn comparing() {
        let all = |op, a: [i32; 3], b: [i32; 3], alpha_a, alpha_b| {
            let with = |[r, g, b]: [i32; 3], a| [r, g, b, a];
            let mut registers = [[1, 2, 3, 4], with(a, alpha_a), with(b, alpha_b), [100, 110, 120, 130]];
            let color = of(op, 1, 2, true);
            let alpha = Combiner::of_codes([1, 2, 3, 0], [op, 1, 2], true, 0);
            combine(&TevStage { color, alpha, ..TevStage::default() }, &StageInputs::default(), &mut registers);
            registers[0]
        };
        let (yes, no) = ([101, 112, 123, 134], [1, 2, 3, 4]);
        // Red alone; bias and scale do not count.
        assert_eq!(all(8, [6, 0, 0], [5, 9, 9], 0, 0), yes);
        assert_eq!(all(8, [5, 9, 9], [5, 0, 0], 9, 0), no);
        assert_eq!(all(9, [5, 1, 1], [5, 2, 2], 1, 2), yes);
        // Green above red.
        assert_eq!(all(10, [0, 2, 0], [255, 1, 9], 0, 0), yes);
        assert_eq!(all(10, [1, 1, 9], [2, 1, 0], 0, 0), no);
        assert_eq!(all(11, [1, 1, 9], [1, 1, 0], 0, 0), yes);
        // Blue above green above red.
        assert_eq!(all(12, [0, 0, 2], [255, 255, 1], 0, 0), yes);
        assert_eq!(all(12, [255, 255, 1], [0, 0, 2], 9, 0), no);
        assert_eq!(all(13, [1, 2, 3], [1, 2, 3], 1, 2), yes);
        assert_eq!(all(13, [1, 2, 3], [1, 2, 4], 1, 1), no);
        // Each by itself.
        assert_eq!(all(14, [2, 1, 2], [1, 2, 1], 1, 2), [101, 2, 123, 4]);
        assert_eq!(all(15, [2, 1, 2], [1, 1, 1], 2, 2), [1, 112, 3, 134]);
    }

    #[test]
    fn codes_that_the_chip_does_not_have_do_nothing() {
        for code in [2, 5, 7, 16, 200] {
            assert_eq!(red(of(code, 0, 0, true), [100, 200, 128, 0]), red(of(0, 0, 0, true), [100, 200, 128, 0]));
            assert_eq!(red(of(0, code.max(3), 0, false), [0, 0, 0, 10]), 10);
            assert_eq!(red(of(0, 0, code.max(4), false), [0, 0, 0, 10]), 10);
        }
        let stage = TevStage {
            color: Combiner::of_codes([16, 17, 99, 255], [0; 3], true, 0),
            alpha: Combiner::of_codes([8, 9, 77, 255], [0; 3], true, 4),
            ..TevStage::default()
        };
        let mut registers = [[9; 4]; 4];
        combine(&stage, &StageInputs { texture: [5; 4], raster: [6; 4], konst: [7; 4] }, &mut registers);
        // Of the destination two bits count.
        assert_eq!(registers, [[0; 4], [9; 4], [9; 4], [9; 4]]);
    }

    #[test]
    fn inputs() {
        let registers = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]];
        let inputs = StageInputs { texture: [21, 22, 23, 24], raster: [25, 26, 27, 28], konst: [29, 30, 31, 32] };
        let expected = [
            [1, 2, 3],
            [4; 3],
            [5, 6, 7],
            [8; 3],
            [9, 10, 11],
            [12; 3],
            [13, 14, 15],
            [16; 3],
            [21, 22, 23],
            [24; 3],
            [25, 26, 27],
            [28; 3],
            [255; 3],
            [128; 3],
            [29, 30, 31],
            [0; 3],
        ];
        for (code, rgb) in (0u8..).zip(expected) {
            let mut out = registers;
            let color = Combiner::of_codes([ZERO, ZERO, ZERO, code], [0; 3], true, 1);
            let alpha = Combiner::of_codes([NO_ALPHA; 4], [0; 3], true, 2);
            combine(&TevStage { color, alpha, ..TevStage::default() }, &inputs, &mut out);
            let [r, g, b] = rgb;
            assert_eq!(out, [registers[0], [r, g, b, 8], [9, 10, 11, 0], registers[3]], "{code}");
        }
        for (code, a) in (0u8..).zip([4, 8, 12, 16, 24, 28, 32, 0]) {
            let mut out = registers;
            let color = Combiner::of_codes([ZERO; 4], [0; 3], true, 3);
            let alpha = Combiner::of_codes([NO_ALPHA, NO_ALPHA, NO_ALPHA, code], [0; 3], true, 3);
            combine(&TevStage { color, alpha, ..TevStage::default() }, &inputs, &mut out);
            assert_eq!(out, [registers[0], registers[1], registers[2], [0, 0, 0, a]], "{code}");
        }
    }

    #[test]
    fn constants() {
        let konst = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16]];
        let constants = Constants { registers: [[1; 4], [2; 4], [3; 4]], konst, material_colors: [[0; 4]; 2] };
        assert_eq!(konst_color(0, &constants), [255; 3]);
        assert_eq!(konst_color(4, &constants), [128; 3]);
        assert_eq!(konst_color(7, &constants), [32; 3]);
        assert_eq!(konst_color(13, &constants), [5, 6, 7]);
        assert_eq!(konst_color(22, &constants), [10; 3]);
        assert_eq!(konst_color(9, &constants), [0; 3]);
        assert_eq!([16, 19, 20, 27, 28, 31].map(|code| konst_alpha(code, &constants)), [1, 13, 2, 15, 4, 16]);
        assert_eq!([1, 2, 3, 5, 6].map(|code| konst_alpha(code, &constants)), [223, 191, 159, 96, 64]);
        assert_eq!(initial_registers(&constants), [[0; 4], [1; 4], [2; 4], [3; 4]]);
        assert_eq!(swapped([1, 2, 3, 4], &[3, 3, 0, 1]), [4, 4, 1, 2]);
    }
}
