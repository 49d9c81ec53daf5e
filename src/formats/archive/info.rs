//! What the family leaves opaque.

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of compressed bytes.
pub const COMPRESSED: &str = "compressed stream";
/// Name of the opaque range of members that no format knows.
pub const PAYLOAD: &str = "payload";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "bytes between an archive's tables and members that fill up to a multiple of 32"),
    (COMPRESSED, "a compressed stream: what it becomes is read in a space of its own"),
    (PAYLOAD, "a member whose format is not known, handed out whole"),
];
