use super::{AssetKey, Loaded};
use crate::formats::Asset;
use std::{collections::HashMap, sync::Arc};

/// Decoded assets, the least recently used dropped first when they weigh more than the cap.
///
/// By hand on purpose: caches with weights (`quick_cache`) choose what to drop by other orders, for their hit rate, and promise none,
/// while a person goes back to what was looked at last. There are few entries, each of many bytes.
pub struct AssetCache {
    entries: HashMap<AssetKey, (Arc<Loaded>, u64, u64)>,
    clock: u64,
    weight: u64,
    cap: u64,
}

impl AssetCache {
    /// Holds at most `cap` bytes of decoded data.
    pub fn new(cap: u64) -> Self {
        Self { entries: HashMap::new(), clock: 0, weight: 0, cap }
    }

    /// Returns a cached asset and marks it as used last. Returns `None` if the asset is not in the cache.
    pub fn get(&mut self, key: &AssetKey) -> Option<Arc<Loaded>> {
        self.clock += 1;
        let (loaded, _, used) = self.entries.get_mut(key)?;
        *used = self.clock;
        Some(loaded.clone())
    }

    /// Keeps an asset, unless it alone is over the cap.
    pub fn insert(&mut self, key: AssetKey, loaded: Arc<Loaded>) {
        let weight = weight_of(&loaded.asset);
        self.remove(&key);
        if weight > self.cap {
            return;
        }
        while self.weight + weight > self.cap {
            let Some(oldest) = self.entries.iter().min_by_key(|(_, (_, _, used))| *used).map(|(k, _)| k.clone()) else {
                break;
            };
            self.remove(&oldest);
        }
        self.clock += 1;
        self.weight += weight;
        self.entries.insert(key, (loaded, weight, self.clock));
    }

    fn remove(&mut self, key: &AssetKey) {
        if let Some((_, weight, _)) = self.entries.remove(key) {
            self.weight -= weight;
        }
    }

    /// Forgets everything that came from a file.
    pub fn forget(&mut self, path: &std::path::Path) {
        let gone: Vec<AssetKey> = self.entries.keys().filter(|k| k.path == path).cloned().collect();
        for key in gone {
            self.remove(&key);
        }
    }

    /// Bytes held.
    pub fn weight(&self) -> u64 {
        self.weight
    }
}

/// Roughly what an asset holds, in bytes.
fn weight_of(asset: &Asset) -> u64 {
    let bytes = match asset {
        Asset::Model(model) => model.weight(),
        Asset::Clip(clip) => clip.channels.iter().map(|c| c.sampler.keys.len() as u64 * 16).sum(),
        Asset::Image(image) => image.weight(),
        Asset::Picture(picture) => picture.weight(),
        Asset::Font(font) => font.pages.iter().filter_map(|p| p.image.as_ref()).map(|i| i.weight()).sum(),
        Asset::Sound(sound) => sound.bytes.len() as u64 + sound.pcm.as_ref().map_or(0, |pcm| pcm.weight()),
        Asset::Music(music) => music.bytes.len() as u64,
        Asset::Text(text) => text.parts.iter().map(|p| p.text.len() as u64).sum(),
        Asset::Terrain(terrain) => terrain.weight(),
        Asset::Map(map) => map.weight(),
        Asset::Procedural(procedural) => procedural.weight(),
        Asset::Palette(_) => 0,
    };
    bytes + 1024
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::{EntryId, LoadOptions},
        scene::{FlipBook, Image, LiveKind, LivePicture, Map},
    };

    fn image(bytes: usize) -> Arc<Loaded> {
        let image =
            Image { name: String::new(), width: 1, height: 1, rgba: vec![0; bytes].into(), stored_as: String::new() };
        Arc::new(Loaded { asset: Asset::Image(Arc::new(image)), diagnostics: Vec::new() })
    }

    fn key(entry: u32) -> AssetKey {
        AssetKey { path: "a".into(), entry: EntryId(entry), options: LoadOptions::default(), reading: 1 }
    }

    #[test]
    fn the_least_recently_used_goes_first_and_the_cap_holds() {
        let mut cache = AssetCache::new(10_000);
        cache.insert(key(1), image(3_000));
        cache.insert(key(2), image(3_000));
        assert!(cache.get(&key(1)).is_some());
        cache.insert(key(3), image(3_000));
        assert!(cache.get(&key(2)).is_none() && cache.get(&key(1)).is_some() && cache.get(&key(3)).is_some());
        cache.insert(key(4), image(20_000));
        assert!(cache.get(&key(4)).is_none());
        cache.forget(std::path::Path::new("a"));
        assert_eq!(cache.weight(), 0);
    }

    #[test]
    fn a_map_weighs_its_flip_books() {
        let Asset::Image(frame) = image(4_000).asset.clone() else { panic!("an image") };
        let frames: Vec<Arc<Image>> = (0..3).map(|_| Arc::new((*frame).clone())).collect();
        let still = frames[0].clone();
        let live = vec![LivePicture { still, kind: LiveKind::FlipBook(FlipBook { frames, rate_hz: 8.0 }) }];
        let map = Asset::Map(Arc::new(Map { live, ..Map::default() }));
        let mut cache = AssetCache::new(10_000);
        cache.insert(key(1), Arc::new(Loaded { asset: map, diagnostics: Vec::new() }));
        assert!(cache.get(&key(1)).is_none() && cache.weight() == 0);
    }
}
