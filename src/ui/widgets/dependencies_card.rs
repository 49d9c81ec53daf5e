//! The other files that a file takes something from: where each is, or where it was looked for.

use crate::{
    formats::Dependency,
    ui::{
        command::{Command, LibraryCommand, SelectionCommand},
        state::Place,
        theme,
        widgets::numbers::{counted, grouped},
    },
};
use egui::{Label, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// Folders that are named for a missing file.
const MAX_FOLDERS: usize = 8;

/// The list as the inspector shows it.
pub struct DependenciesCard<'a> {
    /// `None` while they are looked for.
    pub list: Option<&'a [Dependency]>,
    /// The file itself, where it is open, for each of them.
    pub open: Vec<Option<Place>>,
}

impl DependenciesCard<'_> {
    /// How many files are missing, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        let list = self.list.unwrap_or_default();
        (list.iter().filter(|needed| is_missing(needed)).count(), list.len())
    }

    /// What the heading says beside its name.
    pub fn count_text(&self) -> String {
        match self.counts() {
            _ if self.list.is_none() => String::new(),
            (0, all) => grouped(all),
            (missing, all) => format!("{} of {} missing", grouped(missing), grouped(all)),
        }
    }
}

fn is_missing(needed: &Dependency) -> bool {
    needed.found.is_none() && !needed.is_built_in
}

/// Shows the files, the missing ones first.
pub fn show(ui: &mut Ui, card: &DependenciesCard<'_>, commands: &mut Vec<Command>) {
    let Some(list) = card.list else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("Searching for dependencies…");
        });
        return;
    };
    if list.is_empty() {
        ui.weak("This file uses no other files");
        return;
    }
    let rows = || list.iter().enumerate();
    for (_, needed) in rows().filter(|(_, needed)| is_missing(needed)) {
        missing(ui, needed, commands);
    }
    for (index, needed) in rows().filter(|(_, needed)| !is_missing(needed)) {
        let open = card.open.get(index).copied().flatten();
        there(ui, needed, open, commands);
    }
}

fn missing(ui: &mut Ui, needed: &Dependency, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        let taken = counted(needed.uses, "object");
        let name = ui.label(RichText::new(format!("{}  {}", icon::WARNING, needed.name)).color(p.warning));
        let label = format!("{} is missing", needed.name);
        name.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
        ui.weak(format!("not found · {taken} used"));
        let look = ui.small_button("Add search folder…");
        let label = format!("Add search folder for {}", needed.name);
        look.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        if look.on_hover_text("The folder is also searched for files that other open files need").clicked() {
            commands.push(Command::Library(LibraryCommand::SearchFolderDialog));
        }
    });
    ui.indent(&needed.name, |ui| {
        ui.weak("Searched folders");
        for folder in needed.looked_in.iter().take(MAX_FOLDERS) {
            let text = folder.display().to_string();
            ui.add(Label::new(RichText::new(&text).small().weak()).truncate()).on_hover_text(text);
        }
        if needed.looked_in.len() > MAX_FOLDERS {
            ui.weak(format!("and {} more", grouped(needed.looked_in.len() - MAX_FOLDERS)));
        }
    });
}

fn there(ui: &mut Ui, needed: &Dependency, open: Option<Place>, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        let Some(path) = &needed.found else {
            ui.label(RichText::new(format!("{}  {}", icon::CPU, needed.name)).color(p.weak));
            let why = "not needed: built into the game";
            ui.add(Label::new(RichText::new(why).weak()).truncate()).on_hover_text(why);
            return;
        };
        ui.label(RichText::new(icon::CHECK).color(p.good));
        let (tip, command) = match open {
            Some(place) => ("Go to file", Command::Selection(SelectionCommand::Select(place))),
            None => ("Open file", Command::Library(LibraryCommand::Open(vec![path.clone()]))),
        };
        if ui.link(&needed.name).on_hover_text(tip).clicked() {
            commands.push(command);
        }
        let text = path.display().to_string();
        let state = if open.is_some() { "open" } else { "" };
        ui.weak(state);
        ui.add(Label::new(RichText::new(&text).small().weak()).truncate()).on_hover_text(text);
    });
}
