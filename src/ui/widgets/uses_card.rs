//! What refers to the entry that the inspector shows.

use crate::ui::{
    command::{Command, SelectionCommand},
    state::Place,
};
use egui::{CollapsingHeader, Label, RichText, Ui};

/// The list as the inspector shows it.
pub struct UsesCard {
    /// `None` while it is made: the entry, what it is called, and the field that refers.
    pub list: Option<Vec<(Place, String, String)>>,
}

pub fn show(ui: &mut Ui, card: &UsesCard, commands: &mut Vec<Command>) {
    let Some(list) = &card.list else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.weak("Looking for what uses this…");
        });
        return;
    };
    let title = match list.len() {
        0 => "Used by nothing in the open files".to_owned(),
        1 => "Used by 1 entry".to_owned(),
        n => format!("Used by {n} entries"),
    };
    if list.is_empty() {
        ui.add(Label::new(RichText::new(title).weak()).wrap());
        return;
    }
    CollapsingHeader::new(title).id_salt("used by").default_open(true).show(ui, |ui| {
        for (place, name, field) in list.iter().take(200) {
            ui.horizontal(|ui| {
                if ui.link(name).on_hover_text("Go to it").clicked() {
                    commands.push(Command::Selection(SelectionCommand::Select(*place)));
                }
                ui.add(Label::new(RichText::new(field).weak()).truncate());
            });
        }
        if list.len() > 200 {
            ui.weak(format!("and {} more", list.len() - 200));
        }
    });
    ui.separator();
}
