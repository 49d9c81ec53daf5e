//! Commands of the collection, and reading its index.

use crate::{
    bytes::Limits,
    library::collection::{Catalog, Progress, Store},
    ui::{
        command::CollectionCommand,
        state::{
            PictureWork,
            collection::Collection,
            core::Core,
            message::{CollectionRead, Message},
            picture_of,
            stage::{Stage, StageContent},
        },
    },
};
use std::{path::PathBuf, sync::Arc};

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
