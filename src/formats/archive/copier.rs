//! What comes out of a stream while it is decompressed.

/// No stream makes more than this of one byte: a group of 25 bytes makes 8 × 273.
const MAX_OF_ONE_BYTE: usize = 88;
/// Room that is made before anything was decompressed.
const FIRST_ROOM: usize = 256 << 10;

/// Why decompressing stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The input ended before the output was complete.
    EndOfInput,
    /// A copy from before the start, at this place of the input.
    BadDistance {
        /// Distance of the copy, in bytes back from the end of the output.
        distance: usize,
        /// Offset of the copy in the input, in bytes.
        at: usize,
    },
}

/// What came out of a stream.
#[derive(Debug)]
pub struct Decompressed {
    /// Decompressed bytes; incomplete if `stopped` is set.
    pub bytes: Vec<u8>,
    /// Bytes of the input that were looked at, the header included.
    pub consumed: usize,
    /// Reason for stopping early; `None` if the output is complete.
    pub stopped: Option<Stopped>,
}

/// The output while it is made: never longer than its size, no more room than the input can fill.
pub struct Copier {
    bytes: Vec<u8>,
    size: usize,
}

impl Copier {
    pub fn new(size: usize, input: usize) -> Self {
        let most = size.min(input.saturating_mul(MAX_OF_ONE_BYTE));
        // Streams halve what is in them as a rule: twice the input is likely, the rest grows.
        let room = most.min(FIRST_ROOM.max(input.saturating_mul(4)));
        Self { bytes: Vec::with_capacity(room), size }
    }

    /// Bytes that are still to be made.
    #[inline]
    pub fn left(&self) -> usize {
        self.size.saturating_sub(self.bytes.len())
    }

    #[inline]
    pub fn literal(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    #[inline]
    pub fn literals(&mut self, bytes: &[u8; 8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Copies `length` bytes from `distance` back, byte by byte where they overlap, as far as the size allows. An error when
    /// that is before the start.
    #[inline]
    pub fn copy(&mut self, distance: usize, length: usize) -> Result<(), ()> {
        let length = length.min(self.left());
        let end = self.bytes.len();
        let start = end.checked_sub(distance).ok_or(())?;
        if distance >= length {
            self.bytes.extend_from_within(start..start.saturating_add(length));
        } else if let (1, Some(byte)) = (distance, self.bytes.last().copied()) {
            self.bytes.resize(end.saturating_add(length), byte);
        } else {
            // What was just copied repeats: each round copies twice as much.
            let mut left = length;
            while left > 0 {
                let have = self.bytes.len().saturating_sub(start).min(left);
                self.bytes.extend_from_within(start..start.saturating_add(have));
                left = left.saturating_sub(have);
            }
        }
        Ok(())
    }

    pub fn finish(self, consumed: usize, stopped: Option<Stopped>) -> Decompressed {
        Decompressed { bytes: self.bytes, consumed, stopped }
    }
}
