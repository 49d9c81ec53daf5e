//! Textures as surfaces of meshes and maps use them.

use super::{
    super::{
        package::{Found, Package},
        tables::ObjectRef,
    },
    first_image::first_image,
    is_texture,
    room::Room,
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
    scene::Image,
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
