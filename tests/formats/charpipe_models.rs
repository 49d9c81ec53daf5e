//! Models of the character pipeline: the corpus against `expected.json`, its damaged files, and files that share bytes so as to
//! grow when they are read.

use crate::kit;
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext, OpenError,
        coverage,
    },
    scene::{Frame, Model, skinning},
};
use glam::Vec3;
use std::{
    fs,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

struct Loaded {
    document: Box<dyn Document>,
    model: Result<Arc<Model>, String>,
    codes: Vec<&'static str>,
}

fn open(name: &str, bytes: Vec<u8>) -> Result<Loaded, OpenError> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::new(bytes), &mut cx)?;
    let cancel = AtomicBool::new(false);
    let mut cx = LoadContext {
        file: name,
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    let model = match document.load(EntryId::FILE, &mut cx) {
        Ok(Asset::Model(model)) => Ok(model),
        Ok(_) => panic!("{name} is no model"),
        Err(error) => Err(error.to_string()),
    };
    let codes = diagnostics.finish().iter().map(|d| d.code).collect();
    Ok(Loaded { document, model, codes })
}

/// The folder of our own files: in the project, or in the corpus.
fn folder(test: &str) -> Option<PathBuf> {
    let own = kit::data().join("charpipe");
    if own.join("expected.json").is_file() && own.join("bad").is_dir() {
        return Some(own);
    }
    kit::corpus().map(|corpus| corpus.join("charpipe"))
}

/// Corners of every triangle of a mesh in bind pose.
fn triangles(model: &Model, mesh: usize) -> Vec<[Vec3; 3]> {
    let mesh = &model.meshes[mesh];
    let points = skinning::skinned_points(model, mesh, &Frame::bind(model));
    let corner = |vertex: &u32| points[mesh.vertex_points[*vertex as usize] as usize];
    mesh.indices.chunks_exact(3).map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect()
}

/// Triangles whose front looks away from the middle of their mesh: all of a convex one, which the limb and the box are in bind
/// pose. Fronts are counter-clockwise here, so these are the file's that are clockwise from outside.
fn facing_out(triangles: &[[Vec3; 3]]) -> usize {
    let corners = || triangles.iter().flatten();
    let min = corners().copied().reduce(Vec3::min).unwrap();
    let middle = (min + corners().copied().reduce(Vec3::max).unwrap()) / 2.0;
    let looks_out = |[a, b, c]: &&[Vec3; 3]| (b - a).cross(c - a).dot((a + b + c) / 3.0 - middle) > 1e-6;
    triangles.iter().filter(looks_out).count()
}

#[test]
fn triangles_are_as_many_as_expected_and_face_outside() {
    let Some(folder) = folder("charpipe_models: triangles") else { return };
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (name, expected) in expected.as_object().unwrap() {
        let bytes = fs::read(folder.join(format!("{name}.model"))).unwrap();
        let loaded = open(name, bytes).unwrap();
        assert_eq!(loaded.codes, [""; 0], "{name}");
        let coverage = coverage::coverage(loaded.document.as_ref());
        assert!(coverage.unread.is_empty() && coverage.doubled.is_empty(), "{name}: {coverage:?}");
        let model = loaded.model.unwrap();
        let meshes = expected["triangles"].as_array().unwrap();
        assert_eq!(model.meshes.len(), meshes.len(), "{name}");
        for (index, mesh) in meshes.iter().enumerate() {
            let triangles = triangles(&model, index);
            let counts = [triangles.len(), facing_out(&triangles)].map(|count| count as u64);
            let wanted = [&mesh["triangles"], &mesh["clockwiseOutside"]].map(|count| count.as_u64().unwrap());
            assert_eq!(counts, wanted, "{name}, mesh {index}");
        }
    }
}

#[test]
fn skinned_and_hung_meshes_are_one_model() {
    let Some(folder) = folder("charpipe_models: placing") else { return };
    let model = open("arm_full", fs::read(folder.join("arm_full.model")).unwrap()).unwrap().model.unwrap();
    let [skin, rigid] = model.meshes.as_slice() else { panic!() };
    assert_eq!((skin.points.len(), skin.fixed_skin.is_some(), rigid.fixed_skin.is_some()), (55, true, false));
    let sources = &skin.skin.as_ref().unwrap().sources;
    assert_eq!(sources.len(), skin.skin.as_ref().unwrap().influences.len());
    // The box stands where its bone does: its middle is at (1/8, 0, 0) of the bone's space.
    let bone = rigid.skin.as_ref().unwrap().influences_of(0)[0].joint;
    let world = model.skeleton.as_ref().unwrap().world_from_joint_bind()[bone as usize];
    let middle = rigid.points.iter().sum::<Vec3>() / rigid.points.len() as f32;
    assert!(middle.abs_diff_eq(world.transform_point3(Vec3::new(0.125, 0.0, 0.0)), 1e-5), "{middle}");
    assert_eq!((skin.surfaces.len(), rigid.surfaces.len(), model.materials.len()), (2, 1, 3));
}

