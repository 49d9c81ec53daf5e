//! Textures, palettes and fonts (formats/unreal.md §5, §7.5).

mod decode;
mod first_image;
mod flip_book;
mod font;
mod mips;
mod palette;
mod picture;
mod pixels;
mod surface;

pub use font::{load_font, read_font};
pub use mips::read_texture;
pub use palette::{load_palette, palette_of, read_palette};
pub use picture::load_picture;
pub use surface::surface_texture;

use super::{
    header::read_header,
    kind::{Kind, kind_of},
    object::ObjectReader,
    package::Found,
    properties::PropertyList,
};

/// Whether an object is a texture or one of its children.
fn is_texture(found: &Found) -> bool {
    matches!(
        kind_of(&found.package, found.export),
        Kind::Texture | Kind::FireTexture | Kind::Wave | Kind::Wet | Kind::Ice | Kind::OtherProcedural
    )
}

/// Reads another object: `read` gets its properties, with the reader behind them. `None` where it cannot be read so far.
fn with_object<T>(found: &Found, read: impl FnOnce(&PropertyList, &mut ObjectReader<'_>) -> Option<T>) -> Option<T> {
    let mut reader = ObjectReader::of_export(&found.package, found.export);
    let header = read_header(&mut reader, found.export).ok()?;
    read(&header.properties, &mut reader)
}
