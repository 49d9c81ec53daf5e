//! Pictures: textures with their mips and palettes, textures that are computed, palettes, fonts.

mod bar;
pub(in crate::ui::stage) mod canvas;
mod channel_counts;
mod font;
mod histogram;
mod procedural;
mod readout;
mod sources;
mod still;
mod swatches;
mod tiles;
pub mod view;

use crate::{
    formats::Asset,
    scene::{Picture, PictureForm, StoredPixels},
    ui::{command::Command, stage::image::view::ImageView, state::State, widgets::empty},
};
use canvas::Look;
use egui::Ui;
use egui_phosphor::regular as icon;

pub fn show(ui: &mut Ui, state: &State, view: &mut ImageView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.image() else {
        empty::show(ui, icon::IMAGE, "No image", "Select a texture, palette or font in the library.");
        return;
    };
    view.turn_to(shown.place, shown.generation);
    match &shown.asset {
        Asset::Picture(picture) => still::show(ui, shown, picture, view, commands),
        Asset::Image(image) => {
            let plain = match view.plain.take().filter(|(generation, _)| *generation == shown.generation) {
                Some((_, plain)) => plain,
                None => Picture {
                    name: image.name.clone(),
                    forms: vec![PictureForm {
                        name: image.stored_as.clone(),
                        mips: vec![image.clone()],
                        stored: StoredPixels::Decoded,
                        has_alpha: image.has_alpha(),
                    }],
                    ..Picture::default()
                },
            };
            still::show(ui, shown, &plain, view, commands);
            view.plain = Some((shown.generation, plain));
        }
        Asset::Procedural(texture) => procedural::show(ui, shown, texture, view),
        Asset::Palette(palette) => swatches::page(ui, palette, commands),
        Asset::Font(font) => font::show(ui, shown, font, view),
        _ => empty::show(ui, icon::IMAGE, "No image", "The selected entry is not an image."),
    }
}
