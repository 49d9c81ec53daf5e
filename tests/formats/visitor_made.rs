//! The writer of Visitor projects: against the bytes of files that another program has written, and against the reader,
//! whichever way the disputed parts are written.

use crate::kit::{
    open::Opened,
    visitor::{bytes, expected, open, open_with},
};
use bonebox::{
    formats::visitor::encode::{
        Background, CellPlace, Dialect, Layer, LayerNames, Material, Object, ObjectClass, ObjectType, Opaque, Project,
        Road, RoadNets, RoadParts, RoadPiece, StringLength, SubObject, TransformOrder, Zone, encode_pew,
        encode_pew_with_places,
    },
    scene::{PropClass, RoadPartKind, Terrain},
};
use glam::Vec3;
use serde_json::Value;

/// What those files hold besides their ground and objects, which all have in common.
fn tiny(json: &Value, heights: Vec<f32>) -> Project {
    let types = json["object_types"].as_array().unwrap().iter().enumerate().map(|(i, t)| object_type(i, t)).collect();
    let piece =
        |name: &str, type_id, kind, changes_bank| RoadPiece { name: name.to_owned(), type_id, kind, changes_bank };
    let road = Road {
        name: "asphalt".to_owned(),
        key_color: [255, 0, 0, 255],
        color: [80, 80, 80, 255],
        filled: true,
        max_angle_degrees: 25.0,
        max_bank_degrees: 5.0,
        parts: RoadParts {
            straights: vec![piece("asf25", 107, 0, true), piece("asf12", 108, 1, true)],
            curves: vec![piece("asf10 100", 107, 0, false)],
            specials: vec![piece("asf_kr", 107, 0, true)],
            terminators: vec![piece("asf6konec", 107, 0, true)],
        },
    };
    let zone = Zone {
        movable: 1,
        name: "Les_new".to_owned(),
        area: [0, 200, 0, 255],
        outline: [0, 90, 0, 255],
        style: 1,
        floats: vec![100.0, 100.0, 300.0, 100.0, 300.0, 250.0, 100.0, 250.0],
        id: 55,
        second_name: "zone".to_owned(),
    };
    Project {
        cell: json["grid"]["cell"].as_f64().map(|metres| CellPlace::of(metres as f32)),
        types,
        roads: Some(RoadNets { roads: vec![road], crossroads: Opaque::default() }),
        columns: json["grid"]["x"].as_u64().unwrap() as u32,
        rows: json["grid"]["z"].as_u64().unwrap() as u32,
        heights,
        after_blue: 7,
        layers: json["layers"].as_array().unwrap().iter().map(layer).collect(),
        zones: vec![Some(zone)],
        backgrounds: json["backgrounds"].as_array().unwrap().iter().map(background).collect(),
        ..Project::default()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn object_type(index: usize, json: &Value) -> ObjectType {
    let number = |name: &str| json[name].as_u64().unwrap() as u32;
    let class = match number("cls") {
        1 => ObjectClass::Natural,
        2 => ObjectClass::Artificial,
        3 => ObjectClass::Road,
        5 => ObjectClass::ArtificialInRoad,
        other => ObjectClass::Other(other),
    };
    let outline: Vec<u8> = json["outline"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u8).collect();
    // Twelve doubles, or twice as many, in turn 0 and 1.
    let doubles = if class == ObjectClass::Road { 24 } else { 12 };
    let sub = |i: u32| SubObject {
        name: format!("sub{i}"),
        numbers: [i, 0],
        start: [0.0, 0.0, i as f32],
        end: [1.0, 0.0, i as f32],
    };
    ObjectType {
        model: text(&json["model"]),
        name: text(&json["name"]),
        class,
        outline: Some(outline.try_into().unwrap()),
        fill: None,
        footprint: [4.0 + index as f64, 6.0 + index as f64 * 0.5],
        id: number("type_id"),
        rest: (0..doubles).flat_map(|i| f64::from(i % 2).to_le_bytes()).collect(),
        subs: (0..number("sub_objects")).map(sub).collect(),
        marker: number("marker"),
    }
}

fn layer(json: &Value) -> Layer {
    let paths = json["materials"].as_array().unwrap();
    let material = |(number, path): (u32, &Value)| Material { number, path: text(path), last: 0 };
    Layer {
        name: text(&json["name"]),
        size_type: json["size_type"].as_u64().unwrap() as u32,
        second_name: text(&json["name"]),
        is_default: json["default"].as_bool().unwrap(),
        materials: (1..).zip(paths).map(material).collect(),
    }
}

fn background(json: &Value) -> Background {
    let pair = |name: &str| [0, 1].map(|i| json[name][i].as_f64().unwrap() as f32);
    Background {
        file: text(&json["file"]),
        name: text(&json["name"]),
        offset: pair("offset"),
        size: pair("size"),
        transparency: json["transparency"].as_u64().unwrap() as u32,
        visible: json["visible"] == 1,
    }
}

/// Their objects are the samples, and as many others as are in the slots; names are told by their lengths.
fn objects(json: &Value, name_bytes: usize) -> Vec<Option<Object>> {
    let [slots, present] = ["slots", "present"].map(|n| json["objects"][n].as_u64().unwrap() as usize);
    let samples = json["objects"]["samples"].as_array().unwrap();
    let mut objects: Vec<Option<Object>> = (0..slots)
        .map(|i| {
            let sample = samples.iter().find(|s| s["index"] == i as u64)?;
            let number = |name: &str| sample[name].as_f64().unwrap();
            let place = ["x", "y", "z"].map(|axis| number(axis) as f32);
            let heading = number("heading_deg").to_radians() as f32;
            let mut object =
                Object::new(number("id") as u32, number("type_id") as u32, place, heading, number("scale") as f32);
            object.size = number("scale");
            object.above_ground = number("rel") as f32;
            object.name = text(&sample["name"]);
            Some(object)
        })
        .collect();
    let missing = present - objects.iter().flatten().count();
    let other = || Some(Object::new(0, 0, [0.0; 3], 0.0, 1.0));
    // The samples begin with the first objects, so slots before them are empty.
    objects.iter_mut().rev().filter(|slot| slot.is_none()).take(missing).for_each(|slot| *slot = other());
    // What the names that are not known have of bytes, one of them has.
    let known: usize = objects.iter().flatten().map(|object| object.name.len()).sum();
    let unnamed = objects.iter_mut().flatten().find(|object| object.type_id == 0).unwrap();
    unnamed.name = "n".repeat(name_bytes - known);
    objects
}

/// Every byte of every file that is not a guess of its objects is the writer's too.
#[test]
fn the_corpus_is_written_to_the_byte() {
    let plain = Dialect::default;
    let files = [
        ("tiny60", plain(), 23),
        ("tiny59", Dialect { version: 59, ..plain() }, 23),
        ("tiny60_exclusive", Dialect { strings: StringLength::Exclusive, ..plain() }, 15),
        ("tiny60_publishedliteral", Dialect::published(), 23),
        ("tiny60_nocell", plain(), 23),
        ("tiny60_ignorenets", plain(), 23),
        ("rect60_64x32", plain(), 23),
        ("layers3", plain(), 16),
        ("xroad_opaque", plain(), 23),
    ];
    for (name, dialect, name_bytes) in files {
        let (file, json) = (bytes(name), expected(name));
        let offset = |section: &str| json["section_offsets"][section].as_u64().unwrap() as usize;
        let stored = &file[offset("heights")..offset("blue")];
        let heights = stored.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let mut project = tiny(&json, heights);
        project.end = file[offset("end_blocks")..].to_vec();
        if name == "tiny60_nocell" {
            project.cell = None;
        }
        if name == "tiny60_ignorenets" {
            project.roads = None;
        }
        if name == "xroad_opaque" {
            let bytes = file[offset("grid") - 411..offset("grid")].to_vec();
            project.roads.as_mut().unwrap().crossroads = Opaque { count: 2, bytes };
        }
        project.objects = objects(&json, name_bytes);
        let out = encode_pew_with_places(&project, &dialect);
        let wanted: Vec<(String, usize)> = out.places.sections.iter().map(|(n, at)| ((*n).to_owned(), *at)).collect();
        for (section, at) in json["section_offsets"].as_object().unwrap() {
            let written = wanted.iter().find(|(n, _)| n == section).map(|(_, at)| *at);
            assert_eq!(written, at.as_u64().map(|at| at as usize), "{name}: {section}");
        }
        assert_eq!(out.bytes.len(), file.len(), "{name}");
        let objects = offset("objects") + 4..offset("layers");
        let strange = (0..file.len()).find(|at| !objects.contains(at) && out.bytes[*at] != file[*at]);
        assert_eq!(strange, None, "{name}");
        // The first object is a sample, so its bytes are known: all but the last bits of sines and cosines.
        let first = objects.start + project.objects.iter().take_while(|slot| slot.is_none()).count() * 2;
        assert_eq!(out.bytes[first..first + 8], file[first..first + 8], "{name}");
        for at in (0..12).map(|i| first + 8 + i * 4) {
            let [mine, theirs] =
                [&out.bytes, &file].map(|bytes| f32::from_le_bytes(*bytes[at..].first_chunk().unwrap()));
            assert!((mine - theirs).abs() < 1e-6, "{name}: {mine} is {theirs}");
        }
        assert_eq!(out.bytes[first + 56..first + 80], file[first + 56..first + 80], "{name}");
    }
}

/// One string before all layers, or one in each: with one layer nobody can tell.
#[test]
fn names_of_layers_stand_before_all_or_before_each() {
    let layer = |name: &str| Layer { name: name.to_owned(), second_name: "Base".to_owned(), ..Layer::default() };
    let layers = |names: &[&str], layers| {
        let project = Project { layers: names.iter().map(|name| layer(name)).collect(), ..Project::default() };
        encode_pew_with_places(&project, &Dialect { layers, ..Dialect::default() }).bytes
    };
    assert_eq!(layers(&["one"], LayerNames::Each), layers(&["one"], LayerNames::Leading));
    let [each, leading] = [LayerNames::Each, LayerNames::Leading].map(|names| layers(&["one", "two"], names).len());
    assert_eq!(each - leading, 4 + "two".len() + 1);
    assert_eq!(layers(&[], LayerNames::Each), layers(&[], LayerNames::Leading));
}

/// A small project with something of everything: empty slots, names, sizes, a type that is nowhere, two layers, two zones.
fn project(columns: u32, rows: u32) -> Project {
    let class = [ObjectClass::Natural, ObjectClass::Artificial, ObjectClass::Road, ObjectClass::ArtificialInRoad];
    let object_type = |(i, class): (usize, ObjectClass)| ObjectType {
        model: format!("isle\\thing{i}.p3d"),
        name: format!("isle\\thing{i}"),
        class,
        outline: (i == 1).then_some([1, 2, 3, 4]),
        fill: (i != 2).then_some([10, 20, 30 + i as u8, 255]),
        footprint: [4.0 + i as f64, 3.0],
        id: 500 + i as u32,
        subs: vec![SubObject { name: "part".to_owned(), ..SubObject::default() }; i],
        marker: (i % 2) as u32,
        ..ObjectType::default()
    };
    let height = |i: u32| {
        let (x, z) = ((i % columns) as f32, (i / columns) as f32);
        // Not the same from the north as from the south.
        (x * 0.25).sin() * 6.0 + z * 0.75 - 4.0
    };
    let mut project = Project {
        cell: Some(CellPlace::of(12.5)),
        types: class.into_iter().enumerate().map(object_type).collect(),
        columns,
        rows,
        heights: (0..columns * rows).map(height).collect(),
        after_blue: 7,
        layers: ["Base", "Second"].map(named_layer).to_vec(),
        zones: vec![Some(zone(1, "Wood")), None, Some(zone(2, "Marsh"))],
        backgrounds: vec![Background {
            file: "p:\\isle\\map.bmp".to_owned(),
            name: "map".to_owned(),
            offset: [0.0, 12.5],
            size: [100.0, 200.0],
            transparency: 40,
            visible: true,
        }],
        end: vec![0xA5; 40],
        ..Project::default()
    };
    let pieces = |name: &str| vec![RoadPiece { name: name.to_owned(), type_id: 502, kind: 3, changes_bank: true }];
    let parts = RoadParts {
        straights: pieces("straight"),
        curves: pieces("curve"),
        specials: Vec::new(),
        terminators: pieces("end"),
    };
    let road =
        Road { name: "lane".to_owned(), key_color: [9, 8, 7, 255], max_angle_degrees: 20.0, parts, ..Road::default() };
    project.roads = Some(RoadNets { roads: vec![road, Road::default()], ..RoadNets::default() });
    project.objects = (0..24)
        .map(|i: u32| {
            let place =
                [13.0 + 7.5 * i as f32 % (columns as f32 * 8.0), 0.0, 20.0 + 4.25 * i as f32 % (rows as f32 * 8.0)];
            let ground = ground(&project, place[0], place[2]);
            let type_id = if i == 20 { 9999 } else { 500 + i % 4 };
            let mut object = Object::new(1000 + i, type_id, [place[0], ground, place[2]], i as f32 * 0.25 - 3.0, 1.0);
            if i % 3 == 1 {
                object = Object::new(object.id, type_id, object.position, 0.5, 1.25);
            }
            object.name = if i.is_multiple_of(5) { format!("name_{i}") } else { String::new() };
            object.fill = (i.is_multiple_of(7)).then_some([i as u8, 100, 50, 255]);
            (i % 6 != 5).then_some(object)
        })
        .collect();
    project
}

fn named_layer(name: &str) -> Layer {
    let material = |i| Material { number: i, path: format!("isle\\{name}{i}.rvmat"), last: 0 };
    Layer {
        name: name.to_owned(),
        size_type: 2,
        second_name: name.to_owned(),
        is_default: name == "Base",
        materials: (1..4).map(material).collect(),
    }
}

fn zone(id: u32, name: &str) -> Zone {
    Zone {
        movable: 1,
        name: name.to_owned(),
        area: [1, 2, 3, 255],
        outline: [4, 5, 6, 255],
        style: 1,
        floats: vec![10.0, 10.0, 90.0, 10.0, 50.0, id as f32 * 40.0],
        id,
        second_name: "zone".to_owned(),
    }
}

/// The ground under a place: the reader's own sum is tested elsewhere.
fn ground(project: &Project, east: f32, north: f32) -> f32 {
    let grid = bonebox::scene::HeightGrid {
        columns: project.columns,
        rows: project.rows,
        cell: 12.5,
        heights: project.heights.clone().into(),
    };
    grid.ground_at(east, north).unwrap()
}

/// What was written is what is read: every value that a landscape has of it.
fn assert_read(opened: &Opened, project: &Project, dialect: &Dialect) {
    let what = format!("{dialect:?}");
    opened.assert_tiled(&what);
    let terrain: &Terrain = &opened.terrain();
    assert_eq!((terrain.grid.columns, terrain.grid.rows), (project.columns, project.rows), "{what}");
    assert!(terrain.grid.heights.iter().eq(&project.heights), "{what}: heights");
    assert_eq!(terrain.grid.cell, 12.5, "{what}");
    let unresolved = terrain.kinds.iter().filter(|kind| kind.class == PropClass::Unresolved).count();
    assert_eq!(terrain.kinds.len() - unresolved, project.types.len(), "{what}");
    for (kind, written) in terrain.kinds.iter().zip(&project.types) {
        assert_eq!((&kind.model, &kind.name, kind.id), (&written.model, &written.name, written.id), "{what}");
        assert_eq!((kind.outline, kind.fill), (written.outline, written.fill), "{what}");
        assert_eq!((kind.size.x, kind.size.z), (written.footprint[0] as f32, written.footprint[1] as f32), "{what}");
    }
    assert_eq!(terrain.slots as usize, project.objects.len(), "{what}");
    let present = project.objects.iter().enumerate().filter_map(|(slot, object)| Some((slot, object.as_ref()?)));
    assert_eq!(terrain.props.len(), present.clone().count(), "{what}");
    for (prop, (slot, object)) in terrain.props.iter().zip(present) {
        assert_eq!((prop.slot as usize, prop.id, prop.type_id), (slot, object.id, object.type_id), "{what}");
        assert_eq!((&prop.name, prop.fill), (&object.name, object.fill), "{what}");
        assert_eq!(prop.file_position, Vec3::from(object.position), "{what}");
        let [x, _, z] = object.axes[2];
        assert!((prop.heading - x.atan2(z)).abs() < 1e-5, "{what}: {} for {:?}", prop.heading, object.axes);
        assert!((f64::from(prop.scale) - object.size).abs() < 1e-5, "{what}: {} for {}", prop.scale, object.size);
        let is_known = project.types.iter().any(|kind| kind.id == object.type_id);
        assert_eq!(terrain.kinds[prop.kind as usize].class == PropClass::Unresolved, !is_known, "{what}");
    }
    let roads = project.roads.as_ref().map(|nets| nets.roads.as_slice()).unwrap_or_default();
    assert_eq!(terrain.roads.len(), roads.len(), "{what}");
    for (net, road) in terrain.roads.iter().zip(roads) {
        assert_eq!((&net.name, net.key_color), (&road.name, road.key_color), "{what}");
        let parts = &road.parts;
        let written = [
            (RoadPartKind::Straight, &parts.straights),
            (RoadPartKind::Curve, &parts.curves),
            (RoadPartKind::Special, &parts.specials),
            (RoadPartKind::Terminator, &parts.terminators),
        ];
        let written =
            written.iter().flat_map(|(kind, parts)| parts.iter().map(|part| (*kind, &part.name, part.type_id)));
        assert!(net.parts.iter().map(|part| (part.kind, &part.name, part.type_id)).eq(written), "{what}");
    }
    assert_eq!(terrain.layers.len(), project.layers.len(), "{what}");
    for (layer, written) in terrain.layers.iter().zip(&project.layers) {
        assert_eq!(layer.name, written.name, "{what}");
        assert!(layer.materials.iter().eq(written.materials.iter().map(|material| &material.path)), "{what}");
    }
    let zones: Vec<&Zone> = project.zones.iter().flatten().collect();
    assert_eq!(terrain.zones.len(), zones.len(), "{what}");
    for (zone, written) in terrain.zones.iter().zip(zones) {
        assert_eq!((&zone.name, zone.id), (&written.name, written.id), "{what}");
        assert_eq!((zone.fill, zone.outline), (written.area, written.outline), "{what}");
        assert!(zone.polygon.iter().flat_map(|corner| corner.to_array()).eq(written.floats.iter().copied()), "{what}");
    }
    assert_eq!(terrain.pictures.len(), project.backgrounds.len(), "{what}");
    for (picture, written) in terrain.pictures.iter().zip(&project.backgrounds) {
        assert_eq!((&picture.file, &picture.name), (&written.file, &written.name), "{what}");
        assert_eq!((picture.offset.to_array(), picture.size.to_array()), (written.offset, written.size), "{what}");
        assert_eq!((picture.transparency, picture.visible), (written.transparency, written.visible), "{what}");
    }
}

/// Every way in which the disputed parts may be written, but for the order of colours, which no bytes tell.
fn dialects() -> Vec<Dialect> {
    let mut dialects = vec![Dialect::default()];
    let mut spread = |change: &dyn Fn(Dialect) -> Vec<Dialect>| {
        dialects = std::mem::take(&mut dialects).into_iter().flat_map(change).collect();
    };
    spread(&|d| [59, 60].map(|version| Dialect { version, ..d.clone() }).to_vec());
    let strings = [StringLength::Inclusive, StringLength::InclusiveBare, StringLength::Exclusive];
    spread(&|d| strings.map(|strings| Dialect { strings, ..d.clone() }).to_vec());
    spread(&|d| [false, true].map(|trailing_ids| Dialect { trailing_ids, ..d.clone() }).to_vec());
    spread(&|d| [false, true].map(|flags| Dialect { flags, ..d.clone() }).to_vec());
    let orders = [TransformOrder::Row3x4, TransformOrder::Cols4x3];
    spread(&|d| orders.map(|transform| Dialect { transform, ..d.clone() }).to_vec());
    spread(&|d| [LayerNames::Each, LayerNames::Leading].map(|layers| Dialect { layers, ..d.clone() }).to_vec());
    spread(&|d| [false, true].map(|percent| Dialect { percent, ..d.clone() }).to_vec());
    spread(&|d| [false, true].map(|north_first| Dialect { north_first, ..d.clone() }).to_vec());
    // A rectangle tells the formulas apart.
    spread(&|d| [None, Some(0), Some(48 * 32 / 4)].map(|blue| Dialect { blue, ..d.clone() }).to_vec());
    dialects
}

#[test]
fn what_is_written_in_any_dialect_is_read_back() {
    let project = project(48, 32);
    let dialects = dialects();
    assert_eq!(dialects.len(), 1152);
    for dialect in dialects {
        let opened = open(&encode_pew(&project, &dialect));
        let word = |yes, words: [&str; 2]| words[usize::from(yes)].to_owned();
        let what = format!("{dialect:?}");
        assert_eq!(opened.reading("strings") == "exclusive", dialect.strings == StringLength::Exclusive, "{what}");
        assert_eq!(opened.reading("type_ids"), word(dialect.trailing_ids, ["none", "trailing"]), "{what}");
        assert_eq!(opened.reading("flags"), word(dialect.flags, ["absent", "present"]), "{what}");
        assert_eq!(opened.reading("blue"), dialect.blue.unwrap_or(48 / 16 * 48).to_string(), "{what}");
        let columns = dialect.transform == TransformOrder::Cols4x3;
        assert_eq!(opened.reading("transform"), word(columns, ["row3x4", "cols4x3"]), "{what}");
        assert_eq!(
            opened.reading("layers"),
            word(dialect.layers == LayerNames::Leading, ["each", "leading"]),
            "{what}"
        );
        assert_eq!(opened.reading("size"), word(dialect.percent, ["one", "percent"]), "{what}");
        assert_eq!(opened.reading("rows"), word(dialect.north_first, ["south-first", "north-first"]), "{what}");
        assert_read(&opened, &project, &dialect);
    }
}

#[test]
fn colours_are_read_as_a_person_says() {
    let (project, dialect) = (project(32, 32), Dialect { bgra: true, ..Dialect::default() });
    assert_read(&open_with(&encode_pew(&project, &dialect), "colors", "bgra"), &project, &dialect);
}

#[test]
fn names_of_any_length_are_read() {
    for strings in [StringLength::Inclusive, StringLength::InclusiveBare, StringLength::Exclusive] {
        let dialect = Dialect { strings, ..Dialect::default() };
        let mut project = project(32, 32);
        // Every object one letter longer than the one before; not only letters that all code pages share.
        for (length, object) in project.objects.iter_mut().flatten().enumerate() {
            object.name = "x".repeat(length);
        }
        project.objects = (0..=260)
            .map(|i| {
                let mut object = project.objects[0].clone()?;
                object.name = "é".repeat(i);
                Some(object)
            })
            .collect();
        project.layers[0].materials[0].path = "m".repeat(1000);
        assert_read(&open(&encode_pew(&project, &dialect)), &project, &dialect);
    }
}

/// What is made of a project before it is written.
type Change = fn(&mut Project);

#[test]
fn projects_with_little_in_them_are_read() {
    let plain = Dialect::default();
    let whole = project(32, 32);
    let changes: [(&str, Change); 8] = [
        ("no objects", |p| p.objects.clear()),
        ("empty slots alone", |p| p.objects.iter_mut().for_each(|slot| *slot = None)),
        ("no types", |p| p.types.clear()),
        ("no roads", |p| p.roads = None),
        ("no zones", |p| p.zones.clear()),
        ("no pictures", |p| p.backgrounds.clear()),
        ("no end", |p| p.end.clear()),
        ("one layer without materials", |p| {
            p.layers = vec![Layer { second_name: "Base".to_owned(), name: "Base".to_owned(), ..Layer::default() }]
        }),
    ];
    for (what, change) in changes {
        println!("{what}");
        let mut project = whole.clone();
        change(&mut project);
        assert_read(&open(&encode_pew(&project, &plain)), &project, &plain);
    }
}

#[test]
fn grids_as_wide_as_any_are_read() {
    for (columns, rows) in [(8192, 16), (16, 8192), (100, 37)] {
        let (project, dialect) = (project(columns, rows), Dialect::default());
        assert_read(&open(&encode_pew(&project, &dialect)), &project, &dialect);
    }
}

/// Crossroads and blocks of roads of no known layout: what follows them is found again, and their bytes are kept.
#[test]
fn unknown_bytes_in_the_middle_are_stepped_over() {
    let mut project = project(32, 32);
    let unknown: Vec<u8> = (0..700_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    project.roads.as_mut().unwrap().crossroads = Opaque { count: 3, bytes: unknown.clone() };
    assert_read(&open(&encode_pew(&project, &Dialect::default())), &project, &Dialect::default());
    project.road_blocks = Opaque { count: 2, bytes: unknown };
    // Zones follow the blocks, so they are lost; pictures are found.
    let zones = std::mem::take(&mut project.zones);
    for version in [59, 60] {
        let dialect = Dialect { version, ..Dialect::default() };
        assert_read(&open(&encode_pew(&project, &dialect)), &project, &dialect);
    }
    project.zones = zones;
    let dialect = Dialect { version: 59, ..Dialect::default() };
    assert_read(&open(&encode_pew(&project, &dialect)), &project, &dialect);
}
