//! Decoding entries for a stage: the one way by which assets reach it.

use crate::{
    formats::{Asset, Content, EntryId, Severity},
    library::{Loaded, OpenFile},
    scene::{Binding, BindingOptions},
    ui::{
        place::Place,
        state::{
            core::Core,
            loads::{Arrival, BindingTarget, Decoded, Purpose, Request, Ticket},
            log::LogEntry,
            message::Message,
            stage::{FailedStage, Stage, StageContent},
        },
    },
};
use std::sync::Arc;

impl Stage {
    /// Decodes an entry in the background and shows it.
    pub(crate) fn load(&mut self, core: &mut Core, place: Place) {
        self.pending.meant = None;
        self.request(core, place, Purpose::Show);
    }

    /// Cancels the entry that is going to be shown.
    pub(in crate::ui) fn stop_loading(&mut self) {
        self.pending.loads.forget_shown();
    }

    /// Decodes an entry in the background. An entry in the cache is used at once. A request that this one replaces is cancelled.
    pub(crate) fn request(&mut self, core: &mut Core, place: Place, purpose: Purpose) {
        let Some(file) = core.file(place.file).cloned() else { return };
        let options = core.load_options;
        let key = file.key(place.entry, options);
        if self
            .pending
            .loads
            .shows(place, &key)
            .is_some_and(|work| purpose == Purpose::Show && core.works.get(work).is_some())
        {
            return;
        }
        for replaced in self.pending.loads.take_replaced(place, purpose) {
            core.works.forget(replaced.work);
        }
        let target = self.binding_target(purpose);
        if let Some(loaded) = core.cache.get(&key) {
            let decoded = decoded(loaded, target);
            return self.arrived(core, place, purpose, decoded);
        }
        let (sender, key_of_result) = (self.stage_sender(core), key.clone());
        let ticket = Ticket(core.works.fresh_id());
        let work = core.works.run(title(&file, place.entry, purpose), move |cx| {
            let result = file.load(place.entry, options, cx.cancel());
            let result = result.map(|loaded| decoded(Arc::new(loaded), target)).map_err(|error| error.to_string());
            sender.send(Message::Loaded(Arrival { ticket, key: key_of_result, result }));
        });
        self.pending.loads.add(Request { ticket, work, key, place, purpose });
    }

    /// Takes the result of a request. Outdated results are dropped.
    pub(crate) fn loaded(&mut self, core: &mut Core, arrival: Arrival) {
        let Arrival { ticket, key, result } = arrival;
        let Some(Request { place, purpose, .. }) = self.pending.loads.take(ticket) else { return };
        match result {
            Ok(decoded) => {
                if core.cache.get(&key).is_none() {
                    core.note_diagnostics(place.file, &decoded.loaded.diagnostics, false);
                }
                core.cache.insert(key, decoded.loaded.clone());
                self.arrived(core, place, purpose, decoded);
            }
            Err(why) => self.not_loaded(core, place, purpose, why),
        }
    }

    fn arrived(&mut self, core: &mut Core, place: Place, purpose: Purpose, decoded: Decoded) {
        let Decoded { loaded, binding } = decoded;
        match (purpose, &loaded.asset, binding) {
            (Purpose::Show, Asset::Model(model), _) => self.put_on_show(core, place, model.clone()),
            (Purpose::Show, asset, _) => self.present(core, place, asset),
            (Purpose::Play(how), Asset::Clip(clip), Some(binding)) => {
                self.clip_ready(core, place, clip.clone(), binding, how)
            }
            (Purpose::SceneModel(id), Asset::Model(model), _) => {
                self.scene_model_loaded(core, id, place, model.clone())
            }
            (Purpose::SceneClip(id), Asset::Clip(clip), Some(binding)) => {
                self.scene_clip_ready(core, id, place, clip.clone(), binding)
            }
            (Purpose::SceneModel(id), ..) => self.forget_waiting(id),
            (Purpose::Play(_) | Purpose::SceneClip(_), ..) => {}
        }
    }

    /// Reports a failed request, on the stage itself if its content was requested.
    fn not_loaded(&mut self, core: &mut Core, place: Place, purpose: Purpose, why: String) {
        let name = core.file(place.file).map(|file| file.name.clone()).unwrap_or_default();
        let error = LogEntry::new(Severity::Error, &name, why).at(place);
        match purpose {
            Purpose::Show => {
                self.pending.joins.clear();
                self.take_stage(core, StageContent::Failed(FailedStage::new(place, error.text())));
            }
            Purpose::Play(_) => {
                _ = self.pending.clip.take_if(|coming| coming.place == place);
                if let Some(playback) = self.playback_mut() {
                    playback.returning.retain(|returning| returning.place != place);
                }
            }
            Purpose::SceneModel(id) => self.forget_waiting(id),
            Purpose::SceneClip(id) => {
                if let Some(model) = self.scene_model_mut(id) {
                    model.returning = None;
                }
            }
        }
        core.log.announce(error);
    }

    fn binding_target(&self, purpose: Purpose) -> Option<BindingTarget> {
        match purpose {
            Purpose::Play(_) => {
                let shown = self.model()?;
                Some(BindingTarget { model: shown.model.clone(), options: shown.playback.options })
            }
            Purpose::SceneClip(id) => {
                let model = self.scene()?.model(id)?.model.clone();
                Some(BindingTarget { model, options: BindingOptions::default() })
            }
            Purpose::Show | Purpose::SceneModel(_) => None,
        }
    }

    /// Repeats requests that were made for an older version of a file. What is shown in place of the stage's content comes last, because it
    /// makes the other requests useless.
    pub(crate) fn request_again(&mut self, core: &mut Core, requests: Vec<Request>) {
        let (shown, others): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| request.purpose == Purpose::Show);
        for Request { place, purpose, .. } in others.into_iter().chain(shown) {
            self.request(core, place, purpose);
        }
    }

    /// Forgets requests for entries that no longer exist.
    pub(crate) fn forget_requests(&mut self, gone: Vec<Request>) {
        for request in gone {
            if let Purpose::SceneModel(id) = request.purpose {
                self.forget_waiting(id);
            }
        }
    }
}

/// Binds a decoded clip to its model.
fn decoded(loaded: Arc<Loaded>, target: Option<BindingTarget>) -> Decoded {
    let binding = match (&loaded.asset, target) {
        (Asset::Clip(clip), Some(target)) => Some(Arc::new(Binding::new(clip, &target.model, target.options))),
        _ => None,
    };
    Decoded { loaded, binding }
}

/// The title of the work that decodes an entry.
fn title(file: &OpenFile, entry: EntryId, purpose: Purpose) -> String {
    let entry = file.entry(entry);
    let name = entry.map(|entry| &*entry.name).unwrap_or_default();
    match purpose {
        Purpose::Play(_) | Purpose::SceneClip(_) => format!("Reading the clip {name}"),
        Purpose::SceneModel(_) => format!("Reading the model of {}", file.name),
        Purpose::Show if entry.is_some_and(|entry| entry.content == Content::Model) => {
            format!("Reading the model of {}", file.name)
        }
        Purpose::Show => format!("Reading {name} of {}", file.name),
    }
}
