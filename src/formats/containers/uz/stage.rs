//! How the stages are chained: each gives its bytes piece by piece, so that only blocks are held whole.

use crate::formats::containers::contents::Trouble;

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
