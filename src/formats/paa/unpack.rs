//! The pixels of a mip as they are before they are packed (formats/containers.md §6, §7.1, §7.2).

use super::{
    info,
    layout::{Mip, Paa, Packing, Trouble},
    lzo,
};
use crate::{
    bytes::{Limits, Source},
    formats::lzss::{self, Lzss},
};
use std::borrow::Cow;

/// The pixels of a mip, and what is wrong with them, though they can be shown.
pub type Unpacked<'a> = (Cow<'a, [u8]>, Option<Trouble>);

impl Paa {
    /// The pixels of a mip: blocks, or rows from the top.
    ///
    /// # Errors
    /// When it is too large, cut or damaged. Offsets count from the start of `source`, which is the whole file.
    pub fn unpack<'a>(&self, mip: &Mip, source: &'a Source, limits: &Limits) -> Result<Unpacked<'a>, Trouble> {
        let start = mip.stored.start;
        let size = self.size_of(mip, limits)?;
        if mip.missing > 0 {
            return Err(Trouble::new(&info::TRUNCATED, start, "the data ends too early"));
        }
        let stored = source.part(mip.stored.clone());
        let trouble = |code, at: usize, message: &str| Trouble::new(code, start.saturating_add(at as u64), message);
        let unpacked = match mip.packing {
            Packing::Raw => raw(stored, size, start)?,
            Packing::Lzo => {
                let (bytes, used) =
                    lzo::decode(stored, size).map_err(|stopped| trouble(&info::DECODE, stopped.at, stopped.why))?;
                let odd =
                    (used < stored.len()).then(|| trouble(&info::ODD, used, "there are extra bytes after the pixels"));
                (Cow::Owned(bytes), odd)
            }
            Packing::Lzss => with_sum(stored, size, start)?,
            Packing::Runs => runs(stored, size, start)?,
        };
        Ok(unpacked)
    }

    /// Bytes of the pixels of a mip.
    fn size_of(&self, mip: &Mip, limits: &Limits) -> Result<usize, Trouble> {
        let Mip { width, height, .. } = *mip;
        if width == 0 || height == 0 {
            let message = format!("the mip is empty ({width} × {height} pixels)");
            return Err(Trouble::new(&info::TABLE, mip.stored.start, message));
        }
        let size = self.kind.size_of(width, height);
        let there = usize::try_from(mip.stored.end.saturating_sub(mip.stored.start)).unwrap_or(usize::MAX);
        // Such bytes are no picture of any size, be it too large or not.
        let is_whole_lzo = mip.packing == Packing::Lzo && mip.missing == 0;
        if is_whole_lzo && size.is_some_and(|size| !lzo::can_become(there, size)) {
            let message = format!("the packed data ({there} bytes) is too short for {width} × {height} pixels");
            return Err(Trouble::new(&info::DECODE, mip.stored.start, message));
        }
        let shown = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
        let is_small = !mip.is_absurd() && width.max(height) <= limits.image_side && shown <= limits.decoded_bytes;
        size.filter(|_| is_small).ok_or_else(|| {
            let message = format!("the image size of {width} × {height} pixels is over the limit");
            Trouble::new(&info::TOO_LARGE, mip.stored.start, message)
        })
    }
}

fn too_few(there: usize, wanted: usize, start: u64) -> Trouble {
    Trouble::new(&info::TRUNCATED, start, format!("the pixels need {wanted} bytes, but the mip has {there}"))
}

/// Bytes as they are.
fn raw(stored: &[u8], size: usize, start: u64) -> Result<Unpacked<'_>, Trouble> {
    let (bytes, further) = stored.split_at_checked(size).ok_or_else(|| too_few(stored.len(), size, start))?;
    let at = start.saturating_add(size as u64);
    let odd = || Trouble::new(&info::ODD, at, format!("extra bytes after the pixels: {}", further.len()));
    Ok((Cow::Borrowed(bytes), (!further.is_empty()).then(odd)))
}

/// LZSS with a sum of the bytes, which count with a sign or without. Where neither is right, and the size is that of the pixels,
/// they are not packed.
fn with_sum(stored: &[u8], size: usize, start: u64) -> Result<Unpacked<'_>, Trouble> {
    let most = (stored.len() as u64).saturating_mul(lzss::MAX_PER_BYTE);
    if size as u64 > most {
        return Err(too_few(stored.len(), size, start));
    }
    let mut stream = Lzss::new(stored, size);
    let is_whole = stream.all();
    let used = stream.used();
    let bytes = stream.into_bytes();
    let (plain, signed) = lzss::sums(&bytes);
    let stated = stored.get(used..).and_then(|rest| rest.first_chunk()).map(|sum| u32::from_le_bytes(*sum));
    let is_right = is_whole && stated.is_some_and(|stated| stated == plain || stated == signed);
    let at = start.saturating_add(used as u64);
    match stated {
        _ if is_right => Ok((Cow::Owned(bytes), None)),
        _ if stored.len() == size => Ok((Cow::Borrowed(stored), None)),
        _ if !is_whole => Err(Trouble::new(&info::TRUNCATED, at, "the packed data ends too early")),
        None => Ok((Cow::Owned(bytes), Some(Trouble::new(&info::CHECKSUM, at, "the checksum is missing")))),
        Some(stated) => {
            let message = format!(
                "the file specifies the checksum {stated:08X}, but the sum of the bytes is {plain:08X} if they are unsigned and {signed:08X} if they are signed"
            );
            Ok((Cow::Owned(bytes), Some(Trouble::new(&info::CHECKSUM, at, message))))
        }
    }
}

