//! Searching the collection for references of a file or entry, and opening results.

use crate::ui::{
    command::InCollection,
    place::Place,
    state::{
        collection::Collection, collection_links::ShownLinks, core::Core, message::Message, stage::Stage,
        works::AskedBy,
    },
};
use std::{path::PathBuf, sync::Arc};

impl Collection {
    /// Shows the links of a file or entry; without one those of what is selected.
    pub(crate) fn show_links(&mut self, core: &mut Core, stage: &mut Stage, of: Option<InCollection>) {
        let Some(of) = of.or_else(|| core.in_collection(core.selection?)) else { return };
        self.close_fits(core);
        self.show_collection(core, stage);
        self.links.of = Some(of);
        self.look_for_links(core);
    }

    pub(crate) fn close_links(&mut self, core: &mut Core) {
        self.links.of = None;
        self.links.shown = None;
        if let Some(work) = self.links.work.take() {
            core.works.forget(work);
        }
    }

    /// Looks for the links that are to be shown, in what is known now.
    pub(crate) fn look_for_links(&mut self, core: &mut Core) {
        let (Some(of), Some(catalog)) = (self.links.of.clone(), self.catalog.clone()) else {
            return;
        };
        if let Some(work) = self.links.work.take() {
            core.works.forget(work);
        }
        let turn = core.works.fresh_id();
        self.links.turn = turn;
        let sender = core.works.sender();
        let work = core.works.run("Looking for links", move |cx| {
            let shown = ShownLinks::of(catalog, &of).map(Arc::new);
            if !cx.cancelled() {
                let _ = sender.send(Message::LinksFound { turn, shown });
            }
        });
        self.links.work = Some(work);
    }

    pub(crate) fn links_found(&mut self, turn: u64, shown: Option<Arc<ShownLinks>>) {
        if self.links.turn == turn {
            self.links.work = None;
            self.links.shown = shown;
        }
    }
}

impl Stage {
    /// Opens a file of the collection, and shows an entry of it.
    pub(crate) fn open_of_collection(&mut self, core: &mut Core, path: PathBuf, entry: Option<String>) {
        let Some(entry) = entry else { return self.open_member(core, path) };
        if core.library.at_path(&path).is_some() {
            if let Some(place) = core.open_place(&InCollection { path, entry: Some(entry) }) {
                self.select(core, place);
                self.show_or_focus(core, place);
            }
            return;
        }
        let id = core.open_in_background(vec![path], AskedBy::Person);
        if let Some(work) = id.and_then(|id| core.works.get_mut(id)) {
            work.entry = Some(entry);
        }
    }
}

impl Core {
    /// Something of an open file, as the collection knows it.
    pub fn in_collection(&self, place: Place) -> Option<InCollection> {
        let file = self.file(place.file)?;
        let entry = (place.entry != crate::formats::EntryId::FILE).then(|| file.entry(place.entry)).flatten();
        Some(InCollection {
            path: crate::library::collection::absolute(&file.path),
            entry: entry.map(|entry| entry.path().into_owned()),
        })
    }

    /// Returns the place of a collection's entry, if its file is open.
    pub(crate) fn open_place(&self, of: &InCollection) -> Option<Place> {
        let file = self.library.at_path(&of.path)?;
        let entry = match &of.entry {
            Some(entry) => self.file(file)?.document.outline().find_path(entry)?.id,
            None => crate::formats::EntryId::FILE,
        };
        Some(Place { file, entry })
    }
}
