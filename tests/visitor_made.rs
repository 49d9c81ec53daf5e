//! The writer of Visitor projects: against the bytes of the corpus, which another program has written.

mod support;

use bonebox::formats::visitor::encode::{
    Background, CellPlace, Dialect, Layer, LayerNames, Material, Object, ObjectClass, ObjectType, Opaque, Project,
    Road, RoadNets, RoadParts, RoadPiece, StringLength, SubObject, Zone, encode_pew_with_places,
};
use serde_json::Value;
use std::fs;

/// What the corpus's projects hold besides their ground and objects, which all have in common.
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

/// Objects of the corpus are the samples, and as many others as are in the slots; names are told by their lengths.
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
    let Some(corpus) = support::corpus("the_corpus_is_written_to_the_byte") else { return };
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
        let file = fs::read(corpus.join(format!("visitor/{name}.pew"))).unwrap();
        let json: Value =
            serde_json::from_slice(&fs::read(corpus.join(format!("visitor/{name}.json"))).unwrap()).unwrap();
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
