//! Disputed readings of Visitor projects: each way to write one is found out by the reader, and each can be overruled.

use crate::kit::{
    open::Opened,
    visitor::{open, open_with, tiny},
};
use bonebox::formats::visitor::encode::{
    Background, CellPlace, Dialect, Layer, LayerNames, Material, Object, ObjectClass, ObjectType, Opaque, Project,
    Road, RoadNets, RoadParts, RoadPiece, StringLength, SubObject, TransformOrder, Zone, encode_pew,
};
use glam::Vec3;

const COLUMNS: u32 = 32;
const ROWS: u32 = 16;

/// A slope that is another one from the other side.
fn ground(column: u32, row: u32) -> f32 {
    row as f32 * 8.0 + column as f32 * 0.5 + 1.0
}

fn object_type(id: u32, name: &str, class: ObjectClass) -> ObjectType {
    ObjectType {
        model: format!("{name}.p3d"),
        name: name.to_owned(),
        class,
        outline: Some([10, 20, 30, 255]),
        footprint: [4.0, 6.0],
        id,
        subs: vec![SubObject::default(); usize::from(id == 12)],
        ..ObjectType::default()
    }
}

pub fn project() -> Project {
    let parts = RoadParts {
        straights: vec![RoadPiece { name: "asf25".to_owned(), type_id: 13, kind: 0, changes_bank: true }],
        curves: vec![RoadPiece { name: "asf10 100".to_owned(), type_id: 13, kind: 0, changes_bank: false }],
        ..RoadParts::default()
    };
    let road = Road { name: "asphalt".to_owned(), parts, ..Road::default() };
    let heights = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| ground(column, row))).collect();
    let object = |index: u32| {
        let (column, row) = (index * 7 % (COLUMNS - 1), index * 3 % (ROWS - 1));
        let position = [column as f32 * 10.0, ground(column, row), row as f32 * 10.0];
        let size = if index.is_multiple_of(3) { 1.25 } else { 1.0 };
        let object = Object::new(1000 + index, 11 + index % 3, position, 0.3 + index as f32, size);
        (index % 8 != 5).then_some(object)
    };
    let layer = |name: &str, materials: usize| Layer {
        name: name.to_owned(),
        size_type: 2,
        second_name: name.to_owned(),
        is_default: true,
        materials: vec![Material { number: 1, path: format!("data\\{name}.rvmat"), last: 0 }; materials],
    };
    let zone = Zone { name: "Wood".to_owned(), floats: vec![10.0, 20.0, 50.0, 60.0], id: 9, ..Zone::default() };
    let background = Background {
        file: "p:\\sat.bmp".to_owned(),
        name: "sat".to_owned(),
        size: [320.0, 160.0],
        visible: true,
        ..Background::default()
    };
    Project {
        cell: Some(CellPlace::of(10.0)),
        types: vec![
            object_type(11, "ca\\plants\\spruce", ObjectClass::Natural),
            object_type(12, "ca\\buildings\\house", ObjectClass::Artificial),
            object_type(13, "ca\\roads\\asf25", ObjectClass::Road),
        ],
        roads: Some(RoadNets { roads: vec![road], crossroads: Opaque::default() }),
        columns: COLUMNS,
        rows: ROWS,
        heights,
        after_blue: 7,
        objects: (0..40).map(object).collect(),
        layers: vec![layer("Base", 3), layer("Sand", 2)],
        zones: vec![None, Some(zone)],
        backgrounds: vec![background],
        end: vec![0xC7; 40],
        ..Project::default()
    }
}

