//! Skins whose influences move sources of their own, on joints that glTF has no words for: GLB and OBJ, read back.

use crate::kit::read_back::{ReadBack, khronos_validate};
use bonebox::{
    export::{
        glb::{BoundClip, Glb, glb},
        obj::{ObjSpace, obj},
    },
    scene::*,
};
use glam::{Affine3A, Quat, Vec3};

fn joint(name: &str, parent: Option<u32>, at: Vec3) -> Joint {
    let bind = Transform { translation: at, rotation: Quat::from_rotation_z(0.2), ..Transform::IDENTITY };
    Joint { name: name.into(), parent, bind, ..Joint::default() }
}

/// Six joints: one stands by itself, one has a whole matrix (a turn and a scale), one scales along axes of its own, evenly enough
/// for glTF.
fn skeleton() -> Skeleton {
    let mut joints = vec![joint("root", None, Vec3::ZERO)];
    joints.extend((1..6).map(|i| joint(&format!("bone {i}"), Some(i - 1), Vec3::Y)));
    joints[2].detached = true;
    joints[2].bind.translation = Vec3::new(0.5, 2.0, 0.0);
    let matrix = Affine3A::from_scale_rotation_translation(Vec3::splat(1.5), Quat::from_rotation_x(0.4), Vec3::Y);
    joints[3].bind_matrix = Some(matrix);
    joints[4].scale_axes = Some(Quat::from_rotation_z(0.7));
    joints[4].bind.scale = Vec3::splat(0.8);
    Skeleton::new(joints, vec![])
}

/// A fan of points with 1 to 6 influences; `apart`: how far their sources lie from each other.
fn model(apart: f32) -> Model {
    let mut skin = Skin::default();
    let (mut points, mut normals) = (Vec::new(), Vec::new());
    for index in 0..24_u32 {
        let turn = index as f32 * 0.5;
        let point = Vec3::new(turn.cos(), index as f32 * 0.2, turn.sin());
        let count = 1 + index % 6;
        skin.runs.push(Run { first: skin.influences.len() as u32, count });
        let sum = (count * (count + 1) / 2) as f32;
        let mut place = Vec3::ZERO;
        for i in 0..count {
            let weight = (i + 1) as f32 / sum;
            let position = point + Vec3::new((i * 7 + index) as f32 % 3.0 - 1.0, (i % 2) as f32, 0.5) * apart;
            place += position * weight;
            skin.influences.push(Influence { joint: (index + i) % 6, weight });
            skin.sources.push(InfluenceSource { position, normal: point.normalize_or(Vec3::Y) * 0.9 });
        }
        points.push(place);
        normals.push(point.normalize_or(Vec3::Y));
    }
    let deltas = (0..24).step_by(5).map(|p| MorphDelta { point: p, position: Vec3::Z * 0.3, normal: Vec3::ZERO });
    let mesh = Mesh {
        name: "skin".into(),
        vertex_points: (0..24).collect(),
        morphs: vec![Morph { name: "smile".into(), deltas: deltas.collect() }],
        indices: (0..22).flat_map(|i| [i, i + 1, i + 2]).collect(),
        surfaces: vec![Surface { first_index: 0, index_count: 66, material: 0 }],
        skin: Some(skin),
        points,
        normals,
        ..Mesh::default()
    };
    let material = Material { name: "combined".into(), kind: MaterialKind::Tev(Box::default()) };
    Model { meshes: vec![mesh], skeleton: Some(skeleton()), materials: vec![material], ..Model::empty("sources") }
}

/// Turns and moves four of the joints, among them the one that stands by itself.
fn clip() -> Clip {
    let rotation = |joint: u32, angle: f32| Channel {
        target: Target::JointRotation(ClipJoint(joint)),
        sampler: Sampler {
            times: KeyTimes::At([0.0, 20.0].into()),
            keys: Keys::Rotation(vec![
                Quat::from_rotation_z(0.2),
                Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle),
            ]),
            interpolation: Interpolation::Linear,
            cycle: None,
        },
        unit: Unit::Plain,
        muted: false,
    };
    let moves = Channel {
        target: Target::JointTranslation(ClipJoint(2)),
        sampler: Sampler {
            times: KeyTimes::At([0.0, 20.0].into()),
            keys: Keys::Vec3(vec![Vec3::new(0.5, 2.0, 0.0), Vec3::new(-0.5, 1.5, 1.0)]),
            interpolation: Interpolation::Linear,
            cycle: None,
        },
        unit: Unit::Plain,
        muted: false,
    };
    let names: Vec<String> = skeleton().joints().iter().map(|j| j.name.clone()).collect();
    Clip {
        name: "turn".into(),
        frame_count: 21,
        rate_hz: 60.0,
        joints: names.into(),
        channels: vec![rotation(0, 0.5), rotation(1, -0.8), rotation(2, 1.0), moves],
        ..Clip::default()
    }
}

