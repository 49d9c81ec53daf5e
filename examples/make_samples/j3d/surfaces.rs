//! Lumo's materials: combiner stages of textures, light and colours.

use super::pictures::number;
use bonebox::{
    formats::j3d::encode::Material,
    scene::gx::{
        AlphaCompare, AlphaOp, Attenuation, BlendFactor, BlendKind, BlendMode, ChannelControl, CombineScale, Combiner,
        Compare, CullMode, Diffuse, IndirectMatrix, IndirectOrder, IndirectStage, LogicOp, TevMaterial, TevStage,
        TexGen, TextureMatrix, ZMode,
    },
};

/// Inputs of colour combiners.
mod input {
    pub const CPREV: u8 = 0;
    pub const C0: u8 = 2;
    pub const C1: u8 = 4;
    pub const C2: u8 = 6;
    pub const TEXC: u8 = 8;
    pub const TEXA: u8 = 9;
    pub const RASC: u8 = 10;
    pub const ONE: u8 = 12;
    pub const KONST: u8 = 14;
    pub const ZERO: u8 = 15;
}

/// Inputs of alpha combiners.
mod alpha {
    pub const APREV: u8 = 0;
    pub const TEXA: u8 = 4;
    pub const RASA: u8 = 5;
    pub const KONST: u8 = 6;
    pub const ZERO: u8 = 7;
}

/// Where coordinates come from.
mod source {
    pub const NORMAL: u8 = 1;
    pub const TEX0: u8 = 4;
    pub const COLOR0: u8 = 19;
}

const IDENTITY: u8 = 60;
/// Selects 8/8 as constant.
const WHOLE: u8 = 0;
/// Selects K0 to K3.
const K0: u8 = 12;

/// `d + a·(1 − c) + b·c` of colours; alpha stays what it was, 1 at first.
fn stage(index: u8, coordinate: Option<u8>, texture: Option<u8>, inputs: [u8; 4]) -> TevStage {
    let kept = if index == 0 { alpha::KONST } else { alpha::APREV };
    TevStage {
        color: Combiner::adding(inputs),
        alpha: Combiner::adding([alpha::ZERO, alpha::ZERO, alpha::ZERO, kept]),
        tex_coord: coordinate,
        texture,
        channel: 4,
        konst_alpha: WHOLE,
        ..TevStage::default()
    }
}

fn doubled(mut stage: TevStage) -> TevStage {
    stage.color.scale = CombineScale::Two;
    stage
}

fn lit() -> [ChannelControl; 4] {
    let color = ChannelControl {
        lit: true,
        light_mask: 1,
        diffuse: Diffuse::Clamped,
        attenuation: Attenuation::Spot,
        ..ChannelControl::default()
    };
    [color, ChannelControl::default(), ChannelControl::default(), ChannelControl::default()]
}

fn from_vertex() -> [ChannelControl; 4] {
    let vertex = ChannelControl { material_from_vertex: true, ..ChannelControl::default() };
    [vertex, vertex, ChannelControl::default(), ChannelControl::default()]
}

fn texgen(kind: u8, source: u8, matrix: u8) -> TexGen {
    TexGen { kind, source, matrix }
}

fn mapped(map_mode: u8) -> Option<TextureMatrix> {
    Some(TextureMatrix { projects: map_mode == 7, map_mode: map_mode.into(), ..TextureMatrix::default() })
}

fn additive() -> BlendMode {
    BlendMode {
        kind: BlendKind::Blend,
        source: BlendFactor::SourceAlpha,
        destination: BlendFactor::One,
        logic: LogicOp::Copy,
    }
}

fn no_blend() -> BlendMode {
    BlendMode { kind: BlendKind::None, source: BlendFactor::One, destination: BlendFactor::Zero, logic: LogicOp::Copy }
}

/// Depth is compared and left as it is.
fn behind_nothing() -> ZMode {
    ZMode { test: true, compare: Compare::LessOrEqual, write: false }
}

fn textures<const N: usize>(numbers: [u32; N]) -> [Option<u32>; 8] {
    std::array::from_fn(|slot| numbers.get(slot).copied())
}

