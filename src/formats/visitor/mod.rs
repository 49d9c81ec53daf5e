//! Bohemia Visitor: terrain projects, and what belongs to them (formats/visitor.md).

pub mod encode;
pub mod mlod;
mod rows;

/// The formats of the family, for people.
const FAMILY: &str = "Visitor projects, worlds and models";
