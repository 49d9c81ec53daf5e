//! Sines as the GameCube's and Wii's games took them: from a table, by the upper bits of an angle (formats/j3d.md §3.5.1).

use glam::{Mat3, Quat, Vec3};
use std::sync::OnceLock;

/// Entries of the largest table; the smaller ones are every second, fourth or eighth of them.
const MOST: usize = 16_384;

/// A game's table of sines. A joint's rotation moves in steps of one of its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum SineTable {
    /// A table of 2,048 entries.
    Of2048,
    /// A table of 4,096 entries.
    Of4096,
    /// A table of 8,192 entries.
    Of8192,
    /// A table of 16,384 entries.
    Of16384,
}

impl SineTable {
    /// All tables, from the smallest to the largest.
    pub const ALL: [Self; 4] = [Self::Of2048, Self::Of4096, Self::Of8192, Self::Of16384];

    /// How many entries a whole turn has.
    pub fn entries(self) -> u16 {
        match self {
            Self::Of2048 => 2_048,
            Self::Of4096 => 4_096,
            Self::Of8192 => 8_192,
            Self::Of16384 => 16_384,
        }
    }

    /// The table with so many entries.
    pub fn of_entries(entries: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.entries() == entries)
    }

    /// Games that have it.
    pub fn games(self) -> &'static str {
        match self {
            Self::Of2048 => "Pikmin 2",
            Self::Of4096 => "Wind Waker, Sunshine",
            Self::Of8192 => "Twilight Princess",
            Self::Of16384 => "Galaxy",
        }
    }

    /// Of an angle of 65536 a turn, whose lower bits do not count.
    pub fn sine(self, angle: u16) -> f32 {
        let counted = match self {
            Self::Of2048 => 0xFFE0,
            Self::Of4096 => 0xFFF0,
            Self::Of8192 => 0xFFF8,
            Self::Of16384 => 0xFFFC,
        };
        entries().get(usize::from((angle & counted) >> 2)).copied().unwrap_or_default()
    }

    /// The cosine of such an angle.
    pub fn cosine(self, angle: u16) -> f32 {
        self.sine(angle.wrapping_add(1 << 14))
    }

    /// The rotation `Rz · Ry · Rx` of angles about X, Y and Z, 65536 a turn.
    pub fn rotation(self, angles: [i16; 3]) -> Quat {
        let [(sx, cx), (sy, cy), (sz, cz)] = angles.map(|angle| {
            let angle = angle.cast_unsigned();
            (self.sine(angle), self.cosine(angle))
        });
        let x = Vec3::new(cz * cy, sz * cy, -sy);
        let y = Vec3::new(sx * cz * sy - cx * sz, cx * cz + sx * sz * sy, cy * sx);
        let z = Vec3::new(sx * sz + cx * cz * sy, cx * sz * sy - sx * cz, cy * cx);
        Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize()
    }
}

fn entries() -> &'static [f32] {
    static ENTRIES: OnceLock<Vec<f32>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let entry = |entry: usize| libm::sin(std::f64::consts::TAU * entry as f64 / MOST as f64) as f32;
        // Whole quarters are exact.
        (0..MOST).map(|at| if at % (MOST / 2) == 0 { 0.0 } else { entry(at) }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    /// Binary digits behind the point of the exact numbers below.
    const DIGITS: u64 = 160;

    fn one() -> BigInt {
        BigInt::from(1) << DIGITS
    }

    fn times(a: &BigInt, b: &BigInt) -> BigInt {
        (a * b) >> DIGITS
    }

    /// arctan(1/n) by its series.
    fn arc_tangent(n: u32) -> BigInt {
        let (mut power, mut sum, mut k) = (one() / n, BigInt::from(0), 0_u32);
        while power != BigInt::from(0) {
            let term = &power / (2 * k + 1);
            sum += if k % 2 == 0 { term } else { -term };
            power /= n * n;
            k += 1;
        }
        sum
    }

    /// sin(x) by its series, for x up to a quarter turn.
    fn sine_of(x: &BigInt) -> BigInt {
        let square = times(x, x);
        let (mut term, mut sum, mut k) = (x.clone(), BigInt::from(0), 1_u32);
        while term != BigInt::from(0) {
            sum += &term;
            term = -(times(&term, &square) / ((k + 1) * (k + 2)));
            k += 2;
        }
        sum
    }

    /// The `f32` nearest to a number of 0 to 1.
    fn rounded(value: &BigInt) -> f32 {
        let extra = value.bits().saturating_sub(24);
        let digits: u64 = (value >> extra).try_into().unwrap();
        let rest = value - (BigInt::from(digits) << extra);
        let half = BigInt::from(1) << extra.saturating_sub(1);
        // None of them is a tie: sines of these angles are no such fractions, but 0 and 1, which have no rest.
        let digits = if extra > 0 && rest > half { digits + 1 } else { digits };
        (digits as f64 * 2.0_f64.powi(extra as i32 - DIGITS as i32)) as f32
    }

    #[test]
    fn every_entry_is_the_nearest_to_the_exact_sine() {
        let pi = (arc_tangent(5) * 4 - arc_tangent(239)) * 4;
        for table in SineTable::ALL {
            let len = usize::from(table.entries());
            let step = 65_536 / len;
            for entry in 0..=len / 4 {
                let exact = sine_of(&(&pi * 2 * entry / len));
                let wanted = if entry == len / 4 { 1.0 } else { rounded(&exact) };
                let angle = (entry * step) as u16;
                let [a, b, c, d] = [angle, 0x8000 - angle, 0x8000_u16.wrapping_add(angle), 0_u16.wrapping_sub(angle)];
                assert_eq!(table.sine(a).to_bits(), wanted.to_bits(), "{table:?} {entry}");
                assert_eq!([table.sine(b), table.sine(c), table.sine(d)], [wanted, -wanted, -wanted], "{entry}");
                assert_eq!(table.cosine(a), table.sine(a.wrapping_add(0x4000)));
                // The lower bits do not count.
                assert_eq!(table.sine(a + step as u16 - 1), wanted);
            }
        }
    }

    #[test]
    fn rotations_move_in_steps_and_are_those_of_the_angles() {
        let exact = |[x, y, z]: [i16; 3]| {
            let [x, y, z] = [x, y, z].map(|angle| f32::from(angle) * std::f32::consts::PI / 32_768.0);
            Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x)
        };
        let angles = [0x1200, -0x3440, 0x5020];
        for table in SineTable::ALL {
            assert!(table.rotation(angles).dot(exact(angles)).abs() > 1.0 - 1e-6, "{table:?}");
            let step = (65_536 / i32::from(table.entries())) as i16;
            let below = angles.map(|angle| angle + step - 1);
            assert_eq!(table.rotation(below), table.rotation(angles));
            assert_ne!(table.rotation(angles.map(|angle| angle + step)), table.rotation(angles));
            assert_eq!(SineTable::of_entries(table.entries()), Some(table));
        }
    }
}
