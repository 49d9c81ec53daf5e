//! What of a picture file has no fields of its own.

/// The name of what another decoder takes whole.
pub const PIXELS: &str = "picture data";
/// The name of what no description of the format speaks of.
pub const EXTRA: &str = "further data";

pub const OPAQUE: &[(&str, &str)] = &[
    (PIXELS, "a decoder of its own takes it whole; it is shown as a picture"),
    (EXTRA, "what a program added for itself: no part of the picture"),
];
