use super::Image;
use std::sync::Arc;

/// A picture with all that a file keeps of it: stored forms, mips, palette, the frames of a flip-book.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub name: String,
    /// The same picture as the file stores it, once for each form it is stored in (`P8` and `DXT1` side by side).
    pub forms: Vec<PictureForm>,
    /// Into [`Picture::forms`]: what is shown unless the user asks for another.
    pub preferred: usize,
    pub palette: Option<Arc<Palette>>,
    /// Whether the picture is meant to be cut out by its alpha. Images keep their alpha either way; viewers and exports use it
    /// or leave it by this.
    pub masked: bool,
    /// The used part, in pixels, where it is smaller than the picture.
    pub used: Option<(u32, u32)>,
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
        mips.chain(frames).fold(0, |sum: u64, image| sum.saturating_add(image.weight()))
    }
}
