use super::*;
use crate::{
    formats::charpipe::draw_state::Shader,
    scene::gx::{
        BlendFactor, BlendKind, BlendMode, Compare, Constants, CoordTransform, CullMode, LightRig, LitVertex, LogicOp,
        MaterialState, Pixel, TexturedVertex, ZMode, channel_colors, sentences, shade_pixel, texture_coords,
    },
};
use glam::{Affine3A, Quat, Vec2, Vec3};

const RASTER: [u8; 4] = [200, 100, 50, 128];
const FIRST: [u8; 4] = [64, 255, 128, 192];
const SECOND: [u8; 4] = [10, 20, 255, 64];

fn layer(texture: u16) -> Option<Layer> {
    Some(Layer { texture, wrap_s: 1, wrap_t: 1, min_filter: 0, mag_filter: 0 })
}

fn state(tev: u32) -> DrawState {
    let mut state = DrawState { tev: Some(tev), vertex_colors: true, uv_sets: 2, ..DrawState::default() };
    [state.layers[0], state.layers[1]] = [layer(0), layer(1)];
    state
}

fn one_color(color: [u8; 4]) -> gx::Texture {
    let image = Image { name: String::new(), width: 1, height: 1, rgba: color.into(), stored_as: String::new() };
    gx::Texture { mips: vec![Arc::new(image)], mag_filter: Filter::Near, ..gx::Texture::default() }
}

/// A pixel of vertices with the colour [`RASTER`], through textures of one colour each.
fn shaded(state: &DrawState) -> Option<[u8; 4]> {
    let material = combined(state, |layer| Some(layer.texture.into()));
    let textures = [one_color(FIRST), one_color(SECOND)];
    let maps = material.textures.map(|number| textures.get(number? as usize));
    let colors = vertex_colors(&material, Some(RASTER), Vec3::Z);
    let pixel = Pixel { colors, coords: [[0.5, 0.5, 1.0]; 8], position: Vec3::NEG_Z };
    shade_pixel(&material, &Constants::of(&MaterialState::of(&material)), &maps, None, &pixel)
}

fn vertex_colors(material: &TevMaterial, own: Option<[u8; 4]>, normal: Vec3) -> [[u8; 4]; 2] {
    let constants = Constants::of(&MaterialState::of(material));
    // The lamp is where the viewer is.
    let rig = LightRig { to_key: Vec3::Z, ..LightRig::new(&Affine3A::IDENTITY, Vec3::ZERO, 1.0) };
    let vertex = LitVertex { position: Vec3::ZERO, normal, colors: [own, None] };
    channel_colors(material, &constants.material_colors, &rig.lights(material), true, &vertex)
}

#[test]
fn each_mode_of_the_first_layer_joins_the_vertex_colour() {
    // Modulate: 200·64/255, 100·255/255, 50·128/255; alpha 128·192/255. The chip counts 128 and above as one more, of 256.
    assert_eq!(shaded(&state(0xFFFF_FFF0)), Some([50, 100, 25, 97]));
    // Decal: raster + (texture − raster)·192/255, with 193 of 256: 200 − 102.5, 100 + 116.9, 50 + 58.8; alpha of the vertices.
    assert_eq!(shaded(&state(0xFFFF_FFF1)), Some([97, 217, 109, 128]));
    // Blend: raster towards white by the texture: 200 + 55·64/256, 255, 50 + 205·129/256; alpha as modulated.
    assert_eq!(shaded(&state(0xFFFF_FFF2)), Some([214, 255, 153, 97]));
    assert_eq!(shaded(&state(0xFFFF_FFF3)), Some(FIRST));
    assert_eq!(shaded(&state(0xFFFF_FFF4)), Some(RASTER));
    assert_eq!(shaded(&state(0xFFFF_FFFF)), Some(RASTER), "no layer at all");
    // Without a display state of its own: the first layer is modulated.
    assert_eq!(shaded(&DrawState { tev: None, ..state(0) }), Some([50, 100, 25, 97]));
}

