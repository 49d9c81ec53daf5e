//! Visitor projects: every value that is expected of them, what damaged files come to, and readings that a person wants.

use crate::kit::{
    open::Opened,
    visitor::{bytes, expected, open, tiny, try_open},
};
use bonebox::{
    formats::{Children, Severity},
    scene::{PropClass, RoadPartKind, SizeSource},
};
use glam::Vec3;
use serde_json::Value;
use std::collections::BTreeMap;

const GOOD: [&str; 11] = [
    "tiny60",
    "tiny59",
    "tiny60_exclusive",
    "tiny60_publishedliteral",
    "tiny60_ignorenets",
    "tiny60_nocell",
    "rect60_64x32",
    "xroad_opaque",
    "layers3",
    "empty_project",
    "nan_heights",
];

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn close(found: f64, wanted: &Value, what: &str) {
    let wanted = wanted.as_f64().unwrap();
    assert!((found - wanted).abs() <= 1e-4 * wanted.abs().max(1.0), "{what}: {found}, not {wanted}");
}

#[test]
fn every_value_of_the_good_files_is_read() {
    for name in GOOD {
        let (opened, wanted) = (open(&bytes(name)), expected(name));
        opened.assert_tiled(name);
        let errors = opened.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        assert_eq!(errors.collect::<Vec<_>>(), Vec::<&bonebox::formats::Diagnostic>::new(), "{name}");
        check_reading(name, &opened, &wanted);
        check_card(name, &opened, &wanted);
        check_types(name, &opened, &wanted);
        check_objects(name, &opened, &wanted);
        check_rest(name, &opened, &wanted);
    }
}

fn check_reading(name: &str, opened: &Opened, wanted: &Value) {
    let flags = if wanted["extra_shorts"].as_bool().unwrap() { "present" } else { "absent" };
    assert_eq!(opened.reading("strings"), wanted["string_mode"].as_str().unwrap(), "{name}");
    assert_eq!(opened.reading("flags"), flags, "{name}");
    assert_eq!(opened.reading("blue"), wanted["blue_count"].to_string(), "{name}");
    assert_eq!(opened.reading("transform"), wanted["objects"]["layout"].as_str().unwrap(), "{name}");
    let ids = if name == "tiny60_publishedliteral" { "trailing" } else { "none" };
    assert_eq!((opened.reading("type_ids").as_str(), opened.reading("layers").as_str()), (ids, "each"), "{name}");
    assert_eq!(opened.reading("cell"), "10", "{name}");
    for choice in opened.document.reading() {
        assert!(
            choice.evidence.ends_with('.') && !choice.overridden && !choice.rivals.is_empty(),
            "{name}: {choice:?}"
        );
        assert!(choice.rivals.iter().all(|rival| rival.evidence.ends_with('.')), "{name}: {choice:?}");
        assert!(choice.rivals.iter().all(|rival| rival.value != choice.value), "{name}: {choice:?}");
    }
    let sections: BTreeMap<&str, u64> = opened.document.sections().iter().map(|s| (s.name, s.offset)).collect();
    let expected = wanted["section_offsets"].as_object().unwrap();
    let expected: BTreeMap<&str, u64> = expected.iter().map(|(k, v)| (k.as_str(), v.as_u64().unwrap())).collect();
    assert_eq!(sections, expected, "{name}");
    let class = format!("POSEW{}", wanted["version"]);
    assert_eq!(opened.document.outline().entries()[0].class, class, "{name}");
}

