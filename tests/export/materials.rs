//! Materials of the GameCube's combiner in GLB: what a reader of the file shows without lamps is what the chip's arithmetic
//! makes of the material.

use crate::kit::{Noise, gltf_look::Look, j3d::any_material, read_back::khronos_validate};
use bonebox::{
    export::glb::{BoundClip, Glb, GlbOptions, Room, glb, glb_with},
    scene::{
        Binding, BindingOptions, Channel, Clip, ClipMaterial, Image, Keys, Material, MaterialKind, Mesh, Model,
        Sampler, Surface, Target, Unit,
        gx::{
            AlphaCompare, AlphaOp, Attenuation, BlendMode, ChannelControl, Combiner, Compare, Constants,
            CoordTransform, CullMode, Diffuse, Filter, LitVertex, MapMode, MaterialState, Pixel, TevMaterial, TevStage,
            TexGen, Texture, TextureMatrix, TexturedVertex, Wrap, channel_colors, shade_pixel, texture_coords,
        },
        with_registers,
    },
};
use glam::{Affine3A, Vec2, Vec3};
use std::sync::Arc;

// Inputs of colour combiners by their codes.
pub(super) const PREVIOUS: u8 = 0;
const C0: u8 = 2;
const C1: u8 = 4;
pub(super) const TEXTURE: u8 = 8;
const RASTER: u8 = 10;
pub(super) const KONST: u8 = 14;
pub(super) const ZERO: u8 = 15;
// Of alpha combiners.
const ALPHA_PREVIOUS: u8 = 0;
const ALPHA_TEXTURE: u8 = 4;
const ALPHA_RASTER: u8 = 5;
const ALPHA_KONST: u8 = 6;
const ALPHA_ZERO: u8 = 7;

/// A picture of smooth colours: bilinear filtering in linear light and in gamma space differ little.
fn colors(size: u32) -> Arc<Image> {
    picture("colors", size, |x, y| [60.0 + 150.0 * x, 220.0 - 140.0 * y, 100.0 + 80.0 * (x + y) * 0.5, 255.0])
}

/// A grey mask with alpha.
fn mask(size: u32) -> Arc<Image> {
    picture("mask", size, |x, y| {
        let grey = 40.0 + 200.0 * (1.0 - y);
        [grey, grey, grey, 255.0 * x]
    })
}

fn picture(name: &str, size: u32, color: impl Fn(f32, f32) -> [f32; 4]) -> Arc<Image> {
    let place = |n: u32| (n as f32 + 0.5) / size as f32;
    let texels = (0..size * size).flat_map(|n| color(place(n % size), place(n / size)).map(|value| value as u8));
    let rgba: Vec<u8> = texels.collect();
    Arc::new(Image { name: name.into(), width: size, height: size, rgba: rgba.into(), stored_as: "test".into() })
}

fn texture(image: &Arc<Image>, wrap: Wrap) -> Arc<Texture> {
    Arc::new(Texture {
        name: image.name.clone(),
        mips: vec![image.clone()],
        wrap_s: wrap,
        wrap_t: wrap,
        ..Texture::default()
    })
}

/// A square that faces the front, with coordinates of each set at its corners from the first to the second.
pub(super) fn square(sets: &[[Vec2; 2]]) -> Mesh {
    let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let set = |[low, high]: &[Vec2; 2]| corners.map(|corner| *low + (*high - *low) * corner).to_vec();
    Mesh {
        name: "square".into(),
        points: corners.map(|corner| corner.extend(0.0)).to_vec(),
        vertex_points: (0..4).collect(),
        normals: vec![Vec3::Z; 4],
        uv_sets: sets.iter().map(set).collect(),
        indices: vec![0, 1, 2, 0, 2, 3],
        surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
        ..Mesh::default()
    }
}

pub(super) fn model(tev: TevMaterial, textures: Vec<Arc<Texture>>, mesh: Mesh) -> Model {
    let material = Material { name: "skin".into(), kind: MaterialKind::Tev(Box::new(tev)) };
    Model {
        images: textures.iter().map(|texture| texture.mips[0].clone()).collect(),
        textures,
        materials: vec![material],
        meshes: vec![mesh],
        ..Model::empty("model")
    }
}

pub(super) fn one() -> [Vec2; 2] {
    [Vec2::ZERO, Vec2::ONE]
}

/// Generators of plain coordinates of these sets.
pub(super) fn plain(sets: &[u8]) -> Vec<TexGen> {
    sets.iter().map(|set| TexGen { kind: 1, source: 4 + set, matrix: 60 }).collect()
}

/// A stage of a map that is read at a coordinate: `D + mix(A, B, C)`.
pub(super) fn stage(map: u8, coord: u8, color: [u8; 4], alpha: [u8; 4]) -> TevStage {
    TevStage {
        color: Combiner::adding(color),
        alpha: Combiner::adding(alpha),
        tex_coord: Some(coord),
        texture: Some(map),
        channel: 4,
        ..TevStage::default()
    }
}

pub(super) const ALPHA_ONE: [u8; 4] = [ALPHA_ZERO, ALPHA_ZERO, ALPHA_ZERO, ALPHA_KONST];
const NO_BLENDING: u8 = 0;

/// Opaque, of these stages; constants are white.
pub(super) fn opaque(texgens: Vec<TexGen>, stages: Vec<TevStage>) -> TevMaterial {
    let blend = BlendMode { kind: NO_BLENDING.into(), ..BlendMode::default() };
    let mut textures = [None; 8];
    (textures[0], textures[1]) = (Some(0), Some(1));
    let konst_alpha = |stage: TevStage| TevStage { konst_alpha: 0, ..stage };
    let stages = stages.into_iter().map(konst_alpha).collect();
    TevMaterial { texgens, stages, blend, textures, channel_count: 1, ..TevMaterial::default() }
}

fn export(model: &Model) -> (Glb, Look) {
    let file = glb(model, &[]).unwrap();
    let look = Look::new(&file.bytes);
    (file, look)
}

/// What the chip makes of the model's triangle at a place, without lamps: `None` where its alpha test drops it.
fn expected(model: &Model, triangle: usize, shares: [f32; 3]) -> Option<[u8; 4]> {
    let mesh = &model.meshes[0];
    let tev = model.materials[0].tev().unwrap();
    let state = MaterialState::of(tev);
    let corners: [usize; 3] = std::array::from_fn(|corner| mesh.indices[triangle * 3 + corner] as usize);
    let view = Affine3A::from_translation(Vec3::new(-0.5, -0.5, -2.0));
    let mix = |colors: &Vec<[u8; 4]>| -> Option<[u8; 4]> {
        let part =
            |part: usize| (0..3).map(|i| f32::from(colors[corners[i]][part]) * shares[i]).sum::<f32>().round() as u8;
        (!colors.is_empty()).then(|| std::array::from_fn(part))
    };
    let lit =
        LitVertex { position: Vec3::ZERO, normal: Vec3::Z, colors: [mix(&mesh.colors), mix(&mesh.second_colors)] };
    let dark = bonebox::scene::gx::LightRig::new(&view, Vec3::ZERO, 1.0).lights(tev);
    let constants = Constants::of(&state);
    let colors = channel_colors(tev, &constants.material_colors, &dark, false, &lit);
    let transforms: [CoordTransform; 10] =
        std::array::from_fn(|slot| CoordTransform::of_slot(tev, &state, slot as u8, &view));
    let uv = |set: usize| {
        mesh.uv_sets
            .get(set)
            .map(|set| (0..3).map(|i| set.get(corners[i]).copied().unwrap_or_default() * shares[i]).sum::<Vec2>())
    };
    let vertex = TexturedVertex {
        position: (0..3).map(|i| mesh.position(corners[i]) * shares[i]).sum(),
        normal: Some((0..3).map(|i| mesh.normals[corners[i]] * shares[i]).sum::<Vec3>().normalize_or_zero()),
        tangents: None,
        uvs: std::array::from_fn(uv),
        slots: [0xFF; 8],
        view_from_point: view,
        colors,
    };
    let coords = texture_coords(tev, &transforms, &dark, &vertex);
    let maps =
        tev.textures.map(|texture| texture.and_then(|texture| model.textures.get(texture as usize).map(|t| &**t)));
    shade_pixel(tev, &constants, &maps, None, &Pixel { colors, coords, position: Vec3::ZERO })
}

