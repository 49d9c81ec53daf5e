//! Models as their editors store them, made here byte by byte (formats/visitor.md §2.4).

use crate::kit::{
    codes::{Trigger, assert_table},
    open::{self, Opened, Opening, model_in},
    p3d::{self, level_bytes, made_box, made_memory, model_bytes, rich_levels, rich_model, words},
    paa as kit_paa,
};
use bonebox::{
    bytes::Source,
    formats::{
        Children, Content, EntryId, Field, Value,
        coverage::coverage,
        visitor::mlod::{BodyError, prop_body},
    },
    scene::{Blend, Model, PropBody},
};
use glam::Vec3;
use std::{collections::BTreeSet, sync::Arc};

const NAME: &str = "house.p3d";

fn open(bytes: Vec<u8>) -> Opened {
    open::open(NAME, bytes)
}

fn shown(bytes: Vec<u8>) -> Arc<Model> {
    model_in(open(bytes).load(EntryId::FILE).0.unwrap())
}

/// Every code that opening and showing all of a file reports.
fn all_codes(bytes: Vec<u8>) -> BTreeSet<&'static str> {
    let mut file = open(bytes);
    let shown: Vec<EntryId> =
        file.document.outline().entries().iter().filter(|e| e.content == Content::Model).map(|e| e.id).collect();
    for entry in shown {
        let _ = file.load_adding(entry);
    }
    file.codes().into_iter().collect()
}

fn body(bytes: Vec<u8>) -> Result<PropBody, BodyError> {
    prop_body("house", &Source::from(bytes), |_, _| ())
}

/// Six times the volume that the triangles enclose: positive when they are counter-clockwise from outside.
fn enclosed(model: &Model) -> f32 {
    let mesh = &model.meshes[0];
    let corner = |i: &u32| mesh.position(*i as usize);
    mesh.indices.chunks(3).map(|t| corner(&t[0]).dot(corner(&t[1]).cross(corner(&t[2])))).sum()
}

