//! Writes sounds, music, texts and fonts (formats/unreal.md §6, §7.1, §7.5).

use super::{
    object::ObjectWriter,
    package::Ref,
    properties::{Properties, write_properties},
    texture::{TextureData, write_texture},
};

/// `file` is a whole sound file of the named format, usually `WAV`.
pub fn write_sound(out: &mut ObjectWriter<'_>, properties: &Properties, format: &str, file: &[u8]) {
    write_properties(out, properties);
    out.name(format);
    out.lazy_bytes(file);
}

/// `file` is a whole module of the named format.
pub fn write_music(out: &mut ObjectWriter<'_>, properties: &Properties, format: &str, file: &[u8]) {
    write_properties(out, properties);
    out.name(format);
    out.lazy_bytes(file);
}

/// `text` as it is, by custom with CRLF at the ends of lines.
pub fn write_text_buffer(out: &mut ObjectWriter<'_>, text: &str) {
    write_properties(out, &Properties::new());
    out.u32(0);
    out.u32(0);
    out.string(text);
}

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
