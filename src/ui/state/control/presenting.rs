//! Loading entries that are neither models nor clips, and showing them, galleries, tables and classes.

use crate::{
    formats::{Asset, Content, EntryId},
    scene::Text,
    ui::{
        place::{FileId, Place},
        state::{
            Classes,
            core::Core,
            effect::Effect,
            lookups::Lookups,
            stage::{Stage, StageContent, curves::ClipStage, text::TextStage},
        },
        subject::{DrawerPage, Subject},
    },
};
use std::sync::Arc;

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
    /// What an entry can be shown as, for menus.
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
    /// Whether an open file declares classes.
    pub fn has_classes(&self) -> bool {
        self.library.files.iter().any(|opened| opened.has_classes)
    }
}
