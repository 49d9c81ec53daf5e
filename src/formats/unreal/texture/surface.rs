//! Textures as surfaces of meshes and maps, and the first image of a texture without the rest of it.

use super::{
    super::{
        codes,
        object::ObjectReader,
        package::{Found, Package},
        properties::PropertyList,
        tables::ObjectRef,
    },
    decode::{Decoder, Room},
    is_texture,
    mips::{StoredMip, TextureMips, grey_ramp, palette_of, read_texture},
    pixels::{Layout, PixelFormat, pixel_format},
    with_object,
};
use crate::{
    formats::{
        LoadContext,
        unreal::poly_flags::{
            AUTO_U_PAN, AUTO_V_PAN, ENVIRONMENT, FAKE_BACKDROP, INVISIBLE, MASKED, MIRRORED, MODULATED, NO_SMOOTH,
            PORTAL, SMALL_WAVY, TRANSLUCENT, TWO_SIDED, UNLIT,
        },
    },
    scene::{Image, Palette},
};
use std::sync::Arc;

/// What a texture says of all surfaces that it is on, and the PolyFlags that this is: those that drawing looks at. The rest of its
/// properties of the kind (bNotSolid, bSemisolid, bHighLedge …) are for building and for walking.
const FLAGS: &[(&str, u32)] = &[
    ("bInvisible", INVISIBLE),
    ("bMasked", MASKED),
    ("bTransparent", TRANSLUCENT),
    ("bEnvironment", ENVIRONMENT),
    ("bModulate", MODULATED),
    ("bFakeBackdrop", FAKE_BACKDROP),
    ("bTwoSided", TWO_SIDED),
    ("bAutoUPan", AUTO_U_PAN),
    ("bAutoVPan", AUTO_V_PAN),
    ("bNoSmooth", NO_SMOOTH),
    ("bSmallWavy", SMALL_WAVY),
    ("bUnlit", UNLIT),
    ("bPortal", PORTAL),
    ("bMirrored", MIRRORED),
];

/// What a surface needs to know of its texture.
#[derive(Clone, Debug)]
pub struct SurfaceTexture {
    pub name: String,
    /// Where it was found.
    pub found: Found,
    /// `None` when it holds no pixels: it is computed, or was stripped.
    pub image: Option<Arc<Image>>,
    /// USize and VSize in pixels: what texture coordinates that are pixels are divided by. At least 1.
    pub size: (u32, u32),
    /// PolyFlags that it adds to those of every surface that it is on.
    pub flags: u32,
    /// It names a next picture: it is a flip-book's first.
    pub has_next: bool,
}

/// The texture that a reference leads to, in whatever package it is; `None` when it is missing or is no texture. `room`: what
/// may still be decoded.
pub fn surface_texture(
    package: &Arc<Package>,
    object: ObjectRef,
    cx: &mut LoadContext<'_>,
    room: &mut Room,
) -> Option<SurfaceTexture> {
    let found = package.resolve(object).filter(is_texture)?;
    let name = found.package.object_name(ObjectRef::export(found.export))?.to_owned();
    with_object(&found, |properties, reader| {
        let image = first_image(&found, properties, reader, cx, room);
        let side = |name: &str, pixels: Option<u32>| {
            let stated = properties.int(name).and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
            stated.or(pixels).unwrap_or(1).max(1)
        };
        let size = (side("USize", image.as_ref().map(|i| i.width)), side("VSize", image.as_ref().map(|i| i.height)));
        let set = FLAGS.iter().filter(|(name, _)| properties.bool(name) == Some(true));
        Some(SurfaceTexture {
            name,
            found: found.clone(),
            image,
            size,
            flags: set.fold(0, |flags, (_, flag)| flags | flag),
            has_next: properties.object("AnimNext").is_some_and(|next| !next.is_none()),
        })
    })
}

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
