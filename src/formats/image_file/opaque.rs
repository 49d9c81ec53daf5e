//! What of a picture file has no fields of its own.

/// The name of what another decoder takes whole.
pub const PIXELS: &str = "picture data";
/// The name of what no description of the format speaks of.
pub const EXTRA: &str = "further data";

pub const OPAQUE: &[(&str, &str)] = &[
    (PIXELS, "pixels, read by the image decoder and shown as an image"),
    (EXTRA, "data added by a program; not part of the image"),
];
