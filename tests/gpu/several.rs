//! Models of a scene that look different from each other: tints, ghosts, what is marked.

use crate::kit::device::*;
use bonebox::{
    gpu::{GpuModel, Item, ItemLook, Mark, RenderTarget, SceneRenderer, Tint, ViewSettings},
    scene::{BasicMaterial, Frame, Image, Model, ModelPart},
};
use glam::{Affine3A, Vec3};
use std::sync::Arc;

fn white_square() -> Model {
    Model {
        meshes: vec![square(0.0, 0)],
        materials: vec![material(BasicMaterial::default())],
        ..Model::empty("square")
    }
}

struct Two {
    renderer: SceneRenderer,
    target: RenderTarget,
    model: GpuModel,
    frame: Frame,
    view: ViewSettings,
}

impl Two {
    /// Draws two copies beside each other, the left one first.
    fn draw(&mut self, looks: &[ItemLook], view: impl FnOnce(ViewSettings) -> ViewSettings) -> Image {
        let at = |x: f32| Affine3A::from_translation(Vec3::X * x);
        let (model, frame) = (&self.model, &self.frame);
        let items = [-0.5, 0.5].map(|x| Item {
            model,
            frame,
            world_from_model: at(x) * Affine3A::from_scale(Vec3::splat(0.4)),
        });
        self.renderer.render_looks(&mut self.target, &view(self.view.clone()), &items, looks, &[]).unwrap();
        self.target.read().unwrap()
    }
}

fn two() -> Option<Two> {
    let context = context()?;
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    let scene = white_square();
    let model = renderer.upload(&Arc::new(scene.clone())).unwrap();
    let target = RenderTarget::new(&context, 128, 128, 1).unwrap();
    Some(Two { renderer, target, model, frame: Frame::bind(&scene), view: plain_view(&scene) })
}

/// The middles of the two.
fn middles(picture: &Image) -> [[u8; 4]; 2] {
    // A square from −1 to 1 fills most of the picture; the copies stand at a half of it.
    let column = |wanted: usize| {
        let row = picture.height / 2;
        let lit: Vec<u32> =
            (0..picture.width).filter(|x| pixel(picture, *x, row)[..3].iter().any(|c| *c > 8)).collect();
        lit.get(lit.len() * (2 * wanted + 1) / 4).copied().unwrap_or(0)
    };
    [0, 1].map(|wanted| pixel(picture, column(wanted), picture.height / 2))
}

#[test]
fn a_tint_colours_one_of_two_copies() {
    let Some(mut two) = two() else { return };
    let plain = two.draw(&[], |view| view);
    let [left, right] = middles(&plain);
    assert!(near(left, right, 2) && left[0] > 60, "{left:?} {right:?}");
    let tinted = two.draw(&[ItemLook::default(), ItemLook { tint: Some(Tint::Red), ..ItemLook::default() }], |v| v);
    let [same, red] = middles(&tinted);
    assert!(near(same, left, 1), "{same:?} was {left:?}");
    assert!(red[0] > red[1] + 30 && red[0] > red[2] + 30, "{red:?} is no red");
    let all: Vec<[u8; 4]> = Tint::ALL
        .into_iter()
        .map(|tint| middles(&two.draw(&[ItemLook { tint: Some(tint), ..ItemLook::default() }], |v| v))[0])
        .collect();
    for (index, color) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| !near(other, color, 12)), "{:?} is like another", Tint::ALL[index]);
    }
}

#[test]
fn a_ghost_lets_through_what_is_behind_it() {
    let Some(mut two) = two() else { return };
    let [solid, _] = middles(&two.draw(&[], |view| view));
    let [ghost, other] = middles(&two.draw(&[ItemLook { ghost: true, ..ItemLook::default() }], |view| view));
    assert!(near(other, solid, 2), "the other copy stays");
    // The background is black: what is seen of the ghost is its share.
    assert!(ghost[0] > 8 && ghost[0] < solid[0] / 3 * 2, "{ghost:?} of {solid:?}");
    assert_eq!(ghost[3], 255, "the picture stays opaque");
}

#[test]
fn marks_are_of_one_item() {
    let Some(mut two) = two() else { return };
    let outline =
        |view: ViewSettings| ViewSettings { outlined: Some(ModelPart::default()), accent: [255, 0, 255], ..view };
    let pink = |picture: &Image| {
        let is_pink = |x: u32, y: u32| {
            let [r, g, b, _] = pixel(picture, x, y);
            r > 150 && b > 150 && g < 100
        };
        let half = picture.width / 2;
        let count = |columns: std::ops::Range<u32>| {
            columns.flat_map(|x| (0..picture.height).map(move |y| (x, y))).filter(|(x, y)| is_pink(*x, *y)).count()
        };
        [count(0..half), count(half..picture.width)]
    };
    let nothing = ItemLook { mark: Mark::Nothing, ..ItemLook::default() };
    let whole = ItemLook { mark: Mark::Whole, ..ItemLook::default() };
    let [left, right] = pink(&two.draw(&[ItemLook::default(), nothing], outline));
    assert!(left > 20 && right == 0, "{left} {right}");
    let [left, right] = pink(&two.draw(&[nothing, whole], |view| ViewSettings { accent: [255, 0, 255], ..view }));
    assert!(right > 20 && left == 0, "{left} {right}");
}
