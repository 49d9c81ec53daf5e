//! The contents of a texture besides its properties (§5.1): its mips, the same in a compressed format, and its palette
//! (§5.4).

use super::{
    super::{
        info::PAYLOAD,
        kind::{Kind, kind_of},
        object::{Fault, ObjectReader},
        package::{Found, Package},
        properties::PropertyList,
        tables::ObjectRef,
    },
    with_object,
};
use crate::{
    formats::{ReadErrorKind, Value},
    scene::Palette,
};
use std::sync::Arc;

/// One size of a picture as it is stored. No bytes with a size is a picture that is computed, or was stripped.
#[derive(Clone, Copy, Debug)]
pub struct StoredMip<'a> {
    /// Pixels.
    pub width: u32,
    pub height: u32,
    pub data: &'a [u8],
    /// Where the data lies, in bytes from the start of the file.
    pub offset: u64,
}

/// Both lists of mips, the largest first; as much as could be read.
#[derive(Clone, Debug, Default)]
pub struct TextureMips<'a> {
    pub mips: Vec<StoredMip<'a>>,
    /// In CompFormat.
    pub compressed: Vec<StoredMip<'a>>,
    /// Why there is no more.
    pub fault: Option<Fault>,
}

/// Reads the mips of a Texture or of one of its children; the reader stands behind its properties.
pub fn read_texture<'a>(reader: &mut ObjectReader<'a>, properties: &PropertyList) -> TextureMips<'a> {
    let mut texture = TextureMips::default();
    let side = |name: &str| properties.int(name).and_then(|side| u32::try_from(side).ok()).unwrap_or(0);
    let size = (side("USize"), side("VSize"));
    let is_said = properties.bool("bHasComp") == Some(true);
    let mut read = || {
        read_list(reader, "Mips", size, &mut texture.mips)?;
        // From version 84 on textures that say so may have none (§12, §16.2): the offsets behind the arrays tell.
        if is_said && (reader.version() < 84 || is_list(reader)) {
            read_list(reader, "CompMips", size, &mut texture.compressed)?;
        }
        Ok(())
    };
    texture.fault = read().err();
    texture
}

fn read_list<'a>(
    reader: &mut ObjectReader<'a>,
    name: &'static str,
    size: (u32, u32),
    list: &mut Vec<StoredMip<'a>>,
) -> Result<(), Fault> {
    let count = reader.u8(format!("{name} count"))?;
    for level in 0..u32::from(count) {
        let halved = |side: u32| side.checked_shr(level).unwrap_or(0).max(1);
        reader.group(format!("{name} {level}"), "mip", |r| read_mip(r, (halved(size.0), halved(size.1)), list))?;
    }
    Ok(())
}

/// Whether a list of mips follows, each with the true offset behind its data.
fn is_list(reader: &ObjectReader<'_>) -> bool {
    let mut list = reader.fork();
    let count = list.u8("").unwrap_or(0);
    let mut mip = || -> Result<bool, Fault> {
        let skip = list.skip_offset()?;
        let count = list.count("")?;
        let end = list.offset().saturating_add(count);
        list.seek(end)?;
        list.raw().bytes(10)?;
        Ok(skip.map(u64::from) == Some(end))
    };
    count > 0 && (0..count).all(|_| mip().unwrap_or(false))
}

/// `expected`: the size that a mip is given whose own size is cut off with the end of its data.
fn read_mip<'a>(
    reader: &mut ObjectReader<'a>,
    expected: (u32, u32),
    list: &mut Vec<StoredMip<'a>>,
) -> Result<(), Fault> {
    reader.skip_offset()?;
    let count = reader.count("Data size")?;
    let offset = reader.offset();
    if count > reader.left() as u64 {
        let left = reader.left();
        let data = reader.bytes("Data", "pixels", left, Value::Opaque(PAYLOAD))?;
        list.push(StoredMip { width: expected.0, height: expected.1, data, offset });
        let message = format!("{count} bytes of pixel data expected, but only {left} found");
        return Err(Fault { kind: ReadErrorKind::Truncated, ..Fault::new(offset, message) });
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let data = match count {
        0 => &[],
        _ => reader.bytes("Data", "pixels", count, Value::Opaque(PAYLOAD))?,
    };
    let (width, height) = (reader.u32("USize")?, reader.u32("VSize")?);
    reader.u8("UBits")?;
    reader.u8("VBits")?;
    list.push(StoredMip { width, height, data, offset });
    Ok(())
}

/// Reads the colours of a Palette; the reader stands behind its properties. The stored alpha means nothing (§0): each colour
/// comes with 255.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_palette(reader: &mut ObjectReader<'_>) -> Result<Vec<[u8; 4]>, Fault> {
    let colors = reader.array("Colors", "Color", 4, |r| {
        let at = r.offset();
        let [red, green, blue, alpha] = r.raw().array::<4>()?;
        r.record("Color", "Color", at, || Value::Color([red, green, blue, alpha]));
        Ok([red, green, blue, 255])
    })?;
    // Undying from version 75 on (§12).
    if reader.version() >= 75 && reader.left() == 4 {
        reader.i32("Unknown")?;
    }
    Ok(colors)
}

/// A Palette as an asset.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_palette(name: String, reader: &mut ObjectReader<'_>) -> Result<Arc<Palette>, Fault> {
    Ok(Arc::new(Palette { name, colors: read_palette(reader)? }))
}

/// The palette that a reference leads to, in whatever package it is; `None` when it is missing, is no palette or cannot be read.
pub fn palette_of(package: &Arc<Package>, object: ObjectRef) -> Option<Arc<Palette>> {
    let found: Found = package.resolve(object)?;
    if kind_of(&found.package, found.export) != Kind::Palette {
        return None;
    }
    let name = found.package.object_name(ObjectRef::export(found.export))?.to_owned();
    with_object(&found, |_, reader| load_palette(name, reader).ok()).filter(|palette| !palette.colors.is_empty())
}

/// Shades of grey, for pictures whose own palette is missing.
pub fn grey_ramp() -> Arc<Palette> {
    Arc::new(Palette { name: "grey".to_owned(), colors: (0..=255_u8).map(|v| [v, v, v, 255]).collect() })
}
