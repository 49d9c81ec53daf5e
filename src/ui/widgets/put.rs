//! Adding to a place that is already decided.

use egui::{Align, Color32, FontSelection, Layout, Rect, TextWrapMode, Ui, UiBuilder, WidgetText, pos2};

/// Adds to `rect` without moving anything around it, and draws nothing outside of it.
pub fn put<R>(ui: &mut Ui, rect: Rect, layout: Layout, add: impl FnOnce(&mut Ui) -> R) -> R {
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    add(&mut inner)
}

/// Draws one line of text in `rect`, cut with an ellipsis where it is too long. Screen readers read the row that it belongs
/// to instead. Returns the width of the text.
pub fn put_text(ui: &Ui, rect: Rect, align: Align, color: Color32, text: impl Into<WidgetText>) -> f32 {
    let text = text.into().color(color);
    let galley = text.into_galley(ui, Some(TextWrapMode::Truncate), rect.width().max(0.0), FontSelection::Default);
    let left = match align {
        Align::Min => rect.left(),
        Align::Center => rect.center().x - galley.size().x / 2.0,
        Align::Max => rect.right() - galley.size().x,
    };
    let width = galley.size().x;
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color);
    width
}
