//! What a person says of a disputed layout: the file is read anew, and what is on show stays there.

use crate::{
    formats::{EntryId, Overrides},
    library::{OpenFile, read_container_as},
    ui::{
        place::{FileId, Place},
        section::Section,
        state::{State, control::rereading::Reloads, core::Core, effect::Effect, message::RereadCause, stage::Stage},
    },
};
use std::{ops::Range, path::Path, sync::Arc};

impl Stage {
    /// Selects the things in these places of the file's list.
    pub(in crate::ui) fn select_slots(&mut self, slots: &[u32]) {
        let Some(shown) = self.landscape() else { return };
        let props = (0_u32..).zip(&shown.terrain.props);
        let found = props.filter(|(_, prop)| slots.binary_search(&prop.slot).is_ok()).map(|(index, _)| index);
        // The selected entry stays: this is not what is looked at now, but what was before.
        self.view.terrain.selected = found.collect();
    }
}

impl State {
    /// Answers one question about a file's layout, or leaves it to its bytes.
    pub(crate) fn set_reading(&mut self, file: FileId, id: String, value: Option<String>) {
        let Some(path) = self.core.file(file).map(|f| f.path.clone()) else { return };
        let mut wanted = self.core.settings.reading_of(&path).clone();
        match value {
            Some(value) => wanted.insert(id, value),
            None => wanted.remove(&id),
        };
        self.read_as(file, &path, wanted);
    }

    pub(crate) fn forget_readings(&mut self, file: FileId) {
        if let Some(path) = self.core.file(file).map(|f| f.path.clone()) {
            self.read_as(file, &path, Overrides::new());
        }
    }

    /// Reads an open file anew, in the background.
    fn read_as(&mut self, file: FileId, path: &Path, wanted: Overrides) {
        let before = self.core.settings.reading_of(path).clone();
        if wanted == before {
            return;
        }
        let Some(old) = self.core.file(file).cloned() else { return };
        self.core.settings.set_reading(path, wanted.clone());
        // Paths that lead into it go by the names that are shown.
        read_container_as(path, &wanted, false);
        self.reread_in_background(vec![(file, old)], RereadCause::Reading { wanted, before });
    }
}

impl Reloads {
    /// Whether a file is being read anew.
    pub fn is_reread(&self, file: FileId) -> bool {
        self.is_running(file)
    }
}

impl Stage {
    /// Marks bytes of a file.
    pub(crate) fn show_bytes(&mut self, core: &mut Core, file: FileId, range: Range<u64>) {
        self.select(core, Place { file, entry: EntryId::FILE });
        core.selected_bytes = Some(range);
        self.show_section(core, Section::Bytes);
    }

    /// Unfolds a section of the inspector and brings it into view.
    pub(crate) fn show_section(&mut self, core: &mut Core, section: Section) {
        if section == Section::Reading
            && let Some((id, _)) = self.disputed_file(core)
            && core.selection.is_none_or(|place| place.file != id)
        {
            self.select(core, Place { file: id, entry: EntryId::FILE });
        }
        core.settings.sections.set(section, true);
        core.effects.push(Effect::ShowSection(section));
    }

    /// The file whose layout is in dispute: the selected one, else that of what is on the stage.
    pub fn disputed_file<'a>(&self, core: &'a Core) -> Option<(FileId, &'a Arc<OpenFile>)> {
        let with_id = |id: FileId| core.file(id).map(|file| (id, file));
        let selected = core.selection.and_then(|place| with_id(place.file));
        let shown = || self.content.subject().file().and_then(with_id);
        let is_disputed = |found: &(FileId, &Arc<OpenFile>)| !found.1.document.reading().is_empty();
        selected.filter(is_disputed).or_else(|| shown().filter(is_disputed))
    }
}
