//! Trees by height and slope, and rocks where the ground is steep.

use glam::Vec2;

use super::{
    ground::{Ground, WIDTH, rough},
    kinds::Kind,
    place::{Dice, Site, Thing},
};

/// Metres between the places where trees may stand.
const STEP: f32 = 11.5;

/// How wooded a place is: 0 a meadow, 1 the middle of a wood.
pub fn wooded(ground: &Ground, place: Vec2) -> f32 {
    let (height, slope) = (ground.height(place), ground.slope(place));
    let patches = (rough(place / 300.0, 3, 53.0) - 0.52) * 7.0;
    // Hillsides are left to the wood, plains are not; the summits are bare.
    let hill = ((height - 22.0) / 45.0).clamp(-0.8, 0.85) + ((slope - 0.12) * 2.0).clamp(-0.3, 0.5);
    let bare = ((height - 160.0) / 30.0).max(0.0) + ((slope - 0.82) * 5.0).max(0.0) + ((5.0 - height) / 2.5).max(0.0);
    (patches + hill - 0.35 - bare * 2.0).clamp(0.0, 1.0)
}

/// Rocks first, then whatever finds room.
pub fn grow(ground: &Ground, site: &mut Site, dice: &mut Dice) {
    let count = (WIDTH / STEP) as i32;
    for row in 0..count {
        for column in 0..count {
            let place = Vec2::new(column as f32 + dice.between(0.1, 0.9), row as f32 + dice.between(0.1, 0.9)) * STEP;
            let [chance, pick, turn, size] = [0; 4].map(|_| dice.roll());
            let (height, slope) = (ground.height(place), ground.slope(place));
            let turn = (turn * 2.0 - 1.0) * std::f32::consts::PI;
            if height < 1.2 {
                // A few boulders in the surf.
                if height > -2.0 && chance < 0.02 {
                    site.put(Thing::new(Kind::Boulder, place, turn), 2.0);
                }
                continue;
            }
            let stony = ((slope - 0.72) * 0.9).clamp(0.0, 0.3) + if height > 175.0 { 0.05 } else { 0.0 };
            let (kind, room) = if chance < stony {
                if pick < 0.3 { (Kind::Crag, 4.0) } else { (Kind::Boulder, 1.8) }
            } else {
                let wood = wooded(ground, place);
                if chance > wood * 0.92 {
                    // Bushes along the edge, and a lone tree here and there.
                    let edge = wood > 0.04 && chance < 0.3 + wood;
                    match (edge, height > 4.0 && height < 120.0 && chance > 0.994) {
                        (true, _) if pick < 0.35 => (Kind::Bush, 1.4),
                        (_, true) => (Kind::Oak, 4.0),
                        _ => continue,
                    }
                } else {
                    let high = (height + (rough(place / 140.0, 2, 71.0) - 0.5) * 70.0) / 100.0;
                    match pick {
                        p if p < high - 0.35 => (Kind::Spruce, 2.2),
                        p if p < high => (Kind::Pine, 2.4),
                        p if wood < 0.45 || p > 0.86 => (Kind::Birch, 2.2),
                        _ => (Kind::Oak, 3.2),
                    }
                }
            };
            // Sizes in steps of a twentieth.
            let size = ((0.8 + size * 0.45) * 20.0).round() / 20.0;
            site.put(Thing { size, ..Thing::new(kind, place, turn) }, room * size);
        }
    }
}
