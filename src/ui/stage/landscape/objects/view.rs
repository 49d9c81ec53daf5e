//! What the list of objects remembers.

use crate::ui::{
    stage::landscape::objects::index::{Column, KindRow, ObjectIndex},
    theme::Palette,
};
use egui::{RichText, Ui};
use std::sync::Arc;

/// Which list is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    #[default]
    Things,
    Types,
}

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ObjectsView {
    pub page: Page,
    pub filter: String,
    pub column: Column,
    pub descending: bool,
    /// The landscape that the rest is made for.
    pub generation: Option<u64>,
    pub index: ObjectIndex,
    /// All things, sorted, and by what.
    pub order: Option<(Column, bool, Arc<[u32]>)>,
    /// What the filter lets through, and the filter.
    pub rows: Vec<u32>,
    pub rows_for: Option<(String, Column, bool)>,
    pub kinds: Vec<KindRow>,
    pub kinds_for: Option<String>,
    /// Where a range of rows starts: into the things.
    pub anchor: Option<u32>,
    /// The selection that was drawn last.
    pub selected: Arc<[u32]>,
    /// The selection changes by a click here: the list stays where it is.
    pub own: bool,
}

pub fn nothing(ui: &mut Ui, p: &Palette, why: &str) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| ui.label(RichText::new(why).color(p.weak)));
}
