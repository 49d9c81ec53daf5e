//! Pictures of a level that change with time (formats/unreal.md §5.1, §5.5).

use crate::scene::{FlipBook, Image, LiveKind, LivePicture};
use std::sync::Arc;

/// Pictures that change, of a level.
const MOST: usize = 256;

/// What changes, as far as there is room for it. By default there is none.
#[derive(Default)]
pub struct Live {
    pub pictures: Vec<LivePicture>,
    bytes_left: u64,
}

impl Live {
    pub fn of(bytes: u64) -> Self {
        Self { pictures: Vec::new(), bytes_left: bytes }
    }

    /// Adds what is shown in place of a still, unless there is no room.
    pub fn take(&mut self, still: &Arc<Image>, kind: LiveKind) {
        let size = still.rgba.len() as u64;
        if self.pictures.len() < MOST
            && let Some(left) = self.bytes_left.checked_sub(size)
        {
            self.bytes_left = left;
            self.pictures.push(LivePicture { still: still.clone(), kind });
        }
    }

    /// Adds the flip-book that a still begins; `read` gets the bytes that its pictures may take.
    pub fn flip_book(&mut self, still: &Arc<Image>, read: impl FnOnce(&mut u64) -> Option<FlipBook>) {
        if self.pictures.len() < MOST
            && self.bytes_left > 0
            && let Some(book) = read(&mut self.bytes_left)
        {
            self.pictures.push(LivePicture { still: still.clone(), kind: LiveKind::FlipBook(book) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::FlipBook;

    fn still(side: u32) -> Arc<Image> {
        let rgba = vec![0; (side * side * 4) as usize].into();
        Arc::new(Image { name: String::new(), width: side, height: side, rgba, stored_as: String::new() })
    }

    fn book(still: &Arc<Image>) -> LiveKind {
        LiveKind::FlipBook(FlipBook { frames: vec![still.clone(); 2], rate_hz: 8.0 })
    }

    #[test]
    fn pictures_are_bounded_in_number_and_size() {
        let mut many = Live::of(u64::MAX);
        (0..300).map(|_| still(1)).for_each(|still| many.take(&still, book(&still)));
        many.flip_book(&still(1), |_| panic!("there is no room"));
        assert_eq!(many.pictures.len(), 256);
        // Two of 64 bytes and none more; a smaller one still fits.
        let mut large = Live::of(140);
        (0..3).map(|_| still(4)).for_each(|still| large.take(&still, book(&still)));
        assert_eq!((large.pictures.len(), large.bytes_left), (2, 12));
        large.flip_book(&still(1), |left| {
            *left -= 12;
            None
        });
        large.flip_book(&still(1), |_| panic!("nothing is left"));
        assert_eq!((large.pictures.len(), large.bytes_left), (2, 0));
        assert!(Live::default().pictures.is_empty());
    }
}
