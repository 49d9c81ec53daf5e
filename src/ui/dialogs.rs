//! What file dialogs begin with, and what their answers mean.

use crate::{
    formats::FORMATS,
    ui::{
        command::{Ask, Command, CompareCommand, ComparedThing, ExportCommand, LibraryCommand, WindowCommand},
        state::State,
    },
};
use std::path::{Path, PathBuf};

/// The extensions of the files that formats open.
pub fn known_extensions() -> Vec<&'static str> {
    FORMATS.iter().flat_map(|format| format.info().extensions).copied().collect()
}

/// Where a dialog begins.
pub fn start_folder(state: &State, ask: &Ask) -> Option<PathBuf> {
    let start = match ask {
        Ask::ExportFile(path) | Ask::View(path) => path.parent().map(PathBuf::from),
        Ask::PictureFolder => state.core.settings.picture_folder.clone(),
        Ask::Files
        | Ask::Folder
        | Ask::ComparedFile
        | Ask::ComparedFolder
        | Ask::SearchFolder
        | Ask::ExportFolder(_)
        | Ask::UnpackFolder(_)
        | Ask::SeveralFolder(_) => None,
    };
    let recent = || state.core.settings.recents.first().and_then(|path| path.parent()).map(Path::to_owned);
    start.filter(|folder| crate::files::is_dir(folder)).or_else(recent).filter(|folder| crate::files::is_dir(folder))
}

/// What a person's answer means.
pub fn answer(ask: Ask, mut paths: Vec<PathBuf>) -> Option<Command> {
    if let Ask::Files | Ask::Folder = ask {
        return (!paths.is_empty()).then_some(Command::Library(LibraryCommand::Open(paths)));
    }
    let path = paths.pop()?;
    Some(match ask {
        Ask::Files | Ask::Folder => Command::Library(LibraryCommand::Open(vec![path])),
        Ask::ComparedFile | Ask::ComparedFolder => {
            Command::Compare(CompareCommand::WithThing(ComparedThing::whole(path)))
        }
        Ask::SearchFolder => Command::Library(LibraryCommand::AddSearchFolder(path)),
        Ask::View(_) => Command::Library(LibraryCommand::SaveView(path)),
        Ask::ExportFile(_) => Command::Export(ExportCommand::SetPath(path)),
        Ask::ExportFolder(file) => {
            Command::Export(ExportCommand::All { file, folder: path, overwrite: false, any_size: false })
        }
        Ask::UnpackFolder(place) => {
            Command::Export(ExportCommand::Unpack { place, folder: path, overwrite: false, any_size: false })
        }
        Ask::SeveralFolder(places) => {
            Command::Export(ExportCommand::Several { places, folder: path, overwrite: false, any_size: false })
        }
        Ask::PictureFolder => Command::Window(WindowCommand::SetPictureFolder(Some(path))),
    })
}
