//! Lengths on the ground in words.

use crate::ui::widgets::numbers::decimal;

/// With one decimal under a thousand.
pub fn metres(value: f32) -> String {
    decimal(value)
}
