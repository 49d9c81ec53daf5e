//! The kinds of animations, and how the chunk of each is read.

use super::{
    ClusterAnimation, JointAnimation, MaterialColorAnimation, RegisterAnimation, TextureAnimation,
    TextureMatrixAnimation, VertexColorAnimation, VisibilityAnimation, joints, material_colors, part::Animated, shapes,
    textures,
};
use crate::{
    bytes::Source,
    formats::{
        Field,
        field_reader::{Fault, FieldReader},
        j3d::file::{ChunkData, ChunkKind, Findings, Part},
    },
    scene::Clip,
};
use std::any::Any;

/// Kinds of chunks.
pub static KINDS: &[ChunkKind] = &[
    kind(b"ANK1", |r, f| boxed(joints::read_joints(r, true, f).map(Animation::Joints))),
    kind(b"ANF1", |r, f| boxed(joints::read_joints(r, false, f).map(Animation::Joints))),
    kind(b"TTK1", |r, f| boxed(textures::read_texture_matrices(r, f).map(Animation::TextureMatrices))),
    kind(b"TPT1", |r, f| boxed(textures::read_textures(r, f).map(Animation::Textures))),
    kind(b"TRK1", |r, f| boxed(material_colors::read_registers(r, f).map(Animation::Registers))),
    kind(b"PAK1", |r, f| boxed(material_colors::read_material_colors(r, true, f).map(Animation::MaterialColors))),
    kind(b"PAF1", |r, f| boxed(material_colors::read_material_colors(r, false, f).map(Animation::MaterialColors))),
    kind(b"VAF1", |r, f| boxed(shapes::read_visibility(r, f).map(Animation::Visibility))),
    kind(b"CLK1", |r, f| boxed(shapes::read_clusters(r, true, f).map(Animation::Clusters))),
    kind(b"CLF1", |r, f| boxed(shapes::read_clusters(r, false, f).map(Animation::Clusters))),
    kind(b"VCK1", |r, f| boxed(shapes::read_vertex_colors(r, true, f).map(Animation::VertexColors))),
    kind(b"VCF1", |r, f| boxed(shapes::read_vertex_colors(r, false, f).map(Animation::VertexColors))),
];

type ReadChunk = fn(&mut FieldReader<'_>, &mut Findings) -> Result<Box<dyn ChunkData>, Fault>;

const fn kind(tag: &'static [u8; 4], read: ReadChunk) -> ChunkKind {
    ChunkKind { tag, read }
}

fn boxed(read: Result<Animation, Fault>) -> Result<Box<dyn ChunkData>, Fault> {
    read.map(|animation| Box::new(animation) as Box<dyn ChunkData>)
}

/// What a chunk of an animation file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Animation {
    /// Joints: ANK1 and ANF1 (formats/j3d.md §3).
    Joints(JointAnimation),
    /// Texture matrices: TTK1 (formats/j3d.md §4).
    TextureMatrices(TextureMatrixAnimation),
    /// Textures of texture-map slots: TPT1 (formats/j3d.md §5.1).
    Textures(TextureAnimation),
    /// Colour registers and constants of the combiner: TRK1 (formats/j3d.md §5.3).
    Registers(RegisterAnimation),
    /// Material colours: PAK1 and PAF1 (formats/j3d.md §5.2).
    MaterialColors(MaterialColorAnimation),
    /// Visibility of shapes: VAF1 (formats/j3d.md §5.4).
    Visibility(VisibilityAnimation),
    /// Weights of clusters: CLK1 and CLF1 (formats/j3d.md §5.5).
    Clusters(ClusterAnimation),
    /// Vertex colours: VCK1 and VCF1 (formats/j3d.md §5.6).
    VertexColors(VertexColorAnimation),
}

impl Animation {
    fn inner(&self) -> &dyn Animated {
        match self {
            Self::Joints(animation) => animation,
            Self::TextureMatrices(animation) => animation,
            Self::Textures(animation) => animation,
            Self::Registers(animation) => animation,
            Self::MaterialColors(animation) => animation,
            Self::Visibility(animation) => animation,
            Self::Clusters(animation) => animation,
            Self::VertexColors(animation) => animation,
        }
    }

    /// The animation as a clip of this name.
    pub fn clip(&self, name: &str, findings: &mut Findings) -> Clip {
        self.inner().clip(name, findings)
    }
}

impl ChunkData for Animation {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn parts(&self) -> Vec<Part> {
        self.inner().parts()
    }

    fn part_fields(&self, source: &Source, part: usize) -> Vec<Field> {
        self.inner().part_fields(source, part)
    }
}
