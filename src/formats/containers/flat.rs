//! Discs that lie in an image otherwise than byte by byte: what they hold, read where it is asked for.

use super::{codes, contents::Trouble};
use crate::bytes::{ReadAt, Source, budget};
use std::{io, ops::Range, sync::Arc};

/// The bytes of a disc.
pub trait Flat: Send + Sync {
    /// How many there are.
    fn size(&self) -> u64;

    /// Fills `buffer` with what lies from `offset` on.
    ///
    /// # Errors
    /// When not all of it is there, or can be decoded.
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Trouble>;

    /// Whether at least so many bytes of the image hold a range.
    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        let _ = (range, least);
        true
    }
}

/// Work of a block or run that is looked at.
pub const WORK_OF_SPAN: u64 = 20;

/// A disc that is its own image.
impl Flat for Source {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Trouble> {
        let past = || missing(offset, buffer.len() as u64, self.len() as u64);
        let piece = self.slice(offset, buffer.len() as u64).ok_or_else(past)?.in_memory();
        let piece = piece.map_err(|error| Trouble::new(&codes::TRUNCATED, offset, Source::read_failed(error)))?;
        let bytes = piece.as_slice().get(..buffer.len()).ok_or_else(past)?;
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

/// What is said of bytes that lie past the end.
pub fn missing(offset: u64, wanted: u64, end: u64) -> Trouble {
    Trouble::new(
        &codes::TRUNCATED,
        offset,
        format!("expected {wanted} bytes at offset {offset}, but the data ends at {end}"),
    )
}

/// The bytes of a range, which is small.
///
/// # Errors
/// As [`Flat::read`].
pub fn bytes(flat: &dyn Flat, range: Range<u64>) -> Result<Vec<u8>, Trouble> {
    let size = range.end.saturating_sub(range.start);
    let past = || missing(range.start, size, flat.size());
    if range.end > flat.size() {
        return Err(past());
    }
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| past())?];
    flat.read(range.start, &mut bytes)?;
    Ok(bytes)
}

/// A disc as a source, of which nothing is read before it is asked for.
pub fn view(flat: Arc<dyn Flat>) -> Source {
    Source::stored(View(flat))
}

struct View(Arc<dyn Flat>);

impl ReadAt for View {
    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, buffer).map_err(|trouble| io::Error::other(trouble.message))
    }
}

/// Bytes of a disc that lie together in its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Where they begin in the image; `None` for zeros, which are not stored.
    pub at: Option<u64>,
    /// How many follow; 0 past the end of the disc.
    pub size: u64,
}

/// A disc whose bytes are stored as they are, in runs.
pub trait Runs: Send + Sync {
    /// Bytes of the disc.
    fn disc_size(&self) -> u64;

    fn image(&self) -> &Source;

    /// The run that an offset of the disc lies in, from there on.
    fn run(&self, offset: u64) -> Run;
}

impl<T: Runs> Flat for T {
    fn size(&self) -> u64 {
        self.disc_size()
    }

    fn is_backed(&self, range: &Range<u64>, least: u64) -> bool {
        let (mut at, mut stored) = (range.start, 0_u64);
        while stored < least && at < range.end && budget::charge_work(WORK_OF_SPAN) {
            let run = self.run(at);
            stored = stored.saturating_add(run.at.map_or(0, |_| run.size.min(range.end.saturating_sub(at))));
            at = at.saturating_add(run.size.max(1));
        }
        stored >= least
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Trouble> {
        let (mut at, mut left) = (offset, buffer);
        while !left.is_empty() {
            let run = self.run(at);
            let count = usize::try_from(run.size).unwrap_or(usize::MAX).min(left.len());
            if count == 0 {
                return Err(missing(at, left.len() as u64, self.disc_size()));
            }
            let (now, then) = left.split_at_mut(count);
            match run.at {
                Some(place) => self.image().read(place, now)?,
                None => now.fill(0),
            }
            (at, left) = (at.saturating_add(count as u64), then);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second run of four bytes is stored.
    struct Halves(Source);

    impl Runs for Halves {
        fn disc_size(&self) -> u64 {
            12
        }

        fn image(&self) -> &Source {
            &self.0
        }

        fn run(&self, offset: u64) -> Run {
            let inside = offset % 4;
            let at = (offset / 4 == 1).then_some(inside);
            Run { at, size: if offset < 12 { 4 - inside } else { 0 } }
        }
    }

    #[test]
    fn runs_are_read_across_their_ends() {
        let disc: Arc<dyn Flat> = Arc::new(Halves(Source::new(*b"abcd")));
        assert_eq!(bytes(&*disc, 2..11).unwrap(), b"\0\0abcd\0\0\0");
        assert_eq!(bytes(&*disc, 6..6).unwrap(), b"");
        assert_eq!(view(disc.clone()).slice(5, 2).unwrap().as_slice(), b"bc");
        assert_eq!(bytes(&*disc, 11..13).unwrap_err().code.id, "container.data-truncated");
        assert!(disc.read(11, &mut [0; 2]).is_err() && bytes(&*disc, 0..u64::MAX).is_err());
        // The image is cut within its only run.
        let cut: Arc<dyn Flat> = Arc::new(Halves(Source::new(*b"abc")));
        assert_eq!(bytes(&*cut, 3..7).unwrap(), b"\0abc");
        assert!(bytes(&*cut, 6..8).is_err());
        let view = view(cut);
        assert!(view.slice(6, 2).unwrap().as_slice().is_empty() && view.failure().unwrap().contains("data ends at 3"));
    }
}
