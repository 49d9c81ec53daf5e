//! What a panel says while it has nothing to show.

use egui::{Align, Layout, RichText, Ui, UiBuilder, vec2};

/// An icon, a title and a sentence in the middle of the panel.
pub fn show(ui: &mut Ui, icon: &str, title: &str, sentence: &str) {
    let rect = ui.available_rect_before_wrap();
    let height = 116.0_f32.min(rect.height());
    let middle = egui::Rect::from_center_size(rect.center(), vec2((rect.width() - 24.0).min(280.0), height));
    ui.scope_builder(UiBuilder::new().max_rect(middle).layout(Layout::top_down(Align::Center)), |ui| {
        let weak = ui.visuals().weak_text_color();
        ui.add(egui::Label::new(RichText::new(icon).size(32.0).color(weak)).selectable(false));
        ui.add_space(4.0);
        ui.add(egui::Label::new(RichText::new(title).strong()).selectable(false));
        ui.add(egui::Label::new(RichText::new(sentence).color(weak)).selectable(false).wrap());
    });
    ui.advance_cursor_after_rect(rect);
}

/// Draws a sentence in the place of an empty list.
pub fn note(ui: &mut Ui, sentence: &str) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.set_max_width((ui.available_width() - 16.0).clamp(0.0, 200.0));
        ui.label(RichText::new(sentence).color(ui.visuals().weak_text_color()));
    });
}
