//! R1, R5: Visitor projects that are cut, damaged, or made to cost far more than their size.

use crate::{
    heap::{self, Heap},
    kit::{
        Noise,
        open::Opened,
        visitor::{open, tiny, try_open},
    },
};
use bonebox::formats::{
    Content, OpenError,
    visitor::encode::{Dialect, Object, ObjectClass, ObjectType, Project, encode_pew},
};
use std::{collections::BTreeSet, time::Instant};

/// Opens and shows bytes within the memory that their number allows. With `tiled`, every byte must be in one field.
fn show(what: &str, bytes: &[u8], tiled: bool) -> Result<Opened, OpenError> {
    let heap = Heap::watch();
    let mut opened = try_open(bytes);
    if let Ok(opened) = &mut opened {
        let terrain = opened.document.outline().with_content(Content::Terrain).next().map(|entry| entry.id);
        if let Some(terrain) = terrain {
            drop(std::hint::black_box(opened.load_adding(terrain)));
        }
        std::hint::black_box(opened.document.terrain_card());
        if tiled {
            opened.assert_tiled(what);
        }
    }
    heap.assert_justified_by(bytes.len(), what);
    opened
}

fn codes(opened: &Opened) -> BTreeSet<&'static str> {
    opened.codes().into_iter().collect()
}

/// Types, objects that are somewhere, places for objects.
fn left(opened: &Opened) -> [usize; 3] {
    opened.try_terrain().map_or([0; 3], |t| [t.kinds.len(), t.props.len(), t.slots as usize])
}

#[test]
fn projects_cut_at_every_length_are_documents_or_errors() {
    let _alone = heap::alone();
    let bytes = tiny();
    // Within the heights every cut is like the next.
    let lengths = (0..2_100).chain((2_100..18_300).step_by(41)).chain(18_300..bytes.len());
    let mut objects = 0;
    for length in lengths {
        let opened = match show(&format!("cut at {length}"), &bytes[..length], length % 29 == 0) {
            Ok(opened) => opened,
            Err(error) => {
                let why = match length {
                    0..7 => "instead of POSEW and two digits".to_owned(),
                    _ => format!("the header ends too early: expected 48 bytes, found {length}"),
                };
                assert!(length < 48 && error.message.ends_with(&why), "{length}: {error}");
                continue;
            }
        };
        let mut codes = codes(&opened);
        // The number of road nets lies behind the types, and is zero where it is.
        codes.remove("visitor.bad-roads");
        let lost: &[&[&str]] = match length {
            ..1_828 => &[
                &["visitor.no-grid", "visitor.no-objects", "visitor.no-types"],
                &["visitor.no-grid", "visitor.no-objects", "visitor.short-types"],
            ],
            1_828..2_001 => &[&["visitor.no-grid", "visitor.no-objects"]],
            2_001..18_385 => &[&["visitor.short-heights"]],
            18_385..19_417 => &[&["visitor.no-objects"]],
            // The first few alone need not look like objects.
            19_417..19_936 => &[&["visitor.no-objects"], &["visitor.short-objects"]],
            19_936..22_425 => &[&["visitor.short-objects"]],
            22_425..22_595 => &[&["visitor.bad-layers"]],
            22_595..22_818 => &[&["visitor.bad-tail"]],
            _ => &[&[]],
        };
        assert!(lost.iter().any(|lost| codes.iter().eq(*lost)), "{length}: {codes:?}");
        let Ok(terrain) = opened.try_terrain() else {
            assert!(length < 2_001, "{length}");
            continue;
        };
        // What lies before the cut is there.
        let parts = [terrain.kinds.len(), terrain.roads.len(), terrain.grid.columns as usize];
        assert_eq!(parts, [8, 1, 64], "{length}");
        let parts = [terrain.layers.len(), terrain.zones.len(), terrain.pictures.len()];
        let ends = [22_595, 22_684, 22_818].map(|end| usize::from(length >= end));
        assert_eq!(parts, [ends[0], ends[1], ends[2] * 2], "{length}");
        if length >= 19_936 {
            assert!(terrain.props.len() >= objects, "{length}");
            objects = terrain.props.len();
        } else if !codes.contains("visitor.short-objects") {
        }
    }
    assert_eq!(objects, 35);
}

