//! Running work in the background and taking what it has found.

use crate::{
    formats::{Asset, Severity},
    ui::state::{
        State,
        core::Core,
        log::LogEntry,
        message::{Message, StageSender},
        stage::Stage,
    },
};

impl State {
    pub(crate) fn cancel(&mut self, id: u64) {
        if let Some(work) = self.core.works.get(id) {
            work.job.cancel();
            self.core.log.push(LogEntry::new(Severity::Info, "", format!("{}: cancelled", work.job.title)));
        }
        // Dropping it forgets what still comes.
        self.core.works.forget(id);
        self.restore.restoring_is_over(id);
        self.collection.is_over(id);
        self.comparing.detail_work.take_if(|work| *work == id);
    }

    /// Takes what has arrived. Results are taken before their works are let go of, because a worker sends first and ends then.
    pub(crate) fn receive(&mut self) {
        let ended = self.core.works.ended();
        while let Some(message) = self.core.works.receive() {
            self.handle(message);
            self.finish_views();
        }
        // What was known already has come without a message.
        self.finish_views();
        for (id, result) in ended {
            self.core.works.forget(id);
            self.restore.restoring_is_over(id);
            self.collection.is_over(id);
            self.comparing.detail_work.take_if(|work| *work == id);
            if let Err(error) = result {
                self.core.log.announce(LogEntry::new(
                    Severity::Error,
                    "",
                    format!("{error}. Bonebox continues to run"),
                ));
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Command(command) => self.apply(command),
            Message::Log(entry) => self.core.log.announce(entry),
            Message::Opening { work, files } => self.core.opening(work, files),
            Message::NotOpened { work, path, why, refused } => self.core.not_opened(work, &path, why, refused),
            Message::Opened { work, file } => self.opened(work, file),
            Message::AllOpened { work } => self.all_opened(work),
            Message::Followed { file, entry } => self.followed(file, entry),
            Message::UsesFound { of, list } => self.lookups.uses_found(of, list),
            Message::BytesFound { turn, hits } => {
                self.lookups.bytes_found(&mut self.core, &mut self.stages.front, turn, hits)
            }
            Message::Stepped(stepped) => self.stepped(stepped),
            Message::ThumbnailsMade(made) => self.thumbnails.thumbnails_made(&mut self.core, made),
            Message::ClassesRead(classes) => self.lookups.classes_read(classes),
            Message::Compared(compared) => self.comparing.compared(&mut self.core, compared),
            Message::AssetLoaded { place, key, loaded } => {
                self.stages.front.asset_loaded(&mut self.core, place, key, loaded)
            }
            Message::ModelLoaded { place, key, loaded } => {
                if self.stages.front.playback.wanted_model == Some(place) && self.core.is_current(place.file, &key) {
                    self.core.cache.insert(key, loaded.clone());
                    self.core.note_diagnostics(place.file, &loaded.diagnostics, false);
                    if let Asset::Model(model) = &loaded.asset {
                        self.stages.front.put_on_show(&mut self.core, place, model.clone());
                    }
                }
            }
            Message::ViewRead(read) => self.view_read(*read),
            Message::FilesChanged(paths) => self.files_changed(&paths),
            Message::Reread(reread) => self.reread(*reread),
            Message::TerrainCounted { generation, numbers } => self.stages.front.terrain_counted(generation, numbers),
            Message::Fits(clips) => self.fits_found(clips),
            Message::Paired { clip, model } => self.paired(clip, model),
            Message::ClipReady(ready) => self.stages.front.clip_ready(&mut self.core, ready),
            Message::Scene(message) => self.stages.front.scene_message(&mut self.core, message),
            Message::SoundReady(ready) => self.stages.front.sound_ready(&mut self.core, ready),
            Message::DependenciesFound { file, revision, list } => {
                self.lookups.dependencies_found(file, revision, list)
            }
            Message::CollectionRead(read) => self.collection.collection_read(&mut self.core, read),
            Message::CollectionNames(named) => self.collection.names_read(&mut self.core, named),
            Message::RootsChanged => self.collection.roots_changed(&mut self.core),
            Message::CollectionPictures(made) => self.collection.pictures.received(made),
            Message::LinksFound { turn, shown } => self.collection.links_found(turn, shown),
            Message::CollectionFitsFound { turn, shown } => self.collection.collection_fits_found(turn, shown),
            Message::CollectionSearched { turn, found } => self.collection.collection_searched(turn, *found),
            Message::ScriptsFound(found) => self.lookups.scripts_found(found),
            Message::NameMeant(meant) => self.name_meant(*meant),
            Message::TextureRead(read) => self.stages.front.texture_read(&mut self.core, *read),
            Message::PictureToCopy(image) => self.core.picture_to_copy(image),
            Message::TextureFound { file, entry } => self.texture_found(file, entry),
            Message::NotLoaded { place, error } => self.stages.front.not_loaded(&mut self.core, place, error),
            Message::OnStage(stage, message) => {
                self.on_stage(stage, |state| state.handle(*message));
            }
        }
    }
}

impl Stage {
    /// Where workers send what is for the stage in front.
    pub(crate) fn stage_sender(&self, core: &Core) -> StageSender {
        StageSender { stage: self.id, outbox: core.works.sender() }
    }
}
