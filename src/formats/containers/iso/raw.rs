//! Dumps of whole CD sectors, and the 2048 bytes of each that are data (formats/containers.md §9.6).

use crate::{
    bytes::Source,
    formats::containers::flat::{Run, Runs},
};

/// What each sector begins with.
pub const SYNC: [u8; 12] = [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0];
/// Bytes of data in a sector.
pub const DATA: u64 = 2048;
/// A sector without and with its subchannel.
const SIZES: [u64; 2] = [2352, 2448];
/// Where the data of a sector begins: in mode 1, and in form 1 of mode 2.
const SKIPS: [u64; 2] = [16, 24];
/// The first sector that says what disc it is, and where its name is in it.
const NAMED: u64 = 16;
const NAME: (u64, &[u8]) = (1, b"CD001");

/// How an image holds the sectors of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Their data, one after the other.
    Data,
    /// Whole sectors of so many bytes, of which the data begins after some.
    Raw { size: u64, skip: u64 },
}

impl Layout {
    /// How the disc lies in an image; `None` where it is no ISO 9660 disc.
    pub fn of(image: &Source) -> Option<Self> {
        if has(image, NAMED.saturating_mul(DATA).saturating_add(NAME.0), NAME.1) {
            return Some(Self::Data);
        }
        let fits = |size: u64, skip: u64| {
            let sector = NAMED.saturating_mul(size);
            has(image, size, &SYNC) && has(image, sector.saturating_add(skip).saturating_add(NAME.0), NAME.1)
        };
        let all = SIZES.into_iter().flat_map(|size| SKIPS.map(|skip| (size, skip)));
        let mut raw = all.filter(|_| has(image, 0, &SYNC)).filter(|(size, skip)| fits(*size, *skip));
        raw.next().map(|(size, skip)| Self::Raw { size, skip })
    }
}

/// Whether an image has these bytes at a place.
pub fn has(image: &Source, offset: u64, bytes: &[u8]) -> bool {
    image.slice(offset, bytes.len() as u64).is_some_and(|there| there.as_slice() == bytes)
}

/// The data of raw sectors.
pub struct RawSectors {
    image: Source,
    size: u64,
    skip: u64,
}

impl RawSectors {
    /// Of sectors of `size` bytes, whose data begins after `skip`.
    pub fn new(image: Source, size: u64, skip: u64) -> Self {
        Self { image, size, skip }
    }
}

impl Runs for RawSectors {
    /// As many sectors as are whole.
    fn disc_size(&self) -> u64 {
        let whole = (self.image.len() as u64).checked_div(self.size).unwrap_or(0);
        whole.saturating_mul(DATA)
    }

    fn image(&self) -> &Source {
        &self.image
    }

    fn run(&self, offset: u64) -> Run {
        if offset >= self.disc_size() {
            return Run { at: None, size: 0 };
        }
        let (sector, inside) = (offset / DATA, offset % DATA);
        let at = sector.saturating_mul(self.size).saturating_add(self.skip).saturating_add(inside);
        Run { at: Some(at), size: DATA.saturating_sub(inside) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::flat::bytes;

    /// Seventeen sectors; byte 5 of the data of each is its number.
    fn raw(size: usize, skip: usize) -> Vec<u8> {
        let mut image = vec![0; 17 * size];
        for sector in 0..17 {
            image[sector * size..][..12].copy_from_slice(&SYNC);
            image[sector * size + skip + 5] = sector as u8;
        }
        image[16 * size + skip + 1..][..5].copy_from_slice(b"CD001");
        image
    }

    #[test]
    fn every_way_to_hold_sectors_is_found() {
        for (size, skip) in [(2352, 16), (2352, 24), (2448, 16), (2448, 24)] {
            let image = Source::new(raw(size, skip));
            let (size, skip) = (size as u64, skip as u64);
            assert_eq!(Layout::of(&image), Some(Layout::Raw { size, skip }));
            let disc = RawSectors::new(image, size, skip);
            assert_eq!(bytes(&disc, 2048 + 4..2048 + 7).unwrap(), [0, 1, 0]);
            // Across a sector's end, where nothing of the next one's header comes in between.
            let two = bytes(&disc, 5..2048 * 2 + 6).unwrap();
            assert_eq!((two[0], two[2048], two[4096], two.iter().filter(|b| **b != 0).count()), (0, 1, 2, 2));
            assert!(bytes(&disc, 2048 * 17 - 1..2048 * 17 + 1).is_err());
        }
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        let mut plain = vec![0; 0x8800];
        assert_eq!(Layout::of(&Source::new(plain.clone())), None);
        plain[0x8001..0x8006].copy_from_slice(b"CD001");
        assert_eq!(Layout::of(&Source::new(plain)), Some(Layout::Data));
        let mut one_sync = raw(2352, 16);
        one_sync[2352] = 1;
        assert_eq!(Layout::of(&Source::new(one_sync)), None);
        assert_eq!(Layout::of(&Source::new(Vec::new())), None);
    }
}
