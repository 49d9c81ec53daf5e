//! How a disputed layout was read: what was chosen, on what evidence, what else it could have been, and what a person says instead.

use std::collections::BTreeMap;

/// What a person wants read otherwise: ids of choices with the value that each is to have ([`Choice::id`], [`Rival::value`]).
pub type Overrides = BTreeMap<String, String>;

/// Nothing is wanted otherwise.
pub static NO_OVERRIDES: Overrides = Overrides::new();

/// One question that a file's own bytes had to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Stable: `strings`.
    pub id: &'static str,
    /// For people: `String lengths`.
    pub label: &'static str,
    /// As JSON says it, and as an override names it: `inclusive`.
    pub value: String,
    /// One sentence: what speaks for it.
    pub evidence: String,
    /// What else it could have been.
    pub rivals: Vec<Rival>,
    /// A person said so, not the bytes.
    pub overridden: bool,
    /// Any positive number does, not only what is listed; its unit.
    pub number: Option<&'static str>,
}

/// An answer that was not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// Value of the choice if this answer is selected, as in [`Choice::value`].
    pub value: String,
    /// One sentence: what speaks for or against it.
    pub evidence: String,
}

/// Where a part of a file starts: `heights`, 2001.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Name of the part: `heights`.
    pub name: &'static str,
    /// Bytes from the start of the file.
    pub offset: u64,
}

/// What a file says of its ground in a few numbers (CLI.md, `inspect`).
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainCard {
    /// Samples from west to east.
    pub x: u32,
    /// Samples from south to north.
    pub z: u32,
    /// Metres between samples.
    pub cell: f32,
    /// Of the finite heights, in metres; `None` without any.
    pub range: Option<[f32; 2]>,
    /// Of the finite heights, in metres.
    pub mean: Option<f64>,
    /// Of the raw bytes of the heights, hexadecimal.
    pub sha256: String,
}
