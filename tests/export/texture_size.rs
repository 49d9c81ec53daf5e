//! Small textures in GLB: read back, they give the colours of the game's own ones at the same coordinates, and those that the game shows
//! when they are mixed as linear light.

use super::materials::{ALPHA_ONE, KONST, PREVIOUS, TEXTURE, ZERO, distance, model, one, opaque, plain, square, stage};
use crate::kit::{Noise, gltf_look::Look, read_back::khronos_validate};
use bonebox::{
    export::glb::{BoundClip, Glb, GlbOptions, Room, TextureSize, glb_with},
    scene::{
        BasicMaterial, Image, Material, MaterialKind, Model,
        gx::{TevStage, Texture, Wrap},
    },
};
use glam::Vec2;
use image::RgbaImage;
use std::sync::Arc;

/// The first constant, as stages name it.
const K0: u8 = 12;
const WRAPS: [Wrap; 3] = [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror];

fn export(model: &Model, texture_size: TextureSize) -> (Glb, Look) {
    let none: &[BoundClip<'_>] = &[];
    let options = GlbOptions { texture_size, ..GlbOptions::default() };
    let file = glb_with(model, none, &options, Room::all()).unwrap();
    let look = Look::new(&file.bytes);
    (file, look)
}

fn picture(width: u32, height: u32, texel: impl FnMut(u32) -> [u8; 4]) -> Arc<Image> {
    let rgba: Vec<u8> = (0..width * height).flat_map(texel).collect();
    Arc::new(Image { name: "small".into(), width, height, rgba: rgba.into(), stored_as: "test".into() })
}

fn noise(width: u32, height: u32) -> Arc<Image> {
    let mut noise = Noise::new(u64::from(width * 1000 + height));
    picture(width, height, |_| std::array::from_fn(|_| noise.below(256) as u8))
}

fn checker(size: u32) -> Arc<Image> {
    picture(
        size,
        size,
        |n| if (n % size + n / size).is_multiple_of(2) { [250, 230, 255, 255] } else { [10, 40, 0, 255] },
    )
}

/// A square with a texture of the GameCube's chip as it is.
fn with_texture(image: &Arc<Image>, [wrap_s, wrap_t]: [Wrap; 2], uvs: [Vec2; 2]) -> Model {
    let texture = Texture { mips: vec![image.clone()], wrap_s, wrap_t, ..Texture::default() };
    let tev = opaque(plain(&[0]), vec![stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE)]);
    model(tev, vec![Arc::new(texture)], square(&[uvs]))
}

/// A square with a picture that repeats.
fn basic(images: &[Arc<Image>], materials: &[BasicMaterial]) -> Model {
    let material = |basic: &BasicMaterial| Material { name: "wall".into(), kind: MaterialKind::Basic(*basic) };
    let mesh = |material: usize| {
        let mut mesh = square(&[one()]);
        mesh.surfaces[0].material = material as u32;
        mesh
    };
    Model {
        images: images.to_vec(),
        materials: materials.iter().map(material).collect(),
        meshes: (0..materials.len()).map(mesh).collect(),
        ..Model::empty("walls")
    }
}

/// Four texels mixed as they are stored.
fn stored(image: &RgbaImage, wraps: [Wrap; 2], [u, v]: [f64; 2]) -> [f64; 4] {
    let (width, height) = image.dimensions();
    let within = |texel: i64, side: u32, wrap: Wrap| {
        let side = i64::from(side);
        (match wrap {
            Wrap::Clamp => texel.clamp(0, side - 1),
            Wrap::Repeat => texel.rem_euclid(side),
            Wrap::Mirror => {
                let turn = texel.rem_euclid(side * 2);
                turn.min(side * 2 - 1 - turn)
            }
        }) as u32
    };
    let (x, y) = (u * f64::from(width) - 0.5, v * f64::from(height) - 0.5);
    let mut out = [0.0; 4];
    for (right, below) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let share = |place: f64, second: i64| {
            let along = place - place.floor();
            if second == 1 { along } else { 1.0 - along }
        };
        let column = within(x.floor() as i64 + right, width, wraps[0]);
        let row = within(y.floor() as i64 + below, height, wraps[1]);
        for (out, value) in out.iter_mut().zip(image.get_pixel(column, row).0) {
            *out += f64::from(value) * share(x, right) * share(y, below);
        }
    }
    out
}

fn pixels(image: &Image) -> RgbaImage {
    RgbaImage::from_raw(image.width, image.height, image.rgba.to_vec()).unwrap()
}

