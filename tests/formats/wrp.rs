//! Worlds made here byte by byte (formats/visitor.md §1.9).

use crate::kit::{
    codes::{Trigger, assert_table},
    open::{self, Opened, Opening},
    wrp::{eight, four, height, objects, sizes, words},
};
use bonebox::{
    formats::{Content, OpenError, Overrides, Value, coverage::coverage},
    scene::{PropClass, Terrain},
};
use glam::Vec3;
use std::sync::Arc;

const NAME: &str = "island.wrp";

fn open(bytes: Vec<u8>) -> Opened {
    open::open(NAME, bytes)
}

fn try_open(bytes: &[u8]) -> Result<Opened, OpenError> {
    Opening::of(NAME).open(bytes)
}

fn open_as(bytes: Vec<u8>, overrides: &[(&str, &str)]) -> Opened {
    let overrides: Overrides = overrides.iter().map(|(id, value)| ((*id).into(), (*value).into())).collect();
    Opening { overrides: &overrides, ..Opening::of(NAME) }.open(bytes).unwrap()
}

fn terrain(bytes: Vec<u8>) -> Arc<Terrain> {
    open(bytes).terrain()
}

#[test]
fn both_kinds_are_listed_by_their_parts() {
    for (bytes, class, materials) in [(eight(&objects()), "8WVR", "Materials"), (four(&objects()), "4WVR", "Textures")]
    {
        let Opened { document, diagnostics, .. } = open(bytes);
        assert_eq!(diagnostics, []);
        let names: Vec<(&str, Content)> =
            document.outline().entries().iter().map(|e| (&*e.path().into_owned().leak(), e.content)).collect();
        let none = Content::None;
        let expected = [
            ("", none),
            ("Terrain", Content::Terrain),
            ("Cells", none),
            (materials, none),
            ("Objects", none),
            ("Types", none),
        ];
        assert_eq!(names, expected);
        assert_eq!((&*document.outline().entries()[0].class, document.format().id), (class, "wrp"));
        let types = document.fields(document.outline().find("Types").unwrap().id).unwrap().fields;
        let list: Vec<_> = types.iter().map(|f| (&*f.name, f.value.clone())).collect();
        assert_eq!(list[0], ("ca\\plants\\smrk.p3d", Value::UInt(2)));
        assert_eq!(list.len(), 3);
    }
}

#[test]
fn the_heights_of_the_newer_kind_are_finer_than_its_land() {
    let terrain = terrain(eight(&objects()));
    assert_eq!((terrain.grid.columns, terrain.grid.rows, terrain.grid.cell), (8, 4, 10.0));
    assert_eq!(terrain.grid.get(7, 3), Some(height(7, 3)));
    assert_eq!(terrain.grid.get(2, 0), Some(20.0));
    assert_eq!(terrain.layers.len(), 1);
    assert_eq!(terrain.layers[0].materials, ["ca\\grass.rvmat", "ca\\rock.rvmat"]);
    assert_eq!(terrain.name, "island");
}

#[test]
fn the_heights_of_the_older_kind_are_steps() {
    let terrain = terrain(four(&objects()));
    assert_eq!((terrain.grid.columns, terrain.grid.rows, terrain.grid.cell), (8, 4, 50.0));
    assert!((terrain.grid.get(3, 2).unwrap() - 252.0 * 0.045).abs() < 1e-4);
    assert!((terrain.grid.get(0, 0).unwrap() + 2.25).abs() < 1e-5);
    assert_eq!(terrain.layers[0].materials, ["landtext\\pi.paa"]);
}

