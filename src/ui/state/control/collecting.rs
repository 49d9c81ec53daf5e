//! The collection: reading its index, searching it, opening what was found.

use crate::{
    bytes::Limits,
    formats::EntryId,
    library::{
        OpenFile,
        collection::{Catalog, Query, RowIndex, Store, absolute, search, text_hits},
    },
    ui::{
        command::CollectionCommand,
        place::Place,
        settings::MAX_FOLDERS,
        state::{
            PictureWork, State,
            collection::{CollectionFound, MAX_LISTED, TextHitPlace},
            message::{CollectionRead, Message},
            picture_of,
            stage::StageContent,
        },
    },
};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

impl State {
    /// Gives the window an index. What it knows of the collection is there at once, what changed since is read then.
    pub fn start_collection(&mut self, store: Store) {
        self.collection.store = Some(store);
        if !self.settings.collection.is_empty() {
            self.read_collection();
        }
    }

    pub(in crate::ui::state) fn apply_collection(&mut self, command: CollectionCommand) {
        use CollectionCommand as C;
        match command {
            C::Show => self.show_collection(),
            C::Add(root) => self.add_root(&root),
            C::Remove(root) => {
                self.settings.collection.retain(|known| *known != root);
                self.collection.is_stale = true;
            }
            C::Update => self.collection.is_stale = true,
            C::Search(words) => {
                self.close_links();
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
            C::ShowLinks(of) => self.show_links(of),
            C::CloseLinks => self.close_links(),
            C::OpenFile(path, entry) => self.open_of_collection(path, entry),
        }
    }

    /// The pictures that are made next, if none are being made.
    pub(in crate::ui) fn take_picture_work(&mut self) -> Option<PictureWork> {
        let catalog = &self.collection.search.found.catalog;
        self.collection.pictures.take_work(catalog)
    }

    pub(in crate::ui::state) fn show_collection(&mut self) {
        self.stage.stop_loading();
        if !matches!(self.stage.content, StageContent::Collection) {
            self.take_stage(StageContent::Collection);
        }
        self.bring_up_stage();
        self.collection.focus = self.fresh_id();
    }

    /// Adds a root, unless it lies in one that is there; those that lie in it are no longer needed.
    pub(in crate::ui::state) fn add_root(&mut self, root: &Path) {
        let root = absolute(root);
        let roots = &mut self.settings.collection;
        if !self.collection.has_store()
            || roots.iter().any(|known| root.starts_with(known))
            || roots.len() >= MAX_FOLDERS
        {
            return;
        }
        roots.retain(|known| !known.starts_with(&root));
        roots.push(root);
        self.collection.is_stale = true;
    }

    /// A container that was opened joins the collection. One inside another is there already.
    pub(in crate::ui::state) fn collect(&mut self, file: &OpenFile) {
        if file.document.container().is_some() && !file.piped && file.path.is_file() {
            self.add_root(&file.path);
        }
    }

    /// Reads the index once the roots changed and all that was asked for is open.
    pub(in crate::ui::state) fn follow_collection(&mut self) {
        if self.collection.is_stale && !self.works.iter().any(|work| !work.named.is_empty()) {
            self.read_collection();
        }
    }

    fn read_collection(&mut self) {
        let Some(store) = self.collection.store.clone() else { return };
        self.collection.is_stale = false;
        if let Some(work) = self.collection.work.take() {
            // Dropping it cancels it.
            self.works.retain(|other| other.id != work);
        }
        let turn = self.fresh_id();
        self.collection.turn = turn;
        let roots = self.settings.collection.clone();
        if roots.is_empty() {
            return self.collection_read(CollectionRead::known(turn, Catalog::default()));
        }
        let sender = self.outbox.clone();
        let work = self.run_apart("Indexing the collection", move |cx| {
            match store.catalog(&roots) {
                Ok(catalog) => drop(sender.send(Message::CollectionRead(CollectionRead::known(turn, catalog)))),
                Err(problem) => log::warn!("{problem}"),
            }
            let tell = |now: crate::library::collection::Progress| {
                cx.progress(now.files_done as u64, now.files_known as u64, "files");
            };
            let updated = store.update(&roots, Limits::default(), &tell, cx.cancel_flag());
            if cx.cancelled() {
                return;
            }
            let read = match updated {
                Ok(updated) => CollectionRead {
                    turn,
                    catalog: Some(Arc::new(updated.catalog)),
                    updated: Some((updated.read, updated.kept)),
                    troubles: updated.troubles,
                    problem: None,
                },
                Err(problem) => CollectionRead { turn, problem: Some(problem), ..CollectionRead::default() },
            };
            let _ = sender.send(Message::CollectionRead(read));
        });
        self.collection.work = Some(work);
    }

    pub(in crate::ui::state) fn collection_read(&mut self, read: CollectionRead) {
        if self.collection.turn != read.turn {
            return;
        }
        if read.updated.is_some() || read.problem.is_some() {
            self.collection.work = None;
            self.collection.updated = read.updated;
            self.collection.troubles = read.troubles;
            self.collection.problem = read.problem;
        }
        if let Some(catalog) = read.catalog {
            self.collection.catalog = Some(catalog);
            self.search_collection();
            self.look_for_links();
        }
    }

    fn search_collection(&mut self) {
        let (Some(catalog), Some(store)) = (self.collection.catalog.clone(), self.collection.store.clone()) else {
            return;
        };
        let turn = self.fresh_id();
        let wanted = &mut self.collection.search;
        if let Some(work) = wanted.work.take() {
            self.works.retain(|other| other.id != work);
        }
        wanted.turn = turn;
        let mut words = wanted.words.clone();
        if let Some(kind) = wanted.kind {
            words.push_str(" type:");
            words.push_str(kind);
        }
        let sender = self.outbox.clone();
        let work = self.run_in_background("Searching the collection", move |cx| {
            let found = find(catalog, &store, &words, cx.cancel_flag());
            if !cx.cancelled() {
                let _ = sender.send(Message::CollectionSearched { turn, found: Box::new(found) });
            }
        });
        self.collection.search.work = Some(work);
    }

    pub(in crate::ui::state) fn collection_searched(&mut self, turn: u64, found: CollectionFound) {
        if self.collection.search.turn == turn {
            self.collection.search.work = None;
            self.collection.search.found = CollectionFound { turn, ..found };
        }
    }

    fn open_found(&mut self, row: usize) {
        let found = &self.collection.search.found;
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
            return self.open_member(path);
        }
        if let Some(file) = self.library.at_path(&path) {
            let place = Place { file, entry };
            self.select(place);
            return match line {
                Some(line) => self.show_text_at(place, Some((0, line, (0, 0))), None),
                None => self.show_or_focus(place),
            };
        }
        self.collection.wanted = line.map(|line| TextHitPlace { path: path.clone(), entry, line });
        let id = self.open_in_background(vec![path], false);
        if let Some(work) = self.works.iter_mut().find(|work| Some(work.id) == id) {
            work.entry = Some(within);
        }
    }
}

