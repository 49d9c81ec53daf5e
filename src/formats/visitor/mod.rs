//! Bohemia Visitor: terrain projects, and what belongs to them (formats/visitor.md).

pub mod encode;