#[test]
fn cut_projects_keep_what_they_have() {
    let _alone = heap::alone();
    let bytes = tiny();
    let cut = |length: usize| open(&bytes[..length]);
    // Within the objects: as many as are whole, and what is lost is said.
    let opened = cut(20_500);
    let terrain = opened.terrain();
    assert!(terrain.slots > 5 && terrain.slots < 40 && terrain.kinds.len() == 8);
    assert_eq!(opened.codes(), ["visitor.short-objects"]);
    // Within the first object, within the floats before it, within the last row of heights, after the types.
    assert!(cut(19_440).codes().contains(&"visitor.short-objects"), "{:?}", cut(19_440).codes());
    assert_eq!(cut(18_900).codes(), ["visitor.no-objects"]);
    assert_eq!(cut(18_384).codes(), ["visitor.short-heights"]);
    assert_eq!(cut(18_384).terrain().grid.range().unwrap().holes, 1);
    assert_eq!(cut(1_900).codes(), ["visitor.no-grid", "visitor.no-objects"]);
    assert_eq!(cut(1_900).try_terrain().unwrap_err(), "no terrain");
    // Within the backgrounds: everything before them.
    let opened = cut(22_700);
    assert_eq!((opened.terrain().props.len(), opened.terrain().zones.len()), (35, 1));
    assert_eq!(opened.codes(), ["visitor.bad-tail"]);
}

#[test]
fn damaged_projects_are_documents_or_errors() {
    let _alone = heap::alone();
    let bytes = tiny();
    let mut noise = Noise::new(6);
    for round in 0..400 {
        let (mut damaged, mut places) = (bytes.clone(), Vec::new());
        for _ in 0..=noise.below(8) {
            // Heights are most of the file and the least of it.
            let at = if noise.below(4) == 0 { noise.below(bytes.len()) } else { noise.below(5_000) };
            let at = if at > 2_100 && at < 5_000 { at + 17_000 } else { at };
            places.push(at);
            damaged[at] = [0xFF, 0x7F, 0, 1, noise.next() as u8][noise.below(5)];
        }
        let opened = match show(&format!("round {round}"), &damaged, round % 4 == 0) {
            Ok(opened) => opened,
            Err(error) => {
                assert!(
                    places.iter().any(|at| *at < 7) && error.message.contains("instead of POSEW"),
                    "{round}: {error}"
                );
                continue;
            }
        };
        let found = codes(&opened);
        let heights = 2_001..18_385;
        if places.iter().all(|at| heights.contains(at)) {
            assert!(found.is_empty() || found.iter().eq(&["visitor.height-holes"]), "{round}: {found:?}");
        }
        // Where nothing is said all is there.
        assert!(!found.is_empty() || left(&opened) == [8, 35, 40], "{round}: {:?}", left(&opened));
    }
}

/// Every number that may be a count, wherever it lies.
#[test]
fn counts_at_their_worst_size_nothing() {
    let _alone = heap::alone();
    let bytes = tiny();
    let ends = (40..2_010).chain(19_400..19_600).chain(22_420..bytes.len() - 4);
    for at in ends {
        for worst in [u32::MAX, 0x7FFF_FFFF, 0x0001_0000] {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&worst.to_le_bytes());
            let what = format!("{worst:#x} at {at}");
            let opened = show(&what, &damaged, at % 61 == 0).unwrap_or_else(|e| panic!("{what}: {e}"));
            let (found, left) = (codes(&opened), left(&opened));
            let objects = 19_410..19_600;
            if objects.contains(&at) {
                assert!(left[0] >= 8 && (left[1] >= 32 || at == 19_411), "{what}: {left:?}");
            } else {
                // A type for what is of none is made up.
                assert!(
                    left == [8, 35, 40] || left == [9, 35, 40] && found.contains("visitor.unresolved-type"),
                    "{what}: {left:?} {found:?}"
                );
            }
            assert!(!found.is_empty() || left == [8, 35, 40], "{what}: {left:?}");
        }
    }
}

