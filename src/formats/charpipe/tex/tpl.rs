//! Texture palettes of the SDK: a table of pairs of headers, which lie anywhere (formats/charpipe.md §9).

use super::texture::{self, Texture, eighths, whole};
use crate::{
    formats::{
        charpipe::codes,
        field_reader::{Fault, FieldReader},
        findings::Findings,
        gx::{
            bti::{Bti, BtiHeader},
            bti_set::Block,
        },
    },
    scene::gx::names,
};
use std::ops::Range;

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
pub fn read_list(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<(Vec<Texture>, u64), Fault> {
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
    let name = texture::name(index);
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
