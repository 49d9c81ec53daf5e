use glam::{Affine3A, Quat, Vec3};

/// Translation, rotation and scale, applied in the order scale, rotation, translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation in the parent's space.
    pub translation: Vec3,
    /// Unit length.
    pub rotation: Quat,
    /// Scale factors along X, Y and Z.
    pub scale: Vec3,
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Converts the transform to a matrix.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// What lies on the way to another transform: translation and scale in a straight line, the rotation on the shorter arc.
    /// From what is no number there is no way: it is the other one.
    pub fn towards(&self, to: &Self, share: f32) -> Self {
        let is_finite = self.translation.is_finite() && self.scale.is_finite() && self.rotation.is_finite();
        if share >= 1.0 || !is_finite {
            return *to;
        }
        if share <= 0.0 {
            return *self;
        }
        Self {
            translation: self.translation.lerp(to.translation, share),
            rotation: rotation_or_identity(self.rotation.slerp(to.rotation, share)),
            scale: self.scale.lerp(to.scale, share),
        }
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// A rotation of unit length; the identity where the numbers are no rotation (zero or not finite).
pub fn rotation_or_identity(rotation: Quat) -> Quat {
    let length_squared = rotation.length_squared();
    if length_squared.is_finite() && length_squared > 1e-20 {
        rotation * length_squared.sqrt().recip()
    } else {
        Quat::IDENTITY
    }
}
