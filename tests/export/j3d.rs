//! Models with blended matrices and clips of single axes as GLB, read back and posed by another player.

use crate::kit::{
    self,
    open::{clip_in, model_in, open_whole},
    read_back::ReadBack,
};
use bonebox::{
    export::{
        ExportSpace,
        glb::{BoundClip, Glb, GlbOptions, Room, glb_with},
        obj::{ObjSpace, obj},
    },
    formats::EntryId,
    scene::{
        Binding, BindingOptions, Channel, Clip, ClipEnd, ClipJoint, ClipMaterial, DrawMatrix, DrawTerm, Frame,
        HermiteKey, Influence, Interpolation, Joint, JointAddressing, KeyTimes, Keys, Layer, LayerIndex, Material,
        MaterialKind, Mesh, MeshIndex, Model, Player, Run, Sampler, ScalingRule, Skeleton, Skin, Surface, Target,
        Transform, Unit, evaluate,
    },
};
use glam::{Affine3A, Quat, Vec3};
use gltf::mesh::Mode;
use serde_json::{Value, json};
use std::sync::Arc;

/// Three joints in a chain, each turned; points of the second and third in their own space, and points between them.
fn arm(scaling: ScalingRule) -> Model {
    let joint = |parent: Option<u32>, angle: f32| Joint {
        name: format!("joint {parent:?}"),
        parent,
        bind: Transform {
            translation: Vec3::new(0.0, 4.0, 0.5),
            rotation: Quat::from_rotation_z(angle),
            scale: Vec3::splat(1.25),
        },
        compensates_scale: parent.is_some(),
        ..Joint::default()
    };
    let joints = vec![joint(None, 0.3), joint(Some(0), -0.6), joint(Some(1), 0.2)];
    let mut skeleton = Skeleton::new(joints, vec![]).with_scaling(scaling);
    let inverse = skeleton.joint_from_world_bind().to_vec();
    let rigid =
        |joint| DrawMatrix { terms: vec![DrawTerm { joint, weight: 1.0, joint_from_bind: Affine3A::IDENTITY }] };
    let term = |joint: u32, weight| DrawTerm { joint, weight, joint_from_bind: inverse[joint as usize] };
    let blend = DrawMatrix { terms: vec![term(1, 0.75), term(2, 0.25)] };
    skeleton.draw_matrices = vec![rigid(2), blend, rigid(1)];
    let points: Vec<Vec3> = (0..9).map(|i| Vec3::new((i % 3) as f32, (i / 3) as f32, 0.3 * i as f32)).collect();
    let influences = (0..9).map(|i| Influence { joint: i / 3, weight: 1.0 }).collect();
    let mesh = Mesh {
        name: "shape".into(),
        vertex_points: (0..9).collect(),
        normals: vec![Vec3::X; 9],
        skin: Some(Skin { runs: (0..9).map(|first| Run { first, count: 1 }).collect(), influences, ..Skin::default() }),
        indices: (0..9).collect(),
        surfaces: vec![Surface { first_index: 0, index_count: 9, material: 0 }],
        points,
        ..Mesh::default()
    };
    Model { meshes: vec![mesh], skeleton: Some(skeleton), ..Model::empty("arm") }
}

