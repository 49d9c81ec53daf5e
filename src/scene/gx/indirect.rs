//! Texture coordinates moved by what an indirect texture holds, in the chip's fixed point (formats/j3d-materials.md §8.5a).

use super::{IndirectMatrix, IndirectStage};
use std::num::Wrapping;

/// Parts of a texel in a coordinate.
pub const TEXEL: f32 = 128.0;

/// What the indirect state of the stages before left behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// The coordinate of the stage before, in 1/128 texels.
    pub coord: [i32; 2],
    /// 0..255; ALPHA_BUMP of the rasteriser.
    pub bump: u8,
}

impl IndirectMatrix {
    /// The elements as the chip holds them: in 1/1024, cut off, 11 bits with their sign.
    pub fn fixed(&self) -> [[i32; 3]; 2] {
        self.rows.map(|row| row.map(|m| ((m * 1024.0) as i32).wrapping_shl(21) >> 21))
    }
}

/// A stage's coordinate and bump alpha. `coord` is its own in 1/128 texels, `sample` what its indirect texture holds there: alpha,
/// blue, green as s, t, u; `None` for a stage without one, whose coordinate stays.
pub fn step(
    stage: &IndirectStage,
    matrices: &[IndirectMatrix; 3],
    coord: [i32; 2],
    sample: Option<[u8; 3]>,
    before: Carried,
) -> Carried {
    let Some(sample) = sample else { return Carried { coord: coord.map(within_24_bits), ..before } };
    let offset = offset(stage, matrices, coord, biased(stage, sample));
    let mut out = [0; 2];
    let axes = coord.into_iter().zip([stage.wrap_s, stage.wrap_t]).zip(offset).zip(before.coord);
    for (out, (((coord, wrap), offset), previous)) in out.iter_mut().zip(axes) {
        let previous = if stage.add_previous { previous } else { 0 };
        *out = within_24_bits((Wrapping(wrapped(coord, wrap)) + Wrapping(offset) + Wrapping(previous)).0);
    }
    Carried { coord: out, bump: bump(stage, sample).unwrap_or(before.bump) }
}

/// The bits that an offset uses, with the bias of the components that have one.
fn biased(stage: &IndirectStage, sample: [u8; 3]) -> [i32; 3] {
    let (mask, bias) = match stage.format {
        0 => (255, -128),
        1 => (31, 1),
        2 => (15, 1),
        _ => (7, 1),
    };
    let mut out = sample.map(|value| i32::from(value & mask));
    for (value, bit) in out.iter_mut().zip([1, 2, 4]) {
        if stage.bias & bit != 0 {
            *value = value.wrapping_add(bias);
        }
    }
    out
}

/// In 1/128 texels.
fn offset(stage: &IndirectStage, matrices: &[IndirectMatrix; 3], coord: [i32; 2], sample: [i32; 3]) -> [i32; 2] {
    let [s, t, _] = sample;
    let Some(matrix) = matrices.get(usize::from((stage.matrix & 3).wrapping_sub(1))) else { return [0; 2] };
    let scaled = |value: i32| coord.map(|c| (i64::from(c).wrapping_mul(i64::from(value)) >> 8) as i32);
    let exact = match stage.matrix {
        1..=3 => matrix.fixed().map(|row| {
            let products = row.into_iter().zip(sample).map(|(m, x)| Wrapping(m) * Wrapping(x));
            products.sum::<Wrapping<i32>>().0 >> 3
        }),
        5..=7 => scaled(s),
        9..=11 => scaled(t),
        _ => [0; 2],
    };
    let shift = u32::from(matrix.exponent.unsigned_abs()).min(31);
    exact.map(|value| if matrix.exponent < 0 { value >> shift } else { value.wrapping_shl(shift) })
}

/// A coordinate within the size that a wrap code names.
fn wrapped(coord: i32, wrap: u8) -> i32 {
    match wrap {
        0 => coord,
        1..=5 => coord & (0xFFFF >> wrap),
        _ => 0,
    }
}

/// The bits of the bump component that the offset leaves.
fn bump(stage: &IndirectStage, [s, t, u]: [u8; 3]) -> Option<u8> {
    let value = match stage.alpha {
        1 => s,
        2 => t,
        3 => u,
        _ => return None,
    };
    Some(match stage.format {
        1 => value & 0xE0,
        2 => value & 0xF0,
        _ => value & 0xF8,
    })
}

