use super::Fog;
use glam::Vec3;
use std::num::Wrapping;

impl Fog {
    /// How much of the fog's colour a place in view space has, in 1/256 (formats/j3d-materials.md §8.7).
    pub fn amount(&self, position: Vec3) -> i32 {
        let depth = if self.adjusts_range { position.x.hypot(position.z) } else { -position.z };
        let x = if self.end == self.start || self.far == self.near {
            0.0
        } else {
            ((depth - self.start) / (self.end - self.start)).clamp(0.0, 1.0)
        };
        let amount = match self.kind & 7 {
            2 => x,
            4 => 1.0 - (-8.0 * x).exp2(),
            5 => 1.0 - (-8.0 * x * x).exp2(),
            6 => (-8.0 * (1.0 - x)).exp2(),
            7 => (-8.0 * (1.0 - x) * (1.0 - x)).exp2(),
            _ => 0.0,
        };
        (amount * 256.0 + 0.5).floor() as i32
    }

    /// A pixel behind this much fog; its alpha stays.
    pub fn over(&self, [r, g, b, a]: [u8; 4], amount: i32) -> [u8; 4] {
        let [fog_r, fog_g, fog_b, _] = self.color;
        let mix = |color: u8, fog: u8| {
            let amount = Wrapping(amount.clamp(0, 256));
            let (color, fog) = (Wrapping(i32::from(color)), Wrapping(i32::from(fog)));
            ((color * (Wrapping(256) - amount) + fog * amount) >> 8).0 as u8
        };
        [mix(r, fog_r), mix(g, fog_g), mix(b, fog_b), a]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amounts(kind: u8) -> [i32; 5] {
        let fog = Fog { kind, start: 100.0, end: 300.0, ..Fog::default() };
        [50.0, 100.0, 150.0, 200.0, 400.0].map(|depth| fog.amount(Vec3::new(1000.0, 0.0, -depth)))
    }

    #[test]
    fn curves() {
        // x is 0, 0, ¼, ½, 1.
        assert_eq!(amounts(0), [0; 5]);
        assert_eq!(amounts(2), [0, 0, 64, 128, 256]);
        // 1 − 2^−2, 1 − 2^−4, 1 − 2^−8.
        assert_eq!(amounts(4), [0, 0, 192, 240, 255]);
        // 1 − 2^−½ = 0.29289, 1 − 2^−2.
        assert_eq!(amounts(5), [0, 0, 75, 192, 255]);
        // 2^−8, 2^−6, 2^−4, 1.
        assert_eq!(amounts(6), [1, 1, 4, 16, 256]);
        // 2^−8, 2^−4.5 = 0.04419, 2^−2, 1.
        assert_eq!(amounts(7), [1, 1, 11, 64, 256]);
        for kind in [2, 4, 5, 6, 7] {
            assert_eq!(amounts(kind + 8), amounts(kind));
        }
    }

    #[test]
    fn range_and_nothing_between() {
        let fog = Fog { kind: 2, start: 0.0, end: 1000.0, adjusts_range: true, ..Fog::default() };
        assert_eq!(fog.amount(Vec3::new(300.0, 999.0, -400.0)), 128);
        assert_eq!(Fog { end: 0.0, ..fog }.amount(Vec3::NEG_Z), 0);
        assert_eq!(Fog { far: 0.1, ..fog }.amount(Vec3::NEG_Z * 900.0), 0);
        assert_eq!(Fog { kind: 6, far: 0.1, ..fog }.amount(Vec3::NEG_Z * 900.0), 1);
    }

    #[test]
    fn colours() {
        let fog = Fog { color: [200, 0, 255, 0], ..Fog::default() };
        assert_eq!(fog.over([100, 101, 102, 77], 0), [100, 101, 102, 77]);
        // (100·192 + 200·64)>>8 = 125, (101·192)>>8 = 75, (102·192 + 255·64)>>8 = 140.
        assert_eq!(fog.over([100, 101, 102, 77], 64), [125, 75, 140, 77]);
        assert_eq!(fog.over([100, 101, 102, 77], 256), [200, 0, 255, 77]);
    }
}
