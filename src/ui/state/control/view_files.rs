//! Views as files: saving what is looked at, and bringing it back.

use crate::{
    formats::Severity,
    ui::{
        saved_view::SavedView,
        state::{
            State,
            control::opening::{AskedBy, name_of},
            log::LogEntry,
            message::Message,
        },
        view_file,
    },
};
use std::path::{Path, PathBuf};

impl State {
    /// Brings the view of a file back, which may be a picture.
    pub fn open_view(&mut self, path: PathBuf) {
        let sender = self.outbox.clone();
        self.run_apart(format!("Opening {}", name_of(&path)), move |_| {
            let message = match view_file::read(&path) {
                Ok((view, paths)) => Message::ViewRead { view: Box::new(view), paths },
                Err(why) => Message::Log(LogEntry::new(Severity::Error, &name_of(&path), why)),
            };
            let _ = sender.send(message);
        });
    }

    /// Opens what a view needs, and then looks at it so.
    pub(in crate::ui::state) fn view_read(&mut self, view: SavedView, paths: Vec<PathBuf>) {
        let missing = paths.iter().filter(|path| self.library.at_path(path).is_none()).cloned().collect();
        let work = self.open_in_background(missing, AskedBy::Saved);
        self.restore_view(view, paths, work);
    }

    /// Where a view of what is on the stage would be saved.
    pub(in crate::ui::state) fn suggested_view_path(&self) -> Option<PathBuf> {
        let file = self.file(self.file_in_front()?)?;
        // No view is saved into a container.
        let own = file.path.with_extension(view_file::EXTENSION);
        Some(file.on_disk.with_file_name(own.file_name()?))
    }

    pub(in crate::ui::state) fn save_view(&mut self, path: &Path) {
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
        let sender = self.outbox.clone();
        self.run_apart("Saving the view", move |_| {
            let entry = match view_file::write(&path, &view) {
                Ok(()) => LogEntry::new(Severity::Info, "", format!("saved {}", path.display())),
                Err(error) => LogEntry::new(Severity::Error, "", format!("the view cannot be saved: {error}")),
            };
            let _ = sender.send(Message::Log(entry));
        });
    }
}
