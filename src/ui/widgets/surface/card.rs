//! The material that is selected, and rows of a name and a text.

use crate::{
    scene::gx::{MaterialState, TevMaterial},
    ui::state::{Place, Thumbnail},
};
use egui::{Align, Label, Layout, RichText, Ui, vec2};

/// Width of the column of names, in points.
pub const NAMES: f32 = 76.0;

/// The material that is selected.
pub struct SurfaceCard<'a> {
    pub material: &'a TevMaterial,
    /// At the frame on show, where the material is one of the model on show.
    pub state: MaterialState,
    /// The textures that it reads, by slot.
    pub maps: Vec<TextureMap>,
}

/// A texture in a slot of a material.
#[derive(Clone, Debug)]
pub struct TextureMap {
    pub slot: u8,
    pub name: String,
    /// What its header says, in short.
    pub facts: String,
    /// Its entry, where it lies in the same file.
    pub place: Option<Place>,
    pub thumbnail: Option<Thumbnail>,
    /// The thumbnail was not asked for yet.
    pub wanted: bool,
    /// An animation put it there.
    pub animated: bool,
}

/// A name in its column and a text beside it, which wraps.
pub fn fact(ui: &mut Ui, name: &str, text: impl Into<RichText>) {
    ui.horizontal_top(|ui| {
        named(ui, name);
        ui.add(Label::new(text.into()).wrap().selectable(true));
    });
}

/// A name in the column of names.
pub fn named(ui: &mut Ui, name: &str) {
    let size = vec2(NAMES, ui.text_style_height(&egui::TextStyle::Body));
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(NAMES);
        ui.add(Label::new(RichText::new(name).weak()).truncate().selectable(false));
    });
}
