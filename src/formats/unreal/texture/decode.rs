//! Converts stored mips to images, within the limits of an image and of all images of one object.

use super::{
    super::{codes, object::entry_of, package::Package},
    mips::StoredMip,
    pixels::{Layout, PixelFormat},
};
use crate::{
    formats::{Code, LoadContext},
    scene::{Image, Palette, PictureForm, StoredPixels},
};
use std::sync::Arc;

/// Bytes that pictures may still be decoded to, and what there was no room for.
#[derive(Clone, Debug)]
pub struct Room {
    pub left: u64,
    /// Textures and pages of fonts that are not decoded in all the sizes that were asked for, although each would have fitted alone.
    pub refused: usize,
}

impl Room {
    pub fn of(bytes: u64) -> Self {
        Self { left: bytes, refused: 0 }
    }

    /// Whether a picture of so many bytes fits; one that does takes its room.
    pub fn take(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Says once for which pictures of an object there is no room.
    pub fn report(&self, package: &Arc<Package>, export: usize, cx: &mut LoadContext<'_>) {
        if self.refused > 0 {
            let pictures = if self.refused == 1 { "1 image is" } else { &format!("{} images are", self.refused) };
            let message =
                format!("{pictures} not decoded, or not in all sizes: the memory limit for images is reached");
            cx.diagnostics.report(&codes::TOO_LARGE, entry_of(package, export), None, message);
        }
    }
}

/// Bytes of decoded pixels that need no more than a little data.
const SMALL: usize = 1 << 20;
/// A larger picture must have at least one byte of data for this many decoded bytes: no form of pixels makes more of one.
const MAX_FROM_A_BYTE: usize = 64;

/// Decodes the mips of one texture; counts what they weigh against the room that they have together.
pub struct Decoder<'a, 'b> {
    pub package: &'a Arc<Package>,
    pub export: usize,
    /// Name of the texture.
    pub name: &'a str,
    pub cx: &'a mut LoadContext<'b>,
    /// What may still be decoded.
    pub room: &'a mut Room,
    has_no_room: bool,
}

impl<'a, 'b> Decoder<'a, 'b> {
    pub fn new(
        package: &'a Arc<Package>,
        export: usize,
        name: &'a str,
        cx: &'a mut LoadContext<'b>,
        room: &'a mut Room,
    ) -> Self {
        Self { package, export, name, cx, room, has_no_room: false }
    }

    pub fn report(&mut self, code: &'static Code, offset: Option<u64>, message: String) {
        let entry = entry_of(self.package, self.export);
        self.cx.diagnostics.report(code, entry, offset, message);
    }

    /// One mip; `None`, with a word on why, when it has no pixels or too many. Whoever has the room says that it is used up.
    pub fn image(&mut self, format: PixelFormat, mip: &StoredMip<'_>, palette: &Palette) -> Option<Arc<Image>> {
        let (width, height) = (mip.width, mip.height);
        if mip.data.is_empty() || width == 0 || height == 0 {
            return None;
        }
        let side = self.cx.limits.image_side;
        let decoded = (width as usize).saturating_mul(height as usize).saturating_mul(4);
        let wanted = format.layout.size_of(width, height).unwrap_or(usize::MAX);
        let too_little = decoded > SMALL && mip.data.len().saturating_mul(MAX_FROM_A_BYTE) < decoded;
        if width > side || height > side || decoded as u64 > self.cx.limits.decoded_bytes || too_little {
            let bytes = mip.data.len();
            let message = format!(
                "{}: the image ({width} × {height} pixels, {bytes} bytes) exceeds the size limit or has too little data",
                self.name
            );
            self.report(&codes::TOO_LARGE, Some(mip.offset), message);
            return None;
        }
        if !self.room.take(decoded as u64) {
            if !std::mem::replace(&mut self.has_no_room, true) {
                self.room.refused = self.room.refused.saturating_add(1);
            }
            return None;
        }
        if mip.data.len() < wanted {
            let message = format!(
                "{}: {width} × {height} pixels in {} format need {wanted} bytes, but only {} were found",
                self.name,
                format.name,
                mip.data.len()
            );
            self.report(&codes::SHORT_PIXELS, Some(mip.offset), message);
        }
        let rgba = format.layout.decode(width, height, mip.data, &palette.colors);
        let stored_as = format.name.to_owned();
        Some(Arc::new(Image { name: self.name.to_owned(), width, height, rgba: rgba.into(), stored_as }))
    }

    /// A list of mips as a form, without those that have no pixels.
    pub fn form(
        &mut self,
        format: PixelFormat,
        mips: &[StoredMip<'_>],
        palette: &Palette,
        first_only: bool,
    ) -> PictureForm {
        let (mut images, mut bytes): (Vec<Arc<Image>>, Vec<Arc<[u8]>>) = (Vec::new(), Vec::new());
        for mip in mips {
            if self.cx.cancelled() {
                break;
            }
            let Some(image) = self.image(format, mip, palette) else { continue };
            // What is kept of the file is as long as the picture's size says.
            let wanted = format.layout.size_of(image.width, image.height).unwrap_or(usize::MAX);
            let whole = mip.data.len() >= wanted;
            bytes.push(if whole { mip.data.get(..wanted).unwrap_or_default().into() } else { Arc::default() });
            images.push(image);
            if first_only {
                break;
            }
        }
        let stored = match format.layout {
            Layout::Indices => StoredPixels::Indices(bytes),
            Layout::Blocks(kind) => StoredPixels::Blocks { kind, mips: bytes },
            _ => StoredPixels::Decoded,
        };
        // Writers that knew no alpha left it at 0 everywhere.
        let blank = |image: &Arc<Image>| image.rgba.as_chunks::<4>().0.iter().all(|[_, _, _, alpha]| *alpha == 0);
        let has_alpha = format.has_alpha && !images.first().is_some_and(blank);
        PictureForm { name: format.name.to_owned(), mips: images, stored, has_alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_taken() {
        let mut room = Room::of(100);
        assert_eq!([60, 41, 40, 1, 0].map(|bytes| room.take(bytes)), [true, false, true, false, true]);
        assert_eq!(room.left, 0);
    }
}
