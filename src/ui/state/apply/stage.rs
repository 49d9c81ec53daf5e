//! What the stages show.

use crate::{
    formats::{Content, EntryId},
    ui::{
        command::StageCommand,
        place::Place,
        state::{
            State,
            stage::{Stage, StageContent},
        },
        subject::{DrawerPage, Subject},
    },
};

impl Stage {
    /// Pulls a page of the drawer out, or pushes it in again.
    pub(in crate::ui) fn toggle_drawer(&mut self, page: DrawerPage) {
        let drawer = &mut self.drawer;
        *drawer = if *drawer == Some(page) { None } else { Some(page) };
    }
}

impl State {
    pub(in crate::ui::state) fn apply_stage(&mut self, command: StageCommand) {
        use StageCommand as C;
        match command {
            C::Show(place) => {
                self.select(place);
                self.show_or_focus(place);
            }
            // Enter completes what is being measured first.
            C::ShowSelected if self.stages.front.survey.is_open() => self.stages.front.survey.is_ended = true,
            C::ShowSelected => self.show_row(),
            C::OpenBeside(place) => self.open_beside(place),
            C::ShowGallery(file) => self.show_gallery(file),
            C::ShowTable(file) => self.show_table(file),
            C::ShowClasses(file) => self.show_classes(file),
            C::ShowClassesOfSelected => self.show_classes_of_selected(),
            C::ShowPictures => self.show_pictures(),
            C::CopyPicture(place) => self.copy_picture(place),
            C::ShowGalleryOfSelected => {
                if let Some(place) = self.core.selection {
                    self.show_gallery(place.file);
                }
            }
            C::ShowTableOfSelected => {
                if let Some(place) = self.core.selection {
                    self.show_table(place.file);
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

    /// A bone of the shown model comes into view; everything else is shown as what it is.
    pub(in crate::ui::state) fn show_or_focus(&mut self, place: Place) {
        match self.joint_of(place) {
            Some(joint) => {
                self.stages.front.view.camera_touched = true;
                self.stages.front.focus_joint(joint);
            }
            None => match self.stages.front.actor_of(place) {
                Some(actor) => self.select_actor(actor),
                None if self.focus_part_of_terrain(place) => {}
                None => self.show(place),
            },
        }
    }

    fn travel(&mut self, by: isize) {
        if let Some(to) = self.stages.front.history_at.checked_add_signed(by) {
            self.travel_to(to);
        }
    }

    /// Goes to a step of the stage's history.
    pub(in crate::ui::state) fn travel_to(&mut self, to: usize) {
        let Some(visit) = self.stages.front.history.get(to).cloned() else { return };
        self.stages.front.history_at = to;
        if let Some(place) = visit.selection {
            self.set_selection(place);
        }
        if visit.subject != self.stages.front.content.subject() {
            match visit.subject {
                Subject::Nothing => self.take_stage(StageContent::Empty),
                Subject::Gallery(file) => self.show_gallery(file),
                Subject::Table(file) => self.show_table(file),
                Subject::Classes(file) => self.show_classes(file),
                Subject::Scripts => self.show_script_search(),
                Subject::Collection => self.show_collection(),
                Subject::Pictures => self.show_pictures(),
                Subject::Compare => self.show_comparison(),
                Subject::Entry(place) if self.content_of(place) == Content::Model => self.load_model(place),
                Subject::Entry(place) => self.load_asset(place),
            }
        }
    }

    /// What an entry can be shown as, for menus.
    pub fn content_of(&self, place: Place) -> Content {
        self.core
            .file(place.file)
            .and_then(|f| f.entry(place.entry))
            .map_or(Content::None, |e| if e.id == EntryId::FILE { Content::Bytes } else { e.content })
    }
}
