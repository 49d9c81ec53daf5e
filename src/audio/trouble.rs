//! What the device reports, and who is told.

use std::sync::{Arc, Mutex, PoisonError};

/// Called when the device reports something.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// Why nothing is heard: one sentence.
pub(super) type Trouble = Arc<Mutex<Option<String>>>;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
