//! Files of a given size, written by the project's own encoder.

#![allow(dead_code, reason = "each benchmark uses its part")]

use bonebox::{
    bytes::{Cancel, Limits, Source},
    formats::{
        self, Asset, Content, Diagnostics, Document, EntryId, LoadContext, LoadOptions, NoFiles, OpenContext,
        actorx::{AnimInfo, AnimKey, Bone, Face, Matt, Psa, Psk, RawWeight, Wedge, encode_psa, encode_psk},
    },
    scene::{Clip, Model},
};
use std::sync::Arc;

fn bones(count: usize) -> Vec<Bone> {
    (0..count)
        .map(|i| Bone {
            name: format!("Bone{i:03}"),
            parent: if i == 0 { -1 } else { ((i - 1) / 2) as i32 },
            rotation: [0.1, 0.0, 0.0, 0.994_987],
            position: [0.0, 1.0 + (i % 7) as f32, 0.5],
            ..Bone::default()
        })
        .collect()
}

/// A mesh of `wedges` wedges with a point and two influences each, and three triangles for five of them: 4.4 MB at 74,280.
pub fn psk(wedges: usize, bone_count: usize) -> Vec<u8> {
    let points = wedges;
    let faces = (wedges * 3 / 5).min(wedges.saturating_sub(2));
    let angle = |i: usize| i as f32 * 0.01;
    let psk = Psk {
        type_flag: 1_999_801,
        points: (0..points).map(|i| [angle(i).cos() * 40.0, angle(i).sin() * 40.0, i as f32 * 0.002]).collect(),
        wedges: (0..wedges)
            .map(|i| Wedge { point: i as u32, uv: [(i % 97) as f32 / 97.0, 0.5], material: 0 })
            .collect(),
        faces: (0..faces)
            .map(|i| Face { wedges: [i as u32, i as u32 + 1, i as u32 + 2], smoothing_groups: 1, ..Face::default() })
            .collect(),
        materials: vec![Matt { name: "Skin".into(), ..Matt::default() }],
        bones: bones(bone_count),
        weights: (0..points)
            .flat_map(|p| {
                [(0.75, p % bone_count), (0.25, (p + 1) % bone_count)].map(|(weight, bone)| RawWeight {
                    weight,
                    point: p as i32,
                    bone: bone as i32,
                })
            })
            .collect(),
        ..Psk::default()
    };
    encode_psk(&psk)
}

/// An animation with one sequence for each number of frames.
pub fn psa(bone_count: usize, frames: &[usize]) -> Vec<u8> {
    let mut first = 0;
    let sequences = frames
        .iter()
        .enumerate()
        .map(|(i, count)| {
            let info = AnimInfo {
                name: format!("Sequence{i}"),
                group: "None".into(),
                total_bones: bone_count as i32,
                key_quotum: (count * bone_count) as i32,
                track_time: *count as f32,
                rate_hz: 30.0,
                first_raw_frame: first,
                raw_frames: *count as i32,
                ..AnimInfo::default()
            };
            first += *count as i32;
            info
        })
        .collect();
    let total: usize = frames.iter().sum();
    let keys = (0..total * bone_count)
        .map(|i| {
            let angle = (i / bone_count) as f32 * 0.05 + (i % bone_count) as f32;
            AnimKey {
                position: [0.0, 1.0 + (i % bone_count % 7) as f32, 0.5 + angle.sin() * 0.1],
                rotation: [(angle * 0.5).sin() * 0.6, 0.0, (angle * 0.5).sin() * 0.8, (angle * 0.5).cos()],
                time: 1.0,
            }
        })
        .collect();
    encode_psa(&Psa { type_flag: 1_999_801, bones: bones(bone_count), sequences, keys, ..Psa::default() })
}

/// Opens made bytes.
pub fn open(name: &str, source: &Source) -> Box<dyn Document> {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let mut cx = OpenContext {
        file: name,
        resolver: std::sync::Arc::new(NoFiles),
        diagnostics: &mut diagnostics,
        limits,
        overrides: &bonebox::formats::NO_OVERRIDES,
    };
    formats::open(source.clone(), &mut cx).expect("a made file opens")
}

fn load(document: &dyn Document, content: Content) -> Asset {
    load_entry(document, document.outline().with_content(content).next().expect("a made file has it").id)
}

fn load_entry(document: &dyn Document, entry: EntryId) -> Asset {
    let limits = Limits::default();
    let mut diagnostics = Diagnostics::new(limits.diagnostics_per_code);
    let cancel = Cancel::new();
    let mut cx = LoadContext {
        file: "made",
        resolver: &NoFiles,
        diagnostics: &mut diagnostics,
        limits,
        options: LoadOptions::default(),
        cancel: &cancel,
    };
    document.load(entry, &mut cx).expect("a made file loads")
}

/// The file's first model.
pub fn model(document: &dyn Document) -> Arc<Model> {
    match load(document, Content::Model) {
        Asset::Model(model) => model,
        other => unreachable!("{other:?}"),
    }
}

/// The file's first clip.
pub fn clip(document: &dyn Document) -> Arc<Clip> {
    as_clip(load(document, Content::Clip))
}

/// One of several clips.
pub fn clip_of(document: &dyn Document, entry: EntryId) -> Arc<Clip> {
    as_clip(load_entry(document, entry))
}

fn as_clip(asset: Asset) -> Arc<Clip> {
    match asset {
        Asset::Clip(clip) => clip,
        other => unreachable!("{other:?}"),
    }
}
