//! Villages along their streets, farms with their fields, and the harbour.

use glam::Vec2;

use super::{
    ground::Ground,
    kinds::Kind,
    place::{Dice, Site, Thing},
    roads::{Way, along, heading},
};

/// A village: its middle, and how far its houses go.
pub struct Village {
    pub center: Vec2,
    pub radius: f32,
    /// Which way its second street goes.
    pub street: Vec2,
    pub church: &'static str,
}

/// A rectangle of crops.
pub struct Field {
    pub center: Vec2,
    /// Half its length and width along its own axes, in metres.
    pub half: Vec2,
    /// Radians clockwise from north.
    pub heading: f32,
    pub crop: u32,
}

impl Field {
    /// A direction of the field's own in the world's.
    fn turned(&self, local: Vec2) -> Vec2 {
        let ahead = Vec2::new(self.heading.sin(), self.heading.cos());
        Vec2::new(ahead.y, -ahead.x) * local.x + ahead * local.y
    }

    /// Where a place is in the field, −1 to 1 along its axes.
    pub fn local(&self, place: Vec2) -> Vec2 {
        let ahead = Vec2::new(self.heading.sin(), self.heading.cos());
        let from = place - self.center;
        Vec2::new(from.dot(Vec2::new(ahead.y, -ahead.x)), from.dot(ahead)) / self.half
    }

    pub fn contains(&self, place: Vec2) -> bool {
        self.local(place).abs().max_element() <= 1.0
    }
}

impl Village {
    /// Streets that go off the main road, as far as there is dry land.
    pub fn streets(&self, ground: &Ground) -> Vec<Way> {
        let across = self.street.normalize_or(Vec2::Y);
        let side = across.perp();
        let dry = |from: Vec2, to: Vec2| {
            let steps = (0..=40).map(|i| from.lerp(to, i as f32 / 40.0));
            steps.take_while(|place| ground.height(*place) > 2.6).last().unwrap_or(from)
        };
        let line = |from: Vec2, to: Vec2| {
            let middle = (from + to) / 2.0;
            Way { points: vec![dry(middle, from), dry(middle, to)], paved: true }
        };
        let far = self.radius * 0.92;
        vec![
            line(self.center - across * far, self.center + across * far),
            line(
                self.center + across * far * 0.55 - side * far * 0.7,
                self.center + across * far * 0.55 + side * far * 0.7,
            ),
        ]
    }

    /// The church beside the crossing, its door to the street.
    pub fn build_church(&self, ground: &Ground, site: &mut Site) {
        let (across, side) = (self.street.normalize_or(Vec2::Y), self.street.perp().normalize_or(Vec2::X));
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let places = (0..6).flat_map(|ring| {
            corners.map(|(a, s)| {
                let far = 26.0 + ring as f32 * 7.0;
                self.center + across * a * far + side * s * far
            })
        });
        for place in places {
            let door = heading(-side * (place - self.center).dot(side).signum());
            if ground.height(place) > 3.0 && site.is_free(place, 13.0) {
                let church = Thing { name: self.church, ..Thing::new(Kind::Church, place, door) };
                site.put(church, 13.0);
                return;
            }
        }
    }

    /// Houses along a way as far as the village goes, their doors to it.
    pub fn build_along(&self, way: &Way, ground: &Ground, site: &mut Site, dice: &mut Dice) {
        let mut far = 9.0;
        while far < way.length() - 6.0 {
            let (place, ahead) = along(&way.points, far);
            let middle = place.distance(self.center) / self.radius;
            for side in [ahead.perp(), -ahead.perp()] {
                // Fewer at its ends.
                if middle > 1.0 || dice.roll() < middle * 0.45 {
                    continue;
                }
                let (kind, room, back) = match dice.roll() {
                    r if r < 0.45 => (Kind::Cottage, 6.5, 12.5),
                    r if r < 0.85 => (Kind::House, 7.5, 13.0),
                    _ => (Kind::Longhouse, 9.0, 13.5),
                };
                let at = place + side * (back + dice.between(0.0, 3.0));
                let turn = heading(-side) + dice.between(-0.05, 0.05);
                if ground.height(at) < 2.4 || ground.slope(at) > 0.24 || !site.put(Thing::new(kind, at, turn), room) {
                    continue;
                }
                yard(at, side, ground, site, dice);
            }
            far += dice.between(17.0, 23.0);
        }
        // Lamps on one side.
        let mut far = 14.0;
        while far < way.length() {
            let (place, ahead) = along(&way.points, far);
            let at = place + ahead.perp() * 5.2;
            if place.distance(self.center) < self.radius && ground.height(at) > 2.0 {
                site.put(Thing::new(Kind::Lamp, at, heading(-ahead.perp())), 0.4);
            }
            far += 36.0;
        }
    }
}

