//! Models of the character pipeline: the corpus against `expected.json`, its damaged files, and files that share bytes so as to
//! grow when they are read.

use crate::kit::{
    self,
    near::{array, assert_near, reference},
    open::{Opened, model_in, open, refusal},
    remains::Remains,
};
use bonebox::{
    formats::{Content, EntryId, coverage::coverage},
    scene::{Frame, Model, skinning},
};
use glam::Vec3;
use std::{fs, path::PathBuf, sync::Arc};

fn own(file: &str) -> PathBuf {
    kit::data().join("charpipe").join(file)
}

/// Opens bytes and loads them as a model; all that is found comes along.
fn load(name: &str, bytes: Vec<u8>) -> (Opened, Arc<Model>) {
    let mut opened = open(name, bytes);
    let model = model_in(opened.load_adding(EntryId::FILE).unwrap());
    (opened, model)
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
    for (name, expected) in reference(&own("expected.json")).as_object().unwrap() {
        let (opened, model) = load(name, fs::read(own(&format!("{name}.model"))).unwrap());
        assert_eq!(opened.codes(), [""; 0], "{name}");
        opened.assert_read();
        let meshes = array(&expected["triangles"]);
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
    let (_, model) = load("arm_full", fs::read(own("arm_full.model")).unwrap());
    let [skin, rigid] = model.meshes.as_slice() else { panic!() };
    assert_eq!((skin.points.len(), skin.fixed_skin.is_some(), rigid.fixed_skin.is_some()), (55, true, false));
    let sources = &skin.skin.as_ref().unwrap().sources;
    assert_eq!(sources.len(), skin.skin.as_ref().unwrap().influences.len());
    // The box stands where its bone does: its middle is at (1/8, 0, 0) of the bone's space.
    let bone = rigid.skin.as_ref().unwrap().influences_of(0)[0].joint;
    let world = model.skeleton.as_ref().unwrap().world_from_joint_bind()[bone as usize];
    let middle = rigid.points.iter().sum::<Vec3>() / rigid.points.len() as f32;
    assert_near(&middle, &world.transform_point3(Vec3::new(0.125, 0.0, 0.0)), 1e-5, "the middle of the box");
    assert_eq!((skin.surfaces.len(), rigid.surfaces.len(), model.materials.len()), (2, 1, 3));
}

#[test]
fn damaged_files_are_partial_models_or_sentences() {
    let left = |name: &str| {
        let (opened, model) = load(name, fs::read(own(&format!("bad/{name}.model"))).unwrap());
        (model.triangle_count(), opened.codes())
    };
    assert_eq!(
        refusal("empty.model", Vec::new()),
        "empty.model: not a valid character-pipeline model block: the file is empty"
    );
    // The table ends where the first mesh begins, and a list where the next thing does.
    assert_eq!(left("gpl_mesh_count_huge"), (96, vec!["charpipe.bad-count"]));
    assert_eq!(left("primlist_len_huge"), (96, vec!["charpipe.list-size"]));
    // Vertices that hold values in place of indices: the box is left.
    assert_eq!(left("vcd_direct"), (12, vec!["charpipe.bad-list"; 2]));
    // Everything that is drawn comes before what they lack or have wrong.
    assert_eq!(left("shift_63"), (96, vec!["charpipe.unreadable-section"]));
    assert_eq!(left("truncated_in_skn"), (96, [&["charpipe.short-table"; 3][..], &["charpipe.short-flush"]].concat()));
    let (triangles, codes) = left("truncated_half");
    assert_eq!(triangles, 96);
    assert_eq!(
        codes,
        [
            "charpipe.bad-pointer",
            "charpipe.bad-pointer",
            "charpipe.short-table",
            "charpipe.bad-link",
            "charpipe.bad-name",
            "charpipe.bad-user-data",
            "charpipe.undrawn-mesh",
        ]
    );
}

/// A palette whose meshes are one and the same, `count` times, with `states` display states that all draw one list.
pub fn shared(count: u32, states: u16, list: &[u8]) -> Vec<u8> {
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

pub fn strip(count: u16) -> Vec<u8> {
    let [high, low] = count.to_be_bytes();
    [0x98, high, low].into_iter().chain((0..count).map(|i| i as u8)).collect()
}

#[test]
fn meshes_that_share_everything_are_bounded() {
    let bytes = shared(4096, 4, &strip(60_000));
    let allowed = bytes.len() + (1 << 20);
    let (opened, model) = load("shared.gpl", bytes);
    assert!(opened.codes().contains(&"charpipe.too-much"));
    // A vertex of a strip is a byte.
    let triangles = model.triangle_count();
    assert!(triangles > 60_000 && triangles <= allowed, "{triangles}");
    opened.assert_read();
    assert!(opened.document.outline().with_content(Content::Model).count() < 100);
}

#[test]
fn states_that_share_a_list_are_bounded() {
    let bytes = shared(3, 65_535, &strip(1000));
    let allowed = bytes.len() + (1 << 20);
    let (opened, model) = load("states.gpl", bytes);
    assert!(opened.codes().contains(&"charpipe.too-much"));
    let triangles = model.triangle_count();
    assert!(triangles > 1000 && triangles <= allowed, "{triangles}");
    assert!(model.materials.len() <= 1024, "{}", model.materials.len());
    assert_eq!(coverage(opened.document.as_ref()).doubled, []);
}

#[test]
fn a_count_of_everything_at_its_most_is_no_reason_to_give_up() {
    let whole = shared(2, 3, &strip(100));
    let triangles = |left: &Remains| -> usize {
        left.shown
            .iter()
            .find(|(entry, _)| *entry == EntryId::FILE)
            .map_or(0, |(_, asset)| model_in(asset.clone()).triangle_count())
    };
    let all = triangles(&Remains::of("whole.gpl", &whole).unwrap());
    for at in 0..whole.len().min(200) {
        let mut damaged = whole.clone();
        damaged[at] = 0xFF;
        if let Some(left) = Remains::of("damaged.gpl", &damaged) {
            left.assert_read_once();
            // A list may be read otherwise, but no more of it than there is.
            assert!(triangles(&left) <= whole.len(), "{at}: {}", triangles(&left));
        }
    }
    for length in (0..whole.len()).step_by(7) {
        if let Some(left) = Remains::of("cut.gpl", &whole[..length]) {
            left.assert_read_once();
            assert!(triangles(&left) <= all, "{length}: {}", triangles(&left));
        }
    }
}
