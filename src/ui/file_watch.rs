//! Joins the watching of files to the state.

use crate::ui::state::{LogEntry, Message, State};
use crate::{
    formats::Severity,
    jobs::{FileWatch, RootChange, RootWatch, Watched},
};

/// What tells the state of files that change on disk; the log says where nothing can.
pub fn start(state: &mut State) -> Option<FileWatch> {
    let (sender, wake) = (state.core.works.sender(), state.core.works.waker());
    let tell = move |told: Watched| {
        let message = match told {
            Watched::Changed(files) => Message::FilesChanged(files),
            Watched::Trouble(why) => Message::Log(LogEntry::new(Severity::Warning, "", why)),
        };
        let _ = sender.send(message);
        wake();
    };
    let cannot = |error: &std::io::Error| {
        let text = format!("Cannot watch the open files for changes: {error}");
        state.core.log.push(LogEntry::new(Severity::Warning, "", text));
    };
    FileWatch::start(tell).inspect_err(cannot).ok()
}

/// The same of the roots of the collection.
pub fn start_roots(state: &mut State) -> Option<RootWatch> {
    let (sender, wake) = (state.core.works.sender(), state.core.works.waker());
    let tell = move |told: RootChange| {
        let message = match told {
            RootChange::Changed => Message::RootsChanged,
            RootChange::Trouble(why) => Message::Log(LogEntry::new(Severity::Warning, "", why)),
        };
        let _ = sender.send(message);
        wake();
    };
    let cannot = |error: &std::io::Error| {
        let text = format!("Cannot watch the collection for changes: {error}");
        state.core.log.push(LogEntry::new(Severity::Warning, "", text));
    };
    RootWatch::start(tell).inspect_err(cannot).ok()
}
