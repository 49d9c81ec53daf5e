//! Looking for the files that others need, and anew once there is another folder to look in.

use crate::{
    formats::{Dependency, EntryId},
    ui::{
        place::FileId,
        state::{
            Dependencies, OpenedFile, State,
            core::Core,
            lookups::Lookups,
            message::{Message, RereadCause},
        },
    },
};
use std::sync::Arc;

impl State {
    /// There is another folder to look in: files that miss others look there, and so do those that are on a stage. What is shown of
    /// them is made anew, with cameras and clips as they are.
    pub(crate) fn look_anew(&mut self) {
        let on_stage: Vec<FileId> = self.stages.iter().filter_map(|stage| stage.content.subject().file()).collect();
        let looks = |opened: &&OpenedFile| {
            !opened.file.piped && (opened.file.document.has_dependencies() || on_stage.contains(&opened.id))
        };
        let files =
            self.core.library.files.iter().filter(looks).map(|opened| (opened.id, opened.file.clone())).collect();
        self.reread_in_background(files, RereadCause::NewFolder);
    }
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
