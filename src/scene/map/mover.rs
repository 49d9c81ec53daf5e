//! Pieces of a level that move from key to key.

use glam::{Affine3A, Mat3A, Vec3};

/// A place that a mover takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoverKey {
    /// Scene space.
    pub location: Vec3,
    /// Pitch, yaw and roll in radians as the file has them, in the file's space. They may be more than a turn: a mover that turns
    /// about itself goes through all angles between two keys.
    pub turn: [f32; 3],
}

/// A mover: an item of the level and the way it takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapMover {
    /// Into [`super::Map::items`].
    pub item: u32,
    /// Into [`super::Map::actors`].
    pub actor: u32,
    /// In the order of the way; one at least.
    pub keys: Vec<MoverKey>,
    /// Into the keys: where it is when the level starts.
    pub start: u32,
    /// Time from a key to the next.
    pub seconds: f32,
    /// Slow at both ends of each stretch.
    pub glides: bool,
    /// The matrix is `T(location) · after_turn · R(turn) · before_turn`, with R as `rotation` has it.
    pub after_turn: Mat3A,
    /// Matrix that is applied before the turn: moves the pivot to the origin, then scales and shears.
    pub before_turn: Affine3A,
}

/// What pitch, yaw and roll do in scene space: roll about the file's X, then pitch, then yaw about its Z
/// (formats/unreal.md §8.4).
pub fn rotation([pitch, yaw, roll]: [f32; 3]) -> Mat3A {
    let [(sp, cp), (sy, cy), (sr, cr)] = [pitch, yaw, roll].map(f32::sin_cos);
    // As in the file's space, with Y and Z swapped on both sides.
    let forward = Vec3::new(cp * cy, sp, cp * sy);
    let right = Vec3::new(sr * sp * cy - cr * sy, -sr * cp, sr * sp * sy + cr * cy);
    let up = Vec3::new(-(cr * sp * cy + sr * sy), cr * cp, cy * sr - cr * sp * sy);
    Mat3A::from_cols(forward.into(), up.into(), right.into())
}

impl MapMover {
    /// Where it stands at a place on its way: a whole number is a key, what lies between is between two. Held to its keys.
    pub fn world_from_model(&self, position: f32) -> Affine3A {
        let key = self.key_at(position);
        let turned = self.after_turn * rotation(key.turn);
        let mut world = Affine3A { matrix3: turned, translation: glam::Vec3A::ZERO } * self.before_turn;
        world.translation += glam::Vec3A::from(key.location);
        world
    }

    /// The key at a place on its way.
    pub fn key_at(&self, position: f32) -> MoverKey {
        let last = self.keys.len().saturating_sub(1);
        let position = if position.is_finite() { position.clamp(0.0, last as f32) } else { 0.0 };
        let first = (position as usize).min(last);
        let part = position - first as f32;
        let part = if self.glides { part * part * (3.0 - 2.0 * part) } else { part };
        let Some(a) = self.keys.get(first).copied() else { return MoverKey::default() };
        let b = self.keys.get(first.saturating_add(1)).copied().unwrap_or(a);
        let turn = Vec3::from(a.turn).lerp(b.turn.into(), part).to_array();
        MoverKey { location: a.location.lerp(b.location, part), turn }
    }

    /// The last place on its way.
    pub fn end(&self) -> f32 {
        self.keys.len().saturating_sub(1) as f32
    }

    /// Where it is so many seconds after it was set off: from its first key to the last and, where it `returns`, back.
    pub fn position_after(&self, seconds: f32, returns: bool) -> f32 {
        let end = self.end();
        let way = if self.seconds > 0.0 { (seconds / self.seconds).max(0.0) } else { end };
        match returns && way > end {
            true => (2.0 * end - way).max(0.0),
            false => way.min(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    fn door() -> MapMover {
        let key = |x: f32, yaw: f32| MoverKey { location: Vec3::new(x, 0.0, 0.0), turn: [0.0, yaw, 0.0] };
        MapMover {
            keys: vec![key(0.0, 0.0), key(10.0, FRAC_PI_2), key(10.0, 2.0 * PI + FRAC_PI_2)],
            seconds: 2.0,
            before_turn: Affine3A::from_translation(Vec3::new(1.0, 0.0, 0.0)),
            ..MapMover::default()
        }
    }

    #[test]
    fn a_mover_goes_from_key_to_key() {
        let door = door();
        let at = |position| door.world_from_model(position).transform_point3(Vec3::ZERO);
        assert!(at(0.0).distance(Vec3::new(1.0, 0.0, 0.0)) < 1e-5);
        // Unreal's yaw turns its X towards its Y, which is the scene's Z.
        assert!(at(1.0).distance(Vec3::new(10.0, 0.0, 1.0)) < 1e-5);
        // Half of a whole turn beyond that, and not the short way, which would be none.
        assert!(at(1.5).distance(Vec3::new(10.0, 0.0, -1.0)) < 1e-4);
        assert_eq!(at(-3.0), at(0.0));
        assert_eq!(at(9.0), at(2.0));
        assert_eq!(at(f32::NAN), at(0.0));
        let gliding = MapMover { glides: true, ..door };
        assert!((gliding.key_at(0.25).location.x - 10.0 * 0.156_25).abs() < 1e-4);
    }

    #[test]
    fn a_mover_takes_its_time_and_comes_back() {
        let door = door();
        assert_eq!(door.position_after(1.0, false), 0.5);
        assert_eq!(door.position_after(9.0, false), 2.0);
        assert_eq!(door.position_after(5.0, true), 1.5);
        assert_eq!(door.position_after(90.0, true), 0.0);
        assert_eq!(MapMover { seconds: 0.0, ..door }.position_after(0.1, false), 2.0);
    }
}
