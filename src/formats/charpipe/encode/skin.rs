//! SKN: lists of vertices by the bones that move them (formats/charpipe.md §6).

use super::bytes::{Bytes, align32, count16, count32};

const HEADER: usize = 0x24;
/// Bytes of a vertex in sources and slots.
const VERTEX: usize = 12;

/// Vertices of one bone alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OneList {
    /// In depth-first order, as in the other lists.
    pub bone: u16,
    /// Start of a line of 32 bytes of the position array.
    pub dst: u32,
    /// From the line's start to the first slot: 0, 4 or 8.
    pub offset: u8,
    /// Position and normal, times `2^shift`.
    pub sources: Vec<[i16; 6]>,
}

/// Vertices of two bones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoList {
    /// The two bones, in depth-first order.
    pub bones: [u16; 2],
    /// Start of a line of 32 bytes of the position array.
    pub dst: u32,
    /// Bytes from the line's start to the first slot: 0, 4 or 8.
    pub offset: u8,
    /// Position and normal of each vertex, times `2^shift`.
    pub sources: Vec<[i16; 6]>,
    /// In 256ths.
    pub weights: Vec<[u8; 2]>,
}

/// What a bone adds to slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddList {
    /// The bone, in depth-first order.
    pub bone: u16,
    /// Offset in the position array that `indices` count from, in bytes.
    pub dst: u32,
    /// Slots from `dst` on.
    pub indices: Vec<u16>,
    /// Position and normal of each entry, times `2^shift`.
    pub sources: Vec<[i16; 6]>,
    /// Weight of each entry, in 256ths.
    pub weights: Vec<u8>,
}

/// A skin as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Positions and normals are stored times `2^shift`.
    pub shift: u8,
    /// SK1: lists of one bone.
    pub ones: Vec<OneList>,
    /// SK2: lists of two bones.
    pub twos: Vec<TwoList>,
    /// SKAcc: lists that add to slots.
    pub adds: Vec<AddList>,
    /// First byte of the position array to clear, and how many.
    pub clear: [u32; 2],
    /// Lines of the position array that are written back.
    pub flush: Vec<u16>,
    /// Sources lie as their slots do, as in every file of the games; else one list's behind the other's.
    pub mirrored: bool,
    /// Numbers where the matrices will be worked out.
    pub scratch: bool,
}

impl Default for Skin {
    fn default() -> Self {
        Self {
            shift: 11,
            ones: Vec::new(),
            twos: Vec::new(),
            adds: Vec::new(),
            clear: [0; 2],
            flush: Vec::new(),
            mirrored: true,
            scratch: false,
        }
    }
}

/// Where block copies find a list's sources: its `src`, then its offset and its vertices.
struct Block<'a> {
    dst: u32,
    offset: u8,
    sources: &'a [[i16; 6]],
}

impl Block<'_> {
    fn size(&self) -> usize {
        self.sources.len().saturating_mul(VERTEX).saturating_add(usize::from(self.offset))
    }
}

/// The section, or a loose file. In a block it starts at a multiple of 32.
pub fn encode_skn(skin: &Skin) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u16s([skin.ones.len(), skin.twos.len(), skin.adds.len()].map(count16));
    out.bytes(&[skin.shift, 0]);
    let tables = [(); 3].map(|()| out.slot());
    skin.clear.iter().for_each(|word| out.u32(*word));
    let flush = out.slot();
    out.u32(count32(skin.flush.len()));
    debug_assert_eq!(out.offset(), HEADER);

    let [ones, twos, adds] = tables;
    let mut block_slots = Vec::new();
    let scratch = |out: &mut Bytes, floats: usize| {
        out.f32s((0..floats).map(|i| if skin.scratch { i as f32 + 0.5 } else { 0.0 }));
    };
    fill_if(&mut out, ones, !skin.ones.is_empty());
    for list in &skin.ones {
        scratch(&mut out, 12);
        block_slots.push(out.slot());
        out.u32(list.dst);
        out.u16s([list.bone, count16(list.sources.len())]);
        out.bytes(&[list.offset, 0, 0, 0]);
    }
    fill_if(&mut out, twos, !skin.twos.is_empty());
    let mut weight_slots = Vec::new();
    for list in &skin.twos {
        scratch(&mut out, 24);
        block_slots.push(out.slot());
        weight_slots.push(out.slot());
        out.u32(list.dst);
        out.u16s([list.bones[0], list.bones[1], count16(list.sources.len())]);
        out.bytes(&[list.offset, 0]);
    }
    fill_if(&mut out, adds, !skin.adds.is_empty());
    let mut add_slots = Vec::new();
    for list in &skin.adds {
        scratch(&mut out, 12);
        let [src, indices] = [out.slot(), out.slot()];
        out.u32(list.dst);
        add_slots.push([src, indices, out.slot()]);
        out.u16s([list.bone, count16(list.sources.len())]);
    }
    out.align(32);
    write_sources(&mut out, skin, &block_slots);
    if !skin.flush.is_empty() {
        out.fill(flush);
        out.u16s(skin.flush.iter().copied());
        out.align(32);
    }
    for (list, slot) in skin.twos.iter().zip(weight_slots) {
        out.fill(slot);
        out.bytes(&list.weights.concat());
        out.align(32);
    }
    for (list, [src, indices, weights]) in skin.adds.iter().zip(add_slots) {
        out.fill(src);
        list.sources.iter().for_each(|source| out.i16s(*source));
        out.align(32);
        out.fill(indices);
        out.u16s(list.indices.iter().copied());
        out.align(32);
        out.fill(weights);
        out.bytes(&list.weights);
        out.align(32);
    }
    out.bytes
}

fn fill_if(out: &mut Bytes, slot: super::bytes::Slot, there: bool) {
    if there {
        out.fill(slot);
    }
}

fn write_sources(out: &mut Bytes, skin: &Skin, slots: &[super::bytes::Slot]) {
    let ones = skin.ones.iter().map(|l| Block { dst: l.dst, offset: l.offset, sources: &l.sources });
    let twos = skin.twos.iter().map(|l| Block { dst: l.dst, offset: l.offset, sources: &l.sources });
    let blocks: Vec<Block<'_>> = ones.chain(twos).collect();
    let start = out.offset();
    for (block, slot) in blocks.iter().zip(slots) {
        let at = if skin.mirrored { start.saturating_add(block.dst as usize) } else { out.offset() };
        out.set(*slot, at);
        let end = align32(at.saturating_add(block.size()));
        out.zeros(end.saturating_sub(out.offset()));
        let values = block.sources.iter().flatten().flat_map(|v| v.to_be_bytes());
        let first = at.saturating_add(usize::from(block.offset));
        out.bytes.iter_mut().skip(first).zip(values).for_each(|(place, byte)| *place = byte);
    }
}
