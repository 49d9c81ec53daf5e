//! `NAME_d.3d` and `NAME_a.3d`: reference values of files made byte by byte, with and without what lies beside them, and damage.

use crate::kit::{
    codes::{Trigger, assert_table, with},
    files::Files,
    open::{Loading, Opened, Opening, clip_in, model_in, refusal},
};
use bonebox::{
    formats::{
        Asset, Children, Content, Diagnostic, EntryId, Field, Hint, NoFiles, ReadError, Resolver, Value, probe,
        unreal::encode::{Vertices, encode_mesh_frames, pack_vertex},
    },
    scene::{Blend, Model, Target},
};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Two polygons of four vertices: the first is cut out and unlit, with the texture of slot 1, the second plain.
fn polygons() -> Vec<u8> {
    let mut bytes = vec![2, 0, 4, 0, 0xAA, 0xBB, 0xCC, 0xDD];
    bytes.extend((0..40).map(|i| i + 1));
    bytes.extend([0, 0, 1, 0, 2, 0, 0x13, 7, 0, 51, 102, 153, 204, 255, 1, 9]);
    bytes.extend([0, 0, 2, 0, 3, 0, 0x00, 8, 1, 2, 3, 4, 5, 6, 0, 0]);
    bytes
}

/// Two frames of four vertices in 32 bits each: x in 11, y in 11, z in 10, from the lowest on.
fn frames() -> Vec<u8> {
    let word = |x: u32, y: u32, z: u32| (x & 0x7FF | (y & 0x7FF) << 11 | (z & 0x3FF) << 22).to_le_bytes();
    let minus = |value: u32| value.wrapping_neg();
    let first = [word(0, 0, 0), word(10, 0, 0), word(10, 20, 0), word(0, 20, 5)];
    let second = [word(0, 0, 0), word(minus(1024), 0, 0), word(10, minus(20), 0), word(0, 1023, minus(512))];
    [&[2, 0, 16, 0], first.as_flattened(), second.as_flattened()].concat()
}

/// The places of [`frames`], in the file's space.
const PLACES: [[[i16; 3]; 4]; 2] =
    [[[0, 0, 0], [10, 0, 0], [10, 20, 0], [0, 20, 5]], [[0, 0, 0], [-1024, 0, 0], [10, -20, 0], [0, 1023, -512]]];

/// As [`frames`], with 16 bits a number.
fn wide_frames() -> Vec<u8> {
    let vertex = |[x, y, z]: [i16; 3]| [x, y, z, 0x5A5A].map(i16::to_le_bytes).concat();
    let vertices = PLACES.as_flattened().iter().flat_map(|place| vertex(*place));
    [2, 0, 32, 0].into_iter().chain(vertices).collect()
}

const SCRIPT: &str = "class Kite extends Actor;\n\
    #exec MESH IMPORT MESH=KiteMesh ANIVFILE=MODELS\\Kite_a.3d DATAFILE=MODELS\\Kite_d.3d X=0 Y=0 Z=0\n\
    #exec MESH ORIGIN MESH=KiteMesh X=10 Y=0 Z=0 YAW=64 PITCH=0 ROLL=0\n\
    #exec MESH SEQUENCE MESH=KiteMesh SEQ=All STARTFRAME=0 NUMFRAMES=2 RATE=7.5\n\
    #exec MESH SEQUENCE MESH=KiteMesh SEQ=Dive STARTFRAME=1 NUMFRAMES=1 RATE=0 GROUP=Fall\n\
    #exec MESH NOTIFY MESH=KiteMesh SEQ=All TIME=0.5 FUNCTION=Flap\n\
    #exec TEXTURE IMPORT NAME=Silk FILE=MODELS\\silk.pcx GROUP=Skins FLAGS=2\n\
    #exec MESHMAP NEW MESHMAP=KiteMesh MESH=KiteMesh\n\
    #exec MESHMAP SCALE MESHMAP=KiteMesh X=0.5 Y=0.5 Z=1\n\
    #exec MESHMAP SETTEXTURE MESHMAP=KiteMesh NUM=1 TEXTURE=Silk\n\
    #exec MESHMAP SETTEXTURE MESHMAP=KiteMesh NUM=0 TEXTURE=Wood\n";

