//! Cubics between two keys in the order of roundings of the GameCube's games (formats/j3d.md §2.1.1).
//!
//! Every line rounds once to an `f32`. Where the result is cut to a whole number afterwards, as colours and angles are, the last bit
//! decides. Products are put into [`mul_add`] where the games' processor multiplied and added at once.

use super::{super::exact::mul_add, HermiteKey};

/// Which numbers a track's keys are stored as; the games computed each in an order of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNumbers {
    /// 32-bit floats.
    F32,
    /// 16-bit signed integers.
    S16,
}

/// A key, with its frame.
#[derive(Clone, Copy, Debug)]
pub struct TimedKey {
    pub time: f32,
    pub key: HermiteKey,
}

/// The value at a frame between two keys; the time of `right` is after that of `left`.
pub fn hermite(numbers: KeyNumbers, frame: f32, left: TimedKey, right: TimedKey) -> f32 {
    match numbers {
        KeyNumbers::F32 => of_f32(frame, left, right),
        KeyNumbers::S16 => of_s16(frame, left, right),
    }
}

fn of_f32(frame: f32, left: TimedKey, right: TimedKey) -> f32 {
    let (from, to) = (left.key, right.key);
    let passed = frame - left.time;
    let s = passed / (right.time - left.time);
    let square = s * s;
    let rest = square - s;
    let blend = mul_add(s + s, rest, -square);
    let value = mul_add(blend, from.value - to.value, from.value);
    let slope = mul_add(from.tangent_out, rest, from.tangent_out);
    let slope = mul_add(to.tangent_in, rest, slope);
    let slope = mul_add(s, from.tangent_out, -slope);
    -mul_add(passed, slope, -value)
}

