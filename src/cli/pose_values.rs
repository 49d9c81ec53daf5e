//! Values as `pose` states them.

use serde::Serialize;

/// A number as JSON has it: no negative zero; what is not finite becomes `null`.
pub fn tidy<const N: usize>(values: [f32; N]) -> [f32; N] {
    values.map(|v| v + 0.0)
}

#[derive(Serialize)]
pub struct MorphWeight<'a> {
    pub name: &'a str,
    pub weight: f32,
}
