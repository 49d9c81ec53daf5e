//! Terrain projects of valid shape, spoilt.
#![no_main]

#[path = "../../benches/made_visitor/mod.rs"]
mod made_visitor;
#[path = "../shape/mod.rs"]
mod shape;

use bonebox::formats::visitor::encode::{Dialect, encode_pew};
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

libfuzzer_sys::fuzz_target!(|input: shape::Input<File>| {
    shape::run_linked(input, |file| {
        let mut project = made_visitor::project(u32::from(file.side % 24) + 2, usize::from(file.slots % 40));
        project.types.truncate(usize::from(file.types % 16) + 1);
        project.layers = vec![project.layers[0].clone(); usize::from(file.layers % 3)];
        project.roads = project.roads.filter(|_| file.has_roads);
        project.cell = project.cell.filter(|_| file.has_cell);
        ("fuzz.pew", encode_pew(&project, &Dialect::default()))
    });
});