/// What is the same however it is written.
fn assert_whole(opened: &Opened, what: &str) {
    opened.assert_tiled(what);
    let terrain = opened.terrain();
    assert_eq!((terrain.kinds.len(), terrain.slots, terrain.props.len()), (3, 40, 35), "{what}");
    assert_eq!((terrain.layers.len(), terrain.zones.len(), terrain.pictures.len()), (2, 1, 1), "{what}");
    assert_eq!((terrain.layers[1].name.as_str(), terrain.layers[1].materials.len()), ("Sand", 2), "{what}");
    assert_eq!((terrain.roads[0].parts.len(), terrain.zones[0].polygon.len()), (2, 4), "{what}");
    for row in 0..ROWS {
        assert_eq!(terrain.grid.get(3, row), Some(ground(3, row)), "{what}");
    }
    for prop in &terrain.props {
        let heading = (0.3 + prop.slot as f32).sin_cos();
        let found = prop.heading.sin_cos();
        assert!((heading.0 - found.0).abs() + (heading.1 - found.1).abs() < 1e-4, "{what}: {prop:?}");
        let scale = if prop.slot.is_multiple_of(3) { 1.25 } else { 1.0 };
        assert!((prop.scale - scale).abs() < 1e-5, "{what}: {prop:?}");
        let longest = prop.world_from_prop.transform_vector3(Vec3::X).length();
        assert!((longest - scale).abs() < 1e-5, "{what}: {longest}");
        assert_eq!(prop.kind, prop.slot % 3, "{what}");
    }
}

fn names(id: &str, value: bool) -> &'static str {
    match (id, value) {
        ("type_ids", false) => "none",
        ("type_ids", true) => "trailing",
        ("flags", false) => "absent",
        ("flags", true) => "present",
        ("transform", false) => "row3x4",
        ("transform", true) => "cols4x3",
        ("layers", false) => "each",
        ("layers", true) => "leading",
        ("rows", false) => "south-first",
        ("rows", true) => "north-first",
        ("size", false) => "one",
        _ => "percent",
    }
}

/// All ways at once: two to the power of seven of them, for each way to count strings.
#[test]
fn every_way_to_write_a_project_is_found_out() {
    let project = project();
    for (strings, counted) in [
        (StringLength::Inclusive, "inclusive"),
        (StringLength::InclusiveBare, "inclusive"),
        (StringLength::Exclusive, "exclusive"),
    ] {
        for bits in 0..128_u32 {
            let bit = |index: u32| bits >> index & 1 == 1;
            let dialect = Dialect {
                version: if bit(0) { 59 } else { 60 },
                strings,
                trailing_ids: bit(1),
                flags: bit(2),
                transform: if bit(3) { TransformOrder::Cols4x3 } else { TransformOrder::Row3x4 },
                layers: if bit(4) { LayerNames::Leading } else { LayerNames::Each },
                percent: bit(5),
                north_first: bit(6),
                ..Dialect::default()
            };
            let what = format!("{dialect:?}");
            let opened = open(&encode_pew(&project, &dialect));
            assert_eq!(opened.codes(), [] as [&str; 0], "{what}");
            assert_eq!(opened.reading("strings"), counted, "{what}");
            for (index, id) in
                [(1, "type_ids"), (2, "flags"), (3, "transform"), (4, "layers"), (5, "size"), (6, "rows")]
            {
                assert_eq!(opened.reading(id), names(id, bit(index)), "{what}: {id}");
            }
            assert_whole(&opened, &what);
        }
    }
}

/// By a formula or by what follows: any length is found, and zeros are no objects.
#[test]
fn any_length_of_the_floats_behind_the_heights_is_found() {
    let cells = COLUMNS * ROWS;
    for floats in [0, 8, 32, 64, 128, 512, 77, 300, 2000].map(|n: usize| n) {
        let bytes = encode_pew(&project(), &Dialect { blue: Some(floats), ..Dialect::default() });
        let opened = open(&bytes);
        assert_whole(&opened, &format!("{floats} floats"));
        assert_eq!(opened.reading("blue"), floats.to_string());
        let (columns, cells) = (COLUMNS as usize, cells as usize);
        let usual = [columns / 16 * columns, cells / 16, 0, cells / 4, cells, cells / 64].contains(&floats);
        assert_eq!(opened.codes().contains(&"visitor.blue-edge"), !usual, "{floats}");
    }
}

