//! GLB files are read back by another reader, posed by another player, and held against the scene they came from.

use crate::kit::read_back::{ReadBack, khronos_validate};
use bonebox::{
    export::glb::{BoundClip, Glb, glb},
    scene::*,
};
use glam::{Quat, Vec2, Vec3};
use gltf::animation::util::ReadOutputs;
use std::sync::Arc;

fn joint(name: &str, parent: Option<u32>, translation: Vec3, rotation: Quat) -> Joint {
    Joint { name: name.into(), parent, bind: Transform { translation, rotation, scale: Vec3::ONE }, ..Joint::default() }
}

/// A bar along Y with five joints (a child stored before its parent), six influences on some points, two surfaces, two UV sets,
/// colours, two morphs and two sockets.
fn bar() -> Model {
    let joints = vec![
        joint("root", None, Vec3::new(0.0, 0.5, 0.0), Quat::from_rotation_x(0.3)),
        joint("tip", Some(2), Vec3::new(0.0, 1.0, 0.1), Quat::from_rotation_z(-0.4)),
        joint("middle", Some(0), Vec3::new(0.1, 1.0, 0.0), Quat::from_rotation_y(0.7)),
        joint("side", Some(0), Vec3::new(1.0, 0.0, 0.0), Quat::IDENTITY),
        joint("side", Some(3), Vec3::new(0.5, 0.0, 0.0), Quat::IDENTITY),
    ];
    let sockets = vec![
        Socket {
            name: "hand".into(),
            joint: Some(1),
            transform: Transform { translation: Vec3::X, ..Transform::IDENTITY },
        },
        Socket { name: "floor".into(), joint: None, transform: Transform::IDENTITY },
    ];
    let mut mesh = Mesh { name: "bar".into(), ..Mesh::default() };
    let mut skin = Skin::default();
    let rings = 12_u32;
    for ring in 0..rings {
        let height = ring as f32 * 0.25;
        for corner in 0..4 {
            let angle = corner as f32 * std::f32::consts::FRAC_PI_2;
            mesh.points.push(Vec3::new(angle.cos() * 0.3, height, angle.sin() * 0.3));
            let count = if ring % 3 == 0 { 6 } else { 2 };
            let first = skin.influences.len() as u32;
            for influence in 0..count {
                // The sixth repeats a joint.
                skin.influences.push(Influence { joint: (ring + influence) % 5, weight: 1.0 / count as f32 });
            }
            skin.runs.push(Run { first, count });
        }
    }
    for (vertex, point) in mesh.points.iter().enumerate() {
        mesh.vertex_points.push(vertex as u32);
        mesh.vertex_sources.push(vertex as u32);
        mesh.normals.push(Vec3::new(point.x, 0.0, point.z).normalize_or(Vec3::Y));
    }
    // A seam: the first corner of every ring once more.
    for ring in 0..rings {
        mesh.vertex_points.push(ring * 4);
        mesh.vertex_sources.push(ring * 4);
        mesh.normals.push(Vec3::X);
    }
    let count = mesh.vertex_points.len();
    mesh.uv_sets = (0..2).map(|set| (0..count).map(|v| Vec2::new(v as f32 * 0.1, set as f32)).collect()).collect();
    mesh.colors = (0..count).map(|v| [v as u8, 128, 255, 90]).collect();
    for ring in 0..rings - 1 {
        for corner in 0..4 {
            let (a, b) = (ring * 4 + corner, ring * 4 + (corner + 1) % 4);
            mesh.indices.extend([a, a + 4, b, b, a + 4, b + 4]);
        }
    }
    let half = mesh.indices.len() as u32 / 2;
    mesh.surfaces = vec![
        Surface { first_index: 0, index_count: half, material: 0 },
        Surface { first_index: half, index_count: half, material: 1 },
    ];
    let delta =
        |point: u32| MorphDelta { point, position: Vec3::new(0.0, 0.1, 0.05), normal: Vec3::new(0.1, 0.0, 0.0) };
    mesh.morphs = vec![
        Morph { name: "bulge".into(), deltas: vec![delta(4), delta(5), delta(4)] },
        Morph { name: "nothing".into(), deltas: vec![] },
        Morph { name: "all".into(), deltas: (0..48).map(delta).collect() },
    ];
    mesh.skin = Some(skin);
    let picture = |name: &str, alpha: u8| {
        let rgba: Vec<u8> = (0..16_u8).flat_map(|i| [100 + i, 255 - i, 40, alpha]).collect();
        Arc::new(Image { name: name.into(), width: 4, height: 4, rgba: rgba.into(), stored_as: String::new() })
    };
    let material = |name: &str, basic| Material { name: name.into(), kind: MaterialKind::Basic(basic) };
    Model {
        meshes: vec![mesh],
        skeleton: Some(Skeleton::new(joints, sockets)),
        materials: vec![
            material("skin", BasicMaterial { image: Some(0), ..BasicMaterial::default() }),
            material(
                "cloth",
                BasicMaterial {
                    image: Some(1),
                    blend: Blend::Masked,
                    two_sided: true,
                    unlit: true,
                    nearest: true,
                    ..BasicMaterial::default()
                },
            ),
            material("glow", BasicMaterial { image: Some(0), blend: Blend::Translucent, ..BasicMaterial::default() }),
        ],
        images: vec![picture("skin", 255), picture("cloth", 100), picture("unused", 9)],
        ..Model::empty("bar")
    }
}

