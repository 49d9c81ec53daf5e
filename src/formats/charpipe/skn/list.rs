//! One list of a skin: its record, its arrays, and the sizes of both (formats/charpipe.md §6).

use crate::{
    bytes::Source,
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
    },
    scene::{FixedEntry, ListKind},
};
use std::ops::Range;

/// Bytes before the tables of lists.
pub const HEADER_SIZE: u64 = 0x24;
/// Bytes of a slot in the array of positions: position and normal.
pub const SLOT: u64 = 12;
/// Bytes that lists of one or two bones are copied in.
pub const LINE: u64 = 32;
/// Slots of a skin at most: vertices name them with 16 bits.
pub const MAX_SLOTS: u32 = 1 << 16;
/// Weights are so many parts of one.
pub const WHOLE_WEIGHT: u32 = 256;

/// A list as it is stored, with what of it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// Number of bones, and whether the list sets or adds to slots.
    pub kind: ListKind,
    /// Bytes from the start of the file.
    pub at: u64,
    /// By the actor's order; both are the same where there is one.
    pub bones: [u16; 2],
    /// Bytes from the start of the array of positions.
    pub dst: u32,
    /// Bytes from there, and from the sources' start, to the first whole slot.
    pub offset: u8,
    /// Entries that the list counts.
    pub count: u16,
    /// Entries that are there.
    pub whole: u16,
    src: u32,
    /// Offset of its weights; 0 where the kind has none.
    weights: u32,
    /// Offset of its slots; 0 where they follow each other.
    indices: u32,
    /// Where the section lies.
    section: Range<u64>,
}

/// Bytes of a list in its table.
pub fn record_size(kind: ListKind) -> u64 {
    match kind {
        ListKind::One => 0x40,
        ListKind::Two => 0x74,
        ListKind::Accumulate => 0x44,
    }
}

/// Reads one list of a table. `section`: the skin's bytes in the file.
pub fn read_list(r: &mut FieldReader<'_>, kind: ListKind, section: &Range<u64>) -> Result<List, Fault> {
    let at = r.offset();
    let matrices = if kind == ListKind::Two { 2 } else { 1 };
    for index in 0..matrices {
        // The game puts the bone's matrix there; what the file has is of no use.
        let name = if matrices == 1 { "Matrix".to_owned() } else { format!("Matrix{index}") };
        r.bytes(name, "f32[12], set at runtime", 48, Value::Raw)?;
    }
    let src = r.u32("SourcesOffset")?;
    let mut list = List {
        kind,
        at,
        bones: [0; 2],
        dst: 0,
        offset: 0,
        count: 0,
        whole: 0,
        src,
        weights: 0,
        indices: 0,
        section: section.clone(),
    };
    match kind {
        ListKind::One => {
            list.dst = r.u32("Destination")?;
            list.bones = [r.u16("Bone")?; 2];
            list.count = r.u16("Count")?;
            list.offset = r.u8("FirstSlotOffset")?;
            r.pad(3)?;
        }
        ListKind::Two => {
            list.weights = r.u32("WeightsOffset")?;
            list.dst = r.u32("Destination")?;
            list.bones = [r.u16("Bone0")?, r.u16("Bone1")?];
            list.count = r.u16("Count")?;
            list.offset = r.u8("FirstSlotOffset")?;
            r.pad(1)?;
        }
        ListKind::Accumulate => {
            list.indices = r.u32("SlotsOffset")?;
            list.dst = r.u32("Destination")?;
            list.weights = r.u32("WeightsOffset")?;
            list.bones = [r.u16("Bone")?; 2];
            list.count = r.u16("Count")?;
        }
    }
    list.whole = list.whole_entries();
    Ok(list)
}

impl List {
    /// Bones that each entry names.
    pub fn bone_count(&self) -> usize {
        if self.kind == ListKind::Two { 2 } else { 1 }
    }

    fn section_offset(&self, offset: u32) -> u64 {
        self.section.start.saturating_add(u64::from(offset))
    }

    fn range(&self, offset: u32, skip: u64, stride: u64) -> Range<u64> {
        let start = self.section_offset(offset).saturating_add(skip);
        start..start.saturating_add(u64::from(self.whole).saturating_mul(stride))
    }

    /// Where its sources lie.
    pub fn sources(&self) -> Range<u64> {
        self.range(self.src, u64::from(self.offset), SLOT)
    }

