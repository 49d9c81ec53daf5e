//! What the image panel remembers, and where its bars and its canvas are.

use crate::{
    scene::{Image, Picture},
    ui::{
        stage::image::{
            canvas::{self, Canvas, Look},
            channel_counts::{HistogramView, ValueRange},
            tiles::Tiles,
        },
        state::{FileId, Place},
    },
};
use egui::{Rect, Ui};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ImageView {
    pub canvas: Canvas,
    /// The picture that the rest belongs to, and its generation.
    pub place: Option<Place>,
    pub generation: u64,
    pub choice: Choice,
    /// Kept from picture to picture.
    pub channels: Channels,
    pub tiled: bool,
    /// Values that are drawn from black to white; all without.
    pub range: ValueRange,
    pub histogram: HistogramView,
    /// What the menu of the picture is about: the pixel that was pressed, as text.
    pub menu_pixel: Option<String>,
    /// Under the cursor in the last frame.
    pub last_pixel: Option<canvas::Pixel>,
    pub font: FontView,
    /// The code of the character under the cursor in the last frame.
    pub font_glyph: Option<u32>,
    /// An image that is no picture of several forms, as one.
    pub plain: Option<(u64, Picture)>,
    pub computed: ComputedView,
}

/// What of a picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// `None`: the preferred one.
    pub form: Option<usize>,
    /// All forms beside each other.
    pub side_by_side: bool,
    pub mip: usize,
    /// `None`: as the picture is meant.
    pub uses_alpha: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels(pub [bool; 4]);

impl Default for Channels {
    fn default() -> Self {
        Self([true; 4])
    }
}

impl ImageView {
    /// Lets go of a picture whose file is closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        if self.place.is_some_and(|place| !is_open(place.file)) {
            (self.place, self.generation) = (None, 0);
            self.canvas.forget_tiles();
            self.font.tiles.clear();
            (self.plain, self.computed.last, self.histogram.counted) = (None, None, None);
        }
    }

    /// What was chosen for the last picture goes with it. One that was read anew is looked at as before.
    pub fn turn_to(&mut self, place: Place, generation: u64) {
        if self.generation == generation {
            return;
        }
        self.generation = generation;
        if self.place == Some(place) {
            return self.canvas.forget_tiles();
        }
        self.place = Some(place);
        self.choice = Choice::default();
        self.canvas.reset();
    }

    /// How the canvas draws; `uses_alpha` unless the user chose otherwise.
    pub fn look(&self, uses_alpha: bool) -> Look {
        Look {
            channels: self.channels.0,
            uses_alpha: self.choice.uses_alpha.unwrap_or(uses_alpha),
            tiled: self.tiled,
            range: self.range,
        }
    }
}

/// A number that stands for an image among all that this panel draws.
pub fn key_of(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// Adds a bar along the top or the bottom and gives back what it leaves free.
pub fn bar_at(ui: &mut Ui, top: bool, name: &str, add: impl FnOnce(&mut Ui)) {
    let fill = crate::ui::theme::palette(ui).panel;
    let frame = egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(8, 4));
    let panel = if top { egui::Panel::top(ui.id().with(name)) } else { egui::Panel::bottom(ui.id().with(name)) };
    panel.frame(frame).resizable(false).show_separator_line(false).show(ui, |ui| add(ui));
}

/// What is left for the canvas.
pub fn canvas_rect(ui: &Ui) -> Rect {
    ui.available_rect_before_wrap()
}

/// What the panel remembers of fonts.
pub struct FontView {
    pub page: usize,
    pub generation: u64,
    pub boxes: bool,
    pub sample: String,
    /// Points for a pixel of the font.
    pub scale: f32,
    pub tiles: Tiles,
}

impl Default for FontView {
    fn default() -> Self {
        let sample = "The quick brown fox jumps over the lazy dog 0123456789".to_owned();
        Self { page: 0, generation: 0, boxes: true, sample, scale: 1.0, tiles: Tiles::default() }
    }
}

/// The frame that was drawn last, to draw it again without computing its picture again.
#[derive(Default)]
pub struct ComputedView {
    pub last: Option<(u64, Image)>,
}
