use crate::{
    bytes::Source,
    formats::{
        Field,
        j3d::chunk::{Findings, Part},
    },
    scene::Clip,
};

/// What every kind of animation can do.
pub trait Animated {
    /// Its tracks as channels.
    fn clip(&self, name: &str, findings: &mut Findings) -> Clip;

    /// What it drives one by one.
    fn parts(&self) -> Vec<Part>;

    /// Tracks and keys of a part, mirrored.
    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field>;
}
