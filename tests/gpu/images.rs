//! What pictures show: blending, hiding, culling, alpha; and that the two ways of skinning draw the same.

use crate::kit::device::*;
use bonebox::{
    gpu::{Background, ContextOptions, Item, RenderTarget, SceneRenderer, Shading, ViewSettings},
    scene::{BasicMaterial, Blend, Frame, Model, Surface},
};
use glam::{Affine3A, Quat, Vec3};
use std::sync::Arc;

const SIZE: (u32, u32, u32) = (64, 64, 1);
const BEHIND: [u8; 4] = [200, 100, 40, 255];

/// A square of one colour over another, both unlit.
fn layers(front: [u8; 4], basic: BasicMaterial) -> Model {
    Model {
        meshes: vec![square(0.5, 1), square(0.0, 0)],
        materials: vec![
            material(BasicMaterial { image: Some(0), unlit: true, ..BasicMaterial::default() }),
            material(BasicMaterial { image: Some(1), unlit: true, ..basic }),
        ],
        images: vec![image(2, 2, |_, _| BEHIND), image(2, 2, move |_, _| front)],
        ..Model::empty("layers")
    }
}

#[test]
fn blends_follow_their_formulas() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let front = [60, 120, 220, 64];
    let each = |f: fn(f32, f32, f32) -> f32| {
        let [r, g, b] = [0, 1, 2].map(|i| {
            let (source, behind) = (f32::from(front[i]) / 255.0, f32::from(BEHIND[i]) / 255.0);
            (f(source, behind, 64.0 / 255.0).clamp(0.0, 1.0) * 255.0).round() as u8
        });
        [r, g, b, 255]
    };
    for (blend, expected) in [
        (Blend::Opaque, each(|s, _, _| s)),
        (Blend::Masked, each(|_, b, _| b)),
        (Blend::Alpha, each(|s, b, a| s * a + b * (1.0 - a))),
        (Blend::Translucent, each(|s, b, _| s + b * (1.0 - s))),
        (Blend::Modulated, each(|s, b, _| 2.0 * s * b)),
    ] {
        let model = layers(front, BasicMaterial { blend, ..BasicMaterial::default() });
        let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &plain_view(&model), SIZE);
        let found = pixel(&shown, 32, 32);
        assert!(near(found, expected, 1), "{blend:?}: {found:?}, not {expected:?}");
    }
    let model = layers([60, 120, 220, 200], BasicMaterial { blend: Blend::Masked, ..BasicMaterial::default() });
    let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &plain_view(&model), SIZE);
    assert_eq!(pixel(&shown, 32, 32), [60, 120, 220, 255]);
}

#[test]
fn hidden_surfaces_show_when_asked_for() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = layers([1, 2, 3, 255], BasicMaterial { hidden: true, ..BasicMaterial::default() });
    let mut view = plain_view(&model);
    let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE);
    assert_eq!(pixel(&shown, 32, 32), BEHIND);
    view.show_hidden = true;
    let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE);
    assert_eq!(pixel(&shown, 32, 32), [1, 2, 3, 255]);
}

#[test]
fn far_sides_are_left_out_unless_there_are_two() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    for (two_sided, culling, seen) in [(false, true, false), (true, true, true), (false, false, true)] {
        let mut model = layers([9, 8, 7, 255], BasicMaterial { two_sided, ..BasicMaterial::default() });
        model.meshes.truncate(1);
        let mut view = plain_view(&model);
        view.camera.yaw = std::f32::consts::PI;
        view.backface_culling = culling;
        let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE);
        assert_eq!(pixel(&shown, 32, 32) == [9, 8, 7, 255], seen, "two sided {two_sided}, culling {culling}");
    }
}

#[test]
fn vertex_colours_and_textures_can_be_switched() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = layers([200, 200, 200, 255], BasicMaterial::default());
    model.meshes.truncate(1);
    model.meshes[0].colors = vec![[255, 128, 0, 255]; 4];
    let mut view = plain_view(&model);
    let mut shown = |view: &ViewSettings| {
        pixel(&picture(&context, &mut renderer, &model, &Frame::bind(&model), view, SIZE), 32, 32)
    };
    assert!(near(shown(&view), [200, 100, 0, 255], 1));
    view.vertex_colors = false;
    assert_eq!(shown(&view), [200, 200, 200, 255]);
    view.textures = false;
    assert!(shown(&view)[0] < 200);
}

