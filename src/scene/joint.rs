use super::Transform;
use glam::{Affine3A, Quat, Vec3};

/// A joint of a skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Name of the joint; clips can refer to it ([`super::JointAddressing::ByName`]).
    pub name: String,
    /// Into [`super::Skeleton::joints`]; may come later in the list.
    pub parent: Option<u32>,
    /// Relative to the parent, in bind pose.
    pub bind: Transform,
    /// Under [`super::ScalingRule::Maya`] its parent's own scale does not reach it.
    pub compensates_scale: bool,
    /// It stands in the model's space whatever its parent does, which it has for order's sake alone (formats/charpipe.md §5).
    pub detached: bool,
    /// In bind pose this whole matrix in place of `bind`, which is the nearest to it.
    pub bind_matrix: Option<Affine3A>,
    /// Axes along which the scale acts: `T · R · Q · S · Q⁻¹` (formats/charpipe.md §5).
    pub scale_axes: Option<Quat>,
    /// What clips call it that go by number ([`super::JointAddressing::ByTrack`]).
    pub track: Option<u32>,
}

impl Joint {
    /// The parent whose movement it takes part in.
    pub fn moving_parent(&self) -> Option<u32> {
        self.parent.filter(|_| !self.detached)
    }

    /// The matrix of a transform relative to the parent, with the axes along which this joint scales.
    pub fn local_from(&self, transform: &Transform) -> Affine3A {
        let Some(axes) = self.scale_axes else { return transform.to_affine() };
        let Transform { translation, rotation, scale } = *transform;
        let stretched = Affine3A::from_scale_rotation_translation(scale, Quat::IDENTITY, Vec3::ZERO);
        let turned = Affine3A::from_rotation_translation(rotation * axes, translation);
        turned * stretched * Affine3A::from_quat(axes.inverse())
    }
}
