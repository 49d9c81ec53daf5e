//! The system's file dialogs, each on a thread of its own: they may take as long as they like.

use super::{
    command::{Command, ExportCommand, LibraryCommand},
    state::{FileId, LogEntry, Message, Place, State},
};
use crate::formats::{FORMATS, Severity};
use std::path::{Path, PathBuf};

/// Asks for files or a folder to open; the answer arrives as a command. Nothing happens when the user changes their mind.
pub fn ask_to_open(state: &State, folder: bool) {
    let start = state.settings.recents.first().and_then(|p| p.parent()).map(PathBuf::from);
    let sender = state.sender();
    let wake = state.waker();
    in_thread(state, move || {
        let known: Vec<&str> = FORMATS.iter().flat_map(|f| f.info().extensions).copied().collect();
        let mut dialog = rfd::AsyncFileDialog::new().set_title("Open in Bonebox");
        if let Some(start) = start {
            dialog = dialog.set_directory(start);
        }
        let paths: Option<Vec<PathBuf>> = if folder {
            pollster::block_on(dialog.pick_folder()).map(|f| vec![f.path().to_owned()])
        } else {
            dialog = dialog.add_filter("Game assets", &known).add_filter("All files", &["*"]);
            pollster::block_on(dialog.pick_files()).map(|f| f.iter().map(|f| f.path().to_owned()).collect())
        };
        if let Some(paths) = paths {
            let _ = sender.send(Message::Command(Command::Library(LibraryCommand::Open(paths))));
            wake();
        }
    });
}

/// Asks for a folder that references are looked for in; the answer arrives as a command.
pub fn ask_for_search_folder(state: &State) {
    let sender = state.sender();
    let wake = state.waker();
    in_thread(state, move || {
        let dialog = rfd::AsyncFileDialog::new().set_title("Folder to look in for other files");
        if let Some(folder) = pollster::block_on(dialog.pick_folder()) {
            let _ = sender
                .send(Message::Command(Command::Library(LibraryCommand::AddSearchFolder(folder.path().to_owned()))));
            wake();
        }
    });
}

/// Asks where to write an export; the answer arrives as a command.
pub fn ask_where(state: &State, path: &Path) {
    ask_file(state, path, "Export from Bonebox", |path| Command::Export(ExportCommand::SetPath(path)));
}

/// Asks where to save a view; the answer arrives as a command.
pub fn ask_where_view(state: &State, path: &Path) {
    ask_file(state, path, "Save the view", |path| Command::Library(LibraryCommand::SaveView(path)));
}

fn ask_file(
    state: &State,
    path: &Path,
    title: &'static str,
    command: impl FnOnce(PathBuf) -> Command + Send + 'static,
) {
    let (folder, name) = (path.parent().map(PathBuf::from), path.file_name().map(|n| n.to_string_lossy().into_owned()));
    let sender = state.sender();
    let wake = state.waker();
    in_thread(state, move || {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(title);
        if let Some(folder) = folder.filter(|f| f.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        if let Some(name) = name {
            dialog = dialog.set_file_name(name);
        }
        if let Some(file) = pollster::block_on(dialog.save_file()) {
            let _ = sender.send(Message::Command(command(file.path().to_owned())));
            wake();
        }
    });
}

/// Asks for the folder to export everything into; the answer arrives as a command.
pub fn ask_export_folder(state: &State, file: Option<FileId>) {
    let command = move |folder| Command::Export(ExportCommand::All { file, folder, overwrite: false, any_size: false });
    ask_folder(state, "Export everything into a folder", command);
}

/// Asks for the folder to unpack into; the answer arrives as a command.
pub fn ask_unpack_folder(state: &State, place: Place) {
    ask_folder(state, "Unpack into a folder", move |folder| {
        Command::Export(ExportCommand::Unpack { place, folder, overwrite: false, any_size: false })
    });
}

fn ask_folder(state: &State, title: &'static str, command: impl FnOnce(PathBuf) -> Command + Send + 'static) {
    let sender = state.sender();
    let wake = state.waker();
    in_thread(state, move || {
        let dialog = rfd::AsyncFileDialog::new().set_title(title);
        if let Some(folder) = pollster::block_on(dialog.pick_folder()) {
            let _ = sender.send(Message::Command(command(folder.path().to_owned())));
            wake();
        }
    });
}

fn in_thread(state: &State, work: impl FnOnce() + Send + 'static) {
    let spawned = std::thread::Builder::new().name("file dialog".into()).spawn(work);
    if let Err(error) = spawned {
        let message = format!("the file dialog cannot be shown: {error}");
        let _ = state.sender().send(Message::Log(LogEntry::new(Severity::Error, "", message)));
    }
}
