//! Headings of the numbers.

use egui::{Label, RichText, Ui};

/// A heading over a card.
pub(in crate::ui) fn title(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).strong()).selectable(false));
}
