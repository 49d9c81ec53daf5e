//! Showing entries and models.

use crate::{
    bytes::numbers::counted,
    formats::{Asset, Content, EntryId, Severity},
    library::{OpenFile, is_code, primary},
    scene::{Model, Text},
    ui::{
        command::{Command, ModelCommand},
        place::{DrawerPage, FileId, Place, PlayMode, Subject},
        scene_member::SceneMember,
        state::{
            Classes,
            control::companions::first_clip,
            core::Core,
            effect::Effect,
            loads::Purpose,
            log::LogEntry,
            lookups::Lookups,
            stage::{Stage, StageContent, curves::ClipStage, model::ModelStage, text::TextStage},
        },
    },
};
use std::sync::Arc;

impl Stage {
    pub(in crate::ui) fn is_one_of_many_images(&self, file: &OpenFile, entry: EntryId) -> bool {
        let is_image = file.entry(entry).is_some_and(|e| e.content == Content::Image);
        is_image && file.textures().nth(1).is_some()
    }

    /// Shows an entry as what it is.
    pub(crate) fn show(&mut self, core: &mut Core, place: Place) {
        let Some(entry) = core.file(place.file).and_then(|f| f.entry(place.entry)).cloned() else { return };
        if let Some(path) = core.member_path(place) {
            return self.open_member(core, path);
        }
        match entry.content {
            Content::Model => self.load(core, place),
            Content::Clip => {
                // A clip that lies in a model plays on that one.
                let file = core.file(place.file);
                let parent = file.zip(entry.parent).and_then(|(file, parent)| file.entry(parent));
                let home = parent.filter(|p| p.content == Content::Model).map(|p| Place { entry: p.id, ..place });
                match home.filter(|home| self.model().is_none_or(|s| s.place != *home)) {
                    Some(home) => {
                        self.pending.clip_after_model = Some((place, PlayMode::Asked));
                        self.load(core, home);
                    }
                    None => self.play_clip(core, place, PlayMode::Asked),
                }
            }
            _ if entry.id == EntryId::FILE => {
                let Some(file) = core.file(place.file).cloned() else { return };
                if is_code(&file) {
                    return self.show_classes(core, place.file);
                }
                match primary(&file) {
                    // Textures of a package are looked over first.
                    Some(entry) if self.is_one_of_many_images(&file, entry) => self.show_gallery(core, place.file),
                    // A texture that is a file of its own.
                    Some(EntryId::FILE) => self.load(core, place),
                    Some(entry) => self.show(core, Place { entry, ..place }),
                    None if first_clip(place.file, &file).is_some() => self.pair(core, vec![place.file]),
                    None => self.show_table(core, place.file),
                }
            }
            Content::Image
            | Content::Palette
            | Content::Font
            | Content::Sound
            | Content::Music
            | Content::Text
            | Content::Map
            | Content::Terrain => self.load(core, place),
            Content::Actor | Content::Bytes | Content::None => self.select(core, place),
        }
    }

    pub(crate) fn put_on_show(&mut self, core: &mut Core, place: Place, model: Arc<Model>) {
        if self.level().is_some() {
            self.view.options.backface_culling = false;
        }
        let same_place = self.model().is_some_and(|s| s.place == place);
        let generation = core.works.fresh_id();
        let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        if !same_place {
            for missing in &model.missing {
                core.log.push(LogEntry::new(Severity::Warning, &name, missing.clone()).at(place));
            }
            if !model.images.is_empty() {
                let found = format!("{} found", counted(model.images.len(), "texture"));
                core.log.push(LogEntry::new(Severity::Info, &name, found).at(place));
            }
        }
        let shown = ModelStage::new(place, model, generation, self.play_settings());
        self.take_stage(core, StageContent::Model(Box::new(shown)));
        self.find_pieces(core);
        if same_place {
            if let Some(shown) = self.content.model_mut() {
                shown.scene.find_anchors(SceneMember::Main, &shown.model);
                shown.link_scene();
            }
            let waiting = self.pending.loads.take_clips();
            self.play_again(core);
            // Their bindings are for the previous version of the model.
            for clip in waiting {
                if let Purpose::Play(how) = clip.purpose {
                    self.play_clip(core, clip.place, how);
                }
            }
        } else {
            self.pending.loads.take_clips();
            self.view.options.level = 0;
            self.view.options.vertex_colors = self
                .model()
                .is_some_and(|s| s.model.images.is_empty() && s.model.meshes.iter().any(|m| !m.colors.is_empty()));
            // Something without surfaces is its bones.
            self.view.options.skeleton =
                self.model().is_some_and(|s| s.model.triangle_count() == 0) || self.view.skeleton_asked;
            self.reset_view();
            if let Some(left) = self.look_as_before() {
                self.play_as_left(core, place, &left);
            }
        }
        self.model_changed();
        self.refresh_scene(core);
        self.add_waiting_to_scene(core);
        self.look_for_clips(core, true);
    }