/// 2 × 1 pixels of a palette: its first colour, and another one.
fn silk() -> Vec<u8> {
    let mut bmp = b"BM".to_vec();
    bmp.extend([1082_u32, 0, 1078, 40, 2, 1].map(u32::to_le_bytes).concat());
    bmp.extend([1, 0, 8, 0]);
    bmp.extend([0_u32, 4, 0, 0, 256, 0].map(u32::to_le_bytes).concat());
    bmp.extend([255, 0, 255, 0, 30, 20, 10, 0]);
    bmp.resize(1078, 0);
    bmp.extend([0, 1, 0, 0]);
    bmp
}

fn open(name: &str, bytes: Vec<u8>, beside: &Arc<Files>) -> Opened {
    let opening = Opening { resolver: beside.clone(), ..Opening::of(name) };
    opening.open(bytes).unwrap_or_else(|e| panic!("{e}"))
}

fn load(file: &Opened, entry: EntryId, beside: &dyn Resolver) -> (Result<Asset, ReadError>, Vec<Diagnostic>) {
    Loading { name: &file.name, resolver: beside, ..Loading::default() }.load(file.document.as_ref(), entry)
}

fn files(list: Vec<(&'static str, Vec<u8>)>) -> Arc<Files> {
    Arc::new(Files(list))
}

fn both() -> Arc<Files> {
    files(vec![("Kite_d.3d", polygons()), ("Kite_a.3d", frames())])
}

fn shown(file: &Opened, beside: &Arc<Files>) -> Arc<Model> {
    model_in(load(file, EntryId::FILE, &**beside).0.unwrap())
}

/// Paths, classes and contents.
fn listed(file: &Opened) -> Vec<(String, String, Content)> {
    let entries = file.document.outline().entries().iter();
    entries.map(|e| (e.path().into_owned(), e.class.to_string(), e.content)).collect()
}

fn messages(found: &[Diagnostic]) -> Vec<(&str, &str)> {
    found.iter().map(|d| (d.code, d.message.as_str())).collect()
}

#[test]
fn either_file_shows_what_both_hold() {
    for (name, bytes) in both().0.clone() {
        let file = open(name, bytes, &both());
        let (class, records) = if name == "Kite_d.3d" { ("PolygonFile", "Polygons") } else { ("FrameFile", "Frames") };
        assert_eq!(
            listed(&file),
            [
                (String::new(), class.into(), Content::Model),
                (records.into(), records.into(), Content::None),
                ("All frames".into(), "Sequence".into(), Content::Clip),
            ]
        );
        let why = format!(
            "Kite.uc was not found next to {name} or in the Classes folder: the sequences, textures and scale are unknown"
        );
        assert_eq!(messages(&file.diagnostics), [("bonebox.missing-file", &*why)]);
        file.assert_read();

        let model = shown(&file, &both());
        assert_eq!(model.name, "Kite");
        let mesh = &model.meshes[0];
        // Z is twice as coarse; the scene has the file's z as its y.
        let place = |[x, y, z]: [i16; 3]| Vec3::new(x.into(), f32::from(z) * 2.0, y.into());
        assert_eq!(mesh.points, PLACES[0].map(place));
        let frames = mesh.vertex_frames.as_ref().unwrap();
        assert_eq!((frames.frame_count(), frames.positions(1)), (2, &PLACES[1].map(place)[..]));
        assert_eq!(
            mesh.uv_sets[0][..3],
            [[0, 51], [102, 153], [204, 255]].map(|uv| Vec2::from(uv.map(|b| b as f32 / 255.0)))
        );
        assert_eq!((mesh.vertex_points[..3].to_vec(), mesh.triangle_count()), (vec![0, 1, 2], 2));
        let names: Vec<&str> = model.materials.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["Skin 1", "Skin 0"]);
        let [cut, plain] = [0, 1].map(|at| model.materials[at].basic());
        assert_eq!((cut.blend, cut.two_sided, cut.unlit), (Blend::Masked, true, true));
        assert_eq!((plain.blend, plain.two_sided, plain.unlit), (Blend::Opaque, false, false));

        let clip = clip_in(load(&file, file.entry("All frames"), &NoFiles).0.unwrap());
        assert_eq!((&*clip.name, clip.frame_count, clip.rate_hz), ("All frames", 2, 30.0));
        let Target::VertexFrames { mesh, first, count } = &clip.channels[0].target else { panic!("{clip:?}") };
        assert_eq!((&**mesh, *first, *count), ("Kite", 0, 2));
    }
}