#[test]
fn objects_stand_where_the_file_says_on_the_ground() {
    for bytes in [eight(&objects()), four(&objects())] {
        let terrain = terrain(bytes);
        assert_eq!((terrain.slots, terrain.props.len(), terrain.kinds.len()), (5, 4, 3));
        let kinds: Vec<u32> = terrain.props.iter().map(|p| p.kind).collect();
        assert_eq!(kinds, [0, 1, 0, 2]);
        let house = &terrain.props[1];
        assert_eq!((house.id, house.slot), (2, 1));
        assert!((house.heading.to_degrees() - 90.0).abs() < 1e-3 && (house.scale - 2.0).abs() < 1e-5);
        assert_eq!(house.file_position, Vec3::new(20.0, 45.0, 15.0));
        let ground = terrain.grid.ground_at(20.0, 15.0).unwrap();
        let place = Vec3::from(house.world_from_prop.translation);
        assert!((place - Vec3::new(20.0, ground, -15.0)).length() < 1e-4, "{place}");
        assert!((house.above_ground - (45.0 - ground)).abs() < 1e-4);
        // What is ahead of it, −Z, is east.
        let ahead = house.world_from_prop.transform_vector3(Vec3::NEG_Z);
        assert!((ahead - Vec3::X * 2.0).length() < 1e-4, "{ahead}");
    }
}

#[test]
fn types_are_called_like_their_models_and_have_guessed_classes() {
    let terrain = terrain(eight(&objects()));
    let kinds: Vec<(&str, PropClass)> = terrain.kinds.iter().map(|k| (k.name.as_str(), k.class)).collect();
    let expected = [("smrk", PropClass::Natural), ("house", PropClass::Other(0)), ("asf12", PropClass::Road)];
    assert_eq!(kinds, expected);
    assert_eq!(terrain.kinds[0].model, "ca\\plants\\smrk.p3d");
}

#[test]
fn readings_can_be_asked_for_otherwise() {
    let opened = open(eight(&objects()));
    let ids: Vec<(&str, &str)> = opened.document.reading().iter().map(|c| (c.id, c.value.as_str())).collect();
    assert_eq!(ids, [("cell", "10"), ("placing", "ground")]);
    let opened = open_as(eight(&objects()), &[("cell", "7.5"), ("placing", "file")]);
    assert_eq!(opened.diagnostics, []);
    assert!(opened.document.reading().iter().all(|c| c.overridden));
    let terrain = opened.terrain();
    assert_eq!(terrain.grid.cell, 7.5);
    assert_eq!(terrain.props[1].world_from_prop.translation.y, 45.0);
    for pair in [("cell", "-1"), ("placing", "sky"), ("strings", "inclusive")] {
        let opened = open_as(eight(&objects()), &[pair]);
        assert_eq!(opened.codes(), ["wrp.bad-override"], "{pair:?}");
        assert!(opened.document.reading().iter().all(|c| !c.overridden), "{pair:?}");
    }
}

#[test]
fn the_card_says_what_the_ground_is_like() {
    let card = open(eight(&objects())).document.terrain_card().unwrap();
    assert_eq!((card.x, card.z, card.cell, card.range, card.mean), (8, 4, 10.0, Some([0.0, 73.0]), Some(36.5)));
    assert_eq!(card.sha256.len(), 64);
    let older = open(four(&objects())).document.terrain_card().unwrap();
    assert_eq!((older.x, older.z, older.cell), (8, 4, 50.0));
    assert_ne!(card.sha256, older.sha256);
}

