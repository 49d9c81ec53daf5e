//! Running work in the background and taking what it has found.

use crate::{
    formats::{Asset, Severity},
    ui::state::{
        State,
        log::LogEntry,
        message::{Message, StageSender},
    },
};

impl State {
    /// Where workers send what is for the stage in front.
    pub(in crate::ui::state) fn stage_sender(&self) -> StageSender {
        StageSender { stage: self.stages.front.id, outbox: self.core.works.sender() }
    }

    pub(in crate::ui::state) fn cancel(&mut self, id: u64) {
        if let Some(work) = self.core.works.get(id) {
            work.job.cancel();
            self.core.log.push(LogEntry::new(Severity::Info, "", format!("{}: cancelled", work.job.title)));
        }
        // Dropping it forgets what still comes.
        self.core.works.forget(id);
        self.restoring_is_over(id);
        self.collection.is_over(id);
        self.comparing.detail_work.take_if(|work| *work == id);
    }

    /// Takes what has arrived. Results are taken before their works are let go of, because a worker sends first and ends then.
    pub(in crate::ui::state) fn receive(&mut self) {
        let ended = self.core.works.ended();
        while let Some(message) = self.core.works.receive() {
            self.handle(message);
            self.finish_views();
        }
        // What was known already has come without a message.
        self.finish_views();
        for (id, result) in ended {
            self.core.works.forget(id);
            self.restoring_is_over(id);
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
                if self.stages.front.playback.wanted_model == Some(place) && self.is_current(place.file, &key) {
                    self.core.cache.insert(key, loaded.clone());
                    self.note_diagnostics(place.file, &loaded.diagnostics, false);
                    if let Asset::Model(model) = &loaded.asset {
                        self.put_on_show(place, model.clone());
                    }
                }
            }
            Message::ViewRead(read) => self.view_read(*read),
            Message::FilesChanged(paths) => self.files_changed(&paths),
            Message::Reread(reread) => self.reread(*reread),
            Message::TerrainCounted { generation, numbers } => self.stages.front.terrain_counted(generation, numbers),
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
