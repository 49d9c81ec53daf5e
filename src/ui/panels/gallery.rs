//! All pictures of a file as thumbnails.

use crate::ui::{command::Command, state::State, widgets::empty};
use egui::Ui;
use egui_phosphor::regular as icon;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct GalleryView;

pub fn show(ui: &mut Ui, state: &State, view: &mut GalleryView, commands: &mut Vec<Command>) {
    let _ = (state, view, commands);
    empty::show(ui, icon::GRID_FOUR, "No pictures", "Open a package with textures: they stand here side by side.");
}
