//! Textures that are computed, step by step.

use super::Palette;
use std::sync::Arc;

/// A texture that a program draws: what it is made of.
#[derive(Clone, Debug)]
pub struct Procedural {
    pub name: String,
    /// Pixels; powers of two.
    pub width: u32,
    pub height: u32,
    pub palette: Arc<Palette>,
    pub masked: bool,
    /// Parameters as name and value, for people.
    pub facts: Vec<(String, String)>,
}
