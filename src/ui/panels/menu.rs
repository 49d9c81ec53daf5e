//! The bar at the top.

use crate::ui::{
    command::{Command, actions},
    state::State,
};

pub fn show(ui: &mut egui::Ui, _state: &State, commands: &mut Vec<Command>) {
    egui::MenuBar::new().ui(ui, |ui| {
        for group in ["File", "Edit", "View", "Playback", "Go", "Help"] {
            ui.menu_button(group, |ui| {
                for action in actions().into_iter().filter(|a| a.group == group) {
                    if ui.button(action.name).clicked() {
                        commands.push(action.command);
                    }
                }
            });
        }
    });
}