/// Places all over the square.
fn places() -> impl Iterator<Item = (usize, [f32; 3])> {
    (0..2).flat_map(|triangle| {
        (0..15).flat_map(move |i| {
            (0..15 - i).map(move |j| {
                let (along, across) = ((i as f32 + 0.3) / 15.0, (j as f32 + 0.4) / 15.0);
                (triangle, [1.0 - along - across, along, across])
            })
        })
    })
}

/// The file shows what the chip does: the mean of the distances, of 255, with alpha where the material blends.
#[track_caller]
pub(super) fn distance(model: &Model, look: &Look) -> f32 {
    let mesh = look.back.document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let (mut sum, mut count) = (0.0, 0.0);
    for (triangle, shares) in places() {
        let corners = &model.meshes[0].indices[triangle * 3..][..3];
        let place =
            corners.iter().zip(shares).map(|(corner, share)| model.meshes[0].position(*corner as usize) * share).sum();
        let (shown, expected) = (look.shown_at(&primitive, place), expected(model, triangle, shares));
        assert_eq!(shown.alpha.is_some(), expected.is_some(), "cut at {triangle} {shares:?}: {shown:?} {expected:?}");
        let (Some(alpha), Some([r, g, b, a])) = (shown.alpha, expected) else { continue };
        let color = shown.color.iter().zip([r, g, b]).map(|(a, b)| (a - f32::from(b)).abs()).fold(0.0, f32::max);
        let blends = primitive.material().alpha_mode() == gltf::material::AlphaMode::Blend;
        sum += color.max(if blends { (alpha * 255.0 - f32::from(a)).abs() } else { 0.0 });
        count += 1.0;
    }
    sum / count
}

#[track_caller]
fn assert_arrives(model: &Model) -> Look {
    assert_arrives_within(3.0, model)
}

/// What is multiplied in the file is multiplied in linear light, by the curve of sRGB, which is no pure power: a little else than
/// the chip's product.
const MULTIPLIED: f32 = 8.0;

#[track_caller]
fn assert_arrives_within(most: f32, model: &Model) -> Look {
    let (file, look) = export(model);
    let distance = distance(model, &look);
    assert!(distance < most, "{distance}: {}", look.extras(0)["j3d"]["baseColor"]);
    assert_eq!(of_materials(&file), Vec::<&str>::new());
    look
}

/// All notes but those about colours between vertices.
fn of_materials(file: &Glb) -> Vec<&str> {
    let is_of_material = |note: &&str| !note.contains("colours between vertices");
    file.notes.iter().map(|note| &**note).filter(is_of_material).collect()
}

#[track_caller]
fn note_of(file: &Glb) -> &str {
    let notes = of_materials(file);
    assert_eq!(notes.len(), 1, "{notes:?}");
    notes[0]
}

fn base(look: &Look) -> String {
    look.extras(0)["j3d"]["baseColor"]["from"].as_str().unwrap().to_owned()
}

#[test]
fn a_mask_in_slot_0_does_not_become_the_colour() {
    // The first stage reads the mask into a register that is never asked for.
    let textures = || vec![texture(&mask(32), Wrap::Repeat), texture(&colors(32), Wrap::Clamp)];
    let stages =
        vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE), stage(1, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)];
    let look = assert_arrives(&model(opaque(plain(&[0]), stages), textures(), square(&[one()])));
    assert_eq!(base(&look), "texture");
    assert_eq!(look.picture(0).unwrap().as_raw().as_slice(), &*colors(32).rgba);
    // The mask lets a colour of the constants through over the colours: a picture of both.
    let mut mixing = opaque(
        plain(&[0]),
        vec![
            stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE),
            stage(1, 0, [TEXTURE, KONST, PREVIOUS, ZERO], ALPHA_ONE),
        ],
    );
    mixing.stages[1].konst_color = 12;
    mixing.konst[0] = [250, 200, 20, 255];
    let look = assert_arrives(&model(mixing, textures(), square(&[one()])));
    assert_eq!(base(&look), "picture");
    assert_eq!(look.picture(0).unwrap().dimensions(), (32, 32));
}

#[test]
fn an_environment_map_in_slot_0_has_its_mean_colour() {
    let texgens = vec![TexGen { kind: 1, source: 1, matrix: 30 }, TexGen { kind: 1, source: 4, matrix: 60 }];
    let stages = vec![
        stage(0, 0, [ZERO, TEXTURE, KONST, ZERO], ALPHA_ONE),
        stage(1, 1, [ZERO, ZERO, ZERO, PREVIOUS], ALPHA_ONE),
        stage(1, 1, [ZERO, TEXTURE, KONST, PREVIOUS], ALPHA_ONE),
    ];
    let mut tev = opaque(texgens, stages);
    let environment = TextureMatrix { map_mode: MapMode::EnvironmentOld, ..TextureMatrix::default() };
    tev.texture_matrices[0] = Some(environment);
    // A quarter of the reflection, half of the colours.
    (tev.stages[0].konst_color, tev.stages[2].konst_color) = (6, 4);
    let textures = vec![texture(&mask(32), Wrap::Repeat), texture(&colors(32), Wrap::Repeat)];
    // It bulges: its middle faces the front.
    let bent = [Vec3::new(-1.0, -1.0, 2.0), Vec3::new(1.0, -1.0, 2.0), Vec3::ONE, Vec3::new(-1.0, 1.0, 2.0)];
    let mesh = Mesh { normals: bent.map(Vec3::normalize_or_zero).to_vec(), ..square(&[one()]) };
    let model = model(tev, textures, mesh);
    let (file, look) = export(&model);
    assert!(distance(&model, &look) < 12.0);
    let note = note_of(&file);
    assert!(note.contains("“skin”") && note.contains("“mask” is reflected or projected"), "{note}");
    assert_eq!(base(&look), "picture");
}

#[test]
fn a_reflection_is_written_as_seen_from_the_front() {
    const COLUMNS: u32 = 17;
    // Normals turn from left to right. The map reads a ramp at (n.x + 1) / 2: 40 + 200 of red, 220 − 160 of green.
    let texgens = vec![TexGen { kind: 1, source: 1, matrix: 30 }];
    let mut tev = opaque(texgens, vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    tev.texture_matrices[0] = Some(TextureMatrix { map_mode: MapMode::EnvironmentOld, ..TextureMatrix::default() });
    let ramp = picture("ramp", 256, |x, _| [40.0 + 200.0 * x, 220.0 - 160.0 * x, 90.0, 255.0]);
    let turn = |column: u32| column as f32 / 10.0 - 0.8;
    let columns = || (0..COLUMNS).flat_map(|column| [column; 2]);
    let places: Vec<Vec3> =
        columns().zip([0.0, 1.0].into_iter().cycle()).map(|(x, y)| Vec3::new(x as f32, y, 0.0)).collect();
    let mesh = Mesh {
        vertex_points: (0..places.len() as u32).collect(),
        points: places,
        normals: columns().map(|x| Vec3::new(turn(x), 0.0, (1.0 - turn(x) * turn(x)).sqrt())).collect(),
        uv_sets: Vec::new(),
        indices: (0..COLUMNS - 1).flat_map(|x| [0, 2, 3, 0, 3, 1].map(|corner| 2 * x + corner)).collect(),
        surfaces: vec![Surface { first_index: 0, index_count: (COLUMNS - 1) * 6, material: 0 }],
        ..square(&[])
    };
    let (file, look) = export(&model(tev, vec![texture(&ramp, Wrap::Clamp)], mesh));
    assert!(note_of(&file).contains("“ramp” is reflected or projected: exported as seen from the front"));
    assert_eq!((base(&look), has_colors(&look)), ("color".to_owned(), true));
    let primitive = look.back.document.meshes().next().unwrap().primitives().next().unwrap();
    for column in 0..COLUMNS - 1 {
        let place = (turn(column) + 1.0) / 2.0;
        let wanted = [40.0 + 200.0 * place, 220.0 - 160.0 * place, 90.0];
        let shown = look.shown(&primitive, column as usize * 2, [1.0, 0.0, 0.0]).color;
        assert!(shown.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 3.0), "{column}: {shown:?} for {wanted:?}");
    }
}

