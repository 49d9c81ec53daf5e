//! Visitor projects of a given size, written by the project's own encoder.

#![allow(dead_code, reason = "each benchmark and test uses its part")]

use bonebox::formats::visitor::encode::{
    CellPlace, Dialect, Layer, Material, Object, ObjectClass, ObjectType, Project, RoadNets, encode_pew,
};

/// The project of P11.
pub const SIDE: u32 = 2048;
pub const SLOTS: usize = 100_000;
/// Every so many slots one is empty.
pub const EMPTY: usize = 50;
pub const TYPES: usize = 120;
/// Metres between heights.
pub const CELL: f32 = 10.0;

/// A height in metres: hills of several sizes.
pub fn height(column: u32, row: u32) -> f32 {
    let (x, z) = (column as f32, row as f32);
    40.0 * (x * 0.011).sin() * (z * 0.013).cos() + 6.0 * (x * 0.09 + z * 0.07).sin() + 20.0
}

/// East and north of a slot's object, on a sample of the grid.
pub fn sample_of(slot: usize, side: u32) -> [u32; 2] {
    let mixed = (slot as u32).wrapping_mul(2_654_435_761);
    [mixed >> 11, mixed.wrapping_mul(40_503) >> 9].map(|v| v % side)
}

/// A square project of so many samples on a side, with so many slots.
pub fn project(side: u32, slots: usize) -> Project {
    let object_type = |i: usize| ObjectType {
        model: format!("made\\types\\thing_{i:03}.p3d"),
        name: format!("made\\types\\thing_{i:03}"),
        class: if i.is_multiple_of(10) { ObjectClass::Artificial } else { ObjectClass::Natural },
        footprint: [4.0, 6.0],
        id: 1000 + i as u32,
        ..ObjectType::default()
    };
    let object = |slot: usize| {
        let [column, row] = sample_of(slot, side);
        let place = [column as f32 * CELL, height(column, row), row as f32 * CELL];
        let mut object =
            Object::new(slot as u32 + 1, 1000 + (slot % TYPES) as u32, place, slot as f32 * 0.37 % 6.0 - 3.0, 1.0);
        if slot.is_multiple_of(1000) {
            object.name = format!("named_{slot}");
        }
        (slot % EMPTY != EMPTY - 1).then_some(object)
    };
    let material = |number| Material { number, path: format!("made\\ground\\m{number}.rvmat"), last: 0 };
    let layer = Layer {
        name: "Base".to_owned(),
        size_type: 2,
        second_name: "Base".to_owned(),
        is_default: true,
        materials: (1..20).map(material).collect(),
    };
    Project {
        cell: Some(CellPlace::of(CELL)),
        types: (0..TYPES).map(object_type).collect(),
        roads: Some(RoadNets::default()),
        columns: side,
        rows: side,
        heights: (0..side).flat_map(|row| (0..side).map(move |column| height(column, row))).collect(),
        objects: (0..slots).map(object).collect(),
        layers: vec![layer],
        ..Project::default()
    }
}

/// The file of P11.
pub fn large() -> Vec<u8> {
    encode_pew(&project(SIDE, SLOTS), &Dialect::default())
}
