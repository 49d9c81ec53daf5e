//! Skins whose influences move sources of their own: the GPU does as the CPU does.

use crate::kit::{Noise, device::*};
use bonebox::{
    gpu::{
        ContextOptions, GpuContext, GpuModel, Item, RenderTarget, SceneRenderer, Shading, ViewSettings, read_skinned,
    },
    scene::{
        Frame, Image, InfluenceSource, Joint, Material, MaterialKind, Mesh, Model, Morph, MorphDelta, Run, Skeleton,
        Skin, Transform,
        gx::{Attenuation, ChannelControl, Diffuse, TevMaterial},
        skinning,
    },
};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

const JOINTS: u32 = 44;

/// Different for every number, from −1 to 1.
fn noise(seed: u32) -> f32 {
    Noise::new(seed.into()).unit()
}

fn noise3(seed: u32) -> Vec3 {
    Noise::new(seed.into()).vec3()
}

/// A chain that bends, stretches and shears what hangs on it; every sixth joint does not follow its parent.
fn skeleton() -> Skeleton {
    let joint = |index: u32| Joint {
        name: format!("bone {index}"),
        parent: index.checked_sub(1),
        bind: Transform {
            translation: if index.is_multiple_of(6) { Vec3::Y * index as f32 * 0.05 } else { Vec3::Y * 0.05 },
            rotation: Quat::from_rotation_z(noise(index) * 0.2) * Quat::from_rotation_x(noise(index + 50) * 0.1),
            scale: Vec3::new(1.0 + noise(index + 90) * 0.1, 1.0, 1.0 - noise(index + 91) * 0.1),
        },
        detached: index > 0 && index.is_multiple_of(6),
        ..Joint::default()
    };
    Skeleton::new((0..JOINTS).map(joint).collect(), vec![])
}

/// Points with 1 to 40 influences, each of which has its own idea of the point and of its normal.
fn sourced(rows: u32, sides: u32) -> Mesh {
    let mut mesh = tentacle(JOINTS, rows, sides).meshes.remove(0);
    let lists: Vec<Vec<(u32, f32)>> = (0..mesh.points.len() as u32)
        .map(|index| {
            let count = 1 + index % 40;
            let weights: Vec<f32> = (0..count).map(|i| 2.0 + noise(index * 64 + i)).collect();
            let sum: f32 = weights.iter().sum();
            weights.iter().zip(0..).map(|(w, i)| ((index + i * 7) % JOINTS, w / sum)).collect()
        })
        .collect();
    let mut skin = skin(&lists);
    for (point, run) in skin.runs.iter().enumerate() {
        for i in 0..run.count {
            skin.sources.push(InfluenceSource {
                position: mesh.points[point] + noise3(run.first + i) * 0.02,
                normal: (mesh.normals[point] + Vec3::X * 0.4 + noise3(run.first + i + 31) * 0.3)
                    * (0.8 + 0.1 * noise(i)),
            });
        }
    }
    mesh.skin = Some(skin);
    mesh
}

/// Sourced meshes before and after one that is skinned as in other families, and one without a skin.
fn model() -> Model {
    let mut meshes = vec![sourced(40, 24), tentacle(JOINTS, 9, 7).meshes.remove(0), square(0.3, 0), sourced(7, 5)];
    let deltas = |count: usize, every: usize, size: f32| -> Vec<MorphDelta> {
        (0..count)
            .step_by(every)
            .map(|i| MorphDelta {
                point: i as u32,
                position: noise3(i as u32) * size,
                normal: noise3(i as u32 + 5) * 0.5,
            })
            .collect()
    };
    for (index, mesh) in meshes.iter_mut().enumerate() {
        let count = mesh.points.len();
        mesh.morphs = vec![
            Morph { name: "smile".into(), deltas: deltas(count, 1, 0.05) },
            Morph { name: "wink".into(), deltas: deltas(count, 2 + index, 0.1) },
        ];
    }
    Model { meshes, skeleton: Some(skeleton()), ..tentacle(2, 2, 3) }
}

