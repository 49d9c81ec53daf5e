//! Placeholder.

pub mod write;
