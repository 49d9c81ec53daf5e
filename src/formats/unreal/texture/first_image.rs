//! The image that a texture is seen as, without the rest of it.

use super::{
    super::{codes, object::ObjectReader, package::Found, properties::PropertyList, tables::ObjectRef},
    decode::Decoder,
    mips::{StoredMip, TextureMips, read_texture},
    palette::{grey_ramp, palette_of},
    pixels::{Layout, PixelFormat, pixel_format},
    room::Room,
};
use crate::{
    formats::LoadContext,
    scene::{Image, Palette},
};
use std::sync::Arc;

/// The formats of a texture's two lists, where they are known.
pub struct Formats {
    pub normal: Option<PixelFormat>,
    pub compressed: Option<PixelFormat>,
}

impl Formats {
    pub fn of(version: u16, properties: &PropertyList) -> Self {
        let known = |name: &str| pixel_format(version, properties.int(name).unwrap_or(0));
        Self { normal: known("Format"), compressed: known("CompFormat") }
    }

    /// Whether pixels of these two lists are indices into a palette.
    pub fn need_palette(&self, texture: &TextureMips<'_>) -> bool {
        let indices = |format: Option<PixelFormat>, mips: &[StoredMip<'_>]| {
            format.is_some_and(|f| f.layout == Layout::Indices) && has_pixels(mips)
        };
        indices(self.normal, &texture.mips) || indices(self.compressed, &texture.compressed)
    }
}

fn has_pixels(mips: &[StoredMip<'_>]) -> bool {
    mips.iter().any(|mip| !mip.data.is_empty())
}

/// The palette of a texture; shades of grey, with a word on it, where it is missing.
pub fn palette(decoder: &mut Decoder<'_, '_>, properties: &PropertyList) -> Arc<Palette> {
    let object = properties.object("Palette").unwrap_or(ObjectRef::NONE);
    palette_of(decoder.package, object).unwrap_or_else(|| {
        let path = match decoder.package.object_path(object) {
            path if path.is_empty() => "none specified".to_owned(),
            path => format!("{path} was not found"),
        };
        let message = format!("{}: the palette is missing ({path}); the image is shown in grey", decoder.name);
        decoder.report(&codes::MISSING_PALETTE, None, message);
        grey_ramp()
    })
}

/// The image that a texture is seen as: the largest compressed one, else the largest normal one.
pub fn first_image(
    found: &Found,
    properties: &PropertyList,
    reader: &mut ObjectReader<'_>,
    cx: &mut LoadContext<'_>,
    room: &mut Room,
) -> Option<Arc<Image>> {
    let texture = read_texture(reader, properties);
    let formats = Formats::of(found.package.version(), properties);
    let name = found.package.object_name(ObjectRef::export(found.export)).unwrap_or_default();
    let mut decoder = Decoder::new(&found.package, found.export, name, cx, room);
    let lists = [(&texture.compressed, formats.compressed), (&texture.mips, formats.normal)];
    for (mips, format) in lists.into_iter().filter(|(mips, _)| has_pixels(mips)) {
        let Some(format) = format else { continue };
        let palette = if format.layout == Layout::Indices { palette(&mut decoder, properties) } else { Arc::default() };
        if let Some(image) = mips.iter().find_map(|mip| decoder.image(format, mip, &palette)) {
            return Some(image);
        }
    }
    None
}
