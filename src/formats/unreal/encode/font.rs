//! Font (formats/unreal.md §7.5).

use super::object::ObjectWriter;
use super::primitives::Ref;
use super::properties::{Properties, write_properties};
use super::texture::{TextureData, write_texture};

/// Where a character is on its page, in pixels: left, top, width, height.
pub type Glyph = [i32; 4];

/// One page: its texture, and its characters in the order of their codes, which run on from page to page.
#[derive(Clone, Debug, Default)]
pub struct FontPage {
    /// Texture that contains the page's characters.
    pub texture: Ref,
    /// Positions of the characters on the page.
    pub glyphs: Vec<Glyph>,
}

/// From version 64 on.
pub fn write_font(out: &mut ObjectWriter<'_>, pages: &[FontPage], characters_per_page: i32) {
    write_properties(out, &Properties::new());
    out.array(pages, |out, page| {
        out.object(page.texture);
        out.array(&page.glyphs, |out, glyph| out.i32s(glyph));
    });
    out.i32(characters_per_page);
}

/// Up to version 63: the font is its own texture.
pub fn write_old_font(out: &mut ObjectWriter<'_>, texture: &TextureData, glyphs: &[Glyph]) {
    write_texture(out, texture);
    out.array(glyphs, |out, glyph| out.i32s(glyph));
}
