//! Replacing the content of a stage, and opening another stage.

use crate::{
    formats::{EntryId, Severity},
    ui::{
        place::{Place, StageId},
        saved_view::MAX_STAGES,
        state::{
            core::Core,
            log::LogEntry,
            stage::{Stage, StageContent, model::ModelStage},
            stages::Stages,
        },
    },
};

impl Stages {
    /// Opens a stage for an entry or for the selection.
    pub(crate) fn open_beside(&mut self, core: &mut Core, place: Option<Place>) {
        let Some(place) = place.or(core.selection).or(self.front.content.place()) else { return };
        if core.file(place.file).is_none() {
            return;
        }
        let id = StageId(self.ids().iter().map(|id| id.0).max().unwrap_or(0) + 1);
        if self.others.len() + 1 >= MAX_STAGES {
            let text = format!("At most {MAX_STAGES} stages can be open. Close one first");
            return core.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        self.add(id, core);
        self.bring_to_front(id);
        self.front.show(core, place);
    }

    /// Makes a stage the one that keys and the selection are for.
    pub(crate) fn focus_stage(&mut self, core: &mut Core, id: StageId) {
        if self.bring_to_front(id).is_some()
            && let Some(place) = self.front.content.place()
            && core.selection.is_none_or(|selected| selected.file != place.file)
        {
            self.front.select(core, place);
        }
    }
}

impl Stage {
    /// Puts something in the place of what is on the stage in front.
    pub(crate) fn take_stage(&mut self, core: &mut Core, content: StageContent) {
        let same = content.subject() == self.content.subject();
        let is_model = matches!(content, StageContent::Model(_));
        self.drop_sound_work(core);
        let selection = core.selection.or(content.place());
        let file = content.subject().file().map(|file| Place { file, entry: EntryId::FILE });
        if let Some(place) = content.place().or(file).filter(|_| !same) {
            core.library.show_way(place);
        }
        self.put(content, selection);
        if !is_model {
            self.pending.loads.take_clips();
        }
    }

    /// Returns true if the list of images for a material is open.
    pub(crate) fn chooses_texture(&self) -> bool {
        let chooses = |shown: &ModelStage| {
            shown.textures.choosing.is_some_and(|index| index.as_usize() < shown.model.materials.len())
        };
        self.model().is_some_and(chooses)
    }

    /// Returns true if the dialog for coordinates is open.
    pub(crate) fn asks_place(&self) -> bool {
        self.landscape().is_some_and(|shown| shown.survey.asks_place)
            || self.level().is_some_and(|shown| shown.tools.asks_place)
    }
}
