//! Which way is up in a file.

use glam::{Affine3A, Quat};

/// Which axis points up in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UpAxis {
    /// As the games of these formats have it.
    #[default]
    Z,
    Y,
}

impl UpAxis {
    pub fn is_turned(self) -> bool {
        self == Self::Y
    }

    /// Models come with the file's Z turned upwards; for the other axis that turn is taken back.
    pub fn world_from_model(self) -> Affine3A {
        match self {
            Self::Z => Affine3A::IDENTITY,
            Self::Y => Affine3A::from_quat(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
        }
    }
}
