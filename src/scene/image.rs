use super::MaterialIndex;
use std::sync::Arc;

/// A picture, decoded: rows from the top, 8-bit gamma-space RGBA, alpha not premultiplied.
#[derive(Clone)]
pub struct Image {
    /// Name of the picture; may be empty.
    pub name: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Arc<[u8]>,
    /// What it was stored as, for people: `PNG RGB 8`, `DXT1`.
    pub stored_as: String,
}

impl Image {
    /// Whether any pixel is less than opaque.
    pub fn has_alpha(&self) -> bool {
        self.rgba.chunks_exact(4).any(|p| p.get(3).is_some_and(|a| *a < 255))
    }

    /// Bytes held.
    pub fn weight(&self) -> u64 {
        self.rgba.len() as u64
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Image({} {}×{} {})", self.name, self.width, self.height, self.stored_as)
    }
}

/// A texture that a material names and that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTexture {
    /// Material that names the texture.
    pub material: MaterialIndex,
    /// Its path in its package, or its name.
    pub object: String,
    /// The package that it lies in; `None` for a picture of its own.
    pub package: Option<String>,
    /// `; did you mean “skin”?` with the nearest names of pictures, or empty.
    pub near: String,
}

impl MissingTexture {
    /// What is not there and what to do; `material` is the name of its material.
    pub fn sentence(&self, material: &str) -> String {
        let Self { object, package, near, .. } = self;
        match package {
            Some(package) => format!(
                "the texture {object} of the material “{material}” is missing. Open the package {package} or \
                 add its folder as a search folder"
            ),
            None => format!(
                "the texture {object} of the material “{material}” is missing. Put an image with this name next to the file, or \
                 add its folder as a search folder{near}"
            ),
        }
    }

    /// The same about several materials, after `9 materials`.
    pub fn predicate_of_several(&self) -> String {
        match &self.package {
            Some(package) => {
                format!("have missing textures (open the package {package} or add its folder as a search folder)")
            }
            None => "have missing textures (put images with these names next to the file, or add their folder as a \
                 search folder)"
                .to_owned(),
        }
    }
}

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
