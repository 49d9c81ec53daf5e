//! What a person says of a disputed layout: the file is read anew, and what is on show stays there.

use crate::{
    formats::{Asset, Content, Document, EntryId, Overrides, Severity},
    library::{AssetKey, Loaded, OpenFile, open_path_as},
    scene::Terrain,
    ui::{
        place::{FileId, Place},
        section::Section,
        state::{
            State,
            effect::Effect,
            log::LogEntry,
            message::{Message, Reread},
            stage::{Stage, StageContent},
        },
        subject::Subject,
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
    /// Marks bytes of a file.
    pub(in crate::ui::state) fn show_bytes(&mut self, file: FileId, range: Range<u64>) {
        self.select(Place { file, entry: EntryId::FILE });
        self.selected_bytes = Some(range);
        self.show_section(Section::Bytes);
    }

    /// Unfolds a section of the inspector and brings it into view.
    pub(in crate::ui::state) fn show_section(&mut self, section: Section) {
        if section == Section::Reading
            && let Some((id, _)) = self.disputed_file()
            && self.selection.is_none_or(|place| place.file != id)
        {
            self.select(Place { file: id, entry: EntryId::FILE });
        }
        self.settings.sections.set(section, true);
        self.effects.push(Effect::ShowSection(section));
    }

    /// The file whose layout is in dispute: the selected one, else that of what is on the stage.
    pub fn disputed_file(&self) -> Option<(FileId, &Arc<OpenFile>)> {
        let with_id = |id: FileId| self.file(id).map(|file| (id, file));
        let selected = self.selection.and_then(|place| with_id(place.file));
        let shown = || self.stage.content.subject().file().and_then(with_id);
        let is_disputed = |found: &(FileId, &Arc<OpenFile>)| !found.1.document.reading().is_empty();
        selected.filter(is_disputed).or_else(|| shown().filter(is_disputed))
    }

    /// Whether a file is being read anew.
    pub fn is_reread(&self, file: FileId) -> bool {
        self.rereads.contains_key(&file)
    }

    /// Answers one question about a file's layout, or leaves it to its bytes.
    pub(in crate::ui::state) fn set_reading(&mut self, file: FileId, id: String, value: Option<String>) {
        let Some(path) = self.file(file).map(|f| f.path.clone()) else { return };
        let mut wanted = self.settings.reading_of(&path).clone();
        match value {
            Some(value) => wanted.insert(id, value),
            None => wanted.remove(&id),
        };
        self.read_as(file, &path, wanted);
    }

    pub(in crate::ui::state) fn forget_readings(&mut self, file: FileId) {
        if let Some(path) = self.file(file).map(|f| f.path.clone()) {
            self.read_as(file, &path, Overrides::new());
        }
    }

    /// Reads an open file anew, in the background.
    fn read_as(&mut self, file: FileId, path: &Path, wanted: Overrides) {
        let before = self.settings.reading_of(path).clone();
        if wanted == before {
            return;
        }
        let Some(old) = self.file(file).cloned() else { return };
        self.settings.set_reading(path, wanted.clone());
        let turn = self.fresh_id();
        self.rereads.insert(file, turn);
        // What is still being decoded is of the file as it was.
        let coming = self.stage.wanted_asset.take_if(|place| place.file == file).map(|place| place.entry);
        let shown = self.stage.landscape().filter(|t| t.place.file == file).map(|t| t.place.entry).or(coming);
        let shown = shown.filter(|e| old.entry(*e).is_some_and(|e| e.content == Content::Terrain));
        let (folders, options, sender) = (self.settings.folders.clone(), self.load_options, self.outbox.clone());
        self.run_apart(format!("Reading {} anew", old.name), move |cx| {
            let opened = open_path_as(&old.path, old.limits(), &folders, &wanted)
                .inspect(|file| drop(file.document.fields(EntryId::FILE)))
                .map(Arc::new)
                .map_err(|error| error.message);
            let terrain = opened.as_ref().ok().zip(shown).and_then(|(new, shown)| {
                let entry = same_entry(old.document.as_ref(), new.document.as_ref(), shown)?;
                let loaded = Arc::new(new.load(entry, options, cx.cancel_flag()).ok()?);
                Some((entry, AssetKey { path: new.path.clone(), entry, options }, loaded))
            });
            let _ = sender.send(Message::Reread(Box::new(Reread { file, turn, wanted, before, opened, terrain })));
        });
    }

    /// Puts a file in its own place as it was read anew: selection, camera and what is on show stay.
    pub(in crate::ui::state) fn reread(&mut self, reread: Reread) {
        let Reread { file, turn, wanted, before, opened, terrain } = reread;
        if self.rereads.get(&file) != Some(&turn) {
            return;
        }
        self.rereads.remove(&file);
        let Some(old) = self.file(file).cloned() else { return };
        let new = match opened {
            Ok(new) => new,
            Err(why) => {
                self.settings.set_reading(&old.path, before);
                let text = format!("it cannot be read so, and stays as it was: {why}");
                self.log.announce(LogEntry::new(Severity::Error, &old.name, text));
                return;
            }
        };
        self.cache.forget(&old.path);
        self.thumbnails.forget(file);
        self.library.replace(file, new.clone());
        let text = match wanted.is_empty() {
            true => "read anew, as its bytes say".to_owned(),
            false => {
                let said: Vec<String> = wanted.iter().map(|(id, value)| format!("{id} {value}")).collect();
                format!("read anew, with {}", said.join(", "))
            }
        };
        self.log.push(LogEntry::new(Severity::Info, &new.name, text).at(Place { file, entry: EntryId::FILE }));
        self.note_diagnostics(file, &new.diagnostics, true);

        let moved = |place: &mut Place| {
            if place.file == file {
                place.entry =
                    same_entry(old.document.as_ref(), new.document.as_ref(), place.entry).unwrap_or(EntryId::FILE);
            }
        };
        for visit in self.stages_mut().flat_map(|stage| &mut stage.history) {
            visit.selection.iter_mut().for_each(moved);
            if let Subject::Entry(place) = &mut visit.subject {
                moved(place);
            }
        }
        if let Some(selected) = &mut self.selection {
            let bytes = self.selected_bytes.clone();
            moved(selected);
            let size = new.document.source().as_slice().len() as u64;
            self.selected_bytes = bytes.filter(|bytes| bytes.end <= size);
        }
        self.uses.take_if(|uses| uses.of.file == file);
        for stage in self.stages_mut() {
            match &mut stage.content {
                StageContent::Image(shown) => moved(&mut shown.place),
                StageContent::Sound(shown) => moved(&mut shown.place),
                StageContent::Text(shown) => moved(&mut shown.place),
                StageContent::Clip(place) | StageContent::Failed(place, _) => moved(place),
                // What is seen through a camera is put on the stage anew.
                StageContent::Model(_) | StageContent::Level(_) | StageContent::Landscape(_) => {}
                StageContent::Empty | StageContent::Gallery(_) | StageContent::Table(_) => {}
            }
        }
        self.refresh_scenes();
        self.show_reread(file, &old, terrain);
    }

    /// The landscape on show comes from a file that was read anew.
    fn show_reread(&mut self, file: FileId, old: &OpenFile, found: Option<(EntryId, AssetKey, Arc<Loaded>)>) {
        let was_shown = self.stage.landscape().is_some_and(|t| t.place.file == file);
        let Some((entry, key, loaded)) = found else {
            if was_shown {
                self.take_stage(StageContent::Empty);
                let text = "read so, there is no ground in it; Reading says what else could be";
                self.log.announce(LogEntry::new(Severity::Warning, &old.name, text));
            }
            return;
        };
        self.cache.insert(key, loaded.clone());
        self.note_diagnostics(file, &loaded.diagnostics, true);
        let Asset::Terrain(terrain) = &loaded.asset else { return };
        let place = Place { file, entry };
        if !was_shown
            && (self.stage.model().is_some() || self.stage.level().is_some() || self.stage.landscape().is_some())
        {
            // Something else was put on show since.
            return;
        }
        let mut slots = Vec::new();
        if let Some(shown) = self.stage.content.landscape_mut() {
            shown.place = place;
            let props = self.stage.view.terrain.selected.iter().filter_map(|i| shown.terrain.props.get(*i as usize));
            slots.extend(props.map(|prop| prop.slot));
            slots.sort_unstable();
        }
        let ground = self.stage.landscape().map(|shown| ground_of(&shown.terrain));
        self.show_terrain(place, terrain.clone());
        self.stage.select_slots(&slots);
        if ground.is_some_and(|before| before != ground_of(terrain)) && !self.stage.view.camera_touched {
            self.stage.reset_view();
        }
    }
}

/// How far a landscape reaches.
fn ground_of(terrain: &Terrain) -> (u32, u32, f32) {
    (terrain.grid.columns, terrain.grid.rows, terrain.grid.cell)
}

/// The entry of a document as it is now that an entry of it was before: by its path, among equal ones by its turn.
fn same_entry(old: &dyn Document, new: &dyn Document, entry: EntryId) -> Option<EntryId> {
    if entry == EntryId::FILE {
        return Some(entry);
    }
    let wanted = old.outline().get(entry)?;
    // Mostly nothing has moved.
    if new.outline().get(entry).is_some_and(|e| e.path() == wanted.path()) {
        return Some(entry);
    }
    let with_path = |document: &dyn Document| -> Vec<EntryId> {
        document.outline().entries().iter().filter(|e| e.path() == wanted.path()).map(|e| e.id).collect()
    };
    let turn = with_path(old).iter().position(|e| *e == entry)?;
    with_path(new).get(turn).copied()
}
