//! The menu of what was found in the collection.

use crate::{
    formats::EntryId,
    library::collection::Row,
    ui::{
        command::{CollectionCommand, Command, CompareCommand, ComparedThing, LinksOf},
        state::State,
    },
};
use egui::Ui;

/// What can be done with a result.
pub fn menu(ui: &mut Ui, state: &State, of: &Row<'_>, index: usize, commands: &mut Vec<Command>) {
    let found = &state.collection.search.found;
    let first = state.comparing.first.as_ref().map(|first| &first.thing);
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
    ui.separator();
    let entry = (of.entry != EntryId::FILE).then(|| of.path.to_owned());
    let thing = ComparedThing { path: file.path.clone(), entry };
    let mut compare = |ui: &mut Ui, name: &str, command: CompareCommand| {
        if ui.button(name).clicked() {
            commands.push(Command::Compare(command));
            ui.close();
        }
    };
    if let Some(first) = first.filter(|first| **first != thing) {
        compare(ui, &format!("Compare with {}", first.name()), CompareCommand::WithThing(thing.clone()));
    }
    compare(ui, "Compare with…", CompareCommand::First(thing));
}