#[test]
fn what_is_added_and_cut_off_at_white_keeps_its_mean() {
    // A bright colour, and a reflection that is black or white.
    let texgens = vec![TexGen { kind: 1, source: 1, matrix: 30 }, TexGen { kind: 1, source: 4, matrix: 60 }];
    let stages = vec![
        stage(1, 1, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE),
        stage(0, 0, [ZERO, TEXTURE, KONST, PREVIOUS], ALPHA_ONE),
    ];
    let mut tev = opaque(texgens, stages);
    tev.texture_matrices[0] = Some(TextureMatrix { map_mode: MapMode::EnvironmentOld, ..TextureMatrix::default() });
    tev.stages[1].konst_color = 0;
    let half = picture("half", 32, |_, y| if y < 0.5 { [0.0, 0.0, 0.0, 255.0] } else { [255.0; 4] });
    let bright = picture("bright", 32, |x, _| [90.0, 200.0 + 10.0 * x, 215.0, 255.0]);
    let textures = vec![texture(&half, Wrap::Clamp), texture(&bright, Wrap::Clamp)];
    let bent = [Vec3::new(-1.0, -1.0, 2.0), Vec3::new(1.0, -1.0, 2.0), Vec3::ONE, Vec3::new(-1.0, 1.0, 2.0)];
    let mesh = Mesh { normals: bent.map(Vec3::normalize_or_zero).to_vec(), ..square(&[one()]) };
    let model = model(tev, textures, mesh);
    let (_, look) = export(&model);
    let primitive = look.back.document.meshes().next().unwrap().primitives().next().unwrap();
    let (mut shown, mut wanted) = (Vec3::ZERO, Vec3::ZERO);
    for (triangle, shares) in places() {
        shown += Vec3::from(look.shown(&primitive, triangle, shares).color);
        let [r, g, b, _] = expected(&model, triangle, shares).unwrap();
        wanted += Vec3::new(r.into(), g.into(), b.into());
    }
    let count = places().count() as f32;
    assert!((wanted / count).min_element() > 120.0 && (wanted / count).max_element() < 250.0, "{wanted}");
    assert!((shown / count).abs_diff_eq(wanted / count, 4.0), "{} for {}", shown / count, wanted / count);
}

#[test]
fn colours_of_registers_and_constants_arrive() {
    // From C0 to C1 by the mask.
    let mut tev = opaque(plain(&[0]), vec![stage(0, 0, [C0, C1, TEXTURE, ZERO], ALPHA_ONE)]);
    tev.registers = [[20, 40, 200, 255], [240, 210, 30, 255], [0; 4]];
    let textures = || vec![texture(&mask(32), Wrap::Repeat), texture(&colors(32), Wrap::Repeat)];
    let look = assert_arrives(&model(tev.clone(), textures(), square(&[one()])));
    assert_eq!(base(&look), "picture");
    // A texture times a constant stays the texture.
    tev.stages = vec![stage(1, 0, [ZERO, TEXTURE, KONST, ZERO], ALPHA_ONE)];
    tev.stages[0].konst_color = 14;
    tev.konst[2] = [200, 120, 60, 255];
    let look = assert_arrives_within(MULTIPLIED, &model(tev.clone(), textures(), square(&[one()])));
    assert_eq!(base(&look), "texture");
    let j3d = &look.extras(0)["j3d"];
    assert_eq!(j3d["baseColor"]["factors"], serde_json::json!({ "color": ["K2"], "alpha": [] }));
    // sRGB of 200, 120 and 60 of 255 in linear light.
    let factor = look.material(0).pbr_metallic_roughness().base_color_factor();
    let wanted = [0.577_580_4, 0.187_820_8, 0.045_186_2, 1.0];
    assert!(factor.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 2e-2), "{factor:?}");
    // Nothing but a colour.
    tev.stages = vec![stage(0, 0, [ZERO, ZERO, ZERO, C1], ALPHA_ONE)];
    let look = assert_arrives(&model(tev, textures(), square(&[one()])));
    assert_eq!((base(&look), look.picture(0).is_some()), ("color".to_owned(), false));
}

/// What `--register` gives is the base colour: 128 of 255 in sRGB is 0.215861 in linear light, 64 is 0.051269.
#[test]
fn colours_that_are_given_to_registers_arrive() {
    let konst = TevStage { konst_color: 13, ..stage(0, 0, [ZERO, ZERO, ZERO, KONST], ALPHA_ONE) };
    for (name, stage, other) in [("C0", stage(0, 0, [ZERO, ZERO, ZERO, C0], ALPHA_ONE), "C1"), ("K1", konst, "K2")] {
        let source = Arc::new(model(opaque(plain(&[0]), vec![stage]), Vec::new(), square(&[one()])));
        let colors = [format!("{name}=8040FF"), format!("{other}=00FF00")].map(|text| text.parse().unwrap());
        let look = export(&with_registers(source, &colors)).1;
        let factor = look.material(0).pbr_metallic_roughness().base_color_factor();
        let wanted = [0.215_861, 0.051_269, 1.0, 1.0];
        assert!(factor.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-4), "{name}: {factor:?}");
    }
}

#[test]
fn wrap_modes_and_filters_are_the_file_s() {
    use gltf::texture::{MagFilter, MinFilter, WrappingMode};
    let stages = || vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)];
    let wide = [Vec2::splat(-1.25), Vec2::splat(2.5)];
    for (wrap_s, wrap_t) in [(Wrap::Clamp, Wrap::Mirror), (Wrap::Mirror, Wrap::Repeat), (Wrap::Repeat, Wrap::Clamp)] {
        let source = Texture { wrap_s, wrap_t, ..(*texture(&colors(32), Wrap::Clamp)).clone() };
        let mut wall = model(opaque(plain(&[0]), stages()), vec![Arc::new(source)], square(&[wide]));
        wall.materials[0].tev().unwrap();
        let look = assert_arrives(&wall);
        let mode = |wrap| match wrap {
            Wrap::Clamp => WrappingMode::ClampToEdge,
            Wrap::Repeat => WrappingMode::Repeat,
            Wrap::Mirror => WrappingMode::MirroredRepeat,
        };
        let sampler = look.material(0).pbr_metallic_roughness().base_color_texture().unwrap().texture().sampler();
        assert_eq!((sampler.wrap_s(), sampler.wrap_t()), (mode(wrap_s), mode(wrap_t)));
        assert_eq!((sampler.mag_filter(), sampler.min_filter()), (Some(MagFilter::Linear), Some(MinFilter::Linear)));
        // The same baked, where nothing repeats as a whole.
        let MaterialKind::Tev(tev) = &mut wall.materials[0].kind else { panic!("combined") };
        tev.swap_tables[1] = [2, 0, 1, 3];
        tev.stages[0].texture_swap = 1;
        let look = assert_arrives(&wall);
        assert_eq!(base(&look), "picture");
    }
    let mut near = (*texture(&colors(32), Wrap::Clamp)).clone();
    (near.mag_filter, near.min_filter) = (Filter::Near, Filter::NearMipLinear);
    let look = assert_arrives(&model(opaque(plain(&[0]), stages()), vec![Arc::new(near)], square(&[one()])));
    let sampler = look.material(0).pbr_metallic_roughness().base_color_texture().unwrap().texture().sampler();
    let filters = (sampler.mag_filter(), sampler.min_filter());
    assert_eq!(filters, (Some(MagFilter::Nearest), Some(MinFilter::NearestMipmapLinear)));
}

