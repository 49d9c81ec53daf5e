//! Textures of Bohemia's games: `.paa`, `.pac` (formats/containers.md §7).

mod decode;
mod document;
mod info;
mod layout;
mod lzo;
mod pixels;
mod swizzle;
mod unpack;

pub use decode::{Decoded, Decoding};
pub use layout::PixelKind;
pub use layout::{Alpha, Mip, Paa, Packing, Trouble};
pub use lzo::{Stopped, decode as unpack_lzo};
pub use swizzle::Swizzle;
pub use unpack::Unpacked;

use self::{
    info::INFO,
    layout::{LZO, MAX_COLORS, TAG_START},
};
use super::{Document, Format, FormatInfo, Hint, OpenContext, OpenError, Score};
use crate::bytes::{Reader, Source};

/// The largest side, in pixels, of a first mip that is believed without a name.
const PLAUSIBLE: u16 = 16_384;

/// Textures of Bohemia's games.
pub struct PaaFormat;

impl Format for PaaFormat {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn score(&self, head: &[u8], hint: &Hint<'_>) -> Score {
        let is_named = is_named(hint);
        let mut r = Reader::little(head);
        let has_type = r.u16().is_ok_and(|word| PixelKind::of_word(word).is_some());
        if !has_type && r.seek(0).is_err() {
            return Score::No;
        }
        let next = r.clone().array::<4>();
        match (has_type, next) {
            (true, Ok(TAG_START)) => Score::Certain,
            (false, Ok(TAG_START)) if is_named => Score::Certain,
            (false, Ok(TAG_START)) => Score::Likely,
            (true, Ok([0, 0, ..])) if is_named => Score::Likely,
            _ => Score::No,
        }
    }

    fn score_whole(&self, source: &Source, hint: &Hint<'_>, _: Score) -> Score {
        let size = source.len() as u64;
        let Some(head) = source.slice(0, size.min(13)) else { return Score::No };
        let mut r = Reader::little(head.as_slice());
        let word = r.u16().unwrap_or_default();
        if PixelKind::of_word(word).is_some() {
            return if first_mip_fits(&mut r, size) { Score::Likely } else { Score::No };
        }
        // Nothing says what it is: all of it must be what its name says.
        let is_possible = is_named(hint) && word <= MAX_COLORS && (word > 0) == is_pac(hint);
        let is_whole = |paa: Paa| !paa.mips.is_empty() && paa.troubles.is_empty();
        let parses = || source.in_memory().ok().and_then(|source| Paa::read(&source, is_pac(hint)).ok());
        if is_possible && parses().is_some_and(is_whole) { Score::Likely } else { Score::No }
    }

    fn stands_beside_others(&self) -> bool {
        true
    }

    fn open(&self, source: Source, cx: &mut OpenContext<'_>) -> Result<Box<dyn Document>, OpenError> {
        let is_pac = is_pac(&Hint { file_name: cx.file });
        match Paa::read(&source, is_pac) {
            Ok(paa) => Ok(Box::new(document::PaaDocument::new(source, paa, is_pac, cx))),
            Err(trouble) => {
                let message =
                    format!("not a valid {} (error at offset {}): {}", INFO.name, trouble.offset, trouble.message);
                Err(OpenError::new(cx.file, message).with_code(trouble.code))
            }
        }
    }
}

fn is_named(hint: &Hint<'_>) -> bool {
    INFO.extensions.contains(&hint.extension().as_str())
}

fn is_pac(hint: &Hint<'_>) -> bool {
    hint.extension() == "pac"
}

/// Whether no palette comes next, and a mip of a size that can be, whose bytes a file of `size` bytes has.
fn first_mip_fits(r: &mut Reader<'_>, size: u64) -> bool {
    let numbers = (r.u16(), r.u16(), r.u16(), r.array::<3>());
    let (Ok(0), Ok(width), Ok(height), Ok([low, middle, high])) = numbers else { return false };
    let stored = u64::from(u32::from_le_bytes([low, middle, high, 0]));
    let sides = 1..=PLAUSIBLE;
    let end = r.offset().saturating_add(stored);
    sides.contains(&(width & !LZO)) && sides.contains(&height) && stored > 0 && end <= size
}