#[test]
fn every_byte_of_whole_and_cut_files_is_in_one_field() {
    let objects = objects();
    // The header's size, and that of a height.
    for (whole, newer, header, height) in [(eight(&objects), true, 24, 4), (four(&objects), false, 12, 2)] {
        let end = whole.len();
        let first = open(whole.clone()).document.outline().find("Objects").unwrap().offset as usize;
        let ends: Vec<usize> = std::iter::once(first)
            .chain(sizes(&objects, newer).iter().scan(first, |end, size| {
                *end += size;
                Some(*end)
            }))
            .collect();
        assert_eq!(ends.last(), Some(&end));
        // The names of the older kind are long.
        for cut in (0..=end).filter(|cut| *cut < 700 || *cut > end - 700) {
            let opened = match try_open(&whole[..cut]) {
                Ok(opened) => opened,
                Err(error) => {
                    assert!(cut < header && error.file == NAME, "{cut}: {error}");
                    let why = match cut {
                        0..4 => "not a valid world: the file does not begin with 8WVR or 4WVR".to_owned(),
                        _ => {
                            let (at, left) = (cut / 4 * 4, cut % 4);
                            format!("the file ends inside its header: at offset {at}: 4 bytes expected, {left} left")
                        }
                    };
                    assert_eq!(error.message, why, "{cut}");
                    continue;
                }
            };
            opened.assert_tiled(&format!("cut at {cut}"));
            assert!(cut < end || coverage(opened.document.as_ref()).opaque.is_empty());
            // A list of objects may end with any of them.
            assert_eq!(opened.codes(), if ends.contains(&cut) { vec![] } else { vec!["wrp.short"] }, "{cut}");
            let heights = (cut - header) / height;
            let Ok(terrain) = opened.try_terrain() else {
                assert_eq!(heights, 0, "{cut}");
                continue;
            };
            assert_eq!((terrain.grid.columns, terrain.grid.rows as usize), (8, heights.div_ceil(8).min(4)), "{cut}");
            let slots = ends[1..].iter().filter(|end| **end <= cut).count();
            assert_eq!((terrain.slots as usize, terrain.props.len()), (slots, slots.min(4)), "{cut}");
        }
    }
}

/// A file for each code.
pub fn triggers() -> Vec<Trigger> {
    let put = |at: usize, with: &[u8]| {
        let mut bytes = eight(&objects());
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let nan = f32::NAN.to_le_bytes();
    let first = open(eight(&objects())).document.outline().find("Objects").unwrap().offset as usize;
    let mut many = eight(&[]);
    for index in 0..9_000_u32 {
        many.extend([&words(&[0; 13])[..], &words(&[5]), format!("{index:05}").as_bytes()].concat());
    }
    let whole = eight(&objects());
    let cases: Vec<(&'static str, Vec<u8>)> = vec![
        ("wrp.no-grid", put(12, &words(&[0]))),
        ("wrp.short", whole[..whole.len() - 3].to_vec()),
        ("wrp.height-holes", put(24, &nan)),
        ("wrp.bad-object", put(first + 36, &nan)),
        ("wrp.bad-cell", put(20, &nan)),
        ("wrp.too-many-types", many),
        ("wrp.guessed-classes", whole),
    ];
    let wanted = Trigger::new("wrp.bad-override", NAME, eight(&objects())).reading("cell", "-1");
    cases.into_iter().map(|(code, bytes)| Trigger::new(code, NAME, bytes)).chain([wanted]).collect()
}

#[test]
fn every_code_is_reported_by_a_file_that_has_the_fault() {
    assert_table("wrp.", &triggers());
}

#[test]
fn cut_worlds_show_what_is_whole() {
    let whole = eight(&objects());
    // Ten heights.
    let terrain = terrain(whole[..24 + 42].to_vec());
    assert_eq!(
        (terrain.grid.rows, terrain.grid.len(), terrain.grid.get(1, 1), terrain.grid.get(2, 1)),
        (2, 16, Some(11.0), None)
    );
    assert_eq!(self::terrain(whole[..whole.len() - 80].to_vec()).props.len(), 3);
}

#[test]
fn worlds_that_are_not_read_are_named() {
    for older in [b"2WVR", b"3WVR"] {
        let error = try_open(&[older.to_vec(), vec![0; 40]].concat()).err().unwrap();
        let name = older.escape_ascii().to_string();
        assert!(error.file == NAME && error.message.contains("older") && error.message.contains(&name), "{error}");
    }
    let error = try_open(&[b"OPRW".to_vec(), vec![0; 40]].concat()).err().unwrap();
    assert!(error.file == NAME && error.message.contains("binarised"), "{error}");
}
