//! Loading entries that are neither models nor clips, and putting them on the stage.

use crate::{
    formats::{Asset, Content, Severity},
    library::{AssetKey, Loaded},
    scene::Text,
    ui::{
        place::{FileId, Place},
        state::{
            State,
            effect::Effect,
            log::LogEntry,
            message::Message,
            stage::{Stage, StageContent, text::ShownText},
        },
        subject::Subject,
    },
};
use std::sync::Arc;

impl Stage {
    /// What was to be shown no longer is.
    pub(in crate::ui) fn stop_loading(&mut self) {
        self.wanted_asset = None;
        self.playback.wanted_model = None;
    }
}

impl State {
    /// Shows what was selected where something of its kind is on the stage: so one moves through the pictures of a package.
    pub(in crate::ui::state) fn show_alike(&mut self, place: Place) {
        let Some(content) = self.core.file(place.file).and_then(|f| f.entry(place.entry)).map(|e| e.content) else {
            return;
        };
        let is_alike = match self.stages.front.content {
            StageContent::Image(_) => matches!(content, Content::Image | Content::Palette | Content::Font),
            StageContent::Sound(_) => matches!(content, Content::Sound | Content::Music),
            StageContent::Text(_) => content == Content::Text,
            StageContent::Clip(_) => content == Content::Clip,
            StageContent::Gallery(_) | StageContent::Table(_) => {
                return self.follow_file(place.file);
            }
            StageContent::Empty
            | StageContent::Pictures
            | StageContent::Compare
            | StageContent::Failed(..)
            | StageContent::Model(_)
            | StageContent::Level(_)
            | StageContent::Landscape(_)
            | StageContent::Classes(_)
            | StageContent::Collection
            | StageContent::Scripts => false,
        };
        if is_alike && self.stages.front.content.place() != Some(place) && self.stages.front.wanted_asset != Some(place)
        {
            self.load_asset(place);
        }
    }

    /// Shows the pictures or entries of another file in the place of those of the last one.
    fn follow_file(&mut self, file: FileId) {
        match self.stages.front.content {
            StageContent::Gallery(shown) if shown != file && self.has_gallery(file) => self.show_gallery(file),
            StageContent::Table(shown) if shown != file => self.show_table(file),
            _ => {}
        }
    }

    /// Whether a file holds pictures.
    pub fn has_gallery(&self, file: FileId) -> bool {
        self.core.file(file).is_some_and(|f| f.textures().next().is_some())
    }

    /// Shows all pictures of a file side by side.
    pub(in crate::ui::state) fn show_gallery(&mut self, file: FileId) {
        if self.has_gallery(file) {
            self.stages.front.stop_loading();
            self.take_stage(StageContent::Gallery(file));
            self.bring_up_stage();
        }
    }

    /// Shows all entries of a file as a table.
    pub(in crate::ui::state) fn show_table(&mut self, file: FileId) {
        if self.core.file(file).is_some() {
            self.stages.front.stop_loading();
            self.take_stage(StageContent::Table(file));
            self.bring_up_stage();
        }
    }

    pub(in crate::ui::state) fn bring_up_stage(&mut self) {
        self.core.effects.push(Effect::BringUpStage(self.stages.front.id));
    }

    /// Decodes an entry in the background and shows it.
    pub(in crate::ui::state) fn load_asset(&mut self, place: Place) {
        let Some(file) = self.core.file(place.file).cloned() else { return };
        let options = self.core.load_options;
        self.stages.front.stop_loading();
        self.stages.front.wanted_asset = Some(place);
        let key = file.key(place.entry, options);
        if let Some(loaded) = self.core.cache.get(&key) {
            self.present(place, &loaded.asset);
            return;
        }
        let sender = self.stage_sender();
        let name = file.entry(place.entry).map(|e| e.name.clone()).unwrap_or_default();
        self.core.works.run(format!("Reading {name} of {}", file.name), move |cx| {
            let message = match file.load(place.entry, options, cx.cancel()) {
                Ok(loaded) => Message::AssetLoaded { place, key, loaded: Arc::new(loaded) },
                Err(error) => {
                    let error = LogEntry::new(Severity::Error, &file.name, error.to_string()).at(place);
                    Message::NotLoaded { place, error }
                }
            };
            sender.send(message);
        });
    }

    /// Says on the stage itself why it shows nothing.
    pub(in crate::ui::state) fn not_loaded(&mut self, place: Place, error: LogEntry) {
        let wanted =
            self.stages.front.wanted_asset == Some(place) || self.stages.front.playback.wanted_model == Some(place);
        if wanted && self.core.file(place.file).is_some() {
            self.stages.front.stop_loading();
            self.stages.front.to_join.clear();
            self.take_stage(StageContent::Failed(place, error.text()));
        }
        self.core.log.announce(error);
    }

    pub(in crate::ui::state) fn asset_loaded(&mut self, place: Place, key: AssetKey, loaded: Arc<Loaded>) {
        if self.stages.front.wanted_asset != Some(place) || !self.is_current(place.file, &key) {
            return;
        }
        self.core.cache.insert(key, loaded.clone());
        self.note_diagnostics(place.file, &loaded.diagnostics, false);
        self.present(place, &loaded.asset);
    }

    /// Puts an asset on the stage.
    pub fn present(&mut self, place: Place, asset: &Asset) {
        // On the way back through the history the selection is that step's own.
        if !self.stages.front.is_visited(Subject::Entry(place)) {
            self.select(place);
        }
        match asset {
            Asset::Model(model) => self.put_on_show(place, model.clone()),
            Asset::Clip(clip) => {
                self.take_stage(StageContent::Clip(place));
                self.show_curves(place, clip.clone());
            }
            Asset::Image(_) | Asset::Picture(_) | Asset::Procedural(_) | Asset::Palette(_) | Asset::Font(_) => {
                self.show_picture(place, asset.clone());
            }
            Asset::Sound(_) | Asset::Music(_) => self.show_sound(place, asset.clone()),
            Asset::Text(text) => self.show_text(place, text.clone()),
            Asset::Terrain(terrain) => self.show_terrain(place, terrain.clone()),
            Asset::Map(map) => self.show_map(place, map.clone()),
        }
        self.bring_up_stage();
    }

    /// Forgets what came from a file that is closed.
    pub(in crate::ui::state) fn forget_presented(&mut self, file: FileId) {
        self.thumbnails.forget(file);
        self.lookups.scripts.found.retain(|(of, _)| *of != file);
        for id in self.stages.iter().map(|stage| stage.id).collect::<Vec<_>>() {
            self.on_stage(id, |state| {
                state.stages.front.playback.clips.retain(|c| c.place.file != file);
                if state.stages.front.playback.playing.is_some_and(|p| p.file == file) {
                    state.stages.front.stop_clip();
                }
                let is_last =
                    matches!(state.stages.front.content, StageContent::Pictures) && state.core.library.files.is_empty();
                if is_last || state.stages.front.content.subject().file() == Some(file) {
                    state.take_stage(StageContent::Empty);
                }
                state.stages.front.curves.shown.take_if(|c| c.place.file == file);
                state.stages.front.forget_file(file);
            });
        }
    }
}

impl State {
    pub(in crate::ui::state) fn show_text(&mut self, place: Place, text: Arc<Text>) {
        let generation = self.core.works.fresh_id();
        self.take_stage(StageContent::Text(ShownText::new(place, text, generation)));
        self.go_to_wanted_line();
    }
}
