//! Which kind of file it is, and where the sections of a model block and the members of an archive lie
//! (formats/charpipe.md §2).

use super::codes;
use crate::{
    bytes::{Endian, Source},
    formats::{
        Score,
        field_reader::{Fault, FieldReader},
        findings::Findings,
    },
};
use std::ops::Range;

/// What a section holds; each of the loose files is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Meshes.
    Gpl,
    /// Bones.
    Act,
    /// Textures as Sluggers stores them.
    Tex,
    /// Textures as the SDK stores them.
    Tpl,
    /// Which bones move which vertices.
    Skn,
    /// Facial poses.
    Faces,
    /// Animations.
    Anm,
    /// The sixth section of a block; its layout is unknown.
    Sixth,
    /// The eighth section of a block; its layout is unknown.
    Eighth,
}

impl SectionKind {
    /// Those of a model block, in the order of its pointers (formats/charpipe.md §2.1).
    pub const OF_BLOCK: [Self; 7] =
        [Self::Gpl, Self::Act, Self::Tex, Self::Skn, Self::Sixth, Self::Faces, Self::Eighth];

    /// Whether its layout is known; sections of the others are kept as they are.
    pub fn is_described(self) -> bool {
        !matches!(self, Self::Sixth | Self::Eighth)
    }

    /// Name of its entry, and its class.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpl => "GPL",
            Self::Act => "ACT",
            Self::Tex => "TEX",
            Self::Tpl => "TPL",
            Self::Skn => "SKN",
            Self::Faces => "Faces",
            Self::Anm => "ANM",
            Self::Sixth => "Section 6",
            Self::Eighth => "Section 8",
        }
    }
}

/// Where a section is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionSpan {
    pub kind: SectionKind,
    /// Bytes from the start of the file.
    pub range: Range<u64>,
}

/// Version words: dates in decimal (§2.3).
const GPL_VERSION: u32 = 12_012_000;
pub const ACT_VERSION: u32 = 8_092_000;
const TPL_VERSION: u32 = 2_142_000;
const ANM_VERSIONS: [u32; 2] = [20_060_925, 20_070_619];

/// Bytes of a model block's pointers.
pub const BLOCK_HEADER: u64 = 0x20;
/// Members that an archive may have.
const MAX_MEMBERS: u32 = 1000;

/// How a file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A model block.
    Block,
    /// A table of offsets, and model blocks and banks behind it.
    Blocks,
    /// One section alone.
    Section(SectionKind),
}

fn word(bytes: &[u8], offset: usize) -> Option<u32> {
    let bytes = bytes.get(offset..offset.checked_add(4)?)?;
    bytes.try_into().ok().map(u32::from_be_bytes)
}

fn half(bytes: &[u8], offset: usize) -> Option<u16> {
    let bytes = bytes.get(offset..offset.checked_add(2)?)?;
    bytes.try_into().ok().map(u16::from_be_bytes)
}

/// What a file is that starts like this, and how sure that is.
pub fn layout_of(head: &[u8]) -> Option<(Layout, Score)> {
    use SectionKind::{Act, Anm, Gpl, Skn, Tpl};
    let section = |kind| Some((Layout::Section(kind), Score::Certain));
    match word(head, 0)? {
        0 if is_block(head) => Some((Layout::Block, Score::Certain)),
        GPL_VERSION => section(Gpl),
        TPL_VERSION => section(Tpl),
        version if ANM_VERSIONS.contains(&version) => section(Anm),
        ACT_VERSION if is_old_bank(head) => section(Anm),
        ACT_VERSION => section(Act),
        _ if is_skin(head) => Some((Layout::Section(Skn), Score::Likely)),
        count if is_archive(head, count) => Some((Layout::Blocks, Score::Likely)),
        _ => None,
    }
}

/// §2.1
fn is_block(head: &[u8]) -> bool {
    let Some(first) = word(head, 4) else { return false };
    (0x20..=0x40).contains(&first) && word(head, first as usize) == Some(GPL_VERSION)
}

/// An actor and a bank of the SDK share their version: a bank's sequences follow its header. An actor of 24 bones has the same
/// number there; then its root bone decides.
fn is_old_bank(head: &[u8]) -> bool {
    const BONES: u32 = 0x20;
    const BONE: u32 = 0x1C;
    let root = word(head, 0xC).unwrap_or(0);
    let behind = root.checked_sub(BONES);
    let is_bone = behind.is_some_and(|o| o % BONE == 0 && o / BONE < 24);
    word(head, 4) == Some(0x18) && !is_bone
}

