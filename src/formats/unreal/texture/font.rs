//! Bitmap fonts (§7.5).

use super::{
    super::{
        header::Object,
        object::{Fault, ObjectReader},
        package::{Found, Package},
        properties::PropertyList,
        tables::ObjectRef,
    },
    decode::Room,
    is_texture,
    mips::read_texture,
    surface::first_image,
    with_object,
};
use crate::{
    formats::LoadContext,
    scene::{Font, FontPage, Glyph, Image},
};
use std::{collections::HashMap, sync::Arc};

/// A font as it is stored.
#[derive(Clone, Debug, Default)]
pub struct StoredFont {
    /// The texture of each page with the places of its characters. Up to version 63 a font is its only page's texture itself.
    pub pages: Vec<(ObjectRef, Vec<Glyph>)>,
    pub characters_per_page: u32,
}

/// Reads a Font; the reader stands behind its properties.
///
/// # Errors
/// Where it cannot be read on.
pub fn read_font(reader: &mut ObjectReader<'_>, properties: &PropertyList) -> Result<StoredFont, Fault> {
    if reader.version() <= 63 {
        if let Some(fault) = read_texture(reader, properties).fault {
            return Err(fault);
        }
        let glyphs = reader.array("Characters", "FontCharacter", 16, read_glyph)?;
        let characters_per_page = u32::try_from(glyphs.len()).unwrap_or(u32::MAX);
        return Ok(StoredFont { pages: vec![(ObjectRef::NONE, glyphs)], characters_per_page });
    }
    let count = reader.count("Pages count")?;
    // A page is a reference and a count at least.
    let count = reader.raw().check_count(count, 2)?;
    let mut pages = Vec::new();
    for page in 0..count {
        pages.push(reader.group(format!("Page {page}"), "FontPage", |r| {
            let texture = r.object("Texture")?;
            Ok((texture, r.array("Characters", "FontCharacter", 16, read_glyph)?))
        })?);
    }
    let per_page = reader.i32("CharactersPerPage")?;
    // Written by later patches of version 69.
    if reader.left() >= 5 && reader.index("CharacterRemap count")? == 0 {
        reader.i32("IsRemapped")?;
    }
    Ok(StoredFont { pages, characters_per_page: u32::try_from(per_page).unwrap_or(0) })
}

fn read_glyph(reader: &mut ObjectReader<'_>) -> Result<Glyph, Fault> {
    Ok(Glyph {
        x: reader.i32("StartU")?,
        y: reader.i32("StartV")?,
        width: reader.i32("USize")?,
        height: reader.i32("VSize")?,
    })
}

/// Decodes a font with its pages.
///
/// # Errors
/// Where it cannot be read on.
pub fn load_font(object: &Object<'_>, reader: &mut ObjectReader<'_>, cx: &mut LoadContext<'_>) -> Result<Font, Fault> {
    let properties = object.properties();
    let mut own = ObjectReader::of_export(object.package, object.export);
    own.seek(reader.offset())?;
    let stored = read_font(reader, properties)?;
    let mut font = Font { name: object.name(), pages: Vec::new(), characters_per_page: stored.characters_per_page };
    let mut room = Room::of(cx.limits.decoded_bytes);
    // Pages may name the same texture again and again.
    let mut known: HashMap<ObjectRef, Option<Arc<Image>>> = HashMap::new();
    for (texture, glyphs) in stored.pages {
        let image = match known.get(&texture) {
            Some(image) => image.clone(),
            None if object.package.version() <= 63 => {
                let found = Found { package: object.package.clone(), export: object.export };
                first_image(&found, properties, &mut own, cx, &mut room)
            }
            None => page_image(object.package, texture, cx, &mut room),
        };
        known.insert(texture, image.clone());
        font.pages.push(FontPage { image, glyphs });
    }
    room.report(object.package, object.export, cx);
    Ok(font)
}

fn page_image(
    package: &Arc<Package>,
    texture: ObjectRef,
    cx: &mut LoadContext<'_>,
    room: &mut Room,
) -> Option<Arc<Image>> {
    let found = package.resolve(texture).filter(is_texture)?;
    with_object(&found, |properties, reader| first_image(&found, properties, reader, cx, room))
}
