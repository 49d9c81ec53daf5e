//! Asks for a place that is typed in.

use crate::ui::theme;
use egui::{Id, Key, Label, Modal, RichText, TextEdit, Ui, WidgetInfo, WidgetType};

/// What is asked.
pub struct Question {
    pub title: &'static str,
    /// What the field is called.
    pub field: &'static str,
    /// Shown in the empty field.
    pub hint: &'static str,
    /// What is asked for, shown where what was typed is something else.
    pub wrong: &'static str,
}

/// What came of it.
pub enum Answer<T> {
    Place(T),
    GivenUp,
}

/// Asks over the window; `read` makes a place of the text. The text stays for the next time.
pub fn ask<T>(ui: &Ui, question: &Question, read: impl Fn(&str) -> Option<T>) -> Option<Answer<T>> {
    let id = Id::new(question.title);
    let mut text: String = ui.data_mut(|d| d.get_temp(id)).unwrap_or_default();
    let mut answer = None;
    let frame = egui::Frame::popup(ui.style()).inner_margin(16.0).corner_radius(8.0);
    let modal = Modal::new(id).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(300.0);
        let p = theme::palette(ui);
        ui.add(Label::new(RichText::new(question.title).heading()).selectable(false));
        ui.add_space(8.0);
        let edit = TextEdit::singleline(&mut text).hint_text(question.hint).char_limit(100);
        let field = ui.add(edit.desired_width(f32::INFINITY));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, question.field));
        let enter = ui.input(|i| i.key_pressed(Key::Enter));
        if !field.has_focus() && !enter {
            field.request_focus();
        }
        let place = read(&text);
        ui.add_space(4.0);
        let wrong = place.is_none() && !text.trim().is_empty();
        let hint = if wrong { question.wrong } else { "Press Enter to go to this position" };
        ui.add(Label::new(RichText::new(hint).small().color(if wrong { p.warning } else { p.weak })).selectable(false));
        ui.add_space(8.0);
        let go = ui.add_enabled(place.is_some(), egui::Button::new("Go"));
        if let Some(place) = place.filter(|_| go.clicked() || enter) {
            answer = Some(Answer::Place(place));
        }
    });
    ui.data_mut(|d| d.insert_temp(id, text));
    answer.or_else(|| modal.should_close().then_some(Answer::GivenUp))
}