    /// Offers the bind pose of a model that is shown at rest, once its clips were looked for.
    pub(crate) fn offer_bind_pose(&mut self, core: &mut Core) {
        let Some(shown) = self.content.model_mut() else { return };
        let playback = &mut shown.playback;
        let has_clip = playback.playing.or(playback.chosen).is_some() || self.pending.clip.is_some();
        if !std::mem::take(&mut playback.offers_bind_pose) || has_clip || playback.player.options.bind_pose {
            return;
        }
        let (place, Some(difference)) = (shown.place, shown.model.pose_difference()) else { return };
        let name = core.file(place.file).map(|f| f.name.clone()).unwrap_or_default();
        let entry = LogEntry::new(Severity::Info, &name, difference.to_string()).at(place);
        let command = Command::Model(ModelCommand::ShowBindPose(place));
        core.log.announce(entry.with_action("Show bind pose", command));
    }

    /// Reads the shown model and its clip again, because what they decode to has changed.
    pub(crate) fn reload(&mut self, core: &mut Core) {
        if let Some(place) = self.model().map(|s| s.place) {
            self.show(core, place);
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
        if is_alike && self.content.place() != Some(place) && self.pending.loads.shown() != Some(place) {
            self.load(core, place);
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

    /// Puts an asset on the stage.
    pub fn present(&mut self, core: &mut Core, place: Place, asset: &Asset) {
        // On the way back through the history the selection is that step's own.
        if !self.history.is_at(Subject::Entry(place)) {
            self.select(core, place);
        }
        match asset {
            Asset::Model(model) => self.put_on_show(core, place, model.clone()),
            Asset::Clip(clip) => {
                self.take_stage(core, StageContent::Clip(ClipStage::new(place)));
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
    /// Returns true if a file contains images.
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

    /// Pulls a page of the drawer out, or pushes it in again.
    pub(in crate::ui) fn toggle_drawer(&mut self, page: DrawerPage) {
        let drawer = &mut self.viewport.drawer;
        *drawer = if *drawer == Some(page) { None } else { Some(page) };
    }

    /// A bone of the shown model comes into view; everything else is shown as what it is.
    pub(crate) fn show_or_focus(&mut self, core: &mut Core, place: Place) {
        match self.joint_of(core, place) {
            Some(joint) => {
                self.view.camera_touched = true;
                self.focus_joint(joint);
            }
            None => match self.actor_of(place) {
                Some(actor) => self.select_actor(core, actor),
                None if self.focus_part_of_terrain(core, place) => {}
                None => self.show(core, place),
            },
        }
    }
}

impl Core {
    /// Returns how an entry can be shown, for menus.
    pub fn content_of(&self, place: Place) -> Content {
        self.file(place.file)
            .and_then(|f| f.entry(place.entry))
            .map_or(Content::None, |e| if e.id == EntryId::FILE { Content::Bytes } else { e.content })
    }
}

impl Lookups {
    pub(crate) fn classes_read(&mut self, classes: Classes) {
        if self.classes_wanted == Some(classes.revision) {
            self.classes_wanted = None;
            self.classes = Some(classes);
        }
    }
}

impl Stage {
    /// Shows the classes of all open files, those of this one in view.
    pub(crate) fn show_classes(&mut self, core: &mut Core, file: FileId) {
        if core.file(file).is_some() && core.has_classes() {
            self.stop_loading();
            self.take_stage(core, StageContent::Classes(file));
            self.bring_up_stage(core);
        }
    }

    /// The same for the selected file, else for the first that declares classes.
    pub(crate) fn show_classes_of_selected(&mut self, core: &mut Core) {
        let selected = core.selection.map(|place| place.file);
        let with_classes = core.library.files.iter().filter(|opened| opened.has_classes).map(|opened| opened.id);
        let found = with_classes.clone().find(|id| Some(*id) == selected).or_else(|| with_classes.into_iter().next());
        if let Some(file) = found {
            self.show_classes(core, file);
        }
    }
}

impl Core {
    /// Returns true if an open file declares classes.
    pub fn has_classes(&self) -> bool {
        self.library.files.iter().any(|opened| opened.has_classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::Asset,
        scene::{Clip, Text},
        ui::{
            place::FileId,
            settings::Settings,
            state::{Clock, FailedStage, State},
        },
    };

    #[test]
    fn the_scene_outlasts_a_failed_reload_and_the_settings_of_the_player_outlast_the_model() {
        let State { core, stages, .. } = &mut State::new(Settings::default(), Clock::Set(0.0));
        let stage = &mut stages.front;
        let place = |entry| Place { file: FileId(1), entry: EntryId(entry) };
        let failed = |entry| StageContent::Failed(FailedStage::new(place(entry), "damaged".to_owned()));
        let model = || Arc::new(Model::empty("arm"));
        let kept = |stage: &Stage| {
            let (scene, settings) = (stage.scene().map(|scene| scene.side_by_side), stage.play_settings());
            (scene, settings.speed, settings.binding.additive, settings.pose.bind_pose)
        };

        stage.change_play_settings(|settings| settings.binding.additive = true);
        stage.put_on_show(core, place(1), model());
        let shown = stage.content.model_mut().unwrap();
        shown.scene.side_by_side = true;
        shown.playback.player.speed = 2.0;
        shown.playback.player.options.bind_pose = true;
        stage.put_on_show(core, place(1), model());
        assert_eq!(kept(stage), (Some(true), 2.0, true, true), "reloaded");
        stage.take_stage(core, failed(1));
        stage.take_stage(core, failed(1));
        assert_eq!(kept(stage), (Some(true), 2.0, true, false), "the scene is kept");
        stage.put_on_show(core, place(1), model());
        assert_eq!(kept(stage), (Some(true), 2.0, true, false), "repaired");
        stage.put_on_show(core, place(2), model());
        assert_eq!(kept(stage), (Some(false), 2.0, true, false), "another model");
        stage.content.model_mut().unwrap().scene.side_by_side = true;
        stage.take_stage(core, failed(3));
        stage.put_on_show(core, place(2), model());
        assert_eq!(kept(stage), (Some(false), 2.0, true, false), "another entry failed");
    }

    #[test]
    fn a_clip_that_is_shown_again_stays_at_its_frame() {
        let State { core, stages, .. } = &mut State::new(Settings::default(), Clock::Set(0.0));
        let stage = &mut stages.front;
        let place = Place { file: FileId(1), entry: EntryId(1) };
        let clip = Arc::new(Clip { frame_count: 10, rate_hz: 10.0, ..Clip::default() });
        let frame = |stage: &Stage| stage.curves().map(|curves| curves.alone().frame());
        stage.present(core, place, &Asset::Clip(clip.clone()));
        stage.seek_curves(3.0);
        stage.present(core, place, &Asset::Clip(clip.clone()));
        assert_eq!(frame(stage), Some(3.0));
        stage.present(core, place, &Asset::Clip(Arc::new((*clip).clone())));
        assert_eq!(frame(stage), Some(0.0), "another version of the clip");
    }

    #[test]
    fn a_sound_or_a_text_ends_when_it_cannot_be_reloaded() {
        let State { core, stages, .. } = &mut State::new(Settings::default(), Clock::Set(0.0));
        let stage = &mut stages.front;
        let place = Place { file: FileId(1), entry: EntryId(1) };
        let text = Arc::new(Text::default());
        let memory = Arc::downgrade(&text);
        stage.present(core, place, &Asset::Text(text));
        assert!(stage.text().is_some() && memory.upgrade().is_some());
        stage.take_stage(core, StageContent::Failed(FailedStage::new(place, "damaged".to_owned())));
        assert!(memory.upgrade().is_none());
    }
}
