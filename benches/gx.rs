//! FIGURES.md P8: textures of the GX chip decoded into a reused buffer, and Yaz0 streams; P14: materials that are baked for GLB.

use bonebox::{
    bytes::{Endian, Source},
    export::glb::glb,
    formats::{
        archive::{Method, encode::encode_yaz0},
        field_reader::FieldReader,
        gx::texture::{Format, Palette, PaletteFormat, decode_into, size_of},
    },
    scene::{
        Image, Material, MaterialKind, Mesh, Model, Surface,
        gx::{Combiner, TevMaterial, TevStage, TexGen, Texture, Wrap},
    },
};
use divan::{Bencher, counter::BytesCount};
use glam::{Vec2, Vec3};
use std::sync::Arc;

const SIDE: u32 = 1024;

fn main() {
    divan::main();
}

/// P8: 1024 × 1024 pixels, one thread. Counted is the output, 4 MiB.
#[divan::bench(args = Format::ALL, sample_count = 200)]
fn texture_of_1024(bencher: Bencher, format: Format) {
    let size = size_of(format, SIDE, SIDE).expect("it is small");
    let data = noise(size);
    let palette = Palette::decode(PaletteFormat::Rgb5a3, &noise(0x8000));
    let mut out = Vec::new();
    bencher.counter(BytesCount::new((SIDE * SIDE * 4) as usize)).bench_local(|| {
        decode_into(format, SIDE, SIDE, divan::black_box(&data), Some(&palette), &mut out).expect("it is whole")
    });
}

/// P8: a stream of 450 KB, as an archive of a model with its textures is: tables of small numbers that rise, vertices, blocks of
/// colours that repeat, and a part that is noise. Counted is the output.
#[divan::bench(sample_count = 200)]
fn yaz0_of_450_kb(bencher: Bencher) {
    let plain = archive_like(450_000);
    let packed = Source::from(encode_yaz0(&plain));
    let mut reader = FieldReader::new(&packed, 0..packed.len() as u64, Endian::Big);
    let header = Method::Yaz0.read_header(&mut reader).expect("it is whole");
    let made = Method::Yaz0.decompress(&header, packed.as_slice(), usize::MAX);
    assert!(made.bytes == plain && made.stopped.is_none());
    println!("packed to {} of {} bytes", packed.len(), plain.len());
    bencher
        .counter(BytesCount::new(plain.len()))
        .bench_local(|| Method::Yaz0.decompress(&header, divan::black_box(packed.as_slice()), usize::MAX));
}

/// P14: a GLB of a square whose material mixes two textures of 256 × 256 by a third stage: choosing, baking and encoding its
/// picture.
#[divan::bench(sample_count = 100)]
fn material_of_256_baked(bencher: Bencher) {
    let model = baked_square();
    assert!(glb(&model, &[]).is_ok_and(|file| file.notes.is_empty()));
    bencher.bench(|| glb(divan::black_box(&model), &[]));
}

fn baked_square() -> Model {
    let texture = |name: &str, turn: u32| {
        let texel = |n: u32| {
            let (x, y) = (n % 256, n / 256);
            [x as u8, y as u8, ((x + y * turn) / (turn + 1)) as u8, 255]
        };
        let rgba: Vec<u8> = (0..256 * 256).flat_map(texel).collect();
        let image = Image { name: name.into(), width: 256, height: 256, rgba: rgba.into(), stored_as: "made".into() };
        let (wrap_s, wrap_t) = (Wrap::Repeat, Wrap::Repeat);
        Arc::new(Texture { name: name.into(), mips: vec![Arc::new(image)], wrap_s, wrap_t, ..Texture::default() })
    };
    let stage = |map: u8, color: [u8; 4]| TevStage {
        color: Combiner::adding(color),
        tex_coord: Some(0),
        texture: Some(map),
        channel: 4,
        ..TevStage::default()
    };
    let mut tev = TevMaterial { channel_count: 1, ..TevMaterial::default() };
    // One texture; the other where the first says; both darkened by the first's red.
    tev.stages = vec![stage(0, [15, 15, 15, 8]), stage(1, [0, 8, 0, 15]), stage(0, [15, 0, 8, 15])];
    tev.texgens = vec![TexGen { kind: 1, source: 4, matrix: 60 }];
    (tev.textures[0], tev.textures[1]) = (Some(0), Some(1));
    let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let mesh = Mesh {
        points: corners.map(|corner| corner.extend(0.0)).to_vec(),
        vertex_points: (0..4).collect(),
        normals: vec![Vec3::Z; 4],
        uv_sets: vec![corners.to_vec()],
        indices: vec![0, 1, 2, 0, 2, 3],
        surfaces: vec![Surface { first_index: 0, index_count: 6, material: 0 }],
        ..Mesh::default()
    };
    let textures = vec![texture("first", 1), texture("second", 3)];
    Model {
        meshes: vec![mesh],
        materials: vec![Material { name: "wall".into(), kind: MaterialKind::Tev(Box::new(tev)) }],
        images: textures.iter().map(|texture| texture.mips[0].clone()).collect(),
        textures,
        ..Model::empty("square")
    }
}

fn archive_like(size: usize) -> Vec<u8> {
    let random = noise(size);
    let mut bytes = Vec::with_capacity(size);
    while bytes.len() < size {
        let n = bytes.len();
        match (n / 4096) % 4 {
            // Indices that rise, four bytes each.
            0 => (0..1024_u32).for_each(|i| bytes.extend_from_slice(&[9, (i >> 8) as u8, i as u8, 0xFF])),
            // Coordinates: a slope with noise in the low bits.
            1 => (0..2048_u32).for_each(|i| {
                let value = (i * 13) as u16 ^ u16::from(random[(n + i as usize) % size] & 3);
                bytes.extend_from_slice(&value.to_be_bytes());
            }),
            // Blocks of few colours.
            2 => (0..512_usize).for_each(|i| {
                let kind = usize::from(random[(n + i) % size] & 7);
                bytes.extend_from_slice(&[0xF8, kind as u8, 0, 0x1F, 0x1B, 0xE4, (kind * 17) as u8, 0xFF]);
            }),
            // A quarter of it cannot be packed.
            _ => bytes.extend((0..4096).map(|i| random[(n + i) % size])),
        }
    }
    bytes.truncate(size);
    bytes
}

/// Bytes that look random and are the same in every run.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x2545_F491_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    };
    std::iter::repeat_with(next).take(count).collect()
}