fn check_card(name: &str, opened: &Opened, wanted: &Value) {
    let grid = &wanted["grid"];
    let card = opened.document.terrain_card().unwrap();
    assert_eq!(u64::from(card.x), grid["x"].as_u64().unwrap(), "{name}");
    assert_eq!(u64::from(card.z), grid["z"].as_u64().unwrap(), "{name}");
    close(f64::from(card.cell), &grid["cell"], name);
    let [min, max] = card.range.unwrap();
    assert_eq!((min, max), (grid["min"].as_f64().unwrap() as f32, grid["max"].as_f64().unwrap() as f32), "{name}");
    let terrain = opened.terrain();
    let range = terrain.grid.range().unwrap();
    assert_eq!((range.min, range.max), (min, max), "{name}");
    if let Some(cells) = wanted["nan_cells"].as_array() {
        // The hash and the mean are of heights before these were put in.
        assert_eq!(range.holes, cells.len(), "{name}");
        for cell in cells {
            let height = terrain.grid.heights[cell.as_u64().unwrap() as usize];
            assert!(height.is_nan(), "{name}: {height}");
        }
        assert!(opened.codes().contains(&"visitor.height-holes"), "{name}");
    } else {
        assert_eq!(card.sha256, grid["sha256"].as_str().unwrap(), "{name}");
        close(card.mean.unwrap(), &grid["mean"], name);
        assert_eq!(range.holes, 0, "{name}");
    }
    let corner = |column, row| f64::from(terrain.grid.get(column, row).unwrap());
    let (east, north) = (card.x - 1, card.z - 1);
    close(corner(0, 0), &grid["sw"], name);
    close(corner(east, 0), &grid["se"], name);
    close(corner(0, north), &grid["nw"], name);
    let highest = [0, 1].map(|i| grid["max_at"][i].as_u64().unwrap() as u32);
    assert_eq!(terrain.grid.get(highest[0], highest[1]), Some(max), "{name}");
}

fn check_types(name: &str, opened: &Opened, wanted: &Value) {
    let terrain = opened.terrain();
    let types = wanted["object_types"].as_array().unwrap();
    assert_eq!(terrain.kinds.len(), types.len(), "{name}: made-up kinds");
    for (kind, wanted) in terrain.kinds.iter().zip(types) {
        assert_eq!(kind.model, wanted["model"].as_str().unwrap());
        assert_eq!(kind.name, wanted["name"].as_str().unwrap());
        let class = match wanted["cls"].as_u64().unwrap() {
            1 => PropClass::Natural,
            2 => PropClass::Artificial,
            3 => PropClass::Road,
            _ => PropClass::ArtificialInRoad,
        };
        assert_eq!(kind.class, class);
        let color: Vec<u8> = wanted["outline"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap() as u8).collect();
        assert_eq!(kind.outline.unwrap_or([255; 4]).as_slice(), color);
        assert_eq!(u64::from(kind.id), wanted["type_id"].as_u64().unwrap());
        let is_ellipse = kind.marker == bonebox::scene::PropMarker::Ellipse;
        assert_eq!(u64::from(is_ellipse), wanted["marker"].as_u64().unwrap());
        let fields = opened.document.fields(kind.source.unwrap().into()).unwrap().fields;
        let subs = fields.iter().filter(|field| field.name == "Sub").count();
        assert_eq!(subs as u64, wanted["sub_objects"].as_u64().unwrap());
        assert_eq!(kind.size_source, SizeSource::Guessed);
    }
}

