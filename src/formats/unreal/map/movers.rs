//! Movers: the keys that they go through (formats/unreal.md §9.4).

use super::{actor::Actor, space};
use crate::scene::{MapMover, MoverKey};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// What the class Mover has, for movers that lie without it.
const NUM_KEYS: i32 = 2;
const MOVE_TIME: f32 = 1.0;
const GLIDE_BY_TIME: i32 = 1;
/// Keys of a mover: 8 in the games seen, 24 in patched ones.
const MAX_KEYS: i32 = 24;

/// The way of a mover, whose item is still to be set; `None` when it has no finite place.
pub fn mover(actor: &Actor, number: u32) -> Option<MapMover> {
    let start = actor.int("KeyNum").unwrap_or(0).clamp(0, MAX_KEYS.saturating_sub(1));
    let count = actor.int("NumKeys").unwrap_or(NUM_KEYS).clamp(start.saturating_add(1), MAX_KEYS);
    let place = |index: i32| Vec3::from(actor.vector_at("KeyPos", index as u32).unwrap_or_default());
    let turn = |index: i32| actor.rotator_at("KeyRot", index as u32).unwrap_or_default();
    // What it says of its base; else it stands at its start now.
    let base = actor.vector("BasePos").map(Vec3::from).filter(|base| base.is_finite());
    let base = base.unwrap_or_else(|| Vec3::from(actor.own.vector("Location").unwrap_or_default()) - place(start));
    let base_turn = actor.rotator_at("BaseRot", 0).unwrap_or_else(|| {
        let [now, key] = [actor.rotation(), turn(start)];
        [0, 1, 2].map(|axis| part(now, axis).wrapping_sub(part(key, axis)))
    });
    let key = |index: i32| {
        let offset = place(index);
        let location = base + if offset.is_finite() { offset } else { Vec3::ZERO };
        let turn = turn(index);
        MoverKey {
            location: space::point(location.to_array()),
            // Whole turns of the base say nothing, those between keys do.
            turn: [0, 1, 2].map(|axis| space::turns(part(base_turn, axis) & 0xFFFF) + space::turns(part(turn, axis))),
        }
    };
    let scale = |name: &str| actor.own.members(name).map_or(Mat3A::IDENTITY, space::scale);
    let swap = space::scene_from_unreal();
    let main = swap * scale("MainScale") * swap;
    let pivot = actor.own.vector("PrePivot").unwrap_or_default();
    let mover = MapMover {
        item: 0,
        actor: number,
        keys: (0..count).map(key).collect(),
        start: start.unsigned_abs(),
        seconds: actor.float("MoveTime").unwrap_or(MOVE_TIME).max(0.0),
        glides: actor.int("MoverGlideType").unwrap_or(GLIDE_BY_TIME) == GLIDE_BY_TIME,
        after_turn: swap * scale("PostScale") * swap,
        before_turn: Affine3A { matrix3: main, translation: -(main * Vec3A::from(space::point(pivot))) },
    };
    let is_sound = (0..mover.keys.len()).all(|key| mover.world_from_model(key as f32).is_finite());
    is_sound.then_some(mover)
}

fn part(rotator: [i32; 3], axis: usize) -> i32 {
    rotator.get(axis).copied().unwrap_or(0)
}
