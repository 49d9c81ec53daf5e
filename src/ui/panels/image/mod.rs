//! Pictures: textures with their mips and palettes, textures that are computed, palettes, fonts.

mod bar;
mod canvas;
mod font;
mod procedural;
mod readout;
mod sources;
mod still;
mod swatches;
mod tiles;

use crate::{
    formats::Asset,
    scene::{Picture, PictureForm, StoredPixels},
    ui::{command::Command, state::State, widgets::empty},
};
use canvas::{Canvas, Look};
use egui::{Rect, Ui};
use egui_phosphor::regular as icon;
use font::FontView;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ImageView {
    canvas: Canvas,
    /// Of the picture that the rest belongs to.
    generation: u64,
    choice: Choice,
    /// Kept from picture to picture.
    channels: Channels,
    tiled: bool,
    /// Under the cursor in the last frame.
    last_pixel: Option<canvas::Pixel>,
    font: FontView,
    /// The code of the character under the cursor in the last frame.
    font_glyph: Option<u32>,
    /// An image that is no picture of several forms, as one.
    plain: Option<(u64, Picture)>,
    computed: procedural::ComputedView,
}

/// What of a picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Choice {
    /// `None`: the preferred one.
    form: Option<usize>,
    /// All forms beside each other.
    side_by_side: bool,
    mip: usize,
    /// `None`: as the picture is meant.
    uses_alpha: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Channels([bool; 4]);

impl Default for Channels {
    fn default() -> Self {
        Self([true; 4])
    }
}

impl ImageView {
    /// What was chosen for the last picture goes with it.
    fn turn_to(&mut self, generation: u64) {
        if self.generation != generation {
            self.generation = generation;
            self.choice = Choice::default();
            self.canvas.reset();
        }
    }

    /// How the canvas draws; `uses_alpha` unless the user chose otherwise.
    fn look(&self, uses_alpha: bool) -> Look {
        Look { channels: self.channels.0, uses_alpha: self.choice.uses_alpha.unwrap_or(uses_alpha), tiled: self.tiled }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ImageView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stage.image() else {
        empty::show(ui, icon::IMAGE, "No picture", "Select a texture, palette or font in the library.");
        return;
    };
    view.turn_to(shown.generation);
    match &shown.asset {
        Asset::Picture(picture) => still::show(ui, shown, picture, view),
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
            still::show(ui, shown, &plain, view);
            view.plain = Some((shown.generation, plain));
        }
        Asset::Procedural(texture) => procedural::show(ui, shown, texture, view),
        Asset::Palette(palette) => swatches::page(ui, palette, commands),
        Asset::Font(font) => font::show(ui, shown, font, view),
        _ => empty::show(ui, icon::IMAGE, "No picture", "What was selected shows as something else."),
    }
}

/// A number that stands for an image among all that this panel draws.
fn key_of(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Adds a bar along the top or the bottom and gives back what it leaves free.
fn bar_at(ui: &mut Ui, top: bool, name: &str, add: impl FnOnce(&mut Ui)) {
    let fill = crate::ui::theme::palette(ui).panel;
    let frame = egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(8, 4));
    let panel = if top { egui::Panel::top(ui.id().with(name)) } else { egui::Panel::bottom(ui.id().with(name)) };
    panel.frame(frame).resizable(false).show_separator_line(false).show(ui, |ui| add(ui));
}

/// What is left for the canvas.
fn canvas_rect(ui: &Ui) -> Rect {
    ui.available_rect_before_wrap()
}
