//! The menu of what was found in the collection.

use crate::{
    formats::EntryId,
    library::collection::Row,
    ui::{
        command::{CollectionCommand, Command, LinksOf},
        state::CollectionFound,
    },
};
use egui::Ui;

/// What can be done with a result.
pub fn menu(ui: &mut Ui, found: &CollectionFound, of: &Row<'_>, index: usize, commands: &mut Vec<Command>) {
    if ui.button("Open").clicked() {
        commands.push(Command::Collection(CollectionCommand::Open(index)));
        ui.close();
    }
    let Some(file) = found.catalog.file(of.file) else { return };
    let whole = LinksOf { path: file.path.clone(), entry: None };
    let mut links = |ui: &mut Ui, name: &str, of: LinksOf| {
        if ui.button(name).clicked() {
            commands.push(Command::Collection(CollectionCommand::ShowLinks(Some(of))));
            ui.close();
        }
    };
    if of.entry != EntryId::FILE {
        links(ui, "Who uses it", LinksOf { entry: Some(of.path.to_owned()), ..whole.clone() });
    }
    links(ui, "What its file needs, and who uses it", whole);
}
