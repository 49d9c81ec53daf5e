//! What refers to the entry that the inspector shows.

use crate::ui::{
    command::{Command, SelectionCommand},
    state::Place,
    widgets::numbers::grouped,
};
use egui::{Label, RichText, Ui};

/// Entries that are listed.
pub const MAX_LISTED: usize = 200;

/// The list as the inspector shows it.
pub struct UsesCard {
    /// The first of them; `None` while they are looked for.
    pub list: Option<Vec<User>>,
    /// All of them.
    pub count: usize,
}

/// An entry that refers to the selected one.
pub struct User {
    pub place: Place,
    pub name: String,
    /// The fields that refer, named by their paths.
    pub fields: Vec<String>,
}

/// Shows the entries that refer, each once however many of its fields do.
pub fn show(ui: &mut Ui, card: &UsesCard, commands: &mut Vec<Command>) {
    let Some(list) = &card.list else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("Searching for references…");
        });
        return;
    };
    if list.is_empty() {
        ui.add(Label::new(RichText::new("Not used in the open files").weak()).wrap());
        return;
    }
    for user in list {
        ui.horizontal(|ui| {
            if ui.link(&user.name).on_hover_text("Go to entry").clicked() {
                commands.push(Command::Selection(SelectionCommand::Select(user.place)));
            }
            let Some(first) = user.fields.first() else { return };
            let text = match user.fields.len() {
                1 => first.clone(),
                count => format!("{count} × {first}"),
            };
            let label = ui.add(Label::new(RichText::new(text).weak()).truncate());
            if user.fields.len() > 1 {
                label.on_hover_text(user.fields.join("\n"));
            }
        });
    }
    if card.count > list.len() {
        ui.weak(format!("and {} more", grouped(card.count - list.len())));
    }
}
