//! The outline around a selected part, and clicks against what is drawn.

use crate::kit::{self, device::*};
use bonebox::{
    gpu::{ContextOptions, Item, RenderTarget, SceneRenderer, Shading, ViewSettings},
    scene::{
        BasicMaterial, Frame, Image, MaterialIndex, Mesh, MeshIndex, Model, ModelPart, PosedPickable, picking::Ray,
    },
};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::sync::Arc;

const ACCENT: [u8; 3] = [255, 0, 255];
const SIDE: u32 = 160;

fn mesh(index: u32) -> Option<ModelPart> {
    Some(ModelPart { mesh: Some(MeshIndex(index)), material: None })
}

fn moved(mut mesh: Mesh, scale: f32, by: Vec3) -> Mesh {
    for point in &mut mesh.points {
        *point = *point * scale + by;
    }
    mesh
}

/// Two squares beside each other, of one material.
fn squares() -> Model {
    let at = |x: f32| moved(square(0.0, 0), 0.6, Vec3::X * x);
    Model {
        meshes: vec![at(-1.0), at(1.0)],
        materials: vec![material(BasicMaterial::default())],
        ..Model::empty("squares")
    }
}

fn view_of(model: &Model) -> ViewSettings {
    ViewSettings { accent: ACCENT, shading: Shading::Unlit, ..plain_view(model) }
}

/// The corners of a mesh's box in the picture, in pixels: low and high.
fn box_of(model: &Model, mesh: usize, view: &ViewSettings) -> (Vec2, Vec2) {
    let places = model.meshes[mesh].points.iter().map(|p| view.camera.project(*p, 1.0).unwrap() * SIDE as f32);
    places.fold((Vec2::MAX, Vec2::MIN), |(low, high), p| (low.min(p), high.max(p)))
}

/// Middles of the pixels in which two pictures differ.
fn changed(a: &Image, b: &Image) -> Vec<Vec2> {
    let all = (0..a.height).flat_map(|y| (0..a.width).map(move |x| (x, y)));
    let differ = all.filter(|(x, y)| pixel(a, *x, *y) != pixel(b, *x, *y));
    differ.map(|(x, y)| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)).collect()
}

#[test]
fn an_outline_lies_around_the_selected_mesh_and_nowhere_else() {
    for (skin_on_cpu, samples) in [(false, 1), (false, 4), (true, 4)] {
        let Some(context) = open(ContextOptions { software: true, skin_on_cpu }) else { return };
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let model = squares();
        let frame = Frame::bind(&model);
        let plain = view_of(&model);
        let size = (SIDE, SIDE, samples);
        let without = picture(&context, &mut renderer, &model, &frame, &plain, size);
        let pipelines = renderer.pipeline_count();
        let absent = ViewSettings { outlined: mesh(7), ..plain.clone() };
        let nothing = picture(&context, &mut renderer, &model, &frame, &absent, size);
        assert_eq!((changed(&without, &nothing).len(), renderer.pipeline_count()), (0, pipelines));

        let marked = ViewSettings { outlined: mesh(1), ..plain.clone() };
        let with = picture(&context, &mut renderer, &model, &frame, &marked, size);
        look(&with, &format!("outline_{samples}_{skin_on_cpu}"));
        let (low, high) = box_of(&model, 1, &plain);
        let changed_pixels = changed(&without, &with);
        for place in &changed_pixels {
            let out = (low - *place).max(*place - high).max_element();
            assert!((-1.0..6.0).contains(&out), "{place} is {out} pixels outside");
        }
        // All around: of the three pixels outside the middle of every side one is wholly the accent, wherever the side lies between
        // two pixels.
        let middle = (low + high) * 0.5;
        for (edge, away) in [
            (Vec2::new(low.x, middle.y), Vec2::NEG_X),
            (Vec2::new(high.x, middle.y), Vec2::X),
            (Vec2::new(middle.x, low.y), Vec2::NEG_Y),
            (Vec2::new(middle.x, high.y), Vec2::Y),
        ] {
            let outside: Vec<_> = [0.5, 1.5, 2.5]
                .map(|step| edge + away * step)
                .map(|place| pixel(&with, place.x as u32, place.y as u32))
                .to_vec();
            assert!(outside.iter().any(|p| near(&p[..3], ACCENT, 20)), "{outside:?} outside {edge}, {samples} samples");
        }
        assert!(changed_pixels.len() as f32 > (high - low).element_sum() * 2.0 * 1.5);
        // A material is that of both.
        let both = ModelPart { mesh: None, material: Some(MaterialIndex(0)) };
        let all = ViewSettings { outlined: Some(both), ..plain };
        let all = picture(&context, &mut renderer, &model, &frame, &all, size);
        assert!(changed(&without, &all).len() > changed_pixels.len() * 3 / 2);
    }
}

