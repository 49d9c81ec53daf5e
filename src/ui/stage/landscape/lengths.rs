//! Lengths on the ground in words.

use crate::ui::widgets::numbers::grouped;

/// With one decimal under a thousand.
pub fn metres(value: f32) -> String {
    let sign = if value < -0.05 { "−" } else { "" };
    let value = value.abs();
    if value < 1000.0 { format!("{sign}{value:.1}") } else { format!("{sign}{}", grouped(value.round() as usize)) }
}
