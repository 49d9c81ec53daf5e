//! What is told by name and not read: RAR archives, and archives in several files (formats/containers.md §10).

use super::{
    codes,
    contents::{Contents, Reading, Trouble},
    score::by_name,
};
use crate::{
    bytes::Source,
    formats::{Hint, Score},
};

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
