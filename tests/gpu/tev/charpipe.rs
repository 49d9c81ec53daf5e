//! Materials that the character pipeline's display states make, from the file to the picture.

use super::sheet::{Case, Corner, Layer, Sheet, material, passing};
use crate::kit::open::open;
use bonebox::{
    formats::{
        Asset, EntryId,
        charpipe::encode::{
            Block, ColorKind, Colors, Draw, Geometry, Layout, Lighting, Mesh, Positions, PrimitiveKind, Quantization,
            Setting, State, Texture, UvSet, Vertex, Width, encode_block, encode_gpl, encode_tex,
        },
        gx::encode::TextureFormat,
    },
    scene::{Material, Model},
};
use glam::{Vec2, Vec3};
use std::sync::Arc;

const PLAIN: Setting = Setting::Shader { name: [0; 4], strength: 0 };
const SPEC: Setting = Setting::Shader { name: *b"Spec", strength: 180 };

/// Modes of the layers, pixel state and shader of each list, and what it is called.
fn looks() -> Vec<(String, [Setting; 3])> {
    let mut looks = Vec::new();
    for mode in [0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0x00, 0x10, 0x20, 0x30, 0x31, 0x12, 0x0F] {
        let name = format!("modes {mode:02X}");
        looks.push((name, [Setting::Tev(0xFFFF_FF00 | mode), Setting::Pixel(0x374), PLAIN]));
    }
    for pixel in [0x360, 0x374, 0x378, 0x37C, 0x570, 0x571, 0x774] {
        let name = format!("pixel state {pixel:X}");
        looks.push((name, [Setting::Tev(0xFFFF_FFF0), Setting::Pixel(pixel), PLAIN]));
    }
    looks.push(("highlight".to_owned(), [Setting::Tev(0xFFFF_FFF0), Setting::Pixel(0x374), SPEC]));
    looks.push(("highlight, its layer decal".to_owned(), [Setting::Tev(0xFFFF_FF10), Setting::Pixel(0x374), SPEC]));
    looks
}

/// A smooth picture.
fn picture(of: impl Fn(u16, u16) -> [u8; 4]) -> Texture {
    let rgba = (0..16 * 16).flat_map(|at: u16| of(at % 16, at / 16)).collect();
    Texture::new(TextureFormat::Rgba8, 16, 16, rgba)
}

fn model() -> Arc<Model> {
    let mut widths = [Width::None; 8];
    widths[..2].fill(Width::Index8);
    let layout = Layout {
        position: Width::Index8,
        normal: Width::Index8,
        colors: [Width::Index8, Width::None],
        uvs: widths,
        ..Layout::default()
    };
    let bound = |layer: u8| Setting::Texture { index: layer.into(), layer, wrap: [1, 1], min_filter: 1, mag_filter: 1 };
    let mut states = vec![State::set(Setting::Layout(layout)), State::set(bound(0)), State::set(bound(1))];
    let corner = |index: u16| Vertex { position: index, ..Vertex::default() };
    for (_, [modes, pixel, shader]) in looks() {
        let triangle = Draw::Primitive(PrimitiveKind::Triangles, (0..3).map(corner).collect());
        states.extend([State::set(modes), State::set(pixel), State::drawing(shader, vec![triangle])]);
    }
    let uv_set =
        || UvSet { quantization: Quantization::FLOAT, components: 2, values: vec![[0.0, 0.0]], palette: String::new() };
    let mesh = Mesh {
        name: "mesh".to_owned(),
        positions: Positions::Plain {
            quantization: Quantization::FLOAT,
            components: 3,
            values: vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        },
        colors: Some(Colors { kind: ColorKind::Rgba8, values: vec![[255; 4], [0; 4]] }),
        uv_sets: vec![uv_set(), uv_set()],
        lighting: Some(Lighting { normals: Some((Quantization::FLOAT, vec![[0.0, 0.0, 1.0]])), ambient_percent: 30.0 }),
        states,
    };
    let textures = [
        picture(|x, y| [(x * 16) as u8, (y * 16) as u8, 200, (255 - x * 10) as u8]),
        picture(|x, y| [40, (x * 15) as u8, (255 - y * 15) as u8, (y * 16) as u8]),
    ];
    let gpl = encode_gpl(&Geometry { meshes: vec![mesh], ..Geometry::default() });
    let bytes = encode_block(&Block { gpl, tex: encode_tex(&textures), ..Block::default() });
    let Asset::Model(model) = open("made.model", bytes).asset(EntryId::FILE) else { panic!("no model") };
    model
}

/// Colours, coordinates and normals that change over the square.
fn corners() -> [Corner; 4] {
    let mut corners = Corner::plain();
    let normals = [[-0.6, 0.5, 0.6], [-0.5, -0.6, 0.6], [0.7, -0.3, 0.6], [0.1, 0.2, 0.9]];
    let colors = [[255, 90, 20, 255], [40, 250, 200, 0], [128; 4], [255; 4]];
    for ((corner, normal), color) in corners.iter_mut().zip(normals).zip(colors) {
        corner.normal = Some(Vec3::from(normal).normalize_or_zero());
        corner.colors[0] = Some(color);
        corner.uvs[1] = corner.uvs[0].map(|uv| Vec2::new(uv.y, 1.0 - uv.x));
    }
    corners
}

#[test]
fn display_states_are_drawn_as_the_chip_draws_them() {
    let model = model();
    let names: Vec<String> = looks().into_iter().map(|(name, _)| name).collect();
    // Modes with the usual pixel state come first; the usual pixel state by itself is one of them again.
    assert_eq!((model.materials.len(), model.textures.len()), (names.len() - 1, 2));
    let names = names.into_iter().filter(|name| name != "pixel state 374");
    let behind = Layer { corners: corners(), ..Layer::new(material(vec![passing(10, 5)])) };
    let case = |(drawn, name): (&Material, String)| {
        let tev = drawn.tev().unwrap().clone();
        let textures = tev.textures.map(|number| number.map(|number| model.textures[number as usize].clone()));
        let layer = Layer { corners: corners(), textures, ..Layer::new(tev) };
        Case { name, layers: vec![behind.clone(), layer] }
    };
    let cases: Vec<Case> = model.materials.iter().zip(names).map(case).collect();
    if let Some(outcome) = Sheet::new(cases).compare(2) {
        assert_eq!(outcome.cases, looks().len() - 1);
    }
}
