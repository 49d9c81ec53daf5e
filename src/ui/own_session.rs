//! The session file of each window: two windows never write the same one.

use crate::files::{self as fs, File};
use crate::ui::{
    session_file::{Loaded, NAME, load},
    settings::Settings,
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The name of the program's folder among those for data of users.
const FOLDER: &str = "bonebox";
/// Maximum number of windows that keep a session.
const MAX_SESSIONS: usize = 16;

/// A session file that one window alone writes, as long as it is open.
#[derive(Debug)]
pub struct OwnSession {
    pub path: PathBuf,
    /// The session file of the first window.
    first: PathBuf,
    /// Locked until the program ends; `None` on a file system without locks.
    _lock: Option<File>,
}

impl OwnSession {
    /// Takes the first of `session.txt`, `session-2.txt` and so on in the program's folder that no other window has. Returns `None` for a
    /// user without a home.
    pub fn of_user() -> Option<io::Result<Self>> {
        Some(Self::within(&eframe::storage_dir(FOLDER)?))
    }

    /// Takes the first session file in a folder that no other window has.
    ///
    /// # Errors
    /// Returns an error if other windows have all of them.
    pub fn within(folder: &Path) -> io::Result<Self> {
        let first = folder.join(NAME);
        for number in 1..=MAX_SESSIONS {
            let path = match number {
                1 => first.clone(),
                _ => folder.join(NAME.replace('.', &format!("-{number}."))),
            };
            let lock = match locked(&path.with_extension("lock")) {
                Ok(Some(lock)) => Some(lock),
                Ok(None) => continue,
                Err(error) => {
                    log::warn!("cannot lock {}: {error}", path.display());
                    None
                }
            };
            return Ok(Self { path, first, _lock: lock });
        }
        Err(io::Error::other(format!("{MAX_SESSIONS} other Bonebox windows are open. Close one of them")))
    }

    /// Whether other windows were open when this one was opened.
    pub fn is_beside_another(&self) -> bool {
        self.path != self.first
    }

    /// Reads the session. A window next to others has the settings of the first window, and open files of its own.
    pub fn load(&self) -> Loaded {
        if !self.is_beside_another() {
            return load(&self.path);
        }
        let own = if fs::exists(&self.path) { load(&self.path) } else { Loaded::default() };
        let Settings { session, session_shown, session_view, .. } = own.settings;
        let settings = Settings { session, session_shown, session_view, ..load(&self.first).settings };
        Loaded { settings, is_on_disk: false, ..own }
    }
}

/// Creates and locks a file. Returns `None` if another program has locked it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    // A pipe would be waited for.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(io::Error::other("the path is not a file"));
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    Ok(fs::try_lock(&file)?.then_some(file))
}
