//! Loading entries that are neither models nor clips, and putting them where they are seen.

use super::{LogEntry, Place, State, receiving::Message};
use crate::{
    formats::{Asset, Content, Severity},
    library::{AssetKey, Loaded},
};
use std::sync::Arc;

/// Where something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Viewport,
    Image,
    Sound,
    Text,
    Curves,
    Gallery,
}

impl State {
    /// Shows what was selected when it belongs on the stage that is in front: pictures are leafed through so.
    pub(super) fn show_beside(&mut self, place: Place) {
        let Some(content) = self.file(place.file).and_then(|f| f.entry(place.entry)).map(|e| e.content) else { return };
        let stage = match content {
            Content::Image | Content::Palette | Content::Font => Stage::Image,
            Content::Sound | Content::Music => Stage::Sound,
            Content::Text => Stage::Text,
            Content::Clip => Stage::Curves,
            _ => return,
        };
        if self.front == stage && self.wanted_asset != Some(place) {
            self.load_asset(place);
        }
    }

    /// Decodes an entry in the background and shows it.
    pub(super) fn load_asset(&mut self, place: Place) {
        let Some(file) = self.file(place.file).cloned() else { return };
        let options = self.load_options;
        self.wanted_asset = Some(place);
        let key = AssetKey { path: file.path.clone(), entry: place.entry, options };
        if let Some(loaded) = self.cache.get(&key) {
            self.present(place, &loaded.asset);
            return;
        }
        let sender = self.outbox.clone();
        let name = file.entry(place.entry).map(|e| e.name.clone()).unwrap_or_default();
        self.run_in_background(format!("Reading {name} of {}", file.name), move |cx| {
            let message = match file.load(place.entry, options, cx.cancel_flag()) {
                Ok(loaded) => Message::AssetLoaded { place, key, loaded: Arc::new(loaded) },
                Err(error) => Message::Log(LogEntry::new(Severity::Error, &file.name, error.to_string()).at(place)),
            };
            let _ = sender.send(message);
        });
    }

    pub(super) fn asset_loaded(&mut self, place: Place, key: AssetKey, loaded: Arc<Loaded>) {
        if self.wanted_asset != Some(place) || self.file(place.file).is_none() {
            return;
        }
        self.cache.insert(key, loaded.clone());
        self.note_diagnostics(place.file, &loaded.diagnostics, false);
        self.present(place, &loaded.asset);
    }

    /// Puts an asset where its kind is seen.
    fn present(&mut self, place: Place, asset: &Asset) {
        let stage = match asset {
            Asset::Model(model) => {
                self.put_on_show(place, model.clone());
                Stage::Viewport
            }
            Asset::Clip(clip) => {
                self.show_curves(place, clip.clone());
                Stage::Curves
            }
            Asset::Image(_) | Asset::Picture(_) | Asset::Procedural(_) | Asset::Palette(_) | Asset::Font(_) => {
                self.show_picture(place, asset.clone());
                Stage::Image
            }
            Asset::Sound(_) | Asset::Music(_) => {
                self.show_sound(place, asset.clone());
                Stage::Sound
            }
            Asset::Text(text) => {
                self.show_text(place, text.clone());
                Stage::Text
            }
            Asset::Terrain(terrain) => {
                self.show_terrain(place, terrain.clone());
                Stage::Viewport
            }
            Asset::Map(map) => {
                self.show_map(place, map.clone());
                Stage::Viewport
            }
        };
        self.select(place);
        self.effects.push(super::Effect::BringUp(stage));
    }

    /// Forgets what came from a file that is closed.
    pub(super) fn forget_presented(&mut self, file: super::FileId) {
        self.thumbnails.forget(file);
        self.picture.take_if(|p| p.place.file == file);
        if self.sound.as_ref().is_some_and(|s| s.place.file == file) {
            self.drop_sound();
        }
        self.text.take_if(|t| t.place.file == file);
        self.curves.shown.take_if(|c| c.place.file == file);
        self.map.take_if(|m| m.place.file == file);
        self.terrain.take_if(|t| t.place.file == file);
    }
}
