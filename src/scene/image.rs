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
