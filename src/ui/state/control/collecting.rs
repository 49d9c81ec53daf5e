//! Commands of the collection, and reading its index.

use crate::{
    bytes::{
        Cancel, Limits,
        numbers::{counted, grouped},
    },
    formats::{EntryId, Severity},
    library::{
        OpenFile,
        collection::{self, Catalog, Counted, Progress, Query, RowIndex, Store, absolute, search_counted, text_hits},
    },
    ui::{
        command::{CollectionCommand, Command},
        place::Place,
        settings::MAX_FOLDERS,
        state::{
            PictureWork,
            collection::{Collection, CollectionFound, KINDS, MAX_LISTED, TextHitPlace},
            control::opening::name_of,
            core::Core,
            log::LogEntry,
            message::{CollectionRead, Message},
            picture_of,
            stage::{Stage, StageContent},
            works::AskedBy,
        },
    },
};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::Arc,
};

impl Collection {
    /// Gives the window an index. What it knows of the collection is there at once, what changed since is read then.
    pub fn start_collection(&mut self, core: &mut Core, store: Store) {
        self.store = Some(store);
        self.change_names(core, |_| Ok(()));
        if !core.settings.collection.is_empty() {
            self.read_collection(core);
        }
    }

    pub(crate) fn apply_collection(&mut self, core: &mut Core, stage: &mut Stage, command: CollectionCommand) {
        use CollectionCommand as C;
        match command {
            C::Show => self.show_collection(core, stage),
            C::Add(root) => self.add_root(core, &root),
            C::Remove(root) => self.remove_root(core, &root),
            C::Join(paths) => self.join_collection(core, &paths),
            C::SetRoots(roots) => self.set_roots(core, roots),
            C::Remember(collection) => self.remember_collection(core, collection),
            C::Forget(name) => self.forget_collection(core, &name),
            C::Update => self.is_stale = true,
            C::Search(words) => {
                self.close_links(core);
                self.close_fits(core);
                self.search.words = words;
                self.search_collection(core);
            }
            C::SetKind(kind) => {
                self.search.kind = kind;
                self.search_collection(core);
            }
            C::Open(row) => self.open_found(core, stage, row),
            C::ShowPictures(are_shown) => self.pictures.are_shown = are_shown,
            C::WantPictures(rows) => {
                let found = &self.search.found;
                let wanted = rows.into_iter().filter_map(|row| picture_of(&found.catalog, row)).collect();
                self.pictures.want(wanted);
            }
            C::WantStrip(row) => {
                if let Some(wanted) = picture_of(&self.search.found.catalog, row) {
                    self.pictures.want_strip(wanted);
                }
            }
            C::ShowLinks(of) => self.show_links(core, stage, of),
            C::CloseLinks => self.close_links(core),
            C::ShowFits(of) => self.show_fits(core, stage, of),
            C::CloseFits => self.leave_fits(core, stage),
            C::PlayFit(rank) => self.play_fit(core, stage, rank),
            C::OpenFile(path, entry) => stage.open_of_collection(core, path, entry),
        }
    }

    /// The pictures that are made next, if none are being made.
    pub(in crate::ui) fn take_picture_work(&mut self) -> Option<PictureWork> {
        let catalog = &self.search.found.catalog;
        self.pictures.take_work(catalog)
    }

    pub(crate) fn show_collection(&mut self, core: &mut Core, stage: &mut Stage) {
        stage.stop_loading();
        if !matches!(stage.content, StageContent::Collection) {
            stage.take_stage(core, StageContent::Collection);
        }
        stage.bring_up_stage(core);
        self.focus = core.works.fresh_id();
    }

    /// Reads the index once the roots changed and all that was asked for is open; what changed in them once nothing is read.
    pub(crate) fn follow_collection(&mut self, core: &mut Core) {
        let collection = &self;
        let is_stale = collection.is_stale || collection.has_changed && collection.work.is_none();
        if is_stale && !core.works.iter().any(|work| !work.named.is_empty()) {
            self.read_collection(core);
        }
    }

