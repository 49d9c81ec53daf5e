//! A section under construction, model blocks, and archives of them (formats/charpipe.md §2.1).

/// A number of things; what a field cannot say becomes its greatest value.
pub(super) fn count16(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// As [`count16`].
pub(super) fn count32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The next multiple of 32.
pub(super) fn align32(size: usize) -> usize {
    size.checked_next_multiple_of(32).unwrap_or(size)
}

/// A place that will say where something starts.
#[derive(Clone, Copy)]
pub(super) struct Slot(usize);

/// Big-endian bytes; offsets count from the first.
#[derive(Default)]
pub(super) struct Bytes {
    pub(super) bytes: Vec<u8>,
}

impl Bytes {
    pub(super) fn offset(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.bytes(&value.to_be_bytes());
    }

    pub(super) fn u16s(&mut self, values: impl IntoIterator<Item = u16>) {
        values.into_iter().for_each(|v| self.u16(v));
    }

    pub(super) fn i16s(&mut self, values: impl IntoIterator<Item = i16>) {
        values.into_iter().for_each(|v| self.bytes(&v.to_be_bytes()));
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_be_bytes());
    }

    pub(super) fn f32s(&mut self, values: impl IntoIterator<Item = f32>) {
        values.into_iter().for_each(|v| self.bytes(&v.to_be_bytes()));
    }

    /// An offset that is not known yet; 0 until it is filled.
    pub(super) fn slot(&mut self) -> Slot {
        let at = self.bytes.len();
        self.u32(0);
        Slot(at)
    }

    /// What the slot points at starts here.
    pub(super) fn fill(&mut self, slot: Slot) {
        self.set(slot, self.bytes.len());
    }

    /// Likewise, for an offset that counts from `base`.
    pub(super) fn fill_from(&mut self, slot: Slot, base: usize) {
        self.set(slot, self.bytes.len().saturating_sub(base));
    }

    pub(super) fn set(&mut self, Slot(at): Slot, value: usize) {
        for (place, byte) in self.bytes.iter_mut().skip(at).zip(count32(value).to_be_bytes()) {
            *place = byte;
        }
    }

    /// Zeros up to a multiple of `unit`.
    pub(super) fn align(&mut self, unit: usize) {
        let wanted = self.bytes.len().checked_next_multiple_of(unit).unwrap_or(self.bytes.len());
        self.bytes.resize(wanted, 0);
    }

    pub(super) fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len().saturating_add(count), 0);
    }
}

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
    out.u32(count32(members.len()));
    let slots: Vec<_> = members.iter().map(|_| out.slot()).collect();
    for (member, slot) in members.iter().zip(slots) {
        out.align(32);
        out.fill(slot);
        out.bytes(member);
    }
    out.align(32);
    out.bytes
}