/// What is behind a house: a shed, a tree, a wall.
fn yard(house: Vec2, back: Vec2, ground: &Ground, site: &mut Site, dice: &mut Dice) {
    let side = back.perp();
    let mut put = |kind, at: Vec2, turn, room| ground.height(at) > 2.4 && site.put(Thing::new(kind, at, turn), room);
    if dice.roll() < 0.45 {
        put(Kind::Shed, house + back * dice.between(10.0, 13.0) + side * dice.between(-5.0, 5.0), heading(side), 2.6);
    }
    if dice.roll() < 0.7 {
        let kind = if dice.roll() < 0.5 { Kind::Oak } else { Kind::Birch };
        put(
            kind,
            house + back * dice.between(9.0, 17.0) + side * dice.between(-9.0, 9.0),
            dice.between(-3.0, 3.0),
            3.0,
        );
    }
    if dice.roll() < 0.5 {
        for step in [-6.0, 0.0, 6.0] {
            put(Kind::Wall, house + back * 20.0 + side * step, heading(side), 0.8);
        }
    }
}

/// A farm off a way: a house, a barn, a silo, and fields around it, fenced.
pub fn build_farm(
    center: Vec2,
    facing: Vec2,
    name: &'static str,
    ground: &Ground,
    site: &mut Site,
    dice: &mut Dice,
) -> Vec<Field> {
    let ahead = facing.normalize_or(Vec2::Y);
    let side = ahead.perp();
    let turn = heading(ahead);
    site.put(Thing { name, ..Thing::new(Kind::Longhouse, center, turn) }, 9.0);
    for (kind, place, room) in [
        (Kind::Barn, center - ahead * 26.0 + side * 14.0, 12.0),
        (Kind::Silo, center - ahead * 20.0 - side * 4.0, 3.2),
        (Kind::Silo, center - ahead * 27.0 - side * 4.0, 3.2),
        (Kind::Shed, center + side * 19.0, 3.0),
    ] {
        site.put(Thing::new(kind, place, turn), room);
    }
    let mut fields: Vec<Field> = Vec::new();
    for _ in 0..160 {
        let around = dice.between(0.0, std::f32::consts::TAU);
        let place = center + Vec2::new(around.sin(), around.cos()) * dice.between(50.0, 250.0);
        let half = Vec2::new(dice.between(20.0, 34.0), dice.between(28.0, 46.0));
        let crop = fields.len() as u32;
        let field = Field { center: place, half, heading: turn + dice.between(-0.12, 0.12), crop };
        let spots: Vec<Vec2> = (-4..=4)
            .flat_map(|x| (-4..=4).map(move |y| Vec2::new(x as f32, y as f32) / 4.0))
            .map(|local| field.center + field.turned(local * (field.half + 3.0)))
            .collect();
        let flat = spots.iter().all(|at| (3.0..150.0).contains(&ground.height(*at)) && ground.slope(*at) < 0.3);
        let apart = fields.iter().all(|other| spots.iter().all(|at| other.local(*at).abs().max_element() > 1.08));
        if flat && apart && spots.iter().all(|at| site.is_free(*at, 2.0)) {
            fence(&field, ground, site);
            fields.push(field);
        }
        if fields.len() == 7 {
            break;
        }
    }
    for field in &fields {
        // Haystacks in rows on every other field.
        if field.crop % 3 == 0 {
            for row in -2..=2 {
                for column in -2..=2 {
                    let local = Vec2::new(column as f32, row as f32) * 0.36;
                    let at = field.center + field.turned(local * field.half) + Vec2::new(dice.roll(), dice.roll());
                    site.put(Thing::new(Kind::Haystack, at, 0.0), 1.5);
                }
            }
        }
        take_field(field, site);
    }
    fields
}

