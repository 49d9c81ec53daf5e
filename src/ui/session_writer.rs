//! Writes the session whenever it changed, on a thread of its own: whether the window is drawn again does not matter.

use crate::ui::{session_file, settings::Settings};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::{
    io,
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Between two writes, so that the drag of a slider becomes a few of them.
const PAUSE: Duration = Duration::from_millis(250);

/// Keeps a file saying what the session is. Dropped, it writes what is left.
pub struct SessionWriter {
    sender: Option<Sender<Settings>>,
    thread: Option<JoinHandle<()>>,
    /// What was handed over last.
    last: Option<Settings>,
}

impl SessionWriter {
    /// Begins with what the file says, if it is known; `tell` hears why the file cannot be written.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(
        path: PathBuf,
        on_disk: Option<Settings>,
        tell: impl Fn(&io::Error) + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        let thread =
            std::thread::Builder::new().name("session".to_owned()).spawn(move || write_all(&path, &receiver, &tell))?;
        Ok(Self { sender: Some(sender), thread: Some(thread), last: on_disk })
    }

    /// Has the settings written where they changed.
    pub fn keep(&mut self, settings: &Settings) {
        if self.last.as_ref() != Some(settings)
            && let Some(sender) = &self.sender
        {
            self.last = Some(settings.clone());
            let _ = sender.send(settings.clone());
        }
    }
}

impl Drop for SessionWriter {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes the first change at once, and those that come soon after it as one.
fn write_all(path: &Path, settings: &Receiver<Settings>, tell: &impl Fn(&io::Error)) {
    let mut is_failing = false;
    let mut next = settings.recv().ok();
    while let Some(now) = next.take() {
        let written = session_file::write(path, &now);
        if let Err(error) = &written
            && !is_failing
        {
            tell(error);
        }
        is_failing = written.is_err();
        let end = Instant::now() + PAUSE;
        loop {
            match settings.recv_deadline(end) {
                Ok(newer) => next = Some(newer),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    next = next.or_else(|| settings.recv().ok());
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    fn of_volume(volume: f32) -> Settings {
        Settings { volume, ..Settings::default() }
    }

    #[test]
    fn the_last_change_is_on_disk_when_the_writer_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper").join("session.txt");
        let mut writer = SessionWriter::start(path.clone(), None, |error| panic!("{error}")).unwrap();
        for step in 0..=100 {
            writer.keep(&of_volume(step as f32 / 128.0));
        }
        drop(writer);
        assert_eq!(session_file::load(&path).settings, of_volume(100.0 / 128.0));
    }

    #[test]
    fn nothing_is_written_where_nothing_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.txt");
        let start = |on_disk| SessionWriter::start(path.clone(), on_disk, |error| panic!("{error}")).unwrap();
        let mut writer = start(Some(of_volume(0.5)));
        writer.keep(&of_volume(0.5));
        drop(writer);
        assert!(!path.exists());
        let mut writer = start(None);
        writer.keep(&of_volume(0.5));
        drop(writer);
        assert!(path.exists());
    }

    #[test]
    fn a_session_that_cannot_be_written_is_said_once_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.txt");
        std::fs::create_dir(&path).unwrap();
        let said = Arc::new(Mutex::new(0));
        let count = said.clone();
        let (told, hears) = crossbeam_channel::unbounded();
        let tell = move |_: &io::Error| {
            *count.lock().unwrap() += 1;
            told.send(()).unwrap();
        };
        let mut writer = SessionWriter::start(path.clone(), None, tell).unwrap();
        writer.keep(&of_volume(0.1));
        hears.recv().unwrap();
        writer.keep(&of_volume(0.2));
        std::fs::remove_dir(&path).unwrap();
        writer.keep(&of_volume(0.3));
        drop(writer);
        assert_eq!(*said.lock().unwrap(), 1);
        assert_eq!(session_file::load(&path).settings, of_volume(0.3));
    }
}
