//! Opening and closing files, and the list of them.

use crate::{
    formats::Severity,
    ui::{
        command::LibraryCommand,
        place::FileId,
        state::{StageContent, State, control::opening::paths_in_text, core::Core, effect::Effect, log::LogEntry},
    },
};
use std::path::PathBuf;

impl State {
    pub(crate) fn apply_library(&mut self, command: LibraryCommand) {
        use LibraryCommand as C;
        match command {
            C::Open(paths) => self.core.open(paths),
            C::Drop(paths) => self.open_dropped(paths),
            C::OpenPasted(text) => self.core.open_pasted(&text),
            C::OpenSamples => self.core.open_samples(),
            C::OpenAnyway(path) => self.stages.front.open_anyway(&mut self.core, path),
            C::OpenFilesDialog => self.core.effects.push(Effect::AskForFiles),
            C::OpenFolderDialog => self.core.effects.push(Effect::AskForFolder),
            C::SearchFolderDialog => self.core.effects.push(Effect::AskForSearchFolder),
            C::AddSearchFolder(folder) => self.add_search_folder(folder),
            C::RemoveSearchFolder(folder) => self.core.settings.folders.retain(|f| *f != folder),
            C::ReadAgain(file) => self.read_again(file),
            C::SaveViewDialog => {
                let path = self.suggested_view_path();
                self.core.effects.extend(path.map(Effect::AskWhereView));
            }
            C::SaveView(path) => self.save_view(&path),
            C::AnswerView(with_outside) => self.answer_view(with_outside),
            C::NextFile(by) => self.step_file(by),
            C::ToggleFavourite(favourite) => self.favourites.toggle_favourite(&mut self.core, favourite),
            C::ToggleFavouriteOfSelected => self.favourites.toggle_favourite_of_selected(&mut self.core),
            C::OpenFavourite(favourite) => self.stages.front.open_favourite(&mut self.core, &favourite),
            C::ToggleBrowse => self.core.settings.browse = !self.core.settings.browse,
            C::CloseFile(id) => self.close(id),
            C::CloseAll => {
                for id in self.core.library.files.iter().rev().map(|f| f.id).collect::<Vec<_>>() {
                    self.close(id);
                }
            }
            C::ClearRecents => self.core.settings.recents.clear(),
            C::SetReading { file, id, value } => self.set_reading(file, id, value),
            C::ForgetReadings(file) => self.forget_readings(file),
            C::Expand(row, open) => self.core.expand_row(row, open),
            C::FoldRow(open) => self.fold_row(open),
            C::CollapseAll => self.core.library.collapse_all(),
            C::SetOrder(order) => self.core.set_library_order(order),
            C::ToggleOrder => self.core.set_library_order(self.core.library.order().other()),
            C::SetFilter(filter) => {
                self.stages.list_in_hand = None;
                self.core.library.set_filter(filter);
            }
            C::FocusFilter => self.core.effects.push(Effect::FocusFilter),
            C::WantThumbnails(places) => self.thumbnails.want_thumbnails(&mut self.core, places),
        }
    }

    fn add_search_folder(&mut self, folder: PathBuf) {
        let text = format!("Also searching {} for missing files", folder.display());
        self.core.log.announce(LogEntry::new(Severity::Info, "", text));
        if !self.core.settings.folders.contains(&folder) {
            self.core.settings.folders.push(folder);
        }
        self.look_anew();
    }

    pub(crate) fn close(&mut self, id: FileId) {
        if let Some(file) = self.core.file(id) {
            let path = file.path.clone();
            self.core.cache.forget(&path);
        }
        self.core.library.remove(id);
        self.reloads.forget(id);
        self.forget_presented(id);
        self.forget_found(id);
        if self.core.selection.is_some_and(|p| p.file == id) {
            self.core.selection = None;
            self.core.selected_bytes = None;
        }
    }

    /// Forgets what was looked for in a file that is closed.
    fn forget_found(&mut self, id: FileId) {
        self.lookups.forget_file(id);
        self.stages.list_in_hand.take_if(|(_, places)| places.iter().any(|place| place.file == id));
        // Where they are shown they are read anew.
        if !self.stages.iter().any(|stage| matches!(stage.content, StageContent::Classes(_))) {
            self.lookups.classes = None;
        }
    }
}

impl Core {
    fn open_pasted(&mut self, text: &str) {
        let paths = paths_in_text(text);
        if paths.is_empty() {
            let message = "The pasted text contains no path to an existing file or folder";
            self.log.announce(LogEntry::new(Severity::Warning, "", message));
        }
        self.open(paths);
    }

    fn open_samples(&mut self) {
        match crate::ui::samples::folder() {
            Some(folder) => self.open(vec![folder]),
            None => {
                let message = "The samples are not installed. The source code contains them in assets/samples";
                self.log.announce(LogEntry::new(Severity::Warning, "", message));
            }
        }
    }
}
