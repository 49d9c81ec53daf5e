//! R1, R5: Visitor projects that are cut, damaged, or made to cost far more than their size.

use crate::heap::{self, Heap};
use crate::kit;
use crate::kit::visitor::{open, try_open};
use bonebox::formats::{
    NO_OVERRIDES,
    visitor::encode::{Dialect, Object, ObjectClass, ObjectType, Project, encode_pew},
};
use std::{fs, time::Instant};

fn tiny() -> Vec<u8> {
    fs::read(kit::data().join("visitor/tiny60.pew")).unwrap()
}

/// Opens and shows bytes within the memory that their number allows. With `tiled`, every byte must be in one field.
fn show(what: &str, bytes: &[u8], tiled: bool) {
    let heap = Heap::watch();
    if let Ok(opened) = try_open(bytes, &NO_OVERRIDES) {
        let _ = std::hint::black_box(opened.load());
        std::hint::black_box(opened.document.terrain_card());
        if tiled {
            opened.assert_tiled(what);
        }
    }
    let used = heap.peak();
    assert!(used <= (64 << 20) + 16 * bytes.len(), "{what}: {used} bytes for {}", bytes.len());
}

#[test]
fn projects_cut_at_every_length_are_documents_or_errors() {
    let _alone = heap::alone();
    let bytes = tiny();
    // Within the heights every cut is like the next.
    let lengths = (0..2_100).chain((2_100..18_300).step_by(41)).chain(18_300..bytes.len());
    for length in lengths {
        show(&format!("cut at {length}"), &bytes[..length], length % 29 == 0);
    }
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
    assert_eq!((cut(1_900).codes(), cut(1_900).load().is_err()), (vec!["visitor.no-grid", "visitor.no-objects"], true));
    // Within the backgrounds: everything before them.
    let opened = cut(22_700);
    assert_eq!((opened.terrain().props.len(), opened.terrain().zones.len()), (35, 1));
    assert_eq!(opened.codes(), ["visitor.bad-tail"]);
}

#[test]
fn damaged_projects_are_documents_or_errors() {
    let _alone = heap::alone();
    let bytes = tiny();
    let mut noise = kit::Noise::new(6);
    for round in 0..400 {
        let mut damaged = bytes.clone();
        for _ in 0..=noise.below(8) {
            // Heights are most of the file and the least of it.
            let at = if noise.below(4) == 0 { noise.below(bytes.len()) } else { noise.below(5_000) };
            let at = if at > 2_100 && at < 5_000 { at + 17_000 } else { at };
            damaged[at] = [0xFF, 0x7F, 0, 1, noise.next() as u8][noise.below(5)];
        }
        show(&format!("round {round}"), &damaged, round % 4 == 0);
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
            show(&format!("{worst:#x} at {at}"), &damaged, at % 61 == 0);
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
    let mut noise = kit::Noise::new(1);
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
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("zeros", repeated(&[], &[0])),
        ("ones", repeated(&[], &[1])),
        ("letters", repeated(&[], b"a")),
        ("small numbers", repeated(&[], &numbers(&[8]))),
        ("counts", repeated(&[], &numbers(&[1, 0]))),
        ("noise", [start(&[]), random.clone()].concat()),
        ("grids", repeated(&numbers(&[0]), &grid)),
        ("slots", repeated(&[], &slots)),
        ("models", repeated(&[], &model)),
        ("parts of models", repeated(&[], &subs)),
        ("backgrounds", repeated(&[], &background.concat())),
        ("layers", repeated(&numbers(&[0]), &numbers(&[1, 0, 0, 0, 0, 1]))),
        ("noise behind objects", [&tiny[..22_425], &random].concat()),
        ("noise behind heights", [&tiny[..18_385], &random].concat()),
        ("zeros behind heights", [&tiny[..18_385], &vec![0; size][..]].concat()),
        ("empty slots", {
            let mut bytes = tiny[..19_417].to_vec();
            bytes[19_413..].copy_from_slice(&u32::MAX.to_le_bytes());
            bytes.resize(size, 0);
            bytes
        }),
    ];
    for (name, bytes) in cases {
        let start = Instant::now();
        show(name, &bytes, true);
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
