//! Background work: named worker threads, progress, cancelling, and a waker that tells whoever waits. A panic in a job ends
//! that job alone. Watching files is work in the background too.

mod root_watch;
mod watch;

pub use root_watch::{RootChange, RootWatch};
pub use watch::{FileWatch, Watched};

use crate::bytes::Cancel;
use std::{
    any::Any,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use web_time::{Duration, Instant};

/// Called from a worker when a job finished or made progress.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

type Work = Box<dyn FnOnce() + Send>;

/// A job did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The work itself failed in a way it should not have; the message is the panic's.
    #[error("{title}: internal error in Bonebox: {message}")]
    Panicked {
        /// Title of the job.
        title: String,
        /// Message of the panic.
        message: String,
    },
}

/// Worker threads and the jobs that wait for them; without threads, as in a browser, the jobs wait for [`Jobs::run_for`].
pub struct Jobs {
    queue: Arc<Queue>,
    waker: Waker,
    has_threads: bool,
}

#[derive(Default)]
struct Queue {
    waiting: Mutex<(VecDeque<Work>, bool)>,
    changed: Condvar,
}

#[derive(Default)]
struct Shared {
    cancel: Cancel,
    done: AtomicU64,
    total: AtomicU64,
    step: Mutex<String>,
}

/// The progress of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Finished part of the work, out of `total`.
    pub done: u64,
    /// 0 when it is not known.
    pub total: u64,
    /// Description of the current step.
    pub step: String,
}

/// The context of a running job.
pub struct JobContext {
    shared: Arc<Shared>,
    waker: Waker,
}

impl JobContext {
    /// Returns `true` if the job was cancelled.
    pub fn cancelled(&self) -> bool {
        self.shared.cancel.is_cancelled()
    }

    /// The job's cancellation, for functions outside of `jobs`.
    pub fn cancel(&self) -> &Cancel {
        &self.shared.cancel
    }

    /// Sets the progress of the job and calls the waker. A `total` of 0 means that the total is unknown.
    pub fn progress(&self, done: u64, total: u64, step: &str) {
        self.shared.done.store(done, Ordering::Relaxed);
        self.shared.total.store(total, Ordering::Relaxed);
        step.clone_into(&mut lock(&self.shared.step));
        (self.waker)();
    }
}

/// A running job and, once, its result. Dropping it cancels the work.
pub struct Job<T> {
    /// Title of the job, for people.
    pub title: String,
    started: Instant,
    shared: Arc<Shared>,
    result: Arc<Mutex<Option<Result<T, JobError>>>>,
}

impl<T> Job<T> {
    /// The result when it is there; afterwards `None` again.
    pub fn poll(&self) -> Option<Result<T, JobError>> {
        lock(&self.result).take()
    }

    /// Cancels the job. The work ends when it next checks for cancellation.
    pub fn cancel(&self) {
        self.shared.cancel.cancel();
    }

    /// Returns the progress that the work last reported.
    pub fn progress(&self) -> Progress {
        Progress {
            done: self.shared.done.load(Ordering::Relaxed),
            total: self.shared.total.load(Ordering::Relaxed),
            step: lock(&self.shared.step).clone(),
        }
    }

    /// Seconds since it was asked for.
    pub fn age_secs(&self) -> f32 {
        self.started.elapsed().as_secs_f32()
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Jobs {
    /// Starts `workers` threads (at least one).
    pub fn new(workers: usize, waker: Waker) -> Self {
        let queue = Arc::new(Queue::default());
        for index in 0..workers.max(1) {
            let queue = queue.clone();
            let worker = std::thread::Builder::new().name(format!("worker {index}"));
            if let Err(error) = worker.spawn(move || work(&queue)) {
                log::error!("cannot start a worker thread: {error}");
            }
        }
        Self { queue, waker, has_threads: true }
    }

    /// No threads: whoever is woken calls [`Self::run_for`].
    pub fn without_threads(waker: Waker) -> Self {
        Self { queue: Arc::default(), waker, has_threads: false }
    }

    /// Runs jobs that wait, on this thread, until about `time` has passed: a job that was begun comes to its end. Where there are threads
    /// nothing is left for it to do.
    pub fn run_for(&self, time: Duration) {
        if self.has_threads {
            return;
        }
        let begun = Instant::now();
        loop {
            let (task, is_last) = {
                let mut waiting = lock(&self.queue.waiting);
                (waiting.0.pop_front(), waiting.0.is_empty())
            };
            let Some(task) = task else { return };
            task();
            if begun.elapsed() >= time {
                if !is_last {
                    (self.waker)();
                }
                return;
            }
        }
    }

    /// Creates one worker for each core of the machine.
    pub fn for_machine(waker: Waker) -> Self {
        if cfg!(target_arch = "wasm32") {
            return Self::without_threads(waker);
        }
        Self::new(std::thread::available_parallelism().map_or(2, usize::from), waker)
    }

    /// Runs `work` on a worker.
    pub fn spawn<T: Send + 'static>(
        &self,
        title: impl Into<String>,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> Job<T> {
        let (job, task) = self.job(title.into(), work);
        self.enqueue(task);
        job
    }

    /// Runs `work` on a thread of its own. For what opens files: a disk, a network or a pipe can keep it waiting for ever, and the
    /// workers are for the others then.
    pub fn spawn_apart<T: Send + 'static>(
        &self,
        title: impl Into<String>,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> Job<T> {
        let (job, task) = self.job(title.into(), work);
        if !self.has_threads {
            self.enqueue(task);
            return job;
        }
        // A thread that cannot be started drops what it was to run.
        let task = Arc::new(Mutex::new(Some(task)));
        let taken = task.clone();
        let run = move || {
            if let Some(task) = { lock(&taken).take() } {
                task();
            }
        };
        if let Err(error) = std::thread::Builder::new().name("files".to_owned()).spawn(run) {
            log::error!("cannot start the file thread: {error}");
            if let Some(task) = { lock(&task).take() } {
                self.enqueue(task);
            }
        }
        job
    }

    fn enqueue(&self, task: Work) {
        lock(&self.queue.waiting).0.push_back(task);
        if self.has_threads {
            self.queue.changed.notify_one();
        } else {
            (self.waker)();
        }
    }

    /// A job, and what is to be run for it.
    fn job<T: Send + 'static>(
        &self,
        title: String,
        work: impl FnOnce(&JobContext) -> T + Send + 'static,
    ) -> (Job<T>, Work) {
        let shared = Arc::new(Shared::default());
        let result = Arc::new(Mutex::new(None));
        let job = Job { title: title.clone(), started: Instant::now(), shared: shared.clone(), result: result.clone() };
        let waker = self.waker.clone();
        let task: Work = Box::new(move || {
            let context = JobContext { shared, waker: waker.clone() };
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&context)));
            let outcome = outcome.map_err(|panic| JobError::Panicked { title, message: panic_message(panic.as_ref()) });
            *lock(&result) = Some(outcome);
            waker();
        });
        (job, task)
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        lock(&self.queue.waiting).1 = true;
        self.queue.changed.notify_all();
    }
}

