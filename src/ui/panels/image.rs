//! Pictures: textures with their mips and palettes, textures that are computed, palettes, fonts.

use crate::ui::{command::Command, state::State, widgets::empty};
use egui::Ui;
use egui_phosphor::regular as icon;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ImageView;

pub fn show(ui: &mut Ui, state: &State, view: &mut ImageView, commands: &mut Vec<Command>) {
    let _ = (state, view, commands);
    empty::show(ui, icon::IMAGE, "No picture", "Select a texture, palette or font in the library.");
}
