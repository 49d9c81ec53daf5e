//! Ends the process where a thumbnail takes too long.

use std::{
    io,
    process::{abort, exit},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{Builder, sleep},
    time::Duration,
};

/// What a thumbnail may take.
const LONGEST: Duration = Duration::from_secs(10);
/// What may still be taken to write the picture, and by drivers to let go of what they have.
const ENDING: Duration = Duration::from_secs(1);

/// Counts the seconds. Whoever asked for a picture waits for no file, however it was made.
pub struct Watch {
    /// The picture is there. Held while it is written, so that it is there whole or not at all.
    is_there: Arc<Mutex<bool>>,
}

impl Watch {
    /// # Errors
    /// When no thread can be begun.
    pub fn begin() -> io::Result<Self> {
        let is_there = Arc::new(Mutex::new(false));
        let seen = is_there.clone();
        Builder::new().name("watch".to_owned()).spawn(move || {
            sleep(LONGEST);
            // First of all: writing the picture, which has the lock, may never end.
            let _ = Builder::new().spawn(|| {
                sleep(ENDING);
                abort()
            });
            let is_there = lock(&seen);
            if !*is_there {
                super::output::say(format_args!("error: rendering timed out after {} seconds", LONGEST.as_secs()));
            }
            exit(if *is_there { 0 } else { 1 })
        })?;
        Ok(Self { is_there })
    }

    /// Has the picture written, unless the time is over.
    ///
    /// # Errors
    /// What `write` says.
    pub fn finish<E>(&self, write: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let mut is_there = lock(&self.is_there);
        write()?;
        *is_there = true;
        Ok(())
    }
}

fn lock(is_there: &Mutex<bool>) -> MutexGuard<'_, bool> {
    is_there.lock().unwrap_or_else(PoisonError::into_inner)
}
