//! BVA, BLK, BLA, BXK and BXA: animations of shapes' visibility, cluster weights and vertex colours (formats/j3d.md §5.4 to
//! §5.6).

use super::{
    file::{Chunk, Tool, count16, count32, file},
    tracks::{Bank, Number, Track},
};

/// Which shapes are drawn, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VisibilityClip {
    /// As [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames.
    pub duration: u16,
    /// By the model's shapes.
    pub shapes: Vec<Vec<bool>>,
}

/// Weights of clusters: keyed as a BLK, or with a value for every frame as a BLA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterClip<T = Track> {
    /// Loop mode, as [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames.
    pub duration: u16,
    /// Weight of each cluster.
    pub weights: Vec<T>,
}

/// A colour of some vertices: red, green, blue, alpha.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexColorTracks<T = Track> {
    /// Places in the model's array of colours.
    pub vertices: Vec<u16>,
    /// Tracks of red, green, blue and alpha.
    pub parts: [T; 4],
}

/// Vertex colours: keyed as a BXK, or with a value for every frame as a BXA.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexColorClip<T = Track> {
    /// Loop mode, as [`super::JointClip::loop_mode`].
    pub loop_mode: u8,
    /// Duration in frames.
    pub duration: u16,
    /// Of colour set 0 and 1.
    pub sets: [Vec<VertexColorTracks<T>>; 2],
}

/// An animation of visibility as a file.
pub fn encode_bva(clip: &VisibilityClip) -> Vec<u8> {
    let mut bank = Bank::new(Number::U8);
    let table: Vec<u16> = (clip.shapes.iter())
        .flat_map(|shown| {
            let values: Vec<f32> = shown.iter().map(|shown| f32::from(u8::from(*shown))).collect();
            bank.full(&values)
        })
        .collect();
    let mut out = Chunk::new(b"VAF1");
    out.u8(clip.loop_mode);
    out.u8(0xFF);
    out.u16(clip.duration);
    out.u16(count16(clip.shapes.len()));
    out.u16(bank.len());
    let [table_at, bank_at] = out.slots();
    out.align(32);
    out.fill(table_at);
    out.u16s(&table);
    out.align(4);
    out.fill(bank_at);
    bank.write(&mut out);
    file(b"J3D1bva1", Tool::Unsaid, &[out.finish()])
}

/// A keyed animation of cluster weights as a file.
pub fn encode_blk(clip: &ClusterClip) -> Vec<u8> {
    let mut bank = Bank::new(Number::F32);
    let table: Vec<u16> = clip.weights.iter().flat_map(|weight| bank.keyed(weight)).collect();
    file(b"J3D1blk1", Tool::Unsaid, &[clusters(b"CLK1", clip, &table, &bank)])
}

/// An animation of cluster weights with a value for each frame as a file.
pub fn encode_bla(clip: &ClusterClip<Vec<f32>>) -> Vec<u8> {
    let mut bank = Bank::new(Number::F32);
    let table: Vec<u16> = clip.weights.iter().flat_map(|weight| bank.full(weight)).collect();
    file(b"J3D1bla1", Tool::Unsaid, &[clusters(b"CLF1", clip, &table, &bank)])
}

fn clusters<T>(tag: &[u8; 4], clip: &ClusterClip<T>, table: &[u16], bank: &Bank) -> Vec<u8> {
    let mut out = Chunk::new(tag);
    out.u8(clip.loop_mode);
    out.u8(0xFF);
    out.u16(clip.duration);
    out.u16(count16(clip.weights.len()));
    out.u16(bank.len());
    let [table_at, bank_at] = out.slots();
    out.align(32);
    out.fill(table_at);
    out.u16s(table);
    out.align(4);
    out.fill(bank_at);
    bank.write(&mut out);
    out.finish()
}

/// A keyed animation of vertex colours as a file.
pub fn encode_bxk(clip: &VertexColorClip) -> Vec<u8> {
    let chunk = vertex_colors(b"VCK1", Number::I16, clip, |bank, track| bank.keyed(track).to_vec());
    file(b"J3D1bxk1", Tool::Unsaid, &[chunk])
}

/// An animation of vertex colours with a value for each frame as a file.
pub fn encode_bxa(clip: &VertexColorClip<Vec<f32>>) -> Vec<u8> {
    let chunk = vertex_colors(b"VCF1", Number::U8, clip, |bank, track| bank.full(track).to_vec());
    file(b"J3D1bxa1", Tool::Unsaid, &[chunk])
}

fn vertex_colors<T>(
    tag: &[u8; 4],
    number: Number,
    clip: &VertexColorClip<T>,
    pool: impl Fn(&mut Bank, &T) -> Vec<u16>,
) -> Vec<u8> {
    let mut banks = [number; 4].map(Bank::new);
    let tables: Vec<Vec<u16>> = (clip.sets.iter())
        .map(|set| {
            let rows = set.iter().flat_map(|group| {
                let row = banks.iter_mut().zip(&group.parts).flat_map(|(bank, part)| pool(bank, part));
                row.collect::<Vec<u16>>()
            });
            rows.collect()
        })
        .collect();
    let mut out = Chunk::new(tag);
    out.u8(clip.loop_mode);
    out.u8(0xFF);
    out.u16(clip.duration);
    clip.sets.iter().for_each(|set| out.u16(count16(set.len())));
    for set in &clip.sets {
        let vertices: usize = set.iter().map(|group| group.vertices.len()).sum();
        match number {
            Number::U8 => out.u16(count16(vertices)),
            _ => out.u32(count32(vertices)),
        }
    }
    if number == Number::U8 {
        out.u32(0);
    }
    let (table_slots, index_slots, pool_slots) = (out.slots::<2>(), out.slots::<2>(), out.slots::<2>());
    let bank_slots = out.slots::<4>();
    for (table, slot) in tables.iter().zip(table_slots) {
        out.align(4);
        out.fill(slot);
        out.u16s(table);
    }
    for (set, slot) in clip.sets.iter().zip(index_slots) {
        out.align(4);
        out.fill(slot);
        let mut first = 0_usize;
        for group in set {
            out.u16(count16(group.vertices.len()));
            out.u16(0xFFFF);
            out.u32(count32(first));
            first = first.saturating_add(group.vertices.len());
        }
    }
    for (set, slot) in clip.sets.iter().zip(pool_slots) {
        out.align(4);
        out.fill(slot);
        set.iter().for_each(|group| out.u16s(&group.vertices));
    }
    for (bank, slot) in banks.iter().zip(bank_slots) {
        out.align(4);
        out.fill(slot);
        bank.write(&mut out);
    }
    out.finish()
}