#[test]
fn levels_are_listed_by_what_they_are_for() {
    let Opened { document, diagnostics, .. } = open(rich_model());
    assert_eq!(diagnostics, []);
    let list: Vec<_> =
        document.outline().entries().iter().map(|e| (&*e.path().into_owned().leak(), &*e.class, e.content)).collect();
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
    let file = open(model_bytes(&[made_memory()]));
    assert_eq!(file.document.outline().get(EntryId::FILE).unwrap().content, Content::None);
    let error = file.load(EntryId::FILE).0.unwrap_err();
    assert_eq!(
        (error.offset, error.message.as_str()),
        (0, "this entry cannot be shown. Show a level with faces instead")
    );
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
fn values(file: &Opened, path: &str) -> Vec<(String, Value)> {
    let mut stack: Vec<Field> = file.document.fields(file.entry(path)).unwrap().fields;
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
        let found = values(&open(rich_model()), path);
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

#[test]
fn every_byte_of_whole_and_cut_files_is_in_one_field() {
    let whole = rich_model();
    let paths = |file: &Opened| -> Vec<String> {
        file.document.outline().entries().iter().map(|entry| entry.path().into_owned()).collect()
    };
    let all = paths(&open(whole.clone()));
    let ends: Vec<usize> = std::iter::once(12)
        .chain(rich_levels().iter().scan(12, |end, level| {
            *end += level_bytes(level).len();
            Some(*end)
        }))
        .collect();
    for cut in 0..=whole.len() {
        let file = match Opening::of(NAME).open(&whole[..cut]) {
            Ok(file) => file,
            Err(error) => {
                assert!(cut < 12 && error.file == NAME, "{cut}: {error}");
                let (at, left) = (cut / 4 * 4, cut % 4);
                let why = format!("the file ends inside its header: at offset {at}: 4 bytes expected, {left} left");
                assert_eq!(error.message, why, "{cut}");
                continue;
            }
        };
        file.assert_tiled(&format!("cut at {cut}"));
        // Levels that are whole are listed as if nothing were amiss.
        let levels = ends.iter().filter(|end| **end <= cut).count() - 1;
        let found = paths(&file);
        assert_eq!(found[..1 + 2 * levels], all[..1 + 2 * levels], "{cut}");
        let is_cut = found.contains(&format!("Incomplete level {levels}"));
        assert_eq!(is_cut, cut > ends[levels], "{cut}: {found:?}");
        assert_eq!(found.len() > 1 + 2 * levels, is_cut, "{cut}: {found:?}");
        assert_eq!(file.codes(), if cut < whole.len() { vec!["p3d.cut-level"] } else { vec![] }, "{cut}");
    }
    open([&whole[..], &[0; 9]].concat()).assert_tiled("trailing");
    open([b"ODOL".to_vec(), vec![9; 40]].concat()).assert_tiled("binarised");
    let opaque: u64 = coverage(open(whole).document.as_ref()).opaque.iter().map(|span| span.size).sum();
    // Two tags that nobody knows.
    assert_eq!(opaque, 6);
}

/// A file for each code.
pub fn triggers() -> Vec<Trigger> {
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
    many.extend(level_bytes(&made_memory()).repeat(1200));
    let cut = whole()[..200].to_vec();
    let cases: Vec<(&'static str, Vec<u8>)> = vec![
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
    cases.into_iter().map(|(code, bytes)| Trigger::new(code, NAME, bytes)).collect()
}

#[test]
fn every_code_is_reported_by_a_file_that_has_the_fault() {
    let whole = model_bytes(&[made_box(1.0, false)]);
    assert_eq!(all_codes(whole), BTreeSet::new());
    assert_table("p3d.", &triggers());
}

#[test]
fn a_cut_level_keeps_what_is_whole() {
    let whole = model_bytes(&[made_box(1.0, false), made_box(2.0, false)]);
    let file = open(whole[..whole.len() - 6].to_vec());
    assert_eq!(file.codes(), ["p3d.cut-level"]);
    assert_eq!(file.document.outline().find("Incomplete level 1").unwrap().content, Content::Model);
    assert_eq!(model_in(file.load(EntryId::FILE).0.unwrap()).triangle_count(), 12);
    let found = values(&file, "Incomplete level 1");
    assert!(found.iter().any(|(name, _)| name == "Faces"));
}

/// A model of three squares in a folder with some of their textures.
fn textured(folder: &std::path::Path) -> Arc<Model> {
    use bonebox::formats::visitor::encode::{ModelFace, ModelLevel, encode_p3d};
    let square = |at: f32, texture: &str| ModelFace {
        corners: vec![[at, 0.0, 0.0], [at + 1.0, 0.0, 0.0], [at + 1.0, 1.0, 0.0], [at, 1.0, 0.0]],
        texture: texture.to_owned(),
    };
    let faces = vec![
        square(0.0, "CA\\walls\\brick_co.paa"),
        square(2.0, "other\\place\\glass_ca.paa"),
        square(4.0, "ca\\gone_co.paa"),
        square(6.0, "#(argb,8,8,3)color(0.2,0.4,1,1,CO)"),
    ];
    std::fs::create_dir_all(folder.join("ca/walls")).unwrap();
    std::fs::write(folder.join("ca/walls/brick_co.paa"), kit_paa::rich()).unwrap();
    // By its name alone, and as an ordinary picture.
    let glass = bonebox::scene::Image {
        name: String::new(),
        width: 1,
        height: 1,
        rgba: [10, 20, 30, 255].to_vec().into(),
        stored_as: String::new(),
    };
    std::fs::write(folder.join("ca/glass_ca.png"), bonebox::export::png(&glass).unwrap()).unwrap();
    let path = folder.join(NAME);
    std::fs::write(&path, encode_p3d(&[ModelLevel { faces, resolution: 1.0 }])).unwrap();
    shown_at(&path)
}

fn shown_at(path: &std::path::Path) -> Arc<Model> {
    let file = bonebox::library::OpenOptions::new().open(path).unwrap();
    model_in(open::load_of(&file, EntryId::FILE))
}

#[test]
fn textures_are_found_by_their_paths_and_names_and_missing_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let model = textured(folder.path());
    let brick = open::picture_in(open::open("brick_co.paa", kit_paa::rich()).asset(EntryId::FILE));
    let images: Vec<_> = model.materials.iter().map(|m| m.basic().image).collect();
    assert_eq!(images, [Some(0), Some(1), None, None]);
    assert_eq!(model.materials[0].basic().blend, Blend::Masked);
    assert_eq!(model.images[0].rgba, brick.image().unwrap().rgba);
    assert_eq!(*model.images[1].rgba, [10, 20, 30, 255]);
    let missing: Vec<_> = model.missing_textures.iter().map(|m| (m.material.0, m.object.as_str())).collect();
    assert_eq!(missing, [(2, "ca\\gone_co.paa")]);
    // A texture is shown in its own colours; what has none keeps the colour that stands for it.
    let mesh = &model.meshes[0];
    let color = |surface: usize| mesh.colors[mesh.indices[mesh.surfaces[surface].first_index as usize] as usize];
    assert_eq!([color(0), color(1), color(3)], [[255; 4], [255; 4], [51, 102, 255, 255]]);
    assert_ne!(color(2), [255; 4]);
    // A picture that cannot be decoded leaves the model whole.
    std::fs::write(folder.path().join("ca/walls/brick_co.paa"), b"\x01\xFF").unwrap();
    let damaged = shown_at(&folder.path().join(NAME));
    assert_eq!((damaged.materials[0].basic().image, damaged.images.len()), (None, 1));
}