/// Posts and rails around a field, with a gap for a gate.
fn fence(field: &Field, ground: &Ground, site: &mut Site) {
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)]
        .map(|(x, y)| field.center + field.turned(Vec2::new(x, y) * field.half));
    for (index, from) in corners.into_iter().enumerate() {
        let to = corners[(index + 1) % 4];
        let way = (to - from).normalize_or(Vec2::Y);
        let count = (from.distance(to) / 8.0).floor() as usize;
        for step in (0..count).filter(|step| index != 3 || *step != count / 2) {
            let (start, end) = (from + way * 8.0 * step as f32, from + way * 8.0 * (step + 1) as f32);
            let [low, high] = [start, end].map(|place| ground.height(place));
            let rail = Thing {
                pitch: ((high - low) / 8.0).atan(),
                height: Some((low + high) / 2.0),
                ..Thing::new(Kind::Fence, (start + end) / 2.0, heading(way))
            };
            site.things.push(rail);
        }
    }
}

/// Nothing else grows on a field.
fn take_field(field: &Field, site: &mut Site) {
    let steps = |half: f32| (half / 8.0).ceil() as i32;
    for y in -steps(field.half.y)..=steps(field.half.y) {
        for x in -steps(field.half.x)..=steps(field.half.x) {
            let local = Vec2::new(x as f32 / steps(field.half.x) as f32, y as f32 / steps(field.half.y) as f32);
            site.take(field.center + field.turned(local * field.half), 6.0);
        }
    }
}

/// A pier from the shore, boats beside it, and a crane and warehouses behind.
pub fn build_harbour(ground: &Ground, village: Vec2, site: &mut Site, dice: &mut Dice) -> Vec2 {
    // Straight south to the water.
    let shore = (0..60).map(|i| village - Vec2::Y * (i as f32 * 5.0)).find(|at| ground.height(*at) < 0.3);
    let shore = shore.unwrap_or(village);
    for pier in 0..2 {
        let start = shore + Vec2::new(pier as f32 * 46.0 - 6.0, 16.0);
        let count = 9 - pier * 3;
        for step in 0..count {
            let at = start - Vec2::Y * (step as f32 * 10.0);
            let name = if pier == 0 && step + 1 == count { "pier_head" } else { "" };
            let deck = Thing { height: Some(1.5), name, ..Thing::new(Kind::Pier, at, std::f32::consts::PI) };
            site.things.push(deck);
            site.take(at, 7.0);
            if step > 3 && dice.roll() < 0.75 {
                let side = if dice.roll() < 0.5 { 6.0 } else { -6.0 };
                let boat = Thing::new(Kind::Boat, at + Vec2::X * side, dice.between(-0.12, 0.12));
                site.things.push(Thing { height: Some(0.0), ..boat });
            }
        }
    }
    let quay = shore + Vec2::Y * 34.0;
    site.put(
        Thing { name: "harbour_crane", ..Thing::new(Kind::Crane, quay + Vec2::new(17.0, -6.0), std::f32::consts::PI) },
        6.0,
    );
    for (east, name) in [(-34.0, "warehouse_1"), (-56.0, "warehouse_2"), (62.0, "warehouse_3")] {
        let place = quay + Vec2::new(east, 6.0);
        if ground.height(place) > 1.4 {
            site.put(Thing { name, ..Thing::new(Kind::Warehouse, place, 0.0) }, 12.0);
        }
    }
    shore
}
