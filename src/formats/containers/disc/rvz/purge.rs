//! PURGE: the stretches of a group that are not zeros, and a hash of them (formats/containers.md §8.4).

use crate::formats::containers::{codes, contents::Trouble};
use sha1::{Digest, Sha1};

/// Bytes of the hash at the end.
const HASH: usize = 20;

/// The group, of `size` bytes: pairs of an offset and a size, high byte first, each with its bytes; zeros between them.
///
/// # Errors
/// When a stretch leads out of the group, or the hash is another one.
pub fn decode(stored: &[u8], size: u64) -> Result<Vec<u8>, Trouble> {
    let damaged = |message: String| Trouble::new(&codes::DECODE, 0, message);
    let end = stored.len().checked_sub(HASH);
    let end = end.ok_or_else(|| damaged("the data is too short to contain a hash".to_owned()))?;
    let (mut left, hash) = stored.split_at(end);
    if Sha1::digest(left).as_slice() != hash {
        return Err(Trouble::new(&codes::CHECKSUM, end as u64, "the hash of a group does not match"));
    }
    let mut bytes =
        vec![0; usize::try_from(size).map_err(|_| damaged(format!("a group of {size} bytes is too large")))?];
    while !left.is_empty() {
        let stretch = stretch(left);
        let (offset, piece, rest) =
            stretch.ok_or_else(|| damaged("a segment extends past the end of the data".to_owned()))?;
        let place = offset..offset.saturating_add(piece.len());
        let into = bytes.get_mut(place.clone());
        into.ok_or_else(|| {
            damaged(format!("a segment at {}..{} is outside the group of {size} bytes", place.start, place.end))
        })?
        .copy_from_slice(piece);
        left = rest;
    }
    Ok(bytes)
}

/// Where the first stretch is to lie, its bytes, and what follows it.
fn stretch(bytes: &[u8]) -> Option<(usize, &[u8], &[u8])> {
    let (offset, rest) = bytes.split_first_chunk::<4>()?;
    let (size, rest) = rest.split_first_chunk::<4>()?;
    let number = |bytes: &[u8; 4]| usize::try_from(u32::from_be_bytes(*bytes)).ok();
    let (piece, rest) = rest.split_at_checked(number(size)?)?;
    Some((number(offset)?, piece, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(stretches: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (offset, piece) in stretches {
            bytes.extend(offset.to_be_bytes());
            bytes.extend((piece.len() as u32).to_be_bytes());
            bytes.extend(*piece);
        }
        bytes.extend(Sha1::digest(&bytes).as_slice());
        bytes
    }

    #[test]
    fn stretches_lie_between_zeros() {
        let stored = group(&[(2, b"ab"), (7, b"c")]);
        assert_eq!(decode(&stored, 9).unwrap(), b"\0\0ab\0\0\0c\0");
        assert_eq!(decode(&group(&[]), 3).unwrap(), [0; 3]);
        // A stretch past the end; a hash that is another one; a file that is cut.
        assert_eq!(decode(&stored, 7).unwrap_err().code.id, "container.decode-failed");
        let mut wrong = stored.clone();
        wrong[8] ^= 1;
        assert_eq!(decode(&wrong, 9).unwrap_err().code.id, "container.checksum-mismatch");
        for cut in 0..stored.len() {
            assert!(decode(&stored[..cut], 9).is_err());
        }
        assert!(decode(&group(&[(u32::MAX, b"x")]), 9).is_err());
    }
}