/// A material of one texture through a matrix.
fn through(matrix: TextureMatrix, mirrored: bool) -> Model {
    let texgens = vec![TexGen { kind: 1, source: 4, matrix: 30 }];
    let mut tev = opaque(texgens, vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    tev.texture_matrices[0] = Some(matrix);
    let wrap = if mirrored { Wrap::Mirror } else { Wrap::Repeat };
    model(tev, vec![texture(&colors(32), wrap)], square(&[one()]))
}

#[test]
fn static_texture_matrices_arrive() {
    let matrix = TextureMatrix { scale: [2.0, -0.5], translation: [0.25, 0.125], ..TextureMatrix::default() };
    let look = assert_arrives(&through(matrix, true));
    assert_eq!(base(&look), "texture");
    let info = look.material(0).pbr_metallic_roughness().base_color_texture().unwrap();
    let transform = info.texture_transform().unwrap();
    // About the middle: 2s − 0.5 + 0.25, −0.5t + 0.75 + 0.125.
    assert_eq!((transform.scale(), transform.offset(), transform.rotation()), ([2.0, -0.5], [-0.25, 0.875], 0.0));
    // A matrix that changes nothing needs no extension.
    let look = assert_arrives(&through(TextureMatrix::default(), false));
    assert!(look.material(0).pbr_metallic_roughness().base_color_texture().unwrap().texture_transform().is_none());
    assert!(!look.back.document.extensions_used().any(|name| name == "KHR_texture_transform"));
    // What is turned is a picture: readers turn it to different sides.
    let look = assert_arrives(&through(TextureMatrix { rotation: 0.4, ..TextureMatrix::default() }, true));
    assert_eq!(base(&look), "picture");
}

#[test]
fn a_texture_that_is_a_weight_keeps_its_place_and_its_matrix() {
    // From C0 to C1 by the mask, whose red is 40 + 200 · (1 − y).
    let matrix = TextureMatrix { scale: [2.0, -0.5], translation: [0.25, 0.125], ..TextureMatrix::default() };
    let mut weight = through(matrix, true);
    weight.textures = vec![texture(&mask(32), Wrap::Mirror)];
    edit(&mut weight).stages[0].color = Combiner::adding([C0, C1, TEXTURE, ZERO]);
    edit(&mut weight).registers[..2].copy_from_slice(&[[255, 0, 100, 255], [55, 200, 100, 255]]);
    let look = assert_arrives(&weight);
    assert_eq!(base(&look), "picture");
    let info = look.material(0).pbr_metallic_roughness().base_color_texture().unwrap();
    let transform = info.texture_transform().unwrap();
    assert_eq!((transform.scale(), transform.offset()), ([2.0, -0.5], [-0.25, 0.875]));
    for row in 0..32 {
        let share = (40.0 + 200.0 * (1.0 - (row as f32 + 0.5) / 32.0)) / 255.0;
        let wanted = [255.0 - 200.0 * share, 200.0 * share, 100.0];
        let found = look.picture(0).unwrap().get_pixel(5, row).0;
        assert!(found.iter().zip(wanted).all(|(a, b)| (f32::from(*a) - b).abs() <= 2.0), "{row}: {found:?} {wanted:?}");
    }
}

#[test]
fn tiles_that_repeat_are_baked_once() {
    // Colours four times a unit through a swap table.
    let mut wall = through(TextureMatrix { scale: [4.0, 4.0], ..TextureMatrix::default() }, false);
    let MaterialKind::Tev(tev) = &mut wall.materials[0].kind else { panic!("combined") };
    tev.swap_tables[1] = [1, 2, 0, 3];
    tev.stages[0].texture_swap = 1;
    wall.meshes = vec![square(&[[Vec2::splat(-20.0), Vec2::splat(20.0)]])];
    let (file, look) = export(&wall);
    assert_eq!(look.picture(0).unwrap().dimensions(), (32, 32));
    assert!(file.notes.is_empty(), "{:?}", file.notes);
    assert!(distance(&wall, &look) < 12.0, "{}", distance(&wall, &look));
}

#[test]
fn pictures_that_would_be_too_large_are_coarser_and_that_is_said() {
    let mut wall = through(TextureMatrix { rotation: 0.4, ..TextureMatrix::default() }, true);
    wall.meshes = vec![square(&[[Vec2::ZERO, Vec2::splat(300.0)]])];
    let (file, look) = export(&wall);
    assert_eq!(look.picture(0).unwrap().dimensions(), (1024, 1024));
    assert!(
        note_of(&file).contains("baked image (1024 × 1024) has a lower resolution than its textures"),
        "{:?}",
        file.notes
    );
}

#[test]
fn swap_tables_count() {
    let mut tev = opaque(plain(&[0]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    tev.swap_tables[2] = [3, 1, 0, 2];
    tev.stages[0].texture_swap = 2;
    let look = assert_arrives(&model(tev, vec![texture(&colors(32), Wrap::Clamp)], square(&[one()])));
    assert_eq!(base(&look), "picture");
}

#[test]
fn the_set_of_coordinates_that_counts_is_the_base_colour_s() {
    let textures = || vec![texture(&mask(32), Wrap::Repeat), texture(&colors(32), Wrap::Repeat)];
    // Colours on the second set; the first is read for nothing.
    let stages =
        vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE), stage(1, 1, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)];
    let sets = [one(), [Vec2::new(0.3, 0.9), Vec2::new(0.7, 0.1)]];
    let look = assert_arrives(&model(opaque(plain(&[0, 1]), stages), textures(), square(&sets)));
    assert_eq!(base(&look), "texture");
    let info = look.material(0).pbr_metallic_roughness().base_color_texture().unwrap();
    assert_eq!((info.tex_coord(), look.picture(0).unwrap().as_raw().as_slice()), (1, &*colors(32).rgba));

    // Both sets count, and one follows from the other: one picture of both.
    let stages = vec![
        stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE),
        stage(1, 1, [ZERO, TEXTURE, PREVIOUS, ZERO], ALPHA_ONE),
    ];
    let tev = opaque(plain(&[0, 1]), stages);
    let look = assert_arrives(&model(tev.clone(), textures(), square(&sets)));
    assert_eq!(base(&look), "picture");

    // Where it does not follow, what counts less has its mean.
    let mut mesh = square(&sets);
    mesh.uv_sets[0] = vec![Vec2::new(0.0, 0.9), Vec2::new(0.0, 0.8), Vec2::new(0.0, 0.95), Vec2::new(0.3, 0.7)];
    let (file, look) = export(&model(tev, textures(), mesh));
    let note = note_of(&file);
    assert!(note.contains("“mask” uses different texture coordinates (UV set 0 instead of 1)"), "{note}");
    assert_eq!(look.material(0).pbr_metallic_roughness().base_color_texture().unwrap().tex_coord(), 1);
}

