//! What tests of made J3D files share: opening bytes, and materials of every kind.

use super::Noise;
use bonebox::{
    bytes::{Limits, Source},
    formats::{
        self, Asset, Diagnostic, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext,
        Severity, coverage::coverage,
    },
    scene::{
        Clip, Model,
        gx::{
            AlphaCompare, BlendMode, ChannelControl, ColorCombiner, Fog, IndirectMatrix, IndirectOrder, IndirectStage,
            Light, TevMaterial, TevStage, TexGen, TextureMatrix, ZMode,
        },
    },
};
use std::sync::{Arc, atomic::AtomicBool};

/// Opens bytes; nothing may be amiss and no byte left unread.
pub fn open_whole(name: &str, bytes: &[u8]) -> Box<dyn Document> {
    let (document, findings) = open(name, bytes);
    let bad: Vec<&Diagnostic> = findings.iter().filter(|d| d.severity > Severity::Info).collect();
    assert!(bad.is_empty(), "{name}: {bad:?}");
    let read = coverage(document.as_ref());
    assert_eq!((read.unread, read.doubled), (Vec::new(), Vec::new()), "{name}");
    document
}

/// Opens bytes and checks every entry.
pub fn open(name: &str, bytes: &[u8]) -> (Box<dyn Document>, Vec<Diagnostic>) {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    let document = formats::open(Source::new(bytes.to_vec()), &mut cx).unwrap_or_else(|e| panic!("{name}: {e}"));
    for entry in document.outline().entries() {
        document.check(entry.id, &mut diagnostics);
    }
    (document, diagnostics.finish())
}

