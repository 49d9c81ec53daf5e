//! Small pictures of entries, made in the background, a few at a time, and kept up to a cap.

use crate::{
    scene::Image,
    ui::place::{FileId, Place},
};
use std::{collections::HashMap, hash::Hash, sync::Arc};

/// The longer side of a thumbnail at most, in pixels.
pub const THUMBNAIL_SIDE: u32 = 128;

/// Bytes of thumbnails kept.
const MAX_BYTES: usize = 48 << 20;

/// A small picture of an entry.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// No side longer than [`THUMBNAIL_SIDE`].
    pub image: Arc<Image>,
    /// Size of the picture itself, in pixels.
    pub size: (u32, u32),
    /// Its alpha counts.
    pub uses_alpha: bool,
}

/// Thumbnails that were made, or why not; neither for those that were stopped.
pub type MadeThumbnails<K = Place> = Vec<(K, Result<Thumbnail, Option<String>>)>;

/// What is known of an entry's thumbnail.
#[derive(Clone, Debug)]
pub enum ThumbnailState {
    /// Is being made.
    Waiting,
    Ready(Thumbnail),
    /// Why there is none.
    None(String),
}

/// The thumbnails that are kept, each by what it is of.
pub struct Thumbnails<K = Place> {
    pub(crate) known: HashMap<K, (ThumbnailState, u64)>,
    /// Asked for and not begun, the first next.
    pub(crate) queue: Vec<K>,
    pub(crate) running: usize,
    pub(crate) clock: u64,
    bytes: usize,
    /// Of pictures whose thumbnails were made once, in pixels.
    sizes: HashMap<K, (u32, u32)>,
}

impl<K> Default for Thumbnails<K> {
    fn default() -> Self {
        Self { known: HashMap::new(), queue: Vec::new(), running: 0, clock: 0, bytes: 0, sizes: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Thumbnails<K> {
    /// The size of a picture, once its thumbnail was made.
    pub fn size_of(&self, place: K) -> Option<(u32, u32)> {
        self.sizes.get(&place).copied()
    }

    /// How many sizes are known.
    pub fn sizes_known(&self) -> usize {
        self.sizes.len()
    }

    /// Whether some are being made.
    pub fn is_busy(&self) -> bool {
        self.running > 0 || !self.queue.is_empty()
    }

    pub fn get(&self, place: K) -> Option<&ThumbnailState> {
        self.known.get(&place).map(|(state, _)| state)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn put(&mut self, place: K, state: ThumbnailState) {
        self.clock += 1;
        if let ThumbnailState::Ready(thumbnail) = &state {
            self.sizes.insert(place, thumbnail.size);
        }
        self.bytes += weight(&state);
        if let Some((old, _)) = self.known.insert(place, (state, self.clock)) {
            self.bytes -= weight(&old);
        }
    }

    /// Lets go of those that were seen longest ago.
    pub(crate) fn shrink(&mut self) {
        while self.bytes > MAX_BYTES {
            let ready = self.known.iter().filter(|(_, (state, _))| matches!(state, ThumbnailState::Ready(_)));
            let Some(oldest) = ready.min_by_key(|(_, (_, seen))| *seen).map(|(place, _)| *place) else { return };
            self.remove(oldest);
        }
    }

    pub(crate) fn remove(&mut self, place: K) {
        if let Some((state, _)) = self.known.remove(&place) {
            self.bytes -= weight(&state);
        }
    }
}

impl Thumbnails {
    /// Forgets those of a file.
    pub(crate) fn forget(&mut self, file: FileId) {
        self.queue.retain(|place| place.file != file);
        self.sizes.retain(|place, _| place.file != file);
        let gone: Vec<Place> = self.known.keys().filter(|place| place.file == file).copied().collect();
        for place in gone {
            self.remove(place);
        }
    }
}

fn weight(state: &ThumbnailState) -> usize {
    match state {
        ThumbnailState::Ready(thumbnail) => thumbnail.image.rgba.len() + 256,
        _ => 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::EntryId;

    #[test]
    fn those_seen_longest_ago_go_first() {
        let place = |i: u32| Place { file: FileId(1), entry: EntryId(i) };
        let mut kept: Thumbnails = Thumbnails::default();
        let rgba = vec![0; 128 * 128 * 4].into();
        let image = Image { name: "i".into(), width: 128, height: 128, rgba, stored_as: String::new() };
        let image = Arc::new(image);
        let count = MAX_BYTES as u32 / 65_536 + 20;
        for i in 0..count {
            let ready = Thumbnail { image: image.clone(), size: (1, 1), uses_alpha: false };
            kept.put(place(i), ThumbnailState::Ready(ready));
            kept.shrink();
            assert!(kept.bytes() <= MAX_BYTES);
        }
        assert!(kept.get(place(0)).is_none() && kept.get(place(count - 1)).is_some());
        kept.forget(FileId(1));
        assert_eq!(kept.bytes(), 0);
    }
}
