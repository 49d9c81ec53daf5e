//! Texts and scripts, coloured, with search.

use crate::ui::{command::Command, state::State, widgets::empty};
use egui::Ui;
use egui_phosphor::regular as icon;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct TextView;

pub fn show(ui: &mut Ui, state: &State, view: &mut TextView, commands: &mut Vec<Command>) {
    let _ = (state, view, commands);
    empty::show(ui, icon::TEXT_ALIGN_LEFT, "No text", "Select a text or a script class in the library.");
}
