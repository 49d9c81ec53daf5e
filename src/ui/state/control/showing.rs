//! Putting models on show.

use crate::{
    bytes::numbers::counted,
    formats::{Asset, Content, EntryId, Severity},
    library::{OpenFile, is_code, primary},
    scene::Model,
    ui::{
        command::{Command, ModelCommand},
        place::Place,
        scene_member::SceneMember,
        state::{
            State,
            control::companions::first_clip,
            log::LogEntry,
            message::Message,
            stage::{Stage, StageContent, model::Shown, playback::PlayMode},
        },
    },
};
use std::sync::Arc;

impl Stage {
    pub(in crate::ui) fn is_one_of_many_images(&self, file: &OpenFile, entry: EntryId) -> bool {
        let is_image = file.entry(entry).is_some_and(|e| e.content == Content::Image);
        is_image && file.textures().nth(1).is_some()
    }
}

impl State {
    /// Shows an entry as what it is.
    pub(in crate::ui::state) fn show(&mut self, place: Place) {
        let Some(entry) = self.core.file(place.file).and_then(|f| f.entry(place.entry)).cloned() else { return };
        if let Some(path) = self.member_path(place) {
            return self.open_member(path);
        }
        match entry.content {
            Content::Model => self.load_model(place),
            Content::Clip => {
                // A clip that lies in a model plays on that one.
                let file = self.core.file(place.file);
                let parent = file.zip(entry.parent).and_then(|(file, parent)| file.entry(parent));
                let home = parent.filter(|p| p.content == Content::Model).map(|p| Place { entry: p.id, ..place });
                match home.filter(|home| self.stages.front.model().is_none_or(|s| s.place != *home)) {
                    Some(home) => {
                        self.stages.front.playback.clip_after_model = Some(place);
                        self.load_model(home);
                    }
                    None => self.play_clip(place, PlayMode::Asked),
                }
            }
            _ if entry.id == EntryId::FILE => {
                let Some(file) = self.core.file(place.file).cloned() else { return };
                if is_code(&file) {
                    return self.show_classes(place.file);
                }
                match primary(&file) {
                    // Textures of a package are looked over first.
                    Some(entry) if self.stages.front.is_one_of_many_images(&file, entry) => {
                        self.show_gallery(place.file)
                    }
                    // A texture that is a file of its own.
                    Some(EntryId::FILE) => self.load_asset(place),
                    Some(entry) => self.show(Place { entry, ..place }),
                    None if first_clip(place.file, &file).is_some() => self.pair(vec![place.file]),
                    None => self.show_table(place.file),
                }
            }
            Content::Image
            | Content::Palette
            | Content::Font
            | Content::Sound
            | Content::Music
            | Content::Text
            | Content::Map
            | Content::Terrain => self.load_asset(place),
            Content::Actor | Content::Bytes | Content::None => self.select(place),
        }
    }

    pub(in crate::ui::state) fn load_model(&mut self, place: Place) {
        let Some(file) = self.core.file(place.file).cloned() else { return };
        let options = self.core.load_options;
        self.stages.front.wanted_asset = None;
        self.stages.front.playback.wanted_model = Some(place);
        self.stages.front.playback.meant = None;
        let key = file.key(place.entry, options);
        if let Some(loaded) = self.core.cache.get(&key)
            && let Asset::Model(model) = &loaded.asset
        {
            self.put_on_show(place, model.clone());
            return;
        }
        let sender = self.stage_sender();
        self.core.works.run(format!("Reading the model of {}", file.name), move |cx| {
            let message = match file.load(place.entry, options, cx.cancel()) {
                Ok(loaded) => Message::ModelLoaded { place, key, loaded: Arc::new(loaded) },
                Err(error) => {
                    let error = LogEntry::new(Severity::Error, &file.name, error.to_string()).at(place);
                    Message::NotLoaded { place, error }
                }
            };
            sender.send(message);
        });
    }

    pub(in crate::ui::state) fn put_on_show(&mut self, place: Place, model: Arc<Model>) {
        if self.stages.front.level().is_some() {
            self.stages.front.view.backface_culling = false;
        }
        let same_place = self.stages.front.model().is_some_and(|s| s.place == place);
        let generation = self.core.works.fresh_id();
        let bounds = model.bounds();
        let name = self.core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        if !same_place {
            for missing in &model.missing {
                self.core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
            if !model.images.is_empty() {
                let found = format!("{} found", counted(model.images.len(), "texture"));
                self.core.log.push(LogEntry::new(Severity::Info, &name, found).at(place));
            }
        }
        let morphs = model.morph_names().len();
        let list_counts = model.list_counts();
        let difference = model.pose_difference();
        let bind_bounds = difference.map(|difference| difference.bounds);
        self.take_stage(StageContent::Model(Shown { place, model, bounds, list_counts, bind_bounds, generation }));
        self.find_pieces();
        if same_place {
            if let Some(model) = self.stages.front.model().map(|shown| shown.model.clone()) {
                self.stages.front.scene.find_anchors(SceneMember::Main, &model);
                self.stages.front.link_scene();
            }
            self.stages.front.playback.player.morph_weights.resize(morphs, 0.0);
            self.play_again();
        } else {
            self.stages.front.playback.forget_model(morphs);
            self.stages.front.playback.offers_bind_pose = difference.is_some();
            self.stages.front.view.level = 0;
            self.stages.front.view.vertex_colors = self
                .stages
                .front
                .model()
                .is_some_and(|s| s.model.images.is_empty() && s.model.meshes.iter().any(|m| !m.colors.is_empty()));
            // Something without surfaces is its bones.
            self.stages.front.view.skeleton = self.stages.front.model().is_some_and(|s| s.model.triangle_count() == 0)
                || self.stages.front.view.skeleton_asked;
            self.stages.front.reset_view();
            if let Some(left) = self.stages.front.look_as_before() {
                self.play_as_left(place, &left);
            }
        }
        self.stages.front.playback.revision += 1;
        self.refresh_scene();
        self.add_waiting_to_scene();
        self.look_for_clips(true);
    }
    /// Offers the bind pose of a model that is shown at rest, once its clips were looked for.
    pub(in crate::ui::state) fn offer_bind_pose(&mut self) {
        let playback = &mut self.stages.front.playback;
        let has_clip = playback.playing.or(playback.wanted_clip).is_some() || self.stages.front.coming_clip.is_some();
        if !std::mem::take(&mut playback.offers_bind_pose) || has_clip || playback.player.options.bind_pose {
            return;
        }
        let Some(shown) = self.stages.front.model() else { return };
        let (place, Some(difference)) = (shown.place, shown.model.pose_difference()) else { return };
        let name = self.core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        let entry = LogEntry::new(Severity::Info, &name, difference.to_string()).at(place);
        let command = Command::Model(ModelCommand::ShowBindPose(place));
        self.core.log.announce(entry.with_action("Show bind pose", command));
    }
}
