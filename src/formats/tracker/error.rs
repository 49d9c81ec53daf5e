//! Why music does not play.

use crate::bytes::OutOfBytes;

/// Why music does not play: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackerError {
    /// Rendering was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The music is damaged or has an unknown format; contains the sentence to show.
    #[error("{0}")]
    Unplayable(String),
}

impl From<OutOfBytes> for TrackerError {
    fn from(error: OutOfBytes) -> Self {
        Self::Unplayable(format!("the module ends too early ({error})"))
    }
}
