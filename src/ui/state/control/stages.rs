//! Stages beside each other: which one is in front, and what moves together.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        place::Place,
        saved_view::MAX_STAGES,
        state::{
            State,
            core::Core,
            log::LogEntry,
            stage::{Stage, StageContent, curves::Curves},
        },
        subject::StageId,
    },
};
impl State {
    /// A second stage beside the others, for an entry or for what is selected.
    pub(crate) fn open_beside(&mut self, place: Option<Place>) {
        let Some(place) = place.or(self.core.selection).or(self.stages.front.content.place()) else { return };
        if self.core.file(place.file).is_none() {
            return;
        }
        let id = StageId(self.stages.ids().iter().map(|id| id.0).max().unwrap_or(0) + 1);
        if self.stages.others.len() + 1 >= MAX_STAGES {
            let text = format!("At most {MAX_STAGES} stages can be open. Close one first");
            return self.core.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        self.stages.add(id, &self.core);
        self.stages.bring_to_front(id);
        self.stages.front.show(&mut self.core, place);
    }

    /// Makes a stage the one that keys and the selection are for.
    pub(crate) fn focus_stage(&mut self, id: StageId) {
        if self.stages.bring_to_front(id).is_some()
            && let Some(place) = self.stages.front.content.place()
            && self.core.selection.is_none_or(|selected| selected.file != place.file)
        {
            self.stages.front.select(&mut self.core, place);
        }
    }

    /// Does something with a stage as the one in front; `None` when it is gone.
    pub fn on_stage<T>(&mut self, id: StageId, what: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if id == self.stages.front.id {
            return Some(what(self));
        }
        let front = self.stages.front.id;
        self.stages.bring_to_front(id)?;
        let done = what(self);
        // Another one may have come to the front meanwhile.
        if self.stages.front.id == id {
            self.stages.bring_to_front(front);
        }
        Some(done)
    }
}

impl Stage {
    /// Puts something in the place of what is on the stage in front.
    pub(crate) fn take_stage(&mut self, core: &mut Core, content: StageContent) {
        let same = content.subject() == self.content.subject();
        let (is_model, is_clip) = (matches!(content, StageContent::Model(_)), matches!(content, StageContent::Clip(_)));
        self.drop_sound_work(core);
        let selection = core.selection.or(content.place());
        let file = content.subject().file().map(|file| Place { file, entry: EntryId::FILE });
        if let Some(place) = content.place().or(file).filter(|_| !same) {
            core.library.show_way(place);
        }
        self.put(content, selection);
        if !is_model {
            self.playback.forget_model(0);
            self.playback.wanted_model = None;
        }
        if !same {
            self.textures.clear();
            self.selected.joint = None;
            self.selected.part = None;
            self.selected.socket = None;
            if !is_clip {
                self.curves = Curves::default();
            }
        }
    }
}
