//! Models with blended matrices and clips of single axes as GLB, read back and posed by another player.

use crate::kit::read_back::ReadBack;
use bonebox::{
    export::glb::{BoundClip, Glb, GlbOptions, Room, glb_with},
    scene::{
        Binding, BindingOptions, Channel, Clip, ClipEnd, ClipJoint, DrawMatrix, DrawTerm, Frame, HermiteKey, Influence,
        Interpolation, Joint, JointAddressing, KeyTimes, Keys, Layer, Mesh, MeshIndex, Model, Run, Sampler,
        ScalingRule, Skeleton, Skin, Surface, Target, Transform, Unit, evaluate,
    },
};
use glam::{Affine3A, Quat, Vec3};

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
    let file =
        glb_with(model, [BoundClip { clip, binding: &binding }].as_slice(), &GlbOptions { rate_hz }, Room::all())
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
        for number in [None, Some(0.0), Some(3.0), Some(7.0), Some(13.0), Some(20.0)] {
            let distance = distance(&model, &clip, &binding, &back, number);
            assert!(distance < 2e-4, "{scaling:?} at {number:?}: {distance}");
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
    assert_eq!((own.len(), four.len()), (21, 81));
    assert!((own[20] - 20.0 / 30.0).abs() < 1e-6 && (four[80] - 20.0 / 30.0).abs() < 1e-6);
    let (file, binding) = export(&model, &clip, Some(120.0));
    let back = ReadBack::new(&file.bytes);
    assert!(distance(&model, &clip, &binding, &back, Some(3.25)) < 2e-4);
}

#[test]
fn shear_that_gltf_cannot_hold_is_told() {
    let mut joints = arm(ScalingRule::Maya).skeleton.unwrap().joints().to_vec();
    joints[0].bind.scale = Vec3::new(1.0, 4.0, 1.0);
    joints[1].compensates_scale = true;
    let mut model = arm(ScalingRule::Maya);
    model.skeleton = Some(Skeleton::new(joints, vec![]).with_scaling(ScalingRule::Maya));
    model.meshes[0].skin = None;
    let (file, _) = export(&model, &wave(), None);
    assert!(file.notes.iter().any(|n| n.contains("shear")), "{:?}", file.notes);
}

#[test]
fn clips_of_materials_stay_out_and_that_is_said() {
    let target = Target::Visibility { mesh: MeshIndex(0) };
    let sampler = Sampler { interpolation: Interpolation::Step, ..Sampler::every_frame(Keys::Scalar(vec![1.0, 0.0])) };
    let channels = vec![Channel { target, sampler, unit: Unit::Plain, muted: false }];
    let clip = Clip { name: "blink".into(), frame_count: 2, rate_hz: 30.0, channels, ..Clip::default() };
    let (file, _) = export(&arm(ScalingRule::Standard), &clip, None);
    assert_eq!(ReadBack::new(&file.bytes).document.animations().count(), 0);
    assert!(file.notes.iter().any(|n| n.contains("blink") && n.contains("left out")), "{:?}", file.notes);
}
