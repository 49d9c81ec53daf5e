//! Surfaces that show another place of the level: the sky, mirrors, warp zones.

use glam::{Affine3A, Quat, Vec3, Vec4};

/// What is seen in place of a surface (formats/unreal.md §16.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MapWindow {
    /// Into [`super::Map::skies`].
    Sky(u32),
    /// The level itself, mirrored at a plane: its normal, which points to who looks into the mirror, and its distance from the
    /// origin along that normal.
    Mirror(Vec4),
    /// The level as it looks from another place.
    Warp {
        /// Puts what lies behind the other end behind this surface.
        here_from_there: Affine3A,
        /// The other end's plane, in its own place: normal, away from which one looks out of it, and distance.
        there: Vec4,
    },
}

/// A sky: a room of the level, seen from one place in it wherever the visitor stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapSky {
    /// Into [`super::Map::actors`]: the SkyZoneInfo.
    pub actor: u32,
    /// Where the room is seen from, in scene space.
    pub location: Vec3,
    /// Turns the room before it is seen.
    pub rotation: Quat,
    /// The zone that the room is.
    pub zone: u8,
}

impl MapSky {
    /// Puts the room around an eye so that it is seen as from [`MapSky::location`].
    pub fn here_from_there(&self, eye: Vec3) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotation.inverse(), eye) * Affine3A::from_translation(-self.location)
    }
}

/// What a mirror makes of the world: every point on the other side of the plane, as far from it.
pub fn mirrored(plane: Vec4) -> Affine3A {
    let normal = plane.truncate();
    let across = |axis: Vec3| axis - 2.0 * axis.dot(normal) * normal;
    Affine3A::from_cols(
        across(Vec3::X).into(),
        across(Vec3::Y).into(),
        across(Vec3::Z).into(),
        (2.0 * plane.w * normal).into(),
    )
}

impl MapWindow {
    /// Puts what is seen through the window where it is seen from `eye`; `skies` are the level's. `None` for a sky that is not
    /// there.
    pub fn here_from_there(&self, skies: &[MapSky], eye: Vec3) -> Option<Affine3A> {
        match self {
            Self::Sky(sky) => Some(skies.get(*sky as usize)?.here_from_there(eye)),
            Self::Mirror(plane) => Some(mirrored(*plane)),
            Self::Warp { here_from_there, .. } => Some(*here_from_there),
        }
    }

    /// The plane before which nothing is seen, in the place that is seen: what lies on the side that its normal points to is.
    pub fn clip_plane(&self) -> Option<Vec4> {
        match self {
            Self::Sky(_) => None,
            Self::Mirror(plane) => Some(*plane),
            Self::Warp { there, .. } => Some(*there),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_turns_points_over_and_leaves_those_on_it() {
        // The plane z = 2, seen from above it.
        let mirror = mirrored(Vec4::new(0.0, 0.0, 1.0, 2.0));
        assert_eq!(mirror.transform_point3(Vec3::new(1.0, -3.0, 5.0)), Vec3::new(1.0, -3.0, -1.0));
        assert_eq!(mirror.transform_point3(Vec3::new(4.0, 7.0, 2.0)), Vec3::new(4.0, 7.0, 2.0));
        assert!(mirror.matrix3.determinant() < 0.0);
    }

    #[test]
    fn a_sky_is_seen_from_its_own_place() {
        let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let sky = MapSky { actor: 0, location: Vec3::new(100.0, 0.0, 0.0), rotation: quarter, zone: 2 };
        let eye = Vec3::new(1.0, 2.0, 3.0);
        let here = sky.here_from_there(eye);
        assert!(here.transform_point3(sky.location).distance(eye) < 1e-5);
        // The room's own view was turned from −Z to −X: what lies at its −X is seen at −Z.
        let seen = here.transform_vector3(quarter * Vec3::NEG_Z);
        assert!(seen.distance(Vec3::NEG_Z) < 1e-6);
    }
}
