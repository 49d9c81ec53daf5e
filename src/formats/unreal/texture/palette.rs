//! Palettes (§5.4).

use super::{
    super::{
        kind::{Kind, kind_of},
        object::{Fault, ObjectReader},
        package::{Found, Package},
        tables::ObjectRef,
    },
    with_object,
};
use crate::{formats::Value, scene::Palette};
use std::sync::Arc;

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
