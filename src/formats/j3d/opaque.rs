//! What of the files is left opaque, by name.

use crate::formats::gx::bti;

/// What the family leaves opaque (CLI.md, `verify`).
pub(super) static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "bytes that fill a chunk or a display list up to a multiple of 32"),
    (bti::PIXELS, "pixels, which their decoder takes whole"),
    (COMMANDS, "MDL3's ready-made command lists of the graphics chip: the same material state once more"),
];

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of MDL3's command lists.
pub const COMMANDS: &str = "command lists";
