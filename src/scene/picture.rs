use super::Image;
use std::sync::Arc;

/// A picture with all that a file keeps of it: stored forms, mips, palette, the frames of a flip-book.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// Name of the picture, from the file or its object.
    pub name: String,
    /// The same picture as the file stores it, once for each form it is stored in (`P8` and `DXT1` side by side).
    pub forms: Vec<PictureForm>,
    /// Into [`Picture::forms`]: what is shown unless the user asks for another.
    pub preferred: usize,
    /// Palette of the picture; `None` for a picture without one.
    pub palette: Option<Arc<Palette>>,
    /// Whether the picture is meant to be cut out by its alpha. Images keep their alpha either way; viewers and exports use it
    /// or leave it by this.
    pub masked: bool,
    /// The used part, in pixels, where it is smaller than the picture.
    pub used: Option<(u32, u32)>,
    /// Frames of an animated picture; `None` for a still picture.
    pub flip_book: Option<FlipBook>,
    /// What else is to be said of it, as name and value, for people.
    pub facts: Vec<(String, String)>,
}

/// One stored form of a picture.
#[derive(Clone, Debug)]
pub struct PictureForm {
    /// `P8`, `DXT1`.
    pub name: String,
    /// The largest first; a mip without pixels in the file is not among them.
    pub mips: Vec<Arc<Image>>,
    /// The same mips as they are stored.
    pub stored: StoredPixels,
    /// The form stores how opaque each pixel is, so that its alpha counts whether or not the picture is masked.
    pub has_alpha: bool,
}

/// Pixels as a file holds them, for showing and for exports that keep them; one for each of [`PictureForm::mips`].
#[derive(Clone, Debug, Default)]
pub enum StoredPixels {
    /// Nothing that is worth keeping besides the decoded image.
    #[default]
    Decoded,
    /// Numbers into the palette, one byte a pixel, rows from the top.
    Indices(Vec<Arc<[u8]>>),
    /// Compressed blocks of 4 × 4 pixels, rows of blocks from the top.
    Blocks {
        /// Compression of the blocks.
        kind: BlockKind,
        /// Compressed bytes of each mip.
        mips: Vec<Arc<[u8]>>,
    },
}

/// How blocks of 4 × 4 pixels are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// DXT1.
    Bc1,
    /// DXT3.
    Bc2,
    /// DXT5.
    Bc3,
    /// One channel, unsigned.
    Bc4,
    /// One channel, signed.
    Bc4Signed,
    /// Two channels, unsigned.
    Bc5,
    /// Two channels, signed.
    Bc5Signed,
    /// Three channels of unsigned half-precision floats.
    Bc6h,
    /// Three channels of signed half-precision floats.
    Bc6hSigned,
    /// Three or four channels of 8 bits.
    Bc7,
}

impl BlockKind {
    /// Bytes of a block.
    pub fn block_size(self) -> usize {
        match self {
            Self::Bc1 | Self::Bc4 | Self::Bc4Signed => 8,
            _ => 16,
        }
    }

    /// Bytes of a picture of this size; a block that is cut by the edge counts whole. `None` when the number overflows.
    pub fn size_of(self, width: u32, height: u32) -> Option<usize> {
        let blocks = (width.div_ceil(4) as usize).checked_mul(height.div_ceil(4) as usize)?;
        blocks.checked_mul(self.block_size())
    }
}

impl StoredPixels {
    /// Bytes held.
    pub fn weight(&self) -> u64 {
        match self {
            Self::Decoded => 0,
            Self::Indices(mips) | Self::Blocks { mips, .. } => mips.iter().map(|mip| mip.len() as u64).sum(),
        }
    }
}

/// Pictures that are shown one after another.
#[derive(Clone, Debug)]
pub struct FlipBook {
    /// The first is the picture itself.
    pub frames: Vec<Arc<Image>>,
    /// Frames a second.
    pub rate_hz: f32,
}

/// Colours that pictures refer to by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Name of the palette; can be empty.
    pub name: String,
    /// Red, green, blue, alpha.
    pub colors: Vec<[u8; 4]>,
}

impl Picture {
    /// The form that is shown unless the user asks for another.
    pub fn form(&self) -> Option<&PictureForm> {
        self.forms.get(self.preferred).or_else(|| self.forms.first())
    }

    /// The largest image of the preferred form.
    pub fn image(&self) -> Option<&Arc<Image>> {
        self.form().and_then(|f| f.mips.first())
    }

    /// Bytes held.
    pub fn weight(&self) -> u64 {
        let mips = self.forms.iter().flat_map(|f| &f.mips);
        let frames = self.flip_book.iter().flat_map(|b| &b.frames);
        let stored = self.forms.iter().fold(0, |sum: u64, form| sum.saturating_add(form.stored.weight()));
        mips.chain(frames).fold(stored, |sum, image| sum.saturating_add(image.weight()))
    }

    /// Whether the alpha of a form counts: the form stores one, or the picture is meant to be cut out.
    pub fn uses_alpha(&self, form: &PictureForm) -> bool {
        self.masked || form.has_alpha
    }
}
