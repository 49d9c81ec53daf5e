//! What of the files is left opaque, by name.

use crate::formats::gx::bti;

/// What the family leaves opaque (CLI.md, `verify`).
pub(super) static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "padding of a chunk or a display list to a multiple of 32 bytes"),
    (bti::PIXELS, "pixels, read by the texture decoder"),
    (COMMANDS, "compiled command lists of MDL3: a copy of the material state for the graphics chip"),
];

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of MDL3's command lists.
pub const COMMANDS: &str = "command lists";