fn of_s16(frame: f32, left: TimedKey, right: TimedKey) -> f32 {
    let (from, to) = (left.key, right.key);
    let length = right.time - left.time;
    let s = (frame - left.time) / length;
    let step = to.value - from.value;
    let square = s * s;
    let missed = -mul_add(length, from.tangent_out, -step);
    let bend = mul_add(to.tangent_in, length, from.value) - to.value - missed;
    let bend = square * bend;
    let value = mul_add(length, from.tangent_out, bend);
    let value = mul_add(value, s, from.value);
    let value = mul_add(missed, square, value);
    value - bend
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _, Zero as _};

    /// The nearest `f32` of an exact number, ties to even: what one rounding gives.
    fn rounded(exact: &BigRational) -> f32 {
        if exact.is_zero() {
            return 0.0;
        }
        let size = exact.abs();
        // 2^exponent is the place of the last of 24 binary digits, and not below that of the smallest number.
        let digits = |n: &BigInt| n.bits() as i64;
        let mut exponent = digits(size.numer()) - digits(size.denom()) - 24;
        let power = |exponent: i64| {
            let two = BigRational::from_integer(2.into());
            num_traits::pow::Pow::pow(two, exponent as i32)
        };
        let limit = BigRational::from_integer((1 << 24).into());
        while &size / power(exponent) >= limit {
            exponent += 1;
        }
        let exponent = exponent.max(-149);
        let units = &size / power(exponent);
        let below = units.floor();
        let rest = &units - &below;
        let half = BigRational::new(1.into(), 2.into());
        let is_odd = below.to_integer().bit(0);
        let whole =
            if rest > half || (rest == half && is_odd) { below + BigRational::from_integer(1.into()) } else { below };
        let value = (whole * power(exponent)).to_f64().unwrap() as f32;
        if exact.is_negative() { -value } else { value }
    }

    fn exact(value: f32) -> BigRational {
        BigRational::from_f32(value).unwrap()
    }

    /// A line of the specification: worked out exactly, and rounded once.
    fn fma(a: f32, b: f32, c: f32) -> f32 {
        rounded(&(exact(a) * exact(b) + exact(c)))
    }

    fn add(a: f32, b: f32) -> f32 {
        rounded(&(exact(a) + exact(b)))
    }

    fn sub(a: f32, b: f32) -> f32 {
        rounded(&(exact(a) - exact(b)))
    }

    fn mul(a: f32, b: f32) -> f32 {
        rounded(&(exact(a) * exact(b)))
    }

    fn div(a: f32, b: f32) -> f32 {
        rounded(&(exact(a) / exact(b)))
    }

    /// As the specification writes it, letter by letter.
    #[expect(clippy::many_single_char_names, reason = "the specification's names")]
    fn specified(numbers: KeyNumbers, f: f32, left: TimedKey, right: TimedKey) -> f32 {
        let (t, v, o) = (left.time, left.key.value, left.key.tangent_out);
        let (time, value, i) = (right.time, right.key.value, right.key.tangent_in);
        match numbers {
            KeyNumbers::F32 => {
                let d = sub(f, t);
                let s = div(d, sub(time, t));
                let (q, h) = (mul(s, s), add(s, s));
                let g = sub(q, s);
                let a = fma(h, g, -q);
                let b = fma(o, g, o);
                let a = fma(a, sub(v, value), v);
                let b = fma(i, g, b);
                let b = fma(s, o, -b);
                -fma(d, b, -a)
            }
            KeyNumbers::S16 => {
                let l = sub(time, t);
                let s = div(sub(f, t), l);
                let e = sub(value, v);
                let q = mul(s, s);
                let m = -fma(l, o, -e);
                let w = sub(sub(fma(i, l, v), value), m);
                let w = mul(q, w);
                let r = fma(l, o, w);
                let r = fma(r, s, v);
                let r = fma(m, q, r);
                sub(r, w)
            }
        }
    }

    fn key(time: f32, value: f32, tangent_in: f32, tangent_out: f32) -> TimedKey {
        TimedKey { time, key: HermiteKey { value, tangent_in, tangent_out } }
    }

    #[test]
    fn each_line_rounds_once_in_both_orders() {
        let mut random = fastrand::Rng::with_seed(19);
        let mut differ = 0;
        for round in 0..4_000 {
            let start = random.u32(..200) as f32;
            let length = random.u32(1..120) as f32;
            let frame =
                start + if round % 2 == 0 { random.u32(..=length as u32) as f32 } else { random.f32() * length };
            let whole = |random: &mut fastrand::Rng| f32::from(random.i16(..));
            let float =
                |random: &mut fastrand::Rng| (random.f32() - 0.5) * [0.01, 1.0, 300.0, 20_000.0][random.usize(..4)];
            for (numbers, of) in
                [(KeyNumbers::S16, &whole as &dyn Fn(&mut fastrand::Rng) -> f32), (KeyNumbers::F32, &float)]
            {
                let left = key(start, of(&mut random), of(&mut random), of(&mut random));
                let right = key(start + length, of(&mut random), of(&mut random), of(&mut random));
                let found = hermite(numbers, frame, left, right);
                let wanted = specified(numbers, frame, left, right);
                assert_eq!(
                    found.to_bits(),
                    wanted.to_bits(),
                    "{numbers:?} {frame} {left:?} {right:?}: {found} {wanted}"
                );
                let other = if numbers == KeyNumbers::F32 { KeyNumbers::S16 } else { KeyNumbers::F32 };
                differ += u32::from(hermite(other, frame, left, right) != found);
            }
        }
        assert!(differ > 1_000, "the orders are told apart: {differ}");
    }

    #[test]
    fn numbers_round_to_the_nearest_and_ties_to_even() {
        let half = |n: i64| BigRational::new(n.into(), 2.into());
        assert_eq!(rounded(&half((1 << 25) + 1)), 16_777_216.0);
        assert_eq!(rounded(&half((1 << 25) + 2)), 16_777_216.0 + 0.0);
        assert_eq!(rounded(&half((1 << 25) + 6)), 16_777_220.0);
        assert_eq!(rounded(&half(-3)), -1.5);
        assert_eq!(rounded(&exact(f32::MIN_POSITIVE / 8.0)), f32::MIN_POSITIVE / 8.0);
    }
}
