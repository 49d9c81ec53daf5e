//! Packed streams, blocks of coders and the members' streams in them (formats/containers.md §10).
//!
//! A block (the format's word is folder) unpacks one or more packed streams into one stream, in which its members follow each other.

use super::{
    super::contents::{Reading, Trouble},
    folder::{Folder, folder},
    table::{Table, invalid},
};
use std::ops::Range;

/// Length of the signature header: the packed streams' offsets count from its end.
pub const SIGNATURE: u64 = 32;
/// Coders and packed streams that are read for each member that may be listed. More in one block are not unpacked either.
const EACH: u64 = 4;
/// Number of packed streams of a block that are shown as its members' stored bytes.
const SHOWN: usize = 4;

const END: u8 = 0x00;
const PACK_INFO: u8 = 0x06;
const UNPACK_INFO: u8 = 0x07;
const SUB_STREAMS: u8 = 0x08;
const SIZE: u8 = 0x09;
const DIGESTS: u8 = 0x0A;
const FOLDERS: u8 = 0x0B;
const UNPACK_SIZES: u8 = 0x0C;
const COUNTS: u8 = 0x0D;

/// The streams of an archive.
#[derive(Default)]
pub struct Streams {
    /// Ranges of the file.
    packed: Vec<Range<u64>>,
    /// The descriptions of the blocks, as the header has them.
    folders: Vec<u8>,
    blocks: Vec<Block>,
    /// Unpacked sizes of the coders, block after block.
    sizes: Vec<u64>,
    members: Vec<Member>,
}

struct Block {
    /// Range of its description.
    described: Range<usize>,
    /// Its packed streams.
    packed: Range<usize>,
    /// Its coders.
    coders: Range<usize>,
    /// The coder whose output is the block's.
    main: usize,
    digest: Option<u32>,
    method: &'static str,
}

/// The coders of a block with what they read and give.
pub struct Coders<'a> {
    pub folder: Folder<'a>,
    /// Ranges of the file.
    pub packed: &'a [Range<u64>],
    /// Unpacked sizes of the coders.
    pub sizes: &'a [u64],
}

/// One member's part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub block: usize,
    /// Offset in the unpacked block.
    pub offset: u64,
    pub size: u64,
    /// CRC-32 of its bytes.
    pub digest: Option<u32>,
}

impl Member {
    /// Offset in the unpacked block of what follows the member.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }
}

impl Streams {
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Ranges of the file that a block is unpacked from, at most `SHOWN` of them.
    pub fn packed(&self, block: usize) -> &[Range<u64>] {
        let packed = self.all_packed(block);
        packed.get(..SHOWN).unwrap_or(packed)
    }

    fn all_packed(&self, block: usize) -> &[Range<u64>] {
        self.blocks.get(block).and_then(|block| self.packed.get(block.packed.clone())).unwrap_or_default()
    }

    /// Number of packed bytes of a block.
    pub fn stored(&self, block: usize) -> u64 {
        self.all_packed(block).iter().map(|range| range.end.saturating_sub(range.start)).fold(0, u64::saturating_add)
    }

    /// Offset after the last packed stream of a block.
    pub fn end(&self) -> u64 {
        let ends = (0..self.blocks.len()).flat_map(|block| self.all_packed(block)).map(|range| range.end);
        ends.max().unwrap_or(SIGNATURE)
    }

    /// Name of a block's method, by its first coder.
    pub fn method(&self, block: usize) -> &'static str {
        self.blocks.get(block).map_or("unknown method", |block| block.method)
    }

    pub fn digest(&self, block: usize) -> Option<u32> {
        self.blocks.get(block)?.digest
    }

    /// Number of bytes that a block unpacks to.
    pub fn size(&self, block: usize) -> u64 {
        let size = |block: &Block| self.sizes.get(block.coders.clone())?.get(block.main).copied();
        self.blocks.get(block).and_then(size).unwrap_or(0)
    }

    /// Reads how a block is unpacked.
    pub fn coders(&self, block: usize) -> Result<Coders<'_>, Trouble> {
        let parts = self.blocks.get(block).and_then(|found| {
            Some((self.folders.get(found.described.clone())?, self.sizes.get(found.coders.clone())?))
        });
        let (described, sizes) = parts.ok_or_else(|| invalid(0, "the block is missing"))?;
        Ok(Coders { folder: folder(&mut Table::new(described, 0))?, packed: self.all_packed(block), sizes })
    }
}

/// Reads the streams, up to the end of their part of the header.
pub fn streams(table: &mut Table<'_>, cx: &Reading<'_>) -> Result<Streams, Trouble> {
    let mut streams = Streams::default();
    let mut id = table.u8()?;
    if id == PACK_INFO {
        streams.packed = packed(table, cx)?;
        id = table.u8()?;
    }
    if id == UNPACK_INFO {
        blocks(table, cx, &mut streams)?;
        id = table.u8()?;
    }
    let is_divided = id == SUB_STREAMS;
    members(table, cx, &mut streams, is_divided)?;
    if is_divided {
        id = table.u8()?;
    }
    if id != END {
        return Err(invalid(table.offset(), format!("the stream list has an unknown section ({id:02X})")));
    }
    Ok(streams)
}

