//! Streams of zlib (RFC 1950), by a decoder in Rust alone.

use super::{codes, contents::Trouble, output::Output};
use flate2::{Decompress, FlushDecompress, Status};

/// Bytes that come out at once.
const PIECE: usize = 64 << 10;

/// Whether two bytes are the start of a stream.
pub fn is_header([method, flags]: [u8; 2]) -> bool {
    method & 15 == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
}

/// Unpacks the stream that `bytes` begin with; says how many of them it has.
///
/// # Errors
/// When it is damaged or ends early, and when more comes of it than may.
pub fn unpack(bytes: &[u8], output: &mut Output<'_>) -> Result<usize, Trouble> {
    let mut stream = Decompress::new(true);
    let mut piece = vec![0; PIECE];
    loop {
        let (used, made) = (used(&stream), stream.total_out());
        let rest = bytes.get(used..).unwrap_or_default();
        let status = stream.decompress(rest, &mut piece, FlushDecompress::None);
        let trouble = |code, message: &str| Trouble::new(code, used as u64, message);
        let status = status.map_err(|_| trouble(&codes::DECODE, "the compressed data is damaged"))?;
        let count = usize::try_from(stream.total_out().saturating_sub(made)).unwrap_or(PIECE);
        output.extend(piece.get(..count).unwrap_or_default())?;
        let now = self::used(&stream);
        match status {
            Status::StreamEnd => return Ok(now),
            // It needs more than there is.
            _ if count == 0 && now == used => {
                return Err(trouble(&codes::TRUNCATED, "the compressed data ends too early"));
            }
            _ => {}
        }
    }
}

fn used(stream: &Decompress) -> usize {
    usize::try_from(stream.total_in()).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::{
        bytes::{Cancel, MemberLimits},
        formats::containers::{
            contents::{Unpacked, Unpacking},
            output::Cost,
        },
    };
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write as _;

    pub fn packed(plain: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8], limits: &MemberLimits) -> Result<(Vec<u8>, usize), &'static str> {
        let cx = Unpacking { limits, cancel: Cancel::never() };
        let mut output = Output::new(&cx, bytes.len() as u64, Cost::DEFLATE).unwrap();
        let used = unpack(bytes, &mut output).map_err(|t| t.code.id)?;
        let Unpacked { source, .. } = output.finish(Vec::new());
        Ok((source.as_slice().to_vec(), used))
    }

    #[test]
    fn streams_end_where_they_say_and_within_the_limits() {
        let limits = MemberLimits::default();
        let plain: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        let packed = packed(&plain);
        assert!(is_header(*packed.first_chunk().unwrap()) && !is_header([0x78, 0x9D]) && !is_header([0x79, 0x9C]));
        let followed = [&packed[..], b"more"].concat();
        assert_eq!(unpacked(&followed, &limits).unwrap(), (plain, packed.len()));
        let few = MemberLimits { bytes: 199_999, ..limits };
        assert_eq!(unpacked(&packed, &few), Err("container.bomb-size"));
        for cut in [0, 1, 2, packed.len() / 2, packed.len() - 1] {
            assert_eq!(unpacked(&packed[..cut], &limits), Err("container.data-truncated"), "{cut}");
        }
        let mut damaged = packed.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert_eq!(unpacked(&damaged, &limits), Err("container.decode-failed"));
    }
}
