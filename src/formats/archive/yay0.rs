//! Yay0 (formats/j3d.md §10): the same as Yaz0 with flags, copies and plain bytes in tables of their own.

use super::copier::{Copier, Decompressed, Stopped};

/// Bytes before the flags.
pub const HEADER_SIZE: usize = 16;

/// Decompresses until `size` bytes are made or a table ends. `links` and `chunks` are where the tables start.
pub fn decompress(input: &[u8], size: usize, links: usize, chunks: usize) -> Decompressed {
    let mut out = Copier::new(size, input.len());
    let (mut flag_at, mut link_at, mut chunk_at) = (HEADER_SIZE, links, chunks);
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

    #[test]
    fn flags_links_and_chunks_come_from_their_tables() {
        let mut input = vec![0; HEADER_SIZE];
        input.extend_from_slice(&0b1100_0000_u32.wrapping_shl(24).to_be_bytes());
        input.extend_from_slice(&[0x30, 1, 0x00, 0]);
        input.extend_from_slice(&[b'a', b'b', 1]);
        let made = decompress(&input, 26, 20, 24);
        assert_eq!((made.bytes.as_slice(), made.stopped), (&b"abababaaaaaaaaaaaaaaaaaaaa"[..], None));
        assert_eq!(made.consumed, input.len());
        for cut in 0..input.len() {
            let made = decompress(&input[..cut], 26, 20, 24);
            assert_eq!(made.stopped, Some(Stopped::EndOfInput), "cut to {cut}");
        }
        assert_eq!(decompress(&input, 26, usize::MAX, 24).stopped, Some(Stopped::EndOfInput));
    }
}
