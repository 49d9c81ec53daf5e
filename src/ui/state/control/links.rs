//! Following references into other files, and finding what refers to an entry.

use crate::{
    bytes::Limits,
    formats::{EntryId, Reference, Severity},
    library::{OpenFile, Use, open_path_as, uses_of},
    ui::{
        place::{FileId, Place},
        settings::overrides_of,
        state::{
            State,
            log::LogEntry,
            message::Message,
            uses::{UsedBy, Uses},
        },
    },
};
use std::{path::Path, sync::Arc};

impl State {
    /// Goes where a reference of an open file leads: to an entry of the same file, or of another one, which is opened for it.
    pub(in crate::ui::state) fn follow(&mut self, from: FileId, reference: Reference) {
        if let Some(entry) = reference.entry {
            self.select(Place { file: from, entry });
            return;
        }
        let Some(file) = self.file(from).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = self.library.files.iter().map(|f| f.file.clone()).collect();
        let (folders, readings) = (self.settings.folders.clone(), self.settings.readings.clone());
        let sender = self.outbox.clone();
        self.run_apart(format!("Following {}", reference.path), move |_| {
            let message = match file.document.follow(&reference) {
                None if is_built_in(&file, &reference.path) => {
                    let text =
                        format!("{} is built into the game's executable: no file has it to open", reference.path);
                    Message::Log(LogEntry::new(Severity::Info, &file.name, text))
                }
                None => {
                    let text = format!(
                        "{} was not found: it was looked for beside {}, in the folders beside that one, and in the folders \
                         named under File › Folders to look in",
                        reference.path, file.name
                    );
                    Message::Log(LogEntry::new(Severity::Warning, &file.name, text))
                }
                Some(found) => {
                    let known = open.iter().find(|f| is_same(&f.path, &found.file)).cloned();
                    let opened = known.map_or_else(
                        || {
                            let overrides = overrides_of(&readings, &found.file);
                            open_path_as(&found.file, Limits::default(), &folders, overrides).map(Arc::new)
                        },
                        Ok,
                    );
                    match opened {
                        Ok(file) => Message::Followed { file, entry: found.entry },
                        Err(error) => Message::Log(LogEntry::new(Severity::Error, &error.file, error.message)),
                    }
                }
            };
            let _ = sender.send(message);
        });
    }

    pub(in crate::ui::state) fn followed(&mut self, file: Arc<OpenFile>, entry: EntryId) {
        let known = self.library.files.iter().find(|f| is_same(&f.file.path, &file.path)).map(|f| f.id);
        let id = known.unwrap_or_else(|| self.add_file(file, false));
        self.select(Place { file: id, entry });
    }

    /// Looks for all that refers to an entry, in every open file.
    pub(in crate::ui::state) fn find_uses(&mut self, of: Place) {
        let ids: Vec<FileId> = self.library.files.iter().map(|f| f.id).collect();
        let Some(index) = ids.iter().position(|id| *id == of.file) else { return };
        let files: Vec<Arc<OpenFile>> = self.library.files.iter().map(|f| f.file.clone()).collect();
        self.uses = Some(Uses { of, list: None });
        let sender = self.outbox.clone();
        let name = files[index].entry(of.entry).map(|e| e.name.clone()).unwrap_or_default();
        self.run_in_background(format!("Looking for what uses {name}"), move |cx| {
            let found: Vec<Use> = uses_of(&files, index, of.entry, cx.cancel_flag());
            let list = found
                .into_iter()
                .filter_map(|u| {
                    Some(UsedBy { place: Place { file: *ids.get(u.file)?, entry: u.entry }, field: u.field })
                })
                .collect();
            let _ = sender.send(Message::UsesFound { of, list });
        });
    }

    pub(in crate::ui::state) fn uses_found(&mut self, of: Place, list: Vec<UsedBy>) {
        if let Some(uses) = self.uses.as_mut().filter(|u| u.of == of) {
            uses.list = Some(list);
        }
    }
}

/// Whether a path is that of a class that lies in no file.
fn is_built_in(file: &OpenFile, path: &str) -> bool {
    file.document.classes().built_in.iter().any(|class| class.is_at(path))
}

pub(in crate::ui::state) fn is_same(a: &Path, b: &Path) -> bool {
    a == b || std::fs::canonicalize(a).ok().zip(std::fs::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
}
