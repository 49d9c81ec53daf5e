//! The chain of stages, each of which passes its bytes on piece by piece, and the two small ones: move to front
//! (formats/containers.md §2.2) and runs (§2.4).

use crate::formats::containers::{codes, contents::Trouble, output::Output};

/// A stage that gives bytes.
pub trait Stage {
    /// Appends the next piece, of any size; `false` when it was the last one.
    ///
    /// # Errors
    /// When what is stored cannot be decoded any further.
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble>;

    /// Bytes of the payload that were used so far.
    fn used(&self) -> u64;
}

/// The bytes that a stage gives as places.
pub struct MoveToFront<S> {
    stage: S,
    list: [u8; 256],
}

impl<S: Stage> MoveToFront<S> {
    pub fn new(stage: S) -> Self {
        Self { stage, list: std::array::from_fn(|place| place as u8) }
    }
}

impl<S: Stage> Stage for MoveToFront<S> {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
        let start = into.len();
        let more = self.stage.more(into)?;
        decode(&mut self.list, into.get_mut(start..).unwrap_or_default());
        Ok(more)
    }

    fn used(&self) -> u64 {
        self.stage.used()
    }
}

fn decode(list: &mut [u8; 256], bytes: &mut [u8]) {
    for byte in bytes {
        let place = usize::from(*byte);
        // The last of the first `place + 1` becomes the first of them.
        if let Some(front) = list.get_mut(..=place) {
            front.rotate_right(1);
        }
        let [first, ..] = *list;
        *byte = first;
    }
}

/// Equal bytes after which a length follows.
pub const WRITTEN_OUT: u8 = 5;

/// Where unpacked bytes go.
pub trait Sink {
    fn repeat(&mut self, byte: u8, count: usize) -> Result<(), Trouble>;
    fn extend(&mut self, bytes: &[u8]) -> Result<(), Trouble>;
}

impl Sink for Output<'_> {
    fn repeat(&mut self, byte: u8, count: usize) -> Result<(), Trouble> {
        Output::repeat(self, byte, count)
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        Output::extend(self, bytes)
    }
}

impl Sink for Vec<u8> {
    fn repeat(&mut self, byte: u8, count: usize) -> Result<(), Trouble> {
        self.resize(self.len().saturating_add(count), byte);
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Where it stands in the bytes, which come piece by piece.
#[derive(Debug, Default)]
pub struct Runs {
    last: u8,
    /// Equal bytes so far.
    count: u8,
}

impl Runs {
    /// Unpacks the next piece.
    pub fn feed(&mut self, bytes: &[u8], out: &mut impl Sink) -> Result<(), Trouble> {
        // Bytes that stand for themselves go out together.
        let mut start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if self.count == WRITTEN_OUT {
                out.extend(bytes.get(start..at).unwrap_or_default())?;
                start = at.saturating_add(1);
                if *byte < 2 {
                    return Err(Trouble::new(
                        &codes::TABLE,
                        0,
                        format!("invalid run length {byte} after five equal bytes"),
                    ));
                }
                out.repeat(self.last, usize::from(byte.saturating_sub(WRITTEN_OUT)))?;
                self.count = 0;
            } else if *byte == self.last {
                self.count = self.count.saturating_add(1);
            } else {
                (self.last, self.count) = (*byte, 1);
            }
        }
        out.extend(bytes.get(start..).unwrap_or_default())
    }

    /// Nothing follows any more.
    pub fn finish(&self) -> Result<(), Trouble> {
        match self.count {
            WRITTEN_OUT => Err(Trouble::new(&codes::TRUNCATED, 0, "the length of the last run is missing")),
            _ => Ok(()),
        }
    }
}

/// What the bytes of a stage unpack to.
pub struct Unrolled<S> {
    stage: S,
    runs: Runs,
    piece: Vec<u8>,
}

impl<S: Stage> Unrolled<S> {
    pub fn new(stage: S) -> Self {
        Self { stage, runs: Runs::default(), piece: Vec::new() }
    }
}

impl<S: Stage> Stage for Unrolled<S> {
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, Trouble> {
        self.piece.clear();
        let more = self.stage.more(&mut self.piece)?;
        self.runs.feed(&self.piece, into)?;
        if !more {
            self.runs.finish()?;
        }
        Ok(more)
    }

    fn used(&self) -> u64 {
        self.stage.used()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::containers::uz::encode::{move_to_front, runs};

    fn decoded(places: &[u8]) -> Vec<u8> {
        let mut list = std::array::from_fn(|place| place as u8);
        let mut bytes = places.to_vec();
        decode(&mut list, &mut bytes);
        bytes
    }

    #[test]
    fn places_become_bytes() {
        assert_eq!(decoded(&[0, 1, 0, 1, 255, 255, 2]), [0, 1, 1, 0, 255, 254, 0]);
        let text = b"bananas and bananas\0\xFF\xFF";
        assert_eq!(decoded(&move_to_front(text)), text);
    }

    /// Fed in pieces of `step` bytes.
    fn unrolled(bytes: &[u8], step: usize) -> Result<Vec<u8>, &'static str> {
        let (mut state, mut out) = (Runs::default(), Vec::new());
        for piece in bytes.chunks(step) {
            state.feed(piece, &mut out).map_err(|t| t.code.id)?;
        }
        state.finish().map_err(|t| t.code.id)?;
        Ok(out)
    }

    #[test]
    fn lengths_follow_five_equal_bytes() {
        for (packed, expected) in [
            (&b"aaaa"[..], &b"aaaa"[..]),
            (b"aaaaa\x05", b"aaaaa"),
            (b"aaaaa\x07b", b"aaaaaaab"),
            // The first byte may be 0, as the byte before it is taken to be.
            (&[0, 0, 0, 0, 0, 6, 0], &[0; 7]),
            // Lengths that no writer gives: the five stand.
            (b"bbbbb\x03cc", b"bbbbbcc"),
            // After a length the count begins anew, whatever comes.
            (b"aaaaa\x05aaaaa\x06", b"aaaaaaaaaaa"),
        ] {
            for step in [1, 2, 100] {
                assert_eq!(unrolled(packed, step).unwrap(), expected, "{packed:?}");
            }
        }
    }

    #[test]
    fn runs_of_every_length_read_back() {
        for count in [1, 4, 5, 6, 254, 255, 256, 257, 259, 260, 261, 510, 511, 1000] {
            for byte in [0, 7] {
                let run = vec![byte; count];
                let plain = [&run, &b"x"[..], &run, &[9; 4], &run].concat();
                assert_eq!(unrolled(&runs(&plain), 3).unwrap(), plain, "{count} of {byte}");
            }
        }
    }

    #[test]
    fn lengths_that_are_missing_or_cannot_be_are_refused() {
        assert_eq!(unrolled(b"aaaaa", 9), Err("container.data-truncated"));
        assert_eq!(unrolled(b"aaaaa\x01", 9), Err("container.table-invalid"));
        assert_eq!(unrolled(b"aaaaa\x00", 9), Err("container.table-invalid"));
    }
}
