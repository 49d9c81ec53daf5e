//! Models as their editors store them, made here byte by byte (formats/visitor.md §2.4).

use crate::kit::p3d;
use crate::kit::p3d::{made_box, made_memory, model_bytes, rich_model, words};
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Children, Content, Diagnostic, Diagnostics, Document, EntryId, Field, LoadContext, LoadOptions,
        NoFiles, OpenContext, OpenError, Value, coverage,
        visitor::mlod::{BodyError, prop_body},
    },
    scene::{Model, PropBody},
};
use glam::Vec3;
use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::AtomicBool},
};

fn open(bytes: Vec<u8>) -> Result<(Box<dyn Document>, Vec<Diagnostic>), OpenError> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: "house.p3d",
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::from(bytes), &mut cx)?;
    Ok((document, diagnostics.finish()))
}

fn load(document: &dyn Document, entry: EntryId) -> (Result<Arc<Model>, String>, Vec<Diagnostic>) {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = LoadContext {
        file: "house.p3d",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &AtomicBool::new(false),
    };
    let model = match document.load(entry, &mut cx) {
        Ok(Asset::Model(model)) => Ok(model),
        Ok(_) => Err("no model".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    (model, diagnostics.finish())
}

fn shown(bytes: Vec<u8>) -> Arc<Model> {
    let (document, _) = open(bytes).unwrap();
    load(&*document, EntryId::FILE).0.unwrap()
}

/// Every code that opening and showing all of a file reports.
fn codes(bytes: Vec<u8>) -> BTreeSet<&'static str> {
    let (document, mut found) = open(bytes).unwrap();
    for entry in document.outline().entries().iter().filter(|e| e.content == Content::Model) {
        found.extend(load(&*document, entry.id).1);
    }
    found.iter().map(|d| d.code).collect()
}

fn body(bytes: Vec<u8>) -> Result<PropBody, BodyError> {
    prop_body("house", &Source::from(bytes))
}

/// Six times the volume that the triangles enclose: positive when they are counter-clockwise from outside.
fn enclosed(model: &Model) -> f32 {
    let mesh = &model.meshes[0];
    let corner = |i: &u32| mesh.position(*i as usize);
    mesh.indices.chunks(3).map(|t| corner(&t[0]).dot(corner(&t[1]).cross(corner(&t[2])))).sum()
}

#[test]
fn levels_are_listed_by_what_they_are_for() {
    let (document, found) = open(rich_model()).unwrap();
    assert_eq!(found.len(), 0, "{found:?}");
    let list: Vec<_> = document.outline().entries().iter().map(|e| (e.path.as_str(), &*e.class, e.content)).collect();
    use Content::{Model, None};
    assert_eq!(
        list,
        [
            ("", "MLOD", Model),
            ("Visual 2.5", "Level", Model),
            ("Visual 2.5/Tags", "Tags", None),
            ("Visual 1", "Level", Model),
            ("Visual 1/Tags", "Tags", None),
            ("Geometry", "Level", Model),
            ("Geometry/Tags", "Tags", None),
            ("Memory", "Level", None),
            ("Memory/Tags", "Tags", None),
        ]
    );
    assert_eq!(document.format().id, "p3d");
}

#[test]
fn boxes_keep_their_size_and_face_outwards() {
    for sp3x in [false, true] {
        let model = shown(model_bytes(&[made_box(1.0, sp3x)]));
        let bounds = model.bounds();
        assert_eq!((bounds.min, bounds.max), (Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0)));
        assert_eq!(model.name, "house");
        // 2 × 3 × 4 m.
        assert!((enclosed(&model) - 6.0 * 24.0).abs() < 1e-3, "{sp3x} {}", enclosed(&model));
        let mesh = &model.meshes[0];
        assert_eq!((mesh.points.len(), mesh.vertex_count(), mesh.triangle_count()), (8, 24, 12));
        for (index, normal) in mesh.normals.iter().enumerate() {
            let outwards = (mesh.position(index) - Vec3::new(0.0, 1.5, 0.0)).dot(*normal);
            assert!(outwards > 0.5 && normal.is_normalized(), "{sp3x} vertex {index}: {normal}");
        }
        let names: Vec<&str> = model.materials.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["ca\\roof.paa", "ca\\wall.paa"]);
        assert_eq!(mesh.surfaces.iter().map(|s| (s.material, s.index_count)).collect::<Vec<_>>(), [(0, 6), (1, 30)]);
        assert_ne!(mesh.colors[0], mesh.colors[23]);
        assert_eq!(mesh.uv_sets[0][5], glam::Vec2::new(0.25, 0.75));
        assert_eq!(mesh.triangle_sources[..4], [0, 0, 1, 1]);
    }
}