#[test]
fn a_set_that_the_mesh_does_not_have_is_zero() {
    let tev = opaque(plain(&[1]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    let mut mesh = square(&[one()]);
    let mut whole = model(tev.clone(), vec![texture(&colors(32), Wrap::Clamp)], mesh.clone());
    let look = assert_arrives(&whole);
    assert_eq!(base(&look), "color");
    // One before it that the file leaves out.
    mesh.uv_sets.insert(0, Vec::new());
    whole.meshes = vec![mesh];
    let look = assert_arrives(&whole);
    assert_eq!(look.material(0).pbr_metallic_roughness().base_color_texture().unwrap().tex_coord(), 1);
}

#[test]
fn alpha_comes_from_where_the_material_has_it() {
    // Colours of one texture, alpha of the other, cut at one half.
    let mut tev = opaque(
        plain(&[0]),
        vec![
            stage(0, 0, [ZERO; 4], [ALPHA_ZERO, ALPHA_ZERO, ALPHA_ZERO, ALPHA_TEXTURE]),
            stage(1, 0, [ZERO, ZERO, ZERO, TEXTURE], [ALPHA_ZERO, ALPHA_ZERO, ALPHA_ZERO, ALPHA_PREVIOUS]),
        ],
    );
    tev.alpha_compare = AlphaCompare {
        compare0: Compare::GreaterOrEqual,
        reference0: 128,
        op: AlphaOp::And,
        compare1: Compare::LessOrEqual,
        reference1: 255,
    };
    let textures = || vec![texture(&mask(32), Wrap::Clamp), texture(&colors(32), Wrap::Clamp)];
    let cut = model(tev.clone(), textures(), square(&[one()]));
    let look = assert_arrives(&cut);
    assert_eq!(look.material(0).alpha_mode(), gltf::material::AlphaMode::Mask);
    assert_eq!(look.material(0).alpha_cutoff(), Some(0.5));
    // The same blended, at 60 % of a constant.
    tev.alpha_compare = AlphaCompare::default();
    (tev.blend, tev.translucent) = (BlendMode::default(), true);
    tev.stages[1].alpha = Combiner::adding([ALPHA_ZERO, ALPHA_PREVIOUS, ALPHA_KONST, ALPHA_ZERO]);
    (tev.stages[1].konst_alpha, tev.konst[1][3]) = (29, 153);
    let look = assert_arrives(&model(tev, textures(), square(&[one()])));
    assert_eq!(look.material(0).alpha_mode(), gltf::material::AlphaMode::Blend);
}

/// Colours times the colours of vertices, which have any alpha.
fn tinted(vertex: [[u8; 4]; 4]) -> Model {
    let mut tev = opaque(plain(&[0]), vec![stage(1, 0, [ZERO, TEXTURE, RASTER, ZERO], ALPHA_ONE)]);
    let from_vertex = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
    tev.channels = [from_vertex; 4];
    let textures = vec![texture(&mask(32), Wrap::Clamp), texture(&colors(32), Wrap::Clamp)];
    model(tev, textures, Mesh { colors: vertex.to_vec(), ..square(&[one()]) })
}

const TINTS: [[u8; 4]; 4] = [[120, 90, 60, 0], [128, 100, 90, 50], [90, 128, 40, 128], [70, 60, 100, 255]];

fn edit(model: &mut Model) -> &mut TevMaterial {
    match &mut model.materials[0].kind {
        MaterialKind::Tev(tev) => tev,
        MaterialKind::Basic(_) | _ => panic!("combined"),
    }
}

fn has_colors(look: &Look) -> bool {
    let mesh = look.back.document.meshes().next().unwrap();
    mesh.primitives().next().unwrap().get(&gltf::Semantic::Colors(0)).is_some()
}

#[test]
fn colours_of_vertices_are_there_when_they_count() {
    let mut multiplied = tinted(TINTS);
    let look = assert_arrives_within(MULTIPLIED, &multiplied);
    assert_eq!((base(&look), has_colors(&look)), ("texture".to_owned(), true));
    // Colours that hardly differ are a constant.
    let look = assert_arrives_within(MULTIPLIED, &tinted([[120, 90, 60, 7]; 4]));
    assert_eq!((base(&look), has_colors(&look)), ("texture".to_owned(), false));
    // The texture alone.
    edit(&mut multiplied).stages[0].color = Combiner::adding([ZERO, ZERO, ZERO, TEXTURE]);
    let look = assert_arrives(&multiplied);
    assert!(!has_colors(&look));
    // The register's colour in their place.
    let mut register = tinted(TINTS);
    edit(&mut register).channels = [ChannelControl::default(); 4];
    edit(&mut register).material_colors[0] = [200, 150, 100, 255];
    let look = assert_arrives_within(MULTIPLIED, &register);
    assert!(!has_colors(&look));
    assert_eq!(look.extras(0)["j3d"]["baseColor"]["factors"]["color"], serde_json::json!(["MAT0"]));
    // Twice the product: half is full.
    let mut doubled = tinted(TINTS);
    doubled.meshes[0].colors.iter_mut().for_each(|color| color[1] = color[1].min(90));
    edit(&mut doubled).stages[0].color.scale = 1.into();
    let look = assert_arrives_within(MULTIPLIED, &doubled);
    assert!(has_colors(&look) && base(&look) == "texture");
    // Twice the product, cut off at white: nearly a factor, and a note.
    let mut cut = tinted([[160, 60, 90, 0], [70, 160, 60, 50], [60, 90, 160, 128], [160, 130, 60, 255]]);
    edit(&mut cut).stages[0].color.scale = 1.into();
    let (file, look) = export(&cut);
    assert!(note_of(&file).contains("its vertex colours are exported as factors"), "{:?}", file.notes);
    assert!(has_colors(&look) && distance(&cut, &look) < 20.0, "{}", distance(&cut, &look));
    // As a weight between two colours: nearly a factor, and a note.
    let mut weight = tinted(TINTS);
    edit(&mut weight).stages[0].color = Combiner::adding([KONST, TEXTURE, RASTER, ZERO]);
    edit(&mut weight).stages[0].konst_color = 7;
    let (file, look) = export(&weight);
    assert!(note_of(&file).contains("its vertex colours are exported as factors"), "{:?}", file.notes);
    assert!(has_colors(&look) && distance(&weight, &look) < 12.0, "{}", distance(&weight, &look));
}

/// A model with a material set that other stages replace, exported as a variant: the looks of the model's own material and of the variant.
fn with_variant(own: &Model, stages: Vec<TevStage>) -> (Model, Look, Look) {
    let mut varied = own.clone();
    edit(&mut varied).stages = stages;
    let material_set =
        Some(Arc::new(bonebox::scene::MaterialSet { materials: varied.materials.clone(), textures: None }));
    let set = Clip { name: "set".into(), material_set, ..Clip::default() };
    let binding = Binding::new(&set, own, BindingOptions::default());
    let options = GlbOptions { wears_set: false, ..GlbOptions::default() };
    let file = glb_with(own, [BoundClip { clip: &set, binding: &binding }].as_slice(), &options, Room::all()).unwrap();
    let mut chosen = gltf::binary::Glb::from_slice(&file.bytes).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&chosen.json).unwrap();
    let primitive = &mut json["meshes"][0]["primitives"][0];
    primitive["material"] = primitive["extensions"]["KHR_materials_variants"]["mappings"][0]["material"].clone();
    chosen.json = serde_json::to_vec(&json).unwrap().into();
    (varied, Look::new(&file.bytes), Look::new(&chosen.to_vec().unwrap()))
}

/// Variants share the colours of vertices in a file. The model's own material has the same as without variants.
#[test]
fn variants_keep_their_colours_with_the_vertex_factors_of_the_model() {
    let mut cut = tinted([[160, 60, 90, 0], [70, 160, 60, 50], [60, 90, 160, 128], [160, 130, 60, 255]]);
    edit(&mut cut).stages[0].color.scale = 1.into();
    let alone = export(&cut).1;
    let doubled = edit(&mut cut).stages.clone();
    // 5 of 8 of the same colours.
    let mut dimmed = stage(1, 0, [ZERO, PREVIOUS, KONST, ZERO], ALPHA_ONE);
    dimmed.konst_color = 3;
    let (varied, own, variant) = with_variant(&cut, vec![doubled[0], dimmed]);
    assert_eq!(distance(&cut, &own), distance(&cut, &alone));
    assert!(distance(&varied, &variant) < 6.0, "{}", distance(&varied, &variant));
    // The texture alone, and the same colours of vertices as a variant.
    let mut plain = cut.clone();
    edit(&mut plain).stages[0].color = Combiner::adding([ZERO, ZERO, ZERO, TEXTURE]);
    let (varied, own, variant) = with_variant(&plain, doubled);
    assert_eq!(distance(&plain, &own), distance(&plain, &export(&plain).1));
    // One mean colour instead of the factors of vertices. Without it, the distance is 100.
    assert!(distance(&varied, &variant) < 40.0, "{}", distance(&varied, &variant));
}

/// An alpha test does not take the colours of vertices that are nearly a factor: their alpha, which is one, is written with them.
#[test]
fn colours_of_vertices_are_there_with_an_alpha_test() {
    // Twice the product, cut off at white.
    let mut tested = tinted([[160, 60, 90, 0], [70, 160, 60, 50], [60, 90, 160, 128], [160, 130, 60, 255]]);
    let tev = edit(&mut tested);
    tev.stages[0].color.scale = 1.into();
    tev.stages[0].alpha = Combiner::adding([ALPHA_ZERO, ALPHA_TEXTURE, ALPHA_RASTER, ALPHA_ZERO]);
    (tev.blend, tev.translucent) = (BlendMode::default(), true);
    (tev.alpha_compare.compare0, tev.alpha_compare.reference0) = (Compare::GreaterOrEqual, 100);
    (tev.alpha_compare.op, tev.alpha_compare.compare1) = (AlphaOp::And, Compare::Always);
    let (file, look) = export(&tested);
    assert!(note_of(&file).contains("its vertex colours are exported as factors"), "{:?}", file.notes);
    assert_eq!(look.material(0).alpha_mode(), gltf::material::AlphaMode::Blend);
    let primitive = look.back.document.meshes().next().unwrap().primitives().next().unwrap();
    let colors: Vec<[f32; 4]> =
        primitive.reader(|_| Some(&look.back.blob)).read_colors(0).unwrap().into_rgba_f32().collect();
    assert_eq!(colors.iter().map(|color| (color[3] * 255.0).round()).collect::<Vec<_>>(), [0.0, 50.0, 128.0, 255.0]);
    for (triangle, shares) in places() {
        let Some(expected) = expected(&tested, triangle, shares) else { continue };
        let shown = look.shown(&primitive, triangle, shares);
        assert!(shown.alpha.is_some_and(|alpha| (alpha * 255.0 - f32::from(expected[3])).abs() < 2.0), "{shown:?}");
    }
}

#[test]
fn colours_of_vertices_are_linear_in_the_file() {
    let look = export(&tinted([[127, 6, 4, 9], [128, 5, 4, 9], [220, 30, 90, 0], [10, 60, 4, 0]])).1;
    let mesh = look.back.document.meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&look.back.blob));
    let colors: Vec<[f32; 4]> = reader.read_colors(0).unwrap().into_rgba_f32().collect();
    // IEC 61966-2-1: 128 of 255 is 0.21586, 5 is 5 / 255 / 12.92; dark colours keep their steps.
    let wanted = [0.215_860_5, 0.001_517_7, 0.001_214_1, 1.0];
    assert!(colors[1].iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{:?}", colors[1]);
    assert!(colors[0][1] > colors[1][1] && colors[0][0] < colors[1][0]);
}

