use super::Image;
use std::sync::Arc;

/// A bitmap font: pages of glyphs.
#[derive(Clone, Debug, Default)]
pub struct Font {
    pub name: String,
    pub pages: Vec<FontPage>,
    /// Characters that each page stands for; a character's page is its code divided by this.
    pub characters_per_page: u32,
}

/// A picture with the places of its glyphs.
#[derive(Clone, Debug)]
pub struct FontPage {
    pub image: Option<Arc<Image>>,
    pub glyphs: Vec<Glyph>,
}

/// Where a character lies on its page, in pixels from the top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glyph {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}