#[test]
fn the_file_is_counter_clockwise_in_the_scene_where_it_is_clockwise_in_unreal() {
    // The swap of axes mirrors: corners 0, 1, 2 of the file are 0, 2, 1 here.
    let file = open("Kite_d.3d", polygons(), &both());
    let mesh = shown(&file, &both()).meshes[0].clone();
    let corners: Vec<u32> = mesh.indices.iter().map(|vertex| mesh.vertex_points[*vertex as usize]).collect();
    assert_eq!(corners, [0, 2, 1, 0, 3, 2]);
}

#[test]
fn sixteen_bits_a_number_are_told_by_the_size_of_a_frame() {
    let beside = files(vec![("kite_D.3d", polygons()), ("KITE_A.3d", wide_frames())]);
    for (name, bytes) in [("Kite_d.3d", polygons()), ("Kite_a.3d", wide_frames())] {
        let file = open(name, bytes, &beside);
        file.assert_read();
        let mesh = shown(&file, &beside).meshes[0].clone();
        let place = |[x, y, z]: [i16; 3]| Vec3::new(x.into(), z.into(), y.into());
        assert_eq!(mesh.vertex_frames.unwrap().all_positions(), PLACES.map(|frame| frame.map(place)).as_flattened());
    }
    // Alone, nobody can tell: it is read with 4 bytes a vertex.
    let alone = open("Kite_a.3d", wide_frames(), &files(Vec::new()));
    assert_eq!(values(&alone, "Frames").iter().filter(|(name, ..)| name == "0").count(), 3);
}