    /// Something below the roots changed on the disk.
    pub(crate) fn roots_changed(&mut self, core: &mut Core) {
        self.has_changed = core.settings.watch_files && !core.settings.collection.is_empty();
    }

    /// What is to be watched, and what in it this program writes itself: nothing while that is not wanted.
    pub fn watched_roots(&self, core: &Core) -> (Vec<PathBuf>, Vec<PathBuf>) {
        match self.store.as_ref().filter(|_| core.settings.watch_files) {
            Some(store) => {
                let pictures = self.pictures_folder();
                (core.settings.collection.clone(), store.own_files().into_iter().chain(pictures).collect())
            }
            None => Default::default(),
        }
    }

    fn read_collection(&mut self, core: &mut Core) {
        let Some(store) = self.store.clone() else { return };
        // What is known of the same roots is on show already.
        let shown = self.catalog.clone().filter(|_| !self.is_stale);
        (self.is_stale, self.has_changed) = (false, false);
        if let Some(work) = self.work.take() {
            // Dropping it cancels it.
            core.works.forget(work);
        }
        let turn = core.works.fresh_id();
        self.turn = turn;
        let roots = core.settings.collection.clone();
        if roots.is_empty() {
            return self.collection_read(core, CollectionRead::known(turn, Catalog::default()));
        }
        let sender = core.works.sender();
        let work = core.works.run_apart("Indexing the collection", move |cx| {
            let known = if shown.is_some() { None } else { Some(store.catalog(&roots)) };
            match known {
                Some(Ok(catalog)) => drop(sender.send(Message::CollectionRead(CollectionRead::known(turn, catalog)))),
                Some(Err(problem)) => log::warn!("{problem}"),
                None => {}
            }
            let tell = |now: Progress| {
                cx.progress(now.files_done as u64, now.files_known as u64, "files");
            };
            let updated = store.update(&roots, Limits::default(), &tell, cx.cancel());
            if cx.cancelled() {
                return;
            }
            let read = match updated {
                Ok(updated) => {
                    // The same catalog again would only begin every search anew. Another program may have read what changed.
                    let is_same = shown.is_some_and(|shown| shown.has_same_files(&updated.catalog));
                    CollectionRead {
                        turn,
                        catalog: (!is_same).then(|| Arc::new(updated.catalog)),
                        updated: Some((updated.read, updated.kept)),
                        gone: roots.into_iter().filter(|root| matches!(root.try_exists(), Ok(false))).collect(),
                        troubles: updated.troubles,
                        problem: None,
                    }
                }
                Err(problem) => CollectionRead { turn, problem: Some(problem), ..CollectionRead::default() },
            };
            let _ = sender.send(Message::CollectionRead(read));
        });
        self.work = Some(work);
    }

    pub(crate) fn collection_read(&mut self, core: &mut Core, read: CollectionRead) {
        if self.turn != read.turn {
            return;
        }
        if read.updated.is_some() || read.problem.is_some() {
            self.work = None;
            self.updated = read.updated;
            self.troubles = read.troubles;
            self.gone = read.gone;
            self.problem = read.problem;
        }
        if let Some(catalog) = read.catalog {
            self.catalog = Some(catalog);
            self.search_collection(core);
            self.look_for_links(core);
            self.look_for_fits(core);
        }
    }
}

impl Collection {
    pub(crate) fn search_collection(&mut self, core: &mut Core) {
        let (Some(catalog), Some(store)) = (self.catalog.clone(), self.store.clone()) else {
            return;
        };
        let turn = core.works.fresh_id();
        let wanted = &mut self.search;
        if let Some(work) = wanted.work.take() {
            core.works.forget(work);
        }
        wanted.turn = turn;
        let words = wanted.words.clone();
        let only = wanted.kind.and_then(|kind| KINDS.iter().position(|(_, known)| *known == kind));
        let sender = core.works.sender();
        let work = core.works.run("Searching the collection", move |cx| {
            let found = find(catalog, &store, &words, only, cx.cancel());
            if !cx.cancelled() {
                let _ = sender.send(Message::CollectionSearched { turn, found: Box::new(found) });
            }
        });
        self.search.work = Some(work);
    }

