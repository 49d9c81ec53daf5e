//! Numbers that come out of two computations, and those that another program wrote down.

use glam::{Affine3A, DVec3, Quat, Vec2, Vec3, Vec3A};
use serde_json::Value;
use std::{fmt::Display, path::Path};

/// What is made of numbers: vectors, JSON values of any nesting, lists of them.
pub trait Numbers {
    fn add_to(&self, numbers: &mut Vec<f64>);
}

impl Numbers for f32 {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        numbers.push(f64::from(*self));
    }
}

impl Numbers for f64 {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        numbers.push(*self);
    }
}

impl Numbers for Value {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        match self {
            Value::Array(values) => values.add_to(numbers),
            value => numbers.push(value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))),
        }
    }
}

impl<T: Numbers> Numbers for [T] {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        self.iter().for_each(|part| part.add_to(numbers));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        self.as_slice().add_to(numbers);
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        self.as_slice().add_to(numbers);
    }
}

impl<T: Numbers + ?Sized> Numbers for &T {
    fn add_to(&self, numbers: &mut Vec<f64>) {
        (**self).add_to(numbers);
    }
}

macro_rules! arrays {
    ($($kind:ty: $array:ident,)*) => {$(
        impl Numbers for $kind {
            fn add_to(&self, numbers: &mut Vec<f64>) {
                self.$array().add_to(numbers);
            }
        }
    )*};
}

arrays! {
    Affine3A: to_cols_array,
    DVec3: to_array,
    Quat: to_array,
    Vec2: to_array,
    Vec3: to_array,
    Vec3A: to_array,
}

/// Numbers of any nesting, in order.
pub fn numbers(of: &(impl Numbers + ?Sized)) -> Vec<f64> {
    let mut numbers = Vec::new();
    of.add_to(&mut numbers);
    numbers
}

/// Each number is at most `most` from the expected one.
#[track_caller]
pub fn assert_near(found: &(impl Numbers + ?Sized), expected: &(impl Numbers + ?Sized), most: f64, what: impl Display) {
    hold(found, expected, what, |_| most);
}

/// As [`assert_near`]; of an expected number beyond one, `most` is a share.
#[track_caller]
pub fn assert_near_by_size(
    found: &(impl Numbers + ?Sized),
    expected: &(impl Numbers + ?Sized),
    most: f64,
    what: impl Display,
) {
    hold(found, expected, what, |expected| most * expected.abs().max(1.0));
}

#[track_caller]
fn hold(
    found: &(impl Numbers + ?Sized),
    expected: &(impl Numbers + ?Sized),
    what: impl Display,
    most: impl Fn(f64) -> f64,
) {
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} for {expected:?}");
    // No number is near one that is none.
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= most(*b);
    assert!(found.iter().zip(&expected).all(is_near), "{what}: {found:?} for {expected:?}");
}

/// Two points are at most `most` apart.
#[track_caller]
pub fn assert_close(
    found: &(impl Numbers + ?Sized),
    expected: &(impl Numbers + ?Sized),
    most: f64,
    what: impl Display,
) {
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} for {expected:?}");
    let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    assert!(apart <= most, "{what}: {found:?} for {expected:?}, {apart} apart");
}

/// The values in a JSON file.
#[track_caller]
pub fn reference(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The parts of a JSON list; of what is none, none.
pub fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
