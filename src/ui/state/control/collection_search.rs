//! Searching the collection, and opening what was found.

use crate::{
    bytes::Cancel,
    formats::EntryId,
    library::collection::{Catalog, Counted, Query, RowIndex, Store, search_counted, text_hits},
    ui::{
        place::Place,
        state::{
            State,
            collection::{CollectionFound, KINDS, MAX_LISTED, TextHitPlace},
            control::opening::AskedBy,
            message::Message,
        },
    },
};
use std::{collections::HashSet, sync::Arc};

impl State {
    pub(crate) fn search_collection(&mut self) {
        let (Some(catalog), Some(store)) = (self.collection.catalog.clone(), self.collection.store.clone()) else {
            return;
        };
        let turn = self.core.works.fresh_id();
        let wanted = &mut self.collection.search;
        if let Some(work) = wanted.work.take() {
            self.core.works.forget(work);
        }
        wanted.turn = turn;
        let words = wanted.words.clone();
        let only = wanted.kind.and_then(|kind| KINDS.iter().position(|(_, known)| *known == kind));
        let sender = self.core.works.sender();
        let work = self.core.works.run("Searching the collection", move |cx| {
            let found = find(catalog, &store, &words, only, cx.cancel());
            if !cx.cancelled() {
                let _ = sender.send(Message::CollectionSearched { turn, found: Box::new(found) });
            }
        });
        self.collection.search.work = Some(work);
    }

    pub(crate) fn collection_searched(&mut self, turn: u64, found: CollectionFound) {
        if self.collection.search.turn == turn {
            self.collection.search.work = None;
            if !Arc::ptr_eq(&self.collection.search.found.catalog, &found.catalog) {
                self.collection.pictures.forget_wanted();
            }
            self.collection.search.found = CollectionFound { turn, ..found };
        }
    }

    pub(crate) fn open_found(&mut self, row: usize) {
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
            return self.stages.front.open_member(&mut self.core, path);
        }
        if let Some(file) = self.core.library.at_path(&path) {
            let place = Place { file, entry };
            self.stages.front.select(&mut self.core, place);
            return match line {
                Some(line) => self.stages.front.show_text_at(&mut self.core, place, Some((0, line, (0, 0))), None),
                None => self.stages.front.show_or_focus(&mut self.core, place),
            };
        }
        self.collection.wanted = line.map(|line| TextHitPlace { path: path.clone(), entry, line });
        let id = self.core.open_in_background(vec![path], AskedBy::Person);
        if let Some(work) = id.and_then(|id| self.core.works.get_mut(id)) {
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