#[test]
fn the_image_stands_upright_and_repeats() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = layers([0; 4], BasicMaterial { nearest: true, ..BasicMaterial::default() });
    model.meshes.truncate(1);
    model.images[1] = image(2, 2, |x, y| [x as u8 * 255, y as u8 * 255, 0, 255]);
    let view = plain_view(&model);
    let frame = Frame::bind(&model);
    let shown = picture(&context, &mut renderer, &model, &frame, &view, SIZE);
    assert_eq!(pixel(&shown, 26, 26), [0, 0, 0, 255]);
    assert_eq!(pixel(&shown, 38, 26), [255, 0, 0, 255]);
    assert_eq!(pixel(&shown, 26, 38), [0, 255, 0, 255]);
    for uv in &mut model.meshes[0].uv_sets[0] {
        *uv -= 3.0;
    }
    assert_eq!(picture(&context, &mut renderer, &model, &frame, &view, SIZE).rgba, shown.rgba);
}

#[test]
fn other_sets_of_texture_coordinates_can_be_chosen() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = layers([0; 4], BasicMaterial { nearest: true, ..BasicMaterial::default() });
    model.meshes.truncate(1);
    model.images[1] = image(2, 1, |x, _| [x as u8 * 255, 50, 0, 255]);
    let swapped = model.meshes[0].uv_sets[0].iter().map(|uv| glam::Vec2::new(1.0 - uv.x, uv.y)).collect();
    model.meshes[0].uv_sets.push(swapped);
    let red = [0, 1, 7].map(|uv_set| {
        let view = ViewSettings { uv_set, ..plain_view(&model) };
        pixel(&picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE), 24, 32)[0]
    });
    assert_eq!(red, [0, 255, 0]);
}

#[test]
fn a_transparent_background_has_straight_alpha() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = layers([200, 100, 50, 128], BasicMaterial { blend: Blend::Alpha, ..BasicMaterial::default() });
    model.meshes.truncate(1);
    let view = ViewSettings { background: Background::Transparent, ..plain_view(&model) };
    let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE);
    assert_eq!(pixel(&shown, 1, 1), [0, 0, 0, 0]);
    assert!(near(pixel(&shown, 32, 32), [200, 100, 50, 128], 1), "{:?}", pixel(&shown, 32, 32));
    let smooth = picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, (64, 64, 4));
    let edges = smooth.rgba.chunks_exact(4).filter(|p| (1..127).contains(&p[3]));
    for edge in edges {
        assert!(near(&edge[..2], [200, 100], 8), "{edge:?}");
    }
}

#[test]
fn a_plain_background_is_exactly_its_colour() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let view = ViewSettings { background: Background::Color([12, 200, 77]), grid: false, ..ViewSettings::default() };
    for samples in [1, 4] {
        let mut target = RenderTarget::new(&context, 33, 17, samples).unwrap();
        renderer.render(&mut target, &view, &[]).unwrap();
        assert!(target.read().unwrap().rgba.chunks_exact(4).all(|p| p == [12, 200, 77, 255]));
    }
}

fn everything() -> ViewSettings {
    ViewSettings { wireframe: true, skeleton: true, selected_joint: Some(2), ..ViewSettings::default() }
}

#[test]
fn pictures_repeat() {
    let Some(context) = context() else { return };
    let model = tentacle(6, 20, 16);
    let frame = bent(&model, Quat::from_rotation_z(0.3));
    let view = ViewSettings { camera: plain_view(&model).camera, ..everything() };
    let size = (160, 120, context.default_samples());
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let first = picture(&context, &mut renderer, &model, &frame, &view, size);
    assert_eq!(picture(&context, &mut renderer, &model, &frame, &view, size).rgba, first.rgba);
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    assert_eq!(picture(&context, &mut renderer, &model, &frame, &view, size).rgba, first.rgba);
}

#[test]
fn skinning_on_the_cpu_draws_the_same() {
    let Some(context) = context() else { return };
    let Some(other) = open(ContextOptions { software: true, skin_on_cpu: true }) else { return };
    let model = tentacle(6, 20, 16);
    let mut frame = bent(&model, Quat::from_rotation_z(0.3));
    // Uneven scales: normals are not turned by the matrix itself.
    for (index, matrix) in frame.world_from_bind.iter_mut().enumerate() {
        *matrix *= Affine3A::from_scale(Vec3::new(1.0, 1.0, 0.4 + 0.3 * index as f32));
    }
    for shading in Shading::ALL {
        let view = ViewSettings { shading, camera: plain_view(&model).camera, ..everything() };
        let [gpu, cpu] = [&context, &other].map(|context| {
            let mut renderer = SceneRenderer::new(context.clone()).unwrap();
            picture(context, &mut renderer, &model, &frame, &view, (160, 120, 1))
        });
        let differ = differing(&gpu, &cpu, 2);
        assert!(differ <= 20, "{shading:?}: {differ} of {} pixels differ", 160 * 120);
    }
}