#[test]
fn the_second_layer_joins_what_the_first_left() {
    // Decal of (10, 20, 255) by 64/256 over (50, 100, 25, 97).
    assert_eq!(shaded(&state(0xFFFF_FF10)), Some([40, 80, 83, 97]));
    // Modulated: 50·10/256, 100·20/256, 25·256/256, 97·64/256.
    assert_eq!(shaded(&state(0xFFFF_FF00)), Some([2, 8, 25, 24]));
    assert_eq!(shaded(&state(0xFFFF_FF20)), Some([58, 112, 255, 24]));
    assert_eq!(shaded(&state(0xFFFF_FF30)), Some(SECOND));
    assert_eq!(shaded(&state(0xFFFF_FF40)), Some([50, 100, 25, 97]));
    // Where the first is left out, the second starts from the vertices: 200·10/256, 100·20/256, 50·256/256, 128·64/256.
    assert_eq!(shaded(&state(0xFFFF_FF0F)), Some([8, 8, 50, 32]));
}

#[test]
fn layers_read_the_coordinates_of_their_number() {
    let texgens = |state: &DrawState| -> Vec<u8> {
        combined(state, |_| Some(0)).texgens.iter().map(|texgen| texgen.source).collect()
    };
    assert_eq!(texgens(&state(0xFFFF_FF00)), [4, 5]);
    assert_eq!(texgens(&DrawState { uv_sets: 1, ..state(0xFFFF_FF00) }), [4, 4]);
    let without = DrawState { uv_sets: 0, ..state(0xFFFF_FF00) };
    assert_eq!((texgens(&without), shaded(&without)), (Vec::new(), Some(RASTER)));
}

#[test]
fn a_texture_that_is_missing_leaves_the_vertex_colours() {
    let material = combined(&state(0xFFFF_FF33), |_| None);
    assert_eq!((material.stages.len(), material.textures), (1, [None; 8]));
    let only_second = combined(&state(0xFFFF_FF33), |layer| (layer.texture == 1).then_some(7));
    assert_eq!((only_second.stages.len(), only_second.textures[1]), (1, Some(7)));
}

#[test]
fn colours_come_from_the_vertices_or_the_only_one_of_the_array() {
    let plain = DrawState { tev: Some(0xFFFF_FFF4), ..DrawState::default() };
    let of = |state: &DrawState| vertex_colors(&combined(state, |_| None), Some(RASTER), Vec3::Z)[0];
    assert_eq!(of(&plain), [255; 4]);
    assert_eq!(of(&DrawState { constant_color: Some([1, 2, 3, 4]), ..plain }), [1, 2, 3, 4]);
    assert_eq!(of(&DrawState { vertex_colors: true, constant_color: Some([1, 2, 3, 4]), ..plain }), RASTER);
}

#[test]
fn lit_colours_have_the_ambient_percentage_and_the_viewer_s_lamp() {
    let lit = |percent: f32, normal: Vec3| {
        let state = DrawState { ambient_bits: Some(percent.to_bits()), ..state(0xFFFF_FFF4) };
        vertex_colors(&combined(&state, |_| None), Some(RASTER), normal)[0]
    };
    assert_eq!(lit(40.0, Vec3::Z), RASTER, "a surface that faces the light");
    // 40 % of 255 is 102: 200·102/256, 100·102/256, 50·102/256; alpha is not lit.
    assert_eq!(lit(40.0, Vec3::X), [79, 39, 19, 128]);
    // 60° away: 102 + 127.5, the chip's 230 (231 of 256).
    assert_eq!(lit(40.0, Vec3::new(0.75_f32.sqrt(), 0.0, 0.5)), [180, 90, 45, 128]);
    assert_eq!(lit(0.0, Vec3::X), lit(20.0, Vec3::X), "the ambient light is at least 20 %");
    assert_eq!(lit(f32::NAN, Vec3::X), lit(20.0, Vec3::X));
    assert_eq!(lit(1e9, Vec3::X), RASTER);
}

