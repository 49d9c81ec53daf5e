//! What the family leaves opaque.

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of compressed bytes.
pub const COMPRESSED: &str = "compressed stream";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "padding of tables and entries to a multiple of 32 bytes"),
    (COMPRESSED, "a compressed stream, which is unpacked and read separately"),
    (PAYLOAD, "an entry in an unknown format, exported as stored"),
];
