//! What is selected.

use crate::ui::{command::SelectionCommand, place::Place, state::State};

impl State {
    pub(in crate::ui::state) fn apply_selection(&mut self, command: SelectionCommand) {
        use SelectionCommand as C;
        match command {
            C::Select(place) => {
                // Of what is selected already a click on the picture may have chosen a part, or none.
                if self.core.selection == Some(place) {
                    self.stages.front.selected_joint = self.joint_of(place);
                    self.stages.front.selected_part = self.part_of(place);
                }
                self.stages.list_in_hand = None;
                self.select(place);
                self.show_alike(place);
            }
            C::Row(row) => {
                self.stages.list_in_hand = None;
                self.go_to_row(row);
            }
            C::FirstFound => {
                self.stages.list_in_hand = None;
                self.select_first_found();
            }
            C::TakeList(places) => self.stages.list_in_hand = Some((self.stages.front.id, places)),
            C::NextAlike(by) => self.step_alike(by),
            C::Next(by) if self.compares() => self.step_comparison(by),
            C::Next(by) => self.select_next(by),
            C::Follow(file, reference) => self.follow(file, reference),
            C::FollowPath(file, path) => self.follow_path(file, path),
            C::FindUses(place) => self.find_uses(place),
            C::FindUsesOfSelected => {
                if let Some(place) = self.core.selection {
                    self.find_uses(place);
                }
            }
            C::Jump(text) => self.jump_to(&text),
            C::Bytes(range) => {
                self.core.selected_bytes = range;
                self.select_prop_of_bytes();
            }
            C::ShowBytes(file, range) => self.show_bytes(file, range),
            C::Joint(joint) => self.pick_joint(joint),
            C::Socket(socket) => self.pick_socket(socket),
        }
    }

    pub(in crate::ui::state) fn select(&mut self, place: Place) {
        if self.core.file(place.file).and_then(|f| f.entry(place.entry)).is_none() || self.core.selection == Some(place)
        {
            return;
        }
        self.set_selection(place);
        self.stages.front.note_selection(place);
    }

    pub(in crate::ui::state) fn set_selection(&mut self, place: Place) {
        self.core.selection = Some(place);
        self.core.selected_bytes = None;
        self.stages.front.forget_picked();
        self.core.library.follow_selection(place);
        self.core.library.reveal(place);
        self.stages.front.selected_joint = self.joint_of(place);
        self.stages.front.selected_part = self.part_of(place);
        self.stages.front.selected_socket = self.socket_at(place);
    }

    /// The joint of the shown model that an entry is.
    pub(in crate::ui::state) fn joint_of(&self, place: Place) -> Option<u32> {
        let shown = self.stages.front.model().filter(|s| s.place.file == place.file)?;
        let index = self.bone_entries(shown).iter().position(|e| *e == place.entry)?;
        u32::try_from(index).ok()
    }

    /// The entry that a joint of the shown model is.
    pub(in crate::ui::state) fn entry_of_joint(&self, joint: u32) -> Option<Place> {
        let shown = self.stages.front.model()?;
        let entry = *self.bone_entries(shown).get(joint as usize)?;
        Some(Place { file: shown.place.file, entry })
    }

    pub(in crate::ui::state) fn pick_joint(&mut self, joint: Option<u32>) {
        self.stages.front.selected_joint = joint;
        self.stages.front.selected_socket = None;
        if let Some(place) = joint.and_then(|j| self.entry_of_joint(j)) {
            self.select(place);
            self.stages.front.selected_joint = joint;
        }
    }
}
