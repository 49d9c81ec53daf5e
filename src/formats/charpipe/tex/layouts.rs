//! The two layouts of textures: Sluggers' TEX section, a table of headers, and the SDK's palettes, a table of pairs of
//! headers (formats/charpipe.md §9).

use super::super::codes;
use crate::{
    bytes::numbers::{counted, grouped},
    formats::{
        field_reader::{Fault, FieldReader},
        findings::Findings,
        gx::{
            bti::{Bti, BtiHeader},
            bti_set::Block,
            texture,
        },
    },
    scene::gx::names,
};
use std::ops::Range;

/// A texture in a section.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Its header in the terms of the chip's other texture files, with offsets that count from the section; `None` where it lies
    /// outside.
    pub bti: Option<Bti>,
    pub lod_bias: f32,
    /// Its header, in bytes from the start of the file.
    pub header: Range<u64>,
    /// The header of its palette, where it has one.
    pub palette_header: Option<Range<u64>>,
}

/// Name of a texture: files have none.
pub fn name(index: usize) -> String {
    format!("texture {index}")
}

/// Whole levels as the eighths that headers of the chip's other files have; there are never more than 11.
fn eighths(levels: u8) -> i8 {
    i8::try_from(levels.min(15).saturating_mul(8)).unwrap_or(i8::MAX)
}

/// Textures that display states can tell apart (formats/charpipe.md §4.1).
const MOST: u64 = 0x2000;

/// How many of the counted records are there; that some are not is said.
fn whole(r: &FieldReader<'_>, count: u64, size: u64, findings: &mut Findings) -> usize {
    let fit = r.whole_records(count.min(MOST), size);
    if (fit as u64) < count {
        let message = format!("expected {}, found {}", counted(count, "texture"), grouped(fit));
        findings.add(&codes::BAD_TEXTURE_TABLE, Some(r.offset()), message);
    }
    fit
}

/// Bytes of a header.
const SIZE: u64 = 0x20;
/// The table begins behind the counts.
const TABLE: u64 = 4;
/// The chip's code of a filter; TEX has none for textures seen from near.
const LINEAR: u8 = 1;

/// A header as it is stored.
#[derive(Clone, Copy, Debug, Default)]
struct Header {
    /// What it has in common with the chip's other texture files.
    bti: BtiHeader,
    lod_bias: f32,
    /// Images below the largest.
    mip_count: u8,
}

impl Header {
    fn read(r: &mut FieldReader<'_>) -> Result<Self, Fault> {
        let (data_offset, palette_offset) = (r.u32("DataOffset")?, r.u32("PaletteOffset")?);
        let (height, width) = (r.u16("Height")?, r.u16("Width")?);
        let (edge_lod, min_lod) = (r.u8("EdgeLod")?, r.u8("MinLod")?);
        let min_filter = r.named_u8("MinFilter", names::filter)?;
        r.u8("Unpacked")?;
        let lod_bias = r.f32("LodBias")?;
        r.u16("Unknown14")?;
        let mip_count = r.u8("MipCount")?;
        let format = r.named_u8("Format", names::texture_format)?;
        let palette_count = r.u16("PaletteCount")?;
        let palette_format = r.named_u8("PaletteFormat", names::palette_format)?;
        r.u8s::<5>("Unknown1B")?;
        let bti = BtiHeader {
            format,
            width,
            height,
            has_palette: u8::from(palette_offset != 0 && palette_count > 0),
            palette_format,
            palette_count,
            palette_offset,
            edge_lod,
            min_filter,
            mag_filter: LINEAR,
            min_lod: eighths(min_lod),
            max_lod: eighths(mip_count),
            data_offset,
            ..BtiHeader::default()
        };
        Ok(Self { bti, lod_bias, mip_count })
    }
}