/// A million bytes that make every search go on for as long as it can.
#[test]
fn searches_end() {
    let _alone = heap::alone();
    let size = 1 << 20;
    let start = |head: &[u8]| {
        let mut bytes = b"POSEW60".to_vec();
        bytes.resize(44, 0);
        bytes.extend(head);
        bytes
    };
    let repeated = |head: &[u8], unit: &[u8]| {
        let mut bytes = start(head);
        while bytes.len() < size {
            bytes.extend(unit);
        }
        bytes
    };
    let numbers = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let mut noise = Noise::new(1);
    let random: Vec<u8> = (0..size).map(|_| noise.next() as u8).collect();
    // A small grid of small heights that is followed by another one, and zeros that may be anything.
    let grid = [numbers(&[8, 8]), numbers(&[1.0_f32.to_bits(); 62]), numbers(&[0; 40])].concat();
    let slots = [numbers(&[0, 0x40]), vec![0; 128]].concat();
    let model =
        [numbers(&[9, 6]), b"a.p3d\0".to_vec(), numbers(&[0, 1, 0, 0]), vec![0; 118], numbers(&[0, 7])].concat();
    let subs = [numbers(&[9, 6]), b"a.p3d\0\0\0".to_vec(), numbers(&[0; 33]), numbers(&[2000, 0, 0])].concat();
    let background =
        [numbers(&[2, 6]), b"a.bmp\0".to_vec(), numbers(&[0, 0, 0, 1.0_f32.to_bits(), 1.0_f32.to_bits(), 0, 9])];
    let tiny = tiny();
    let nothing: &[&str] = &["visitor.no-types", "visitor.no-grid", "visitor.no-objects"];
    let no_ground = &nothing[1..];
    let cases: Vec<(&str, &[&str], Vec<u8>)> = vec![
        ("zeros", no_ground, repeated(&[], &[0])),
        ("ones", nothing, repeated(&[], &[1])),
        ("letters", nothing, repeated(&[], b"a")),
        ("small numbers", nothing, repeated(&[], &numbers(&[8]))),
        (
            "counts",
            &["visitor.no-types", "visitor.bad-roads", "visitor.no-grid", "visitor.no-objects"],
            repeated(&[], &numbers(&[1, 0])),
        ),
        ("noise", nothing, [start(&[]), random.clone()].concat()),
        (
            "grids",
            &["visitor.moved-grid", "visitor.no-objects", "visitor.guessed-cell"],
            repeated(&numbers(&[0]), &grid),
        ),
        ("slots", no_ground, repeated(&[], &slots)),
        ("models", no_ground, repeated(&[], &model)),
        ("parts of models", nothing, repeated(&[], &subs)),
        ("backgrounds", nothing, repeated(&[], &background.concat())),
        ("layers", no_ground, repeated(&numbers(&[0]), &numbers(&[1, 0, 0, 0, 0, 1]))),
        ("noise behind objects", &["visitor.bad-layers"], [&tiny[..22_425], &random].concat()),
        ("noise behind heights", &["visitor.no-objects"], [&tiny[..18_385], &random].concat()),
        ("zeros behind heights", &["visitor.no-objects"], [&tiny[..18_385], &vec![0; size][..]].concat()),
        ("empty slots", &["visitor.no-objects"], {
            let mut bytes = tiny[..19_417].to_vec();
            bytes[19_413..].copy_from_slice(&u32::MAX.to_le_bytes());
            bytes.resize(size, 0);
            bytes
        }),
    ];
    for (name, found, bytes) in cases {
        let start = Instant::now();
        let opened = show(name, &bytes, true).unwrap();
        assert_eq!(opened.codes(), found, "{name}");
        println!("{name}: {:.2} s", start.elapsed().as_secs_f64());
    }
}

/// As large as projects get: 2048 × 2048 heights and 100,000 objects.
#[test]
fn large_projects_open() {
    let _alone = heap::alone();
    let side = 2048_u32;
    let slots = 100_000_u32;
    let height = |column: u32, row: u32| (column % 97) as f32 * 0.5 + (row % 31) as f32;
    let object = |slot: u32| {
        let (column, row) = (slot * 7 % (side - 1), slot * 13 % (side - 1));
        let position = [column as f32 * 10.0, height(column, row), row as f32 * 10.0];
        (slot % 10 != 9).then(|| Object::new(slot, 1 + slot % 2, position, slot as f32, 1.0))
    };
    let kind = |id: u32, class| ObjectType {
        model: format!("ca\\a{id}.p3d"),
        name: format!("ca\\a{id}"),
        id,
        class,
        ..ObjectType::default()
    };
    let project = Project {
        types: vec![kind(1, ObjectClass::Natural), kind(2, ObjectClass::Artificial)],
        columns: side,
        rows: side,
        heights: (0..side).flat_map(|row| (0..side).map(move |column| height(column, row))).collect(),
        objects: (0..slots).map(object).collect(),
        ..Project::default()
    };
    let bytes = encode_pew(&project, &Dialect::default());
    drop(project);
    let start = Instant::now();
    let opened = open(&bytes);
    println!("opened {} bytes in {:.2} s", bytes.len(), start.elapsed().as_secs_f64());
    let start = Instant::now();
    let terrain = opened.terrain();
    println!("loaded in {:.2} s", start.elapsed().as_secs_f64());
    assert_eq!((terrain.slots, terrain.props.len(), terrain.grid.len()), (slots, 90_000, 2048 * 2048));
    assert_eq!(opened.document.outline().entries().len() as u32, 15, "objects are no entries");
    let last = terrain.props.last().unwrap();
    assert_eq!((last.slot, last.id), (99_998, 99_998));
    let card = opened.document.terrain_card().unwrap();
    assert_eq!((card.x, card.z, card.range), (side, side, Some([0.0, 78.0])));
}
