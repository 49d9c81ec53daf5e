//! A switch that does a command.

use crate::ui::{
    command::{Command, keys_of},
    theme::{self},
};
use egui::Ui;

pub fn toggle(ui: &mut Ui, sign: &str, name: &str, on: bool, command: Command, commands: &mut Vec<Command>) {
    let keys = keys_of(ui.ctx(), &command).map(|k| format!(" ({k})")).unwrap_or_default();
    if theme::icon_toggle(ui, sign, &format!("{name}{keys}"), on).clicked() {
        commands.push(command);
    }
}
