//! Textures that are computed: what they are made of.

use super::{ImageView, bar, bar_at, canvas, canvas_rect, readout, swatches};
use crate::{
    scene::Procedural,
    ui::{command::Command, state::ShownPicture},
};
use egui::Ui;

pub fn show(
    ui: &mut Ui,
    shown: &ShownPicture,
    texture: &Procedural,
    view: &mut ImageView,
    commands: &mut Vec<Command>,
) {
    // The picture itself is drawn by `view.canvas.show` with a `CanvasImage` whose key changes with each frame.
    let _ = (shown, &view.canvas, commands);
    bar_at(ui, false, "computed facts", |ui| {
        let size = format!("{} × {}", texture.width, texture.height);
        readout::facts(ui, &texture.name, &[size, format!("palette {}", texture.palette.name)]);
    });
    bar_at(ui, false, "computed palette", |ui| swatches::strip(ui, &texture.palette, None));
    if texture.facts.is_empty() {
        canvas::nothing(ui, canvas_rect(ui), "This texture is computed by the game.");
    } else {
        egui::Frame::new().inner_margin(12.0).show(ui, |ui| bar::table(ui, &texture.facts));
    }
}
