//! Why pictures are refused.

use crate::bytes::Limits;

/// A picture that cannot be decoded: one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PictureError(pub String);

/// Refuses sides of nothing and sizes over the limits, before anything is allocated.
pub fn check_size(width: u32, height: u32, limits: &Limits) -> Result<(), PictureError> {
    if width == 0 || height == 0 {
        return Err(PictureError(format!("empty image ({width} × {height} pixels)")));
    }
    let bytes = u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4);
    if width > limits.image_side || height > limits.image_side || bytes > limits.decoded_bytes {
        return Err(PictureError(format!("the image size of {width} × {height} pixels is over the limit")));
    }
    Ok(())
}