/// A number below 128 before as many literals and one; others before a byte that is repeated.
fn runs(stored: &[u8], size: usize, start: u64) -> Result<Unpacked<'_>, Trouble> {
    // Two bytes become 128 at the most.
    if size > stored.len().saturating_mul(64) {
        return Err(too_few(stored.len(), size, start));
    }
    let mut bytes = Vec::with_capacity(size);
    let mut at = 0_usize;
    while bytes.len() < size {
        let early =
            || Trouble::new(&info::TRUNCATED, start.saturating_add(at as u64), "the packed data ends too early");
        let left = size.saturating_sub(bytes.len());
        let (number, rest) = stored.get(at..).and_then(<[u8]>::split_first).ok_or_else(early)?;
        let count = usize::from(number & 0x7F).saturating_add(1);
        let used = if *number < 0x80 {
            bytes.extend_from_slice(rest.get(..count).ok_or_else(early)?.get(..count.min(left)).unwrap_or_default());
            count
        } else {
            let byte = *rest.first().ok_or_else(early)?;
            bytes.resize(bytes.len().saturating_add(count.min(left)), byte);
            1
        };
        at = at.saturating_add(1).saturating_add(used);
    }
    let further = stored.len().saturating_sub(at);
    let odd = || Trouble::new(&info::ODD, start.saturating_add(at as u64), "there are extra bytes after the pixels");
    Ok((Cow::Owned(bytes), (further > 0).then(odd)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(unpacked: Result<Unpacked<'_>, Trouble>) -> Result<(Vec<u8>, &'static str), &'static str> {
        let (bytes, trouble) = unpacked.map_err(|trouble| trouble.code.id)?;
        Ok((bytes.into_owned(), trouble.map_or("", |trouble| trouble.code.id)))
    }

    #[test]
    fn runs_and_literals_are_told_by_their_number() {
        let packed = [2, 1, 2, 3, 0x80 | 3, 9, 0, 7];
        let all = [1, 2, 3, 9, 9, 9, 9, 7];
        assert_eq!(said(runs(&packed, 8, 0)), Ok((all.to_vec(), "")));
        assert_eq!(said(runs(&packed, 7, 0)), Ok((all[..7].to_vec(), "paa.field-odd")));
        assert_eq!(said(runs(&packed, 5, 0)).map(|(bytes, _)| bytes), Ok(all[..5].to_vec()));
        for cut in 0..packed.len() {
            assert_eq!(said(runs(&packed[..cut], 8, 0)), Err("paa.data-truncated"), "{cut}");
        }
        assert_eq!(said(runs(&packed, usize::MAX, 0)), Err("paa.data-truncated"));
    }

    #[test]
    fn sums_are_right_with_a_sign_and_without_and_raw_pixels_have_none() {
        let pixels = b"\xF0\xF0\xF0\xF0\xF0\xF0\x01\x02";
        let (plain, signed) = lzss::sums(pixels);
        let packed = |sum: u32| [lzss::encode(pixels), sum.to_le_bytes().to_vec()].concat();
        for sum in [plain, signed] {
            assert_eq!(said(with_sum(&packed(sum), 8, 0)), Ok((pixels.to_vec(), "")));
        }
        let (wrong, cut) = (packed(7), packed(plain)[..6].to_vec());
        assert_ne!((wrong.len(), cut.len()), (8, 8), "it would be taken for pixels");
        assert_eq!(said(with_sum(&wrong, 8, 0)), Ok((pixels.to_vec(), "paa.checksum-mismatch")));
        assert_eq!(said(with_sum(&cut, 8, 0)), Ok((pixels.to_vec(), "paa.checksum-mismatch")));
        assert_eq!(said(with_sum(&packed(plain)[..2], 8, 0)), Err("paa.data-truncated"));
        assert_eq!(said(with_sum(pixels, 8, 0)), Ok((pixels.to_vec(), "")));
        assert_eq!(said(with_sum(&packed(plain), 1 << 30, 0)), Err("paa.data-truncated"));
    }

    #[test]
    fn raw_pixels_may_be_followed_and_may_not_be_cut() {
        assert_eq!(said(raw(&[1, 2, 3], 3, 0)), Ok((vec![1, 2, 3], "")));
        assert_eq!(said(raw(&[1, 2, 3], 2, 0)), Ok((vec![1, 2], "paa.field-odd")));
        assert_eq!(said(raw(&[1, 2, 3], 4, 0)), Err("paa.data-truncated"));
    }
}