#[test]
fn a_script_places_dresses_and_moves_the_mesh() {
    let mut list = both().0.clone();
    list.extend([("Kite.uc", SCRIPT.into()), ("silk.bmp", silk())]);
    let beside = files(list);
    for (name, bytes) in both().0.clone() {
        let file = open(name, bytes, &beside);
        assert_eq!(file.diagnostics, []);
        let paths: Vec<String> = listed(&file).into_iter().map(|(path, ..)| path).collect();
        assert_eq!(paths[2..], ["All", "Dive"]);
        let (model, found) = load(&file, EntryId::FILE, &*beside);
        let model = model_in(model.unwrap());
        let missing = "the texture Wood was not found: there is no image named Wood next to the file";
        assert_eq!(messages(&found), [("bonebox.missing-file", missing)]);
        assert_eq!(model.missing, [missing]);
        assert_eq!(model.missing_textures[0].object, "Wood");
        assert_eq!(model.name, "KiteMesh");
        // (10, 20, 0) − (10, 0, 0), halved, is (0, 10, 0); a quarter turn of yaw makes it (−10, 0, 0).
        assert!(model.meshes[0].points[2].distance(Vec3::new(-10.0, 0.0, 0.0)) < 1e-4, "{}", model.meshes[0].points[2]);
        // Z of the file: 5 · 1.
        assert!((model.meshes[0].points[3].y - 5.0).abs() < 1e-4);
        let names: Vec<&str> = model.materials.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["Silk", "Wood"]);
        let image = &model.images[model.materials[0].basic().image.unwrap() as usize];
        assert_eq!(*image.rgba, [255, 0, 255, 0, 10, 20, 30, 255], "the first colour is cut out");
        assert_eq!(model.materials[1].basic().image, None);

        let [all, dive] = ["All", "Dive"].map(|path| clip_in(load(&file, file.entry(path), &*beside).0.unwrap()));
        assert_eq!((all.frame_count, all.rate_hz, &*all.group), (2, 7.5, ""));
        assert_eq!((all.markers[0].frame, &*all.markers[0].name), (1.0, "Flap"));
        assert_eq!((dive.frame_count, dive.rate_hz, &*dive.group), (1, 30.0, "Fall"));
        let Target::VertexFrames { first, count, .. } = dive.channels[0].target else { panic!("{dive:?}") };
        assert_eq!((first, count), (1, 1));
        let shown: Vec<(String, Value)> =
            values(&file, "Dive").into_iter().map(|(name, value, ..)| (name, value)).collect();
        assert!(
            shown.contains(&("StartFrame".into(), Value::Int(1)))
                && shown.contains(&("Group".into(), Value::Text("Fall".into())))
        );
        file.assert_read();
    }
    // A script of something else says nothing, and that is said.
    let other = files([both().0.clone(), vec![("Kite.uc", b"class Kite extends Actor;".to_vec())]].concat());
    let file = open("Kite_d.3d", polygons(), &other);
    let why = "Kite.uc does not import Kite_d.3d: the sequences, textures and scale are unknown";
    assert_eq!(messages(&file.diagnostics), [("bonebox.missing-file", why)]);
}

#[test]
fn a_file_alone_has_its_fields_and_says_what_it_looked_for() {
    let none = files(Vec::new());
    for (name, bytes, other, holds) in
        [("Kite_d.3d", polygons(), "Kite_a.3d", "frames"), ("Kite_a.3d", frames(), "Kite_d.3d", "polygons")]
    {
        let file = open(name, bytes, &none);
        let why = format!("{other} was not found next to {name}: the model cannot be shown without its {holds}");
        assert_eq!(messages(&file.diagnostics), [("bonebox.missing-file", &*why)]);
        assert_eq!(listed(&file).len(), 2);
        file.assert_read();
        let error = load(&file, EntryId::FILE, &NoFiles).0.unwrap_err();
        assert_eq!(error.message, format!("the model cannot be shown without the file that contains its {holds}"));
        assert!(
            !file.document.has(EntryId::FILE, |can, entry| Some(can.editor?.has_vertex_mesh(entry)))
                && file.document.ask(EntryId::FILE, |can, entry| can.editor?.vertex_mesh(entry)).is_none()
        );
    }
}

/// Names, values, offsets and sizes of the fields of an entry, rows of tables too.
fn values(file: &Opened, path: &str) -> Vec<(String, Value, u64, u64)> {
    let entry = if path.is_empty() { EntryId::FILE } else { file.entry(path) };
    let mut stack: Vec<Field> = file.document.fields(entry).unwrap().fields;
    stack.reverse();
    let mut found = Vec::new();
    while let Some(field) = stack.pop() {
        found.push((field.name.to_string(), field.value.clone(), field.offset, field.size));
        match field.children {
            Children::None => {}
            Children::Fields(fields) => stack.extend(fields.into_iter().rev()),
            Children::Table(table) => stack.extend((0..table.len()).rev().filter_map(|i| table.row(i))),
        }
    }
    found
}

