//! The menus of the library's rows.

use crate::ui::library::look::RowView;
use crate::ui::widgets::{numbers::counted, part_menu};
use crate::{
    formats::{Content, Document as _, Entry, EntryId},
    library::{OpenFile, primary},
    ui::{
        command::{
            CollectionCommand, Command, CompareCommand, ExportCommand, LibraryCommand, ModelCommand, SceneCommand,
            StageCommand, WindowCommand,
        },
        favourite::Favourite,
        state::{Place, RowId},
    },
};
use egui::Ui;
use egui_phosphor::regular as icon;
use std::path::PathBuf;

/// The menu of a folder of files or of a group.
pub fn of_fold(ui: &mut Ui, view: &RowView<'_>, commands: &mut Vec<Command>) {
    let row = view.row;
    let (sign, name) = if row.open { (icon::CARET_UP, "Collapse") } else { (icon::CARET_DOWN, "Expand") };
    if ui.button(format!("{sign}  {name}")).clicked() {
        commands.push(Command::Library(LibraryCommand::Expand(row.id, !row.open)));
        ui.close();
    }
    let RowId::Folder(folder) = row.id else { return };
    let favourite = Favourite { path: view.library.folder(folder).1.to_owned(), entry: None };
    let (name, star) = star(view, favourite);
    if ui.button(format!("{}  {name}", icon::STAR)).clicked() {
        commands.push(star);
        ui.close();
    }
    let path = view.library.folder(folder).1.display().to_string();
    if ui.button(format!("{}  Copy path", icon::COPY)).clicked() {
        commands.push(Command::Window(WindowCommand::Copy(path)));
        ui.close();
    }
    ui.separator();
    let files: Vec<Command> =
        view.library.files_in(folder).map(|file| Command::Library(LibraryCommand::CloseFile(file))).collect();
    if ui.button(format!("{}  Close {}", icon::X, counted(files.len(), "file"))).clicked() {
        commands.extend(files);
        ui.close();
    }
}

/// The item that gives something a star, or takes it away.
fn star(view: &RowView<'_>, favourite: Favourite) -> (&'static str, Command) {
    let is_one = view.state.core.settings.favourites.contains(&favourite);
    let name = if is_one { "Remove from favourites" } else { "Add to favourites" };
    (name, Command::Library(LibraryCommand::ToggleFavourite(favourite)))
}

/// The menu of an entry.
pub fn of_entry(ui: &mut Ui, view: &RowView<'_>, file: &OpenFile, entry: &Entry, commands: &mut Vec<Command>) {
    let Some(place) = view.row.place() else { return };
    part_menu::of_entry(ui, view.state, place, commands);
    let mut item = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        if ui.button(format!("{sign}  {name}")).clicked() {
            commands.push(command);
            ui.close();
        }
    };
    let container = file.document.container();
    let inside: Vec<PathBuf> = match container {
        Some(container) if !container.is_file(entry.id) => {
            let below = container.base().outline.children(entry.id).iter().filter_map(|id| file.entry(*id));
            below.map(|child| file.path.join(&*child.path())).collect()
        }
        _ => Vec::new(),
    };
    match entry.content {
        _ if container.is_some_and(|container| container.is_file(entry.id)) => {
            item(ui, icon::FOLDER_OPEN, "Open", Command::Stage(StageCommand::Show(place)));
            if let Some(refused) = view.state.core.refused_member(place) {
                let command = Command::Library(LibraryCommand::OpenAnyway(refused.path.clone()));
                item(ui, icon::WARNING, &refused.words(), command);
            }
        }
        _ if !inside.is_empty() => {
            item(ui, icon::FOLDER_OPEN, "Open contents", Command::Library(LibraryCommand::Open(inside)));
        }
        Content::Model => item(ui, icon::EYE, "Show", Command::Stage(StageCommand::Show(place))),
        Content::Clip => {
            item(ui, icon::PLAY, "Play", Command::Stage(StageCommand::Show(place)));
            item(ui, icon::PLAY_CIRCLE, "Play anyway", Command::Model(ModelCommand::PlayAnyway(place)));
        }
        _ => item(ui, icon::EYE, "Show", Command::Stage(StageCommand::Show(place))),
    }
    if view.has_scene && has_model(file, entry) {
        item(ui, icon::PLUS_CIRCLE, "Add to the scene", Command::Scene(SceneCommand::Add(place)));
    }
    if let Some(target) = view.target.filter(|_| entry.content == Content::Image) {
        let name = if entry.id == EntryId::FILE { &*file.name } else { &*entry.name };
        let places = target.places(name, true);
        if !places.is_empty() {
            let text = format!("Use as texture of {}", target.words(&places));
            item(ui, icon::PAINT_BRUSH, &text, Command::Model(ModelCommand::UseAsTexture(place)));
        }
    }
    if let Some((name, place)) = what_fits(view, file, entry, place) {
        let fits = CollectionCommand::ShowFits(view.state.core.in_collection(place));
        item(ui, icon::STACK, name, Command::Collection(fits));
    }
    item(ui, icon::EXPORT, "Export…", Command::Export(ExportCommand::Prepare(place)));
    if entry.id == EntryId::FILE {
        item(ui, icon::EXPORT, "Export everything…", Command::Export(ExportCommand::AllDialog(Some(place.file))));
    }
    if is_unpackable(file, entry) {
        item(ui, icon::FOLDER_OPEN, "Unpack…", Command::Export(ExportCommand::UnpackDialog(place)));
    }
    ui.separator();
    if let Some(favourite) = Favourite::of(file, entry) {
        let (name, star) = star(view, favourite);
        item(ui, icon::STAR, name, star);
    }
    let path = if entry.path().is_empty() { file.path.display().to_string() } else { entry.path().into_owned() };
    item(ui, icon::COPY, "Copy path", Command::Window(WindowCommand::Copy(path)));
    let name = if entry.path().is_empty() { file.name.clone() } else { entry.name.to_string() };
    item(ui, icon::COPY, "Copy name", Command::Window(WindowCommand::Copy(name)));
    ui.separator();
    item(ui, icon::GIT_DIFF, "Compare with…", Command::Compare(CompareCommand::File(place.file)));
    item(ui, icon::X, "Close file", Command::Library(LibraryCommand::CloseFile(place.file)));
}

/// What can be asked of the collection about a model or a clip, or about what a file is about.
fn what_fits(view: &RowView<'_>, file: &OpenFile, entry: &Entry, place: Place) -> Option<(&'static str, Place)> {
    if !view.state.collection.has_collection(&view.state.core) {
        return None;
    }
    let is_whole = entry.id == EntryId::FILE && entry.content == Content::None;
    let about =
        if is_whole { primary(file).or_else(|| file.entries_with(Content::Clip).first().copied())? } else { entry.id };
    let name = match file.entry(about)?.content {
        Content::Model => "Matching clips in collection",
        Content::Clip => "Matching models in collection",
        _ => return None,
    };
    Some((name, Place { entry: about, ..place }))
}

/// Whether an entry is a model, or the file of one.
fn has_model(file: &OpenFile, entry: &Entry) -> bool {
    entry.content == Content::Model || entry.id == EntryId::FILE && file.models().next().is_some()
}

/// Whether an entry is an archive or a folder of one.
fn is_unpackable(file: &OpenFile, entry: &Entry) -> bool {
    let document = file.document.as_ref();
    let mut below = vec![entry.id];
    // A file of an archive has only its own parts below it.
    while let Some(id) = below.pop() {
        for child in document.outline().children(id) {
            if document.is_member(*child) {
                return !document.is_member(entry.id);
            }
            below.push(*child);
        }
    }
    false
}
