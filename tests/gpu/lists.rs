//! The colours of the kinds of lists that write a skin's points.

use crate::kit::device::*;
use bonebox::{
    gpu::{ContextOptions, LIST_COLORS, SceneRenderer, Shading, ViewSettings},
    scene::{
        BasicMaterial, FixedEntry, FixedList, FixedSkin, Frame, Image, Influence, InfluenceSource, ListKind, ListUse,
        MaterialKind, Model, Run, Skin, gx::TevMaterial,
    },
};
use glam::Vec3;
use std::sync::Arc;

fn list(kind: ListKind, slots: &[u32]) -> FixedList {
    let entry = |slot: &u32| FixedEntry { slot: *slot, weights: [128, 128], source: [0; 6] };
    FixedList { kind, joints: [0, 1], entries: slots.iter().map(entry).collect() }
}

/// A square whose corners, from the lower left around, are written by SK1, SK2, SK2 and SKAcc, SKAcc alone; and before its middle
/// a small square of another mesh, which has no lists.
fn model() -> Model {
    let mut mesh = square(0.0, 0);
    let influence = Influence { joint: 0, weight: 1.0 };
    let source = |p: &Vec3| InfluenceSource { position: *p, normal: Vec3::Z };
    mesh.skin = Some(Skin {
        runs: (0..4).map(|first| Run { first, count: 1 }).collect(),
        influences: vec![influence; 4],
        sources: mesh.points.iter().map(source).collect(),
    });
    mesh.fixed_skin = Some(Arc::new(FixedSkin {
        shift: 11,
        lists: vec![
            list(ListKind::One, &[0]),
            list(ListKind::Two, &[1, 2]),
            list(ListKind::Accumulate, &[2, 3]),
            list(ListKind::Accumulate, &[3]),
        ],
        ..FixedSkin::default()
    }));
    let mut rigid = square(0.1, 0);
    rigid.points.iter_mut().for_each(|p| *p *= Vec3::new(0.3, 0.3, 1.0));
    Model {
        meshes: vec![mesh, rigid],
        skeleton: Some(chain(2, 1.0)),
        materials: vec![material(BasicMaterial { two_sided: true, ..BasicMaterial::default() })],
        ..Model::empty("lists")
    }
}

fn draw(model: &Model, shading: Shading, skin_on_cpu: bool) -> Option<Image> {
    let context = open(ContextOptions { software: true, skin_on_cpu })?;
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let mut view = ViewSettings { shading, ..plain_view(model) };
    view.camera.orthographic = true;
    let image = picture(&context, &mut renderer, model, &Frame::bind(model), &view, (128, 128, 1));
    assert_eq!(context.take_errors(), Vec::<String>::new());
    Some(image)
}

fn color(image: &Image, x: u32, y: u32) -> [u8; 3] {
    pixel(image, x, y)[..3].try_into().unwrap()
}

#[test]
fn every_vertex_has_the_colour_of_its_kind() {
    for skin_on_cpu in [false, true] {
        let Some(image) = draw(&model(), Shading::ListKinds, skin_on_cpu) else { return };
        let shown: Vec<[u8; 3]> = image.rgba.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        let at = |used: ListUse| LIST_COLORS[used as usize];
        // The square's corners, a little inside; the picture's first row is the top one.
        let drawn: Vec<usize> = (0..shown.len()).filter(|i| shown[*i] != [0; 3]).collect();
        let (left, right) =
            (drawn.iter().map(|i| i % 128).min().unwrap(), drawn.iter().map(|i| i % 128).max().unwrap());
        let (left, right) = (left as u32 + 4, right as u32 - 4);
        for (x, y, used) in [
            (left, right, ListUse::One),
            (right, right, ListUse::Two),
            (right, left, ListUse::Supplemented),
            (left, left, ListUse::Accumulated),
            (64, 64, ListUse::None),
        ] {
            let found = color(&image, x, y);
            assert!(near(found, at(used), 1), "{} at {x}, {y}: {found:?}", used.name());
        }
        // Colours meet at edges; nothing is between them but a pixel.
        let pure = drawn.iter().filter(|i| LIST_COLORS.iter().any(|c| near(shown[**i], *c, 1))).count();
        assert!(pure as f32 > 0.93 * drawn.len() as f32, "{pure} of {}", drawn.len());
    }
}

#[test]
fn materials_of_the_chip_are_coloured_too() {
    let mut model = model();
    model.materials[0].kind =
        MaterialKind::Tev(Box::new(TevMaterial { cull: bonebox::scene::gx::CullMode::None, ..TevMaterial::default() }));
    let Some(image) = draw(&model, Shading::ListKinds, false) else { return };
    assert_eq!(color(&image, 64, 64), LIST_COLORS[0]);
}

#[test]
fn a_model_without_lists_is_lit() {
    let mut plain = model();
    plain.meshes[0].fixed_skin = None;
    let (Some(lit), Some(lists)) = (draw(&plain, Shading::Lit, false), draw(&plain, Shading::ListKinds, false)) else {
        return;
    };
    assert_eq!(lit.rgba, lists.rgba);
}