#[test]
fn every_field_has_its_value_and_its_place() {
    let none = files(Vec::new());
    let file = open("Kite_d.3d", polygons(), &none);
    let field = |name: &str, value, offset, size| (name.to_owned(), value, offset, size);
    let header = values(&file, "");
    assert_eq!(
        header[..4],
        [
            field("NumPolygons", Value::UInt(2), 0, 2),
            field("NumVertices", Value::UInt(4), 2, 2),
            field("BogusRot", Value::UInt(0xBBAA), 4, 2),
            field("BogusFrame", Value::UInt(0xDDCC), 6, 2),
        ]
    );
    assert_eq!(header[7], field("FixScale", Value::UInt(0x100F_0E0D), 20, 4));
    assert_eq!(header.last().unwrap(), &field("Unused4", Value::Raw, 36, 12));
    let polygons = values(&file, "Polygons");
    assert_eq!(polygons[0], field("Polygons", Value::None, 48, 32));
    let names = Value::Flags { value: 0x13, names: vec!["Masked", "Unlit"] };
    assert_eq!(
        polygons[2..10],
        [
            field("Vertices", Value::Ints(vec![0, 1, 2]), 48, 6),
            field("Type", names, 54, 1),
            field("Color", Value::UInt(7), 55, 1),
            field("UV0", Value::Ints(vec![0, 51]), 56, 2),
            field("UV1", Value::Ints(vec![102, 153]), 58, 2),
            field("UV2", Value::Ints(vec![204, 255]), 60, 2),
            field("TextureNum", Value::UInt(1), 62, 1),
            field("Flags", Value::UInt(9), 63, 1),
        ]
    );
    for (bytes, beside, each) in [(frames(), none, 4), (wide_frames(), files(vec![("Kite_d.3d", self::polygons())]), 8)]
    {
        let file = open("Kite_a.3d", bytes, &beside);
        assert_eq!(
            values(&file, ""),
            [field("NumFrames", Value::UInt(2), 0, 2), field("FrameSize", Value::UInt(4 * each), 2, 2),]
        );
        let list = values(&file, "Frames");
        assert_eq!(list[0], field("Frames", Value::None, 4, 8 * each));
        let places = list.iter().filter_map(|(_, value, ..)| match value {
            Value::Ints(numbers) => Some(numbers.iter().map(|n| *n as i16).collect::<Vec<_>>()),
            _ => None,
        });
        assert_eq!(places.collect::<Vec<_>>(), PLACES.as_flattened().iter().map(|p| p.to_vec()).collect::<Vec<_>>());
    }
}

#[test]
fn the_name_says_the_format_and_the_content_how_sure_that_is() {
    let of = |bytes: &[u8], name: &str| probe(bytes, &Hint { file_name: name }).map(|format| format.info().id);
    assert_eq!(of(&polygons(), "Kite_d.3d"), Some("mesh3d"));
    assert_eq!(of(&frames(), "kite_A.3D"), Some("mesh3d"));
    for name in ["Kite_d.bin", "Kite_a.p3d", "3d", "Kite_d"] {
        assert_ne!(of(&polygons(), name), Some("mesh3d"), "{name}");
        assert_ne!(of(&frames(), name), Some("mesh3d"), "{name}");
    }
    // What says what it is stays what it is.
    assert_eq!(of(b"MLOD\x01\x01\0\0\x01\0\0\0", "Kite_a.3d"), Some("p3d"));
    let text = refusal("Kite_d.3d", &b"<html><body>404</body></html>"[..]);
    assert!(text.contains("this is an HTML page") && text.contains("no vertex mesh polygons"), "{text}");
}