#[test]
fn alpha_of_vertices_fades() {
    let mut tev = opaque(
        plain(&[0]),
        vec![stage(1, 0, [ZERO, ZERO, ZERO, TEXTURE], [ALPHA_ZERO, ALPHA_TEXTURE, ALPHA_RASTER, ALPHA_ZERO])],
    );
    tev.channels = [ChannelControl { material_from_vertex: true, ..ChannelControl::default() }; 4];
    (tev.blend, tev.translucent) = (BlendMode::default(), true);
    let textures = vec![texture(&mask(32), Wrap::Clamp), texture(&colors(32), Wrap::Clamp)];
    let fading = model(tev, textures, Mesh { colors: TINTS.to_vec(), ..square(&[one()]) });
    let look = assert_arrives(&fading);
    assert!(has_colors(&look));
}

#[test]
fn lamps_shine_on_what_has_lit_channels() {
    let mut tev = opaque(plain(&[0]), vec![stage(1, 0, [ZERO, TEXTURE, RASTER, ZERO], ALPHA_ONE)]);
    let textures = || vec![texture(&mask(32), Wrap::Clamp), texture(&colors(32), Wrap::Clamp)];
    let look = assert_arrives(&model(tev.clone(), textures(), square(&[one()])));
    assert!(look.material(0).unlit());
    tev.channels[0] = ChannelControl { lit: true, light_mask: 1, ..ChannelControl::default() };
    let look = assert_arrives(&model(tev.clone(), textures(), square(&[one()])));
    let pbr = look.material(0);
    assert!(!pbr.unlit());
    let pbr = pbr.pbr_metallic_roughness();
    assert_eq!((pbr.metallic_factor(), pbr.roughness_factor()), (0.0, 1.0));
    // A lit channel that no stage looks at.
    tev.stages[0].color = Combiner::adding([ZERO, ZERO, ZERO, TEXTURE]);
    let look = assert_arrives(&model(tev.clone(), textures(), square(&[one()])));
    assert!(look.material(0).unlit());
    // Light as the coordinate of a ramp: its bright end.
    tev.texgens = vec![TexGen { kind: 10, source: 19, matrix: 60 }, TexGen { kind: 1, source: 4, matrix: 60 }];
    tev.stages = vec![
        stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE),
        stage(1, 1, [ZERO, TEXTURE, PREVIOUS, ZERO], ALPHA_ONE),
    ];
    let look = assert_arrives(&model(tev, textures(), square(&[one()])));
    assert!(!look.material(0).unlit());
}

/// Channel 0 is a diffuse red, and a highlight in channel 1 is added to it.
fn coin() -> TevMaterial {
    let mut tev = opaque(
        plain(&[0]),
        vec![
            stage(0, 0, [ZERO, ZERO, ZERO, RASTER], ALPHA_ONE),
            TevStage { channel: 5, ..stage(0, 0, [RASTER, ZERO, ZERO, PREVIOUS], ALPHA_ONE) },
        ],
    );
    let lit = |light_mask, attenuation| ChannelControl {
        lit: true,
        light_mask,
        attenuation,
        diffuse: Diffuse::Signed,
        ..ChannelControl::default()
    };
    tev.channel_count = 2;
    tev.channels[0] = lit(1, Attenuation::None);
    tev.channels[2] = lit(4, Attenuation::Specular);
    tev.material_colors = [[200, 30, 20, 255], [255; 4]];
    tev.ambient_colors = [[50; 4], [16, 32, 48, 255]];
    tev
}

/// Colour and shading worked out by hand from formats/j3d-materials.md §8.1a: a specular channel has its ambient light alone.
#[test]
fn highlights_do_not_whiten_base_colours() {
    let shown = |tev: TevMaterial| {
        let look = export(&model(tev, vec![texture(&colors(32), Wrap::Clamp)], square(&[one()]))).1;
        assert_eq!(base(&look), "color");
        let primitive = look.back.document.meshes().next().unwrap().primitives().next().unwrap();
        let color = look.shown(&primitive, 0, [0.3, 0.3, 0.4]).color;
        (color.map(|value| value.round() as u8), look.material(0).unlit())
    };
    // (255·16)>>8 = 15, (255·32)>>8 = 31 and (255·48)>>8 = 47 of the second are added to 200, 30 and 20.
    assert_eq!(shown(coin()), ([215, 61, 67], false));
    // Diffuse light in its place is white, and so was the coin.
    let mut diffuse = coin();
    diffuse.channels[2].attenuation = Attenuation::Spot;
    assert_eq!(shown(diffuse), ([255; 3], false));
    // A highlight alone shades nothing: (200·50)>>8 = 39, (30·50)>>8 = 5, (20·50)>>8 = 3, and 15, 31, 47 as above.
    let mut alone = coin();
    alone.channels[0].attenuation = Attenuation::Specular;
    assert_eq!(shown(alone), ([54, 36, 50], true));
}

