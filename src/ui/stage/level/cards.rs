//! What the cards over a level have in common.

/// Width, in points.
pub const WIDTH: f32 = 208.0;
