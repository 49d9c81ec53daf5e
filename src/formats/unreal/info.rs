//! The description of the format, and the supported versions of packages (formats/unreal.md §1).

use super::codes;
use crate::formats::{FormatInfo, METRES_PER_UNREAL_UNIT};
use std::ops::Range;

/// Of all packages.
pub static UNREAL: FormatInfo = FormatInfo {
    id: "unreal",
    name: "Unreal package",
    family: "Unreal packages",
    extensions: &["u", "utx", "uax", "umx", "unr", "usm", "dx", "run", "uxx", "usa", "ukx", "usx", "ut2", "un2", "upx"],
    companions: &[],
    opaque: OPAQUE,
    codes: codes::CODES,
    metres: METRES_PER_UNREAL_UNIT,
};

/// What the family leaves opaque.
static OPAQUE: &[(&str, &str)] = &[
    (PAYLOAD, "data of a sound, a piece of music or an image, read by a separate decoder"),
    (UNREAD, "non-property data of objects whose class is from a different engine or has no published layout"),
    (LEAD, "values before the properties of each object, in packages from one licensee of the engine"),
];

/// Name of the opaque range of a payload with a decoder of its own.
pub const PAYLOAD: &str = "payload";

/// Name of the opaque range of what is not read of an object whose class is not known.
pub const UNREAD: &str = "class data";

/// Name of the opaque range in front of an object.
pub const LEAD: &str = "object header";

/// Versions whose objects are known.
const KNOWN: Range<u16> = 55..100;
/// Versions of the second engine: tables and some classes are as in the first one (§13).
const NEWER: Range<u16> = 100..178;

/// Whether the classes of a version are known.
pub fn is_known(version: u16) -> bool {
    KNOWN.contains(&version)
}

/// Whether a version is one of the second engine.
pub fn is_newer(version: u16) -> bool {
    NEWER.contains(&version)
}
