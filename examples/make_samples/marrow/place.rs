//! Positions of placed objects, and tests for free space.

use std::collections::HashMap;

use glam::Vec2;

use super::kinds::Kind;

/// Numbers that look random and are always the same.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// 0 up to 1.
    pub fn roll(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.roll()
    }
}

/// A thing on the ground.
pub struct Thing {
    pub kind: Kind,
    /// East and north, in metres.
    pub place: Vec2,
    /// Radians clockwise from north.
    pub heading: f32,
    /// Radians up, ahead.
    pub pitch: f32,
    pub size: f32,
    /// In metres; `None` stands on the ground.
    pub height: Option<f32>,
    pub name: &'static str,
}

impl Thing {
    pub fn new(kind: Kind, place: Vec2, heading: f32) -> Self {
        Self { kind, place, heading, pitch: 0.0, size: 1.0, height: None, name: "" }
    }
}

/// Everything that stands, and the room that it takes.
#[derive(Default)]
pub struct Site {
    pub things: Vec<Thing>,
    taken: HashMap<(i32, i32), Vec<(Vec2, f32)>>,
}

/// Metres on a side of the squares in which neighbours are looked for; nothing takes a larger radius than half of it.
const SQUARE: f32 = 40.0;

impl Site {
    fn square(place: Vec2) -> (i32, i32) {
        ((place.x / SQUARE).floor() as i32, (place.y / SQUARE).floor() as i32)
    }

    /// Nothing else may stand within so many metres.
    pub fn take(&mut self, place: Vec2, radius: f32) {
        self.taken.entry(Self::square(place)).or_default().push((place, radius.min(SQUARE / 2.0)));
    }

    pub fn is_free(&self, place: Vec2, radius: f32) -> bool {
        let (x, y) = Self::square(place);
        let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
        near.filter_map(|square| self.taken.get(&square))
            .flatten()
            .all(|(other, taken)| other.distance(place) >= radius + taken)
    }

    /// Puts a thing where there is room for it.
    pub fn put(&mut self, thing: Thing, radius: f32) -> bool {
        let free = self.is_free(thing.place, radius);
        if free {
            self.take(thing.place, radius);
            self.things.push(thing);
        }
        free
    }
}
