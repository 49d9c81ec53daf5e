//! J3D models: the chunks of geometry as scene models, held against counts that were taken from the files by hand.

use crate::kit::{
    self, Noise,
    j3d::{self, assert_cut, left_of},
    near::assert_near,
    open::{Opened, model_in, open, refusal},
};
use bonebox::{
    formats::{EntryId, coverage::coverage},
    scene::{Aabb, Billboard, Frame, Model, ModelStatistics, ScalingRule, Surface, skinning},
};
use glam::Vec3;
use std::{collections::BTreeSet, fs, sync::Arc};

/// A model's bytes, opened and loaded; all that is found comes along.
fn load(name: &str, bytes: Vec<u8>) -> (Opened, Arc<Model>) {
    let mut opened = open(name, bytes);
    let model = model_in(opened.load_adding(EntryId::FILE).unwrap());
    (opened, model)
}

/// Everything is read: what is left over fills up.
fn assert_all_is_read(opened: &Opened) {
    opened.assert_read();
    let opaque = coverage(opened.document.as_ref()).opaque;
    let padding: u64 = opaque.iter().filter(|s| s.name == "padding").map(|s| s.size).sum();
    assert!(padding < 600, "{}: {padding} bytes are said to fill up", opened.name);
}

/// Corners of every triangle of a mesh in bind pose.
fn triangles(model: &Model, mesh: usize) -> Vec<[Vec3; 3]> {
    let mesh = &model.meshes[mesh];
    let points = skinning::skinned_points(model, mesh, &Frame::bind(model));
    let corner = |vertex: &u32| points[mesh.vertex_points[*vertex as usize] as usize];
    mesh.indices.chunks_exact(3).map(|t| [corner(&t[0]), corner(&t[1]), corner(&t[2])]).collect()
}

fn facing([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}

#[track_caller]
fn assert_box(bounds: Aabb, min: Vec3, max: Vec3, slack: f64) {
    assert_near(&[bounds.min, bounds.max], &[min, max], slack, "the box");
}

#[test]
fn the_arm_under_each_rule_is_a_box_and_a_card() {
    let rules = [
        ("arm_basic.bmd", ScalingRule::Standard),
        ("arm_softimage.bmd", ScalingRule::SoftImage),
        ("arm_maya.bmd", ScalingRule::Maya),
        ("arm.bdl", ScalingRule::Standard),
    ];
    for (name, rule) in rules {
        let (opened, model) = load(name, fs::read(j3d::own().join(name)).unwrap());
        assert_eq!(opened.codes(), [""; 0], "{name}");
        assert_all_is_read(&opened);
        let skeleton = model.skeleton.as_ref().unwrap();
        assert_eq!(skeleton.scaling(), rule, "{name}");
        let joints: Vec<_> = skeleton.joints().iter().map(|j| (j.name.as_str(), j.parent)).collect();
        assert_eq!(joints, [("root", None), ("mid", Some(0)), ("tip", Some(1))]);
        let terms: Vec<_> = skeleton.draw_matrices.iter().map(|m| m.terms.len()).collect();
        assert_eq!(terms, [1, 1, 1, 2, 2, 2, 2]);
        let blend: Vec<_> = skeleton.draw_matrices[4].terms.iter().map(|t| (t.joint, t.weight)).collect();
        assert_eq!(blend, [(1, 0.25), (2, 0.75)]);
        assert_eq!(model.meshes.iter().map(|m| m.triangle_count()).collect::<Vec<_>>(), [18, 2]);
        assert_eq!(model.meshes.iter().map(|m| m.billboard).collect::<Vec<_>>(), [Billboard::None, Billboard::Full]);
        assert_eq!(model.draw_order, [0, 1]);
        assert_eq!(model.meshes.iter().map(|m| m.surfaces[0].material).collect::<Vec<_>>(), [0, 1]);
        assert_box(model.bounds(), Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 9.0, 1.0), 1e-3);
        // The strips of the sides agree in every second triangle too; their maker turned them inside out, and the lid not.
        for triangle in triangles(&model, 0) {
            let middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
            let outwards = facing(triangle).dot(middle - Vec3::Y * middle.y.min(7.0));
            assert!(if middle.y > 7.9 { outwards > 0.0 } else { outwards < 0.0 }, "{name}: {triangle:?}");
        }
        let body = &model.meshes[0];
        let vertices = body.vertex_count();
        assert_eq!((body.points.len(), vertices, body.colors.len(), body.uv_sets[0].len()), (12, 36, 36, 36));
        assert!(body.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-3));
    }
}