/// Light through a ramp into two colours, times a picture, and a coloured rim against the view.
fn toon(picture: u32, shade: [i16; 4], bright: [i16; 4], rim: [i16; 4]) -> TevMaterial {
    let mut state = TevMaterial {
        channel_count: 1,
        channels: lit(),
        ambient_colors: [[0x30, 0x30, 0x30, 0xFF]; 2],
        texgens: vec![
            texgen(10, source::COLOR0, IDENTITY),
            texgen(1, source::TEX0, IDENTITY),
            texgen(1, source::NORMAL, 36),
        ],
        textures: textures([number::RAMP, picture, number::RIM]),
        registers: [shade, bright, rim],
        stages: vec![
            stage(0, Some(0), Some(0), [input::C0, input::C1, input::TEXC, input::ZERO]),
            doubled(stage(1, Some(1), Some(1), [input::ZERO, input::CPREV, input::TEXC, input::ZERO])),
            stage(2, Some(2), Some(2), [input::ZERO, input::C2, input::TEXC, input::CPREV]),
        ],
        blend: no_blend(),
        ..TevMaterial::default()
    };
    state.texture_matrices[2] = mapped(6);
    state
}

pub fn materials() -> Vec<Material> {
    let skin = toon(number::SKIN, [22, 84, 122, 255], [92, 214, 208, 255], [60, 110, 150, 255]);
    let suit = toon(number::SUIT, [146, 52, 40, 255], [255, 158, 74, 255], [90, 60, 30, 255]);
    vec![
        Material::new("Skin", skin),
        Material::new("Suit", suit),
        Material::new("Chrome", chrome([255, 255, 255, 255])),
        Material::new("Eyes", eyes()),
        Material { alpha_tested: true, ..Material::new("Mouth", mouth()) },
        Material::new("Lamp", lamp()),
        Material::new("Glint", glint()),
        Material::new("Ring", ring()),
        Material::new("Glass", glass()),
        Material::new("Shadow", shadow()),
    ]
}

/// Materials and nothing else: the same squid in gold and plum.
pub fn other_materials() -> Vec<Material> {
    let mut all = materials();
    for material in &mut all {
        match material.name.as_str() {
            "Skin" => material.state.registers = [[92, 30, 110, 255], [240, 140, 220, 255], [130, 70, 150, 255]],
            "Suit" => material.state.registers = [[26, 30, 66, 255], [84, 104, 190, 255], [60, 60, 110, 255]],
            "Chrome" => material.state = chrome([255, 196, 84, 255]),
            _ => {}
        }
    }
    all
}

/// The sky by the normal as the view sees it, darker where no light falls.
fn chrome(tint: [u8; 4]) -> TevMaterial {
    let mut state = TevMaterial {
        channel_count: 1,
        channels: lit(),
        ambient_colors: [[0x90, 0x90, 0xA0, 0xFF]; 2],
        texgens: vec![texgen(1, source::NORMAL, 30)],
        textures: textures([number::SKY]),
        konst: [tint, [255; 4], [255; 4], [255; 4]],
        stages: vec![
            stage(0, Some(0), Some(0), [input::ZERO, input::TEXC, input::KONST, input::ZERO]),
            stage(1, None, None, [input::ZERO, input::CPREV, input::RASC, input::ZERO]),
        ],
        blend: no_blend(),
        ..TevMaterial::default()
    };
    state.texture_matrices[0] = mapped(6);
    state
}

/// White, a pupil that slides about, lids over it.
fn eyes() -> TevMaterial {
    let mut state = TevMaterial {
        channel_count: 1,
        texgens: vec![texgen(1, source::TEX0, 30), texgen(1, source::TEX0, IDENTITY)],
        textures: textures([number::PUPIL, number::LIDS]),
        konst: [[250, 248, 240, 255], [255; 4], [255; 4], [255; 4]],
        stages: vec![
            stage(0, Some(0), Some(0), [input::KONST, input::TEXC, input::TEXA, input::ZERO]),
            stage(1, Some(1), Some(1), [input::CPREV, input::TEXC, input::TEXA, input::ZERO]),
        ],
        blend: no_blend(),
        ..TevMaterial::default()
    };
    state.texture_matrices[0] = mapped(0);
    state
}

/// Cut out by its alpha.
fn mouth() -> TevMaterial {
    let mut cut = stage(0, Some(0), Some(0), [input::ZERO, input::ZERO, input::ZERO, input::TEXC]);
    cut.alpha = Combiner::adding([alpha::ZERO, alpha::ZERO, alpha::ZERO, alpha::TEXA]);
    TevMaterial {
        channel_count: 1,
        texgens: vec![texgen(1, source::TEX0, IDENTITY)],
        textures: textures([number::MOUTHS]),
        stages: vec![cut],
        alpha_compare: AlphaCompare {
            compare0: Compare::GreaterOrEqual,
            reference0: 128,
            op: AlphaOp::And,
            compare1: Compare::LessOrEqual,
            reference1: 255,
        },
        blend: no_blend(),
        ..TevMaterial::default()
    }
}