/// Refuses more coders or packed streams than the members that may be listed can have.
fn check_each(table: &Table<'_>, cx: &Reading<'_>, count: u64) -> Result<(), Trouble> {
    cx.check_count(count / EACH, EACH, table.left(), table.offset())
}

fn packed(table: &mut Table<'_>, cx: &Reading<'_>) -> Result<Vec<Range<u64>>, Trouble> {
    let offset = table.offset();
    let overflow = || invalid(offset, "the packed streams exceed the maximum file size");
    let mut at = SIGNATURE.checked_add(table.number()?).ok_or_else(overflow)?;
    let count = table.number()?;
    check_each(table, cx, count)?;
    let mut packed = Vec::new();
    let mut id = table.u8()?;
    if id == SIZE {
        for _ in 0..count {
            let end = at.checked_add(table.number()?).ok_or_else(overflow)?;
            packed.push(at..end);
            at = end;
        }
        id = table.u8()?;
    }
    if id == DIGESTS {
        table.digests(usize::try_from(count).unwrap_or(usize::MAX))?;
        id = table.u8()?;
    }
    if id != END {
        return Err(invalid(table.offset(), format!("the list of packed streams has an unknown section ({id:02X})")));
    }
    Ok(packed)
}

fn blocks(table: &mut Table<'_>, cx: &Reading<'_>, streams: &mut Streams) -> Result<(), Trouble> {
    table.require(FOLDERS, "a list of blocks")?;
    let count = table.number()?;
    // A block has at least one coder of one byte, and its size.
    cx.check_count(count, 3, table.left(), table.offset())?;
    table.inline()?;
    let described = table.rest();
    let start = table.offset();
    let mut at = 0_usize;
    let (mut first_packed, mut first_coder) = (0_usize, 0_usize);
    for _ in 0..count {
        let folder = folder(table)?;
        let end = usize::try_from(table.offset().saturating_sub(start)).unwrap_or(usize::MAX);
        let packed = first_packed..first_packed.saturating_add(folder.packed.len());
        let coders = first_coder..first_coder.saturating_add(folder.coders.len());
        (first_packed, first_coder) = (packed.end, coders.end);
        if packed.end > streams.packed.len() {
            return Err(invalid(table.offset(), "a block has packed streams that are not listed"));
        }
        check_each(table, cx, coders.end as u64)?;
        let (main, method) = (folder.main, folder.method_name());
        streams.blocks.push(Block { described: at..end, packed, coders, main, digest: None, method });
        at = end;
    }
    streams.folders = described.get(..at).unwrap_or_default().to_vec();
    table.require(UNPACK_SIZES, "a list of block sizes")?;
    for _ in 0..first_coder {
        streams.sizes.push(table.number()?);
    }
    let mut id = table.u8()?;
    if id == DIGESTS {
        let digests = table.digests(streams.blocks.len())?;
        for (block, digest) in streams.blocks.iter_mut().zip(digests) {
            block.digest = digest;
        }
        id = table.u8()?;
    }
    if id != END {
        return Err(invalid(table.offset(), format!("the block list has an unknown section ({id:02X})")));
    }
    Ok(())
}

/// Divides the blocks among members; a block without an own division is one member.
fn members(table: &mut Table<'_>, cx: &Reading<'_>, streams: &mut Streams, is_divided: bool) -> Result<(), Trouble> {
    let mut counts = vec![1_u64; streams.blocks.len()];
    let mut id = if is_divided { table.u8()? } else { END };
    if id == COUNTS {
        let mut total = 0_u64;
        for count in &mut counts {
            *count = table.number()?;
            total = total.saturating_add(*count);
            // All members of a block but the last have a size of at least one byte.
            let sized = count.saturating_sub(1);
            cx.check_count(total, 0, 0, table.offset())?;
            cx.check_count(sized, 1, table.left(), table.offset())?;
        }
        id = table.u8()?;
    }
    let has_sizes = id == SIZE;
    for (block, count) in counts.iter().enumerate() {
        let whole = streams.size(block);
        let mut offset = 0_u64;
        for index in 0..*count {
            let is_last = index.saturating_add(1) == *count;
            let left = whole.saturating_sub(offset);
            let size = match (is_last, has_sizes) {
                (true, _) => left,
                (false, true) => table.number()?,
                (false, false) => return Err(invalid(table.offset(), "the entry sizes of a block are missing")),
            };
            if size > left {
                return Err(invalid(table.offset(), "the entries of a block are larger than the block"));
            }
            streams.members.push(Member { block, offset, size, digest: None });
            offset = offset.saturating_add(size);
        }
    }
    if has_sizes {
        id = table.u8()?;
    }
    // A block's own checksum is that of its only member.
    let own = |block: usize| streams.digest(block).filter(|_| counts.get(block) == Some(&1));
    let own: Vec<Option<u32>> = streams.members.iter().map(|member| own(member.block)).collect();
    let mut digests = Vec::new();
    if id == DIGESTS {
        digests = table.digests(own.iter().filter(|digest| digest.is_none()).count())?;
        id = table.u8()?;
    }
    let mut digests = digests.into_iter();
    for (member, own) in streams.members.iter_mut().zip(own) {
        member.digest = own.or_else(|| digests.next().flatten());
    }
    if id != END {
        return Err(invalid(table.offset(), format!("the list of entry sizes has an unknown section ({id:02X})")));
    }
    Ok(())
}