fn pose(model: &Model, turn: f32, morph_weights: &[f32]) -> Frame {
    let mut frame = Frame::bind(model);
    let inverse = model.skeleton.as_ref().unwrap().joint_from_world_bind();
    for (index, world) in frame.world_from_joint.iter_mut().enumerate() {
        let index = index as u32;
        let sheared = Affine3A::from_cols_array(&[
            1.0,
            noise(index) * turn,
            0.0,
            0.0,
            1.0,
            0.1 * turn,
            0.0,
            0.0,
            1.0,
            0.0,
            0.0,
            0.0,
        ]);
        let turned = Affine3A::from_scale_rotation_translation(
            Vec3::ONE + noise3(index + 400) * 0.2 * turn,
            Quat::from_rotation_x(turn * noise(index + 8)) * Quat::from_rotation_y(turn * 0.3),
            noise3(index + 77) * 0.05,
        );
        *world = *world * turned * sheared;
    }
    frame.world_from_bind = frame.world_from_joint.iter().zip(inverse).map(|(world, bind)| *world * *bind).collect();
    frame.morph_weights = morph_weights.to_vec();
    frame
}

/// By the formula alone: Σ weight × matrix × (source + morph).
fn by_hand(mesh: &Mesh, frame: &Frame, point: usize, offset: Vec3) -> Vec3 {
    let skin = mesh.skin.as_ref().unwrap();
    let run = skin.runs[point];
    (run.first..run.first + run.count)
        .map(|i| {
            let influence = skin.influences[i as usize];
            let source = skin.sources[i as usize].position + offset;
            frame.world_from_bind[influence.joint as usize].transform_point3(source) * influence.weight
        })
        .sum()
}

#[test]
fn every_influence_moves_its_own_source() {
    let model = model();
    let frame = pose(&model, 0.6, &[0.0, 1.0]);
    for mesh in [&model.meshes[0], &model.meshes[3]] {
        let points = skinning::skinned_points(&model, mesh, &frame);
        for (index, point) in points.iter().enumerate() {
            let offset =
                mesh.morphs[1].deltas.iter().find(|d| d.point == index as u32).map_or(Vec3::ZERO, |d| d.position);
            let expected = by_hand(mesh, &frame, index, offset);
            assert!((*point - expected).abs().max_element() < 1e-4, "{index}: {point} {expected}");
        }
        let plain = Mesh { skin: mesh.skin.clone().map(|s| Skin { sources: vec![], ..s }), ..mesh.clone() };
        let distance = skinning::skinned_points(&model, &plain, &frame);
        assert!(points.iter().zip(&distance).any(|(a, b)| a.distance(*b) > 0.01), "the sources count");
    }
}

#[test]
fn skinned_vertices_are_those_of_the_cpu() {
    let Some(context) = context() else { return };
    assert!(context.skins_on_gpu(), "this device has no storage buffers in the vertex stage");
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(model());
    let uploaded = renderer.upload(&model).unwrap();
    let tolerance = model.bounds().diagonal() * 1e-4;
    let mut results = Vec::new();
    for (turn, weights) in [(0.0, [0.0, 0.0]), (0.7, [0.0, 0.0]), (0.7, [1.0, -0.5]), (-0.4, [0.3, 0.9])] {
        let frame = pose(&model, turn, &weights);
        let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
        let distance = distance_from_cpu(&model, &frame, &gpu);
        assert!(distance <= tolerance, "{turn} {weights:?}: {distance} > {tolerance}");
        results.push(gpu);
    }
    for pair in results.windows(2) {
        assert_ne!(pair[0], pair[1], "joints and morphs move something");
    }
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

#[test]
fn influences_that_lead_nowhere_are_left_out_as_on_the_cpu() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = model();
    let skin = model.meshes[0].skin.as_mut().unwrap();
    skin.influences[0].joint = u32::MAX;
    skin.influences[40].joint = JOINTS;
    skin.influences[80].weight = 0.0;
    skin.runs[20] = Run { first: u32::MAX, count: 3 };
    skin.runs[21] = Run { first: 0, count: u32::MAX };
    skin.runs[22] = Run { first: 5, count: 0 };
    let model = Arc::new(model);
    let uploaded = renderer.upload(&model).unwrap();
    let frame = pose(&model, 0.5, &[0.5, 0.5]);
    let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    let distance = distance_from_cpu(&model, &frame, &gpu);
    assert!(distance <= model.bounds().diagonal() * 1e-4, "{distance}");
    // Sources that are not one an influence are none.
    let mut broken = (*model).clone();
    broken.meshes[0].skin.as_mut().unwrap().sources.pop();
    let broken = Arc::new(broken);
    let uploaded = renderer.upload(&broken).unwrap();
    let gpu = read_skinned(&context, &mut renderer, &uploaded, &frame).unwrap();
    assert!(distance_from_cpu(&broken, &frame, &gpu) <= model.bounds().diagonal() * 1e-4);
    assert_eq!(context.take_errors(), Vec::<String>::new());
}

