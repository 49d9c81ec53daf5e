//! File dialogs and the file manager. Dialogs are those of the system, each on a thread of its own, for they may take as long as they like; and our own where the
//! system has none that answers.

use crate::{
    formats::Severity,
    ui::{
        command::{Ask, Choice, Command, WindowCommand},
        dialogs::{answer, known_extensions, start_folder},
        log_buffer::LogBuffer,
        state::{LogEntry, Message, State},
    },
};
use std::{
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

/// Whoever closes a dialog takes longer than one that cannot be shown.
const NO_PERSON: Duration = Duration::from_millis(400);

/// Our own dialogs are used whatever the system has.
const OWN_DIALOGS: &str = "BONEBOX_OWN_DIALOGS";

/// Asks, in the system's dialog or in our own; the answer arrives as a command. Nothing happens when the user changes their mind.
pub fn ask(state: &mut State, ask: Ask, program_log: &LogBuffer) {
    let is_set = std::env::var_os(OWN_DIALOGS).is_some_and(|value| !value.is_empty() && value != "0");
    if state.core.settings.own_dialogs || is_set {
        return state.apply(Command::Window(WindowCommand::AskHere(ask)));
    }
    let start = start_folder(state, &ask);
    let (sender, wake, log) = (state.core.works.sender(), state.core.works.waker(), program_log.clone());
    let spawned = std::thread::Builder::new().name("file dialog".into()).spawn(move || {
        let (begun, before) = (Instant::now(), failures(&log));
        let command = match pick(&ask, start) {
            Some(paths) => answer(ask, paths),
            // It was not shown: the system has no dialog, or none that answers.
            None if begun.elapsed() < NO_PERSON || failures(&log) > before => {
                Some(Command::Window(WindowCommand::AskHere(ask)))
            }
            None => None,
        };
        if let Some(command) = command {
            let _ = sender.send(Message::Command(command));
            wake();
        }
    });
    if let Err(error) = spawned {
        let message = format!("Cannot show the file dialog: {error}");
        let _ = state.core.works.sender().send(Message::Log(LogEntry::new(Severity::Error, "", message)));
    }
}

/// Shows a folder in the system's file manager.
pub fn show_folder(state: &State, folder: PathBuf) {
    const FILE_MANAGER: &str = match () {
        () if cfg!(windows) => "explorer",
        () if cfg!(target_os = "macos") => "open",
        () => "xdg-open",
    };
    let (sender, wake) = (state.core.works.sender(), state.core.works.waker());
    let show = move || {
        let mut process = std::process::Command::new(FILE_MANAGER);
        process.arg(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let why = match process.status() {
            // The status of Windows' Explorer is 1 after success.
            Ok(status) if status.success() || cfg!(windows) => return,
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let message = format!("Cannot show the folder {} with {FILE_MANAGER}: {why}", folder.display());
        let _ = sender.send(Message::Log(LogEntry::new(Severity::Error, "", message)));
        wake();
    };
    if let Err(error) = std::thread::Builder::new().name("file manager".into()).spawn(show) {
        let message = format!("Cannot show the folder: {error}");
        let _ = state.core.works.sender().send(Message::Log(LogEntry::new(Severity::Error, "", message)));
    }
}

/// How often the system's dialogs have said that they cannot be shown.
fn failures(log: &LogBuffer) -> usize {
    log.with(|lines| {
        lines.iter().filter(|line| line.level == log::Level::Error && line.target.starts_with("rfd")).count()
    })
}

fn pick(ask: &Ask, start: Option<PathBuf>) -> Option<Vec<PathBuf>> {
    let mut dialog = rfd::AsyncFileDialog::new().set_title(ask.title());
    if let Some(start) = start {
        dialog = dialog.set_directory(start);
    }
    match ask.choice() {
        Choice::Files => {
            let known = known_extensions();
            dialog = dialog.add_filter("Game assets", &known).add_filter("All files", &["*"]);
            let files = pollster::block_on(dialog.pick_files())?;
            Some(files.iter().map(|file| file.path().to_owned()).collect())
        }
        Choice::File => pollster::block_on(dialog.pick_file()).map(|file| vec![file.path().to_owned()]),
        Choice::NewFile(path) => {
            if let Some(name) = path.file_name() {
                dialog = dialog.set_file_name(name.to_string_lossy());
            }
            pollster::block_on(dialog.save_file()).map(|file| vec![file.path().to_owned()])
        }
        Choice::Folder | Choice::TargetFolder => {
            pollster::block_on(dialog.pick_folder()).map(|folder| vec![folder.path().to_owned()])
        }
    }
}