#[test]
fn north_is_minus_z() {
    let mut level = made_box(1.0, false);
    level.points.iter_mut().for_each(|p| p[2] += 10.0);
    let bounds = shown(model_bytes(&[level])).bounds();
    assert_eq!((bounds.min.z, bounds.max.z), (-12.0, -8.0));
}

#[test]
fn a_file_shows_as_its_finest_visual_level() {
    assert_eq!(shown(rich_model()).triangle_count(), 12);
    let mut small = made_box(0.5, false);
    small.faces.truncate(1);
    assert_eq!(shown(model_bytes(&[made_box(1.0, false), small, made_box(1e13, false)])).triangle_count(), 2);
    // Levels without faces are none to look at.
    let mut empty = made_box(0.0, false);
    empty.faces.clear();
    assert_eq!(shown(model_bytes(&[empty, made_box(3.0, true)])).triangle_count(), 12);
    let (document, _) = open(model_bytes(&[made_memory()])).unwrap();
    assert_eq!(document.outline().get(EntryId::FILE).unwrap().content, Content::None);
    assert!(load(&*document, EntryId::FILE).0.is_err());
}

#[test]
fn models_stand_on_maps_with_their_visual_levels() {
    let found = body(rich_model()).unwrap();
    assert_eq!(found.levels.iter().map(|l| l.resolution).collect::<Vec<_>>(), [1.0, 2.5]);
    assert_eq!((found.bounds.min, found.bounds.max), (Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0)));
    let geometry = body(model_bytes(&[made_memory(), made_box(1e13, true)])).unwrap();
    assert_eq!(geometry.levels.len(), 1);
    assert!(geometry.levels[0].resolution > 9e12);
    assert_eq!(body(model_bytes(&[made_memory()])).unwrap_err(), BodyError::Empty);
    let binarised = [b"ODOL".to_vec(), words(&[40]), vec![7; 50]].concat();
    assert_eq!(body(binarised).unwrap_err(), BodyError::Binarised(40));
    assert!(matches!(body(b"RIFF....".to_vec()).unwrap_err(), BodyError::Unreadable(_)));
}

#[test]
fn proxies_are_hidden_and_do_not_count_for_the_size() {
    let mut level = made_box(1.0, false);
    level.points.push([100.0, 0.0, 0.0]);
    let mut face = level.faces[0].clone();
    face.corners = vec![(0, 0), (1, 0), (8, 0)];
    level.faces.push(face);
    let mut data = vec![0; 9 + 7];
    *data.last_mut().unwrap() = 1;
    level.tags.push(("proxy:\\ca\\flag.001".to_owned(), data));
    let found = body(model_bytes(&[level])).unwrap();
    assert_eq!(found.bounds.max.x, 1.0);
    let model = &found.levels[0].model;
    let hidden: Vec<&str> = model.materials.iter().filter(|m| m.basic().hidden).map(|m| m.name.as_str()).collect();
    assert_eq!((hidden, model.triangle_count()), (vec!["proxies"], 13));
}

/// Names and values of the fields of an entry, rows of tables too.
fn values(document: &dyn Document, path: &str) -> Vec<(String, Value)> {
    let entry = document.outline().find(path).unwrap().id;
    let mut stack: Vec<Field> = document.fields(entry).unwrap().fields;
    stack.reverse();
    let mut found = Vec::new();
    while let Some(field) = stack.pop() {
        found.push((field.name.to_string(), field.value.clone()));
        match field.children {
            Children::None => {}
            Children::Fields(fields) => stack.extend(fields.into_iter().rev()),
            Children::Table(table) => stack.extend((0..table.len()).rev().filter_map(|i| table.row(i))),
        }
    }
    found
}