/// Nine copies, each in its own pose.
fn crowd(context: &Arc<GpuContext>, model: &Model, shading: Shading) -> Image {
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(model.clone());
    let uploaded: GpuModel = renderer.upload(&model).unwrap();
    let frames: Vec<Frame> =
        (0..9_u8).map(|i| pose(&model, 0.1 * f32::from(i) - 0.3, &[0.1 * f32::from(i), 0.4])).collect();
    let items: Vec<Item<'_>> = frames
        .iter()
        .zip(0..9_u8)
        .map(|(frame, i)| Item {
            model: &uploaded,
            frame,
            world_from_model: Affine3A::from_scale_rotation_translation(
                Vec3::splat(0.33),
                Quat::from_rotation_y(f32::from(i)),
                Vec3::new(f32::from(i % 3) * 0.7 - 0.7, f32::from(i / 3) * 0.7, 0.0),
            ),
        })
        .collect();
    let view = ViewSettings { shading, selected_joint: Some(3), ..plain_view(&model) };
    let mut target = RenderTarget::new(context, 160, 160, 1).unwrap();
    renderer.render(&mut target, &view, &items).unwrap();
    assert_eq!(context.take_errors(), Vec::<String>::new());
    target.read().unwrap()
}

/// How many pixels differ by more than a trace, as a share of those that show something.
fn difference(a: &Image, b: &Image) -> f32 {
    let shown = count(a, |p| p[..3] != [0; 3]);
    assert!(shown > 2000, "{shown}");
    differing(a, b, 12) as f32 / shown as f32
}

#[test]
fn many_copies_with_normals_weights_and_combiners_look_as_where_the_cpu_skins() {
    let (Some(gpu), Some(cpu)) = (context(), open(ContextOptions { software: true, skin_on_cpu: true })) else {
        return;
    };
    let basic = model();
    let mut combined = model();
    combined.materials = vec![Material { name: "combined".into(), kind: MaterialKind::Tev(Box::new(lit_material())) }];
    for (what, model, shading) in [
        ("normals", &basic, Shading::Normals),
        ("weights", &basic, Shading::Weights),
        ("lit", &basic, Shading::Lit),
        ("combined", &combined, Shading::Lit),
    ] {
        let (a, b) = (crowd(&gpu, model, shading), crowd(&cpu, model, shading));
        let share = difference(&a, &b);
        assert!(share < 0.01, "{what}: {share}");
    }
    // The comparison sees sources.
    let mut plain = model();
    for skin in plain.meshes.iter_mut().filter_map(|mesh| mesh.skin.as_mut()) {
        skin.sources.clear();
    }
    let (a, b) = (crowd(&gpu, &basic, Shading::Normals), crowd(&gpu, &plain, Shading::Normals));
    assert!(difference(&a, &b) > 0.1);
}

/// White, lit by one channel.
fn lit_material() -> TevMaterial {
    let control = ChannelControl {
        lit: true,
        light_mask: 1,
        diffuse: Diffuse::Clamped,
        attenuation: Attenuation::None,
        ..ChannelControl::default()
    };
    TevMaterial {
        channel_count: 1,
        channels: [control; 4],
        cull: bonebox::scene::gx::CullMode::None,
        ..TevMaterial::default()
    }
}
