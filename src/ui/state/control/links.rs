//! Following references to other files, searching for references to an entry, and for files that a file needs.

use crate::{
    formats::{Content, Dependency, Entry, EntryId, OpenError, Reference, Severity},
    library::{OpenFile, OpenOptions, Use, uses_of},
    ui::{
        kept_reading::{KeptReading, overrides_of},
        place::{FileId, Place},
        state::{
            Dependencies,
            core::Core,
            log::LogEntry,
            lookups::{Lookups, UsedBy, Uses},
            message::Message,
            stage::Stage,
        },
    },
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

impl Lookups {
    /// Looks for all that refers to an entry, in every open file.
    pub(crate) fn find_uses(&mut self, core: &mut Core, of: Place) {
        let ids: Vec<FileId> = core.library.files.iter().map(|f| f.id).collect();
        let Some(index) = ids.iter().position(|id| *id == of.file) else { return };
        let files: Vec<Arc<OpenFile>> = core.library.files.iter().map(|f| f.file.clone()).collect();
        self.uses = Some(Uses { of, list: None });
        let sender = core.works.sender();
        let name = files[index].entry(of.entry).map(|e| e.name.clone()).unwrap_or_default();
        core.works.run(format!("Looking for references to {name}"), move |cx| {
            let found: Vec<Use> = uses_of(&files, index, of.entry, cx.cancel());
            let list = found
                .into_iter()
                .filter_map(|u| {
                    Some(UsedBy { place: Place { file: *ids.get(u.file)?, entry: u.entry }, field: u.field })
                })
                .collect();
            let _ = sender.send(Message::UsesFound { of, list });
        });
    }

    pub(crate) fn uses_found(&mut self, of: Place, list: Vec<UsedBy>) {
        if let Some(uses) = self.uses.as_mut().filter(|u| u.of == of) {
            uses.list = Some(list);
        }
    }
}

impl Stage {
    /// Goes where a reference of an open file leads: to an entry of the same file, or of another one, which is opened for it.
    pub(crate) fn follow(&mut self, core: &mut Core, from: FileId, reference: Reference) {
        if let Some(entry) = reference.entry {
            self.select(core, Place { file: from, entry });
            return;
        }
        let Some(file) = core.file(from).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = core.library.files.iter().map(|f| f.file.clone()).collect();
        let (folders, readings) = (core.settings.folders.clone(), core.settings.readings.clone());
        let sender = core.works.sender();
        core.works.run_apart(format!("Looking for {}", reference.path), move |_| {
            let message = match file.document.ask(EntryId::FILE, |can, _| can.links?.follow(&reference)) {
                None if is_built_in(&file, &reference.path) => {
                    let text = format!("{} is built into the game's executable and has no file", reference.path);
                    Message::Log(LogEntry::new(Severity::Info, &file.name, text))
                }
                None => {
                    let text = format!("cannot find {}. Add its folder under File › Search folders", reference.path);
                    Message::Log(LogEntry::new(Severity::Warning, &file.name, text))
                }
                Some(found) => match open_or_known(&found.file, &open, &folders, &readings) {
                    Ok(file) => Message::Followed { file, entry: found.entry },
                    Err(error) => Message::Log(LogEntry::new(Severity::Error, &error.file, error.message)),
                },
            };
            let _ = sender.send(message);
        });
    }
}

impl Core {
    /// Goes to something that a file takes from another one, by its path: the other file's name and what it is called there.
    pub(crate) fn follow_path(&mut self, from: FileId, path: String) {
        let Some(file) = self.file(from).cloned() else { return };
        let open: Vec<Arc<OpenFile>> = self.library.files.iter().map(|f| f.file.clone()).collect();
        let (folders, readings) = (self.settings.folders.clone(), self.settings.readings.clone());
        let sender = self.works.sender();
        self.works.run_apart(format!("Looking for {path}"), move |_| {
            let (package, rest) = path.split_once('.').unwrap_or((path.as_str(), ""));
            let needed = file.document.ask(EntryId::FILE, |can, _| Some(can.links?.dependencies()));
            let needed = needed.into_iter().flatten().find(|needed| needed.name.eq_ignore_ascii_case(package));
            let message = match needed.and_then(|needed| needed.found) {
                None => {
                    let text = format!("cannot find {path}: {package} is missing");
                    Message::Log(LogEntry::new(Severity::Warning, &file.name, text))
                }
                Some(found) => match open_or_known(&found, &open, &folders, &readings) {
                    Ok(other) => match named(&other, rest) {
                        Some(entry) => Message::Followed { file: other, entry },
                        None => {
                            let text = format!("{} has no entry “{rest}”", other.name);
                            Message::Log(LogEntry::new(Severity::Warning, &file.name, text))
                        }
                    },
                    Err(error) => Message::Log(LogEntry::new(Severity::Error, &error.file, error.message)),
                },
            };
            let _ = sender.send(message);
        });
    }
}

/// The file at a path: one that is open, or read for it.
fn open_or_known(
    path: &Path,
    open: &[Arc<OpenFile>],
    folders: &[PathBuf],
    readings: &[KeptReading],
) -> Result<Arc<OpenFile>, OpenError> {
    match open.iter().find(|file| is_same(&file.path, path)) {
        Some(known) => Ok(known.clone()),
        None => OpenOptions::new().folders(folders).reading(overrides_of(readings, path)).open(path).map(Arc::new),
    }
}

/// The entry that another file calls `Group.Name`; one of that name where the group is another.
fn named(file: &OpenFile, path: &str) -> Option<EntryId> {
    let outline = file.document.outline();
    let whole = outline.find_path(path).or_else(|| outline.find_path(&path.replace('.', "/")));
    let name = path.rsplit('.').next().unwrap_or(path);
    let shown = |entry: &&Entry| entry.content != Content::None && entry.name.eq_ignore_ascii_case(name);
    whole.or_else(|| outline.entries().iter().find(shown)).map(|entry| entry.id)
}

/// Returns true if a path belongs to a class that is built into the engine.
fn is_built_in(file: &OpenFile, path: &str) -> bool {
    file.document.has(EntryId::FILE, |can, _| Some(can.code?.classes().built_in.iter().any(|class| class.is_at(path))))
}

pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    a == b || crate::files::canonicalize(a).ok().zip(crate::files::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
}

impl Lookups {
    /// Looks for what the selected file needs, unless that is known.
    pub(crate) fn follow_dependencies(&mut self, core: &mut Core) {
        let Some(place) = core.selection.filter(|place| place.entry == EntryId::FILE) else { return };
        let (revision, folders) = (core.library.revision(), &core.settings.folders);
        let is_known = |known: &Dependencies| {
            known.file == place.file && known.made_for.0 == revision && known.made_for.1 == *folders
        };
        if self.dependencies.as_ref().is_some_and(is_known) {
            return;
        }
        let Some(file) = core.file(place.file).filter(|file| file.document.has_dependencies()).cloned() else {
            return;
        };
        // What is known stays until it is known anew.
        let before = self.dependencies.take().filter(|known| known.file == place.file).and_then(|known| known.list);
        self.dependencies =
            Some(Dependencies { file: place.file, made_for: (revision, folders.clone()), list: before });
        let sender = core.works.sender();
        core.works.run_apart(format!("Looking for files needed by {}", file.name), move |_| {
            let list = file.document.ask(EntryId::FILE, |can, _| Some(can.links?.dependencies()));
            let list: Arc<[Dependency]> = list.unwrap_or_default().into();
            let _ = sender.send(Message::DependenciesFound { file: place.file, revision, list });
        });
    }

    pub(crate) fn dependencies_found(&mut self, file: FileId, revision: u64, list: Arc<[Dependency]>) {
        let is_wanted = |known: &&mut Dependencies| known.file == file && known.made_for.0 == revision;
        if let Some(known) = self.dependencies.as_mut().filter(is_wanted) {
            known.list = Some(list);
        }
    }
}
