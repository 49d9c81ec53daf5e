//! The roots of the collection, and collections that have a name.

use crate::{
    bytes::numbers::{counted, grouped},
    formats::Severity,
    library::{
        OpenFile,
        collection::{self, absolute},
    },
    ui::{
        command::{CollectionCommand, Command},
        settings::MAX_FOLDERS,
        state::{
            collection::Collection,
            control::opening::name_of,
            core::Core,
            log::LogEntry,
            message::Message,
            stage::{Stage, StageContent},
        },
    },
};
use std::path::{Path, PathBuf};

impl Collection {
    /// Adds a root, unless it lies in one that is there; those that lie in it are no longer needed.
    pub(crate) fn add_root(&mut self, core: &mut Core, root: &Path) {
        let root = absolute(root);
        let roots = &mut core.settings.collection;
        if !self.has_store() || roots.iter().any(|known| root.starts_with(known)) || roots.len() >= MAX_FOLDERS {
            return;
        }
        roots.retain(|known| !known.starts_with(&root));
        roots.push(root);
        self.is_stale = true;
    }

    /// A container that was opened joins the collection. One inside another is there already.
    pub(crate) fn collect(&mut self, core: &mut Core, file: &OpenFile) {
        if file.document.container().is_some() && !file.piped && crate::files::is_file(&file.path) {
            self.add_root(core, &file.path);
        }
    }

    /// Whether what is dropped on the window joins the collection: its page is in front.
    pub fn takes_drops(&self, stage: &Stage) -> bool {
        self.has_store() && matches!(stage.content, StageContent::Collection)
    }

    /// Leaves out a root.
    pub(crate) fn remove_root(&mut self, core: &mut Core, root: &Path) {
        core.settings.collection.retain(|known| known != root);
        self.is_stale = true;
    }

    /// Files and folders join the collection without being opened.
    pub(crate) fn join_collection(&mut self, core: &mut Core, paths: &[PathBuf]) {
        let before = core.settings.collection.clone();
        paths.iter().for_each(|path| self.add_root(core, path));
        let joined: Vec<&PathBuf> = core.settings.collection.iter().filter(|root| !before.contains(root)).collect();
        let (name, text) = match joined.as_slice() {
            [] if before.len() >= MAX_FOLDERS => {
                let most = grouped(MAX_FOLDERS);
                (String::new(), format!("A collection can have at most {most} files and folders. Remove some first"))
            }
            [] => (String::new(), "The collection already contains these files and folders".to_owned()),
            [one] => (name_of(one), "added to the collection".to_owned()),
            many => (String::new(), format!("{} added to the collection", counted(many.len(), "item"))),
        };
        let open = Command::Library(crate::ui::command::LibraryCommand::Open(paths.to_vec()));
        core.log.announce(LogEntry::new(Severity::Info, &name, text).with_action("Open", open));
    }

    /// Takes other roots in the place of those that are there.
    pub(crate) fn set_roots(&mut self, core: &mut Core, roots: Vec<PathBuf>) {
        let before = std::mem::take(&mut core.settings.collection);
        roots.iter().for_each(|root| self.add_root(core, root));
        if same_roots(&before, &core.settings.collection) {
            core.settings.collection = before;
            return;
        }
        self.is_stale = true;
        self.close_links(core);
        self.close_fits(core);
        // Roots that have a name are found again by it.
        let is_kept = before.is_empty() || self.named.iter().any(|named| same_roots(&named.roots, &before));
        if !is_kept {
            let text = match before.as_slice() {
                [_] => "The previous folder was not saved as a collection".to_owned(),
                many => format!("The previous {} folders were not saved as a collection", grouped(many.len())),
            };
            let back = Command::Collection(CollectionCommand::SetRoots(before));
            core.log.announce(LogEntry::new(Severity::Info, "", text).with_action("Restore", back));
        }
    }

    /// Reads the names of collections, after a change of them.
    pub(crate) fn change_names(
        &mut self,
        core: &mut Core,
        change: impl FnOnce(&collection::Store) -> Result<(), String> + Send + 'static,
    ) {
        let Some(store) = self.store.clone() else { return };
        let sender = core.works.sender();
        core.works.run_apart("Loading collections", move |_| {
            let named = change(&store).and_then(|()| store.collections());
            let _ = sender.send(Message::CollectionNames(named));
        });
    }

    pub(crate) fn remember_collection(&mut self, core: &mut Core, collection: collection::Collection) {
        self.change_names(core, move |store| store.remember(&collection));
    }

    pub(crate) fn forget_collection(&mut self, core: &mut Core, name: &str) {
        let Some(known) = self.named.iter().find(|known| known.name == name).cloned() else { return };
        let text = format!("Removed the collection {name}. Its files and index are kept");
        let undo = Command::Collection(CollectionCommand::Remember(known));
        core.log.announce(LogEntry::new(Severity::Info, "", text).with_action("Undo", undo));
        let name = name.to_owned();
        self.change_names(core, move |store| store.forget(&name));
    }

    pub(crate) fn names_read(&mut self, core: &mut Core, named: Result<Vec<collection::Collection>, String>) {
        match named {
            Ok(named) => self.named = named,
            Err(why) => core.log.announce(LogEntry::new(Severity::Error, "", why)),
        }
    }

    /// The collection with a name whose roots these are.
    pub fn named_collection(&self, core: &Core) -> Option<&collection::Collection> {
        self.named.iter().find(|named| same_roots(&named.roots, &core.settings.collection))
    }
}

/// Whether two lists have the same roots, in whatever order.
fn same_roots(one: &[PathBuf], other: &[PathBuf]) -> bool {
    one.len() == other.len() && one.iter().all(|root| other.contains(root))
}