/// Turns, moves and scales the upper two joints; the root keeps its bind pose's place as keys.
fn wave() -> Clip {
    let keys = [(0.0, -0.4, 0.05), (7.0, 0.9, -0.1), (20.0, -0.4, 0.05)];
    let track = |target, unit, scale: f32, base: f32| Channel {
        target,
        sampler: Sampler {
            times: KeyTimes::At(keys.iter().map(|k| k.0).collect()),
            keys: Keys::Hermite(
                keys.iter()
                    .map(|k| HermiteKey {
                        value: base + k.1 * scale,
                        tangent_in: k.2 * scale,
                        tangent_out: k.2 * scale,
                    })
                    .collect(),
            ),
            interpolation: Interpolation::Hermite,
            cycle: None,
        },
        unit,
        muted: false,
    };
    let angle = Unit::Angle16 { shift: 2 };
    let mut channels = vec![
        track(Target::JointTranslationAxis { joint: ClipJoint(0), axis: 1 }, Unit::Plain, 0.5, 4.0),
        track(Target::JointEulerAxis { joint: ClipJoint(1), axis: 0 }, angle, 2500.0, 0.0),
        track(Target::JointEulerAxis { joint: ClipJoint(1), axis: 2 }, angle, -1800.0, 300.0),
        track(Target::JointTranslationAxis { joint: ClipJoint(1), axis: 1 }, Unit::Plain, 0.0, 4.0),
        track(Target::JointTranslationAxis { joint: ClipJoint(2), axis: 1 }, Unit::Plain, 0.2, 4.0),
    ];
    channels
        .extend((0..3).map(|axis| track(Target::JointScaleAxis { joint: ClipJoint(1), axis }, Unit::Plain, 0.3, 1.2)));
    Clip {
        name: "wave".into(),
        frame_count: 20,
        rate_hz: 30.0,
        rate_is_assumed: true,
        end: ClipEnd::Duration,
        addressing: JointAddressing::ByPlace { driven: 3 },
        channels,
        ..Clip::default()
    }
}

fn export(model: &Model, clip: &Clip, rate_hz: Option<f32>) -> (Glb, Binding) {
    let binding = Binding::new(clip, model, BindingOptions::default());
    let file = glb_with(
        model,
        [BoundClip { clip, binding: &binding }].as_slice(),
        &GlbOptions { rate_hz, ..GlbOptions::default() },
        Room::all(),
    )
    .unwrap();
    (file, binding)
}

/// The largest distance of a vertex at a frame, `None` for the bind pose.
fn distance(model: &Model, clip: &Clip, binding: &Binding, back: &ReadBack, number: Option<f32>) -> f32 {
    let mut frame = Frame::bind(model);
    if let Some(number) = number {
        evaluate(model, &[Layer { clip, binding, frame: number, looping: false }], &[], &mut frame);
    }
    back.distance(model, &frame, number.map(|n| (0, n / clip.rate_hz)))
}

#[test]
fn blended_matrices_become_joints_and_weights_under_every_rule() {
    for scaling in [ScalingRule::Standard, ScalingRule::SoftImage, ScalingRule::Maya] {
        let (model, clip) = (arm(scaling), wave());
        let (file, binding) = export(&model, &clip, None);
        assert!(file.notes.is_empty(), "{:?}", file.notes);
        let back = ReadBack::new(&file.bytes);
        assert_eq!(back.document.animations().count(), 1);
        let size = model.bounds().diagonal();
        for number in [None, Some(0.0), Some(3.0), Some(4.4), Some(7.0), Some(7.9), Some(13.0), Some(15.37), Some(20.0)]
        {
            let distance = distance(&model, &clip, &binding, &back, number) / size;
            assert!(distance < 1e-4, "{scaling:?} at {number:?}: {distance}");
        }
        // The comparison sees a pose that is another one.
        let moved = back.pose(Some((0, 0.0)))[0].positions[8].distance(back.pose(Some((0, 0.2)))[0].positions[8]);
        assert!(moved > 0.1, "{moved}");
    }
}

#[test]
fn clips_are_sampled_at_the_rate_that_is_asked_for() {
    let (model, clip) = (arm(ScalingRule::Standard), wave());
    let times = |rate_hz| -> Vec<f32> {
        let back = ReadBack::new(&export(&model, &clip, rate_hz).0.bytes);
        let channel = back.document.animations().next().unwrap().channels().next().unwrap();
        channel.reader(|_| Some(&back.blob)).read_inputs().unwrap().collect()
    };
    let (own, four) = (times(None), times(Some(120.0)));
    // A key in the middle of a straight line goes.
    assert!(own.len() == 21 && (41..=81).contains(&four.len()), "{} {}", own.len(), four.len());
    assert!(four.iter().all(|time| (time * 120.0 - (time * 120.0).round()).abs() < 1e-3), "{four:?}");
    assert!([own.last(), four.last()].iter().all(|end| (end.unwrap() - 20.0 / 30.0).abs() < 1e-6));
    let (file, binding) = export(&model, &clip, Some(120.0));
    let back = ReadBack::new(&file.bytes);
    assert!(distance(&model, &clip, &binding, &back, Some(3.25)) < 2e-4);
}