#[test]
fn vertices_in_the_files_own_order_are_understood() {
    let Some(corpus) = kit::corpus() else { return };
    let name = "model_normalstest.bmd";
    let (opened, model) = load(name, fs::read(corpus.join("j3d").join(name)).unwrap());
    assert_eq!(opened.codes(), ["j3d.attribute-order"]);
    assert_all_is_read(&opened);
    assert_box(model.bounds(), Vec3::splat(-5000.0), Vec3::splat(5000.0), 2.0);
    let triangles = triangles(&model, 0);
    assert_eq!(triangles.len(), 12);
    let mesh = &model.meshes[0];
    for (triangle, indices) in triangles.into_iter().zip(mesh.indices.chunks_exact(3)) {
        let facing = facing(triangle).normalize_or_zero();
        assert!(facing.dot(triangle[0]) > 0.0);
        assert!(indices.iter().all(|i| mesh.normals[*i as usize].abs_diff_eq(facing, 1e-3)), "{facing}");
    }
}

#[test]
fn a_retail_style_model_with_strips_has_all_its_triangles() {
    let Some(corpus) = kit::corpus() else { return };
    let archive = fs::read(corpus.join("j3d/Vscroll.arc")).unwrap();
    let start = archive.windows(4).position(|w| w == b"J3D2").unwrap();
    let size = u32::from_be_bytes(archive[start + 8..start + 12].try_into().unwrap()) as usize;
    let (opened, model) = load("vscroll.bdl", archive[start..start + size].to_vec());
    assert_eq!(opened.codes(), [""; 0]);
    opened.assert_read();
    assert_eq!(model.meshes.iter().map(|m| m.triangle_count()).collect::<Vec<_>>(), [517]);
    let mesh = &model.meshes[0];
    assert_eq!((mesh.normals.len(), mesh.uv_sets[0].len()), (mesh.vertex_count(), mesh.vertex_count()));
    // Faces look the way their vertices' normals do, as far as they have an area.
    let agree = |(triangle, indices): (&[Vec3; 3], &[u32])| {
        let normal: Vec3 = indices.iter().map(|i| mesh.normals[*i as usize]).sum();
        facing(*triangle).dot(normal)
    };
    let triangles = triangles(&model, 0);
    let agreement: Vec<f32> = triangles.iter().zip(mesh.indices.chunks_exact(3)).map(agree).collect();
    let (with, against) =
        (agreement.iter().filter(|a| **a > 0.0).count(), agreement.iter().filter(|a| **a < 0.0).count());
    // A strip turned the wrong way would be half of each; some edges of this file are smoothed beyond a right angle.
    assert!(with > 10 * against && with + against == 517, "{with} with, {against} against");
    assert!(mesh.vertex_count() < 783, "vertices are numbered once");
}

#[test]
fn early_and_foreign_models_are_named() {
    for (magic, says) in [(b"J3D1bmd1", "early version"), (b"BMD0\xFF\xFE\0\x02", "Nintendo DS")] {
        let mut bytes = magic.to_vec();
        bytes.resize(256, 0);
        let why = refusal("old.bmd", bytes);
        assert!(why.starts_with("old.bmd: cannot be read as a J3D model: “") && why.contains(says), "{why}");
    }
}