#[test]
fn tags_have_typed_data() {
    for path in ["Visual 1/Tags", "Visual 2.5/Tags"] {
        let (document, _) = open(rich_model()).unwrap();
        let found = values(&*document, path);
        let has = |name: &str, value: Value| assert!(found.contains(&(name.to_owned(), value)), "{path}: {found:?}");
        has("Name", Value::Text("class".into()));
        has("Value", Value::Text("house".into()));
        has("From", Value::UInt(1));
        has("To", Value::UInt(3));
        has("Time", Value::Float(0.5));
        has("Points", Value::Text("1 of 8: 0".into()));
        has("Faces", Value::Text("1 of 6: 0".into()));
        has("Name", Value::Text("#EndOfFile#".into()));
        assert_eq!(found.iter().filter(|(_, v)| *v == Value::Float(2.5)).count(), 8);
        assert_eq!(found.iter().filter(|(_, v)| matches!(v, Value::Opaque(_))).count(), 1);
    }
}

/// Every byte in one field.
fn assert_covered(name: &str, bytes: Vec<u8>) {
    let (document, _) = open(bytes).unwrap();
    let found = coverage::coverage(&*document);
    assert!(found.unread.is_empty() && found.doubled.is_empty(), "{name}: {:?} {:?}", found.unread, found.doubled);
    let known: Vec<&str> = document.format().opaque.iter().map(|(name, _)| *name).collect();
    assert!(found.opaque.iter().all(|span| known.contains(&span.name)), "{name}");
}

#[test]
fn every_byte_of_whole_and_cut_files_is_in_one_field() {
    let whole = rich_model();
    for cut in (4..whole.len()).filter(|cut| *cut < 8).chain(12..=whole.len()) {
        if let Ok((_, _)) = open(whole[..cut].to_vec()) {
            assert_covered(&format!("cut at {cut}"), whole[..cut].to_vec());
        }
    }
    assert_covered("trailing", [whole, vec![0; 9]].concat());
    assert_covered("binarised", [b"ODOL".to_vec(), vec![9; 40]].concat());
    let (document, _) = open(rich_model()).unwrap();
    let opaque: u64 = coverage::coverage(&*document).opaque.iter().map(|span| span.size).sum();
    // Two tags that nobody knows.
    assert_eq!(opaque, 6);
}

#[test]
fn every_code_is_reported_by_a_file_that_has_the_fault() {
    let whole = || model_bytes(&[made_box(1.0, false)]);
    let changed = |change: fn(&mut p3d::MadeLevel)| {
        let mut level = made_box(1.0, false);
        change(&mut level);
        model_bytes(&[level])
    };
    let mut version = whole();
    version[4] = 2;
    let mut many = b"MLOD".to_vec();
    many.extend(words(&[0x101, 1200]));
    many.extend(p3d::level_bytes(&made_memory()).repeat(1200));
    let cut = whole()[..200].to_vec();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("p3d.binarised", [b"ODOL".to_vec(), words(&[7])].concat()),
        ("p3d.unknown-version", version),
        ("p3d.cut-level", cut),
        ("p3d.too-many-levels", many),
        ("p3d.trailing", [whole(), vec![0]].concat()),
        ("p3d.bad-face", changed(|level| level.faces[2].corners[1].0 = 8)),
        ("p3d.bad-normal", changed(|level| level.faces[2].corners[1].1 = 6)),
        ("p3d.not-finite", changed(|level| level.points[3][1] = f32::NAN)),
        (
            "p3d.too-many-materials",
            changed(|level| {
                let face = level.faces[0].clone();
                level.faces = vec![face; 1001];
                for (index, face) in level.faces.iter_mut().enumerate() {
                    face.material = format!("{index}.rvmat");
                }
            }),
        ),
    ];
    for (code, bytes) in &cases {
        assert!(codes(bytes.clone()).contains(code), "{code}: {:?}", codes(bytes.clone()));
    }
    assert!(codes(whole()).is_empty());
    let listed = formats::FORMATS.iter().find(|f| f.info().id == "p3d").unwrap().info().codes;
    let listed: BTreeSet<&str> = listed.iter().map(|c| c.id).filter(|id| id.starts_with("p3d.")).collect();
    assert_eq!(listed, cases.iter().map(|(code, _)| *code).collect());
}

#[test]
fn a_cut_level_keeps_what_is_whole() {
    let whole = model_bytes(&[made_box(1.0, false), made_box(2.0, false)]);
    let (document, found) = open(whole[..whole.len() - 6].to_vec()).unwrap();
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), ["p3d.cut-level"]);
    assert_eq!(document.outline().find("Cut level 1").unwrap().content, Content::Model);
    assert_eq!(load(&*document, EntryId::FILE).0.unwrap().triangle_count(), 12);
    let found = values(&*document, "Cut level 1");
    assert!(found.iter().any(|(name, _)| name == "Faces"));
}
