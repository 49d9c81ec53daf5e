//! A switch that does a command.

use crate::ui::{
    command::{Command, with_keys},
    theme::{self},
};
use egui::Ui;

pub fn toggle(ui: &mut Ui, sign: &str, name: &str, on: bool, command: Command, commands: &mut Vec<Command>) {
    if theme::icon_toggle(ui, sign, &with_keys(ui.ctx(), name, &command), on).clicked() {
        commands.push(command);
    }
}