/// A loop of seven frames that moves every joint, with keys of both signs, sparse scale keys and a morph.
fn wave() -> Clip {
    let channel = |target, sampler| Channel { target, sampler, unit: Unit::Plain, muted: false };
    let rotations = |axis: Vec3| {
        let keys = (0..7).map(|f| {
            let q = Quat::from_axis_angle(axis, (f as f32 * 0.9).sin());
            if f % 2 == 0 { q } else { -q }
        });
        Sampler::every_frame(Keys::Rotation(keys.collect()))
    };
    let mut channels = vec![
        channel(Target::JointRotation(ClipJoint(0)), rotations(Vec3::X)),
        channel(Target::JointRotation(ClipJoint(1)), rotations(Vec3::Z)),
        channel(Target::JointRotation(ClipJoint(2)), rotations(Vec3::Y)),
        channel(
            Target::JointTranslation(ClipJoint(0)),
            Sampler::every_frame(Keys::Vec3((0..7).map(|f| Vec3::new(f as f32 * 0.2, 0.5, 0.0)).collect())),
        ),
        channel(
            Target::JointScale(ClipJoint(2)),
            Sampler {
                times: KeyTimes::At([0.0, 2.5, 5.0].into()),
                keys: Keys::Vec3(vec![Vec3::ONE, Vec3::new(1.5, 0.7, 1.0), Vec3::splat(1.2)]),
                interpolation: Interpolation::Linear,
                cycle: None,
            },
        ),
        channel(
            Target::MorphWeight("BULGE".into()),
            Sampler::every_frame(Keys::Scalar(vec![0.0, 0.5, 1.0, 0.25, 0.0, 0.75, 0.1])),
        ),
    ];
    channels.push(Channel {
        unit: Unit::Plain,
        muted: true,
        ..channel(Target::JointTranslation(ClipJoint(3)), Sampler::every_frame(Keys::Vec3(vec![Vec3::splat(3.0); 7])))
    });
    Clip {
        name: "wave".into(),
        group: String::new(),
        frame_count: 7,
        rate_hz: 12.5,
        default_loop: LoopMode::Loop,
        blends_across_seam: true,
        joints: ["Root", "tip", "MIDDLE", "side"].map(String::from).into(),
        key_rule: KeyRule::InverseOnFirstJoint,
        file_from_scene: glam::Affine3A::IDENTITY,
        channels,
        ..Clip::default()
    }
}

fn export(model: &Model, clips: &[Clip], options: BindingOptions) -> (Glb, Vec<Binding>) {
    let bindings: Vec<Binding> = clips.iter().map(|c| Binding::new(c, model, options)).collect();
    let bound: Vec<BoundClip<'_>> =
        clips.iter().zip(&bindings).map(|(clip, binding)| BoundClip { clip, binding }).collect();
    (glb(model, &bound).unwrap(), bindings)
}

