use glam::{Affine3A, Vec3};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates.
    pub min: Vec3,
    /// Corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box of the finite points; `None` when there is none.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        points.into_iter().filter(|p| p.is_finite()).fold(None, |bounds: Option<Self>, p| {
            Some(match bounds {
                Some(b) => Self { min: b.min.min(p), max: b.max.max(p) },
                None => Self { min: p, max: p },
            })
        })
    }

    /// Returns the smallest box that contains both boxes.
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let pick = |corner: usize, bit: usize, low: f32, high: f32| if corner & bit == 0 { low } else { high };
        std::array::from_fn(|i| {
            Vec3::new(
                pick(i, 1, self.min.x, self.max.x),
                pick(i, 2, self.min.y, self.max.y),
                pick(i, 4, self.min.z, self.max.z),
            )
        })
    }

    /// The box around this one after a transform; this one where that leads nowhere.
    pub fn transformed(&self, transform: &Affine3A) -> Self {
        Self::of(self.corners().map(|corner| transform.transform_point3(corner))).unwrap_or(*self)
    }

    /// Returns the centre of the box.
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f32 {
        (self.max - self.min).length()
    }
}
