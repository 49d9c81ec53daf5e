//! What is seen through a window: another place, put before the eye.

use glam::{Affine3A, Vec4};

/// Another place in the place of the one that the camera stands in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Through {
    /// Puts what is seen where it is seen.
    pub here_from_there: Affine3A,
    /// A plane in the place that is seen, normal and distance from the origin: only what lies on the side that the normal points
    /// to is drawn. For cameras with perspective.
    pub clip: Option<Vec4>,
}

impl Default for Through {
    fn default() -> Self {
        Self { here_from_there: Affine3A::IDENTITY, clip: None }
    }
}

impl Through {
    /// Whether what is seen is mirrored.
    pub fn is_mirrored(&self) -> bool {
        self.here_from_there.matrix3.determinant() < 0.0
    }
}
