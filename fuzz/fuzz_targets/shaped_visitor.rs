//! Terrain projects of valid shape, spoilt.
#![no_main]

#[path = "../../benches/made_visitor/mod.rs"]
mod made_visitor;
#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::{
    Asset,
    visitor::encode::{Dialect, encode_pew},
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

#[derive(Debug, Arbitrary)]
struct File {
    side: u8,
    slots: u8,
    types: u8,
    layers: u8,
    has_roads: bool,
    has_cell: bool,
}

fn side(file: &File) -> u32 {
    // Smaller grids are none (formats/visitor.md §1.7).
    u32::from(file.side % 14) + 8
}

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    let write = |file: &File| {
        let mut project = made_visitor::project(side(file), usize::from(file.slots % 40));
        project.types.truncate(usize::from(file.types % 16) + 1);
        project.layers = vec![project.layers[0].clone(); usize::from(file.layers % 3)];
        project.roads = project.roads.filter(|_| file.has_roads);
        project.cell = project.cell.filter(|_| file.has_cell);
        ("fuzz.pew", encode_pew(&project, &Dialect::default()))
    };
    shape::run_linked(input, write, |file, read| {
        let terrain = read
            .assets
            .iter()
            .flatten()
            .find_map(|asset| if let Asset::Terrain(terrain) = asset { Some(terrain) } else { None });
        let terrain = terrain.expect("a landscape");
        assert_eq!((terrain.grid.columns, terrain.grid.rows), (side(file), side(file)));
    });
});
