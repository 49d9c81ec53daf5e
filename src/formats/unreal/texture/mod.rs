//! Textures, palettes and fonts (formats/unreal.md §5, §7.5).

mod decode;
mod font;
mod mips;
mod picture;
mod pixels;
mod surface;

pub use decode::Room;
pub use font::{load_font, read_font};
pub use mips::read_texture;
pub use mips::{load_palette, palette_of, read_palette};
pub use picture::flip_book_of;
pub use picture::load_picture;
pub use surface::surface_texture;

use super::{
    header::read_header,
    kind::{Kind, kind_of},
    object::ObjectReader,
    package::{Found, Package},
    properties::PropertyList,
};
use std::sync::Arc;

/// Whether an object is a texture or one of its children.
fn is_texture(found: &Found) -> bool {
    matches!(
        kind_of(&found.package, found.export),
        Kind::Texture | Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice | Kind::OtherProcedural
    )
}

/// The size that a texture states in its properties, in pixels: USize and VSize. `None` for what is no texture or states none.
pub fn stated_size(package: &Arc<Package>, export: usize) -> Option<(u32, u32)> {
    let found = Found { package: package.clone(), export };
    if !is_texture(&found) {
        return None;
    }
    with_object(&found, |properties, _| {
        let side = |name: &str| properties.int(name).and_then(|side| u32::try_from(side).ok()).filter(|side| *side > 0);
        side("USize").zip(side("VSize"))
    })
}

/// Reads another object: `read` gets its properties, with the reader behind them. `None` where it cannot be read so far.
fn with_object<T>(found: &Found, read: impl FnOnce(&PropertyList, &mut ObjectReader<'_>) -> Option<T>) -> Option<T> {
    let mut reader = ObjectReader::of_export(&found.package, found.export);
    let header = read_header(&mut reader, found.export).ok()?;
    read(&header.properties, &mut reader)
}