#[test]
fn what_cannot_be_told_is_said_to_be_so() {
    // No cell in the header: the background's size tells, then the objects' places, then nothing.
    let cell = |project: &Project| {
        let opened = open(&encode_pew(project, &Dialect::default()));
        let code = opened.codes();
        assert_eq!(code, ["visitor.guessed-cell"]);
        let choice = opened.document.reading().iter().find(|choice| choice.id == "cell").unwrap().clone();
        (choice.value, choice.evidence)
    };
    let mut made = Project { cell: None, ..project() };
    made.backgrounds[0].size = [32.0 * 7.0, 16.0 * 7.0];
    assert_eq!(cell(&made).0, "7");
    made.backgrounds.clear();
    let (value, evidence) = cell(&made);
    assert!(value == "10" && evidence.contains("objects"), "{value}: {evidence}");
    made.objects.clear();
    assert_eq!(cell(&made).0, "10");
    // Nothing at all but ground.
    let bare = Project { types: Vec::new(), roads: None, zones: Vec::new(), ..made };
    let opened = open(&encode_pew(&bare, &Dialect::default()));
    assert_eq!((opened.terrain().kinds.len(), opened.terrain().layers.len()), (0, 2));
    opened.assert_tiled("bare");
}

#[test]
fn parts_that_nobody_has_described_are_kept_and_named() {
    let mut made = project();
    made.roads.as_mut().unwrap().crossroads = Opaque { count: 2, bytes: b"\x07\0\0\0cross_a\0\xFE\xFD".repeat(9) };
    made.road_blocks = Opaque { count: 3, bytes: vec![0xEE; 61] };
    made.zones.clear();
    let opened = open(&encode_pew(&made, &Dialect::default()));
    opened.assert_tiled("crossroads");
    assert_eq!(opened.codes(), ["visitor.crossroads", "visitor.road-blocks"]);
    let terrain = opened.terrain();
    assert_eq!((terrain.props.len(), terrain.pictures.len()), (35, 1));
    let outline = opened.document.outline();
    let crossroads = outline.find("Crossroads").unwrap().id;
    let fields = opened.document.fields(crossroads).unwrap().fields;
    let text = format!("{:?}", fields[1]);
    assert!(fields[1].mirror && text.matches("cross_a").count() == 9, "{text}");
    assert!(outline.find("Road blocks").is_some() && outline.find("End blocks").is_some());

    // Textures of the older game lie before the types, and a cell of that game is usual.
    let mut older = Project { cell: None, ..project() };
    older.textures = Opaque { count: 2, bytes: vec![0xAA; 90] };
    older.backgrounds.clear();
    older.objects.clear();
    let opened = open(&encode_pew(&older, &Dialect { version: 59, ..Dialect::default() }));
    opened.assert_tiled("textures");
    assert_eq!(opened.codes(), ["visitor.ofp-records", "visitor.guessed-cell"]);
    assert_eq!((opened.terrain().kinds.len(), opened.reading("cell").as_str()), (3, "50"));

    // Terrains and forests of the older game end what can be read strictly; the grid is found again.
    let mut forests = project();
    forests.forests = Opaque { count: 1, bytes: vec![0xAB; 33] };
    let opened = open(&encode_pew(&forests, &Dialect::default()));
    opened.assert_tiled("forests");
    assert_eq!(opened.codes(), ["visitor.moved-grid"]);
    assert_eq!((opened.terrain().props.len(), opened.terrain().layers.len()), (35, 2));
}

#[test]
fn types_of_unknown_classes_are_measured_by_what_follows_them() {
    let mut made = project();
    made.types[1].class = ObjectClass::Other(9);
    let opened = open(&encode_pew(&made, &Dialect::default()));
    opened.assert_tiled("class 9");
    assert_eq!(opened.codes(), ["visitor.unknown-class"]);
    assert_eq!(opened.terrain().kinds[1].class, bonebox::scene::PropClass::Other(9));
    assert!(opened.document.outline().find("Types/unknown class/ca/buildings/house").is_some());
}

#[test]
fn objects_of_missing_types_are_shown_and_those_that_are_nowhere_are_not() {
    let mut made = project();
    made.types.remove(0);
    let first = made.objects[0].as_mut().unwrap();
    first.position[0] = f32::NAN;
    made.objects.swap(0, 30);
    let opened = open(&encode_pew(&made, &Dialect::default()));
    opened.assert_tiled("missing type");
    assert_eq!(opened.codes(), ["visitor.unresolved-type"]);
    let terrain = opened.terrain();
    assert_eq!((terrain.kinds.len(), terrain.props.len(), terrain.slots), (3, 34, 40));
    assert_eq!(terrain.kinds[2].class, bonebox::scene::PropClass::Unresolved);
    assert!(terrain.props.iter().all(|prop| terrain.kinds[prop.kind as usize].id == prop.type_id));
}