fn work(queue: &Queue) {
    loop {
        let mut waiting = lock(&queue.waiting);
        let task = loop {
            if let Some(task) = waiting.0.pop_front() {
                break task;
            }
            if waiting.1 {
                return;
            }
            waiting = queue.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        };
        drop(waiting);
        task();
    }
}

/// A lock whose holder panicked is still whole here: everything under one is set in a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown error".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn wait<T>(job: &Job<T>, woken: &mpsc::Receiver<()>) -> Result<T, JobError> {
        loop {
            if let Some(result) = job.poll() {
                return result;
            }
            woken.recv().unwrap();
        }
    }

    fn jobs() -> (Jobs, mpsc::Receiver<()>) {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let waker: Waker = Arc::new(move || {
            let _ = lock(&sender).send(());
        });
        (Jobs::new(2, waker), receiver)
    }

    #[test]
    fn a_panic_ends_its_job_and_no_other_100_times() {
        let (jobs, woken) = jobs();
        for round in 0..100 {
            let bad: Job<()> = jobs.spawn("bad", |_| panic!("injected"));
            let good = jobs.spawn("good", move |_| round);
            assert_eq!(wait(&bad, &woken), Err(JobError::Panicked { title: "bad".into(), message: "injected".into() }));
            assert_eq!(wait(&good, &woken), Ok(round));
        }
    }

    #[test]
    fn jobs_that_wait_for_files_do_not_keep_the_workers() {
        let (jobs, woken) = jobs();
        let (senders, waiting): (Vec<_>, Vec<_>) = (0..8)
            .map(|index| {
                let (sender, receiver) = mpsc::channel::<()>();
                let job = jobs.spawn_apart("waits", move |_| receiver.recv().map(|()| index));
                (sender, job)
            })
            .unzip();
        let good = jobs.spawn("good", |_| 7);
        assert_eq!(wait(&good, &woken), Ok(7));
        assert_eq!(wait(&jobs.spawn_apart("opens", |_| 8), &woken), Ok(8));
        for (index, (sender, job)) in senders.iter().zip(&waiting).enumerate() {
            assert_eq!(job.poll(), None);
            sender.send(()).unwrap();
            assert_eq!(wait(job, &woken), Ok(Ok(index)));
        }
        let bad: Job<()> = jobs.spawn_apart("bad", |_| panic!("injected"));
        assert_eq!(wait(&bad, &woken), Err(JobError::Panicked { title: "bad".into(), message: "injected".into() }));
    }

    #[test]
    fn without_threads_jobs_run_where_they_are_asked_to() {
        let (sender, woken) = mpsc::channel();
        let sender = Mutex::new(sender);
        let jobs = Jobs::without_threads(Arc::new(move || {
            let _ = lock(&sender).send(());
        }));
        let here = std::thread::current().id();
        let first = jobs.spawn("first", move |_| std::thread::current().id());
        let second = jobs.spawn_apart("second", move |_| std::thread::current().id());
        assert_eq!((first.poll(), second.poll(), woken.try_iter().count()), (None, None, 2));
        // No time is left after one of them; the other is still waited for.
        jobs.run_for(Duration::ZERO);
        assert_eq!((first.poll(), second.poll(), woken.try_iter().count()), (Some(Ok(here)), None, 2));
        jobs.run_for(Duration::ZERO);
        assert_eq!((second.poll(), woken.try_iter().count()), (Some(Ok(here)), 1));
        jobs.run_for(Duration::from_secs(1));
        assert_eq!(woken.try_iter().count(), 0);
    }

    #[test]
    fn progress_and_cancel_reach_the_other_side() {
        let (jobs, woken) = jobs();
        let job = jobs.spawn("long", |cx| {
            cx.progress(3, 7, "reading");
            while !cx.cancelled() {
                std::thread::yield_now();
            }
            "stopped"
        });
        woken.recv().unwrap();
        assert_eq!(job.progress(), Progress { done: 3, total: 7, step: "reading".into() });
        job.cancel();
        assert_eq!(wait(&job, &woken), Ok("stopped"));
        assert_eq!(job.poll(), None);
    }
}
