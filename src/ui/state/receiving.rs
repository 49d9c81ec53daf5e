//! Background work and what comes back from it.

use super::{
    FileId, LogEntry, Place, Reread, StageId, State, UsedBy, opening::MAX_NOTICES, sound::SoundReady,
    texturing::TextureRead, thumbnails::MadeThumbnails,
};
use crate::{
    formats::{Asset, EntryId, Severity},
    jobs::{Job, JobContext, JobError, Progress},
    library::{AssetKey, ClipFit, Loaded, OpenFile},
    scene::{Binding, Clip, TerrainStatistics},
    ui::command::Command,
};
use std::{path::PathBuf, sync::Arc};

/// A piece of background work.
pub struct Work {
    pub id: u64,
    pub(super) job: Job<()>,
    /// Files that it has opened.
    pub(super) opened: Vec<FileId>,
    /// It has put a model, a level or a landscape on the stage.
    pub(super) shows_model: bool,
    /// It has put something on the stage.
    pub(super) shows: bool,
    /// Files that it opens in all, once that is known.
    pub(super) files: usize,
    /// Files that it could not open.
    pub(super) failed: usize,
    /// Images that fit the model in front become its textures; `true` for one that was dropped by itself.
    pub(super) textures: Option<bool>,
    /// It brings the last session back.
    pub(super) restores: bool,
    /// The file whose model is to be shown, instead of the first one with a model.
    pub(super) prefers: Option<PathBuf>,
}

impl Work {
    /// Whether single files are told of in the log alone.
    pub(super) fn is_quiet(&self) -> bool {
        self.restores || self.files > MAX_NOTICES
    }

    pub fn title(&self) -> &str {
        &self.job.title
    }

    pub fn age_secs(&self) -> f32 {
        self.job.age_secs()
    }

    pub fn progress(&self) -> Progress {
        self.job.progress()
    }
}

/// What comes back from workers and dialogs.
pub enum Message {
    /// A dialog was answered.
    Command(Command),
    Log(LogEntry),
    /// The files of a request are counted.
    Opening {
        work: u64,
        files: usize,
    },
    Opened {
        work: u64,
        file: Arc<OpenFile>,
    },
    NotOpened {
        work: u64,
        file: String,
        why: String,
    },
    /// All files of a request were tried.
    AllOpened {
        work: u64,
    },
    /// A reference led to an entry of this file.
    Followed {
        file: Arc<OpenFile>,
        entry: EntryId,
    },
    UsesFound {
        of: Place,
        list: Vec<UsedBy>,
    },
    ThumbnailsMade(MadeThumbnails),
    AssetLoaded {
        place: Place,
        key: AssetKey,
        loaded: Arc<Loaded>,
    },
    ModelLoaded {
        place: Place,
        key: AssetKey,
        loaded: Arc<Loaded>,
    },
    /// A file was read anew.
    Reread(Box<Reread>),
    /// The numbers of the landscape on show.
    TerrainCounted {
        generation: u64,
        numbers: Arc<TerrainStatistics>,
    },
    /// Which clips fit the shown model; `found` were not open before.
    Fits {
        generation: u64,
        fits: Vec<ClipFit>,
        found: Vec<Arc<OpenFile>>,
    },
    /// Which model the clips of some files belong to.
    Paired {
        clip: Place,
        model: PairedModel,
    },
    ClipReady(ClipReady),
    SoundReady(SoundReady),
    /// An image that is to be a texture of the model.
    TextureRead(Box<TextureRead>),
    /// What was to be shown cannot be read.
    NotLoaded {
        place: Place,
        error: LogEntry,
    },
    /// For a stage, if it is still there.
    OnStage(StageId, Box<Message>),
}

/// Sends what workers have to the stage that asked for it.
pub(super) struct StageSender {
    stage: StageId,
    outbox: crossbeam_channel::Sender<Message>,
}

impl StageSender {
    pub(super) fn send(&self, message: Message) {
        // Nobody listens once the window is gone.
        let _ = self.outbox.send(Message::OnStage(self.stage, Box::new(message)));
    }
}

/// The model that clips belong to.
pub enum PairedModel {
    /// Open already.
    Open(Place),
    /// Lies beside the clips.
    Beside(Arc<OpenFile>),
    /// None; what came nearest, in words.
    None(String),
}

