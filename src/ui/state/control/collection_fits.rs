//! Searching the collection for clips that fit a model, and playing one of them.

use crate::ui::{
    command::InCollection,
    place::{Place, PlayMode},
    state::{
        collection::Collection, collection_fits::ShownFits, core::Core, message::Message, stage::Stage, works::AskedBy,
    },
};
use std::{path::PathBuf, sync::Arc};

impl Collection {
    /// Returns true if there is a collection.
    pub fn has_collection(&self, core: &Core) -> bool {
        self.has_store() && !core.settings.collection.is_empty()
    }

    /// Shows what fits a model or a clip; without one, the model on the stage, else what is selected.
    pub(crate) fn show_fits(&mut self, core: &mut Core, stage: &mut Stage, of: Option<InCollection>) {
        let on_stage = stage.model().map(|shown| shown.place);
        let Some(of) = of.or_else(|| core.in_collection(on_stage.or(core.selection)?)) else { return };
        // Asked for again from the page itself, the way back stays.
        let from = on_stage.or(self.fits.from.filter(|_| self.fits.of.is_some()));
        self.close_links(core);
        self.close_fits(core);
        self.show_collection(core, stage);
        (self.fits.of, self.fits.from) = (Some(of), from);
        self.look_for_fits(core);
    }

    /// The name of the model that the way back leads to.
    pub fn fits_come_from<'a>(&self, core: &'a Core) -> Option<&'a str> {
        let place = self.fits.from?;
        let file = core.file(place.file)?;
        let entry = file.entry(place.entry)?;
        Some(if entry.name.is_empty() { &file.name } else { &entry.name })
    }

    pub(crate) fn close_fits(&mut self, core: &mut Core) {
        let fits = &mut self.fits;
        (fits.of, fits.shown, fits.from, fits.wanted) = (None, None, None, None);
        if let Some(work) = fits.work.take() {
            core.works.forget(work);
        }
    }

    /// Goes back to where it was asked for.
    pub(crate) fn leave_fits(&mut self, core: &mut Core, stage: &mut Stage) {
        let from = self.fits.from;
        self.close_fits(core);
        if let Some(place) = from {
            stage.show(core, place);
        }
    }

    /// Looks for what is to be shown, in what is known now.
    pub(crate) fn look_for_fits(&mut self, core: &mut Core) {
        let (Some(of), Some(catalog)) = (self.fits.of.clone(), self.catalog.clone()) else {
            return;
        };
        if let Some(work) = self.fits.work.take() {
            core.works.forget(work);
        }
        let turn = core.works.fresh_id();
        self.fits.turn = turn;
        let sender = core.works.sender();
        let work = core.works.run("Finding matches", move |cx| {
            let shown = ShownFits::of(catalog, &of, cx.cancel()).map(Arc::new);
            if !cx.cancelled() {
                let _ = sender.send(Message::CollectionFitsFound { turn, shown });
            }
        });
        self.fits.work = Some(work);
    }

    pub(crate) fn collection_fits_found(&mut self, turn: u64, shown: Option<Arc<ShownFits>>) {
        if self.fits.turn == turn {
            self.fits.work = None;
            self.fits.shown = shown;
        }
    }

    /// Plays a clip that was found on its model. What of both is not open is opened first.
    pub(crate) fn play_fit(&mut self, core: &mut Core, stage: &mut Stage, rank: usize) {
        let Some(wanted) = self.fits.shown.as_ref().and_then(|shown| shown.wanted(rank)) else { return };
        let mut missing: Vec<PathBuf> = Vec::new();
        for path in [&wanted.model.path, &wanted.clip.path] {
            if core.library.at_path(path).is_none() && !missing.contains(path) {
                missing.push(path.clone());
            }
        }
        self.fits.wanted = Some(wanted);
        if missing.is_empty() {
            return self.join_wanted_fit(core, stage);
        }
        let id = core.open_in_background(missing, AskedBy::Person);
        self.fits.opening = id;
        if let Some(work) = id.and_then(|id| core.works.get_mut(id)) {
            work.joins_fit = true;
        }
    }

    /// Plays the wanted clip on the wanted model, once both are open.
    pub(crate) fn join_wanted_fit(&mut self, core: &mut Core, stage: &mut Stage) {
        let Some(wanted) = self.fits.wanted.clone() else { return };
        let both = [&wanted.model, &wanted.clip];
        if both.iter().any(|of| core.library.at_path(&of.path).is_none()) {
            return;
        }
        self.fits.wanted = None;
        let places = both.map(|of| core.open_place(of));
        let [Some(model), Some(clip)] = places else {
            // The index is older than the file.
            let gone = both.into_iter().zip(places).find(|(_, place)| place.is_none());
            return gone.into_iter().for_each(|(of, _)| core.tell_missing(of.entry.as_deref(), &of.path));
        };
        stage.play_on(core, model, clip);
    }
}

impl Stage {
    /// Brings a model to the stage and plays a clip on it that a person chose for it.
    fn play_on(&mut self, core: &mut Core, model: Place, clip: Place) {
        self.select(core, model);
        if self.model().is_some_and(|shown| shown.place == model) {
            return self.play_clip(core, clip, PlayMode::Anyway);
        }
        self.pending.clip_after_model = Some((clip, PlayMode::Anyway));
        self.load(core, model);
        self.bring_up_stage(core);
    }
}
