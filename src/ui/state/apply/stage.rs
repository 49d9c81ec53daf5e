//! What the stages show.

use crate::{
    formats::{Content, EntryId},
    ui::{
        command::StageCommand,
        place::Place,
        state::{
            State,
            core::Core,
            stage::{Stage, StageContent},
        },
        subject::{DrawerPage, Subject},
    },
};

impl Stage {
    /// Pulls a page of the drawer out, or pushes it in again.
    pub(in crate::ui) fn toggle_drawer(&mut self, page: DrawerPage) {
        let drawer = &mut self.viewport.drawer;
        *drawer = if *drawer == Some(page) { None } else { Some(page) };
    }
}

impl State {
    pub(crate) fn apply_stage(&mut self, command: StageCommand) {
        use StageCommand as C;
        match command {
            C::Show(place) => {
                self.stages.front.select(&mut self.core, place);
                self.stages.front.show_or_focus(&mut self.core, place);
            }
            // Enter completes what is being measured first.
            C::ShowSelected => match self.stages.front.content.landscape_mut().filter(|shown| shown.survey.is_open()) {
                Some(shown) => shown.survey.is_ended = true,
                None => self.show_row(),
            },
            C::OpenBeside(place) => self.open_beside(place),
            C::ShowGallery(file) => self.stages.front.show_gallery(&mut self.core, file),
            C::ShowTable(file) => self.stages.front.show_table(&mut self.core, file),
            C::ShowClasses(file) => self.stages.front.show_classes(&mut self.core, file),
            C::ShowClassesOfSelected => self.stages.front.show_classes_of_selected(&mut self.core),
            C::ShowPictures => self.show_pictures(),
            C::CopyPicture(place) => self.stages.front.copy_picture(&mut self.core, place),
            C::ShowGalleryOfSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.show_gallery(&mut self.core, place.file);
                }
            }
            C::ShowTableOfSelected => {
                if let Some(place) = self.core.selection {
                    self.stages.front.show_table(&mut self.core, place.file);
                }
            }
            C::Close(id) => self.stages.close(id, &mut self.core),
            C::Focus(id) => self.focus_stage(id),
            C::Link(on) => self.stages.link(on),
            C::ToggleLink => self.stages.link(!self.stages.are_linked()),
            C::ToggleDrawer(page) => self.stages.front.toggle_drawer(page),
            C::Back => self.travel(-1),
            C::Forward => self.travel(1),
        }
    }

    fn travel(&mut self, by: isize) {
        if let Some(to) = self.stages.front.history.at.checked_add_signed(by) {
            self.travel_to(to);
        }
    }

    /// Goes to a step of the stage's history.
    pub(crate) fn travel_to(&mut self, to: usize) {
        let Some(visit) = self.stages.front.history.visits.get(to).cloned() else { return };
        self.stages.front.history.at = to;
        if let Some(place) = visit.selection {
            self.stages.front.set_selection(&mut self.core, place);
        }
        if visit.subject != self.stages.front.content.subject() {
            match visit.subject {
                Subject::Nothing => self.stages.front.take_stage(&mut self.core, StageContent::Empty),
                Subject::Gallery(file) => self.stages.front.show_gallery(&mut self.core, file),
                Subject::Table(file) => self.stages.front.show_table(&mut self.core, file),
                Subject::Classes(file) => self.stages.front.show_classes(&mut self.core, file),
                Subject::Scripts => self.lookups.show_script_search(&mut self.core, &mut self.stages.front),
                Subject::Collection => self.collection.show_collection(&mut self.core, &mut self.stages.front),
                Subject::Pictures => self.show_pictures(),
                Subject::Compare => self.stages.front.show_comparison(&mut self.core),
                Subject::Entry(place) if self.core.content_of(place) == Content::Model => {
                    self.stages.front.load_model(&mut self.core, place)
                }
                Subject::Entry(place) => self.stages.front.load_asset(&mut self.core, place),
            }
        }
    }
}

impl Stage {
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