/// Poses the file and the scene at five times of every clip: the largest distance, as a share of the diagonal.
fn largest_distance(model: &Model, clips: &[Clip], options: BindingOptions) -> f32 {
    let (file, bindings) = export(model, clips, options);
    let back = ReadBack::new(&file.bytes);
    assert_eq!(back.document.animations().len(), clips.len());
    let mut largest = 0.0_f32;
    for (index, (clip, binding)) in clips.iter().zip(&bindings).enumerate() {
        let period = if clip.blends_across_seam { clip.frame_count as f32 } else { clip.last_frame() };
        for share in [0.0, 0.21, 0.5, 0.77, 0.97] {
            let frame_number = period * share;
            let layer = Layer { clip, binding, frame: frame_number, looping: true };
            let mut frame = Frame::default();
            evaluate(model, &[layer], &[], &mut frame);
            let moment = Some((index, frame_number / clip.rate_hz));
            // Joints are the first nodes.
            for (node, joint) in back.world_at(moment).iter().zip(&frame.world_from_joint) {
                largest = largest.max(node.w_axis.truncate().distance(joint.translation.into()));
            }
            largest = largest.max(back.distance(model, &frame, moment));
        }
    }
    largest / model.bounds().diagonal()
}

#[test]
fn a_clip_poses_as_it_does_in_the_scene() {
    let clips = [wave(), Clip { name: "again".into(), blends_across_seam: false, key_rule: KeyRule::Plain, ..wave() }];
    let variants = [
        BindingOptions::default(),
        BindingOptions { translation: Translation::Clip, ..BindingOptions::default() },
        BindingOptions { translation: Translation::Mesh, ..BindingOptions::default() },
        BindingOptions { additive: true, ..BindingOptions::default() },
        BindingOptions { ignore_key_rule: true, ..BindingOptions::default() },
    ];
    for options in variants {
        let distance = largest_distance(&bar(), &clips, options);
        assert!(distance < 1e-5, "{options:?}: {distance}");
    }
}

/// A clip that moves one joint, which [`wave`] does not.
fn nod() -> Clip {
    let turns = Keys::Rotation((0..7).map(|f| Quat::from_rotation_z(f as f32 * 0.2)).collect());
    Clip {
        name: "nod".into(),
        channels: vec![Channel {
            target: Target::JointRotation(ClipJoint(3)),
            sampler: Sampler::every_frame(turns),
            unit: Unit::Plain,
            muted: false,
        }],
        ..wave()
    }
}

