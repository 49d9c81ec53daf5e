//! Functions of angles, powers and roots that give the same bits on every system, so that exports do on x86-64. Those of the standard
//! library are the system's own, which differ from each other in the last bit. On other processors a few of glam's (slerp, sums of
//! vectors) go other ways, and a number may have another last bit there.

use glam::Quat;

/// Sine and cosine of radians.
pub fn sin_cos(radians: f32) -> (f32, f32) {
    libm::sincosf(radians)
}

/// The sine of radians.
pub fn sin(radians: f32) -> f32 {
    libm::sinf(radians)
}

/// The cosine of radians.
pub fn cos(radians: f32) -> f32 {
    libm::cosf(radians)
}

/// The angle of a sine, in radians; NaN outside of −1 to 1.
pub fn asin(sine: f32) -> f32 {
    libm::asin(f64::from(sine)) as f32
}

/// The angle of a cosine, in radians; NaN outside of −1 to 1.
pub fn acos(cosine: f32) -> f32 {
    libm::acos(f64::from(cosine)) as f32
}

/// Radians from the first axis to a point, −π to π.
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2(f64::from(y), f64::from(x)) as f32
}

/// `base` to a power.
pub fn powf(base: f32, power: f32) -> f32 {
    libm::pow(f64::from(base), f64::from(power)) as f32
}

/// The cube root.
pub fn cbrt(number: f32) -> f32 {
    libm::cbrt(f64::from(number)) as f32
}

/// How long the vector of two numbers is. NaN where one of them is.
pub fn hypot(x: f32, y: f32) -> f32 {
    let [x, y] = [x, y].map(f64::from);
    (x * x + y * y).sqrt() as f32
}

/// `a · b + c`, rounded once. The standard library's is the system's own where the processor has none, and not every system's is right.
pub fn mul_add(a: f32, b: f32, c: f32) -> f32 {
    libm::fmaf(a, b, c)
}

/// `Rz · Ry · Rx` of radians.
pub fn rotation_zyx(z: f32, y: f32, x: f32) -> Quat {
    let [(sx, cx), (sy, cy), (sz, cz)] = [x, y, z].map(|angle| sin_cos(angle * 0.5));
    let (cc, cs, sc, ss) = (cz * cx, cz * sx, sz * cx, sz * sx);
    Quat::from_xyzw(cy * cs - sy * sc, cy * ss + sy * cc, cy * sc - sy * cs, cy * cc + sy * ss)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As bits: these are the same wherever the tests run.
    #[test]
    fn numbers_are_right_to_the_last_bit() {
        // Rounded from 60 digits.
        assert_eq!(sin_cos(0.7), (sin(0.7), cos(0.7)));
        assert_eq!(
            [sin(0.7), cos(0.7), sin(2.5), cos(-4.0)].map(f32::to_bits),
            [0x3F24_EB73, 0x3F43_CCB3, 0x3F19_3578, 0xBF27_5530]
        );
        assert_eq!(
            [asin(0.3), acos(0.3), acos(-0.9), atan2(1.0, -2.0)].map(f32::to_bits),
            [0x3E9C_00AD, 0x3FA2_0FAF, 0x402C_323B, 0x402B_6374]
        );
        assert_eq!(
            [powf(0.7, 2.4), powf(0.2, 1.0 / 2.4), cbrt(7.0), hypot(0.3, 0.7)].map(f32::to_bits),
            [0x3ED9_85E5, 0x3F02_EB40, 0x3FF4_DAEE, 0x3F42_F6BB]
        );
        // Where the standard says what comes out.
        assert_eq!(
            [atan2(0.0, -1.0), atan2(-0.0, -1.0), atan2(-0.0, 1.0), atan2(0.0, 0.0)].map(f32::to_bits),
            [0x4049_0FDB, 0xC049_0FDB, 0x8000_0000, 0]
        );
        assert_eq!(
            [powf(-2.0, 3.0), powf(0.0, -1.0), powf(-0.0, -1.0), powf(f32::NAN, 0.0)].map(f32::to_bits),
            [0xC100_0000, 0x7F80_0000, 0xFF80_0000, 0x3F80_0000]
        );
        assert_eq!(
            [cbrt(-8.0), cbrt(-0.0), hypot(-3.0, 4.0), hypot(f32::NEG_INFINITY, 1.0), hypot(-0.0, 0.0)]
                .map(f32::to_bits),
            [0xC000_0000, 0x8000_0000, 0x40A0_0000, 0x7F80_0000, 0]
        );
        assert!(powf(-2.0, 0.5).is_nan() && asin(-1.5).is_nan() && hypot(f32::NAN, 1.0).is_nan());
        assert!(acos(1.5).is_nan() && hypot(1e30, 1e30).is_finite());
    }

    #[test]
    fn a_fused_product_is_rounded_once() {
        assert_eq!(mul_add(3.0, 5.0, -16.0), -1.0);
        // The square of 1 + 2⁻¹² is halfway between two numbers: what is added decides, however small, and an even last bit where it
        // is nothing. Rounded to an f64 first, all three are the same.
        let number = f32::from_bits(0x3F80_0800);
        let small = f32::from_bits(0x1780_0000);
        let found = [small, 0.0, -small].map(|more| mul_add(number, number, more).to_bits());
        assert_eq!(found, [0x3F80_1001, 0x3F80_1000, 0x3F80_1000]);
        assert_eq!(mul_add(number, -number, -small).to_bits(), 0xBF80_1001);
        // What is left of a product that is taken off again: 2⁻²⁴.
        assert_eq!(mul_add(number, number, -f32::from_bits(0x3F80_1000)).to_bits(), 0x3380_0000);
    }

    #[test]
    fn a_rotation_is_the_product_of_its_three() {
        for [z, y, x] in [[0.3, -1.2, 2.9], [-3.0, 0.1, 0.0], [0.0, 0.0, 1.0]] {
            let product = Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x);
            let found = rotation_zyx(z, y, x);
            assert!(found.abs_diff_eq(product, 1e-6), "{found} for {product}");
        }
    }
}