#[test]
fn materials_that_look_the_same_share_one_picture() {
    const COUNT: u32 = 15;
    // What is reflected has another mean on each mesh, and each mesh uses a little more of the texture.
    let texgens = vec![TexGen { kind: 1, source: 1, matrix: 30 }, TexGen { kind: 1, source: 4, matrix: 60 }];
    let stages = vec![
        stage(0, 0, [ZERO, TEXTURE, KONST, ZERO], ALPHA_ONE),
        stage(1, 1, [ZERO, TEXTURE, KONST, PREVIOUS], ALPHA_ONE),
    ];
    let mut tev = opaque(texgens, stages);
    tev.texture_matrices[0] = Some(TextureMatrix { map_mode: MapMode::EnvironmentOld, ..TextureMatrix::default() });
    (tev.stages[0].konst_color, tev.stages[1].konst_color) = (6, 4);
    let mesh = |index: u32| {
        let high = 1.0 + index as f32 / 50.0;
        let normal = Vec3::new(0.0, index as f32 / 10.0 - 0.7, 1.0).normalize_or_zero();
        let surfaces = vec![Surface { first_index: 0, index_count: 6, material: index }];
        Mesh { surfaces, normals: vec![normal; 4], ..square(&[[Vec2::ZERO, Vec2::splat(high)]]) }
    };
    let textures = || vec![texture(&mask(64), Wrap::Clamp), texture(&colors(256), Wrap::Clamp)];
    let mut all = model(tev.clone(), textures(), mesh(0));
    // Each has textures of its own, with the same pixels, and state that no pixel depends on.
    for index in 1..COUNT {
        let mut tev = tev.clone();
        tev.textures = [Some(2 * index), Some(2 * index + 1), None, Some(0), None, None, None, None];
        tev.fog.start = index as f32;
        all.materials.push(Material { name: format!("skin {index}"), kind: MaterialKind::Tev(Box::new(tev)) });
        all.meshes.push(mesh(index));
        all.textures.extend(textures());
    }
    all.images = all.textures.iter().map(|texture| texture.mips[0].clone()).collect();
    let (file, look) = export(&all);
    let document = &look.back.document;
    assert_eq!((document.materials().count(), document.images().count()), (15, 1));
    assert!((0..15).all(|index| look.extras(index)["j3d"]["baseColor"]["from"] == "picture"));
    let alone = |index: u32| {
        let mesh = Mesh { surfaces: square(&[one()]).surfaces, ..mesh(index) };
        export(&model(tev.clone(), textures(), mesh)).0.bytes.len()
    };
    let apart: usize = (0..COUNT).map(alone).sum();
    println!("together {} bytes, apart {apart} bytes", file.bytes.len());
    assert!(file.bytes.len() * 4 < apart, "{} of {apart}", file.bytes.len());
    // A constant that is seen: a picture of its own.
    if let MaterialKind::Tev(tev) = &mut all.materials[3].kind {
        tev.konst[0] = [90, 255, 10, 255];
        tev.stages[1].konst_color = 12;
    }
    assert_eq!(export(&all).1.back.document.images().count(), 2);
}

