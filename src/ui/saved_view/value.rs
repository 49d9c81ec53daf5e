//! Values of a view that may be anything: what cannot be read or used is as by default.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

/// Numbers of cameras and clocks are no larger.
const FARTHEST: f32 = 1e9;
/// Bytes of the name of a bone, a socket or a material.
pub(super) const MAX_NAME: usize = 1_000;

/// The default for what cannot be read.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

/// A list in which what cannot be read is as by default, so that the others keep their numbers.
pub(super) fn each_or_default<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let Value::Array(items) = Value::deserialize(from)? else { return Ok(Vec::new()) };
    Ok(items.into_iter().map(|item| serde_json::from_value(item).unwrap_or_default()).collect())
}

pub(super) fn is_near(number: f32) -> bool {
    number.is_finite() && number.abs() <= FARTHEST
}

pub(super) fn is_size(number: f32) -> bool {
    is_near(number) && number > 0.0
}

/// For fields that most stages have as by default.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
