//! Small pictures of entries, made in the background, a few at a time, and kept up to a cap.

use crate::{
    scene::Image,
    ui::place::{FileId, Place},
};
use std::{collections::HashMap, hash::Hash, sync::Arc};

/// Maximum width and height of a thumbnail, in pixels.
pub const THUMBNAIL_SIDE: u32 = 128;

/// Maximum size of all cached thumbnails, in bytes.
const MAX_BYTES: usize = 48 << 20;

/// A thumbnail of an entry.
#[derive(Clone, Debug)]
pub struct Thumbnail {
    /// The image, at most [`THUMBNAIL_SIDE`] wide and high.
    pub image: Arc<Image>,
    /// Size of the original image, in pixels.
    pub size: (u32, u32),
    /// True if the alpha channel is used.
    pub uses_alpha: bool,
}

/// Created thumbnails, or the reasons for which they cannot be created. Cancelled ones are missing.
pub type MadeThumbnails<K = Place> = Vec<(K, Result<Thumbnail, Option<String>>)>;

/// The state of an entry's thumbnail.
#[derive(Clone, Debug)]
pub enum ThumbnailState {
    /// The thumbnail is being created.
    Waiting,
    Ready(Thumbnail),
    /// The reason for which the thumbnail cannot be created.
    None(String),
}

/// The cache of thumbnails, by entry.
pub struct Thumbnails<K = Place> {
    pub(crate) known: HashMap<K, (ThumbnailState, u64)>,
    /// Requested thumbnails in the order of their creation.
    pub(crate) queue: Vec<K>,
    pub(crate) running: usize,
    pub(crate) clock: u64,
    bytes: usize,
    /// Sizes of images with thumbnails, in pixels. They are kept longer than the thumbnails.
    sizes: HashMap<K, (u32, u32)>,
}

impl<K> Default for Thumbnails<K> {
    fn default() -> Self {
        Self { known: HashMap::new(), queue: Vec::new(), running: 0, clock: 0, bytes: 0, sizes: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Thumbnails<K> {
    /// Returns the size of an image, if its thumbnail was created before.
    pub fn size_of(&self, place: K) -> Option<(u32, u32)> {
        self.sizes.get(&place).copied()
    }

    /// Returns the number of known sizes.
    pub fn sizes_known(&self) -> usize {
        self.sizes.len()
    }

    /// Returns true if thumbnails are being created.
    pub fn is_busy(&self) -> bool {
        self.running > 0 || !self.queue.is_empty()
    }

    pub fn get(&self, place: K) -> Option<&ThumbnailState> {
        self.known.get(&place).map(|(state, _)| state)
    }

    /// Returns the size of all cached thumbnails, in bytes.
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

    /// Drops the thumbnails that were seen longest ago.
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
    /// Drops the thumbnails of a file.
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
