//! What the program says of models, and what their files begin with (formats/visitor.md §2.4).

use super::{super::info::FAMILY, codes};
use crate::formats::FormatInfo;

pub const MAGIC: &[u8; 4] = b"MLOD";
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
        (UNREAD, "what follows a level that cannot be read to its end: levels have no sizes"),
        (TAG, "data of a tag whose layout is not known, or that does not fit it"),
        (BINARISED, "a model in the form that the game loads, which is not read"),
        (TRAILING, "what follows the last level"),
    ],
    codes: codes::CODES,
    metres: 1.0,
};
