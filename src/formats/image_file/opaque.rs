//! What of a picture file has no fields of its own.

/// The name of what another decoder takes whole.
pub const PIXELS: &str = "image data";
/// The name of what no description of the format speaks of.
pub const EXTRA: &str = "extra data";

pub const OPAQUE: &[(&str, &str)] = &[
    (PIXELS, "pixels, read by the image decoder and shown as an image"),
    (EXTRA, "data that is not part of the image, such as metadata"),
];
