//! Meshes whose vertices move, as GLB: morph targets and their weights read back, and OBJ at a frame.

use crate::kit::read_back::{ReadBack, khronos_validate};
use bonebox::{
    export::{
        glb::{BoundClip, glb},
        obj::{ObjSpace, obj},
    },
    scene::{
        Binding, BindingOptions, Channel, Clip, Frame, KeyRule, Layer, LoopMode, Mesh, Model, Surface, VertexFrames,
        evaluate, skinning,
    },
};
use glam::{Affine3A, Mat3A, Vec3, Vec3A};

/// A pyramid over seven frames; frame 4 is frame 0 again. Its file is mirrored and three times as large.
fn model() -> Model {
    let base = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0), Vec3::Z, Vec3::new(0.5, 1.0, 0.5)];
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for frame in [0, 1, 2, 3, 0, 5, 6] {
        let grown = |p: &Vec3| *p * (1.0 + frame as f32 * 0.3) + Vec3::Y * (frame * frame) as f32 * 0.1;
        positions.extend(base.iter().map(grown));
        normals
            .extend(base.iter().map(|p| (*p - Vec3::splat(0.4) + Vec3::X * frame as f32 * 0.2).normalize_or(Vec3::Y)));
    }
    let vertex_points = vec![0, 1, 2, 3, 4, 4];
    let mesh = Mesh {
        name: "pyramid".into(),
        points: base.to_vec(),
        point_normals: normals[..5].to_vec(),
        normals: vertex_points.iter().map(|p| normals[*p as usize]).collect(),
        vertex_points,
        uv_sets: vec![vec![glam::Vec2::ZERO; 6]],
        indices: vec![0, 4, 1, 1, 4, 2, 2, 5, 3, 3, 5, 0],
        surfaces: vec![Surface { first_index: 0, index_count: 12, material: 0 }],
        vertex_frames: VertexFrames::new(5, positions, normals),
        ..Mesh::default()
    };
    let file_from_scene = Affine3A {
        matrix3: Mat3A::from_cols(Vec3A::X, Vec3A::Z, Vec3A::Y) * 3.0,
        translation: Vec3A::new(1.0, 2.0, 3.0),
    };
    Model { meshes: vec![mesh], file_from_scene, ..Model::empty("pyramid") }
}

fn clip(name: &str, first: u32, count: u32, blends_across_seam: bool) -> Clip {
    Clip {
        name: name.into(),
        group: String::new(),
        frame_count: count,
        rate_hz: 8.0,
        default_loop: LoopMode::Loop,
        blends_across_seam,
        joints: [].into(),
        key_rule: KeyRule::Plain,
        channels: vec![Channel::vertex_frames("Pyramid", first, count)],
        ..Clip::default()
    }
}

fn at(model: &Model, bound: &BoundClip<'_>, number: f32) -> Frame {
    let mut frame = Frame::default();
    let layer = Layer { clip: bound.clip, binding: bound.binding, frame: number, looping: true };
    evaluate(model, &[layer], &[], &mut frame);
    frame
}

#[test]
fn morph_targets_move_as_the_frames_do() {
    let model = model();
    let clips = [clip("all", 0, 7, true), clip("part", 2, 4, false), clip("still", 3, 1, true)];
    let bindings: Vec<Binding> = clips.iter().map(|c| Binding::new(c, &model, BindingOptions::default())).collect();
    let bound: Vec<BoundClip<'_>> =
        clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
    let exported = glb(&model, &bound).unwrap();
    assert_eq!(*exported.notes, Vec::<String>::new());
    let back = ReadBack::new(&exported.bytes);
    let targets = back.document.meshes().next().unwrap().primitives().next().unwrap().morph_targets().count();
    assert_eq!(targets, 5, "frames like the mesh at rest are no targets");
    assert_eq!(back.document.animations().len(), 3);
    let tolerance = model.bounds().diagonal() * 1e-4;
    for (index, bound) in bound.iter().enumerate() {
        for share in [0.0, 0.11, 0.35, 0.5, 0.72, 0.99] {
            let number = bound.clip.loop_frames() * share;
            let frame = at(&model, bound, number);
            let distance = back.distance(&model, &frame, Some((index, number / bound.clip.rate_hz)));
            assert!(distance <= tolerance, "{} at {number}: {distance}", bound.clip.name);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.glb");
    std::fs::write(&path, &exported.bytes).unwrap();
    khronos_validate(&[path]);
}

#[test]
fn without_clips_a_mesh_of_frames_is_written_as_it_rests() {
    let exported = glb(&model(), &[]).unwrap();
    let back = ReadBack::new(&exported.bytes);
    assert_eq!(back.document.meshes().next().unwrap().primitives().next().unwrap().morph_targets().count(), 0);
    assert_eq!(exported.bytes, glb(&model(), &[]).unwrap().bytes, "the same input gives the same bytes");
}

/// Positions, normals, and faces of three corners: position and normal.
type Obj = (Vec<Vec3>, Vec<Vec3>, Vec<[(usize, usize); 3]>);

fn read_obj(bytes: &[u8]) -> Obj {
    let text = std::str::from_utf8(bytes).unwrap();
    let vector = |line: &str| {
        let numbers: Vec<f32> = line.split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
        Vec3::new(numbers[0], numbers[1], numbers[2])
    };
    let lines = |head: &'static str| text.lines().filter(move |l| l.starts_with(head));
    let corner = |text: &str| {
        let parts: Vec<&str> = text.split('/').collect();
        (parts[0].parse::<usize>().unwrap() - 1, parts[2].parse::<usize>().unwrap() - 1)
    };
    let faces = lines("f ").map(|l| {
        let corners: Vec<_> = l.split(' ').skip(1).map(corner).collect();
        [corners[0], corners[1], corners[2]]
    });
    (lines("v ").map(vector).collect(), lines("vn ").map(vector).collect(), faces.collect())
}

#[test]
fn obj_shows_the_frame_in_either_space_and_faces_outwards() {
    let model = model();
    let clip = clip("all", 0, 7, true);
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let frame = at(&model, &BoundClip { clip: &clip, binding: &binding }, 2.5);
    let points = skinning::skinned_points(&model, &model.meshes[0], &frame);
    let mut turns = Vec::new();
    for space in [ObjSpace::Scene, ObjSpace::File] {
        let files = obj(&model, &frame, "pyramid", space, Default::default()).unwrap();
        let (written, normals, faces) = read_obj(&files[0].1);
        for (written, point) in written.iter().zip(&points) {
            let wanted = match space {
                ObjSpace::Scene => *point,
                ObjSpace::File => model.file_from_scene.transform_point3(*point),
            };
            assert!(written.distance(wanted) < 1e-4);
        }
        assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4));
        let agree = |face: &[(usize, usize); 3]| {
            let [a, b, c] = face.map(|(v, _)| written[v]);
            (b - a).cross(c - a).dot(normals[face[0].1]) > 0.0
        };
        turns.push(faces.iter().map(agree).collect::<Vec<bool>>());
    }
    assert_eq!(turns[0], turns[1], "a mirror turns triangles and normals alike");
}
