//! Textures that a file keeps together: decoded so that shared pixels are decoded once, and recorded so that every byte is claimed
//! once.

use super::bti::{Bti, Decoding, PIXELS};
use crate::{
    formats::{
        Value,
        field_reader::{Fault, FieldReader},
        read_budget::ReadBudget,
    },
    scene::Image,
};
use std::{
    collections::{HashMap, hash_map::Entry},
    ops::Range,
    sync::Arc,
};

/// Records what a block holds, from its start on.
type RecordBlock<'a> = Box<dyn FnOnce(&mut FieldReader<'_>) -> Result<(), Fault> + 'a>;

/// A part of a file that several textures may share or overlap.
pub struct Block<'a> {
    /// Bytes from the start of the file, whether they are there or not.
    pub range: Range<u64>,
    /// What its rest is called where its start belongs to another block; empty: then it is left out.
    rest: String,
    record: RecordBlock<'a>,
}

impl<'a> Block<'a> {
    /// A block that is there whole or not at all.
    pub fn whole(range: Range<u64>, record: impl FnOnce(&mut FieldReader<'_>) -> Result<(), Fault> + 'a) -> Self {
        Self { range, rest: String::new(), record: Box::new(record) }
    }

    /// The palette and the pixels of a texture.
    pub fn of(bti: &'a Bti, name: String) -> impl Iterator<Item = Self> {
        let of_palette = format!("Palette of {name}");
        let of_pixels = format!("Pixels of {name}");
        let rest = format!("Unshared data of {name}");
        let palette = bti.palette_range().map(|range| {
            let record = move |r: &mut FieldReader<'_>| bti.record_palette(r, of_palette);
            Self { range, rest: rest.clone(), record: Box::new(record) }
        });
        let pixels = bti.data_range().map(|range| {
            let record = move |r: &mut FieldReader<'_>| bti.record_pixels(r, of_pixels);
            Self { range, rest, record: Box::new(record) }
        });
        palette.into_iter().chain(pixels)
    }
}

/// Fields of blocks that lie before `end`, each once, from `free` on: where blocks overlap the later one has what is left.
///
/// # Errors
/// When a block cannot be recorded as far as it is there.
pub fn record_blocks(r: &mut FieldReader<'_>, mut blocks: Vec<Block<'_>>, free: u64, end: u64) -> Result<(), Fault> {
    blocks.sort_by_key(|block| (block.range.start, std::cmp::Reverse(block.range.end)));
    let mut free = free;
    for Block { range, rest, record } in blocks {
        let end = range.end.min(end);
        let is_cut = range.start < free;
        if end <= free || (is_cut && rest.is_empty()) || r.seek(range.start.max(free)).is_err() {
            continue;
        }
        if is_cut {
            let size = usize::try_from(end.saturating_sub(free)).unwrap_or(0);
            r.bytes(rest, format!("u8[{size}]"), size, Value::Opaque(PIXELS))?;
        } else {
            record(r)?;
        }
        free = end;
    }
    Ok(())
}

/// How often the bytes of a file may be decoded on average, as palettes and pixels of one texture after the other; and bytes that
/// may be besides.
const DECODED_TIMES: u64 = 4;
const DECODED: u64 = 8 << 20;

/// Which textures may be decoded: all, unless so many share palettes or pixels that a short file would take minutes. One for each
/// texture.
pub fn affordable<'a>(textures: impl Iterator<Item = Option<&'a Bti>>, file: &Range<u64>) -> Vec<bool> {
    let size = file.end.saturating_sub(file.start);
    let mut budget = ReadBudget::new(size.saturating_mul(DECODED_TIMES).saturating_add(DECODED));
    let there = |range: Range<u64>| range.end.min(file.end).saturating_sub(range.start);
    let bytes = |bti: &Bti| {
        let ranges = bti.palette_range().into_iter().chain(bti.data_range());
        ranges.map(there).fold(0, u64::saturating_add)
    };
    textures.map(|bti| bti.is_none_or(|bti| budget.take(bytes(bti)))).collect()
}

/// What is said of a texture that is not [`affordable`].
pub const SHARED: &str = "not decoded: too many other textures share the same pixels";

/// Something is wrong with the texture of this number.
pub type Report<'a> = dyn FnMut(usize, String) + 'a;

/// Every image of every texture, in their order, until `is_cancelled`. One that cannot be decoded has none.
pub fn decode_all<'a>(
    textures: impl Iterator<Item = (&'a Bti, String)>,
    decoding: &mut Decoding<'_>,
    is_cancelled: impl Fn() -> bool,
    report: &mut Report<'_>,
) -> Vec<Vec<Arc<Image>>> {
    let mut decoded: HashMap<PixelSource, Vec<Arc<Image>>> = HashMap::new();
    let mut all = Vec::new();
    for (index, (bti, name)) in textures.enumerate() {
        if is_cancelled() {
            break;
        }
        let (mips, is_shared) = match decoded.entry(PixelSource::of(bti)) {
            Entry::Occupied(known) => (known.into_mut(), true),
            Entry::Vacant(free) => {
                let pixels = bti.pixels(&name, decoding);
                if let Some(problem) = pixels.problem {
                    report(index, format!("{name}: {problem}"));
                }
                (free.insert(pixels.mips), false)
            }
        };
        // Whoever draws or exports the textures holds each for itself, shared pixels or not.
        let size = mips.iter().fold(0_u64, |sum, image| sum.saturating_add(image.rgba.len() as u64));
        let Some(left) = decoding.left.checked_sub(if is_shared { size } else { 0 }) else {
            report(index, format!("{name}: the decoded textures of the file exceed the memory limit"));
            all.push(Vec::new());
            continue;
        };
        decoding.left = left;
        // Textures that share their pixels are told apart by their names.
        let renamed = mips.iter().map(|image| match &**image {
            image if image.name != name => Arc::new(Image { name: name.clone(), ..image.clone() }),
            _ => image.clone(),
        });
        all.push(renamed.collect());
    }
    all
}

/// What decides a texture's pixels.
#[derive(PartialEq, Eq, Hash)]
struct PixelSource {
    data: Option<u64>,
    palette: Option<Range<u64>>,
    format: (u8, u8),
    size: (u16, u16),
    image_count: u8,
}

impl PixelSource {
    fn of(bti: &Bti) -> Self {
        let header = &bti.header;
        Self {
            data: bti.data_start(),
            palette: bti.palette_range(),
            format: (header.format, header.palette_format),
            size: (header.width, header.height),
            image_count: header.image_count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bti::BtiHeader;
    use super::*;

    #[test]
    fn pixels_that_textures_share_are_decoded_as_often_as_the_file_justifies() {
        // I8, 1,024 × 1,024: a mebibyte, which lies in the file once.
        let header =
            BtiHeader { format: 1, width: 1024, height: 1024, image_count: 1, data_offset: 32, ..BtiHeader::default() };
        let bti = Bti { header, offset: 0 };
        let list = vec![Some(&bti); 40];
        let file = 0..(1 << 20) + 32;
        let count = affordable(list.into_iter(), &file).iter().filter(|fits| **fits).count();
        assert_eq!(count, 12);
        assert_eq!(affordable([Some(&bti), None].into_iter(), &file), [true, true]);
    }
}
