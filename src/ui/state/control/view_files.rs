//! Views as files: saving what is looked at, and bringing it back.

use crate::{
    files::text_of,
    formats::Severity,
    ui::{
        named_file::{self, NamedFile},
        short_text::shortened,
        state::{
            State,
            control::opening::{AskedBy, name_of},
            core::Core,
            log::LogEntry,
            message::Message,
        },
        view_file::{self, ReadView},
    },
};
use std::path::{Path, PathBuf};

/// Maximum number of notices about one view. The log has all messages.
const MAX_NOTICES: usize = 3;
/// Maximum number of characters of a path in the log.
const MAX_LOGGED_PATH: usize = 160;

impl State {
    /// Opens the files of a view and shows them as it does. Files outside its folder are asked about first.
    pub(crate) fn view_read(&mut self, mut read: ReadView) {
        for named in &mut read.files {
            let known = |path: &&PathBuf| self.core.library.at_path(path).is_some();
            if let NamedFile::Outside(paths) = named
                && let Some(open) = paths.iter().find(known)
            {
                *named = NamedFile::Allowed(open.clone());
            }
        }
        if read.named().any(|named| matches!(named, NamedFile::Outside(_))) {
            self.dialogs.asked_view = Some(Box::new(read));
        } else {
            self.bring_view_back(read);
        }
    }

    /// Opens the view that a person was asked about, with the files outside its folder or without them.
    pub(crate) fn answer_view(&mut self, with_outside: bool) {
        let Some(mut read) = self.dialogs.asked_view.take() else { return };
        if !with_outside {
            return self.bring_view_back(*read);
        }
        let sender = self.core.works.sender();
        self.core.works.run_apart(format!("Opening {}", read.name), move |_| {
            read.named_mut().for_each(NamedFile::allow);
            let _ = sender.send(Message::ViewRead(read));
        });
    }

    /// Opens the allowed files of a view, and then shows them as it does.
    fn bring_view_back(&mut self, read: ReadView) {
        let mut notices = 0..MAX_NOTICES;
        for named in read.named() {
            let why = match named {
                NamedFile::Allowed(_) => continue,
                NamedFile::Outside(_) => "the file is outside the view's folder",
                NamedFile::Refused(path) if named_file::is_too_long(path) => "the path is too long",
                NamedFile::Refused(path) if view_file::is_view(path) => "a view cannot open another view",
                NamedFile::Refused(_) => "network paths and devices are not allowed in views",
            };
            let path = shortened(&text_of(named.path()), MAX_LOGGED_PATH);
            let entry = LogEntry::new(Severity::Warning, &read.name, format!("cannot open {path}: {why}"));
            match named {
                NamedFile::Refused(_) if notices.next().is_some() => self.core.log.announce(entry),
                // The person has just declined a file outside the folder.
                _ => self.core.log.push(entry),
            }
        }
        let ReadView { mut view, files, pictures, .. } = read;
        let allowed = |named: &NamedFile| matches!(named, NamedFile::Allowed(_));
        if !files.iter().any(allowed) {
            return;
        }
        for (picture, named) in view.pictures.iter_mut().zip(&pictures) {
            // An empty path is no picture.
            picture.path = if allowed(named) { named.path().to_owned() } else { PathBuf::new() };
        }
        let is_missing = |named: &&NamedFile| allowed(named) && self.core.library.at_path(named.path()).is_none();
        let missing = files.iter().filter(is_missing).map(|named| named.path().to_owned()).collect();
        let work = self.core.open_in_background(missing, AskedBy::Saved);
        let paths = files.iter().map(|named| named.path().to_owned()).collect();
        self.restore_view(view, paths, work);
    }

    /// Where a view of what is on the stage would be saved.
    pub(crate) fn suggested_view_path(&self) -> Option<PathBuf> {
        let file = self.core.file(self.file_in_front()?)?;
        // No view is saved into a container.
        let own = file.path.with_extension(view_file::EXTENSION);
        Some(file.on_disk.with_file_name(own.file_name()?))
    }

    pub(crate) fn save_view(&mut self, path: &Path) {
        let path = match view_file::is_view(path) {
            true => path.to_owned(),
            false => {
                let mut name = path.as_os_str().to_owned();
                name.push(".");
                name.push(view_file::EXTENSION);
                PathBuf::from(name)
            }
        };
        let view = self.view_now();
        let sender = self.core.works.sender();
        self.core.works.run_apart("Saving the view", move |_| {
            let entry = match view_file::write(&path, &view) {
                Ok(()) => LogEntry::new(Severity::Info, "", format!("Saved {}", path.display())),
                Err(error) => LogEntry::new(Severity::Error, "", format!("Cannot save the view: {error}")),
            };
            let _ = sender.send(Message::Log(entry));
        });
    }
}

impl Core {
    /// Brings the view of a file back, which may be a picture.
    pub fn open_view(&mut self, path: PathBuf) {
        let sender = self.works.sender();
        self.works.run_apart(format!("Opening {}", name_of(&path)), move |_| {
            let message = match view_file::read(&path) {
                Ok(read) => Message::ViewRead(Box::new(read)),
                Err(why) => Message::Log(LogEntry::new(Severity::Error, &name_of(&path), why)),
            };
            let _ = sender.send(message);
        });
    }
}
