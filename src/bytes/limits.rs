/// What one document may cost, whatever its bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// What is read of a file, in bytes; a larger one is not opened.
    pub file_bytes: u64,
    /// Decoded data (images, unpacked meshes) of one document, in bytes.
    pub decoded_bytes: u64,
    /// The output of one compressed container, in bytes.
    pub container_bytes: u64,
    /// The width or height of an image, in pixels.
    pub image_side: u32,
    /// How deep containers, outers and structures may nest.
    pub nesting: u32,
    /// Entries of one document, those of what lies in it included.
    pub entries: usize,
    /// Diagnostics kept for one code; further ones are only counted.
    pub diagnostics_per_code: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            decoded_bytes: 512 << 20,
            container_bytes: 256 << 20,
            image_side: 16_384,
            nesting: 64,
            entries: 1 << 20,
            diagnostics_per_code: 50,
        }
    }
}