fn within_24_bits(value: i32) -> i32 {
    value.wrapping_shl(8) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrices() -> [IndirectMatrix; 3] {
        [
            IndirectMatrix { rows: [[0.5, 0.0, 0.0], [0.0, 0.25, -0.5]], exponent: 0 },
            IndirectMatrix { rows: [[0.5, 0.0, 0.0], [0.0, 0.25, -0.5]], exponent: 2 },
            IndirectMatrix { rows: [[0.9999, -1.0, 0.3], [2.0, 0.001, 0.0]], exponent: -3 },
        ]
    }

    fn at(stage: IndirectStage, coord: [i32; 2], sample: [u8; 3]) -> [i32; 2] {
        step(&stage, &matrices(), coord, Some(sample), Carried::default()).coord
    }

    fn by(matrix: u8) -> IndirectStage {
        IndirectStage { matrix, ..IndirectStage::default() }
    }

    #[test]
    fn elements_are_cut_to_eleven_bits() {
        assert_eq!(matrices()[2].fixed(), [[1023, -1024, 307], [0, 1, 0]]);
    }

    #[test]
    fn static_matrices() {
        // 0.5·10 = 5 texels; 0.25·20 − 0.5·4 = 3 texels.
        assert_eq!(at(by(1), [128, 256], [10, 20, 4]), [128 + 640, 256 + 384]);
        assert_eq!(at(by(2), [0, 0], [10, 20, 4]), [2560, 1536]);
        // (1023·8 − 1024·1 + 307·2) >> 3 = 971 (7774 / 8 = 971.75), >> 3 = 121; 1·1 >> 3 = 0.
        assert_eq!(at(by(3), [0, 0], [8, 1, 2]), [121, 0]);
        // Downwards: (−1024) >> 3 = −128, >> 3 = −16; −1025 at 1: 1023 − 2048 = −1025 >> 3 = −129, >> 3 = −17.
        assert_eq!(at(by(3), [0, 0], [0, 1, 0]), [-16, 0]);
        assert_eq!(at(by(3), [0, 0], [1, 2, 0]), [-17, 0]);
        for none in [0, 4, 8, 12] {
            assert_eq!(at(by(none), [77, -5], [8, 1, 2]), [77, -5]);
        }
    }

    #[test]
    fn formats_and_bias() {
        let of = |format, bias| biased(&IndirectStage { format, bias, ..by(1) }, [0xFF, 0x80, 0x25]);
        assert_eq!([of(0, 0), of(1, 0), of(2, 0), of(3, 0)], [[255, 128, 37], [31, 0, 5], [15, 0, 5], [7, 0, 5]]);
        assert_eq!(
            [of(0, 7), of(0, 1), of(0, 2), of(0, 4)],
            [[127, 0, -91], [127, 128, 37], [255, 0, 37], [255, 128, -91]]
        );
        assert_eq!([of(1, 7), of(2, 5), of(3, 6)], [[32, 1, 6], [16, 0, 6], [7, 1, 6]]);
        // 0.5·(0 − 128) = −64 texels.
        assert_eq!(at(IndirectStage { bias: 1, ..by(1) }, [0, 0], [0, 0, 0]), [-64 * 128, 0]);
    }

    #[test]
    fn dynamic_matrices() {
        // Half of the coordinate by s = 128, a quarter by t = 64; exponents 0, 2 and −3.
        let coord = [1000, -1000];
        assert_eq!(at(by(5), coord, [128, 64, 0]), [1500, -1500]);
        assert_eq!(at(by(6), coord, [128, 64, 0]), [3000, -3000]);
        assert_eq!(at(by(7), coord, [128, 64, 0]), [1000 + 62, -1000 - 63]);
        assert_eq!(at(by(9), coord, [128, 64, 0]), [1250, -1250]);
        assert_eq!(at(by(10), coord, [128, 64, 0]), [2000, -2000]);
        assert_eq!(at(by(11), coord, [128, 64, 0]), [1000 + 31, -1000 - 32]);
    }

    #[test]
    fn wraps() {
        let of = |wrap_s, coord| at(IndirectStage { wrap_s, wrap_t: 6, ..by(0) }, [coord, 9999], [0; 3]);
        for (wrap, texels) in [(1, 256), (2, 128), (3, 64), (4, 32), (5, 16)] {
            assert_eq!(of(wrap, texels * 128 + 5), [5, 0]);
            assert_eq!(of(wrap, -1), [texels * 128 - 1, 0]);
        }
        assert_eq!(of(0, -1), [-1, 0]);
    }

    #[test]
    fn what_carries_over() {
        let before = Carried { coord: [100, 200], bump: 9 };
        let go = |stage, sample| step(&stage, &matrices(), [10, 20], sample, before);
        let adding = IndirectStage { add_previous: true, ..by(0) };
        assert_eq!(go(adding, Some([0xFF; 3])), Carried { coord: [110, 220], bump: 9 });
        assert_eq!(go(adding, None), Carried { coord: [10, 20], bump: 9 });
        let bump = |alpha, format| go(IndirectStage { alpha, format, ..by(0) }, Some([0xFF, 0x7F, 0x3F])).bump;
        assert_eq!([bump(1, 0), bump(1, 1), bump(1, 2), bump(1, 3)], [0xF8, 0xE0, 0xF0, 0xF8]);
        assert_eq!([bump(0, 0), bump(2, 0), bump(3, 0)], [9, 0x78, 0x38]);
        // 24 bits with a sign.
        assert_eq!(at(by(0), [0x80_0000, -0x80_0001], [0; 3]), [-0x80_0000, 0x7F_FFFF]);
    }
}