/// Skins have no version: their tables must follow each other from the header on, as in every file of the games (§6).
fn is_skin(head: &[u8]) -> bool {
    let parts = || {
        let counts = [half(head, 0)?, half(head, 2)?, half(head, 4)?].map(u64::from);
        let pointers = [word(head, 8)?, word(head, 0xC)?, word(head, 0x10)?].map(u64::from);
        Some((counts, pointers, head.get(6).copied()?, head.get(7).copied()?))
    };
    let Some((counts, pointers, shift, pad)) = parts() else { return false };
    let mut end = 0x24_u64;
    for ((count, pointer), size) in counts.into_iter().zip(pointers).zip([0x40, 0x74, 0x44]) {
        if count > 0 {
            if pointer < end || pointer >= end.saturating_add(32) {
                return false;
            }
            end = count.saturating_mul(size).saturating_add(pointer);
        }
    }
    counts.iter().any(|c| *c > 0) && pad == 0 && (1..=31).contains(&shift)
}

/// Offsets that rise, and a model block or a bank at the first, where that can be seen.
fn is_archive(head: &[u8], count: u32) -> bool {
    if !(1..=MAX_MEMBERS).contains(&count) {
        return false;
    }
    let table_end = u64::from(count).saturating_mul(4).saturating_add(4);
    let offsets: Vec<u32> = (1..=count as usize).map_while(|i| word(head, i.checked_mul(4)?)).collect();
    let rising = offsets.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
    let Some(first) = offsets.first().filter(|first| u64::from(**first) >= table_end && rising) else { return false };
    match head.get(*first as usize..) {
        Some(member) if member.len() >= 0x44 => member_layout(member).is_some(),
        // It lies farther on than what can be seen: a table that ends right before it says enough.
        _ => u64::from(*first) < table_end.saturating_add(32) && first.is_multiple_of(32),
    }
}

/// What a member of an archive is.
pub fn member_layout(bytes: &[u8]) -> Option<Layout> {
    match layout_of(bytes)? {
        (layout @ (Layout::Block | Layout::Section(SectionKind::Anm)), _) => Some(layout),
        _ => None,
    }
}

/// The pointers of a model block: where its sections lie. A section reaches to the next one's start, the last to the block's end.
///
/// # Errors
/// When the block is shorter than its pointers.
pub fn read_block(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Vec<SectionSpan>, Fault> {
    let block = r.range();
    let length = block.end.saturating_sub(block.start);
    r.u32("Zero")?;
    let mut starts: Vec<(u32, SectionKind)> = Vec::new();
    for kind in SectionKind::OF_BLOCK {
        let at = r.offset();
        let pointer = r.named_u32(format!("{}Offset", kind.name().replace(' ', "")), |p| (p == 0).then_some("none"))?;
        if pointer == 0 {
            continue;
        }
        if u64::from(pointer) >= length || u64::from(pointer) < BLOCK_HEADER {
            let message = format!("{} has the invalid offset {pointer} in a block of {length} bytes", kind.name());
            findings.add(&codes::BAD_POINTER, Some(at), message);
            continue;
        }
        match starts.iter_mut().find(|(start, _)| *start == pointer) {
            Some((_, other)) => {
                let (kept, lost) = if other.is_described() { (*other, kind) } else { (kind, *other) };
                *other = kept;
                let message = format!("{} has the same offset {pointer} as {}", lost.name(), kept.name());
                findings.add(&codes::BAD_POINTER, Some(at), message);
            }
            None => starts.push((pointer, kind)),
        }
    }
    let ends: Vec<u32> = starts.iter().map(|(start, _)| *start).collect();
    let span = |(start, kind): (u32, SectionKind)| {
        let next = ends.iter().filter(|end| **end > start).min().map_or(length, |end| u64::from(*end));
        let range = block.start.saturating_add(u64::from(start))..block.start.saturating_add(next);
        SectionSpan { kind, range }
    };
    Ok(starts.into_iter().map(span).collect())
}

/// The members of an archive, each up to the next one's start.
///
/// # Errors
/// When the table does not fit.
pub fn read_archive(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<Vec<Range<u64>>, Fault> {
    let file = r.range();
    let count = r.u32("Count")?;
    let count = count.min(MAX_MEMBERS);
    let offsets = r.records("Offsets", "u32", u64::from(count), 4, |r, _| r.u32("Offset"))?;
    let table_end = r.offset();
    let length = file.end.saturating_sub(file.start);
    let mut starts: Vec<u64> = Vec::new();
    for (index, offset) in offsets.into_iter().enumerate() {
        let start = u64::from(offset);
        if start < table_end || start >= length {
            let message = format!("member {index} has the invalid offset {start} in an archive of {length} bytes");
            findings.add(&codes::BAD_MEMBER, Some((index as u64).saturating_add(1).saturating_mul(4)), message);
        } else if !starts.contains(&start) {
            starts.push(start);
        }
    }
    starts.sort_unstable();
    let ends = starts.iter().copied().skip(1).chain([length]);
    Ok(starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect())
}

/// A big-endian reader of a part of the file.
pub fn reader(source: &Source, range: Range<u64>) -> FieldReader<'_> {
    FieldReader::new(source, range, Endian::Big)
}
