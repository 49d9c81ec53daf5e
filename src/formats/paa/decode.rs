//! A file as a picture: its mips in the channels that are to be shown, and as they are stored.

use super::{
    info,
    layout::{Alpha, Mip, Paa, PixelKind, Trouble},
    pixels,
};
use crate::{
    bytes::{Limits, Source},
    scene::{Image, Palette, Picture, PictureForm, StoredPixels},
};
use std::sync::Arc;

/// What names end with, and what their pictures are for.
const USES: &[(&str, &str)] = &[
    ("_co", "colour"),
    ("_ca", "colour and alpha"),
    ("_nohq", "normal map"),
    ("_smdi", "specular map"),
    ("_as", "ambient shadow"),
    ("_mc", "macro texture"),
    ("_ti", "thermal image"),
];

/// A picture, and what of it is lost or odd.
#[derive(Debug)]
pub struct Decoded {
    /// The decoded picture; without forms if every mip is lost.
    pub picture: Picture,
    /// Faults of mips, in the order of the file.
    pub troubles: Vec<Trouble>,
}

/// How much of a file is decoded.
pub struct Decoding<'a> {
    /// The name that the picture gets.
    pub name: &'a str,
    /// Limits on packed and decoded bytes.
    pub limits: &'a Limits,
    /// Only the largest image.
    pub first_only: bool,
    /// Images with a longer side of more pixels are passed over where there are smaller ones.
    pub largest: u32,
    /// Returns true to stop decoding; called before each mip.
    pub is_cancelled: &'a dyn Fn() -> bool,
}

impl Paa {
    /// Every mip that can be shown; none where all are lost.
    pub fn decode(&self, source: &Source, how: &Decoding<'_>) -> Decoded {
        let colors = pixels::colors(&self.palette);
        let swizzle = self.swizzle.filter(|swizzle| !swizzle.is_plain());
        let (mut shown, mut as_stored, mut raw) = (Vec::new(), Vec::new(), Vec::new());
        let mut troubles = Vec::new();
        let mut left = how.limits.decoded_bytes;
        // Bytes of a pixel: its stored channels are kept too.
        let bytes = if swizzle.is_some() && !how.first_only { 8 } else { 4 };
        let is_small = |mip: &Mip| mip.width.max(mip.height) <= how.largest;
        let first = self.mips.iter().position(is_small).unwrap_or_else(|| self.mips.len().saturating_sub(1));
        for (number, mip) in self.mips.iter().enumerate().skip(first) {
            if (how.is_cancelled)() || how.first_only && !shown.is_empty() {
                break;
            }
            let pixels = match self.unpack(mip, source, how.limits) {
                Ok((pixels, trouble)) => {
                    troubles.extend(trouble.map(|trouble| of_mip(trouble, number)));
                    pixels
                }
                // That it is cut was said when the file was opened.
                Err(trouble) if mip.missing > 0 && trouble.code.id == info::TRUNCATED.id => break,
                Err(trouble) => {
                    troubles.push(of_mip(trouble, number));
                    continue;
                }
            };
            let size = u64::from(mip.width).saturating_mul(u64::from(mip.height)).saturating_mul(bytes);
            let Some(rest) = left.checked_sub(size) else {
                let message = "the mips take too much memory";
                troubles.push(of_mip(Trouble::new(&info::TOO_LARGE, mip.stored.start, message), number));
                break;
            };
            left = rest;
            let mut rgba = pixels::rgba(self.kind, mip.width, mip.height, &pixels, &colors);
            let image = |rgba: Vec<u8>| {
                let (name, stored_as) = (how.name.to_owned(), self.kind.name().to_owned());
                Arc::new(Image { name, width: mip.width, height: mip.height, rgba: rgba.into(), stored_as })
            };
            if let Some(swizzle) = swizzle {
                if !how.first_only {
                    as_stored.push(image(rgba.clone()));
                }
                swizzle.undo(&mut rgba);
            }
            shown.push(image(rgba));
            if !how.first_only && (self.kind.blocks().is_some() || self.kind == PixelKind::Palette) {
                raw.push(Arc::from(pixels));
            }
        }
        Decoded { picture: self.picture(how.name, shown, as_stored, raw, colors), troubles }
    }

    fn picture(
        &self,
        name: &str,
        shown: Vec<Arc<Image>>,
        as_stored: Vec<Arc<Image>>,
        raw: Vec<Arc<[u8]>>,
        colors: Vec<[u8; 4]>,
    ) -> Picture {
        let is_palette = self.kind == PixelKind::Palette;
        // Blocks of multiplied colours are no blocks of others.
        let stored = match self.kind.blocks() {
            _ if raw.is_empty() => StoredPixels::Decoded,
            Some(kind) if !self.kind.is_premultiplied() => StoredPixels::Blocks { kind, mips: raw },
            None if is_palette => StoredPixels::Indices(raw),
            _ => StoredPixels::Decoded,
        };
        let has_alpha = self.alpha == Alpha::Smooth;
        let cuts_out = is_palette && shown.first().is_some_and(|image| image.has_alpha());
        let form = |name: String, mips, stored| PictureForm { name, mips, stored, has_alpha };
        let kind = self.kind.name();
        let forms = if as_stored.is_empty() {
            // What is shown are not the stored channels.
            let stored = if self.is_swizzled() { StoredPixels::Decoded } else { stored };
            vec![form(kind.to_owned(), shown, stored)]
        } else {
            vec![
                form(kind.to_owned(), shown, StoredPixels::Decoded),
                form(format!("{kind} as stored"), as_stored, stored),
            ]
        };
        Picture {
            name: name.to_owned(),
            forms: if forms.iter().all(|form| form.mips.is_empty()) { Vec::new() } else { forms },
            palette: is_palette.then(|| Arc::new(Palette { name: name.to_owned(), colors })),
            masked: self.alpha == Alpha::CutOut || cuts_out,
            facts: self.facts(name),
            ..Picture::default()
        }
    }

    /// Whether channels travel in others.
    pub fn is_swizzled(&self) -> bool {
        self.swizzle.is_some_and(|swizzle| !swizzle.is_plain())
    }

    fn facts(&self, name: &str) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut say = |name: &str, value: String| facts.push((name.to_owned(), value));
        let lower = name.to_lowercase();
        if let Some((_, usage)) = USES.iter().find(|(end, _)| lower.ends_with(end)) {
            say("Usage", (*usage).to_owned());
        }
        let alpha = match self.alpha {
            Alpha::None => "not used",
            Alpha::Smooth => "blended",
            Alpha::CutOut => "cutout",
        };
        say("Alpha", alpha.to_owned());
        if let Some(swizzle) = self.swizzle.filter(|swizzle| !swizzle.is_plain()) {
            say("Channels", swizzle.text());
        }
        if let Some([r, g, b, a]) = self.average {
            say("Average colour", format!("{r} {g} {b} {a}"));
        }
        facts
    }
}

fn of_mip(trouble: Trouble, number: usize) -> Trouble {
    Trouble { message: format!("mip {number}: {}", trouble.message), ..trouble }
}
