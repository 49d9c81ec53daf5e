//! The collection: what is done with it, and reading its index.

use crate::{
    bytes::Limits,
    library::collection::{Catalog, Progress, Store},
    ui::{
        command::CollectionCommand,
        state::{
            PictureWork, State,
            message::{CollectionRead, Message},
            picture_of,
            stage::StageContent,
        },
    },
};
use std::{path::PathBuf, sync::Arc};

impl State {
    /// Gives the window an index. What it knows of the collection is there at once, what changed since is read then.
    pub fn start_collection(&mut self, store: Store) {
        self.collection.store = Some(store);
        self.change_names(|_| Ok(()));
        if !self.core.settings.collection.is_empty() {
            self.read_collection();
        }
    }

    pub(crate) fn apply_collection(&mut self, command: CollectionCommand) {
        use CollectionCommand as C;
        match command {
            C::Show => self.show_collection(),
            C::Add(root) => self.add_root(&root),
            C::Remove(root) => self.remove_root(&root),
            C::Join(paths) => self.join_collection(&paths),
            C::SetRoots(roots) => self.set_roots(roots),
            C::Remember(collection) => self.remember_collection(collection),
            C::Forget(name) => self.forget_collection(&name),
            C::Update => self.collection.is_stale = true,
            C::Search(words) => {
                self.close_links();
                self.close_fits();
                self.collection.search.words = words;
                self.search_collection();
            }
            C::SetKind(kind) => {
                self.collection.search.kind = kind;
                self.search_collection();
            }
            C::Open(row) => self.open_found(row),
            C::ShowPictures(are_shown) => self.collection.pictures.are_shown = are_shown,
            C::WantPictures(rows) => {
                let found = &self.collection.search.found;
                let wanted = rows.into_iter().filter_map(|row| picture_of(&found.catalog, row)).collect();
                self.collection.pictures.want(wanted);
            }
            C::WantStrip(row) => {
                if let Some(wanted) = picture_of(&self.collection.search.found.catalog, row) {
                    self.collection.pictures.want_strip(wanted);
                }
            }
            C::ShowLinks(of) => self.show_links(of),
            C::CloseLinks => self.close_links(),
            C::ShowFits(of) => self.show_fits(of),
            C::CloseFits => self.leave_fits(),
            C::PlayFit(rank) => self.play_fit(rank),
            C::OpenFile(path, entry) => self.stages.front.open_of_collection(&mut self.core, path, entry),
        }
    }

    /// The pictures that are made next, if none are being made.
    pub(in crate::ui) fn take_picture_work(&mut self) -> Option<PictureWork> {
        let catalog = &self.collection.search.found.catalog;
        self.collection.pictures.take_work(catalog)
    }

    pub(crate) fn show_collection(&mut self) {
        self.stages.front.stop_loading();
        if !matches!(self.stages.front.content, StageContent::Collection) {
            self.stages.front.take_stage(&mut self.core, StageContent::Collection);
        }
        self.stages.front.bring_up_stage(&mut self.core);
        self.collection.focus = self.core.works.fresh_id();
    }

    /// Reads the index once the roots changed and all that was asked for is open; what changed in them once nothing is read.
    pub(crate) fn follow_collection(&mut self) {
        let collection = &self.collection;
        let is_stale = collection.is_stale || collection.has_changed && collection.work.is_none();
        if is_stale && !self.core.works.iter().any(|work| !work.named.is_empty()) {
            self.read_collection();
        }
    }

    /// Something below the roots changed on the disk.
    pub(crate) fn roots_changed(&mut self) {
        self.collection.has_changed = self.core.settings.watch_files && !self.core.settings.collection.is_empty();
    }

    /// What is to be watched, and what in it this program writes itself: nothing while that is not wanted.
    pub fn watched_roots(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        match self.collection.store.as_ref().filter(|_| self.core.settings.watch_files) {
            Some(store) => {
                let pictures = self.collection.pictures_folder();
                (self.core.settings.collection.clone(), store.own_files().into_iter().chain(pictures).collect())
            }
            None => Default::default(),
        }
    }

    fn read_collection(&mut self) {
        let Some(store) = self.collection.store.clone() else { return };
        // What is known of the same roots is on show already.
        let shown = self.collection.catalog.clone().filter(|_| !self.collection.is_stale);
        (self.collection.is_stale, self.collection.has_changed) = (false, false);
        if let Some(work) = self.collection.work.take() {
            // Dropping it cancels it.
            self.core.works.forget(work);
        }
        let turn = self.core.works.fresh_id();
        self.collection.turn = turn;
        let roots = self.core.settings.collection.clone();
        if roots.is_empty() {
            return self.collection_read(CollectionRead::known(turn, Catalog::default()));
        }
        let sender = self.core.works.sender();
        let work = self.core.works.run_apart("Indexing the collection", move |cx| {
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
        self.collection.work = Some(work);
    }

    pub(crate) fn collection_read(&mut self, read: CollectionRead) {
        if self.collection.turn != read.turn {
            return;
        }
        if read.updated.is_some() || read.problem.is_some() {
            self.collection.work = None;
            self.collection.updated = read.updated;
            self.collection.troubles = read.troubles;
            self.collection.gone = read.gone;
            self.collection.problem = read.problem;
        }
        if let Some(catalog) = read.catalog {
            self.collection.catalog = Some(catalog);
            self.search_collection();
            self.look_for_links();
            self.look_for_fits();
        }
    }
}
