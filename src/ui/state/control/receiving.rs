//! Running work in the background and taking what it has found.

use crate::{
    formats::{Asset, Severity},
    jobs::{Job, JobContext, JobError},
    ui::state::{
        State,
        log::LogEntry,
        message::{Message, StageSender, Work},
    },
};

impl State {
    /// Where workers send what is for the stage in front.
    pub(in crate::ui::state) fn stage_sender(&self) -> StageSender {
        StageSender { stage: self.stage.id, outbox: self.outbox.clone() }
    }

    /// Runs `work` in the background; a panic in it becomes a line in the log.
    pub fn run_in_background(
        &mut self,
        title: impl Into<String>,
        work: impl FnOnce(&JobContext) + Send + 'static,
    ) -> u64 {
        let job = self.jobs.spawn(title, work);
        self.note_work(job)
    }

    /// The same for work that opens files, which may have to wait for them.
    pub fn run_apart(&mut self, title: impl Into<String>, work: impl FnOnce(&JobContext) + Send + 'static) -> u64 {
        let job = self.jobs.spawn_apart(title, work);
        self.note_work(job)
    }

    fn note_work(&mut self, job: Job<()>) -> u64 {
        let id = self.fresh_id();
        self.works.push(Work {
            id,
            job,
            named: Vec::new(),
            opened: Vec::new(),
            shows_model: false,
            shows: false,
            files: 0,
            failed: 0,
            textures: None,
            joins_scene: false,
            dropped_on: None,
            restores: false,
            prefers: None,
            entry: None,
            joins_fit: false,
        });
        id
    }

    pub(in crate::ui::state) fn cancel(&mut self, id: u64) {
        if let Some(work) = self.works.iter().find(|w| w.id == id) {
            work.job.cancel();
            self.log.push(LogEntry::new(Severity::Info, "", format!("{}: cancelled", work.job.title)));
        }
        // Dropping it forgets what still comes.
        self.works.retain(|w| w.id != id);
        self.restoring_is_over(id);
        self.collection.is_over(id);
        self.comparing.detail_work.take_if(|work| *work == id);
    }

    /// Takes what has arrived. Results are taken before their works are let go of, because a worker sends first and ends then.
    pub(in crate::ui::state) fn receive(&mut self) {
        let ended: Vec<(u64, Result<(), JobError>)> =
            self.works.iter().filter_map(|w| w.job.poll().map(|result| (w.id, result))).collect();
        while let Ok(message) = self.inbox.try_recv() {
            self.handle(message);
            self.finish_views();
        }
        // What was known already has come without a message.
        self.finish_views();
        for (id, result) in ended {
            self.works.retain(|w| w.id != id);
            self.restoring_is_over(id);
            self.collection.is_over(id);
            self.comparing.detail_work.take_if(|work| *work == id);
            if let Err(error) = result {
                self.log.announce(LogEntry::new(Severity::Error, "", format!("{error}. Bonebox continues to run")));
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Command(command) => self.apply(command),
            Message::Log(entry) => self.log.announce(entry),
            Message::Opening { work, files } => self.opening(work, files),
            Message::NotOpened { work, path, why, refused } => self.not_opened(work, &path, why, refused),
            Message::Opened { work, file } => self.opened(work, file),
            Message::AllOpened { work } => self.all_opened(work),
            Message::Followed { file, entry } => self.followed(file, entry),
            Message::UsesFound { of, list } => self.uses_found(of, list),
            Message::BytesFound { turn, hits } => self.bytes_found(turn, hits),
            Message::Stepped(stepped) => self.stepped(stepped),
            Message::ThumbnailsMade(made) => self.thumbnails_made(made),
            Message::ClassesRead(classes) => self.classes_read(classes),
            Message::Compared(compared) => self.compared(compared),
            Message::AssetLoaded { place, key, loaded } => self.asset_loaded(place, key, loaded),
            Message::ModelLoaded { place, key, loaded } => {
                if self.stage.playback.wanted_model == Some(place) && self.is_current(place.file, &key) {
                    self.cache.insert(key, loaded.clone());
                    self.note_diagnostics(place.file, &loaded.diagnostics, false);
                    if let Asset::Model(model) = &loaded.asset {
                        self.put_on_show(place, model.clone());
                    }
                }
            }
            Message::ViewRead(read) => self.view_read(*read),
            Message::FilesChanged(paths) => self.files_changed(&paths),
            Message::Reread(reread) => self.reread(*reread),
            Message::TerrainCounted { generation, numbers } => self.stage.terrain_counted(generation, numbers),
            Message::Fits(clips) => self.fits_found(clips),
            Message::Paired { clip, model } => self.paired(clip, model),
            Message::ClipReady(ready) => self.clip_ready(ready),
            Message::Scene(message) => self.scene_message(message),
            Message::SoundReady(ready) => self.sound_ready(ready),
            Message::DependenciesFound { file, revision, list } => self.dependencies_found(file, revision, list),
            Message::CollectionRead(read) => self.collection_read(read),
            Message::CollectionNames(named) => self.names_read(named),
            Message::RootsChanged => self.roots_changed(),
            Message::CollectionPictures(made) => self.collection.pictures.received(made),
            Message::LinksFound { turn, shown } => self.links_found(turn, shown),
            Message::CollectionFitsFound { turn, shown } => self.collection_fits_found(turn, shown),
            Message::CollectionSearched { turn, found } => self.collection_searched(turn, *found),
            Message::ScriptsFound(found) => self.scripts_found(found),
            Message::NameMeant(meant) => self.name_meant(*meant),
            Message::TextureRead(read) => self.texture_read(*read),
            Message::PictureToCopy(image) => self.picture_to_copy(image),
            Message::TextureFound { file, entry } => self.texture_found(file, entry),
            Message::NotLoaded { place, error } => self.not_loaded(place, error),
            Message::OnStage(stage, message) => {
                self.on_stage(stage, |state| state.handle(*message));
            }
        }
    }
}