#[test]
fn textures_of_the_same_pixels_are_written_once() {
    let tev = opaque(plain(&[0]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    let of = |second: Arc<Image>| {
        let textures = vec![texture(&colors(128), Wrap::Repeat), texture(&second, Wrap::Repeat)];
        let mut model = model(tev.clone(), textures, square(&[one()]));
        let mut other = tev.clone();
        other.textures[0] = Some(1);
        model.materials.push(Material { name: "other".into(), kind: MaterialKind::Tev(Box::new(other)) });
        let surfaces = vec![Surface { first_index: 0, index_count: 6, material: 1 }];
        model.meshes.push(Mesh { surfaces, ..square(&[one()]) });
        export(&model).1.back.document.images().count()
    };
    let same = Image { name: "another name".into(), ..(*colors(128)).clone() };
    assert_eq!((of(Arc::new(same)), of(mask(128))), (1, 2));
}

#[test]
fn triangles_are_divided_for_colours_between_their_corners() {
    // A point far away makes the square small: its triangles stay.
    let of = |dark: u8, bright: u8, far: f32| {
        let mut model = tinted([[dark, dark, dark, 255], [bright; 4], [bright; 4], [dark, dark, dark, 255]]);
        model.meshes[0].points.push(Vec3::X * far);
        let (file, look) = export(&model);
        let notes: Vec<String> =
            file.notes.iter().filter(|note| note.contains("colours between vertices")).map(|n| n.to_string()).collect();
        let mesh = look.back.document.meshes().next().unwrap();
        let indices = mesh.primitives().next().unwrap().indices().unwrap().count();
        (notes.join("; "), indices > 6, distance(&model, &look))
    };
    let (notes, is_divided, away) = of(0, 255, 1.0);
    assert!(notes.starts_with("the mesh “square” has subdivided triangles") && is_divided, "{notes}");
    assert!(away < MULTIPLIED, "{away}");
    // At a quarter between black and white: 1.055 · 0.25^(1/2.4) − 0.055 − 0.25 = 0.2871.
    let (notes, is_divided, away) = of(0, 255, 1000.0);
    assert!(notes.starts_with("colours between vertices are up to 73/255 lighter") && !is_divided, "{notes}");
    assert!(away > 2.0 * MULTIPLIED, "{away}");
    assert_eq!(of(100, 130, 1.0).0, "");
}

/// A clip in which K2 of the material fades from 255 to 55.
fn fading(model: &Model) -> (Clip, Binding) {
    let channel = |part: u8| {
        let keys = Keys::Scalar((0..4).map(|n| 255.0 - 50.0 * n as f32).collect());
        let target = Target::Konst { material: ClipMaterial(0), konst: 2, part };
        Channel { target, sampler: Sampler::every_frame(keys), unit: Unit::Color8, muted: false }
    };
    let channels = (0..3).map(channel).collect();
    let materials = ["skin".to_owned()].into();
    let clip = Clip { name: "fade".into(), frame_count: 4, rate_hz: 30.0, channels, materials, ..Clip::default() };
    let binding = Binding::new(&clip, model, BindingOptions::default());
    (clip, binding)
}

/// Blender's importer (5.0) ends at pointers to the base colours of opaque unlit materials, and of lit ones that have a texture.
#[test]
fn colours_change_where_blender_can_read_it() {
    let mut tev = opaque(plain(&[0]), vec![stage(1, 0, [ZERO, TEXTURE, KONST, ZERO], ALPHA_ONE)]);
    tev.stages[0].konst_color = 14;
    let exported = |tev: &TevMaterial| {
        let textures = vec![texture(&mask(32), Wrap::Repeat), texture(&colors(32), Wrap::Repeat)];
        let model = model(tev.clone(), textures, square(&[one()]));
        let (clip, binding) = fading(&model);
        let bound = [BoundClip { clip: &clip, binding: &binding }];
        let file = glb_with(&model, bound.as_slice(), &GlbOptions::default(), Room::all()).unwrap();
        let json = Look::new(&file.bytes).back.json;
        let pointer = json["animations"][0]["channels"][0]["target"]["extensions"]["KHR_animation_pointer"].clone();
        (file.notes, json["materials"][0].clone(), pointer["pointer"].clone())
    };
    let factor = serde_json::json!("/materials/0/pbrMetallicRoughness/baseColorFactor");
    // Everything passes the test: as opaque as before.
    let (notes, material, pointer) = exported(&tev);
    assert!(matches!(notes.as_slice(), [only] if only.contains("three.js does not play")), "{notes:?}");
    assert_eq!((&material["alphaMode"], &material["alphaCutoff"]), (&"MASK".into(), &0.0.into()));
    assert_eq!(pointer, factor);
    tev.stages[0].color = Combiner::adding([ZERO, KONST, RASTER, ZERO]);
    tev.channels[0] = ChannelControl { lit: true, light_mask: 1, ..ChannelControl::default() };
    let (notes, material, pointer) = exported(&tev);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(material["extensions"].is_null() && pointer == factor, "{material}");
    // Lit, and with a texture.
    let mut second = stage(1, 0, [ZERO, PREVIOUS, TEXTURE, ZERO], ALPHA_ONE);
    second.konst_alpha = 0;
    tev.stages.push(second);
    let (notes, material, pointer) = exported(&tev);
    assert!(material["pbrMetallicRoughness"]["baseColorTexture"].is_object() && pointer.is_null(), "{material}");
    assert!(
        matches!(notes.as_slice(), [only] if only.contains("lit materials with a texture or vertex colours (skin)")),
        "{notes:?}"
    );
}

#[test]
fn faces_are_seen_from_where_the_file_says() {
    let of = |cull| {
        let mut tev = opaque(plain(&[0]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
        tev.cull = cull;
        let look = export(&model(tev, vec![texture(&colors(32), Wrap::Clamp)], square(&[one()]))).1;
        let mesh = look.back.document.meshes().next().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        let indices: Vec<u32> =
            primitive.reader(|_| Some(&look.back.blob)).read_indices().unwrap().into_u32().collect();
        let alpha = primitive.material().pbr_metallic_roughness().base_color_factor()[3];
        (primitive.material().double_sided(), indices, alpha)
    };
    let usual = vec![0, 1, 2, 0, 2, 3];
    assert_eq!(of(CullMode::Back), (false, usual.clone(), 1.0));
    assert_eq!(of(CullMode::None), (true, usual.clone(), 1.0));
    assert_eq!(of(CullMode::Front), (false, vec![0, 2, 1, 0, 3, 2], 1.0));
    assert_eq!(of(CullMode::All), (false, usual, 0.0));
}

#[test]
fn ways_of_blending_that_gltf_lacks_are_named() {
    let mut tev = opaque(plain(&[0]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    tev.blend = BlendMode { kind: 1.into(), source: 1.into(), destination: 1.into(), ..BlendMode::default() };
    let (file, look) = export(&model(tev, vec![texture(&colors(32), Wrap::Clamp)], square(&[one()])));
    assert_eq!(look.extras(0)["blend"], "additive");
    assert!(note_of(&file).contains("additive"), "{:?}", file.notes);
    // Colour times alpha is what is added.
    let (picture, source) = (look.picture(0).unwrap(), colors(32));
    for (pixel, texel) in picture.pixels().zip(source.rgba.chunks_exact(4)) {
        let [r, g, b, a] = pixel.0.map(u32::from);
        assert_eq!(a, u32::from(*texel[..3].iter().max().unwrap()));
        assert!(
            [r, g, b].iter().zip(texel).all(|(c, t)| (c * a / 255).abs_diff(u32::from(*t)) <= 1),
            "{pixel:?} {texel:?}"
        );
    }
}

#[test]
fn the_whole_material_is_in_the_extras() {
    let mut tev = opaque(
        vec![TexGen { kind: 1, source: 4, matrix: 30 }],
        vec![stage(1, 0, [ZERO, TEXTURE, RASTER, ZERO], [ALPHA_ZERO, ALPHA_TEXTURE, ALPHA_RASTER, ALPHA_ZERO])],
    );
    tev.texture_matrices[0] = Some(TextureMatrix { scale: [2.0, f32::NAN], ..TextureMatrix::default() });
    (tev.registers[0], tev.konst[3]) = ([-5, 300, 0, 1], [9, 8, 7, 6]);
    let textures = vec![texture(&mask(32), Wrap::Clamp), texture(&colors(32), Wrap::Mirror)];
    let j3d = export(&model(tev, textures, square(&[one()]))).1.extras(0)["j3d"].clone();
    assert_eq!(j3d["stages"][0]["color"]["inputs"], serde_json::json!(["ZERO", "TEXC", "RASC", "ZERO"]));
    assert_eq!(j3d["stages"][0]["alpha"]["inputs"], serde_json::json!(["ZERO", "TEXA", "RASA", "ZERO"]));
    assert_eq!(
        (&j3d["registers"][0], &j3d["konst"][3]),
        (&serde_json::json!([-5, 300, 0, 1]), &serde_json::json!([9, 8, 7, 6]))
    );
    assert_eq!(j3d["texgens"][0], serde_json::json!({ "type": "MTX2x4", "source": "TEX0", "matrix": "TEXMTX0" }));
    assert_eq!(j3d["textureMatrices"][0]["scale"], serde_json::json!([2.0, 0.0]));
    assert_eq!(j3d["textures"][1]["name"], "colors");
    assert_eq!(j3d["textures"][1]["wrap"], serde_json::json!(["MIRROR", "MIRROR"]));
    assert_eq!((&j3d["cull"], &j3d["blend"]["type"]), (&serde_json::json!("BACK"), &serde_json::json!("NONE")));
    assert_eq!(j3d["alphaCompare"], serde_json::json!(["ALWAYS", 0, "AND", "ALWAYS", 0]));
}

#[test]
fn pictures_that_are_the_same_are_written_once_and_take_room() {
    let mut tev = opaque(plain(&[0]), vec![stage(0, 0, [C0, C1, TEXTURE, ZERO], ALPHA_ONE)]);
    tev.registers[1] = [240, 210, 30, 255];
    let textures = vec![texture(&mask(256), Wrap::Repeat), texture(&colors(32), Wrap::Repeat)];
    let mut twice = model(tev, textures, square(&[one()]));
    twice.materials.push(twice.materials[0].clone());
    twice
        .meshes
        .push(Mesh { surfaces: vec![Surface { first_index: 0, index_count: 6, material: 1 }], ..square(&[one()]) });
    let (file, look) = export(&twice);
    assert_eq!((look.back.document.materials().count(), look.back.document.images().count()), (2, 1));
    assert_eq!(file.bytes, export(&twice).0.bytes);
    let small = Room::new("a", 500);
    let none: &[BoundClip<'_>] = &[];
    let error = glb_with(&twice, none, &GlbOptions::default(), small).unwrap_err();
    assert!(matches!(error, bonebox::export::ExportError::OverBudget { .. }), "{error}");
}

#[test]
fn the_khronos_validator_accepts_any_material() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for seed in 0..24 {
        let mut noise = Noise::new(seed);
        let wraps = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];
        let textures: Vec<Arc<Texture>> =
            (0..4).map(|n| texture(&if n % 2 == 0 { mask(8) } else { colors(16) }, wraps[noise.below(3)])).collect();
        let mut mesh = square(&[[Vec2::splat(-noise.unit() * 3.0), Vec2::splat(2.0)], one()]);
        mesh.colors = (0..4).map(|_| noise.color()).collect();
        if noise.coin() {
            mesh.second_colors = (0..4).map(|_| noise.color()).collect();
            mesh.tangents = vec![[Vec3::X, Vec3::Y]; 4];
        }
        // Its picture has to stay small for a test.
        let mut tev = any_material(&mut noise);
        tev.stages.truncate(3);
        for matrix in tev.texture_matrices.iter_mut().flatten() {
            matrix.scale = matrix.scale.map(|scale| scale.clamp(-2.0, 2.0));
        }
        let any = model(tev, textures, mesh);
        let (file, look) = export(&any);
        assert!(file.notes.iter().all(|note| note.contains("is approximated")), "{:?}", file.notes);
        assert!(look.extras(0)["j3d"].is_object());
        let path = folder.path().join(format!("{seed}.glb"));
        std::fs::write(&path, &file.bytes).unwrap();
        files.push(path);
    }
    khronos_validate(&files);
}