fn check_objects(name: &str, opened: &Opened, wanted: &Value) {
    let terrain = opened.terrain();
    let objects = &wanted["objects"];
    assert_eq!(u64::from(terrain.slots), objects["slots"].as_u64().unwrap(), "{name}");
    assert_eq!(terrain.props.len() as u64, objects["present"].as_u64().unwrap(), "{name}");
    let mut per_type = BTreeMap::new();
    for prop in &terrain.props {
        *per_type.entry(prop.type_id.to_string()).or_insert(0_u64) += 1;
        assert_eq!(terrain.kinds[prop.kind as usize].id, prop.type_id, "{name}");
    }
    let expected = objects["per_type"].as_object().unwrap();
    let expected: BTreeMap<String, u64> = expected.iter().map(|(k, v)| (k.clone(), v.as_u64().unwrap())).collect();
    assert_eq!(per_type, expected, "{name}");
    let entry = opened.document.outline().find("Objects").unwrap().id;
    let fields = opened.document.fields(entry).unwrap().fields;
    for sample in objects["samples"].as_array().unwrap() {
        let slot = sample["index"].as_u64().unwrap();
        let what = format!("{name}, slot {slot}");
        let prop = terrain.props.iter().find(|prop| u64::from(prop.slot) == slot).unwrap();
        assert_eq!(u64::from(prop.id), sample["id"].as_u64().unwrap(), "{what}");
        assert_eq!(u64::from(prop.type_id), sample["type_id"].as_u64().unwrap(), "{what}");
        assert_eq!(prop.name, sample["name"].as_str().unwrap(), "{what}");
        let position = prop.file_position;
        for (found, key) in [(position.x, "x"), (position.y, "y"), (position.z, "z")] {
            assert_eq!(found, sample[key].as_f64().unwrap() as f32, "{what}");
        }
        close(f64::from(prop.heading.to_degrees()), &sample["heading_deg"], &what);
        close(f64::from(prop.scale), &sample["scale"], &what);
        close(f64::from(prop.above_ground), &sample["rel"], &what);
        // In the scene it is turned and scaled alike, and north is −Z.
        let world = prop.world_from_prop;
        let ahead = world.transform_vector3(Vec3::NEG_Z);
        let heading = ahead.x.atan2(-ahead.z).to_degrees();
        close(f64::from(heading), &sample["heading_deg"], &what);
        close(f64::from(ahead.length()), &sample["scale"], &what);
        close(f64::from(-world.translation.z), &sample["z"], &what);
        // The table of slots says the same.
        let Children::Table(table) = &fields[1].children else { panic!("no table") };
        let Children::Fields(row) = table.row(slot as usize).unwrap().children else { panic!("no row") };
        let id = row.iter().find(|field| field.name == "InstanceId").unwrap();
        assert_eq!(id.value, bonebox::formats::Value::UInt(prop.id.into()), "{what}");
    }
}

fn check_rest(name: &str, opened: &Opened, wanted: &Value) {
    let terrain = opened.terrain();
    let nets = wanted["road_nets"]["nets"].as_array().unwrap();
    assert_eq!(terrain.roads.len(), nets.len(), "{name}");
    for (net, wanted) in terrain.roads.iter().zip(nets) {
        assert_eq!(net.name, wanted["name"].as_str().unwrap());
        assert_eq!(net.max_angle_degrees, wanted["max_angle"].as_f64().unwrap());
        assert_eq!(net.max_bank_degrees, wanted["max_bank"].as_f64().unwrap());
        let kinds = [
            (RoadPartKind::Straight, "straights"),
            (RoadPartKind::Curve, "curves"),
            (RoadPartKind::Special, "specials"),
            (RoadPartKind::Terminator, "terminators"),
        ];
        for (kind, key) in kinds {
            let names: Vec<&str> = net.parts.iter().filter(|p| p.kind == kind).map(|p| p.name.as_str()).collect();
            assert_eq!(names, texts(&wanted["parts"][key]), "{name}");
        }
    }
    let crossroads = wanted["road_nets"]["xroads"].as_u64().unwrap();
    assert_eq!(opened.codes().contains(&"visitor.crossroads"), crossroads > 0, "{name}");
    let layers = wanted["layers"].as_array().unwrap();
    assert_eq!(terrain.layers.len(), layers.len(), "{name}");
    for (layer, wanted) in terrain.layers.iter().zip(layers) {
        assert_eq!(layer.name, wanted["name"].as_str().unwrap());
        assert_eq!(layer.materials, texts(&wanted["materials"]), "{name}");
    }
    let backgrounds = wanted["backgrounds"].as_array().unwrap();
    assert_eq!(terrain.pictures.len(), backgrounds.len(), "{name}");
    for (picture, wanted) in terrain.pictures.iter().zip(backgrounds) {
        assert_eq!(picture.file, wanted["file"].as_str().unwrap());
        assert_eq!(picture.name, wanted["name"].as_str().unwrap());
        for (found, key) in [(picture.offset, "offset"), (picture.size, "size")] {
            close(f64::from(found.x), &wanted[key][0], name);
            close(f64::from(found.y), &wanted[key][1], name);
        }
        assert_eq!(u64::from(picture.transparency), wanted["transparency"].as_u64().unwrap());
        assert_eq!(u64::from(picture.visible), wanted["visible"].as_u64().unwrap());
    }
}

