//! A small landscape made by hand.

use crate::kit::island;
use bonebox::scene::{HeightGrid, Prop, PropClass, PropKind, PropMarker, Terrain, TerrainLayer};
use glam::Vec3;

/// Samples along a side, and metres between them.
const SIDE: u32 = 128;
const CELL: f32 = 10.0;

/// Number, class, name, path of the model, colour.
type Kind = (u32, PropClass, &'static str, &'static str, Option<[u8; 4]>);

const KINDS: [Kind; 8] = [
    (101, PropClass::Natural, "t_quercus2f_summer", r"ca\plants_e2\tree\t_quercus2f_summer.p3d", None),
    (102, PropClass::Natural, "b_craet1", r"ca\plants_e2\bush\b_craet1.p3d", Some([120, 190, 90, 255])),
    (103, PropClass::Natural, "t_pine", r"ca\plants\t_pine.p3d", Some([40, 96, 60, 255])),
    (201, PropClass::Artificial, "Land_Church_03", r"ca\structures\church_03.p3d", None),
    (202, PropClass::Artificial, "Land_House_01", r"ca\structures\house_01.p3d", Some([210, 170, 120, 255])),
    (203, PropClass::Artificial, "Land_Unused", r"ca\structures\unused.p3d", None),
    (301, PropClass::Road, "asf1_25", r"ca\roads2\asf1_25.p3d", None),
    (777, PropClass::Unresolved, "", "", None),
];

fn height(column: u32, row: u32) -> f32 {
    let (x, z) = (column as f32 / SIDE as f32 - 0.5, row as f32 / SIDE as f32 - 0.45);
    let hills = (x * 21.0).sin() * (z * 17.0).cos() * 9.0;
    120.0 * (-(x * x + z * z) * 9.0).exp() - 32.0 + hills
}

/// An island with `count` things on it: types in turn, the third from the end with a name, the last off the map.
pub fn island(count: u32) -> Terrain {
    let heights: Vec<f32> = (0..SIDE * SIDE).map(|i| height(i % SIDE, i / SIDE)).collect();
    let grid = HeightGrid { columns: SIDE, rows: SIDE, cell: CELL, heights: heights.into() };
    let kinds = KINDS.map(|(id, class, name, model, fill)| PropKind {
        id,
        name: name.into(),
        model: model.into(),
        fill,
        ..island::kind(class, PropMarker::Rectangle, Vec3::new(6.0, 8.0, 6.0))
    });
    // Land_Unused has none.
    let turns = [0, 1, 0, 2, 4, 0, 6, 3, 1, 0, 6, 7];
    let props = (0..count).map(|index| {
        let kind = turns[index as usize % turns.len()];
        let (column, row) = (20 + index * 7 % 80, 24 + index * 13 % 76);
        let east = if index + 1 == count { 5000.0 } else { column as f32 * CELL + 1.25 };
        Prop {
            slot: index * 2,
            id: 100_000 + index,
            type_id: KINDS[kind as usize].0,
            name: if index + 3 == count { "Old mill".into() } else { String::new() },
            ..island::prop(&grid, kind, east, row as f32 * CELL + 0.5, 0.0)
        }
    });
    Terrain {
        name: "Island".into(),
        kinds: kinds.into(),
        props: props.collect(),
        grid,
        slots: count * 2,
        layers: vec![TerrainLayer {
            name: "Base".into(),
            materials: vec!["gravel.rvmat".into(), "grass.rvmat".into()],
        }],
        ..Terrain::default()
    }
}
