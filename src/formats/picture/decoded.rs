//! What decoding a picture gives.

use crate::scene::Picture;

/// A picture with all that its file keeps of it.
#[derive(Debug)]
pub struct Decoded {
    /// The decoded picture.
    pub picture: Picture,
    /// What of it is lost, in one sentence.
    pub problem: Option<String>,
}
