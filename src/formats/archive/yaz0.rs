//! Yaz0 (formats/j3d.md §10): a byte of flags, then for each flag a byte as it is, or a copy of what came before.

use super::copier::{Copier, Decompressed, Stopped};

/// Bytes before the stream.
pub const HEADER_SIZE: usize = 16;

/// Decompresses what follows the header until `size` bytes are made or the input ends.
pub fn decompress(input: &[u8], size: usize) -> Decompressed {
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
        let made = decompress(&input, 26);
        assert_eq!((made.bytes.as_slice(), made.stopped), (&b"abababaaaaaaaaaaaaaaaaaaaa"[..], None));
        assert_eq!(made.consumed, input.len());
    }

    #[test]
    fn a_copy_stops_at_the_size_and_what_follows_is_left() {
        let input = stream(&[0b1000_0000, b'x', 0xF0, 0, 9, 9, 9]);
        let made = decompress(&input, 5);
        assert_eq!((made.bytes.as_slice(), made.consumed), (&b"xxxxx"[..], HEADER_SIZE + 4));
    }

    #[test]
    fn what_was_made_before_a_fault_is_kept() {
        let made = decompress(&stream(&[0b1100_0000, b'a', b'b', 0x10, 2]), 99);
        assert_eq!(made.bytes, b"ab");
        assert_eq!(made.stopped, Some(Stopped::BadDistance { distance: 3, at: HEADER_SIZE + 3 }));
        for cut in 0..HEADER_SIZE + 8 {
            let input = stream(&[0b1100_0000, b'a', b'b', 0x30, 1, 0x00, 0, 1]);
            let made = decompress(&input[..cut], 26);
            assert_eq!(made.stopped, Some(Stopped::EndOfInput), "cut to {cut}");
            assert!(b"abababaaaaaaaaaaaaaaaaaaaa".starts_with(&made.bytes));
        }
    }

    #[test]
    fn a_size_alone_makes_no_room() {
        let made = decompress(&stream(&[0xFF, 1, 2, 3]), usize::MAX);
        assert_eq!(made.bytes, [1, 2, 3]);
        assert!(made.bytes.capacity() < 1 << 20);
    }
}
