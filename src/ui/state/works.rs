//! Background work of the window, and the channel by which its results come back.

use crate::{
    jobs::{Job, JobContext, JobError, Jobs, Progress, Waker},
    ui::{
        place::{FileId, Place},
        state::message::{MAX_NOTICES, Message},
    },
};
use crossbeam_channel::{Receiver, Sender};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// The origin of a request to open files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// The command line. Pipes are read.
    CommandLine,
    /// The user, in the window.
    Person,
    /// A restored session or view. Files in quarantine are not opened.
    Saved,
}

/// A job.
pub struct Work {
    pub id: u64,
    pub(crate) job: Job<()>,
    /// Files and folders to open.
    pub(crate) named: Vec<PathBuf>,
    /// Opened files.
    pub(crate) opened: Vec<FileId>,
    /// True if the job has shown a model, level or landscape.
    pub(crate) shows_model: bool,
    /// True if the job has shown anything.
    pub(crate) shows: bool,
    /// Total number of files to open, once it is known.
    pub(crate) files: usize,
    /// Number of files that cannot be opened.
    pub(crate) failed: usize,
    /// Set if images become textures of the shown model; `true` for a single image.
    pub(crate) textures: Option<bool>,
    /// True if opened models are added to the scene.
    pub(crate) joins_scene: bool,
    /// The model that was shown when the files were dropped on the stage.
    pub(crate) dropped_on: Option<Place>,
    /// True if the job restores the last session.
    pub(crate) restores: bool,
    /// The file with the model to show, instead of the first file with a model.
    pub(crate) prefers: Option<PathBuf>,
    /// The entry to show, if the job opens one file.
    pub(crate) entry: Option<String>,
    /// True if the job opens a model and a clip to play together.
    pub(crate) joins_fit: bool,
}

impl Work {
    /// True if single files are only reported in the log.
    pub(crate) fn is_quiet(&self) -> bool {
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

/// The function that wakes the window; empty until the window is open.
type WakeSlot = Arc<Mutex<Option<Box<dyn Fn() + Send>>>>;

/// The running work, and the means to start more of it.
pub struct Works {
    running: Vec<Work>,
    jobs: Jobs,
    wake: WakeSlot,
    waker: Waker,
    inbox: Receiver<Message>,
    outbox: Sender<Message>,
    last_id: u64,
}

impl Works {
    pub(super) fn new() -> Self {
        let wake: WakeSlot = Arc::default();
        let slot = wake.clone();
        let waker: Waker = Arc::new(move || {
            if let Some(wake) = slot.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                wake();
            }
        });
        let (outbox, inbox) = crossbeam_channel::unbounded();
        let jobs = Jobs::for_machine(waker.clone());
        Self { running: Vec::new(), jobs, wake, waker, inbox, outbox, last_id: 1 }
    }

    /// Sets the function that wakes the window when background work has a result.
    pub fn set_wake(&mut self, wake: impl Fn() + Send + 'static) {
        *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    }

    /// Wakes the window, from any thread.
    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Sends results of workers and dialogs to the window.
    pub fn sender(&self) -> Sender<Message> {
        self.outbox.clone()
    }

    /// Runs `work` in the background; a panic in it becomes a line in the log.
    pub fn run(&mut self, title: impl Into<String>, work: impl FnOnce(&JobContext) + Send + 'static) -> u64 {
        let job = self.jobs.spawn(title, work);
        self.note(job)
    }

    /// Runs work that opens files on its own thread, because a slow disk may block it.
    pub fn run_apart(&mut self, title: impl Into<String>, work: impl FnOnce(&JobContext) + Send + 'static) -> u64 {
        let job = self.jobs.spawn_apart(title, work);
        self.note(job)
    }

    fn note(&mut self, job: Job<()>) -> u64 {
        let id = self.fresh_id();
        self.running.push(Work {
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

    /// Returns a new number for a job, generation or turn.
    pub(crate) fn fresh_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The id that the next work will get.
    pub(super) fn next_id(&self) -> u64 {
        self.last_id + 1
    }

    pub fn iter(&self) -> impl Iterator<Item = &Work> {
        self.running.iter()
    }

    pub fn get(&self, id: u64) -> Option<&Work> {
        self.running.iter().find(|work| work.id == id)
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Work> {
        self.running.iter_mut().find(|work| work.id == id)
    }

    /// Stops work; its results are dropped when they arrive.
    pub(super) fn forget(&mut self, id: u64) {
        self.running.retain(|work| work.id != id);
    }

    /// Returns true if a job is running.
    pub fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// Work that has ended, and how.
    pub(super) fn ended(&self) -> Vec<(u64, Result<(), JobError>)> {
        self.running.iter().filter_map(|work| work.job.poll().map(|result| (work.id, result))).collect()
    }

    /// The next result that has arrived.
    pub(super) fn receive(&self) -> Option<Message> {
        self.inbox.try_recv().ok()
    }

    /// Runs jobs for about this long, where jobs have no threads.
    pub fn run_for(&self, time: Duration) {
        self.jobs.run_for(time);
    }
}
