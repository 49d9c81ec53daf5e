//! Searching the collection, and opening what was found.

use crate::{
    bytes::Cancel,
    formats::EntryId,
    library::collection::{Catalog, Counted, Query, RowIndex, Store, search_counted, text_hits},
    ui::{
        place::Place,
        state::{
            collection::{Collection, CollectionFound, KINDS, MAX_LISTED, TextHitPlace},
            core::Core,
            message::Message,
            stage::Stage,
            works::AskedBy,
        },
    },
};
use std::{collections::HashSet, sync::Arc};

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