/// A clip joined to the shown model.
pub struct ClipReady {
    pub(super) place: Place,
    pub(super) generation: u64,
    pub(super) key: AssetKey,
    pub(super) loaded: Arc<Loaded>,
    pub(super) clip: Arc<Clip>,
    pub(super) binding: Arc<Binding>,
    pub(super) how: PlayMode,
}

/// Why a clip is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlayMode {
    /// Asked for: says how it fits, and refuses when little of it does.
    Asked,
    /// By itself: says nothing when it does not work out.
    Quiet,
    /// Whatever fits.
    Anyway,
    /// The same clip again with other switches: the time stays.
    Again,
    /// Beside the clip that plays, where nothing of its kind does.
    Join,
}

impl State {
    /// Where workers send what is for the stage in front.
    pub(super) fn stage_sender(&self) -> StageSender {
        StageSender { stage: self.stage.id, outbox: self.outbox.clone() }
    }

    /// Runs `work` in the background; a panic in it becomes a line in the log.
    pub fn run_in_background(
        &mut self,
        title: impl Into<String>,
        work: impl FnOnce(&JobContext) + Send + 'static,
    ) -> u64 {
        let id = self.fresh_id();
        let job = self.jobs.spawn(title, work);
        self.works.push(Work {
            id,
            job,
            opened: Vec::new(),
            shows_model: false,
            shows: false,
            files: 0,
            failed: 0,
            textures: None,
            restores: false,
            prefers: None,
        });
        id
    }

    pub(super) fn cancel(&mut self, id: u64) {
        if let Some(work) = self.works.iter().find(|w| w.id == id) {
            work.job.cancel();
            self.log.push(LogEntry::new(Severity::Info, "", format!("{}: cancelled", work.job.title)));
        }
        // Dropping it forgets what still comes.
        self.works.retain(|w| w.id != id);
    }

    /// Takes what has arrived. Results are taken before their works are let go of, because a worker sends first and ends then.
    pub(super) fn receive(&mut self) {
        let ended: Vec<(u64, Result<(), JobError>)> =
            self.works.iter().filter_map(|w| w.job.poll().map(|result| (w.id, result))).collect();
        while let Ok(message) = self.inbox.try_recv() {
            self.handle(message);
        }
        for (id, result) in ended {
            self.works.retain(|w| w.id != id);
            if let Err(error) = result {
                self.log.announce(LogEntry::new(Severity::Error, "", format!("{error}. Bonebox carries on.")));
            }
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Command(command) => self.apply(command),
            Message::Log(entry) => self.log.announce(entry),
            Message::Opening { work, files } => self.opening(work, files),
            Message::NotOpened { work, file, why } => self.not_opened(work, &file, why),
            Message::Opened { work, file } => self.opened(work, file),
            Message::AllOpened { work } => self.all_opened(work),
            Message::Followed { file, entry } => self.followed(file, entry),
            Message::UsesFound { of, list } => self.uses_found(of, list),
            Message::ThumbnailsMade(made) => self.thumbnails_made(made),
            Message::AssetLoaded { place, key, loaded } => self.asset_loaded(place, key, loaded),
            Message::ModelLoaded { place, key, loaded } => {
                if self.stage.playback.wanted_model == Some(place) && self.file(place.file).is_some() {
                    self.cache.insert(key, loaded.clone());
                    self.note_diagnostics(place.file, &loaded.diagnostics, false);
                    if let Asset::Model(model) = &loaded.asset {
                        self.put_on_show(place, model.clone());
                    }
                }
            }
            Message::Reread(reread) => self.reread(*reread),
            Message::TerrainCounted { generation, numbers } => self.terrain_counted(generation, numbers),
            Message::Fits { generation, fits, found } => self.fits_found(generation, fits, found),
            Message::Paired { clip, model } => self.paired(clip, model),
            Message::ClipReady(ready) => self.clip_ready(ready),
            Message::SoundReady(ready) => self.sound_ready(ready),
            Message::TextureRead(read) => self.texture_read(*read),
            Message::NotLoaded { place, error } => self.not_loaded(place, error),
            Message::OnStage(stage, message) => {
                self.on_stage(stage, |state| state.handle(*message));
            }
        }
    }
}
