//! Sluggers' TEX section: one table of headers with all that a texture has (formats/charpipe.md §9).

use super::texture::{Texture, eighths, whole};
use crate::{
    formats::{
        field_reader::{Fault, FieldReader},
        findings::Findings,
        gx::{
            bti::{Bti, BtiHeader},
            texture,
        },
    },
    scene::gx::names,
};

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
pub fn read_list(r: &mut FieldReader<'_>, findings: &mut Findings) -> Result<(Vec<Texture>, u64), Fault> {
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
