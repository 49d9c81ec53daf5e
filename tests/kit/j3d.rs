//! What tests of made J3D files share: their models and clips, and materials of every kind.

use super::{
    Noise,
    open::{Opened, clip_in, model_in, open_whole},
    remains::Remains,
};
use bonebox::{
    formats::{Asset, EntryId},
    scene::{
        Clip, Frame, Keys, Model,
        gx::{
            AlphaCompare, BlendMode, ChannelControl, Combiner, Fog, IndirectMatrix, IndirectOrder, IndirectStage,
            Light, TevMaterial, TevStage, TexGen, TextureMatrix, ZMode,
        },
        skinning,
    },
};
use std::{path::PathBuf, sync::Arc};

/// The project's own files.
pub fn own() -> PathBuf {
    super::data().join("j3d")
}

/// The clip of a whole file.
#[track_caller]
pub fn clip(name: &str, bytes: &[u8]) -> Arc<Clip> {
    clip_in(open_whole(name, bytes).asset(EntryId::FILE))
}

/// The model of a whole file.
#[track_caller]
pub fn model(name: &str, bytes: &[u8]) -> Arc<Model> {
    model_in(open_whole(name, bytes).asset(EntryId::FILE))
}

/// What is left of a damaged file. Its clips have numbers, and not more keys than there may be; its models can be posed, and
/// nothing in them leads out of them.
#[track_caller]
pub fn left_of(name: &str, bytes: &[u8]) -> Option<Remains> {
    let left = Remains::of(name, bytes)?;
    for (_, asset) in &left.shown {
        match asset {
            Asset::Clip(clip) => assert_bounded(clip),
            Asset::Model(model) => assert_poses(model),
            _ => {}
        }
    }
    Some(left)
}

#[track_caller]
fn assert_bounded(clip: &Clip) {
    let keys: usize = clip.channels.iter().map(|c| c.sampler.keys.len()).sum();
    assert!(keys <= (1 << 21) + clip.channels.len(), "{keys} keys");
    for channel in &clip.channels {
        let value = channel.sampler.scalar(1.5, None);
        assert!(value.is_none_or(f32::is_finite) || matches!(channel.sampler.keys, Keys::Hermite(_)), "{value:?}");
    }
}

#[track_caller]
fn assert_poses(model: &Model) {
    let frame = Frame::bind(model);
    for mesh in &model.meshes {
        assert_eq!(skinning::skinned_points(model, mesh, &frame).len(), mesh.points.len());
        assert!(mesh.indices.iter().all(|i| (*i as usize) < mesh.vertex_count()));
        assert!(mesh.vertex_points.iter().all(|p| (*p as usize) < mesh.points.len()));
    }
}

/// The chunks of a file: path, place, size.
pub fn chunks(opened: &Opened) -> Vec<(String, u64, u64)> {
    let entries = opened.document.outline().entries().iter().filter(|e| e.parent == Some(EntryId::FILE));
    entries.map(|e| (e.path().into_owned(), e.offset, e.size)).collect()
}

/// What a file that is cut must still have: the chunks before the cut with all that is listed in them. What is missing is said.
#[track_caller]
pub fn assert_cut(whole: &Opened, left: &Remains, length: usize) {
    let (what, codes, length) = (format!("{} cut at {length}", whole.name), left.codes(), length as u64);
    let chunks = chunks(whole);
    let there: Vec<_> = chunks.iter().filter(|(_, at, _)| at + 8 <= length).collect();
    let found = self::chunks(&left.file);
    assert_eq!(
        found.iter().map(|c| &c.0).collect::<Vec<_>>(),
        there.iter().map(|c| &c.0).collect::<Vec<_>>(),
        "{what}"
    );
    // The last chunk ends with the file.
    assert_eq!(codes.contains("j3d.file-size"), length < whole.document.source().len() as u64, "{what}: {codes:?}");
    assert_eq!(codes.contains("j3d.chunk-count"), there.len() < chunks.len(), "{what}: {codes:?}");
    let is_cut = there.iter().any(|(_, at, size)| at + size > length);
    assert_eq!(codes.contains("j3d.chunk-size"), is_cut, "{what}: {codes:?}");
    let outlines = (whole.document.outline(), left.file.document.outline());
    for (path, ..) in there.iter().filter(|(_, at, size)| at + size <= length) {
        for entry in
            outlines.0.entries().iter().filter(|e| e.path() == *path || e.path().starts_with(&format!("{path}/")))
        {
            let kept = outlines.1.find(&entry.path()).unwrap_or_else(|| panic!("{what}: {} is lost", entry.path()));
            assert_eq!((kept.offset, kept.size, &kept.class), (entry.offset, entry.size, &entry.class), "{what}");
        }
    }
    if left.shown.iter().all(|(entry, _)| *entry != EntryId::FILE) {
        assert!(left.reasons()[0].starts_with(": at offset 0: the file has "), "{what}: {:?}", left.reasons());
    }
}

