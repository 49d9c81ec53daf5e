//! Loading entries that are neither models nor clips, and putting them on the stage.

use crate::{
    formats::{Asset, Content, Severity},
    library::{AssetKey, Loaded},
    scene::Text,
    ui::{
        place::{FileId, Place},
        state::{
            State,
            core::Core,
            effect::Effect,
            log::LogEntry,
            message::Message,
            stage::{Stage, StageContent, text::TextStage},
        },
        subject::Subject,
    },
};
use std::sync::Arc;

impl Stage {
    /// What was to be shown no longer is.
    pub(in crate::ui) fn stop_loading(&mut self) {
        self.pending.asset = None;
        self.playback.wanted_model = None;
    }
}

impl State {
    /// Forgets what came from a file that is closed.
    pub(crate) fn forget_presented(&mut self, file: FileId) {
        self.thumbnails.forget(file);
        self.lookups.scripts.found.retain(|(of, _)| *of != file);
        for id in self.stages.iter().map(|stage| stage.id).collect::<Vec<_>>() {
            self.on_stage(id, |state| {
                state.stages.front.playback.clips.retain(|c| c.place.file != file);
                if state.stages.front.playback.playing.is_some_and(|p| p.file == file) {
                    state.stages.front.stop_clip();
                }
                let is_last = matches!(state.stages.front.content, StageContent::Pictures(_))
                    && state.core.library.files.is_empty();
                if is_last || state.stages.front.content.subject().file() == Some(file) {
                    state.stages.front.take_stage(&mut state.core, StageContent::Empty);
                }
                state.stages.front.curves.shown.take_if(|c| c.place.file == file);
                state.stages.front.forget_file(file);
            });
        }
    }
}

impl Stage {
    /// Shows what was selected where something of its kind is on the stage: so one moves through the pictures of a package.
    pub(crate) fn show_alike(&mut self, core: &mut Core, place: Place) {
        let Some(content) = core.file(place.file).and_then(|f| f.entry(place.entry)).map(|e| e.content) else {
            return;
        };
        let is_alike = match self.content {
            StageContent::Image(_) => matches!(content, Content::Image | Content::Palette | Content::Font),
            StageContent::Sound(_) => matches!(content, Content::Sound | Content::Music),
            StageContent::Text(_) => content == Content::Text,
            StageContent::Clip(_) => content == Content::Clip,
            StageContent::Gallery(_) | StageContent::Table(_) => {
                return self.follow_file(core, place.file);
            }
            StageContent::Empty
            | StageContent::Pictures(_)
            | StageContent::Compare
            | StageContent::Failed(..)
            | StageContent::Model(_)
            | StageContent::Level(_)
            | StageContent::Landscape(_)
            | StageContent::Classes(_)
            | StageContent::Collection
            | StageContent::Scripts => false,
        };
        if is_alike && self.content.place() != Some(place) && self.pending.asset != Some(place) {
            self.load_asset(core, place);
        }
    }

    /// Shows the pictures or entries of another file in the place of those of the last one.
    fn follow_file(&mut self, core: &mut Core, file: FileId) {
        match self.content {
            StageContent::Gallery(shown) if shown != file && core.has_gallery(file) => self.show_gallery(core, file),
            StageContent::Table(shown) if shown != file => self.show_table(core, file),
            _ => {}
        }
    }

    /// Shows all pictures of a file side by side.
    pub(crate) fn show_gallery(&mut self, core: &mut Core, file: FileId) {
        if core.has_gallery(file) {
            self.stop_loading();
            self.take_stage(core, StageContent::Gallery(file));
            self.bring_up_stage(core);
        }
    }

    /// Shows all entries of a file as a table.
    pub(crate) fn show_table(&mut self, core: &mut Core, file: FileId) {
        if core.file(file).is_some() {
            self.stop_loading();
            self.take_stage(core, StageContent::Table(file));
            self.bring_up_stage(core);
        }
    }

    pub(crate) fn bring_up_stage(&mut self, core: &mut Core) {
        core.effects.push(Effect::BringUpStage(self.id));
    }

    /// Decodes an entry in the background and shows it.
    pub(crate) fn load_asset(&mut self, core: &mut Core, place: Place) {
        let Some(file) = core.file(place.file).cloned() else { return };
        let options = core.load_options;
        self.stop_loading();
        self.pending.asset = Some(place);
        let key = file.key(place.entry, options);
        if let Some(loaded) = core.cache.get(&key) {
            self.present(core, place, &loaded.asset);
            return;
        }
        let sender = self.stage_sender(core);
        let name = file.entry(place.entry).map(|e| e.name.clone()).unwrap_or_default();
        core.works.run(format!("Reading {name} of {}", file.name), move |cx| {
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
    pub(crate) fn not_loaded(&mut self, core: &mut Core, place: Place, error: LogEntry) {
        let wanted = self.pending.asset == Some(place) || self.playback.wanted_model == Some(place);
        if wanted && core.file(place.file).is_some() {
            self.stop_loading();
            self.pending.joins.clear();
            self.take_stage(core, StageContent::Failed(place, error.text()));
        }
        core.log.announce(error);
    }

    pub(crate) fn asset_loaded(&mut self, core: &mut Core, place: Place, key: AssetKey, loaded: Arc<Loaded>) {
        if self.pending.asset != Some(place) || !core.is_current(place.file, &key) {
            return;
        }
        core.cache.insert(key, loaded.clone());
        core.note_diagnostics(place.file, &loaded.diagnostics, false);
        self.present(core, place, &loaded.asset);
    }

    /// Puts an asset on the stage.
    pub fn present(&mut self, core: &mut Core, place: Place, asset: &Asset) {
        // On the way back through the history the selection is that step's own.
        if !self.history.is_at(Subject::Entry(place)) {
            self.select(core, place);
        }
        match asset {
            Asset::Model(model) => self.put_on_show(core, place, model.clone()),
            Asset::Clip(clip) => {
                self.take_stage(core, StageContent::Clip(place));
                self.show_curves(core, place, clip.clone());
            }
            Asset::Image(_) | Asset::Picture(_) | Asset::Procedural(_) | Asset::Palette(_) | Asset::Font(_) => {
                self.show_picture(core, place, asset.clone());
            }
            Asset::Sound(_) | Asset::Music(_) => self.show_sound(core, place, asset.clone()),
            Asset::Text(text) => self.show_text(core, place, text.clone()),
            Asset::Terrain(terrain) => self.show_terrain(core, place, terrain.clone()),
            Asset::Map(map) => self.show_map(core, place, map.clone()),
        }
        self.bring_up_stage(core);
    }
}

impl Core {
    /// Whether a file holds pictures.
    pub fn has_gallery(&self, file: FileId) -> bool {
        self.file(file).is_some_and(|f| f.textures().next().is_some())
    }
}

impl Stage {
    pub(crate) fn show_text(&mut self, core: &mut Core, place: Place, text: Arc<Text>) {
        let generation = core.works.fresh_id();
        self.take_stage(core, StageContent::Text(TextStage::new(place, text, generation)));
        self.go_to_wanted_line(core);
    }
}