#[test]
fn a_zone_is_read_with_its_outline() {
    let terrain = open(&tiny()).terrain();
    let [zone] = terrain.zones.as_slice() else { panic!("{} zones", terrain.zones.len()) };
    assert_eq!(
        (zone.name.as_str(), zone.id, zone.fill, zone.outline),
        ("Les_new", 55, [0, 200, 0, 255], [0, 90, 0, 255])
    );
    let corners: Vec<[f32; 2]> = zone.polygon.iter().map(|corner| corner.to_array()).collect();
    assert_eq!(corners, [[100.0, 100.0], [300.0, 100.0], [300.0, 250.0], [100.0, 250.0]]);
}

#[test]
fn types_stand_in_their_folders() {
    let opened = open(&tiny());
    let outline = opened.document.outline();
    let spruce = outline.find("Types/natural/ca/plants/smrk_siroky").unwrap();
    assert_eq!((spruce.class.as_ref(), spruce.offset), ("ObjectType", 48));
    assert_eq!(outline.find("Types/natural").unwrap().name, "natural (3)");
    let objects = outline.find("Objects").unwrap();
    assert!(outline.children(objects.id).is_empty());
}

#[test]
fn later_versions_are_read_with_a_warning() {
    let mut older = tiny();
    older[5..7].copy_from_slice(b"57");
    let other = "visitor.other-version";
    // What is behind the layers lies elsewhere before version 60.
    let files = [("57", older, vec![other, "visitor.bad-tail"]), ("future61", bytes("future61"), vec![other])];
    for (name, bytes, codes) in files {
        let opened = open(&bytes);
        opened.assert_tiled(name);
        assert_eq!(opened.codes(), codes, "{name}");
        assert_eq!(opened.terrain().props.len(), 35, "{name}");
    }
}

#[test]
fn hostile_files_end_as_they_should() {
    for (name, why) in [("bad_magic", "POSEW"), ("bad_header_only", "header")] {
        let Err(error) = try_open(&bytes(name)) else { panic!("{name} opens") };
        assert!(error.file == "test.pew" && error.message.contains(why), "{name}: {error}");
    }
    let partial = |name: &str| {
        let opened = open(&bytes(name));
        opened.assert_tiled(name);
        opened
    };
    let types = partial("bad_hugetypes");
    assert_eq!(types.codes(), ["visitor.short-types"]);
    assert_eq!((types.terrain().kinds.len(), types.terrain().props.len()), (8, 35));
    let grid = partial("bad_hugegrid");
    assert_eq!(grid.codes(), ["visitor.no-grid"]);
    assert_eq!((grid.terrain().kinds.len(), grid.terrain().props.len(), grid.terrain().grid.len()), (8, 35, 0));
    let objects = partial("bad_hugeobjects");
    assert_eq!(objects.codes(), ["visitor.short-objects"]);
    assert!(objects.diagnostics[0].message.contains("40 of 2,147,483,647"), "{:?}", objects.diagnostics);
    assert_eq!((objects.terrain().props.len(), objects.terrain().pictures.len()), (35, 2));
    let heights = partial("bad_truncated_heights");
    assert_eq!(heights.codes(), ["visitor.short-heights"]);
    assert!(heights.diagnostics[0].message.contains("Complete rows: 19 of 64"), "{:?}", heights.diagnostics);
    let terrain = heights.terrain();
    assert_eq!((terrain.grid.columns, terrain.grid.rows), (64, 64));
    assert!(terrain.grid.get(63, 18).is_some() && terrain.grid.get(63, 20).is_none());
    let cut = partial("bad_truncated_objects");
    assert_eq!(cut.codes(), ["visitor.short-objects"]);
    let terrain = cut.terrain();
    assert!((1..40).contains(&terrain.slots), "{}", terrain.slots);
    assert!(cut.diagnostics[0].message.contains(&format!("{} of 40", terrain.slots)), "{:?}", cut.diagnostics);
}