#[test]
fn damaged_files_are_partial_models_or_sentences() {
    let Some(folder) = folder("charpipe_models: damage") else { return };
    let load = |name: &str| open(name, fs::read(folder.join("bad").join(format!("{name}.model"))).unwrap());
    let triangles = |name: &str| load(name).unwrap().model.unwrap().triangle_count();
    let codes = |name: &str| load(name).unwrap().codes;
    assert!(load("empty").is_err_and(|error| error.to_string().contains("empty")));
    // The table ends where the first mesh begins, and a list where the next thing does.
    assert_eq!((triangles("gpl_mesh_count_huge"), codes("gpl_mesh_count_huge")), (96, vec!["charpipe.bad-count"]));
    assert_eq!((triangles("primlist_len_huge"), codes("primlist_len_huge")), (96, vec!["charpipe.bad-list"]));
    // Vertices that hold values in place of indices: the box is left.
    assert_eq!(triangles("vcd_direct"), 12);
    assert!(codes("vcd_direct").contains(&"charpipe.bad-list"));
    for name in ["truncated_half", "truncated_in_skn", "shift_63"] {
        assert_eq!(triangles(name), 96, "{name}");
        assert!(!codes(name).is_empty(), "{name}");
    }
}

/// A palette whose meshes are one and the same, `count` times, with `states` display states that all draw one list.
fn shared(count: u32, states: u16, list: &[u8]) -> Vec<u8> {
    let object = 0x14 + count * 8;
    let words = |words: &[u32]| words.iter().flat_map(|w| w.to_be_bytes()).collect::<Vec<u8>>();
    let mut bytes = words(&[12_012_000, 0, 0, count, 0x14]);
    for _ in 0..count {
        bytes.extend(words(&[object, 0]));
    }
    // Positions at 0x30, the display header at 0x20, states behind the 256 positions.
    let states_at = 0x30 + 256 * 6;
    let list_at = states_at + 16 * u32::from(states);
    bytes.extend(words(&[0x18, 0, 0, 0, 0x20, 0, 0x30, 256 << 16 | 0x3003, list_at, states_at]));
    bytes.extend(words(&[u32::from(states) << 16, 0]));
    bytes.resize(bytes.len() + 256 * 6, 1);
    for state in 0..states {
        let (id, setting) = if state == 0 { (3, 0x8) } else { (1, u32::from(state) & 0x1FFF) };
        bytes.extend(words(&[id << 24, setting, list_at, list.len() as u32]));
    }
    bytes.extend(list);
    bytes
}

fn strip(count: u16) -> Vec<u8> {
    let [high, low] = count.to_be_bytes();
    [0x98, high, low].into_iter().chain((0..count).map(|i| i as u8)).collect()
}

#[test]
fn meshes_that_share_everything_are_bounded() {
    let bytes = shared(4096, 4, &strip(60_000));
    let allowed = bytes.len() + (1 << 20);
    let loaded = open("shared.gpl", bytes).unwrap();
    assert!(loaded.codes.contains(&"charpipe.too-much"));
    // A vertex of a strip is a byte.
    let triangles = loaded.model.unwrap().triangle_count();
    assert!(triangles > 60_000 && triangles <= allowed, "{triangles}");
    let coverage = coverage::coverage(loaded.document.as_ref());
    assert!(coverage.unread.is_empty() && coverage.doubled.is_empty(), "{coverage:?}");
    let parts = loaded.document.outline().entries().iter().filter(|e| e.content == formats::Content::Model);
    assert!(parts.count() < 100);
}

#[test]
fn states_that_share_a_list_are_bounded() {
    let bytes = shared(3, 65_535, &strip(1000));
    let allowed = bytes.len() + (1 << 20);
    let loaded = open("states.gpl", bytes).unwrap();
    assert!(loaded.codes.contains(&"charpipe.too-much"));
    let model = loaded.model.unwrap();
    let triangles = model.triangle_count();
    assert!(triangles > 1000 && triangles <= allowed, "{triangles}");
    assert!(model.materials.len() <= 1024, "{}", model.materials.len());
    let coverage = coverage::coverage(loaded.document.as_ref());
    assert!(coverage.doubled.is_empty(), "{coverage:?}");
}

#[test]
fn a_count_of_everything_at_its_most_is_no_reason_to_give_up() {
    let whole = shared(2, 3, &strip(100));
    for at in 0..whole.len().min(200) {
        let mut damaged = whole.clone();
        damaged[at] = 0xFF;
        // Whatever comes of it; the version's bytes are those that say what file it is.
        if let Ok(loaded) = open("damaged.gpl", damaged) {
            let coverage = coverage::coverage(loaded.document.as_ref());
            assert!(coverage.doubled.is_empty(), "{at}: {:?}", coverage.doubled);
        }
    }
    for length in (0..whole.len()).step_by(7) {
        let loaded = open("cut.gpl", whole[..length].to_vec());
        assert!(length >= 4 || loaded.is_err());
    }
}