/// The constant, white where it faces the view.
fn lamp() -> TevMaterial {
    let mut state = TevMaterial {
        channel_count: 1,
        texgens: vec![texgen(0, source::NORMAL, 30)],
        textures: textures([number::RIM]),
        konst: [[255, 210, 90, 255], [255; 4], [255; 4], [255; 4]],
        stages: vec![
            stage(0, Some(0), Some(0), [input::ONE, input::KONST, input::TEXC, input::ZERO]),
            stage(1, None, None, [input::ZERO, input::CPREV, input::KONST, input::ZERO]),
        ],
        blend: no_blend(),
        ..TevMaterial::default()
    };
    state.texture_matrices[0] = mapped(7);
    state
}

/// A star that turns, added to what lies behind it.
fn glint() -> TevMaterial {
    let mut add = stage(0, Some(0), Some(0), [input::ZERO, input::TEXC, input::KONST, input::ZERO]);
    add.alpha = Combiner::adding([alpha::ZERO, alpha::TEXA, alpha::KONST, alpha::ZERO]);
    add.konst_alpha = 28;
    let mut state = TevMaterial {
        translucent: true,
        cull: CullMode::None,
        channel_count: 1,
        texgens: vec![texgen(1, source::TEX0, 30)],
        textures: textures([number::STAR]),
        konst: [[255, 214, 120, 255], [255; 4], [255; 4], [255; 4]],
        stages: vec![add],
        blend: additive(),
        z_mode: behind_nothing(),
        ..TevMaterial::default()
    };
    state.texture_matrices[0] = mapped(0);
    state
}

/// Signs that run around the ring and shiver in ripples, in a stream of energy, in the colours of the vertices.
fn ring() -> TevMaterial {
    let mut signs = stage(0, Some(0), Some(0), [input::ZERO, input::KONST, input::TEXC, input::ZERO]);
    signs.alpha = Combiner::adding([alpha::ZERO, alpha::ZERO, alpha::ZERO, alpha::RASA]);
    signs.indirect = IndirectStage { stage: 0, format: 0, bias: 7, matrix: 1, ..IndirectStage::default() };
    let mut stream = stage(1, Some(1), Some(1), [input::ZERO, input::KONST, input::TEXC, input::CPREV]);
    stream.konst_color = K0 + 1;
    let mut state = TevMaterial {
        translucent: true,
        cull: CullMode::None,
        channel_count: 1,
        channels: from_vertex(),
        texgens: vec![texgen(1, source::TEX0, 30), texgen(1, source::TEX0, 33), texgen(1, source::TEX0, 36)],
        textures: textures([number::RUNES, number::ENERGY, number::RIPPLES]),
        konst: [[255; 4], [70, 70, 90, 255], [255; 4], [255; 4]],
        stages: vec![
            signs,
            stream,
            doubled(stage(2, None, None, [input::ZERO, input::CPREV, input::RASC, input::ZERO])),
        ],
        indirect_orders: vec![IndirectOrder { tex_coord: 2, texture: 2, scale_s: 0, scale_t: 0 }],
        blend: additive(),
        z_mode: behind_nothing(),
        ..TevMaterial::default()
    };
    state.indirect_matrices[0] = IndirectMatrix { rows: [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0]], exponent: -4 };
    for slot in 0..3 {
        state.texture_matrices[slot] = mapped(0);
    }
    state
}

/// Clear in the middle, blue at the rim, with highlights.
fn glass() -> TevMaterial {
    let mut shine = stage(0, Some(0), Some(0), [input::C0, input::ONE, input::TEXC, input::ZERO]);
    shine.alpha = Combiner::adding([alpha::ZERO, alpha::ZERO, alpha::ZERO, alpha::TEXA]);
    let mut state = TevMaterial {
        translucent: true,
        channel_count: 1,
        texgens: vec![texgen(1, source::NORMAL, 30)],
        textures: textures([number::GLASS]),
        registers: [[120, 190, 235, 255], [0; 4], [0; 4]],
        stages: vec![shine],
        z_mode: behind_nothing(),
        ..TevMaterial::default()
    };
    state.texture_matrices[0] = mapped(6);
    state
}

/// Black, as dense as the picture says.
fn shadow() -> TevMaterial {
    let mut dark = stage(0, Some(0), Some(0), [input::ZERO, input::ZERO, input::ZERO, input::C0]);
    dark.alpha = Combiner::adding([alpha::ZERO, alpha::TEXA, alpha::KONST, alpha::ZERO]);
    dark.konst_alpha = 4;
    TevMaterial {
        translucent: true,
        channel_count: 1,
        texgens: vec![texgen(1, source::TEX0, IDENTITY)],
        textures: textures([number::BLOB]),
        stages: vec![dark],
        z_mode: behind_nothing(),
        ..TevMaterial::default()
    }
}