#[test]
fn files_cut_anywhere_keep_what_is_whole() {
    for (name, whole, head, each) in [("Kite_d.3d", polygons(), 48, 16), ("Kite_a.3d", frames(), 4, 16)] {
        for cut in 0..whole.len() {
            let opened = Opening { resolver: both(), ..Opening::of(name) }.open(&whole[..cut]);
            let file = match opened {
                Ok(file) => file,
                Err(error) => {
                    assert!(cut < head + each && error.file == name, "{name} {cut}: {error}");
                    continue;
                }
            };
            assert!(cut >= head + each, "{name} {cut}");
            file.assert_tiled(&format!("{name} {cut}"));
            assert_eq!(file.codes(), ["bonebox.missing-file", "mesh3d.truncated"], "{name} {cut}");
            let found = &file.diagnostics[1];
            assert_eq!(found.offset, Some((head + each) as u64));
            assert!(found.message.ends_with(": 1 of 2"), "{}", found.message);
            let model = shown(&file, &both());
            let is_data = name == "Kite_d.3d";
            assert_eq!(model.meshes[0].triangle_count(), if is_data { 1 } else { 2 });
            assert_eq!(model.meshes[0].vertex_frames.as_ref().unwrap().frame_count(), if is_data { 2 } else { 1 });
        }
        // With more behind it.
        let longer = open(name, [&whole[..], &[1, 2, 3]].concat(), &both());
        longer.assert_tiled(name);
        assert_eq!(longer.codes(), ["bonebox.missing-file", "mesh3d.trailing"]);
    }
}

/// All that can be read of a file with these beside it; findings of opening and of loading.
fn read_all(name: &str, bytes: Vec<u8>, beside: &Arc<Files>) -> Option<(Opened, Vec<Diagnostic>)> {
    let file = Opening { resolver: beside.clone(), ..Opening::of(name) }.open(bytes).ok()?.checked();
    file.assert_tiled(name);
    let mut found = file.diagnostics.clone();
    for entry in file.document.outline().entries() {
        values(&file, &entry.path());
        let (asset, more) = load(&file, entry.id, &**beside);
        found.extend(more);
        assert_eq!(asset.is_ok(), entry.content != Content::None, "{name}: {entry:?}");
        if let Ok(Asset::Model(model)) = asset {
            crate::kit::exercise::promises::check_model(&model);
        }
    }
    if let Some(mesh) = file.document.ask(EntryId::FILE, |can, entry| can.editor?.vertex_mesh(entry)) {
        let mesh = mesh.unwrap();
        assert!(mesh.polygons.iter().all(|p| p.vertices.iter().all(|v| usize::from(*v) < mesh.frame_vertices)));
    }
    Some((file, found))
}

#[test]
fn counts_at_their_worst_are_bounded_by_what_is_there() {
    let worst = [0xFF, 0xFF];
    for (name, whole) in both().0.clone() {
        for at in 0..whole.len() - 1 {
            for bytes in [worst, [0, 0], [0, 0x80]] {
                let damaged = with(whole.clone(), at, &bytes);
                read_all(name, damaged.clone(), &both());
                // The other file meets it too.
                let other = both().0.iter().find(|(other, _)| *other != name).unwrap().clone();
                read_all(other.0, other.1.clone(), &files(vec![(name, damaged)])).expect("it is whole itself");
            }
        }
    }
    let (file, _) = read_all("Kite_d.3d", with(polygons(), 0, &worst), &both()).unwrap();
    assert_eq!(file.diagnostics[1].message, "complete polygons: 2 of 65,535");
    let (file, _) = read_all("Kite_a.3d", with(frames(), 0, &worst), &both()).unwrap();
    assert_eq!(file.diagnostics[1].message, "complete frames: 2 of 65,535");
    // A frame of 65,535 bytes is not there.
    assert!(refusal("Kite_a.3d", with(frames(), 2, &worst)).contains("no vertex mesh frames"));
    assert!(refusal("Kite_a.3d", with(frames(), 2, &[0, 0])).contains("no vertex mesh frames"));
}