/// What a query asks for: lines of texts where it looks for text, else entries.
fn find(catalog: Arc<Catalog>, store: &Store, words: &str, cancel: &AtomicBool) -> CollectionFound {
    let query = Query::of(words);
    let mut found = CollectionFound::default();
    if query.text().is_some() {
        let rows = search(&catalog, &query, usize::MAX, cancel);
        let asked: HashSet<RowIndex> = rows.hits.iter().map(|hit| hit.row).collect();
        let mut visit = |file, entry, text: &str| {
            if catalog.row_of(file, entry).is_some_and(|row| asked.contains(&row)) {
                text_hits(&query, file, entry, text, MAX_LISTED, &mut found.lines);
            }
            found.lines.len() < MAX_LISTED && !cancel.load(std::sync::atomic::Ordering::Relaxed)
        };
        let read = store.each_text(&catalog, &mut visit);
        found.problem = read.err();
        found.total = found.lines.len();
    } else {
        let rows = search(&catalog, &query, MAX_LISTED, cancel);
        (found.hits, found.total) = (rows.hits, rows.total);
    }
    found.query = query;
    found.catalog = catalog;
    found
}

/// The folders among some paths.
pub(in crate::ui::state) fn folders_of(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|path| path.is_dir()).cloned().collect()
}
