//! Where the parts of a picture file lie.

use super::opaque::{EXTRA, PIXELS};
use crate::formats::{
    Value,
    field_reader::{Fault, FieldReader},
};

/// Reads a whole file into fields.
pub type Layout = fn(&mut FieldReader<'_>) -> Result<(), Fault>;

fn rest(r: &mut FieldReader<'_>, name: &'static str, of: &'static str) -> Result<(), Fault> {
    data(r, name, r.left(), of)
}

fn data(r: &mut FieldReader<'_>, name: &'static str, count: usize, of: &'static str) -> Result<(), Fault> {
    if count > 0 {
        r.bytes(name, format!("u8[{count}]"), count, Value::Opaque(of))?;
    }
    Ok(())
}

/// A signature, then chunks, each with its size, its name and a check sum.
pub fn png(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.tag::<8>("Signature")?;
    let mut is_over = false;
    while !is_over && r.left() >= 12 {
        let mut ahead = r.fork();
        ahead.u32("Size")?;
        let name = ahead.tag::<4>("Type")?.escape_ascii().to_string();
        r.group(name, "Chunk", |r| {
            let size = r.u32("Size")?;
            let tag = r.tag::<4>("Type")?;
            is_over = tag == *b"IEND";
            let size = (size as usize).min(r.left().saturating_sub(4));
            if tag == *b"IHDR" && size == 13 {
                r.u32("Width")?;
                r.u32("Height")?;
                r.u8("Bits per channel")?;
                r.named_u8("Colour type", |kind| match kind {
                    0 => Some("grey"),
                    2 => Some("RGB"),
                    3 => Some("palette"),
                    4 => Some("grey + alpha"),
                    6 => Some("RGBA"),
                    _ => None,
                })?;
                r.u8("Compression")?;
                r.u8("Filter")?;
                r.u8("Interlaced")?;
            } else if tag.first().is_some_and(u8::is_ascii_uppercase) {
                data(r, "Data", size, PIXELS)?;
            } else {
                data(r, "Data", size, EXTRA)?;
            }
            r.u32("Checksum").map(|_| ())
        })?;
    }
    rest(r, "Extra data", EXTRA)
}

/// A header of the file, one of the picture, a palette, the pixels.
pub fn bmp(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.group("File header", "BITMAPFILEHEADER", |r| {
        r.tag::<2>("Type")?;
        r.u32("Size")?;
        r.u16("Reserved 1")?;
        r.u16("Reserved 2")?;
        r.u32("Pixel offset")
    })?;
    r.group("Image header", "BITMAPINFOHEADER", |r| {
        let end = r.offset();
        let size = r.u32("Size")?;
        let end = end.saturating_add(u64::from(size));
        if size == 12 {
            r.u16("Width")?;
            r.u16("Height")?;
            r.u16("Planes")?;
            r.u16("Bits per pixel")?;
            return Ok(());
        }
        r.i32("Width")?;
        r.i32("Height")?;
        r.u16("Planes")?;
        r.u16("Bits per pixel")?;
        r.named_u32("Compression", |kind| match kind {
            0 => Some("none"),
            1 => Some("8-bit RLE"),
            2 => Some("4-bit RLE"),
            3 | 6 => Some("bit masks"),
            _ => None,
        })?;
        r.u32("Pixel data size")?;
        r.i32("Pixels per metre (X)")?;
        r.i32("Pixels per metre (Y)")?;
        r.u32("Colours")?;
        r.u32("Important colours")?;
        let left = usize::try_from(end.saturating_sub(r.offset())).unwrap_or(usize::MAX);
        data(r, "Masks and colour space", left.min(r.left()), PIXELS)
    })?;
    rest(r, "Palette and pixels", PIXELS)
}

/// A header of 18 bytes, a name, a palette, the pixels.
pub fn tga(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    let name = r.group("Header", "TGA header", |r| {
        let name = r.u8("Name length")?;
        r.u8("Palette")?;
        r.named_u8("Image type", |kind| match kind {
            1 => Some("palette"),
            2 => Some("true colour"),
            3 => Some("grey"),
            9 => Some("palette, RLE"),
            10 => Some("true colour, RLE"),
            11 => Some("grey, RLE"),
            _ => None,
        })?;
        r.u16("First colour index")?;
        r.u16("Colours")?;
        r.u8("Bits per colour")?;
        r.u16("X")?;
        r.u16("Y")?;
        r.u16("Width")?;
        r.u16("Height")?;
        r.u8("Bits per pixel")?;
        r.u8("Alpha bits and orientation")?;
        Ok(name)
    })?;
    let name = usize::from(name).min(r.left());
    if name > 0 {
        r.text("Name", name, |bytes| bytes.escape_ascii().to_string())?;
    }
    rest(r, "Palette and pixels", PIXELS)
}

/// A header, for newer kinds of pixels a second one, then the mips of each surface.
pub fn dds(r: &mut FieldReader<'_>) -> Result<(), Fault> {
    r.tag::<4>("Magic")?;
    let four_cc = r.group("Header", "DDS_HEADER", |r| {
        r.u32("Size")?;
        r.u32("Flags")?;
        r.u32("Height")?;
        r.u32("Width")?;
        r.u32("Pitch or size")?;
        r.u32("Depth")?;
        r.u32("Mips")?;
        r.bytes("Reserved", "u32[11]", 44, Value::Raw)?;
        let four_cc = r.group("Pixel format", "DDS_PIXELFORMAT", |r| {
            r.u32("Size")?;
            r.u32("Flags")?;
            let four_cc = r.tag::<4>("FourCC")?;
            r.u32("Bits per pixel")?;
            for name in ["Red", "Green", "Blue", "Alpha"] {
                r.u32(name)?;
            }
            Ok(four_cc)
        })?;
        for name in ["Capabilities 1", "Capabilities 2", "Capabilities 3", "Capabilities 4"] {
            r.u32(name)?;
        }
        r.u32("Reserved 2")?;
        Ok(four_cc)
    })?;
    if &four_cc == b"DX10" {
        r.group("DX10 header", "DDS_HEADER_DXT10", |r| {
            for name in ["DXGI format", "Dimension", "Flags", "Array size", "Alpha mode"] {
                r.u32(name)?;
            }
            Ok(())
        })?;
    }
    rest(r, "Mips", PIXELS)
}
