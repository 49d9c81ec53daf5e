//! Our own file dialog: folders, a filter, recent places. For where the system has none that answers.

use crate::ui::{
    command::{Ask, Choice, Command, WindowCommand},
    dialogs,
    state::State,
};
use egui::{Context, Id, LayerId, Order};
use egui_file_dialog::{DialogState, FileDialog, Filter, OpeningMode};
use std::path::{Path, PathBuf};

/// Recent folders that are offered.
const MAX_PLACES: usize = 8;

/// The dialog that is open.
#[derive(Default)]
pub struct OwnDialog {
    open: Option<(Ask, Box<FileDialog>)>,
}

impl OwnDialog {
    /// Shows the dialog while something is asked.
    pub fn show(&mut self, ctx: &Context, state: &State, commands: &mut Vec<Command>) {
        let Some(ask) = &state.dialogs.file else {
            self.open = None;
            return;
        };
        if self.open.as_ref().is_none_or(|(open, _)| open != ask) {
            self.open = Some((ask.clone(), Box::new(dialog(state, ask))));
        }
        let Some((ask, dialog)) = &mut self.open else { return };
        // Nothing behind it takes keys or clicks.
        let layer = LayerId::new(Order::Middle, dialog.get_window_id());
        ctx.memory_mut(|memory| memory.set_modal_layer(layer));
        dialog.update(ctx);
        let picked = match dialog.state() {
            DialogState::Open => return,
            DialogState::Picked(path) => vec![path.clone()],
            DialogState::PickedMultiple(paths) => paths.clone(),
            DialogState::Closed | DialogState::Cancelled => Vec::new(),
        };
        commands.extend(dialogs::answer(ask.clone(), picked));
        commands.push(Command::Window(WindowCommand::CloseFileDialog));
        self.open = None;
    }
}

fn dialog(state: &State, ask: &Ask) -> FileDialog {
    let places = recent_places(state);
    let mut dialog = FileDialog::new()
        .title(ask.title())
        .id(Id::new("file dialog"))
        .default_size([760.0, 460.0])
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .movable(false)
        .opening_mode(OpeningMode::AlwaysInitialDir)
        .canonicalize_paths(false)
        .add_quick_access("Recent", |list| {
            for (name, path) in &places {
                list.add_path(name, path.clone());
            }
        });
    if let Some(start) = dialogs::start_folder(state, ask) {
        dialog = dialog.initial_directory(start);
    }
    match ask.choice() {
        Choice::Files => {
            let known = dialogs::known_extensions();
            let is_known = move |path: &Path| {
                let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
                known.contains(&extension.as_str())
            };
            dialog = dialog.add_file_filter("Game assets", Filter::new(is_known)).default_file_filter("Game assets");
            dialog.pick_multiple();
        }
        Choice::File => dialog.pick_file(),
        Choice::NewFile(path) => {
            if let Some(name) = path.file_name() {
                dialog = dialog.default_file_name(&name.to_string_lossy());
            }
            dialog.save_file();
        }
        Choice::Folder | Choice::TargetFolder => dialog.pick_directory(),
    }
    dialog
}

/// The folders that files were opened from, and those that are looked in, by their names.
fn recent_places(state: &State) -> Vec<(String, PathBuf)> {
    let recents = state.core.settings.recents.iter().filter_map(|path| path.parent());
    let mut places: Vec<(String, PathBuf)> = Vec::new();
    for folder in recents.chain(state.core.settings.folders.iter().map(PathBuf::as_path)) {
        if places.len() < MAX_PLACES && places.iter().all(|(_, known)| known != folder) {
            let name = folder.file_name().unwrap_or(folder.as_os_str());
            places.push((name.to_string_lossy().into_owned(), folder.to_owned()));
        }
    }
    places
}
