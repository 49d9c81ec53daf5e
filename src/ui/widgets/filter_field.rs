//! Fields that filters are typed into: what all of them have in common.

use crate::ui::{
    query::{HINT, MAX_CHARS},
    theme,
};
use egui::{
    Align, Button, Frame, Id, Key, Layout, Margin, Modifiers, Response, RichText, TextEdit, Ui, WidgetInfo, WidgetType,
    vec2,
};
use egui_phosphor::regular as icon;

/// A field for a filter, which takes no more than what counts.
pub fn edit(filter: &mut String) -> TextEdit<'_> {
    TextEdit::singleline(filter).char_limit(MAX_CHARS)
}

/// Draws the field of a filter. `label` is its name for screen readers.
pub fn show(ui: &mut Ui, filter: &mut String, hint: &str, width: f32, label: &str) -> Response {
    let hint = format!("{}  {hint}", icon::FUNNEL);
    let edit = edit(filter).hint_text(hint).margin(Margin::symmetric(8, 4)).desired_width(width);
    let field = with_hint(ui.add(edit));
    field.widget_info(|| WidgetInfo {
        current_text_value: Some(filter.clone()),
        ..WidgetInfo::labeled(WidgetType::TextEdit, true, label)
    });
    field
}

/// The bar with a filter above a list.
pub struct Bar<'a> {
    /// The field's name for screen readers.
    pub label: &'a str,
    /// Text in the empty field.
    pub hint: &'a str,
    /// Text and tooltip of the number of rows.
    pub count: Option<(String, &'a str)>,
    /// The name of the button that empties the field.
    pub clear: &'a str,
    /// Width that the bar leaves free at its right, in points.
    pub room: f32,
}

impl Bar<'_> {
    /// Draws the bar. Escape and the button empty the field.
    pub fn show(self, ui: &mut Ui, filter: &mut String) -> Response {
        let p = theme::palette(ui);
        let frame = Frame::new().fill(p.field).corner_radius(4).inner_margin(Margin::symmetric(8, 3));
        let bar = frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(icon::FUNNEL).color(p.weak));
                let size = vec2((ui.available_width() - self.room).max(0.0), ui.available_height());
                ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
                    if let Some((count, tip)) = self.count {
                        ui.label(RichText::new(count).size(theme::SMALL).color(p.weak)).on_hover_text(tip);
                    }
                    if !filter.is_empty() {
                        let clear = ui.add(Button::new(icon::X).frame(false).small());
                        clear.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, self.clear));
                        if clear.clicked() {
                            filter.clear();
                        }
                    }
                    let width = ui.available_width().max(40.0);
                    // The widgets next to the field come and go.
                    let edit = edit(filter).id(Id::new(self.label)).hint_text(self.hint).frame(Frame::NONE);
                    let field = ui.add(edit.desired_width(width));
                    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, self.label));
                    if is_given_up(ui, &field) {
                        filter.clear();
                    }
                    field
                })
                .inner
            })
            .inner
        });
        bar.inner
    }
}

/// Says the grammar of filters while the pointer rests on the field. Where something is being typed the list below is looked at.
pub fn with_hint(field: Response) -> Response {
    if field.has_focus() { field } else { field.on_hover_text(HINT) }
}

/// Whether Escape was pressed in a field: egui has taken the keyboard from it by then.
pub fn is_given_up(ui: &Ui, field: &Response) -> bool {
    (field.has_focus() || field.lost_focus()) && ui.input(|input| input.key_pressed(Key::Escape))
}

/// Whether Down was pressed in a field: the keyboard leaves it for the list below.
pub fn leaves_for_list(ui: &Ui, field: &Response) -> bool {
    let is_left = field.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
    if is_left {
        field.surrender_focus();
    }
    is_left
}