#[test]
fn polygons_of_vertices_that_are_not_there_are_left_out() {
    let bad = with(polygons(), 48 + 16 + 2, &[4, 0]);
    let beside = files(vec![("Kite_d.3d", bad.clone()), ("Kite_a.3d", frames())]);
    let (file, _) = read_all("Kite_d.3d", bad, &beside).unwrap();
    let found = file.diagnostics.iter().find(|d| d.code == "mesh3d.bad-vertex").unwrap();
    assert_eq!(
        (found.message.as_str(), found.offset),
        ("polygon 1 uses vertices 0, 4 and 3, but the file has only 4 vertices", Some(64))
    );
    assert_eq!(found.entry, Some(file.entry("Polygons")));
    assert_eq!(shown(&file, &beside).meshes[0].triangle_count(), 1);
    let mesh = file.document.ask(EntryId::FILE, |can, entry| can.editor?.vertex_mesh(entry)).unwrap().unwrap();
    assert_eq!((mesh.polygons.len(), mesh.left_out), (1, 1));
    assert_eq!((mesh.polygons[0].color, mesh.polygons[0].flags), (7, 9), "what has no meaning is kept");
}

#[test]
fn files_of_different_meshes_are_told_and_shown_as_far_as_they_fit() {
    // Three vertices a frame: the second polygon has a fourth.
    let three = encode_mesh_frames(&Vertices::Packed([[1, 2, 3]; 6].map(pack_vertex).to_vec()), 3);
    let beside = files(vec![("Kite_d.3d", polygons()), ("Kite_a.3d", three.clone())]);
    for (name, bytes) in [("Kite_d.3d", polygons()), ("Kite_a.3d", three)] {
        let (file, _) = read_all(name, bytes, &beside).unwrap();
        let found = file.diagnostics.iter().find(|d| d.code == "mesh3d.frame-size").unwrap();
        let message = "a frame has 12 bytes for 4 vertices, neither 4 nor 8 bytes per vertex; 4 bytes are used";
        assert_eq!(found.message, message);
        let mesh = shown(&file, &beside).meshes[0].clone();
        assert_eq!((mesh.points.len(), mesh.triangle_count()), (3, 1));
        assert_eq!(file.codes().contains(&"mesh3d.bad-vertex"), name == "Kite_d.3d");
    }
    // A partner that is none.
    let beside = files(vec![("Kite_a.3d", polygons())]);
    let file = open("Kite_d.3d", polygons(), &beside);
    let why = "Kite_a.3d cannot be read: it contains polygons instead of frames";
    assert_eq!(messages(&file.diagnostics), [("mesh3d.bad-partner", why)]);
    assert_eq!(listed(&file)[0].2, Content::None);
}

#[test]
fn a_frame_has_whole_vertices() {
    let odd = [&[2, 0, 5, 0][..], &[7; 10]].concat();
    assert!(refusal("Kite_a.3d", odd).contains("no vertex mesh frames"));
}

pub fn triggers() -> Vec<Trigger> {
    let beside = |list: Vec<(&'static str, Vec<u8>)>| Files(list);
    let late = "#exec MESH IMPORT MESH=K ANIVFILE=Kite_a.3d\n#exec MESH SEQUENCE MESH=K SEQ=S STARTFRAME=1 NUMFRAMES=2";
    vec![
        Trigger::new("mesh3d.truncated", "Kite_d.3d", with(polygons(), 0, &[3])),
        Trigger::new("mesh3d.trailing", "Kite_a.3d", [frames(), vec![0]].concat()),
        Trigger::new("mesh3d.bad-vertex", "Kite_d.3d", with(polygons(), 48, &[4])),
        Trigger::new("mesh3d.unknown-type", "Kite_d.3d", with(polygons(), 54, &[5])),
        Trigger::new("mesh3d.frame-size", "Kite_d.3d", with(polygons(), 2, &[5]))
            .beside(beside(vec![("Kite_a.3d", frames())])),
        Trigger::new("mesh3d.bad-partner", "Kite_d.3d", polygons()).beside(beside(vec![("Kite_a.3d", vec![1])])),
        Trigger::new("mesh3d.frames-cut", "Kite_a.3d", frames())
            .beside(beside(vec![("Kite_d.3d", polygons()), ("Kite.uc", late.into())])),
    ]
}

#[test]
fn every_code_is_raised_by_a_file() {
    assert_table("mesh3d.", &triggers());
}
