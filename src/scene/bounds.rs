use glam::Vec3;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub min: Vec3,
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

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f32 {
        (self.max - self.min).length()
    }
}
