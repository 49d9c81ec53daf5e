//! Yaz0 and Yay0 (formats/j3d.md §10): flags, copies and plain bytes, in one sequence or in tables of their own.

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

/// Bytes before the stream.
const HEADER_SIZE: usize = 16;

/// Decompresses what follows the header until `size` bytes are made or the input ends.
pub fn decompress_yaz0(input: &[u8], size: usize) -> Decompressed {
    let mut out = Copier::new(size, input.len());
    let mut at = HEADER_SIZE;
    let stopped = loop {
        if out.left() == 0 {
            break None;
        }
        let Some(&flags) = input.get(at) else { break Some(Stopped::EndOfInput) };
        at = at.saturating_add(1);
        // All literal: eight at once.
        if flags == 0xFF
            && out.left() >= 8
            && let Some(bytes) = input.get(at..).and_then(|rest| rest.first_chunk::<8>())
        {
            out.literals(bytes);
            at = at.saturating_add(8);
            continue;
        }
        match group(input, &mut at, flags, &mut out) {
            Ok(()) => {}
            Err(stopped) => break Some(stopped),
        }
    };
    out.finish(at.min(input.len()), stopped)
}

/// What eight flags stand for, or what is left of them.
fn group(input: &[u8], at: &mut usize, flags: u8, out: &mut Copier) -> Result<(), Stopped> {
    let mut flags = flags;
    for _ in 0..8 {
        if out.left() == 0 {
            return Ok(());
        }
        let rest = input.get(*at..).unwrap_or_default();
        if flags & 0x80 != 0 {
            let byte = rest.first().ok_or(Stopped::EndOfInput)?;
            out.literal(*byte);
            *at = at.saturating_add(1);
        } else {
            let [high, low] = *rest.first_chunk::<2>().ok_or(Stopped::EndOfInput)?;
            let distance = (usize::from(high & 15) << 8 | usize::from(low)).saturating_add(1);
            let (length, used) = match high >> 4 {
                0 => (usize::from(*rest.get(2).ok_or(Stopped::EndOfInput)?).saturating_add(0x12), 3),
                n => (usize::from(n).saturating_add(2), 2),
            };
            out.copy(distance, length).map_err(|()| Stopped::BadDistance { distance, at: *at })?;
            *at = at.saturating_add(used);
        }
        flags <<= 1;
    }
    Ok(())
}

/// Bytes before the flags.
const YAY0_HEADER_SIZE: usize = 16;

/// Decompresses until `size` bytes are made or a table ends. `links` and `chunks` are where the tables start.
pub fn decompress_yay0(input: &[u8], size: usize, links: usize, chunks: usize) -> Decompressed {
    let mut out = Copier::new(size, input.len());
    let (mut flag_at, mut link_at, mut chunk_at) = (YAY0_HEADER_SIZE, links, chunks);
    let mut stopped = None;
    'words: while out.left() > 0 {
        let Some(word) = input.get(flag_at..).and_then(|rest| rest.first_chunk::<4>()) else {
            stopped = Some(Stopped::EndOfInput);
            break;
        };
        flag_at = flag_at.saturating_add(4);
        let mut flags = u32::from_be_bytes(*word);
        for _ in 0..32 {
            if out.left() == 0 {
                break 'words;
            }
            let step = if flags & 0x8000_0000 != 0 {
                next(input, &mut chunk_at).map(|byte| out.literal(byte))
            } else {
                link(input, &mut link_at, &mut chunk_at, &mut out)
            };
            if let Err(fault) = step {
                stopped = Some(fault);
                break 'words;
            }
            flags <<= 1;
        }
    }
    let consumed = flag_at.max(link_at).max(chunk_at).min(input.len());
    out.finish(consumed, stopped)
}

fn next(input: &[u8], at: &mut usize) -> Result<u8, Stopped> {
    let byte = input.get(*at).ok_or(Stopped::EndOfInput)?;
    *at = at.saturating_add(1);
    Ok(*byte)
}

fn link(input: &[u8], link_at: &mut usize, chunk_at: &mut usize, out: &mut Copier) -> Result<(), Stopped> {
    let at = *link_at;
    let (high, low) = (next(input, link_at)?, next(input, link_at)?);
    let distance = (usize::from(high & 15) << 8 | usize::from(low)).saturating_add(1);
    let length = match high >> 4 {
        0 => usize::from(next(input, chunk_at)?).saturating_add(0x12),
        n => usize::from(n).saturating_add(2),
    };
    out.copy(distance, length).map_err(|()| Stopped::BadDistance { distance, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(body: &[u8]) -> Vec<u8> {
        [&[0; HEADER_SIZE], body].concat()
    }

    #[test]
    fn literals_and_overlapping_copies_of_both_lengths() {
        // "ab", then 5 bytes from 2 back, then 0x12 + 1 from 1 back.
        let input = stream(&[0b1100_0000, b'a', b'b', 0x30, 1, 0x00, 0, 1]);
        let made = decompress_yaz0(&input, 26);
        assert_eq!((made.bytes.as_slice(), made.stopped), (&b"abababaaaaaaaaaaaaaaaaaaaa"[..], None));
        assert_eq!(made.consumed, input.len());
    }

    #[test]
    fn a_copy_stops_at_the_size_and_what_follows_is_left() {
        let input = stream(&[0b1000_0000, b'x', 0xF0, 0, 9, 9, 9]);
        let made = decompress_yaz0(&input, 5);
        assert_eq!((made.bytes.as_slice(), made.consumed), (&b"xxxxx"[..], HEADER_SIZE + 4));
    }

    #[test]
    fn what_was_made_before_a_fault_is_kept() {
        let made = decompress_yaz0(&stream(&[0b1100_0000, b'a', b'b', 0x10, 2]), 99);
        assert_eq!(made.bytes, b"ab");
        assert_eq!(made.stopped, Some(Stopped::BadDistance { distance: 3, at: HEADER_SIZE + 3 }));
        for cut in 0..HEADER_SIZE + 8 {
            let input = stream(&[0b1100_0000, b'a', b'b', 0x30, 1, 0x00, 0, 1]);
            let made = decompress_yaz0(&input[..cut], 26);
            assert_eq!(made.stopped, Some(Stopped::EndOfInput), "cut to {cut}");
            assert!(b"abababaaaaaaaaaaaaaaaaaaaa".starts_with(&made.bytes));
        }
    }

    #[test]
    fn a_size_alone_makes_no_room() {
        let made = decompress_yaz0(&stream(&[0xFF, 1, 2, 3]), usize::MAX);
        assert_eq!(made.bytes, [1, 2, 3]);
        assert!(made.bytes.capacity() < 1 << 20);
    }

    #[test]
    fn flags_links_and_chunks_come_from_their_tables() {
        let mut input = vec![0; YAY0_HEADER_SIZE];
        input.extend_from_slice(&0b1100_0000_u32.wrapping_shl(24).to_be_bytes());
        input.extend_from_slice(&[0x30, 1, 0x00, 0]);
        input.extend_from_slice(&[b'a', b'b', 1]);
        let made = decompress_yay0(&input, 26, 20, 24);
        assert_eq!((made.bytes.as_slice(), made.stopped), (&b"abababaaaaaaaaaaaaaaaaaaaa"[..], None));
        assert_eq!(made.consumed, input.len());
        for cut in 0..input.len() {
            let made = decompress_yay0(&input[..cut], 26, 20, 24);
            assert_eq!(made.stopped, Some(Stopped::EndOfInput), "cut to {cut}");
        }
        assert_eq!(decompress_yay0(&input, 26, usize::MAX, 24).stopped, Some(Stopped::EndOfInput));
    }
}
