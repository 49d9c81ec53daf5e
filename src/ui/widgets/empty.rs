//! What a panel shows in place of contents, and the headings of its sections.

use crate::ui::{theme, widgets::put::put_text};
use egui::{
    Align, Align2, FontId, Layout, Response, RichText, Sense, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;

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

/// Height of a heading, in points.
pub const HEADING: f32 = 26.0;

/// Shows a heading; a click on it asks to fold or unfold. `count` is what it says behind its name, if anything.
pub fn heading(ui: &mut Ui, name: &str, count: &str, open: bool) -> Response {
    let p = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::click());
    let label = format!("{name} section");
    response.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, label.as_str()));
    let is_pointed_at = response.hovered() || response.has_focus();
    let bar = rect.shrink2(vec2(0.0, 1.0));
    ui.painter().rect_filled(bar, 4.0, if is_pointed_at { p.hover } else { p.base });
    let glyph = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
    let color = if is_pointed_at { p.strong } else { p.weak };
    let caret = pos2(rect.left() + 12.0, rect.center().y);
    ui.painter().text(caret, Align2::CENTER_CENTER, glyph, FontId::proportional(12.0), color);
    let text = rect.with_min_x(rect.left() + 24.0).with_max_x(rect.right() - 8.0);
    let count_width = match count {
        "" => 0.0,
        count => {
            let galley = ui.painter().layout_no_wrap(count.to_owned(), FontId::monospace(12.5), p.weak);
            let width = galley.size().x;
            put_text(ui, text, Align::Max, p.weak, theme::figures(count));
            width + 8.0
        }
    };
    put_text(ui, text.with_max_x(text.right() - count_width), Align::Min, p.strong, RichText::new(name).strong());
    response
}
