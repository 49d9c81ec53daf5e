//! The menu of an entry of the collection.

use crate::{
    formats::EntryId,
    library::collection::{Catalog, RowIndex},
    ui::{
        command::{CollectionCommand, Command, CompareCommand, ComparedThing, InCollection},
        state::{FitsOf, State, fits_of},
    },
};
use egui::Ui;

/// What can be done with an entry; `first` is what a click on it does.
pub fn menu(
    ui: &mut Ui,
    state: &State,
    (catalog, row): (&Catalog, RowIndex),
    first: (&str, Command),
    commands: &mut Vec<Command>,
) {
    let mut item = |ui: &mut Ui, name: &str, command: Command| {
        if ui.button(name).clicked() {
            commands.push(command);
            ui.close();
        }
    };
    let (name, command) = first;
    item(ui, name, command);
    let Some(of) = catalog.row(row) else { return };
    let Some(file) = catalog.file(of.file) else { return };
    let whole = InCollection { path: file.path.clone(), entry: None };
    let own = match of.entry {
        EntryId::FILE => whole.clone(),
        _ => InCollection { entry: Some(of.path.to_owned()), ..whole.clone() },
    };
    if let Some(fits) = fits_of(catalog, row) {
        let name = match fits {
            FitsOf::Model(_) => "Matching clips in collection",
            FitsOf::Clip(_) => "Matching models in collection",
        };
        item(ui, name, Command::Collection(CollectionCommand::ShowFits(Some(own.clone()))));
    }
    if of.entry != EntryId::FILE {
        item(ui, "Show entry links", Command::Collection(CollectionCommand::ShowLinks(Some(own))));
    }
    item(ui, "Show file links", Command::Collection(CollectionCommand::ShowLinks(Some(whole))));
    ui.separator();
    let entry = (of.entry != EntryId::FILE).then(|| of.path.to_owned());
    let thing = ComparedThing { path: file.path.clone(), entry };
    if let Some(first) = state.comparing.first.as_ref().map(|first| &first.thing).filter(|first| **first != thing) {
        let name = format!("Compare with {}", first.name());
        item(ui, &name, Command::Compare(CompareCommand::WithThing(thing.clone())));
    }
    item(ui, "Compare with…", Command::Compare(CompareCommand::First(thing)));
}