/// Reads the textures of the section from its start, and where the table ends.
///
/// # Errors
/// When the counts do not fit.
pub fn read_headers(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<(Vec<Texture>, u64), Fault> {
    let range = r.range();
    let count = r.u16("TextureCount")?;
    r.u16("PaletteTotal")?;
    let fit = whole(r, count.into(), SIZE, findings);
    let headers = r.records("Textures", "texture", fit as u64, SIZE, |r, _| Header::read(r))?;
    let free = r.offset();
    let starts = headers.iter().flat_map(|h| [h.bti.data_offset, h.bti.palette_offset]);
    let mut starts: Vec<u64> = starts.map(u64::from).filter(|start| *start != 0).collect();
    starts.push(range.end.saturating_sub(range.start));
    starts.sort_unstable();
    let texture = |(index, header): (usize, &Header)| {
        let at = (index as u64).saturating_mul(SIZE).saturating_add(TABLE).saturating_add(range.start);
        let mut bti = header.bti;
        bti.image_count = image_count(header, &starts);
        Texture {
            bti: Some(Bti { header: bti, offset: range.start }),
            lod_bias: header.lod_bias,
            header: at..at.saturating_add(SIZE),
            palette_header: None,
        }
    };
    Ok((headers.iter().enumerate().map(texture).collect(), free))
}

/// Images of a texture. A header without mips counts none of them, so the largest is not counted; where that many have no room
/// before what follows, it is.
fn image_count(header: &Header, starts: &[u64]) -> u8 {
    let Header { bti, mip_count, .. } = header;
    if *mip_count == 0 {
        return 1;
    }
    let count = mip_count.saturating_add(1);
    let start = u64::from(bti.data_offset);
    let room = starts.get(starts.partition_point(|next| *next <= start)).map_or(0, |next| next.saturating_sub(start));
    let (width, height) = (u32::from(bti.width), u32::from(bti.height));
    let images = bti.format().into_iter().flat_map(|format| texture::mips(format, width, height, count));
    let end = images.last().map_or(0, |mip| mip.offset.saturating_add(mip.size) as u64);
    if end <= room { count } else { *mip_count }
}

/// Fields of a texture's header.
pub fn record_header(r: &mut FieldReader<'_>, texture: &Texture) -> Result<(), Fault> {
    r.seek(texture.header.start)?;
    Header::read(r).map(|_| ())
}

/// Bytes of an entry of the table, of a texture's header and of a palette's.
const ENTRY: u64 = 8;
const HEADER: u64 = 0x24;
const PALETTE_HEADER: u64 = 0xC;

/// A texture's header: what it has in common with the chip's other texture files, and its bias.
fn read_header(r: &mut FieldReader<'_>) -> Result<(BtiHeader, f32), Fault> {
    // A code that does not fit a byte has no meaning either.
    let code = |code: u32| u8::try_from(code).unwrap_or(0xFF);
    let named = |names: fn(u8) -> Option<&'static str>| move |code: u32| u8::try_from(code).ok().and_then(names);
    let (height, width) = (r.u16("Height")?, r.u16("Width")?);
    let format = r.named_u32("Format", named(names::texture_format))?;
    let data_offset = r.u32("DataOffset")?;
    let (wrap_s, wrap_t) = (r.named_u32("WrapS", named(names::wrap))?, r.named_u32("WrapT", named(names::wrap))?);
    let min_filter = r.named_u32("MinFilter", named(names::filter))?;
    let mag_filter = r.named_u32("MagFilter", named(names::filter))?;
    let lod_bias = r.f32("LodBias")?;
    let (edge_lod, min_lod, max_lod) = (r.u8("EdgeLod")?, r.u8("MinLod")?, r.u8("MaxLod")?);
    r.u8("Unpacked")?;
    let header = BtiHeader {
        format: code(format),
        width,
        height,
        wrap_s: code(wrap_s),
        wrap_t: code(wrap_t),
        edge_lod,
        min_filter: code(min_filter),
        mag_filter: code(mag_filter),
        min_lod: eighths(min_lod),
        max_lod: eighths(max_lod),
        // One image where both are the same, as the SDK takes it.
        image_count: if min_lod == max_lod { 1 } else { max_lod.saturating_add(1) },
        data_offset,
        ..BtiHeader::default()
    };
    Ok((header, lod_bias))
}

/// Colours, their format, and where they lie.
fn read_palette_header(r: &mut FieldReader<'_>) -> Result<(u16, u8, u32), Fault> {
    let count = r.u16("Count")?;
    r.u8("Unpacked")?;
    r.pad(1)?;
    let format = r.named_u32("Format", |code| u8::try_from(code).ok().and_then(names::palette_format))?;
    Ok((count, u8::try_from(format).unwrap_or(0xFF), r.u32("DataOffset")?))
}

/// Reads the textures of the section, or the file, from its start, and where the table ends.
///
/// # Errors
/// When the header does not fit.
pub fn read_palette(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<(Vec<Texture>, u64), Fault> {
    let range = r.range();
    r.u32("Version")?;
    let (count, table) = (r.u32("TextureCount")?, r.u32("TableOffset")?);
    let header_end = r.offset();
    let at = range.start.saturating_add(u64::from(table));
    let mut entries = Vec::new();
    if count > 0 && (at < header_end || r.seek(at).is_err()) {
        findings.add(
            &codes::BAD_TEXTURE_TABLE,
            Some(range.start),
            format!("the texture table has the invalid offset {table:#X}"),
        );
    } else {
        let fit = whole(r, count.into(), ENTRY, findings);
        let read = |r: &mut FieldReader<'_>, _| Ok((r.u32("HeaderOffset")?, r.u32("PaletteHeaderOffset")?));
        entries = r.records("Table", "entry", fit as u64, ENTRY, read)?;
    }
    let free = r.offset();
    let mut list = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let at = at.saturating_add((index as u64).saturating_mul(ENTRY));
        list.push(texture(r.fork(), &range, index, entry, at, findings));
    }
    Ok((list, free))
}

/// Reads what an entry of the table, which lies `at` an offset in the file, leads to.
fn texture(
    mut r: FieldReader<'_>,
    section: &Range<u64>,
    index: usize,
    (header, palette): (u32, u32),
    at: u64,
    findings: &mut Findings,
) -> Texture {
    let name = name(index);
    let place = |offset: u32, size: u64| {
        let start = section.start.saturating_add(u64::from(offset));
        start..start.saturating_add(size)
    };
    let (at_header, at_palette) = (place(header, HEADER), place(palette, PALETTE_HEADER));
    let read = r.seek(at_header.start).and_then(|()| read_header(&mut r));
    let Ok((mut header, lod_bias)) = read else {
        findings.add(&codes::BAD_TEXTURE, Some(at), format!("{name}: the header has the invalid offset {header:#X}"));
        return Texture { bti: None, lod_bias: 0.0, header: at..at.saturating_add(ENTRY), palette_header: None };
    };
    let mut palette_header = None;
    if palette != 0 {
        match r.seek(at_palette.start).and_then(|()| read_palette_header(&mut r)) {
            Ok((count, format, offset)) => {
                header.has_palette = 1;
                (header.palette_count, header.palette_format, header.palette_offset) = (count, format, offset);
                palette_header = Some(at_palette);
            }
            Err(_) => {
                let message = format!("{name}: the palette header has the invalid offset {palette:#X}");
                findings.add(&codes::BAD_TEXTURE, Some(at), message);
            }
        }
    }
    let bti = Some(Bti { header, offset: section.start });
    Texture { bti, lod_bias, header: at_header, palette_header }
}

/// The headers of a texture as parts of the file.
pub fn header_blocks<'a>(texture: &Texture, name: &str) -> impl Iterator<Item = Block<'a>> + use<'a> {
    let header = texture.bti.map(|_| {
        let label = format!("Header of {name}");
        Block::whole(texture.header.clone(), move |r| r.group(label, "TEXHeader", read_header).map(|_| ()))
    });
    let palette = texture.palette_header.clone().map(|range| {
        let label = format!("Palette header of {name}");
        Block::whole(range, move |r| r.group(label, "CLUTHeader", read_palette_header).map(|_| ()))
    });
    header.into_iter().chain(palette)
}

/// Fields of a texture's headers.
pub fn record_headers(r: &mut FieldReader<'_>, texture: &Texture) -> Result<(), Fault> {
    if texture.bti.is_none() {
        return Ok(());
    }
    r.seek(texture.header.start)?;
    read_header(r)?;
    if let Some(range) = &texture.palette_header {
        r.seek(range.start)?;
        r.group("PaletteHeader", "CLUTHeader", read_palette_header)?;
    }
    Ok(())
}