#[test]
fn a_target_draws_with_and_without_an_outline_in_turn() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let model = Arc::new(squares());
    let uploaded = renderer.upload(&model).unwrap();
    let frame = Frame::bind(&model);
    let mut target = RenderTarget::new(&context, SIDE, SIDE, 4).unwrap();
    let items = [Item { model: &uploaded, frame: &frame, world_from_model: Affine3A::IDENTITY }];
    let mut draw = |outlined| {
        let view = ViewSettings { outlined, ..view_of(&model) };
        renderer.render(&mut target, &view, &items).unwrap();
        target.read().unwrap()
    };
    let (first, marked, again) = (draw(None), draw(mesh(0)), draw(None));
    assert!(!changed(&first, &marked).is_empty() && changed(&first, &again).is_empty());
}

#[test]
fn whole_materials_of_skinned_shapes_are_outlined() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let bytes = std::fs::read(kit::data().join("j3d/arm_maya.bmd")).unwrap();
    let model = kit::j3d::model("arm_maya.bmd", &bytes);
    let frame = Frame::bind(&model);
    let plain = ViewSettings { accent: ACCENT, ..plain_view(&model) };
    let without = picture(&context, &mut renderer, &model, &frame, &plain, (SIDE, SIDE, 4));
    for index in 0..model.meshes.len() as u32 {
        let marked = ViewSettings { outlined: mesh(index), ..plain.clone() };
        let with = picture(&context, &mut renderer, &model, &frame, &marked, (SIDE, SIDE, 4));
        look(&with, &format!("outline_tev_{index}"));
        let accent = count(&with, |p| near(&p[..3], ACCENT, 60));
        assert!(accent > 20, "{accent} pixels around mesh {index}");
        assert!(changed(&without, &with).len() < (SIDE * SIDE / 3) as usize);
    }
}

#[test]
fn what_is_clicked_on_is_what_is_drawn_there() {
    let Some(context) = context() else { return };
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
    let mut model = tentacle(6, 40, 24);
    // A square cuts through the tentacle; another one behind it faces away and is not drawn.
    let away = moved(square(0.0, 2), -0.9, Vec3::new(0.3, 1.0, -0.4));
    let flipped = Mesh { indices: away.indices.chunks(3).flat_map(|t| [t[0], t[2], t[1]]).collect(), ..away };
    model.meshes.extend([moved(square(0.0, 1), 0.7, Vec3::new(0.1, 0.9, 0.05)), flipped]);
    model.images = colors.map(|color| image(1, 1, |_, _| color)).to_vec();
    model.materials = (0..3).map(|i| material(BasicMaterial { image: Some(i), ..BasicMaterial::default() })).collect();
    let frame = bent(&model, Quat::from_rotation_z(-0.3) * Quat::from_rotation_x(0.2));
    let view = view_of(&model);
    let drawn = picture(&context, &mut renderer, &model, &frame, &view, (SIDE, SIDE, 1));
    look(&drawn, "outline_picks");
    let seen = PosedPickable {
        frame: &frame,
        world_from_model: Affine3A::IDENTITY,
        camera: &view.camera,
        level: 0,
        hidden: false,
        one_sided: true,
        whole_materials: true,
        left_out: None,
    };
    let (mut wrong, mut met) = (0, [0; 3]);
    for (x, y) in (0..SIDE).step_by(2).flat_map(|y| (0..SIDE).step_by(2).map(move |x| (x, y))) {
        let place = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / SIDE as f32;
        let (from, along) = view.camera.ray(place, 1.0);
        let hit = model.pick_posed(&Ray { from, along }, &seen);
        let expected = hit.map_or([0, 0, 0, 255], |hit| colors[hit.mesh.as_usize()]);
        if let Some(hit) = hit {
            met[hit.mesh.as_usize()] += 1;
        }
        wrong += usize::from(pixel(&drawn, x, y) != expected);
    }
    assert!(met[0] > 200 && met[1] > 200 && met[2] == 0, "{met:?}");
    assert!(wrong <= 6, "{wrong} of {} pixels show something else", SIDE * SIDE / 4);
}
