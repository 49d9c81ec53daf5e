//! What the family leaves opaque.

/// Name of the opaque range of bytes that fill up.
pub const PADDING: &str = "padding";
/// Name of the opaque range of what lies between members and is too large to be looked at.
pub const SPACE: &str = "space between members";
/// Name of the opaque range of bytes that no table leads to.
pub const UNLISTED: &str = "unlisted bytes";
/// Name of the opaque range of bytes behind everything that the tables lead to.
pub const TRAILING: &str = "bytes after the end";
/// Name of the opaque range of a member's compressed bytes.
pub const PACKED: &str = "packed member";
/// Name of the opaque range of a member that is stored as it is.
pub const PAYLOAD: &str = "member";

/// Name of the opaque range of what an image holds a disc in: compressed blocks, or whole sectors.
pub const IMAGE: &str = "disc image";
/// Name of the opaque range of what stands before an archive.
pub const STUB: &str = "program before the archive";
/// Name of the opaque range of a 7z archive's list, which is compressed as a rule.
pub const HEADER: &str = "7z header";

/// What the family leaves opaque (CLI.md, `verify`).
pub static OPAQUE: &[(&str, &str)] = &[
    (PADDING, "zero bytes between the tables and the members"),
    (SPACE, "what large discs are filled up with, which is not looked through"),
    (UNLISTED, "bytes that no table of the container leads to: what its format leaves free, or what damage hides"),
    (TRAILING, "what follows the last of what the tables lead to"),
    (PACKED, "a member's compressed bytes: what they become is a file of its own"),
    (IMAGE, "what a disc is stored in: the disc that it gives is what is shown"),
    (STUB, "the program that unpacks the archive behind it"),
    (HEADER, "the list of members of a 7z archive, as its writers compress it"),
    (PAYLOAD, "a member, which is a file of its own"),
];
