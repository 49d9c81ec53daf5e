//! Sums of bytes.

use crate::bytes::{Source, budget};
use sha1::{Digest as _, Sha1};
use std::io;

/// Bytes that are summed at once.
const PIECE: u64 = 1 << 20;
/// Work of a byte: see [`budget`].
const WORK_OF_BYTE: u64 = 3;

/// The start of the SHA-1 of some bytes, never 0.
///
/// # Errors
/// When they cannot be read.
pub fn digest(source: &Source) -> io::Result<u64> {
    let sum = sum(source)?;
    let mut start = [0; 8];
    start.copy_from_slice(sum.get(..8).unwrap_or(&[0; 8]));
    Ok(u64::from_be_bytes(start).max(1))
}

/// The SHA-1 of some bytes, piece by piece.
///
/// # Errors
/// When they cannot be read, or the act has no work left for all of them.
pub fn sum(source: &Source) -> io::Result<[u8; 20]> {
    let mut sum = Sha1::new();
    let size = source.len() as u64;
    if !budget::charge_work(size.saturating_mul(WORK_OF_BYTE)) {
        return Err(io::Error::other(budget::Exceeded::Work.message()));
    }
    for at in (0..size).step_by(PIECE as usize) {
        let piece = source.slice(at, PIECE.min(size.saturating_sub(at))).ok_or(io::ErrorKind::UnexpectedEof)?;
        sum.update(piece.in_memory()?.as_slice());
    }
    Ok(sum.finalize().into())
}