/// Plays the clips one after the other as programs do that reset nothing in between: what the next one has no keys for stays.
#[test]
fn a_clip_poses_as_it_does_after_any_other() {
    let model = bar();
    let clips = [wave(), nod(), Clip { name: "again".into(), ..wave() }];
    assert!(largest_distance(&model, &clips, BindingOptions::default()) < 1e-5);
    let (file, bindings) = export(&model, &clips, BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let mut locals: Vec<Transform> = back
        .document
        .nodes()
        .map(|node| {
            let (translation, rotation, scale) = node.transform().decomposed();
            Transform { translation: translation.into(), rotation: Quat::from_array(rotation), scale: scale.into() }
        })
        .collect();
    for index in [0, 1, 2, 1, 0, 1] {
        let animation = back.document.animations().nth(index).unwrap();
        // The last keys, which are the first ones of the loop.
        for channel in animation.channels() {
            let local = &mut locals[channel.target().node().index()];
            match channel.reader(|_| Some(&back.blob)).read_outputs().unwrap() {
                ReadOutputs::Translations(values) => local.translation = values.last().unwrap().into(),
                ReadOutputs::Rotations(values) => local.rotation = Quat::from_array(values.into_f32().last().unwrap()),
                ReadOutputs::Scales(values) => local.scale = values.last().unwrap().into(),
                ReadOutputs::MorphTargetWeights(_) => {}
            }
        }
        let (clip, binding) = (&clips[index], &bindings[index]);
        let mut frame = Frame::default();
        evaluate(&model, &[Layer { clip, binding, frame: 0.0, looping: true }], &[], &mut frame);
        for (joint, (kept, expected)) in locals.iter().zip(&frame.locals).enumerate() {
            let distance = kept.translation.distance(expected.translation) + kept.scale.distance(expected.scale) + 1.0
                - kept.rotation.dot(expected.rotation).abs();
            assert!(distance < 1e-5, "clip {index}, joint {joint}: {kept:?}, {expected:?}");
        }
    }
}

#[test]
fn the_test_sees_a_wrong_pose() {
    let (file, _) = export(&bar(), &[wave()], BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let (a, b) = (back.pose(Some((0, 0.1))), back.pose(Some((0, 0.2))));
    let moved = a[0].positions.iter().zip(&b[0].positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved > 0.1);
}

#[test]
fn a_loop_ends_on_its_first_key_one_frame_later() {
    let (file, _) = export(&bar(), &[wave()], BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let channel = back.document.animations().next().unwrap().channels().next().unwrap();
    let times: Vec<f32> = channel.reader(|_| Some(&back.blob)).read_inputs().unwrap().collect();
    assert_eq!(times.len(), 8);
    assert!((times[7] - 7.0 / 12.5).abs() < 1e-6);
}

#[test]
fn muted_channels_stay_out_and_names_stay_as_they_are() {
    let (file, _) = export(&bar(), &[wave()], BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let animation = back.document.animations().next().unwrap();
    assert_eq!(animation.channels().count(), 6);
    let names: Vec<&str> = back.document.nodes().filter_map(|n| n.name()).collect();
    assert_eq!(names, ["root", "tip", "middle", "side", "side", "hand", "floor", "bar", "bar"]);
    let skin = back.document.skins().next().unwrap();
    let joints: Vec<usize> = skin.joints().map(|j| j.index()).collect();
    assert_eq!(joints, [0, 1, 2, 3, 4]);
    let group = skin.skeleton().unwrap();
    assert_eq!(group.children().map(|child| child.index()).collect::<Vec<_>>(), [0], "the joint without a parent");
    assert!(skin.joints().all(|joint| joint.index() != group.index()));
    let tip = back.document.nodes().nth(1).unwrap();
    assert_eq!(tip.children().next().unwrap().name(), Some("hand"));
    let roots: Vec<&str> = back.document.default_scene().unwrap().nodes().filter_map(|n| n.name()).collect();
    assert_eq!(roots, ["floor", "bar", "bar"]);
}

#[test]
fn meshes_keep_surfaces_sets_colours_and_morph_names() {
    let model = bar();
    let (file, _) = export(&model, &[], BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let mesh = back.document.meshes().next().unwrap();
    let extras: serde_json::Value = serde_json::from_str(mesh.extras().as_ref().unwrap().get()).unwrap();
    assert_eq!(extras["targetNames"], serde_json::json!(["bulge", "nothing", "all"]));
    let primitives: Vec<_> = mesh.primitives().collect();
    assert_eq!(primitives.len(), 2);
    let mut indices = Vec::new();
    for primitive in &primitives {
        let reader = primitive.reader(|_| Some(&back.blob));
        indices.extend(reader.read_indices().unwrap().into_u32());
        for set in 0..2 {
            let uvs: Vec<Vec2> = reader.read_tex_coords(set).unwrap().into_f32().map(Vec2::from).collect();
            assert_eq!(uvs, model.meshes[0].uv_sets[set as usize]);
        }
        // Six influences, one of them a repetition: five, in two sets.
        assert!(reader.read_joints(1).is_some() && reader.read_joints(2).is_none());
    }
    assert_eq!(indices, model.meshes[0].indices);
    let colors = |p: usize| -> Vec<[f32; 4]> {
        primitives[p].reader(|_| Some(&back.blob)).read_colors(0).unwrap().into_rgba_f32().collect()
    };
    // IEC 61966-2-1: 128 of 255 is 0.2158605 of linear light, 1 is 1 / 255 / 12.92; alpha is linear already.
    let linear = [1.0 / 255.0 / 12.92, 0.215_860_5, 1.0, 90.0 / 255.0];
    assert!(colors(0)[1].iter().zip(linear).all(|(a, b)| (a - b).abs() < 1e-5), "{:?}", colors(0)[1]);
    assert!(colors(0).windows(2).all(|pair| pair[0][0] < pair[1][0]), "dark colours keep their steps");
    // A masked surface must not be cut by alpha that is free data.
    assert!(colors(1).iter().zip(colors(0)).all(|(a, b)| a[..3] == b[..3] && a[3] == 1.0));
}

#[test]
fn materials_and_pictures_come_along() {
    let (file, _) = export(&bar(), &[], BindingOptions::default());
    let back = ReadBack::new(&file.bytes);
    let materials: Vec<_> = back.document.materials().collect();
    assert_eq!(materials.len(), 3);
    assert_eq!(materials[0].alpha_mode(), gltf::material::AlphaMode::Opaque);
    assert_eq!(materials[1].alpha_mode(), gltf::material::AlphaMode::Mask);
    assert!(materials[1].double_sided() && materials[1].unlit() && !materials[0].unlit());
    assert_eq!(materials[2].alpha_mode(), gltf::material::AlphaMode::Blend);
    // The unused picture stays out; the shared one is there once.
    assert_eq!(back.document.images().len(), 2);
    let texture = materials[1].pbr_metallic_roughness().base_color_texture().unwrap().texture();
    assert_eq!(texture.sampler().mag_filter(), Some(gltf::texture::MagFilter::Nearest));
    let gltf::image::Source::View { view, mime_type } = texture.source().source() else { panic!("embedded") };
    assert_eq!(mime_type, "image/png");
    let png = &back.blob[view.offset()..view.offset() + view.length()];
    let pixels = image::load_from_memory(png).unwrap().to_rgba8().into_raw();
    assert_eq!(pixels, bar().images[1].rgba.as_ref());
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let once = export(&bar(), &[wave()], BindingOptions::default()).0.bytes;
    let again = export(&bar(), &[wave()], BindingOptions::default()).0.bytes;
    assert_eq!(once, again);
}

/// Models that break something, by name.
fn damaged() -> Vec<(&'static str, Model)> {
    let mut models = Vec::new();
    let mut add = |name, change: fn(&mut Model)| {
        let mut model = bar();
        change(&mut model);
        models.push((name, model));
    };
    add("nan_points", |m| {
        m.meshes[0].points[5] = Vec3::NAN;
        m.meshes[0].points[9] = Vec3::new(f32::INFINITY, 0.0, 0.0);
    });
    add("bad_normals", |m| {
        m.meshes[0].normals[0] = Vec3::ZERO;
        m.meshes[0].normals[1] = Vec3::NAN;
        m.meshes[0].normals[2] = Vec3::splat(1e30);
        m.meshes[0].normals[3] = Vec3::splat(1e-30);
    });
    add("bad_weights", |m| {
        let skin = m.meshes[0].skin.as_mut().unwrap();
        skin.influences[0].weight = f32::NAN;
        skin.influences[1].weight = -3.0;
        skin.influences[2].joint = 999;
        skin.runs[3].count = 0;
        skin.runs[4].first = u32::MAX;
        skin.runs.truncate(40);
    });
    add("bad_indices", |m| {
        m.meshes[0].indices[4] = 999_999;
        m.meshes[0].vertex_points[7] = 12_345;
        m.meshes[0].surfaces[1].index_count = u32::MAX;
        m.meshes[0].surfaces.push(Surface { first_index: u32::MAX, index_count: 3, material: 99 });
        m.meshes[0].surfaces[0].material = 77;
    });
    add("degenerate_triangles", |m| m.meshes[0].indices.fill(3));
    add("lengths_differ", |m| {
        m.meshes[0].normals.pop();
        m.meshes[0].colors.pop();
        m.meshes[0].uv_sets[0].pop();
        m.meshes[0].uv_sets[1].clear();
    });
    add("bad_uvs_and_morphs", |m| {
        m.meshes[0].uv_sets[0][0] = Vec2::new(f32::NAN, 1.0);
        m.meshes[0].morphs[0].deltas[0].position = Vec3::NAN;
        m.meshes[0].morphs[2].deltas[1].point = 40_000;
        m.meshes[0].morphs[2].deltas[2].normal = Vec3::splat(f32::INFINITY);
    });
    add("bad_binds", |m| {
        let mut joints = m.skeleton.as_ref().unwrap().joints().to_vec();
        joints[0].bind.translation = Vec3::NAN;
        joints[1].bind.scale = Vec3::new(0.0, f32::NAN, 1.0);
        joints[2].bind.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        m.skeleton = Some(Skeleton::new(joints, vec![]));
    });
    add("several_roots", |m| {
        let mut joints = m.skeleton.as_ref().unwrap().joints().to_vec();
        joints[3].parent = None;
        m.skeleton = Some(Skeleton::new(joints, vec![]));
    });
    add("bad_pictures", |m| {
        let broken = Image { width: 4000, ..(*m.images[0]).clone() };
        m.images[0] = Arc::new(broken);
    });
    add("hidden_and_odd_materials", |m| {
        for material in &mut m.materials {
            let MaterialKind::Basic(basic) = &mut material.kind else { continue };
            basic.hidden = true;
            basic.environment = true;
            basic.image = Some(44);
        }
    });
    add("no_mesh", |m| m.meshes.clear());
    add("no_triangles", |m| m.meshes[0].indices.clear());
    add("no_skeleton", |m| m.skeleton = None);
    add("static", |m| {
        m.skeleton = None;
        m.meshes[0].skin = None;
    });
    add("nothing", |m| *m = Model::empty(""));
    add("strange_names", |m| {
        m.name = "\0\u{1}\"\\\u{202e}".into();
        m.meshes[0].name = String::new();
        m.meshes[0].morphs[0].name = "\"quoted\"\n".into();
        m.materials[0].name = "\u{fffd}".into();
    });
    models
}

fn damaged_clips() -> Vec<Clip> {
    let mut nan = wave();
    for channel in &mut nan.channels {
        match &mut channel.sampler.keys {
            Keys::Vec3(keys) => keys[1] = Vec3::NAN,
            Keys::Rotation(keys) => keys[1] = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 0.0),
            Keys::Scalar(keys) => keys[1] = f32::INFINITY,
            _ => {}
        }
    }
    let mut times = wave();
    for channel in &mut times.channels {
        channel.sampler.times = KeyTimes::At([-2.0, 0.0, 0.0, 1.0, 1.0, 1.0, 50.0].into());
    }
    let mut steps = wave();
    for channel in &mut steps.channels {
        channel.sampler.interpolation = Interpolation::Step;
    }
    let mut empty = wave();
    for channel in &mut empty.channels {
        channel.sampler.keys = Keys::Vec3(vec![]);
    }
    vec![
        Clip { name: "nan".into(), ..nan },
        Clip { name: "times".into(), ..times },
        Clip { name: "steps".into(), ..steps },
        Clip { name: "empty".into(), ..empty },
        Clip { name: "no rate".into(), rate_hz: f32::NAN, ..wave() },
        Clip { name: "fast".into(), rate_hz: f32::MAX, ..wave() },
        Clip { name: "no frames".into(), frame_count: 0, ..wave() },
        Clip { name: "one frame".into(), frame_count: 1, ..wave() },
        Clip { name: "more frames than keys".into(), frame_count: 50, ..wave() },
        Clip { name: "strangers".into(), joints: ["x".into()].into(), ..wave() },
        wave(),
        wave(),
    ]
}

#[test]
fn whatever_is_in_the_model_the_khronos_validator_accepts_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, model) in [("bar", bar())].into_iter().chain(damaged()) {
        for additive in [false, true] {
            let options = BindingOptions { additive, ..BindingOptions::default() };
            let file = export(&model, &damaged_clips(), options).0;
            let back = ReadBack::new(&file.bytes);
            let d = &back.document;
            assert_eq!(d.meshes().count() > 0, model.triangle_count() > 0, "{name}");
            let path = folder.path().join(format!("{name}_{additive}.glb"));
            std::fs::write(&path, &file.bytes).unwrap();
            files.push(path);
        }
    }
    khronos_validate(&files);
}

#[test]
fn stepped_and_doubled_keys_pose_alike() {
    let mut stepped = wave();
    for channel in &mut stepped.channels {
        channel.sampler.interpolation = Interpolation::Step;
    }
    let mut doubled = wave();
    for channel in &mut doubled.channels {
        if channel.sampler.keys.len() == 7 {
            channel.sampler.times = KeyTimes::At([0.0, 1.0, 2.0, 2.0, 4.0, 5.5, 6.0].into());
        }
    }
    let distance = largest_distance(&bar(), &[stepped, doubled], BindingOptions::default());
    assert!(distance < 1e-5, "{distance}");
}

#[test]
fn materials_whose_texture_is_not_there_are_named() {
    let mut model = bar();
    for index in [0, 1] {
        model.materials[index].kind = MaterialKind::Basic(BasicMaterial::default());
    }
    // Nothing was looked for: they have no texture, and that is that.
    assert_eq!(*export(&model, &[], BindingOptions::default()).0.notes, Vec::<String>::new());
    model.missing = vec!["the texture Lamps.Glow was not found".into()];
    let package = Some("Lamps".to_owned());
    model.missing_textures =
        vec![MissingTexture { material: MaterialIndex(1), object: "Lamps.Glow".into(), package, near: String::new() }];
    let notes = export(&model, &[], BindingOptions::default()).0.notes;
    let expected = [
        "the material “skin” has no texture",
        "the texture Lamps.Glow of the material “cloth” is missing. Open the package Lamps or add its folder \
         as a search folder",
    ];
    assert_eq!(*notes, expected);
}

#[test]
fn what_is_left_out_is_said() {
    let strangers = Clip { name: "strangers".into(), joints: ["x".into()].into(), channels: vec![], ..wave() };
    let mut model = bar();
    model.meshes[0].indices.clear();
    let notes = export(&model, &[strangers], BindingOptions::default()).0.notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("“bar”") && notes[1].contains("“strangers”"), "{notes:?}");
}