#[test]
fn the_pixel_state_s_bits() {
    let of = |bits: u32| combined(&DrawState { pixel: Some(bits), ..state(0xFFFF_FFF0) }, |_| Some(0));
    let usual = of(0x374);
    assert_eq!(usual, combined(&state(0xFFFF_FFF0), |_| Some(0)), "the default pixel state");
    assert_eq!(usual.cull, CullMode::Back);
    assert_eq!(
        usual.blend,
        BlendMode {
            kind: BlendKind::Blend,
            source: BlendFactor::SourceAlpha,
            destination: BlendFactor::InverseSourceAlpha,
            logic: LogicOp::Clear
        }
    );
    assert_eq!(usual.z_mode, ZMode { test: true, compare: Compare::LessOrEqual, write: true });
    assert!(usual.z_before_texture && !usual.translucent);
    assert!(!usual.alpha_compare.passes(0) && usual.alpha_compare.passes(1));
    // Cut out, from both sides.
    let cut = of(0x571);
    assert_eq!((cut.cull, cut.blend.kind, cut.z_before_texture), (CullMode::None, BlendKind::None, false));
    assert!(!cut.alpha_compare.passes(127) && cut.alpha_compare.passes(128));
    let behind = [100, 200, 30, 255];
    assert_eq!(of(0x378).blend.apply([10, 100, 255, 128], behind), [105, 250, 158, 255], "additive");
    assert_eq!(of(0x37C).blend.apply([10, 100, 255, 128], behind)[..3], [90, 100, 0], "subtract");
    assert_eq!(of(0x37C & !0xC).blend.apply(RASTER, behind), RASTER, "none");
    assert_eq!(of(0x374 | 0x80).z_mode.compare, Compare::Always);
    assert_eq!(of(0x374 & !0x40).z_mode, ZMode { test: false, compare: Compare::LessOrEqual, write: true });
    assert!(!of(0x374 & !0x100).z_mode.write);
    assert_eq!(sentences::alpha_compare(&usual.alpha_compare), "drawn where alpha > 0");
}

/// Strength 100 of 255, on a surface with normals.
fn shiny(tev: u32) -> DrawState {
    let shader = Some(Shader { code: *b"Spec", strength: 100 });
    DrawState { shader, ambient_bits: Some(100.0_f32.to_bits()), ..state(tev) }
}

#[test]
fn the_highlight_adds_the_second_texture_times_its_strength() {
    // (50, 100, 25) + (10, 20, 255)·100/256 (255 as 256, which is 100 of 255).
    assert_eq!(shaded(&shiny(0xFFFF_FFF0)), Some([54, 108, 125, 97]));
    assert_eq!(shaded(&shiny(0xFFFF_FF10)), shaded(&shiny(0xFFFF_FFF0)), "the TEV mode of the second layer is ignored");
    let bright = DrawState { shader: Some(Shader { code: *b"Spec", strength: 255 }), ..shiny(0xFFFF_FFF0) };
    assert_eq!(shaded(&bright), Some([60, 120, 255, 97]), "the sum is clamped to 255");
    let other = DrawState { shader: Some(Shader { code: *b"RhSp", strength: 100 }), ..shiny(0xFFFF_FF10) };
    assert_eq!(shaded(&other), shaded(&DrawState { shader: None, ..shiny(0xFFFF_FF10) }), "other shaders are ignored");
    let mut alone = shiny(0xFFFF_FFF0);
    alone.layers[1] = None;
    assert_eq!(shaded(&alone), Some([50, 100, 25, 97]));
}

#[test]
fn the_highlight_lies_on_the_half_sphere_that_is_seen() {
    let material = combined(&shiny(0xFFFF_FFF0), |_| Some(0));
    let state = MaterialState::of(&material);
    let coordinate = |normal: Vec3, view_from_point: Affine3A| {
        let view_from_world = Affine3A::from_rotation_y(1.0);
        let slots =
            std::array::from_fn(|slot| CoordTransform::of_slot(&material, &state, slot as u8, &view_from_world));
        let vertex = TexturedVertex {
            position: Vec3::new(5.0, 6.0, 7.0),
            normal: Some(normal),
            tangents: None,
            uvs: [Some(Vec2::new(0.1, 0.9)); 8],
            slots: [0xFF; 8],
            view_from_point,
            colors: [[255; 4]; 2],
        };
        let lights = LightRig::new(&Affine3A::IDENTITY, Vec3::ZERO, 1.0).lights(&material);
        let [s, t, q] = texture_coords(&material, &slots, &lights, &vertex)[1];
        [s, t, q].map(|v| (v * 1000.0).round() / 1000.0)
    };
    assert_eq!(coordinate(Vec3::Z, Affine3A::IDENTITY), [0.5, 0.5, 1.0]);
    assert_eq!(coordinate(Vec3::X, Affine3A::IDENTITY), [1.0, 0.5, 1.0]);
    assert_eq!(coordinate(Vec3::Y, Affine3A::IDENTITY), [0.5, 0.0, 1.0]);
    // Turned a quarter about Y, what points away along −X comes to face the viewer.
    let turned = Affine3A::from_rotation_translation(
        Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        Vec3::new(1.0, 2.0, 3.0),
    );
    assert_eq!(coordinate(Vec3::NEG_X, turned), [0.5, 0.5, 1.0]);
    assert_eq!(coordinate(Vec3::new(0.0, -0.6, 0.8), turned), [0.9, 0.8, 1.0]);
}