fn chosen(opened: &Opened, id: &str, value: &str) {
    let choice = opened.document.reading().iter().find(|choice| choice.id == id).unwrap();
    assert_eq!((choice.value.as_str(), choice.overridden), (value, true), "{choice:?}");
    assert!(choice.rivals.iter().all(|rival| rival.value != value), "{choice:?}");
}

#[test]
fn readings_that_fit_change_what_is_shown() {
    let tiny = tiny();
    let as_is = open(&tiny).terrain();
    let with = |id: &str, value: &str| {
        let opened = open_with(&tiny, id, value);
        opened.assert_tiled(id);
        assert_eq!(opened.codes(), [] as [&str; 0], "{id}");
        chosen(&opened, id, value);
        (opened.terrain(), opened)
    };
    let (wide, opened) = with("cell", "25");
    assert_eq!((wide.grid.width(), opened.document.terrain_card().unwrap().cell), (1600.0, 25.0));
    let (flipped, _) = with("rows", "north-first");
    for row in 0..64 {
        assert_eq!(flipped.grid.get(5, row), as_is.grid.get(5, 63 - row));
    }
    let (swapped, opened) = with("colors", "bgra");
    assert_eq!(
        (as_is.kinds[0].outline, swapped.kinds[0].outline),
        (Some([20, 110, 30, 255]), Some([30, 110, 20, 255]))
    );
    let entry = bonebox::formats::EntryId::from(swapped.kinds[0].source.unwrap());
    let fields = opened.document.fields(entry).unwrap().fields;
    let outline = fields.iter().find(|field| field.name == "Outline").unwrap();
    assert_eq!(outline.value, bonebox::formats::Value::Color([30, 110, 20, 255]));
    let (small, _) = with("size", "percent");
    assert!((small.props[0].scale - as_is.props[0].scale / 100.0).abs() < 1e-6);
    let (columns, _) = with("transform", "cols4x3");
    assert_ne!(columns.props[0].file_position, as_is.props[0].file_position);
    let (grounded, _) = with("placing", "ground");
    for prop in &grounded.props {
        let [east, _, north] = prop.file_position.to_array();
        let Some(ground) = grounded.grid.ground_at(east, north) else { continue };
        assert!((prop.world_from_prop.translation.y - ground - prop.above_ground).abs() < 1e-3, "{prop:?}");
    }
    for (id, value) in [
        ("strings", "inclusive"),
        ("type_ids", "none"),
        ("flags", "present"),
        ("blue", "256"),
        ("transform", "row3x4"),
        ("layers", "each"),
        ("layers", "leading"),
    ] {
        let (same, _) = with(id, value);
        assert_eq!((same.props.len(), same.layers.len(), same.pictures.len()), (35, 1, 2), "{id}");
    }
}

#[test]
fn readings_that_do_not_fit_show_what_they_can() {
    let tiny = tiny();
    for (id, value) in
        [("strings", "exclusive"), ("type_ids", "trailing"), ("flags", "absent"), ("blue", "0"), ("blue", "999999")]
    {
        let opened = open_with(&tiny, id, value);
        opened.assert_tiled(id);
        assert!(opened.codes().contains(&"visitor.override-misfit"), "{id} {value}: {:?}", opened.codes());
        chosen(&opened, id, value);
        assert_eq!(opened.terrain().grid.len(), 64 * 64, "{id} {value}");
    }
    let two = encode_pew(&project(), &Dialect::default());
    let opened = open_with(&two, "layers", "leading");
    opened.assert_tiled("layers");
    assert_eq!(opened.codes(), ["visitor.bad-layers", "visitor.override-misfit"]);
    assert_eq!((opened.terrain().layers.len(), opened.terrain().pictures.len()), (0, 1));
}

#[test]
fn readings_that_are_none_are_left_out() {
    for (id, value) in [("strings", "klingon"), ("cell", "-3"), ("cell", "NaN"), ("blue", "x"), ("row", "south-first")]
    {
        let opened = open_with(&tiny(), id, value);
        assert_eq!(opened.codes(), ["visitor.bad-override"], "{id} {value}");
        assert!(opened.document.reading().iter().all(|choice| !choice.overridden));
        assert_eq!(opened.terrain().props.len(), 35);
    }
}