#[test]
fn copies_stand_where_they_are_put() {
    let Some(context) = context() else { return };
    for skin_on_cpu in [false, true] {
        let Some(context) =
            (if skin_on_cpu { open(ContextOptions { software: true, skin_on_cpu }) } else { Some(context.clone()) })
        else {
            return;
        };
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let mut red = layers([255, 0, 0, 255], BasicMaterial::default());
        red.meshes.truncate(1);
        let mut green =
            layers([0, 255, 0, 255], BasicMaterial { blend: Blend::Translucent, ..BasicMaterial::default() });
        green.meshes.truncate(1);
        let models = [Arc::new(red), Arc::new(green)].map(|m| renderer.upload(&m).unwrap());
        let frame = Frame::default();
        let mut view = plain_view(models[0].model());
        view.camera.distance *= 4.0;
        let place = |model: usize, x: f32, y: f32| Item {
            model: &models[model],
            frame: &frame,
            world_from_model: Affine3A::from_translation(Vec3::new(x, y, 0.0)),
        };
        let items = [place(0, -3.0, 3.0), place(1, 3.0, 3.0), place(0, 3.0, -3.0), place(1, -3.0, -3.0)];
        let mut target = RenderTarget::new(&context, 96, 96, 1).unwrap();
        renderer.render(&mut target, &view, &items).unwrap();
        let shown = target.read().unwrap();
        let at = |x: f32, y: f32| {
            let place = view.camera.project(Vec3::new(x, y, 0.5), 1.0).unwrap() * 96.0;
            pixel(&shown, place.x as u32, place.y as u32)
        };
        assert_eq!(at(-3.0, 3.0), [255, 0, 0, 255]);
        assert_eq!(at(3.0, 3.0), [0, 255, 0, 255]);
        assert_eq!(at(3.0, -3.0), [255, 0, 0, 255]);
        assert_eq!(at(-3.0, -3.0), [0, 255, 0, 255]);
        assert_eq!(at(0.0, 0.0), [0, 0, 0, 255]);
    }
}

#[test]
fn pipelines_depend_on_states_alone() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut counts = Vec::new();
    for joints in [3, 9, 40] {
        let model = tentacle(joints, 12, 8);
        picture(&context, &mut renderer, &model, &Frame::bind(&model), &plain_view(&model), SIZE);
        counts.push(renderer.pipeline_count());
    }
    assert_eq!(counts, [2, 2, 2]);
}

#[test]
fn the_shadow_lies_on_the_floor_under_the_model() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = tentacle(4, 20, 16);
    let frame = Frame::bind(&model);
    let mut view = ViewSettings { background: Background::Color([200; 3]), ..plain_view(&model) };
    view.camera.pitch = 0.5;
    let mut shown = |view: &ViewSettings| picture(&context, &mut renderer, &model, &frame, view, (96, 96, 1));
    let without = shown(&view);
    view.shadow = true;
    let with = shown(&view);
    let foot = view.camera.project(Vec3::new(0.48, 0.0, 0.0), 1.0).unwrap() * 96.0;
    let (x, y) = (foot.x as u32, foot.y as u32);
    assert_eq!(pixel(&without, x, y), [200, 200, 200, 255]);
    assert!(pixel(&with, x, y)[0] < 180, "{:?}", pixel(&with, x, y));
    assert_eq!(pixel(&with, 2, 2), [200, 200, 200, 255]);
    view.floor_y = -50.0;
    assert_eq!(shown(&view).rgba, without.rgba);
}

#[test]
fn weights_show_the_selected_joint() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = layers([0; 4], BasicMaterial::default());
    model.meshes.truncate(1);
    model.meshes[0].skin = Some(skin(&vec![vec![(0, 0.25), (1, 0.75)]; 4]));
    model.skeleton = Some(chain(2, 1.0));
    let mut view = ViewSettings { shading: Shading::Weights, ..plain_view(&model) };
    let luma = [None, Some(0), Some(1)].map(|joint| {
        view.selected_joint = joint;
        let [r, g, b, _] =
            pixel(&picture(&context, &mut renderer, &model, &Frame::bind(&model), &view, SIZE), 32, 32).map(u32::from);
        r * 3 + g * 6 + b
    });
    assert!(luma[0] < luma[1] && luma[1] < luma[2], "{luma:?}");
}

#[test]
fn surfaces_without_a_material_are_clay() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut model = Model { meshes: vec![square(0.0, 77)], ..Model::empty("no material") };
    let shown = picture(&context, &mut renderer, &model, &Frame::bind(&model), &plain_view(&model), SIZE);
    assert!(pixel(&shown, 32, 32)[0] > 100);
    model.meshes[0].surfaces = vec![Surface { first_index: 3, index_count: 3, material: 0 }];
    let half = picture(&context, &mut renderer, &model, &Frame::bind(&model), &plain_view(&model), SIZE);
    let lit = |image| count(image, |p| p[0] > 0);
    assert!(lit(&half) * 2 < lit(&shown) + 64 && lit(&half) > 100);
}
