//! The score of a file that is known by its name alone, and the archives that are recognised but not read
//! (formats/containers.md §10).

use super::{
    codes,
    contents::{Contents, Reading, Trouble},
};
use crate::{
    bytes::Source,
    formats::{Hint, Score},
};

/// Nothing further on tells.
pub fn nothing_more(_: &Source, _: &Hint<'_>, _: Score) -> Score {
    Score::No
}

/// [`Score::Name`] for a file with one of the extensions.
pub fn by_name(hint: &Hint<'_>, extensions: &[&str]) -> Score {
    if extensions.contains(&hint.extension().as_str()) { Score::Name } else { Score::No }
}

pub const RAR: &[&str] = &["rar"];
pub const PARTS: &[&str] = &["001", "z01", "r00"];

pub fn is_rar(head: &[u8], hint: &Hint<'_>) -> Score {
    if head.starts_with(b"Rar!\x1A\x07") { Score::Certain } else { by_name(hint, RAR) }
}

pub fn rar(_: &Source, _: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let message = "RAR archives cannot be read. Unpack the archive, then open the folder";
    Err(Trouble::new(&codes::UNSUPPORTED, 0, message))
}

pub fn part(_: &Source, _: &mut Reading<'_>) -> Result<Contents, Trouble> {
    let message = "this is one part of a split archive. Join the parts, then open the result";
    Err(Trouble::new(&codes::UNSUPPORTED, 0, message))
}
