//! What the family leaves opaque.

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of what lies between members and is too large to be looked at.
pub const SPACE: &str = "space between entries";
/// Name of the opaque range of bytes that no table leads to.
pub const UNLISTED: &str = "unlisted bytes";
/// Name of the opaque range of bytes behind everything that the tables lead to.
pub const TRAILING: &str = "bytes after the end";
/// Name of the opaque range of a member's compressed bytes.
pub const PACKED: &str = "packed entry";
/// Name of the opaque range of a member that is stored as it is.
pub const PAYLOAD: &str = "entry";

/// Name of the opaque range of what an image holds a disc in: compressed blocks, or whole sectors.
pub const IMAGE: &str = "disc image";
/// Name of the opaque range of what stands before an archive.
pub const STUB: &str = "program before the archive";
/// Name of the opaque range of a 7z archive's list, which is compressed as a rule.
pub const HEADER: &str = "7z header";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "zero-filled bytes between the tables and the entries"),
    (SPACE, "bytes between entries that are not examined because there are too many"),
    (UNLISTED, "bytes that no table of the container refers to, such as unused space or the data of lost entries"),
    (TRAILING, "bytes after the last table and entry"),
    (PACKED, "compressed data of an entry, which is unpacked as a separate file"),
    (IMAGE, "raw disc image data: the files on the disc are listed instead"),
    (STUB, "program of a self-extracting archive"),
    (HEADER, "the compressed file list of a 7z archive"),
    (PAYLOAD, "an entry, which is a separate file"),
];