/// Scales differ by axis and by joint, and bones are turned against each other: what a product of the joints' own transforms
/// cannot give.
#[test]
fn scales_of_every_rule_arrive_whole() {
    for scaling in [ScalingRule::Standard, ScalingRule::SoftImage, ScalingRule::Maya] {
        let mut model = arm(scaling);
        let skeleton = model.skeleton.take().unwrap();
        let mut joints = skeleton.joints().to_vec();
        joints[0].bind.scale = Vec3::new(1.0, 3.0, 0.5);
        joints[1].bind.scale = Vec3::new(0.7, 1.0, 2.0);
        let mut scaled = Skeleton::new(joints, vec![]).with_scaling(scaling);
        scaled.draw_matrices = skeleton.draw_matrices;
        model.skeleton = Some(scaled);
        let clip = wave();
        let (file, binding) = export(&model, &clip, None);
        assert!(file.notes.is_empty(), "{:?}", file.notes);
        let back = ReadBack::new(&file.bytes);
        let size = model.bounds().diagonal();
        for number in [None, Some(0.0), Some(2.5), Some(7.0), Some(11.1), Some(20.0)] {
            let distance = distance(&model, &clip, &binding, &back, number) / size;
            assert!(distance < 1e-4, "{scaling:?} at {number:?}: {distance}");
        }
        let names: Vec<&str> = back.document.nodes().filter_map(|node| node.name()).collect();
        let wanted: &[&str] = match scaling {
            ScalingRule::SoftImage | ScalingRule::Maya => {
                let [a, b] = ["joint Some(0).translation", "joint Some(1).translation"];
                &["joint None", "joint Some(0)", "joint Some(1)", a, b, &model.name, "shape"]
            }
            _ => &["joint None", "joint Some(0)", "joint Some(1)", &model.name, "shape"],
        };
        assert_eq!(names, wanted, "{scaling:?}");
        // Entry i of the skin is bone i.
        let skin = back.document.skins().next().unwrap();
        assert_eq!(skin.joints().map(|joint| joint.index()).collect::<Vec<_>>(), [0, 1, 2], "{scaling:?}");
    }
}

/// Even scales need no helper under any rule, also while they change.
#[test]
fn even_scales_need_no_helpers() {
    for scaling in [ScalingRule::SoftImage, ScalingRule::Maya] {
        let mut model = arm(scaling);
        let skeleton = model.skeleton.take().unwrap();
        let mut joints = skeleton.joints().to_vec();
        joints[0].bind.scale = Vec3::splat(2.0);
        joints[1].bind.scale = Vec3::splat(0.5);
        let mut scaled = Skeleton::new(joints, vec![]).with_scaling(scaling);
        scaled.draw_matrices = skeleton.draw_matrices;
        model.skeleton = Some(scaled);
        let mut clip = wave();
        clip.channels.retain(|channel| !matches!(channel.target, Target::JointScaleAxis { .. }));
        let (file, binding) = export(&model, &clip, None);
        let back = ReadBack::new(&file.bytes);
        assert!(back.document.nodes().all(|node| !node.name().unwrap_or_default().contains('.')), "{scaling:?}");
        for number in [None, Some(2.5), Some(11.1)] {
            let distance = distance(&model, &clip, &binding, &back, number) / model.bounds().diagonal();
            assert!(distance < 1e-4, "{scaling:?} at {number:?}: {distance}");
        }
    }
}

