//! The island as a project.

use bonebox::formats::visitor::encode::{
    Background, CellPlace, Layer, Material, Object, Project, Road, RoadNets, RoadParts, RoadPiece, Zone,
};

use super::{
    Island,
    ground::{CELL, SIDE, WIDTH},
    kinds::Kind,
    place::Thing,
};

pub fn project(island: &Island) -> Project {
    let objects = (1..).zip(&island.site.things).map(|(id, thing)| Some(object(island, id, thing)));
    Project {
        cell: Some(CellPlace::of(CELL)),
        types: Kind::ALL.map(Kind::object_type).to_vec(),
        roads: Some(RoadNets { roads: vec![asphalt(), track()], ..RoadNets::default() }),
        columns: SIDE as u32,
        rows: SIDE as u32,
        heights: island.ground.heights.clone(),
        objects: objects.collect(),
        layers: vec![
            layer("Base", true, &["grass_shore", "grass_meadow", "forest_floor", "rock_grey", "sand_bay"]),
            layer("Villages", false, &["gravel_yard", "field_stubble", "field_ploughed"]),
        ],
        zones: zones().into_iter().map(Some).collect(),
        backgrounds: vec![Background {
            file: "p:\\marrow\\source\\MarrowIsle.png".to_owned(),
            name: "Painted map".to_owned(),
            offset: [0.0, 0.0],
            size: [WIDTH, WIDTH],
            transparency: 30,
            visible: true,
        }],
        ..Project::default()
    }
}

fn object(island: &Island, id: u32, thing: &Thing) -> Object {
    let height = thing.height.unwrap_or_else(|| island.ground.height(thing.place));
    let mut object =
        Object::new(id, thing.kind.id(), [thing.place.x, height, thing.place.y], thing.heading, thing.size);
    // Tilted about the axis that points aside.
    let ((sin, cos), (rise, ahead)) = (thing.heading.sin_cos(), thing.pitch.sin_cos());
    let [_, up, dir] = &mut object.axes;
    *up = [-sin * rise, ahead, -cos * rise].map(|v| v * thing.size);
    *dir = [sin * ahead, rise, cos * ahead].map(|v| v * thing.size);
    object.name = thing.name.to_owned();
    object
}

fn pieces(kinds: &[Kind]) -> Vec<RoadPiece> {
    let piece =
        |kind: &Kind| RoadPiece { name: kind.model().0.to_owned(), type_id: kind.id(), kind: 0, changes_bank: true };
    kinds.iter().map(piece).collect()
}

fn asphalt() -> Road {
    Road {
        name: "Asphalt".to_owned(),
        key_color: [240, 200, 60, 255],
        color: [110, 112, 116, 255],
        filled: true,
        max_angle_degrees: 30.0,
        max_bank_degrees: 8.0,
        parts: RoadParts {
            straights: pieces(&[Kind::Road25, Kind::Road12, Kind::Road6]),
            curves: pieces(&[Kind::Bend]),
            specials: pieces(&[Kind::Crossing]),
            terminators: pieces(&[Kind::RoadEnd]),
        },
    }
}

fn track() -> Road {
    Road {
        name: "Track".to_owned(),
        key_color: [210, 160, 90, 255],
        color: [165, 140, 100, 255],
        filled: false,
        max_angle_degrees: 40.0,
        max_bank_degrees: 15.0,
        parts: RoadParts { straights: pieces(&[Kind::Track12, Kind::Track6]), ..RoadParts::default() },
    }
}

fn layer(name: &str, is_default: bool, materials: &[&str]) -> Layer {
    let path = |name: &&str| format!("marrow\\ground\\{name}.rvmat");
    Layer {
        name: name.to_owned(),
        size_type: 2,
        second_name: name.to_owned(),
        is_default,
        materials: (1..).zip(materials).map(|(number, name)| Material { number, path: path(name), last: 0 }).collect(),
    }
}

fn zones() -> [Zone; 3] {
    let zone = |id, name: &str, second_name: &str, [r, g, b]: [u8; 3], corners: &[[f32; 2]]| Zone {
        movable: 1,
        name: name.to_owned(),
        area: [r, g, b, 255],
        outline: [r / 2, g / 2, b / 2, 255],
        style: 1,
        floats: corners.concat(),
        id,
        second_name: second_name.to_owned(),
    };
    [
        zone(
            1,
            "Marrow Fell nature reserve",
            "reserve",
            [60, 170, 80],
            &[
                [880.0, 1480.0],
                [820.0, 1680.0],
                [930.0, 1860.0],
                [1150.0, 1930.0],
                [1400.0, 1850.0],
                [1470.0, 1640.0],
                [1330.0, 1470.0],
                [1080.0, 1420.0],
            ],
        ),
        zone(
            2,
            "Port Marrow harbour",
            "harbour",
            [70, 120, 210],
            &[[1150.0, 860.0], [1150.0, 1080.0], [1420.0, 1080.0], [1420.0, 860.0]],
        ),
        zone(
            3,
            "Hermit's Islet",
            "islet",
            [200, 150, 60],
            &[
                [2050.0, 1990.0],
                [2080.0, 2130.0],
                [2150.0, 2240.0],
                [2330.0, 2240.0],
                [2330.0, 1960.0],
                [2230.0, 1910.0],
            ],
        ),
    ]
}
