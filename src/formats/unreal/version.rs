//! Which versions of packages hold objects whose layouts are known (formats/unreal.md §1).

use std::ops::Range;

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