fn export(model: &Model, clip: &Clip) -> (Glb, Binding) {
    let binding = Binding::new(clip, model, BindingOptions::default());
    assert!(binding.fit.any(), "{}", binding.fit);
    (glb(model, &[BoundClip { clip, binding: &binding }]).unwrap(), binding)
}

fn frame_at(model: &Model, clip: &Clip, binding: &Binding, number: Option<f32>) -> Frame {
    let mut frame = Frame::bind(model);
    if let Some(number) = number {
        evaluate(model, &[Layer { clip, binding, frame: number, looping: false }], &[], &mut frame);
    }
    frame
}

/// The largest distance of a vertex of the file from the scene's.
fn distance(model: &Model, clip: &Clip, binding: &Binding, back: &ReadBack, number: Option<f32>) -> f32 {
    back.distance(model, &frame_at(model, clip, binding, number), number.map(|n| (0, n / clip.rate_hz)))
}

#[test]
fn sources_that_agree_are_posed_as_in_the_scene() {
    let (model, clip) = (model(0.0), clip());
    let (file, binding) = export(&model, &clip);
    assert!(file.notes.is_empty(), "{:?}", file.notes);
    let back = ReadBack::new(&file.bytes);
    for number in [None, Some(0.0), Some(4.0), Some(13.0), Some(20.0)] {
        let distance = distance(&model, &clip, &binding, &back, number);
        assert!(distance < 2e-4, "at {number:?}: {distance}");
    }
    let moved = back.pose(Some((0, 0.0)))[0].positions[20].distance(back.pose(Some((0, 0.3)))[0].positions[20]);
    assert!(moved > 0.1, "{moved}");
    // Six influences are two sets of four.
    let mesh = back.document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let sets = primitive.attributes().filter(|(semantic, _)| matches!(semantic, gltf::Semantic::Weights(_)));
    assert_eq!(sets.count(), 2);
    assert_eq!(primitive.morph_targets().count(), 1);
}

#[test]
fn sources_that_differ_are_averaged_and_that_is_said() {
    let (model, clip) = (model(0.05), clip());
    let (file, binding) = export(&model, &clip);
    // The four points of one influence in a round of six have nothing to differ from.
    let note = file.notes.iter().find(|n| n.contains("averaged by weight")).expect("a note");
    assert!(note.starts_with("“skin” has 20 points"), "{note}");
    let back = ReadBack::new(&file.bytes);
    // Where everything rests nothing is lost; in a pose the sources go ways of their own.
    assert!(distance(&model, &clip, &binding, &back, None) < 2e-5);
    let apart = distance(&model, &clip, &binding, &back, Some(20.0));
    assert!(apart > 1e-3 && apart < 0.2, "{apart}");
}

#[test]
fn the_khronos_validator_accepts_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, apart) in [("together", 0.0), ("apart", 0.05)] {
        let path = folder.path().join(format!("{name}.glb"));
        std::fs::write(&path, export(&model(apart), &clip()).0.bytes).unwrap();
        files.push(path);
    }
    khronos_validate(&files);
}

#[test]
fn an_obj_has_the_posed_points() {
    let (model, clip) = (model(0.05), clip());
    let binding = Binding::new(&clip, &model, BindingOptions::default());
    let frame = frame_at(&model, &clip, &binding, Some(13.0));
    let files = obj(&model, &frame, "skin", ObjSpace::Scene, Default::default()).unwrap();
    let text = String::from_utf8(files[0].1.clone()).unwrap();
    let read: Vec<Vec3> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|v| v.parse().unwrap()).collect::<Vec<f32>>())
        .map(|v| Vec3::new(v[0], v[1], v[2]))
        .collect();
    let points = skinning::skinned_points(&model, &model.meshes[0], &frame);
    assert_eq!(read.len(), points.len());
    assert!(read.iter().zip(&points).all(|(a, b)| a.distance(*b) < 1e-6));
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 22);
}
