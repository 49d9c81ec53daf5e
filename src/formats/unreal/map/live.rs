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