    /// Bytes of an entry's weights.
    pub fn weight_stride(&self) -> u64 {
        match self.kind {
            ListKind::One => 0,
            ListKind::Two => 2,
            ListKind::Accumulate => 1,
        }
    }

    /// Where its weights lie; empty for a kind without.
    pub fn weights(&self) -> Range<u64> {
        self.range(self.weights, 0, self.weight_stride())
    }

    /// Where its slots lie; empty for a kind whose slots follow each other.
    pub fn indices(&self) -> Range<u64> {
        self.range(self.indices, 0, if self.kind == ListKind::Accumulate { 2 } else { 0 })
    }

    /// Lines that are copied together with its sources.
    pub fn lines(&self) -> Range<u64> {
        let start = self.section_offset(self.src);
        let size = self.sources().end.saturating_sub(start).checked_next_multiple_of(LINE).unwrap_or(0);
        start..start.saturating_add(size).min(self.section.end)
    }

    /// How many entries lie in the section with all that belongs to them.
    fn whole_entries(&self) -> u16 {
        let room = |offset: u32, skip: u64, stride: u64| {
            // An array inside the header is none.
            if stride == 0 || self.count == 0 {
                return u64::MAX;
            }
            if u64::from(offset) < HEADER_SIZE {
                return 0;
            }
            let start = self.section_offset(offset).saturating_add(skip);
            self.section.end.saturating_sub(start).checked_div(stride).unwrap_or(0)
        };
        let indices = if self.kind == ListKind::Accumulate { 2 } else { 0 };
        let whole = room(self.src, u64::from(self.offset), SLOT)
            .min(room(self.weights, 0, self.weight_stride()))
            .min(room(self.indices, 0, indices))
            .min(u64::from(self.count));
        u16::try_from(whole).unwrap_or(u16::MAX)
    }

    /// The slot that it starts from; `None` when it starts between two, or past the last that vertices can name.
    pub fn first_slot(&self) -> Option<u32> {
        let start = u64::from(self.dst).saturating_add(u64::from(self.offset));
        let slot = start.checked_div(SLOT).filter(|_| start.is_multiple_of(SLOT))?;
        u32::try_from(slot).ok().filter(|slot| *slot < MAX_SLOTS)
    }

    /// The slot of an entry that is there.
    pub fn slot(&self, source: &Source, entry: u16) -> Option<u32> {
        let first = self.first_slot().filter(|_| entry < self.whole)?;
        let step = match self.kind {
            ListKind::One | ListKind::Two => entry,
            ListKind::Accumulate => {
                let at = self.indices().start.saturating_add(u64::from(entry).saturating_mul(2));
                u16::from_be_bytes(bytes(source, at)?)
            }
        };
        Some(first.saturating_add(u32::from(step))).filter(|slot| *slot < MAX_SLOTS)
    }

    /// Position and normal of an entry that is there.
    pub fn source(&self, source: &Source, entry: u16) -> Option<[i16; 6]> {
        let at = self.sources().start.saturating_add(u64::from(entry).saturating_mul(SLOT));
        let bytes: [u8; SLOT as usize] = bytes(source, at).filter(|_| entry < self.whole)?;
        let (numbers, _) = bytes.as_chunks::<2>();
        let mut out = [0; 6];
        for (number, bytes) in out.iter_mut().zip(numbers) {
            *number = i16::from_be_bytes(*bytes);
        }
        Some(out)
    }

    /// Weights of an entry that is there, 256ths; none for a kind without.
    pub fn weights_of(&self, source: &Source, entry: u16) -> Option<[u8; 2]> {
        let at = self.weights().start.saturating_add(u64::from(entry).saturating_mul(self.weight_stride()));
        match self.kind {
            ListKind::One => Some([0; 2]),
            ListKind::Two => bytes(source, at),
            ListKind::Accumulate => bytes::<1>(source, at).map(|[weight]| [weight, 0]),
        }
    }

    /// Its entries, without those whose slot no vertex can name.
    pub fn entries<'a>(&'a self, source: &'a Source) -> impl Iterator<Item = FixedEntry> + 'a {
        (0..self.whole).filter_map(|entry| {
            Some(FixedEntry {
                slot: self.slot(source, entry)?,
                weights: self.weights_of(source, entry)?,
                source: self.source(source, entry)?,
            })
        })
    }
}

fn bytes<const N: usize>(source: &Source, at: u64) -> Option<[u8; N]> {
    source.as_slice().get(usize::try_from(at).ok()?..)?.first_chunk().copied()
}