#[test]
fn the_larger_texture_has_the_colours_of_the_small_one_everywhere() {
    for (width, height) in [(8, 8), (2, 16), (5, 3), (32, 64), (1, 7), (16, 200)] {
        let small = noise(width, height);
        for wraps in WRAPS.into_iter().flat_map(|s| WRAPS.map(|t| [s, t])) {
            let (file, look) = export(&with_texture(&small, wraps, one()), TextureSize::Enlarged);
            let large = look.picture(0).unwrap();
            let times = [large.width() / width, large.height() / height];
            assert!(times != [1, 1] && times.iter().all(|times| times % 2 == 1), "{width} × {height}: {times:?}");
            for (x, y, pixel) in pixels(&small).enumerate_pixels() {
                let middle = large.get_pixel(x * times[0] + times[0] / 2, y * times[1] + times[1] / 2);
                assert_eq!(pixel, middle, "texel {x}, {y} of {width} × {height}");
            }
            let mut noise = Noise::new(7);
            for _ in 0..2000 {
                let uv = [0; 2].map(|_| noise.below(1 << 20) as f64 / f64::from(1 << 18) - 1.5);
                let (wanted, found) = (stored(&pixels(&small), wraps, uv), stored(large, wraps, uv));
                let away = wanted.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(away < 0.501, "{width} × {height}, {wraps:?} at {uv:?}: {wanted:?}, {found:?}");
            }
            assert!(matches!(file.notes.as_slice(), [only] if only.contains("a small texture is")), "{:?}", file.notes);
            assert_eq!(look.back.json["images"][0]["extras"]["original_size"], serde_json::json!([width, height]));
        }
    }
}

#[test]
fn linear_light_shows_what_the_chip_shows() {
    for wrap in WRAPS {
        let model = with_texture(&checker(8), [wrap; 2], one());
        let [enlarged, original] = [TextureSize::Enlarged, TextureSize::Original].map(|size| {
            let (_, look) = export(&model, size);
            distance(&model, &look)
        });
        assert!(enlarged < 3.0 && original > 20.0, "{wrap:?}: {enlarged}, {original}");
    }
}

#[test]
fn pictures_of_a_combiner_are_made_with_more_texels() {
    let texture = |image: &Arc<Image>| {
        Arc::new(Texture { mips: vec![image.clone()], wrap_s: Wrap::Repeat, wrap_t: Wrap::Clamp, ..Texture::default() })
    };
    let stages = vec![
        stage(0, 0, [ZERO, ZERO, ZERO, TEXTURE], ALPHA_ONE),
        // What was there, and half of the second one over it.
        TevStage { konst_color: K0, ..stage(1, 0, [PREVIOUS, TEXTURE, KONST, ZERO], ALPHA_ONE) },
    ];
    let mut tev = opaque(plain(&[0]), stages);
    tev.konst[0] = [128; 4];
    let model = model(tev, vec![texture(&checker(8)), texture(&noise(8, 8))], square(&[one()]));
    let (file, look) = export(&model, TextureSize::Enlarged);
    assert_eq!(look.extras(0)["j3d"]["baseColor"]["from"], "picture");
    assert_eq!(look.picture(0).unwrap().dimensions(), (72, 72));
    assert_eq!(look.back.json["images"][0]["extras"]["original_size"], serde_json::json!([8, 8]));
    assert!(file.notes.iter().any(|note| note.contains("a small texture is")), "{:?}", file.notes);
    let (_, kept) = export(&model, TextureSize::Original);
    assert_eq!(kept.picture(0).unwrap().dimensions(), (8, 8));
    let (enlarged, original) = (distance(&model, &look), distance(&model, &kept));
    assert!(enlarged < 3.0 && original > 10.0, "{enlarged}, {original}");
}

#[test]
fn each_picture_is_enlarged_once_and_only_where_it_is_filtered() {
    let of = |image, nearest| BasicMaterial { image: Some(image), nearest, ..BasicMaterial::default() };
    let images = [checker(8), checker(64), picture(8, 8, |n| [100 + n as u8, 90, 80, 255])];
    let materials = [of(0, false), of(0, true), of(0, false), of(1, false), of(2, false), of(2, true)];
    let model = basic(&images, &materials);
    let (file, look) = export(&model, TextureSize::Enlarged);
    let sizes = |look: &Look| (0..materials.len()).map(|n| look.picture(n).unwrap().width()).collect::<Vec<_>>();
    assert_eq!(sizes(&look), [72, 8, 72, 64, 8, 8]);
    assert_eq!(look.back.document.images().count(), 4, "the small one twice, each other one once");
    assert_eq!(file.notes.len(), 1, "{:?}", file.notes);
    let (file, look) = export(&model, TextureSize::Original);
    assert_eq!((sizes(&look), look.back.document.images().count()), (vec![8, 8, 8, 64, 8, 8], 3));
    assert_eq!(look.picture(0).unwrap().as_raw().as_slice(), &*images[0].rgba);
    assert!(
        file.notes.is_empty() && !file.bytes.windows(13).any(|bytes| bytes == b"original_size"),
        "{:?}",
        file.notes
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walls.glb");
    std::fs::write(&path, &export(&model, TextureSize::Enlarged).0.bytes).unwrap();
    khronos_validate(&[path]);
}