/// Without helpers the bones are the joints alone below one node, joints are where they belong, and a note states the error of the
/// vertices that the file has.
#[test]
fn a_plain_skeleton_has_no_helpers_and_states_its_error() {
    for scaling in [ScalingRule::SoftImage, ScalingRule::Maya] {
        let mut model = arm(scaling);
        let skeleton = model.skeleton.take().unwrap();
        let mut joints = skeleton.joints().to_vec();
        joints[0].bind.scale = Vec3::new(1.0, 3.0, 0.5);
        joints[1].bind.rotation = Quat::from_rotation_z(0.6);
        let mut scaled = Skeleton::new(joints, vec![]).with_scaling(scaling);
        scaled.draw_matrices = skeleton.draw_matrices;
        model.skeleton = Some(scaled);
        let options = GlbOptions { plain_skeleton: true, ..GlbOptions::default() };
        let file = glb_with(&model, &[] as &[BoundClip<'_>], &options, Room::all()).unwrap();
        let back = ReadBack::new(&file.bytes);
        let names: Vec<&str> = back.document.nodes().filter_map(|node| node.name()).collect();
        assert_eq!(names, ["joint None", "joint Some(0)", "joint Some(1)", &model.name, "shape"]);
        let frame = Frame::bind(&model);
        let worlds = back.world_at(None);
        let size = model.bounds().diagonal();
        for (joint, world) in frame.world_from_joint.iter().enumerate() {
            let far = worlds[joint].w_axis.truncate().distance(world.translation.into());
            assert!(far < 1e-5 * size, "{scaling:?}, joint {joint}: {far}");
        }
        let percent = 100.0 * back.distance(&model, &frame, None) / size;
        let wanted = format!("up to {percent:.2} %");
        assert!(percent > 0.1 && file.notes.iter().any(|note| note.contains(&wanted)), "{percent}: {:?}", file.notes);
    }
}

/// Where nothing is ever scaled, bones are bones whatever the rule.
#[test]
fn bones_that_are_never_scaled_need_no_helpers() {
    for scaling in [ScalingRule::SoftImage, ScalingRule::Maya] {
        let mut model = arm(scaling);
        let joints = model.skeleton.take().unwrap().joints().to_vec();
        let plain = |mut joint: Joint| {
            joint.bind.scale = Vec3::ONE;
            joint
        };
        model.skeleton = Some(Skeleton::new(joints.into_iter().map(plain).collect(), vec![]).with_scaling(scaling));
        let mut clip = wave();
        clip.channels.retain(|channel| !matches!(channel.target, Target::JointScaleAxis { .. }));
        let (file, _) = export(&model, &clip, None);
        assert_eq!(ReadBack::new(&file.bytes).document.nodes().count(), 5, "{scaling:?}");
    }
}

/// A bone that scales along axes of its own, one with a sheared matrix, and a child: no node of glTF does either alone.
#[test]
fn sheared_joints_arrive_whole() {
    let mut model = arm(ScalingRule::Product);
    let mut joints = model.skeleton.take().unwrap().joints().to_vec();
    joints[0].scale_axes = Some(Quat::from_xyzw(0.3, 0.1, -0.5, 0.7).normalize());
    joints[0].bind.scale = Vec3::new(1.0, 2.0, 0.6);
    let sheared = glam::Mat3A::from_cols(Vec3::X.into(), Vec3::new(0.6, 1.2, 0.0).into(), Vec3::Z.into());
    joints[1].bind_matrix = Some(Affine3A { matrix3: sheared, translation: Vec3::Y.into() });
    model.skeleton = Some(Skeleton::new(joints, vec![]));
    let (file, _) = export(&model, &Clip::default(), None);
    let back = ReadBack::new(&file.bytes);
    let frame = Frame::bind(&model);
    let worlds = back.world_at(None);
    for (joint, world) in frame.world_from_joint.iter().enumerate() {
        let found = worlds[joint];
        assert!(found.abs_diff_eq(glam::Mat4::from(*world), 1e-5), "{joint}: {found} for {world}");
    }
}

/// What a clip says of where it came from and how it plays, for programs that hold a file against its source.
#[test]
fn animations_say_how_long_and_how_fast_they_play() {
    let (model, clip) = (arm(ScalingRule::Standard), wave());
    let says = |options: GlbOptions| {
        let binding = Binding::new(&clip, &model, BindingOptions::default());
        let bound = [BoundClip { clip: &clip, binding: &binding }];
        let back = ReadBack::new(&glb_with(&model, bound.as_slice(), &options, Room::all()).unwrap().bytes);
        let channel = back.document.animations().next().unwrap().channels().next().unwrap();
        let last = channel.reader(|_| Some(&back.blob)).read_inputs().unwrap().last().unwrap();
        (back.json["animations"][0]["extras"].clone(), last)
    };
    let (own, end) = says(GlbOptions::default());
    assert_eq!((own, end), (serde_json::json!({ "frames": 20.0, "rate_hz": 30.0 }), 20.0 / 30.0));
    // No J3D file says its rate: another one is the same clip, faster.
    let (fast, end) = says(GlbOptions { assumed_rate_hz: Some(60.0), ..GlbOptions::default() });
    assert_eq!((fast, end), (serde_json::json!({ "frames": 20.0, "rate_hz": 60.0 }), 20.0 / 60.0));
}

#[test]
fn what_is_seen_is_a_pointer_that_steps() {
    let target = Target::Visibility { mesh: MeshIndex(0) };
    let keys = Keys::Scalar(vec![1.0, 0.0, 0.0, 1.0]);
    let sampler = Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(keys) };
    let channels = vec![Channel { target, sampler, unit: Unit::Plain, muted: false }];
    let clip = Clip { name: "blink".into(), frame_count: 4, rate_hz: 30.0, channels, ..Clip::default() };
    let (file, _) = export(&arm(ScalingRule::Standard), &clip, None);
    assert!(
        matches!(file.notes.as_slice(), [only] if only.contains("Blender 5.0 does not play visibility")),
        "{:?}",
        file.notes
    );
    let back = ReadBack::new(&file.bytes);
    let mesh = back.document.nodes().find(|node| node.mesh().is_some()).unwrap().index();
    let animation = &back.json["animations"][0];
    let target = &animation["channels"][0]["target"];
    assert_eq!(target["path"], "pointer");
    let pointer = target["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap();
    assert_eq!(pointer, format!("/nodes/{mesh}/extensions/KHR_node_visibility/visible"));
    assert_eq!(back.json.pointer(pointer), Some(&serde_json::json!(true)));
    let sampler = &animation["samplers"][0];
    assert_eq!(sampler["interpolation"], "STEP");
    let times = back.floats(sampler["input"].as_u64().unwrap() as usize);
    assert_eq!(times, [[0.0], [1.0 / 30.0], [0.1]]);
    let output = &back.json["accessors"][sampler["output"].as_u64().unwrap() as usize];
    let view = &back.json["bufferViews"][output["bufferView"].as_u64().unwrap() as usize];
    let start = (view["byteOffset"].as_u64().unwrap() + output["byteOffset"].as_u64().unwrap_or(0)) as usize;
    assert_eq!((&output["componentType"], &back.blob[start..start + 3]), (&serde_json::json!(5121), &[1, 0, 1][..]));
    assert_eq!(back.json["extensionsUsed"], serde_json::json!(["KHR_animation_pointer", "KHR_node_visibility"]));
    assert!(back.json.get("extensionsRequired").is_none());
}

#[test]
fn what_gltf_cannot_say_of_a_clip_is_told_in_a_line() {
    let mut model = arm(ScalingRule::Standard);
    model.materials.push(Material { name: "face".into(), kind: MaterialKind::Tev(Box::default()) });
    let target = Target::TextureSlot { material: ClipMaterial(0), slot: 0 };
    let sampler = Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(Keys::Scalar(vec![1.0, 0.0])) };
    let channels = vec![Channel { target, sampler, unit: Unit::Plain, muted: false }];
    let materials = ["face".to_owned()].into();
    let clip = Clip { name: "blink".into(), frame_count: 2, rate_hz: 30.0, channels, materials, ..Clip::default() };
    let (file, _) = export(&model, &clip, None);
    assert_eq!(ReadBack::new(&file.bytes).document.animations().count(), 0);
    let of_clip: Vec<&bonebox::export::Note> = file.notes.iter().filter(|note| note.contains("blink")).collect();
    assert!(matches!(of_clip.as_slice(), [only] if only.contains("1 texture change")), "{:?}", file.notes);
}

/// The model of a file of the corpus' cases from the wild.
fn wild(name: &str) -> Option<Arc<Model>> {
    let bytes = std::fs::read(kit::corpus()?.join("wild").join(name)).unwrap();
    Some(model_in(open_whole(name, bytes).asset(EntryId::FILE)))
}

#[test]
fn lines_arrive_in_glb_and_obj() {
    let Some(model) = wild("prim_lines_and_triangle.bmd") else { return };
    let lines = [[[0.0, 0.0], [200.0, 400.0]], [[200.0, 0.0], [0.0, 400.0]], [[0.0, 0.0], [200.0, 0.0]]];
    let glb = glb_with(&model, [].as_slice(), &GlbOptions::default(), Room::all()).unwrap();
    let back = ReadBack::new(&glb.bytes);
    back.assert_sound();
    let mesh = back.document.meshes().next().unwrap();
    let of_mode = |mode| mesh.primitives().find(|primitive| primitive.mode() == mode).unwrap();
    let (drawn, filled) = (of_mode(Mode::Lines), of_mode(Mode::Triangles));
    assert_eq!(mesh.primitives().len(), 2);
    assert_eq!((drawn.indices().unwrap().count(), filled.indices().unwrap().count()), (6, 3));
    assert_eq!(drawn.material().index(), filled.material().index());
    let reader = drawn.reader(|_| Some(&back.blob));
    let positions: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let ends: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
    let at = |vertex: &u32| {
        let [x, y, _] = positions[*vertex as usize];
        [x, y]
    };
    let found: Vec<[[f32; 2]; 2]> = ends.chunks_exact(2).map(|ends| [at(&ends[0]), at(&ends[1])]).collect();
    assert_eq!(found, lines);

    let files = obj(&model, &Frame::bind(&model), "lines", ObjSpace::File, ExportSpace::default()).unwrap();
    let text = String::from_utf8(files[0].1.clone()).unwrap();
    let points: Vec<Vec<f32>> = text
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .map(|line| line.split(' ').map(|number| number.parse().unwrap()).collect())
        .collect();
    let of_line = |line: &str| -> Vec<[f32; 2]> {
        let number = |end: &str| end.split('/').next().unwrap().parse::<usize>().unwrap();
        line.split(' ').map(|end| &points[number(end) - 1]).map(|point| [point[0], point[1]]).collect()
    };
    let found: Vec<Vec<[f32; 2]>> = text.lines().filter_map(|line| line.strip_prefix("l ")).map(of_line).collect();
    assert_eq!(found, lines);
    assert_eq!(text.lines().filter(|line| line.starts_with("f ")).count(), 1);
}

/// The inverse bind matrices of a J3D file by joint, read from the bytes of EVP1 (formats/j3d.md §6.3), for joints of envelopes.
fn stored_inverse_binds(bytes: &[u8]) -> Vec<(usize, Affine3A)> {
    let chunk = &bytes[bytes.windows(4).position(|tag| tag == b"EVP1").unwrap()..];
    let word = |at: usize| u32::from_be_bytes(chunk[at..at + 4].try_into().unwrap());
    let envelopes = usize::from(u16::from_be_bytes([chunk[8], chunk[9]]));
    let [counts, joints, matrices] = [12, 16, 24].map(|at| word(at) as usize);
    let influences: usize = chunk[counts..counts + envelopes].iter().map(|count| usize::from(*count)).sum();
    let mut named: Vec<usize> = (0..influences)
        .map(|at| usize::from(u16::from_be_bytes([chunk[joints + 2 * at], chunk[joints + 2 * at + 1]])))
        .collect();
    named.sort_unstable();
    named.dedup();
    let matrix = |joint: usize| {
        let number = |at: usize| f32::from_bits(word(matrices + 48 * joint + 4 * at));
        let column = |at: usize| Vec3::new(number(at), number(at + 4), number(at + 8));
        Affine3A::from_cols(column(0).into(), column(1).into(), column(2).into(), column(3).into())
    };
    named.into_iter().map(|joint| (joint, matrix(joint))).collect()
}

#[test]
fn the_bind_pose_of_a_folded_model_undoes_its_inverse_bind_matrices() {
    let Some(model) = wild("rest_pose_unlike_bind_pose.bmd") else { return };
    let bytes = std::fs::read(kit::corpus().unwrap().join("wild/rest_pose_unlike_bind_pose.bmd")).unwrap();
    let stored = stored_inverse_binds(&bytes);
    assert!(!stored.is_empty() && model.pose_difference().is_some());
    let far_with = |bind_pose: bool| {
        let options = GlbOptions { bind_pose, ..GlbOptions::default() };
        let back = ReadBack::new(&glb_with(&model, [].as_slice(), &options, Room::all()).unwrap().bytes);
        back.assert_sound();
        let nodes: Vec<gltf::Node<'_>> = back.document.nodes().collect();
        let world = |node: usize| {
            let local = |node: usize| glam::Mat4::from_cols_array_2d(&nodes[node].transform().matrix());
            let (mut world, mut at) = (local(node), node);
            while let Some(parent) = nodes.iter().position(|node| node.children().any(|child| child.index() == at)) {
                (world, at) = (local(parent) * world, parent);
            }
            world
        };
        let skin = back.document.skins().next().unwrap();
        let joints: Vec<usize> = skin.joints().map(|joint| joint.index()).collect();
        let far = stored.iter().map(|(joint, inverse_bind)| {
            let moved = world(joints[*joint]) * glam::Mat4::from(*inverse_bind) - glam::Mat4::IDENTITY;
            moved.to_cols_array().into_iter().fold(0.0_f32, |far, entry| far.max(entry.abs()))
        });
        far.fold(0.0, f32::max)
    };
    assert!(far_with(true) < 1e-3, "{}", far_with(true));
    assert!(far_with(false) > 0.1, "at rest it is folded");
}

/// The clip of a file of the corpus' cases from the wild.
fn wild_clip(name: &str) -> Arc<Clip> {
    let bytes = std::fs::read(kit::corpus_beside().unwrap().join("wild").join(name)).unwrap();
    let (_, file) = name.rsplit_once('/').unwrap();
    clip_in(open_whole(file, bytes).asset(EntryId::FILE))
}

#[test]
fn clips_of_one_kind_for_different_materials_play_and_are_written_together() {
    let Some(model) = wild("two_btk/course.bmd") else { return };
    let clips = ["two_btk/course_01.btk", "two_btk/course_02.btk"].map(wild_clip);
    let bindings = clips.each_ref().map(|clip| Arc::new(Binding::new(clip, &model, BindingOptions::default())));
    let mut player = Player::default();
    let mut join = |which: usize| player.join_clip(clips[which].clone(), bindings[which].clone());
    assert_eq!([join(0), join(1), join(0)], [Some(LayerIndex(0)), Some(LayerIndex(1)), None]);
    player.hold(30.0);
    let mut frame = Frame::default();
    player.evaluate(&model, &mut frame);
    // Each goes from no offset at frame 0 to one and two turns at frame 60.
    let offset = |name: &str| {
        let material = model.materials.iter().position(|material| material.name == name).unwrap();
        let matrices = &frame.materials[material].as_ref().unwrap().texture_srt;
        matrices.iter().flatten().map(|srt| srt[2]).fold(0.0, f32::max)
    };
    assert_eq!([offset("mat_body"), offset("mat_bb")], [0.5, 1.0]);
    // The user's choice takes the places of both.
    player.set_clip(clips[0].clone(), bindings[0].clone());
    assert_eq!(player.layers().len(), 1);

    let bound: Vec<BoundClip<'_>> =
        clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
    let glb = glb_with(&model, bound.as_slice(), &GlbOptions::default(), Room::all()).unwrap();
    // The texture of “mat_bb” is a weight between two colours: its picture moves as the texture does.
    let json = ReadBack::new(&glb.bytes).json;
    let animations = json["animations"].as_array().unwrap();
    for (clip, material) in [("course_01", 0), ("course_02", 1)] {
        let animation = animations.iter().find(|animation| animation["name"] == clip);
        let animation = animation.unwrap_or_else(|| panic!("{clip}: {:?}", glb.notes)).to_string();
        let moved = format!(
            "/materials/{material}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"
        );
        assert!(animation.contains(&moved), "{animation}");
    }
}

/// The names of the base colours' pictures of a file's materials.
fn base_pictures(json: &Value) -> Vec<String> {
    let of_material = |material: &Value| {
        let texture = material["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64()?;
        let image = json["textures"][texture as usize]["source"].as_u64()?;
        Some(json["images"][image as usize]["name"].as_str()?.to_owned())
    };
    json["materials"].as_array().unwrap().iter().map(|m| of_material(m).unwrap_or_default()).collect()
}

#[test]
fn a_material_set_is_worn_or_a_variant() {
    let Some(model) = wild("bmt/arm.bmd") else { return };
    let set = wild_clip("bmt/arm.bmt");
    let binding = Binding::new(&set, &model, BindingOptions::default());
    let bound = BoundClip { clip: &set, binding: &binding };
    let written = |clips: &[BoundClip<'_>], wears_set| {
        let options = GlbOptions { wears_set, ..GlbOptions::default() };
        let glb = glb_with(&model, clips, &options, Room::all()).unwrap();
        let back = ReadBack::new(&glb.bytes);
        back.assert_sound();
        back.json.clone()
    };
    let own = base_pictures(&written(&[], true));
    let worn = written(&[bound], true);
    assert_eq!(base_pictures(&worn), ["rgb5a3", "pal8"]);
    assert_ne!(own, base_pictures(&worn));
    assert!(worn["extensions"]["KHR_materials_variants"].is_null());

    // Two sets are variants, each with two materials behind the model's own.
    let both = written(&[bound, bound], true);
    let all = [own.as_slice(), &["rgb5a3", "pal8"].map(str::to_owned), &["rgb5a3", "pal8"].map(str::to_owned)].concat();
    assert_eq!(base_pictures(&both), all);
    assert_eq!(
        both["extensions"]["KHR_materials_variants"],
        json!({ "variants": [{ "name": "arm" }, { "name": "arm" }] })
    );
    assert!(both["extensionsUsed"].as_array().unwrap().contains(&"KHR_materials_variants".into()));
    let primitives = both["meshes"].as_array().unwrap().iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    for primitive in primitives {
        let material = primitive["material"].as_u64().unwrap();
        let mapping = |variant: u64| json!({ "material": material + 2 * (variant + 1), "variants": [variant] });
        assert_eq!(primitive["extensions"]["KHR_materials_variants"]["mappings"], json!([mapping(0), mapping(1)]));
    }
    // One that nobody chose is offered.
    assert_eq!(
        written(&[bound], false)["extensions"]["KHR_materials_variants"]["variants"].as_array().unwrap().len(),
        1
    );
}
