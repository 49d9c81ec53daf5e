//! Ways of colouring surfaces: faces by their planes, colours of vertices and their channels, parts, overdraw, normals as lines;
//! and where the light comes from.

use crate::kit::device::*;
use bonebox::{
    gpu::{ColorChannel, LightSettings, SceneRenderer, Shading, ViewSettings},
    scene::{BasicMaterial, Frame, Image, Mesh, Model},
};
use glam::Vec3;

const SIDE: u32 = 64;

fn drawn(model: &Model, view: &ViewSettings) -> Option<Image> {
    drawn_at(model, view, SIDE)
}

fn drawn_at(model: &Model, view: &ViewSettings, side: u32) -> Option<Image> {
    let context = context()?;
    let mut renderer = SceneRenderer::new(context.clone()).unwrap();
    Some(picture(&context, &mut renderer, model, &Frame::bind(model), view, (side, side, 1)))
}

fn of(mesh: Mesh) -> Model {
    Model { meshes: vec![mesh], materials: vec![material(BasicMaterial::default())], ..Model::empty("model") }
}

fn moved(mut mesh: Mesh, scale: f32, by: Vec3) -> Mesh {
    for point in &mut mesh.points {
        *point = *point * scale + by;
    }
    mesh
}

fn rgb(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let [r, g, b, _] = pixel(image, x, y);
    [r, g, b]
}

#[test]
fn flat_faces_are_lit_by_their_own_planes() {
    // A roof whose normals all say that it is a plane.
    let xs = [-1.0, 0.0, 1.0];
    let points = xs.iter().flat_map(|x: &f32| [-1.0, 1.0].map(|y| Vec3::new(*x, y, 1.2 - 1.2 * x.abs()))).collect();
    let roof = Mesh {
        points,
        vertex_points: (0..6).collect(),
        normals: vec![Vec3::Z; 6],
        indices: vec![0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3],
        surfaces: vec![bonebox::scene::Surface { first_index: 0, index_count: 12, material: 0 }],
        ..Mesh::default()
    };
    let model = of(roof);
    let view = ViewSettings { backface_culling: false, ..plain_view(&model) };
    let Some(smooth) = drawn(&model, &view) else { return };
    let flat = drawn(&model, &ViewSettings { shading: Shading::Flat, ..view }).unwrap();
    let sides = |image: &Image| [rgb(image, SIDE / 2 - 4, SIDE / 2), rgb(image, SIDE / 2 + 3, SIDE / 2)];
    let [left, right] = sides(&smooth);
    assert!(near(left, right, 14), "{left:?} {right:?}");
    // The brightest lamp is at the left.
    let [left, right] = sides(&flat);
    assert!(left[1] > right[1] + 20, "{left:?} {right:?}");
    // A side has one colour, but for the sheen.
    assert!(near(rgb(&flat, SIDE / 2 - 4, SIDE / 2 - 6), left, 14));
}

#[test]
fn channels_of_vertex_colors_are_greys() {
    let mut mesh = square(0.0, 0);
    mesh.colors = vec![[10, 200, 30, 128]; 4];
    let model = of(mesh);
    for (channel, expected) in ColorChannel::ALL.into_iter().zip([[10, 200, 30], [10; 3], [200; 3], [30; 3], [128; 3]])
    {
        // Whether vertex colours are shown with the others has nothing to do with it.
        for vertex_colors in [true, false] {
            let shading = Shading::VertexColors;
            let view = ViewSettings { shading, channel, vertex_colors, ..plain_view(&model) };
            let Some(found) = drawn(&model, &view) else { return };
            let found = rgb(&found, SIDE / 2, SIDE / 2);
            assert!(near(found, expected, 1), "{channel:?}: {found:?}");
        }
    }
}

#[test]
fn every_part_has_a_colour_of_its_own() {
    let at = |x: f32| moved(square(0.0, 0), 0.5, Vec3::X * x);
    let model = Model { meshes: vec![at(-0.6), at(0.6)], ..of(Mesh::default()) };
    let parts = ViewSettings { shading: Shading::PartId, ..plain_view(&model) };
    let Some(found) = drawn(&model, &parts) else { return };
    let [left, right] = [SIDE / 4, SIDE * 3 / 4].map(|x| rgb(&found, x, SIDE / 2));
    assert!(!near(left, right, 40), "{left:?} {right:?}");
    assert!(left != [0; 3] && right != [0; 3]);
    // By material both are the same.
    let materials = drawn(&model, &ViewSettings { shading: Shading::MaterialId, ..parts }).unwrap();
    let [left, right] = [SIDE / 4, SIDE * 3 / 4].map(|x| rgb(&materials, x, SIDE / 2));
    assert!(near(left, right, 8), "{left:?} {right:?}");
}

