//! Passes results of background work on to the data that they belong to.

use crate::{
    formats::{Content, EntryId, Meaning, Severity},
    library::OpenFile,
    ui::{
        command::{Command, ModelCommand, StageCommand},
        place::{Place, PlayMode},
        state::{
            State,
            control::links::is_same,
            core::Core,
            log::LogEntry,
            message::{FoundClips, MAX_NOTICES, Message, NameMeant, PairedModel, StageSender, SteppedFile},
            stage::Stage,
        },
    },
};
use std::sync::Arc;

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
            Message::Loaded(arrival) => self.stages.front.loaded(&mut self.core, arrival),
            Message::ViewRead(read) => self.view_read(*read),
            Message::FilesChanged(paths) => self.files_changed(&paths),
            Message::Reread(reread) => self.reread(*reread),
            Message::TerrainCounted { generation, numbers } => self.stages.front.terrain_counted(generation, numbers),
            Message::Fits(clips) => self.fits_found(clips),
            Message::Paired { clip, model } => self.paired(clip, model),
            Message::SceneFits { id, generation, revision, fits } => {
                self.stages.front.scene_fits_found(&mut self.core, id, generation, revision, &fits);
            }
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
            Message::OnStage(stage, message) => {
                self.on_stage(stage, |state| state.handle(*message));
            }
        }
    }

    pub(crate) fn fits_found(&mut self, clips: FoundClips) {
        let FoundClips { generation, turn, fits, found } = clips;
        if self.stages.front.model().is_none_or(|s| s.generation != generation) {
            return;
        }
        let quiet = found.len() > MAX_NOTICES;
        let is_last = turn == self.stages.front.pending.clip_search;
        let found_any = !found.is_empty();
        for file in found {
            // It may have been opened in the meantime.
            if self.core.library.at_path(&file.path).is_none() {
                self.add_file(file, quiet);
            }
        }
        if !is_last {
            // The one that began later knows what was opened meanwhile, but not what this one has found.
            if found_any {
                self.stages.front.look_for_clips(&mut self.core, false);
            }
            return;
        }
        self.stages.front.list_clips(&mut self.core, &fits);
        self.stages.front.judge(&mut self.core, &fits);
        let pending = &self.stages.front.pending;
        if let Some(playback) = self.stages.front.playback()
            && let Some(first) = playback.first_to_play(pending.meant)
            && self.core.settings.autoplay
            && !pending.without_clip
            && pending.clip.is_none()
            && playback.playing.or(playback.chosen).is_none()
        {
            self.stages.front.play_clip(&mut self.core, first, PlayMode::Quiet);
        }
        self.stages.front.offer_bind_pose(&mut self.core);
    }

    pub(crate) fn paired(&mut self, clip: Place, model: PairedModel) {
        match model {
            PairedModel::Open(place) => {
                if self.stages.front.model().is_none_or(|s| s.place != place) {
                    self.stages.front.pending.clip_after_model = Some((clip, PlayMode::Asked));
                    self.stages.front.load(&mut self.core, place);
                } else {
                    // It was dropped on the model: whatever of it fits plays, and can be taken back.
                    self.stages.front.play_clip(&mut self.core, clip, PlayMode::Anyway);
                    self.stages.front.look_for_clips(&mut self.core, false);
                }
            }
            PairedModel::Beside(file) => {
                let Some(entry) = file.entries_with(Content::Model).first().copied() else { return };
                let id = self.add_file(file, false);
                self.stages.front.pending.clip_after_model = Some((clip, PlayMode::Asked));
                self.stages.front.load(&mut self.core, Place { file: id, entry });
            }
            PairedModel::None(reason) => {
                let Some(file) = self.core.file(clip.file).cloned() else { return };
                let own_bones = file.entries_with(Content::Model).first().copied();
                match own_bones {
                    // With a model on show the question is the user's; without one, bones are better than nothing.
                    Some(entry) if self.stages.front.model().is_none() => {
                        self.stages.front.pending.clip_after_model = Some((clip, PlayMode::Asked));
                        self.stages.front.load(&mut self.core, Place { file: clip.file, entry });
                    }
                    _ => {
                        if self.stages.front.model().is_none() {
                            // A clip on its own is its curves.
                            self.stages.front.load(&mut self.core, clip);
                        }
                        let mut entry = LogEntry::new(Severity::Warning, &file.name, reason).at(clip);
                        if let Some(own) = own_bones {
                            entry = entry.with_action(
                                "Show the clip's bones",
                                Command::Stage(StageCommand::Show(Place { file: clip.file, entry: own })),
                            );
                        } else if self.stages.front.model().is_some() {
                            entry = entry.with_action("Play anyway", Command::Model(ModelCommand::PlayAnyway(clip)));
                        }
                        self.core.log.announce(entry);
                    }
                }
            }
        }
    }

    pub(crate) fn name_meant(&mut self, meant: NameMeant) {
        let NameMeant { text, at, meaning, file, goes } = meant;
        let Some(shown) = self.stages.front.content.text_mut().filter(|shown| shown.place == text) else { return };
        if !goes {
            let says = meaning.and_then(|meaning| match meaning {
                Meaning::Defined(definition) => Some(definition.says),
                Meaning::BuiltIn(path) => Some(format!("class {path}\nbuilt into the game's executable")),
                Meaning::Unknown { .. } => None,
            });
            if let Some(explained) = shown.explained.as_mut().filter(|explained| explained.at == at) {
                explained.says = says;
            }
            return;
        }
        match (meaning, file) {
            (_, Some(Err(error))) => self.core.log.announce(*error),
            (Some(Meaning::Defined(definition)), None) => {
                self.stages.front.show_definition(&mut self.core, text.file, &definition)
            }
            (Some(Meaning::Defined(definition)), Some(Ok(file))) => {
                let id = self.core.library.at_path(&file.path).unwrap_or_else(|| self.add_file(file, false));
                self.stages.front.show_definition(&mut self.core, id, &definition);
            }
            (Some(Meaning::BuiltIn(path)), _) => {
                let message = format!("{path} is built into the game's executable and has no file");
                self.core.log.announce(LogEntry::new(Severity::Info, "", message));
            }
            (Some(Meaning::Unknown { name, missing }), _) => {
                self.stages.front.define_elsewhere(&mut self.core, text, &name, &missing)
            }
            (None, _) => {}
        }
    }

    pub(crate) fn followed(&mut self, file: Arc<OpenFile>, entry: EntryId) {
        let known = self.core.library.files.iter().find(|f| is_same(&f.file.path, &file.path)).map(|f| f.id);
        let id = known.unwrap_or_else(|| self.add_file(file, false));
        self.stages.front.select(&mut self.core, Place { file: id, entry });
    }

    /// A texture was found, in a file that may not be open yet.
    pub(crate) fn texture_found(&mut self, file: Arc<OpenFile>, entry: EntryId) {
        let id = self.core.library.at_path(&file.path).unwrap_or_else(|| self.add_file(file, false));
        let place = Place { file: id, entry };
        self.stages.front.select(&mut self.core, place);
        self.stages.front.show(&mut self.core, place);
    }

    pub(crate) fn stepped(&mut self, stepped: SteppedFile) {
        let SteppedFile { from, file, wrapped, by } = stepped;
        self.file_step.work = None;
        let (name, path) = (file.name.clone(), file.path.clone());
        let known = self.core.library.at_path(&path);
        let id = known.unwrap_or_else(|| self.add_file(file, true));
        if known.is_none() {
            self.core.settings.remember(&path);
        }
        let replaced = self.file_step.opened.replace(id).filter(|before| *before == from && from != id);
        if known.is_some() {
            // A person has opened it: it stays.
            self.file_step.opened = None;
        }
        // Before the other is shown: what closes takes the stage along.
        if let Some(replaced) = replaced {
            self.close(replaced);
        }
        let place = Place { file: id, entry: EntryId::FILE };
        self.stages.front.select(&mut self.core, place);
        self.stages.front.show(&mut self.core, place);
        if wrapped {
            let (before, now) = if by > 0 { ("last", "first") } else { ("first", "last") };
            let text = format!("reached the {before} file in the folder, continued with the {now}");
            self.core.log.announce(LogEntry::new(Severity::Info, &name, text));
        }
        let more = std::mem::take(&mut self.file_step.more);
        if more != 0 {
            self.step_file(more.signum());
            self.file_step.more = more - more.signum();
        }
    }
}

impl Stage {
    /// Returns the sender for results for this stage.
    pub(crate) fn stage_sender(&self, core: &Core) -> StageSender {
        StageSender { stage: self.id, outbox: core.works.sender() }
    }
}