/// Damage within a chunk, beyond its tag and size, leaves all chunks where they are.
#[track_caller]
pub fn assert_kept(whole: &Opened, left: &Remains, at: usize) {
    let chunks = chunks(whole);
    let is_within = chunks.iter().any(|(_, start, size)| (start + 8..start + size).contains(&(at as u64)));
    if is_within {
        assert_eq!(self::chunks(&left.file), chunks, "{} damaged at {at}", whole.name);
    }
    if left.shown.iter().all(|(entry, _)| *entry != EntryId::FILE) {
        assert!(left.reasons()[0].starts_with(": at offset 0: the file has "), "{}: {:?}", whole.name, left.reasons());
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
            diffuse: noise.byte(3).into(),
            attenuation: noise.byte(4).into(),
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
        cull: noise.byte(4).into(),
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
            compare0: noise.byte(8).into(),
            reference0: noise.byte(256),
            op: noise.byte(4).into(),
            compare1: noise.byte(8).into(),
            reference1: noise.byte(256),
        },
        blend: BlendMode {
            kind: noise.byte(4).into(),
            source: noise.byte(8).into(),
            destination: noise.byte(8).into(),
            logic: noise.byte(16).into(),
        },
        z_mode: ZMode { test: noise.coin(), compare: noise.byte(8).into(), write: noise.coin() },
        z_before_texture: noise.coin(),
        fog: Fog {
            kind: [0, 2, 4, 5, 6, 7, 10, 12, 13, 14, 15][noise.below(11)],
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

fn any_side<I: From<u8>>(noise: &mut Noise, inputs: usize) -> Combiner<I> {
    let inputs = std::array::from_fn(|_| noise.byte(inputs));
    let codes = [[0, 1, 8, 9, 10, 11, 12, 13, 14, 15][noise.below(10)], noise.byte(3), noise.byte(4)];
    Combiner::of_codes(inputs, codes, noise.coin(), noise.byte(4))
}

fn any_stage(noise: &mut Noise, texgen_count: u8) -> TevStage {
    let (color, alpha) = (any_side(noise, 16), any_side(noise, 8));
    let mut konst = || if noise.coin() { noise.byte(8) } else { 16 + noise.byte(16) };
    let (konst_color, konst_alpha) = (konst(), konst());
    TevStage {
        color,
        alpha,
        tex_coord: (texgen_count > 0 && noise.coin()).then(|| noise.byte(usize::from(texgen_count))),
        texture: noise.coin().then(|| noise.byte(8)),
        channel: [0, 1, 2, 3, 4, 5, 6, 7, 8, 0xFF][noise.below(10)],
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
        matrix: [0, 1, 2, 3, 5, 6, 7, 9, 10, 11][noise.below(10)],
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
        map_mode: noise.byte(12).into(),
        maya: noise.coin(),
        center: std::array::from_fn(|_| noise.number()),
        scale: std::array::from_fn(|_| noise.number()),
        rotation: angle as f32 * std::f32::consts::PI / 32_768.0,
        translation: std::array::from_fn(|_| noise.number()),
        effect: std::array::from_fn(|_| std::array::from_fn(|_| noise.number())),
    }
}
