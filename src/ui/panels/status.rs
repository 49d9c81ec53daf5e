//! The bar at the bottom.

use crate::ui::{command::Command, state::State};

pub fn show(ui: &mut egui::Ui, state: &State, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        if let Some(shown) = &state.shown {
            ui.label(format!("{} joints · {} triangles", shown.model.joint_count(), shown.model.triangle_count()));
        }
        if ui.button("Log").clicked() {
            commands.push(Command::ToggleLog);
        }
    });
}
