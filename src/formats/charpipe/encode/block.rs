//! Model blocks and archives of them (formats/charpipe.md §2.1).

use super::bytes::Bytes;

/// The sections of a model block; those that are empty are not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Geometry palette (formats/charpipe.md §4).
    pub gpl: Vec<u8>,
    /// Actor (formats/charpipe.md §5).
    pub act: Vec<u8>,
    /// Textures as Sluggers stores them (formats/charpipe.md §9).
    pub tex: Vec<u8>,
    /// Skin (formats/charpipe.md §6).
    pub skn: Vec<u8>,
    /// The sixth pointer's.
    pub sixth: Vec<u8>,
    /// Facial poses (formats/charpipe.md §7).
    pub faces: Vec<u8>,
    /// The eighth pointer's.
    pub eighth: Vec<u8>,
}

/// A block: every section starts at a multiple of 32.
pub fn encode_block(block: &Block) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u32(0);
    let sections = [&block.gpl, &block.act, &block.tex, &block.skn, &block.sixth, &block.faces, &block.eighth];
    let slots = sections.map(|section| (out.slot(), section));
    for (slot, section) in slots {
        if !section.is_empty() {
            out.align(32);
            out.fill(slot);
            out.bytes(section);
        }
    }
    out.align(32);
    out.bytes
}

/// Blocks and banks behind a table of their offsets.
pub fn encode_archive(members: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Bytes::default();
    out.u32(super::bytes::count32(members.len()));
    let slots: Vec<_> = members.iter().map(|_| out.slot()).collect();
    for (member, slot) in members.iter().zip(slots) {
        out.align(32);
        out.fill(slot);
        out.bytes(member);
    }
    out.align(32);
    out.bytes
}
