use super::Image;
use std::sync::Arc;

/// A bitmap font: pages of glyphs.
#[derive(Clone, Debug, Default)]
pub struct Font {
    /// Name of the font's object.
    pub name: String,
    /// Pages in the order of their characters.
    pub pages: Vec<FontPage>,
    /// Characters that each page stands for; a character's page is its code divided by this.
    pub characters_per_page: u32,
}

/// A picture with the places of its glyphs.
#[derive(Clone, Debug)]
pub struct FontPage {
    /// Picture of the page; `None` if it cannot be found or decoded.
    pub image: Option<Arc<Image>>,
    /// Glyphs in the order of their character codes.
    pub glyphs: Vec<Glyph>,
}

/// Where a character lies on its page, in pixels from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyph {
    /// Left edge, in pixels.
    pub x: i32,
    /// Top edge, in pixels.
    pub y: i32,
    /// Width, in pixels.
    pub width: i32,
    /// Height, in pixels.
    pub height: i32,
}
