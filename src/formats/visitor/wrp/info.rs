//! What the program says of worlds (formats/visitor.md §1.9).

use super::{super::info::FAMILY, codes};
use crate::formats::FormatInfo;

/// Start of worlds in the form that later games load.
pub const BINARISED_MAGIC: &[u8; 4] = b"OPRW";

/// Starts of worlds as older editors wrote them.
pub const OLDER_MAGICS: [&[u8; 4]; 2] = [b"2WVR", b"3WVR"];

/// Name of the opaque range behind damage.
pub const UNREAD: &str = "unread";

/// Worlds of Bohemia's games.
pub static WRP: FormatInfo = FormatInfo {
    id: "wrp",
    name: "WRP world",
    family: FAMILY,
    extensions: &["wrp"],
    companions: &[],
    opaque: &[(UNREAD, "bytes after an unreadable part; the file does not store the offsets of its parts")],
    codes: codes::CODES,
    metres: 1.0,
};
