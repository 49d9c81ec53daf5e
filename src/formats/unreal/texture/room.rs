//! What the pictures of one thing may take together.

use super::super::{codes, object::entry_of, package::Package};
use crate::formats::LoadContext;
use std::sync::Arc;

/// Bytes that pictures may still be decoded to, and what there was no room for.
#[derive(Clone, Debug)]
pub struct Room {
    pub left: u64,
    /// Textures and pages of fonts that are not decoded in all the sizes that were asked for, although each would have fitted alone.
    pub refused: usize,
}

impl Room {
    pub fn of(bytes: u64) -> Self {
        Self { left: bytes, refused: 0 }
    }

    /// Whether a picture of so many bytes fits; one that does takes its room.
    pub fn take(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// Says once for which pictures of an object there is no room.
    pub fn report(&self, package: &Arc<Package>, export: usize, cx: &mut LoadContext<'_>) {
        if self.refused > 0 {
            let pictures = if self.refused == 1 { "1 image is" } else { &format!("{} images are", self.refused) };
            let message =
                format!("{pictures} not decoded, or not in all sizes: the memory limit for images is reached");
            cx.diagnostics.report(&codes::TOO_LARGE, entry_of(package, export), None, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_taken() {
        let mut room = Room::of(100);
        assert_eq!([60, 41, 40, 1, 0].map(|bytes| room.take(bytes)), [true, false, true, false, true]);
        assert_eq!(room.left, 0);
    }
}
