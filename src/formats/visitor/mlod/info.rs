//! What the program says of models, and what their files begin with (formats/visitor.md §2.4).

use super::{super::info::FAMILY, codes};
use crate::formats::FormatInfo;

/// First four bytes of a model as an editor stores it.
pub const MAGIC: &[u8; 4] = b"MLOD";
/// First four bytes of a model that was binarised for the game.
pub const BINARISED_MAGIC: &[u8; 4] = b"ODOL";

/// Name of the opaque range behind damage.
pub const UNREAD: &str = "unread levels";
/// Name of the opaque range of a tag's data.
pub const TAG: &str = "tag data";
/// Name of the opaque range of a binarised model.
pub const BINARISED: &str = "binarised model";
/// Name of the opaque range behind the last level.
pub const TRAILING: &str = "trailing bytes";

/// Models of Bohemia's games.
pub static P3D: FormatInfo = FormatInfo {
    id: "p3d",
    name: "P3D model",
    family: FAMILY,
    extensions: &["p3d"],
    companions: &[],
    opaque: &[
        (UNREAD, "bytes after an incomplete level; levels do not store their size"),
        (TAG, "tag data with an unknown or invalid layout"),
        (BINARISED, "a model that was converted for the game and cannot be read"),
        (TRAILING, "bytes after the last level"),
    ],
    codes: codes::CODES,
    metres: 1.0,
};