#[test]
fn a_model_that_is_cut_or_damaged_anywhere_is_read_as_far_as_it_goes() {
    let whole = fs::read(j3d::own().join("arm_basic.bmd")).unwrap();
    let (opened, model) = load("arm.bmd", whole.clone());
    let ends = |chunk: &str| {
        let entry = opened.document.outline().find(chunk).unwrap();
        (entry.offset + entry.size) as usize
    };
    for length in (0..whole.len()).step_by(7) {
        let left = left_of("arm.bmd", &whole[..length]);
        assert_eq!(left.is_some(), length >= 32, "{length}");
        let Some(left) = left else { continue };
        assert_cut(&opened, &left, length);
        let shown =
            left.shown.iter().find(|(entry, _)| *entry == EntryId::FILE).map(|(_, asset)| model_in(asset.clone()));
        // Joints alone are a model, and all of a shape is there once its chunk is.
        if length >= ends("JNT1") {
            let read = shown.unwrap_or_else(|| panic!("{length}: no model"));
            let names = |model: &Model| -> Vec<String> {
                model.skeleton.as_ref().unwrap().joints().iter().map(|joint| joint.name.clone()).collect()
            };
            assert_eq!(names(&read), names(&model), "{length}");
            if length >= ends("SHP1") {
                let points =
                    |model: &Model| -> Vec<Vec<Vec3>> { model.meshes.iter().map(|m| m.points.clone()).collect() };
                assert_eq!((points(&read), read.triangle_count()), (points(&model), 20), "{length}");
            }
        }
    }
    let mut noise = Noise::new(4);
    let mut seen = BTreeSet::new();
    for round in 0..1000 {
        let mut bytes = whole.clone();
        let mut first = whole.len();
        for _ in 0..=noise.below(3) {
            // Up to the textures.
            let at = 0x20 + noise.below(0x720);
            bytes[at] = [0xFF, 0x7F, 0, noise.byte(256)][noise.below(4)];
            first = first.min(at);
        }
        let left = left_of("arm.bmd", &bytes).unwrap_or_else(|| panic!("round {round}: the header is whole"));
        let before =
            j3d::chunks(&opened).into_iter().filter(|(_, at, size)| (at + size) as usize <= first).collect::<Vec<_>>();
        assert!(j3d::chunks(&left.file).starts_with(&before), "round {round}, damaged from {first} on");
        seen.extend(left.codes());
    }
    let wanted = [
        "j3d.bad-hierarchy",
        "j3d.bad-index",
        "j3d.bad-shape",
        "j3d.bad-value",
        "j3d.short-array",
        "j3d.unreadable-chunk",
    ];
    assert!(wanted.iter().all(|code| seen.contains(code)), "{seen:?}");
}

#[test]
fn a_broken_shape_leaves_the_others() {
    let mut bytes = fs::read(j3d::own().join("arm_basic.bmd")).unwrap();
    // The first command of the first shape's first display list.
    assert_eq!(bytes[0x400 + 0x140], 0x98);
    bytes[0x400 + 0x140] = 0x41;
    let (opened, model) = load("arm_basic.bmd", bytes);
    assert_eq!(opened.codes(), ["j3d.bad-shape"]);
    assert_eq!(model.meshes.iter().map(|m| m.triangle_count()).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(model.draw_order, [0, 1]);
}

#[test]
fn lines_of_the_chip_are_kept_with_their_material() {
    let Some(corpus) = kit::corpus() else { return };
    let bytes = fs::read(corpus.join("wild/prim_lines_and_triangle.bmd")).unwrap();
    let (opened, model) = load("prim_lines_and_triangle.bmd", bytes);
    assert_eq!(opened.codes(), [""; 0]);
    let mesh = &model.meshes[0];
    assert_eq!(triangles(&model, 0), [[Vec3::ZERO, Vec3::new(0.0, 200.0, 0.0), Vec3::new(200.0, 0.0, 0.0)]]);
    // The command at the start of the display list: positions 0 and 5, 1 and 4, 0 and 1 of the file.
    let lines: Vec<[Vec3; 2]> =
        mesh.lines.iter().map(|ends| ends.map(|vertex| mesh.position(vertex as usize))).collect();
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let wanted = [[at(0.0, 0.0), at(200.0, 400.0)], [at(200.0, 0.0), at(0.0, 400.0)], [at(0.0, 0.0), at(200.0, 0.0)]];
    assert_eq!(lines, wanted);
    assert_eq!(mesh.line_surfaces, [Surface { first_index: 0, index_count: 6, material: 0 }]);
    let counts = ModelStatistics::of(&model, None, 0);
    assert_eq!((counts.parts, counts.triangles, counts.lines, counts.vertices), (1, 1, 3, 5));
    assert_box(model.bounds(), Vec3::ZERO, at(200.0, 400.0), 0.0);
}
