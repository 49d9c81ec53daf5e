//! A Visitor sample project: Marrow Isle, with villages, woods, roads and a harbour.

mod ground;
mod kinds;
mod models;
mod picture;
mod place;
mod project;
mod roads;
mod villages;
mod woods;

use glam::Vec2;

use super::SampleFile;
use bonebox::formats::visitor::encode::{Dialect, encode_pew};
use ground::Ground;
use kinds::Kind;
use place::{Dice, Site, Thing};
use roads::{Way, heading, route};
use villages::{Field, Village, build_farm, build_harbour};

/// Everything there is on it.
pub struct Island {
    ground: Ground,
    ways: Vec<Way>,
    site: Site,
    fields: Vec<Field>,
}

pub fn files() -> Vec<SampleFile> {
    let island = island();
    let mut files = vec![
        SampleFile { name: "MarrowIsle.pew", bytes: encode_pew(&project::project(&island), &Dialect::default()) },
        SampleFile { name: "MarrowIsle.png", bytes: picture::map(&island) },
    ];
    files.extend(models::files());
    files
}

const PORT: Vec2 = Vec2::new(1290.0, 1135.0);
const RIBHAM: Vec2 = Vec2::new(700.0, 1090.0);
const SHINBONE: Vec2 = Vec2::new(1760.0, 1060.0);
const LIGHTHOUSE: Vec2 = Vec2::new(1985.0, 640.0);
const SUMMIT: Vec2 = Vec2::new(1130.0, 1640.0);

fn villages() -> [Village; 3] {
    [
        Village { center: PORT, radius: 190.0, street: Vec2::new(0.25, 1.0), church: "port_church" },
        Village { center: RIBHAM, radius: 150.0, street: Vec2::new(-0.2, 1.0), church: "ribham_church" },
        Village { center: SHINBONE, radius: 135.0, street: Vec2::new(0.3, -1.0), church: "shinbone_chapel" },
    ]
}

/// Where a way begins.
enum Start {
    At(Vec2),
    /// On another way, nearest to where this one goes.
    Off(usize),
}

/// The highest place near one.
fn top(ground: &Ground, near: Vec2, radius: f32) -> Vec2 {
    let places = (0..ground.heights.len()).map(ground::place_of).filter(|place| place.distance(near) < radius);
    places.max_by(|a, b| ground.height(*a).total_cmp(&ground.height(*b))).unwrap_or(near)
}

fn island() -> Island {
    let mut ground = Ground::new();
    let villages = villages();
    villages.iter().for_each(|village| ground.level(village.center, village.radius * 1.35));
    let (summit, head) = (top(&ground, SUMMIT, 200.0), top(&ground, LIGHTHOUSE, 70.0));
    let (north_farm, west_farm, east_farm) =
        (Vec2::new(760.0, 1620.0), Vec2::new(520.0, 980.0), Vec2::new(1660.0, 1250.0));
    for farm in [north_farm, west_farm, east_farm] {
        ground.level(farm, 150.0);
    }

    // Roads first: what is built later follows the ground that they leave.
    let mut ways: Vec<Way> = Vec::new();
    let mut build = |ground: &mut Ground, from: Start, to: Vec2, paved| {
        let from = match from {
            Start::At(place) => place,
            Start::Off(way) => {
                let near = roads::spaced(&ways[way].points, 4.0).into_iter();
                near.min_by(|a, b| a.distance(to).total_cmp(&b.distance(to))).unwrap_or(to)
            }
        };
        let way = Way { points: route(ground, from, to), paved };
        ground.bed(&way.profile(ground));
        ways.push(way);
    };
    build(&mut ground, Start::At(RIBHAM), PORT, true);
    build(&mut ground, Start::At(PORT), SHINBONE, true);
    build(&mut ground, Start::At(RIBHAM), north_farm, true);
    build(&mut ground, Start::At(SHINBONE), head + Vec2::new(-12.0, 16.0), true);
    build(&mut ground, Start::At(RIBHAM), west_farm, false);
    build(&mut ground, Start::Off(1), east_farm, false);
    build(&mut ground, Start::Off(2), summit - Vec2::Y * 26.0, false);
    let mut streets: Vec<Vec<Way>> = villages.iter().map(|village| village.streets(&ground)).collect();
    for street in streets.iter().flatten() {
        ground.bed(&street.profile(&ground));
    }
    ground.settle();

    let mut site = Site::default();
    for way in ways.iter().chain(streets.iter().flatten()) {
        lay(way, &ground, &mut site);
    }
    let mut dice = Dice::new(6);
    build_harbour(&ground, PORT, &mut site, &mut dice);
    for (village, streets) in villages.iter().zip(&streets) {
        site.things.push(Thing::new(Kind::Crossing, village.center, heading(village.street)));
        village.build_church(&ground, &mut site);
        for way in streets.iter().chain(ways.iter().filter(|way| way.paved)) {
            village.build_along(way, &ground, &mut site, &mut dice);
        }
    }
    let mut fields = Vec::new();
    for (way, name) in [(&ways[2], "north_farm"), (&ways[4], "west_farm"), (&ways[5], "east_farm")] {
        // Beside the end of its way.
        let (end, ahead) = roads::along(&way.points, way.length());
        let door = ahead.perp();
        fields.extend(build_farm(end - door * 18.0, door, name, &ground, &mut site, &mut dice));
    }
    site.put(Thing { name: "lighthouse", ..Thing::new(Kind::Lighthouse, head, 0.0) }, 6.0);
    site.put(Thing { name: "radio_mast", ..Thing::new(Kind::Mast, summit, 0.0) }, 5.0);
    let islet = top(&ground, Vec2::new(2170.0, 2060.0), 120.0);
    site.put(Thing { name: "hermitage", ..Thing::new(Kind::Cottage, islet, heading(RIBHAM - islet)) }, 8.0);
    woods::grow(&ground, &mut site, &mut dice);
    for street in streets.iter_mut() {
        ways.append(street);
    }
    Island { ground, ways, site, fields }
}

/// Pieces along a way, and room for them.
fn lay(way: &Way, ground: &Ground, site: &mut Site) {
    let (kinds, room): (&[(f32, Kind)], f32) = if way.paved {
        (&[(25.0, Kind::Road25), (12.5, Kind::Road12), (6.25, Kind::Road6)], 5.0)
    } else {
        (&[(12.5, Kind::Track12), (6.25, Kind::Track6)], 3.6)
    };
    let lengths: Vec<f32> = kinds.iter().map(|(length, _)| *length).collect();
    for piece in way.pieces(ground, &lengths) {
        let kind = kinds.iter().find(|(length, _)| *length == piece.length).map_or(Kind::Road6, |(_, kind)| *kind);
        let height = Some(piece.height + 0.05);
        site.things.push(Thing { pitch: piece.pitch, height, ..Thing::new(kind, piece.middle, piece.heading) });
    }
    for place in roads::spaced(&way.points, 4.0) {
        site.take(place, room);
    }
}