    pub(crate) fn collection_searched(&mut self, turn: u64, found: CollectionFound) {
        if self.search.turn == turn {
            self.search.work = None;
            if !Arc::ptr_eq(&self.search.found.catalog, &found.catalog) {
                self.pictures.forget_wanted();
            }
            self.search.found = CollectionFound { turn, ..found };
        }
    }

    pub(crate) fn open_found(&mut self, core: &mut Core, stage: &mut Stage, row: usize) {
        let found = &self.search.found;
        let (of, line) = match (found.hits.get(row), row.checked_sub(found.hits.len())) {
            (Some(hit), _) => (Some(hit.row), None),
            (None, Some(row)) => {
                let line = found.lines.get(row);
                (line.and_then(|line| found.catalog.row_of(line.file, line.entry)), line.map(|line| line.line))
            }
            (None, None) => (None, None),
        };
        let Some(of) = of.and_then(|of| found.catalog.row(of)) else { return };
        let Some(path) = found.catalog.file(of.file).map(|file| file.path.clone()) else { return };
        let (entry, within) = (of.entry, of.path.to_owned());
        if entry == EntryId::FILE {
            return stage.open_member(core, path);
        }
        if let Some(file) = core.library.at_path(&path) {
            let place = Place { file, entry };
            stage.select(core, place);
            return match line {
                Some(line) => stage.show_text_at(core, place, Some((0, line, (0, 0))), None),
                None => stage.show_or_focus(core, place),
            };
        }
        self.wanted = line.map(|line| TextHitPlace { path: path.clone(), entry, line });
        let id = core.open_in_background(vec![path], AskedBy::Person);
        if let Some(work) = id.and_then(|id| core.works.get_mut(id)) {
            work.entry = Some(within);
        }
    }
}

/// What a query asks for: lines of texts where it looks for text, else entries; `only` is the kind that is listed.
fn find(catalog: Arc<Catalog>, store: &Store, words: &str, only: Option<usize>, cancel: &Cancel) -> CollectionFound {
    let query = Query::of(words);
    let kinds = KINDS.map(|(_, kind)| kind);
    let counted = Counted { kinds: &kinds, only };
    let mut found = CollectionFound::default();
    if query.text().is_some() {
        let rows = search_counted(&catalog, &query, counted, usize::MAX, cancel);
        let asked: HashSet<RowIndex> = rows.hits.iter().map(|hit| hit.row).collect();
        let mut visit = |file, entry, text: &str| {
            if catalog.row_of(file, entry).is_some_and(|row| asked.contains(&row)) {
                text_hits(&query, file, entry, text, MAX_LISTED, &mut found.lines);
            }
            found.lines.len() < MAX_LISTED && !cancel.is_cancelled()
        };
        let read = store.each_text(&catalog, &mut visit);
        found.problem = read.err();
        found.total = found.lines.len();
    } else {
        let rows = search_counted(&catalog, &query, counted, MAX_LISTED, cancel);
        (found.hits, found.total, found.counts) = (rows.hits, rows.total, rows.counts);
    }
    found.query = query;
    found.catalog = catalog;
    found
}

impl Collection {
    /// Adds a root, unless it is inside another one. Roots inside the new one are removed.
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

    /// Returns true if dropped files are added to the collection, because it is shown.
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

/// Returns true if two lists contain the same roots, in any order.
fn same_roots(one: &[PathBuf], other: &[PathBuf]) -> bool {
    one.len() == other.len() && one.iter().all(|root| other.contains(root))
}
