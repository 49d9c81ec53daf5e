//! Parts that are left out of a model's pictures.

use crate::kit::{self, device::*};
use bonebox::{
    gpu::{ContextOptions, GpuModel, Item, RenderTarget, SceneRenderer, Shading, ViewSettings},
    scene::{
        BasicMaterial, Frame, HiddenParts, Image, JointIndex, MaterialIndex, Mesh, MeshIndex, Model, ModelPart,
        ModelPiece,
    },
};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

const SIDE: u32 = 96;

fn surfaces(mesh: Option<u32>, material: Option<u32>) -> ModelPiece {
    ModelPiece::Surfaces(ModelPart { mesh: mesh.map(MeshIndex), material: material.map(MaterialIndex) })
}

fn without(model: &Model, pieces: &[ModelPiece]) -> HiddenParts {
    let mut hidden = HiddenParts::default();
    for piece in pieces {
        hidden.set(model, *piece, true);
    }
    hidden
}

/// Three squares beside each other: red, green and red again.
fn squares() -> Model {
    let at = |x: f32, material| {
        let mut mesh = square(0.0, material);
        for point in &mut mesh.points {
            *point = *point * 0.4 + Vec3::X * x;
        }
        mesh
    };
    let colors = [[255, 0, 0, 255], [0, 255, 0, 255]];
    Model {
        meshes: vec![at(-1.0, 0), at(0.0, 1), at(1.0, 0)],
        images: colors.map(|color| image(1, 1, |_, _| color)).to_vec(),
        materials: (0..2).map(|i| material(BasicMaterial { image: Some(i), ..BasicMaterial::default() })).collect(),
        ..Model::empty("squares")
    }
}

struct Drawing {
    renderer: SceneRenderer,
    target: RenderTarget,
    frame: Frame,
    uploaded: GpuModel,
}

impl Drawing {
    fn of(model: &Model, options: ContextOptions) -> Option<Self> {
        let context = open(options)?;
        let mut renderer = SceneRenderer::new(context.clone()).unwrap();
        let uploaded = renderer.upload(&Arc::new(model.clone())).unwrap();
        let target = RenderTarget::new(&context, SIDE, SIDE, 1).unwrap();
        Some(Self { renderer, target, frame: Frame::bind(model), uploaded })
    }

    fn picture(&mut self, view: &ViewSettings, hidden: &HiddenParts) -> Image {
        self.uploaded.leave_out(hidden).unwrap();
        let items = [Item { model: &self.uploaded, frame: &self.frame, world_from_model: Affine3A::IDENTITY }];
        self.renderer.render(&mut self.target, view, &items).unwrap();
        self.target.read().unwrap()
    }
}

#[test]
fn a_hidden_part_draws_no_pixels() {
    for skin_on_cpu in [false, true] {
        let model = squares();
        let options = ContextOptions { software: true, skin_on_cpu };
        let Some(mut drawing) = Drawing::of(&model, options) else { return };
        let unlit = ViewSettings { shading: Shading::Unlit, ..plain_view(&model) };
        let wire = ViewSettings { wireframe: true, ..unlit.clone() };
        let outlined = ModelPart { mesh: Some(MeshIndex(1)), material: None };
        let marked = ViewSettings { outlined: Some(outlined), accent: [0, 0, 255], ..unlit.clone() };
        let reds = |p: &Image| count(p, |p| near(&p[..3], [255, 0, 0], 2));
        let greens = |p: &Image| count(p, |p| near(&p[..3], [0, 255, 0], 2));
        let all = drawing.picture(&unlit, &HiddenParts::default());
        let (red, green) = (reds(&all), greens(&all));
        assert!(green > 100 && red.abs_diff(2 * green) < green / 4, "{red} and {green}");
        for (pieces, expected) in [
            (vec![surfaces(Some(0), None)], [red / 2, green]),
            (vec![surfaces(None, Some(0))], [0, green]),
            (vec![surfaces(None, Some(1))], [red, 0]),
            (vec![surfaces(None, Some(1)), surfaces(Some(2), Some(0))], [red / 2, 0]),
            (vec![surfaces(None, None)], [0, 0]),
        ] {
            let hidden = without(&model, &pieces);
            let found = drawing.picture(&unlit, &hidden);
            let most = green / 8;
            assert!(reds(&found).abs_diff(expected[0]) <= most, "{pieces:?}: {} red", reds(&found));
            assert!(greens(&found).abs_diff(expected[1]) <= most, "{pieces:?}: {} green", greens(&found));
            if expected == [0, 0] {
                // Neither surfaces nor edges nor an outline.
                for view in [&unlit, &wire, &marked] {
                    let found = drawing.picture(view, &hidden);
                    assert_eq!(count(&found, |p| p[..3] != [0, 0, 0]), 0);
                }
            }
        }
        // All of it comes back as it was.
        assert_eq!(drawing.picture(&unlit, &HiddenParts::default()).rgba, all.rgba);
        let lines = drawing.picture(&wire, &HiddenParts::default());
        assert!(differing(&lines, &all, 2) > 20);
    }
}

