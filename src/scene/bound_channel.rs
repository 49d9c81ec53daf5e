use super::{JointIndex, MaterialIndex, MeshIndex, MorphIndex};

/// What of a model a channel drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundTarget {
    /// A joint of the skeleton.
    Joint(JointIndex),
    /// A morph's weight.
    Morph(MorphIndex),
    /// A part of a material: a texture matrix, a colour or a texture.
    Material(MaterialIndex),
    /// A mesh's visibility.
    Mesh(MeshIndex),
    /// The frames of the meshes that the channel names ([`super::Target::VertexFrames`]).
    VertexFrames,
}

/// What a channel does to the pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundChannel {
    /// Into [`super::Clip::channels`].
    pub channel: u32,
    /// The part of the model that the channel drives.
    pub target: BoundTarget,
    /// Rotation keys are the inverse of the rotation ([`super::KeyRule::InverseOnFirstJoint`]).
    pub invert: bool,
}
