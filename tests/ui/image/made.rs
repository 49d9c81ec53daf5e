//! Pictures made for the tests.

use bonebox::scene::{
    BlockKind, FlipBook, Font, FontPage, Glyph, Image, Palette, Picture, PictureForm, StoredPixels,
    procedural::{Fire, Procedural, Program, Spark, SparkKind},
};
use std::sync::Arc;

pub fn palette() -> Arc<Palette> {
    let colors = (0..=255_u8).map(|i| [i, (i / 2).wrapping_add(i / 16 * 4), 255 - i, 255]).collect();
    Arc::new(Palette { name: "Warm".into(), colors })
}

fn indices(side: u32, phase: f32) -> Arc<[u8]> {
    let at = |i: u32| {
        let (x, y) = ((i % side) as f32 / side as f32 - 0.5, (i / side) as f32 / side as f32 - 0.5);
        let distance = (x * x + y * y).sqrt();
        if distance > 0.48 { 0 } else { (128.0 + 120.0 * (distance * 24.0 + phase).sin()) as u8 }
    };
    (0..side * side).map(at).collect::<Vec<u8>>().into()
}

fn image(name: &str, side: u32, indices: &[u8]) -> Arc<Image> {
    let palette = palette();
    let rgba: Vec<u8> = indices
        .iter()
        .flat_map(|i| {
            let [r, g, b, _] = palette.colors[usize::from(*i)];
            [r, g, b, if *i == 0 { 0 } else { 255 }]
        })
        .collect();
    Arc::new(Image { name: name.into(), width: side, height: side, rgba: rgba.into(), stored_as: "P8".into() })
}

pub fn picture() -> Arc<Picture> {
    let sides = [128, 64, 32, 16, 8, 4, 2, 1];
    let stored: Vec<Arc<[u8]>> = sides.iter().map(|side| indices(*side, 0.0)).collect();
    let mips: Vec<Arc<Image>> = sides.iter().zip(&stored).map(|(side, i)| image("Wall", *side, i)).collect();
    let blocks: Vec<Arc<[u8]>> =
        sides.iter().map(|s| vec![0; BlockKind::Bc1.size_of(*s, *s).unwrap()].into()).collect();
    Arc::new(Picture {
        name: "Wall".into(),
        forms: vec![
            PictureForm {
                name: "P8".into(),
                mips: mips.clone(),
                stored: StoredPixels::Indices(stored),
                has_alpha: false,
            },
            PictureForm {
                name: "DXT1".into(),
                mips,
                stored: StoredPixels::Blocks { kind: BlockKind::Bc1, mips: blocks },
                has_alpha: false,
            },
        ],
        preferred: 0,
        palette: Some(palette()),
        masked: true,
        used: None,
        flip_book: None,
        facts: vec![("UClamp".into(), "128".into()), ("LODSet".into(), "1".into())],
    })
}

pub fn flip_book() -> Arc<Picture> {
    let frames = (0..8).map(|i| image("Ripple", 64, &indices(64, i as f32 * 0.785))).collect();
    let mut picture = Picture::clone(&picture());
    picture.flip_book = Some(FlipBook { frames, rate_hz: 10.0 });
    Arc::new(picture)
}

/// 16 × 6 boxes of 8 × 12 pixels; each holds a frame and a dot for each bit of its number.
pub fn font() -> Arc<Font> {
    let (width, height) = (128_u32, 96_u32);
    let mut rgba = vec![0; (width * height * 4) as usize];
    let mut glyphs = Vec::new();
    for code in 0..128_i32 {
        let (x, y) = (code % 16 * 8, code / 16 * 12);
        glyphs.push(Glyph { x, y, width: 8, height: 12 });
        for bit in 0..8 {
            let on = code >> bit & 1 == 1;
            let (px, py) = (x + 1 + bit % 3 * 2, y + 2 + bit / 3 * 3);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let at = (((py + dy) * width as i32 + px + dx) * 4) as usize;
                if on && at + 4 <= rgba.len() {
                    rgba[at..at + 4].copy_from_slice(&[255, 255, 255, 255]);
                }
            }
        }
    }
    let image = Arc::new(Image { name: "Page0".into(), width, height, rgba: rgba.into(), stored_as: "P8".into() });
    Arc::new(Font {
        name: "SmallFont".into(),
        pages: vec![FontPage { image: Some(image), glyphs }],
        characters_per_page: 128,
    })
}

/// A fire of two kinds of spark; ten frames of it make a picture.
pub fn fire() -> Arc<Procedural> {
    let ramp = |i: u8| [i.saturating_mul(2), i.saturating_sub(64).saturating_mul(2), i.saturating_sub(128), 255];
    let base =
        (0..32).map(|i| Spark { kind: SparkKind::Burn, heat: 255, x: 32 + i * 2, y: 110, a: 0, b: 0, c: 0, d: 0 });
    let fountain = Spark { kind: SparkKind::Fountain, heat: 255, x: 64, y: 60, a: 150, b: 20, c: 60, d: 0 };
    Arc::new(Procedural {
        name: "Torch".into(),
        width: 128,
        height: 128,
        palette: Arc::new(Palette { name: "Flame".into(), colors: (0..=255).map(ramp).collect() }),
        masked: false,
        program: Program::Fire(Fire {
            sparks: base.chain([fountain]).collect(),
            render_heat: 235,
            rising: true,
            most_sparks: 200,
        }),
        prime_frames: 30,
        rate_hz: 30.0,
        facts: [("RenderHeat", "235"), ("bRising", "yes"), ("SparksLimit", "200")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
    })
}
