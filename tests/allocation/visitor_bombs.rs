//! R5, R7: projects that keep to their layout and are made to cost far more than their size: each about a megabyte of the same.

use crate::{
    heap::{self, Heap},
    kit::{
        exercise::{Outcome, exercise},
        made_visitor,
    },
};
use bonebox::formats::visitor::encode::{
    Background, Dialect, Layer, Object, ObjectType, Project, Road, RoadNets, SubObject, Zone, encode_pew,
    encode_pew_with_places,
};
use std::time::Instant;

/// Reads and exports a file in every way, within the memory that its size allows; says how long that takes.
fn held(what: &str, bytes: &[u8]) -> Outcome {
    let heap = Heap::watch();
    let start = Instant::now();
    let outcome = exercise("bomb.pew", bytes, true);
    let used = heap.assert_justified_by(bytes.len(), what);
    println!("{what}: {} bytes; {used} held, {:.2} s", bytes.len(), start.elapsed().as_secs_f64());
    outcome
}

fn objects(count: u32, change: impl Fn(u32, &mut Object)) -> Vec<Option<Object>> {
    let object = |i: u32| {
        let mut object = Object::new(i, 1000, [(i % 150) as f32, 10.0, (i / 150) as f32], i as f32, 1.0);
        change(i, &mut object);
        Some(object)
    };
    (0..count).map(object).collect()
}

/// What is made of a project before it is written.
type Change<'a> = Box<dyn Fn(&mut Project) + 'a>;

#[test]
fn much_of_one_thing_costs_no_more_than_it_is() {
    let _alone = heap::alone();
    let plain = made_visitor::project(16, 4);
    let named = |i: u32, length: usize| format!("{i:07}{}", "n".repeat(length));
    let cases: [(&str, Change<'_>); 17] = [
        (
            "types with long names",
            Box::new(|p| {
                p.types = (0..480)
                    .map(|i| ObjectType { id: i, model: named(i, 990), name: named(i, 990), ..ObjectType::default() })
                    .collect();
            }),
        ),
        ("names beyond the longest", Box::new(|p| p.types[0].name = "n".repeat(1 << 20))),
        (
            "types of one number",
            Box::new(|p| {
                p.types = vec![ObjectType { id: 1000, model: "a.p3d".to_owned(), ..ObjectType::default() }; 3_500];
                p.objects = objects(5_000, |_, _| ());
            }),
        ),
        (
            "a type in a thousand folders",
            Box::new(|p| {
                p.types = (0..1_000)
                    .map(|i| ObjectType {
                        id: i,
                        model: format!("{}x{i}.p3d", "d\\".repeat(400)),
                        ..ObjectType::default()
                    })
                    .collect();
            }),
        ),
        ("a type of many parts", Box::new(|p| p.types[0].subs = vec![SubObject::default(); 27_000])),
        ("places that are nowhere", Box::new(|p| p.objects = objects(12_000, |_, o| o.axes = [[f32::NAN; 3]; 3]))),
        ("objects at no height", Box::new(|p| p.objects = objects(12_000, |_, o| o.position[1] = f32::INFINITY))),
        ("objects of no size", Box::new(|p| p.objects = objects(12_000, |_, o| o.axes = [[0.0; 3]; 3]))),
        (
            "objects of a type each that is nowhere",
            Box::new(|p| p.objects = objects(12_000, |i, o| o.type_id = 1_000_000 + i)),
        ),
        ("objects with long names", Box::new(|p| p.objects = objects(900, |i, o| o.name = named(i, 1000)))),
        (
            "objects of one number and name",
            Box::new(|p| p.objects = objects(12_000, |_, o| (o.id, o.name) = (7, "same".to_owned()))),
        ),
        ("empty slots behind an object", Box::new(|p| p.objects.extend(vec![None; 500_000]))),
        (
            "empty roads",
            Box::new(|p| p.roads = Some(RoadNets { roads: vec![Road::default(); 20_000], ..RoadNets::default() })),
        ),
        ("empty layers", Box::new(|p| p.layers = vec![Layer::default(); 45_000])),
        ("zones without corners", Box::new(|p| p.zones = vec![Some(Zone::default()); 28_000])),
        (
            "a zone of very many corners",
            Box::new(|p| p.zones = vec![Some(Zone { floats: vec![1.0; 260_001], ..Zone::default() })]),
        ),
        (
            "pictures",
            Box::new(|p| {
                p.backgrounds =
                    vec![Background { file: "abc".to_owned(), size: [1.0; 2], ..Background::default() }; 25_000]
            }),
        ),
    ];
    for (what, change) in cases {
        let mut project = plain.clone();
        change(&mut project);
        let outcome = held(what, &encode_pew(&project, &Dialect::default()));
        assert!(outcome.opened && outcome.assets > 0 && outcome.unread == 0, "{what}: {outcome:?}");
    }
}

/// A grid is believed while 98 of 100 heights can be: those that cannot are holes.
#[test]
fn grids_at_the_limit_are_believed() {
    let _alone = heap::alone();
    let mut project = made_visitor::project(256, 100);
    let every = |n: usize, heights: &mut [f32]| heights.iter_mut().step_by(n).for_each(|height| *height = f32::NAN);
    every(101, &mut project.heights);
    assert!(held("a hundredth of holes", &encode_pew(&project, &Dialect::default())).assets > 0);
    every(10, &mut project.heights);
    let tenth = held("a tenth of holes", &encode_pew(&project, &Dialect::default()));
    assert!(tenth.opened);
}

/// Every count and every length of a string at its most: nothing is sized by it.
#[test]
fn every_count_at_its_most_sizes_nothing() {
    let _alone = heap::alone();
    let mut project = made_visitor::project(16, 12);
    project.types.truncate(4);
    project.types[0].subs = vec![SubObject::default()];
    project.roads = Some(RoadNets { roads: vec![Road::default()], ..RoadNets::default() });
    project.zones = vec![Some(Zone { floats: vec![1.0; 6], ..Zone::default() })];
    project.backgrounds = vec![Background { file: "map.bmp".to_owned(), size: [9.0; 2], ..Background::default() }];
    for dialect in [Dialect::default(), Dialect { version: 59, ..Dialect::published() }] {
        let written = encode_pew_with_places(&project, &dialect);
        assert!(written.places.counts.len() > 60, "{}", written.places.counts.len());
        for at in &written.places.counts {
            for most in [u32::MAX, i32::MAX as u32, 1 << 30, 1 << 16] {
                let mut bytes = written.bytes.clone();
                bytes[*at..*at + 4].copy_from_slice(&most.to_le_bytes());
                let outcome = held(&format!("{most:#x} at {at}"), &bytes);
                assert!(outcome.opened && outcome.unread == 0, "{most:#x} at {at}: {outcome:?}");
            }
        }
    }
}
