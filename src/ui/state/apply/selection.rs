//! What is selected.

use crate::ui::{
    command::SelectionCommand,
    place::Place,
    state::{State, core::Core, stage::Stage},
};

impl State {
    pub(crate) fn apply_selection(&mut self, command: SelectionCommand) {
        use SelectionCommand as C;
        match command {
            C::Select(place) => {
                // Of what is selected already a click on the picture may have chosen a part, or none.
                if self.core.selection == Some(place) {
                    self.stages.front.selected.joint = self.stages.front.joint_of(&self.core, place);
                    self.stages.front.selected.part = self.stages.front.part_of(&self.core, place);
                }
                self.stages.list_in_hand = None;
                self.stages.front.select(&mut self.core, place);
                self.stages.front.show_alike(&mut self.core, place);
            }
            C::Row(row) => {
                self.stages.list_in_hand = None;
                self.stages.front.go_to_row(&mut self.core, row);
            }
            C::FirstFound => {
                self.stages.list_in_hand = None;
                self.select_first_found();
            }
            C::TakeList(places) => self.stages.list_in_hand = Some((self.stages.front.id, places)),
            C::NextAlike(by) => self.stages.front.step_alike(&mut self.core, by),
            C::Next(by) if self.comparing.compares(&self.stages.front) => {
                self.comparing.step_comparison(&mut self.core, by)
            }
            C::Next(by) => self.select_next(by),
            C::Follow(file, reference) => self.stages.front.follow(&mut self.core, file, reference),
            C::FollowPath(file, path) => self.core.follow_path(file, path),
            C::FindUses(place) => self.lookups.find_uses(&mut self.core, place),
            C::FindUsesOfSelected => {
                if let Some(place) = self.core.selection {
                    self.lookups.find_uses(&mut self.core, place);
                }
            }
            C::Jump(text) => self.dialogs.jump_to(&mut self.core, &mut self.stages.front, &text),
            C::Bytes(range) => {
                self.core.selected_bytes = range;
                self.stages.front.select_prop_of_bytes(&mut self.core);
            }
            C::ShowBytes(file, range) => self.stages.front.show_bytes(&mut self.core, file, range),
            C::Joint(joint) => self.stages.front.pick_joint(&mut self.core, joint),
            C::Socket(socket) => self.stages.front.pick_socket(&mut self.core, socket),
        }
    }
}

impl Stage {
    pub(crate) fn select(&mut self, core: &mut Core, place: Place) {
        if core.file(place.file).and_then(|f| f.entry(place.entry)).is_none() || core.selection == Some(place) {
            return;
        }
        self.set_selection(core, place);
        self.history.note_selection(self.content.subject(), place);
    }

    pub(crate) fn set_selection(&mut self, core: &mut Core, place: Place) {
        core.selection = Some(place);
        core.selected_bytes = None;
        self.forget_picked();
        core.library.follow_selection(place);
        core.library.reveal(place);
        self.selected.joint = self.joint_of(core, place);
        self.selected.part = self.part_of(core, place);
        self.selected.socket = self.socket_at(core, place);
    }

    /// The joint of the shown model that an entry is.
    pub(crate) fn joint_of(&self, core: &Core, place: Place) -> Option<u32> {
        let shown = self.model().filter(|s| s.place.file == place.file)?;
        let index = core.bone_entries(shown).iter().position(|e| *e == place.entry)?;
        u32::try_from(index).ok()
    }

    /// The entry that a joint of the shown model is.
    pub(crate) fn entry_of_joint(&self, core: &Core, joint: u32) -> Option<Place> {
        let shown = self.model()?;
        let entry = *core.bone_entries(shown).get(joint as usize)?;
        Some(Place { file: shown.place.file, entry })
    }

    pub(crate) fn pick_joint(&mut self, core: &mut Core, joint: Option<u32>) {
        self.selected.joint = joint;
        self.selected.socket = None;
        if let Some(place) = joint.and_then(|j| self.entry_of_joint(core, j)) {
            self.select(core, place);
            self.selected.joint = joint;
        }
    }
}