#[test]
fn a_hidden_joint_takes_its_triangles_along() {
    let model = tentacle(6, 40, 24);
    let options = ContextOptions { software: true, skin_on_cpu: false };
    let Some(mut drawing) = Drawing::of(&model, options) else { return };
    let view = ViewSettings { shading: Shading::Unlit, textures: false, ..plain_view(&model) };
    let drawn = |p: &Image| count(p, |p| p[..3] != [0, 0, 0]);
    let all = drawn(&drawing.picture(&view, &HiddenParts::default()));
    let mut last = all;
    for joint in (0..6).rev() {
        let hidden = without(&model, &[ModelPiece::Joint(JointIndex(joint))]);
        let found = drawing.picture(&view, &hidden);
        look(&found, &format!("without_joint_{joint}"));
        assert!(drawn(&found) < last, "joint {joint}: {} after {last}", drawn(&found));
        last = drawn(&found);
    }
    assert_eq!(last, 0, "everything hangs on the root");
    // Alone the joint at the end shows what it took away before.
    let end = ModelPiece::Joint(JointIndex(5));
    let alone = drawn(&drawing.picture(&view, &HiddenParts::all_but(&model, end).unwrap()));
    let rest = drawn(&drawing.picture(&view, &without(&model, &[end])));
    assert!((alone + rest).abs_diff(all) < all / 20, "{alone} and {rest} of {all}");
}

#[test]
fn shapes_with_the_chips_materials_are_left_out_too() {
    let bytes = std::fs::read(kit::data().join("j3d/arm_maya.bmd")).unwrap();
    let model = kit::j3d::model("arm_maya.bmd", &bytes);
    let options = ContextOptions { software: true, skin_on_cpu: false };
    let Some(mut drawing) = Drawing::of(&model, options) else { return };
    let view = plain_view(&model);
    let drawn = |p: &Image| count(p, |p| p[..3] != [0, 0, 0]);
    let all = drawn(&drawing.picture(&view, &HiddenParts::default()));
    let meshes: Vec<ModelPiece> = (0..model.meshes.len() as u32).map(|mesh| surfaces(Some(mesh), None)).collect();
    let is_drawn = |mesh: &Mesh| !mesh.indices.is_empty();
    assert!(model.meshes.iter().filter(|mesh| is_drawn(mesh)).count() > 1);
    let first = drawn(&drawing.picture(&view, &without(&model, &meshes[..1])));
    assert!(first < all, "{first} of {all}");
    assert_eq!(drawn(&drawing.picture(&view, &without(&model, &meshes))), 0);
    let joint = ModelPiece::Joint(JointIndex(model.joint_count() as u32 - 1));
    let limb = drawn(&drawing.picture(&view, &without(&model, &[joint])));
    assert!(limb < all, "{limb} of {all}");
    assert_eq!(drawn(&drawing.picture(&view, &HiddenParts::default())), all);
}