pub fn load(document: &dyn Document, entry: EntryId) -> Asset {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let cancel = AtomicBool::new(false);
    let mut cx = LoadContext {
        file: "made",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    document.load(entry, &mut cx).unwrap_or_else(|e| panic!("{e}"))
}

pub fn clip(name: &str, bytes: &[u8]) -> Arc<Clip> {
    match load(open_whole(name, bytes).as_ref(), EntryId::FILE) {
        Asset::Clip(clip) => clip,
        other => panic!("{name}: {other:?}"),
    }
}

pub fn model(name: &str, bytes: &[u8]) -> Arc<Model> {
    match load(open_whole(name, bytes).as_ref(), EntryId::FILE) {
        Asset::Model(model) => model,
        other => panic!("{name}: {other:?}"),
    }
}

/// A material with every kind of state; codes are those that the chip has.
pub fn any_material(noise: &mut Noise) -> TevMaterial {
    let channel_count = noise.byte(3);
    let mut channels = [ChannelControl::default(); 4];
    for control in channels.iter_mut().take(usize::from(channel_count) * 2) {
        *control = ChannelControl {
            lit: noise.coin(),
            material_from_vertex: noise.coin(),
            ambient_from_vertex: noise.coin(),
            light_mask: noise.byte(256),
            diffuse: noise.byte(3),
            attenuation: noise.byte(4),
        };
    }
    let texgen_count = noise.byte(9);
    let texgens = (0..texgen_count).map(|index| any_texgen(noise, index, channel_count)).collect();
    let has_indirect = texgen_count > 0 && noise.coin();
    let indirect_orders: Vec<IndirectOrder> = (0..if has_indirect { 1 + noise.below(4) } else { 0 })
        .map(|_| IndirectOrder {
            tex_coord: noise.byte(usize::from(texgen_count)),
            texture: noise.byte(8),
            scale_s: noise.byte(9),
            scale_t: noise.byte(9),
        })
        .collect();
    let stages = (0..1 + noise.below(16))
        .map(|_| {
            let mut stage = any_stage(noise, texgen_count);
            if has_indirect {
                stage.indirect = any_indirect(noise, indirect_orders.len());
            }
            stage
        })
        .collect();
    let mut indirect_matrices = [IndirectMatrix::default(); 3];
    if has_indirect {
        for matrix in &mut indirect_matrices {
            let mut part = || (noise.below(2047) as f32 - 1023.0) / 1024.0;
            let rows = [[part(), part(), part()], [part(), part(), part()]];
            *matrix = IndirectMatrix { rows, exponent: noise.below(9) as i8 - 4 };
        }
    }
    TevMaterial {
        translucent: noise.coin(),
        cull: noise.byte(4),
        channel_count,
        channels,
        material_colors: [noise.color(), noise.color()],
        ambient_colors: [noise.color(), noise.color()],
        lights: std::array::from_fn(|_| noise.coin().then(|| any_light(noise))),
        texgens,
        texture_matrices: std::array::from_fn(|slot| (slot < 8 && noise.coin()).then(|| any_matrix(noise))),
        textures: std::array::from_fn(|_| noise.coin().then(|| noise.below(4) as u32)),
        konst: std::array::from_fn(|_| noise.color()),
        registers: std::array::from_fn(|_| std::array::from_fn(|_| noise.below(2048) as i16 - 1024)),
        stages,
        swap_tables: std::array::from_fn(|_| std::array::from_fn(|_| noise.byte(4))),
        indirect_orders,
        indirect_matrices,
        alpha_compare: AlphaCompare {
            compare0: noise.byte(8),
            reference0: noise.byte(256),
            op: noise.byte(4),
            compare1: noise.byte(8),
            reference1: noise.byte(256),
        },
        blend: BlendMode {
            kind: noise.byte(4),
            source: noise.byte(8),
            destination: noise.byte(8),
            logic: noise.byte(16),
        },
        z_mode: ZMode { test: noise.coin(), compare: noise.byte(8), write: noise.coin() },
        z_before_texture: noise.coin(),
        fog: Fog {
            kind: [0, 2, 4, 5, 6, 7, 10, 12, 13, 14, 15][noise.below(11) as usize],
            adjusts_range: noise.coin(),
            center: noise.below(640) as u16,
            start: noise.number(),
            end: noise.number(),
            near: noise.number(),
            far: noise.number(),
            color: noise.color(),
            range: std::array::from_fn(|_| noise.below(1024) as u16),
        },
        nbt_scale: noise.coin().then(|| std::array::from_fn(|_| noise.number())),
    }
}

fn any_texgen(noise: &mut Noise, index: u8, channel_count: u8) -> TexGen {
    let matrix = if noise.coin() { 60 } else { 30 + 3 * noise.byte(8) };
    match noise.below(4) {
        0 if channel_count > 0 => TexGen { kind: 10, source: 19, matrix: 60 },
        1 if index > 0 => {
            TexGen { kind: 2 + noise.byte(8), source: 12 + noise.byte(usize::from(index.min(7))), matrix }
        }
        2 => TexGen { kind: 0, source: noise.byte(12), matrix },
        _ => TexGen { kind: 1, source: noise.byte(12), matrix },
    }
}

fn any_stage(noise: &mut Noise, texgen_count: u8) -> TevStage {
    let mut side = |inputs: usize| ColorCombiner {
        inputs: std::array::from_fn(|_| noise.byte(inputs)),
        op: [0, 1, 8, 9, 10, 11, 12, 13, 14, 15][noise.below(10) as usize],
        bias: noise.byte(3),
        scale: noise.byte(4),
        clamp: noise.coin(),
        destination: noise.byte(4),
    };
    let (color, alpha) = (side(16), side(8));
    let mut konst = || if noise.coin() { noise.byte(8) } else { 16 + noise.byte(16) };
    let (konst_color, konst_alpha) = (konst(), konst());
    TevStage {
        color,
        alpha,
        tex_coord: (texgen_count > 0 && noise.coin()).then(|| noise.byte(usize::from(texgen_count))),
        texture: noise.coin().then(|| noise.byte(8)),
        channel: [0, 1, 2, 3, 4, 5, 6, 7, 8, 0xFF][noise.below(10) as usize],
        raster_swap: noise.byte(4),
        texture_swap: noise.byte(4),
        konst_color,
        konst_alpha,
        indirect: IndirectStage::default(),
    }
}

fn any_indirect(noise: &mut Noise, stages: usize) -> IndirectStage {
    IndirectStage {
        stage: noise.byte(stages),
        format: noise.byte(4),
        bias: noise.byte(8),
        matrix: [0, 1, 2, 3, 5, 6, 7, 9, 10, 11][noise.below(10) as usize],
        wrap_s: noise.byte(7),
        wrap_t: noise.byte(7),
        add_previous: noise.coin(),
        original_lod: noise.coin(),
        alpha: noise.byte(4),
    }
}

fn any_light(noise: &mut Noise) -> Light {
    let mut vector = || std::array::from_fn(|_| noise.number());
    let (position, direction, angle_attenuation, distance_attenuation) = (vector(), vector(), vector(), vector());
    Light { position, direction, color: noise.color(), angle_attenuation, distance_attenuation }
}

fn any_matrix(noise: &mut Noise) -> TextureMatrix {
    let angle = noise.below(65_536) as i32 - 32_768;
    TextureMatrix {
        projects: noise.coin(),
        map_mode: noise.byte(12),
        maya: noise.coin(),
        center: std::array::from_fn(|_| noise.number()),
        scale: std::array::from_fn(|_| noise.number()),
        rotation: angle as f32 * std::f32::consts::PI / 32_768.0,
        translation: std::array::from_fn(|_| noise.number()),
        effect: std::array::from_fn(|_| std::array::from_fn(|_| noise.number())),
    }
}