#[test]
fn overdraw_adds_up_layer_by_layer() {
    let layers = |count: u32| {
        let layer = |index: u32| moved(square(0.0, 0), 1.0, Vec3::Z * index as f32 * 0.1);
        Model { meshes: (0..count).map(layer).collect(), ..of(Mesh::default()) }
    };
    let view = ViewSettings { shading: Shading::Overdraw, ..plain_view(&layers(1)) };
    let red = |count: u32| drawn(&layers(count), &view).map(|image| rgb(&image, SIDE / 2, SIDE / 2)[0]);
    let Some(one) = red(1) else { return };
    let (two, three) = (red(2).unwrap(), red(3).unwrap());
    assert!(one > 30 && two.abs_diff(2 * one) <= 2 && three.abs_diff(3 * one) <= 3, "{one} {two} {three}");
}

#[test]
fn normals_are_lines_that_stand_on_the_surface() {
    let model = of(square(0.0, 0));
    let mut view = ViewSettings { shading: Shading::Unlit, ..plain_view(&model) };
    view.camera.orbit(glam::vec2(1.2, 0.0));
    let Some(without) = drawn_at(&model, &view, 256) else { return };
    let with = drawn_at(&model, &ViewSettings { normal_lines: true, ..view.clone() }, 256).unwrap();
    let lines = differing(&without, &with, 40);
    assert!((8..400).contains(&lines), "{lines} pixels");
    // A mesh without normals has those of its triangles.
    let mut bare = model.clone();
    bare.meshes[0].normals.clear();
    let bare = drawn_at(&bare, &ViewSettings { normal_lines: true, ..view.clone() }, 256).unwrap();
    assert!(differing(&bare, &with, 40) <= 4);
    // Where nothing is drawn, no normals are.
    let empty = Model::empty("nothing");
    let nothing = drawn(&empty, &ViewSettings { normal_lines: true, ..view }).unwrap();
    assert_eq!(count(&nothing, |p| p[..3] != [0, 0, 0]), 0);
}

#[test]
fn light_comes_from_where_it_is_put() {
    let profile: Vec<(f32, f32)> =
        (0..=24).map(|i| (i as f32 / 24.0 * std::f32::consts::PI).sin_cos()).map(|(s, c)| (s, -c)).collect();
    let model = of(lathe(&profile, 48, 0));
    let lit = |light: LightSettings| {
        let image = drawn(&model, &ViewSettings { light, ..plain_view(&model) })?;
        let at = |x: u32, y: u32| u32::from(rgb(&image, x, y)[1]);
        let (low, middle, high) = (SIDE / 2 - 16, SIDE / 2, SIDE / 2 + 15);
        Some([at(low, middle), at(high, middle), at(middle, low), at(middle, high), at(middle, middle)])
    };
    let one = LightSettings { pitch: 0.0, others: 0.0, ambient: 0.4, ..LightSettings::default() };
    let Some([left, right, ..]) = lit(LightSettings { yaw: -1.4, ..one }) else { return };
    assert!(left > right + 40, "{left} {right}");
    let [left, right, ..] = lit(LightSettings { yaw: 1.4, ..one }).unwrap();
    assert!(right > left + 40, "{left} {right}");
    let [_, _, top, bottom, _] = lit(LightSettings { yaw: 0.0, pitch: 1.45, ..one }).unwrap();
    assert!(top > bottom + 40, "{top} {bottom}");
    // A ring lights the middle most, and all sides alike.
    let [left, right, top, bottom, middle] = lit(LightSettings { ring: true, follows: 1.0, ..one }).unwrap();
    assert!(middle > left + 10 && left.abs_diff(right) < 6, "{left} {right} {middle}");
    assert!(top.abs_diff(bottom) < 40, "{top} {bottom}");
}
