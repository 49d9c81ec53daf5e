//! What dialogs have in common.

use crate::ui::theme;
use egui::{Align, Button, Event, Frame, Id, Key, Label, Layout, Modal, RichText, Ui, vec2};

const WIDTH: f32 = 460.0;

/// The card that a dialog is.
pub fn frame(ui: &Ui) -> Frame {
    Frame::popup(ui.style()).inner_margin(16.0).corner_radius(8.0)
}

/// On a card, what is pressed and ticked stands out by the panel's colour and a line. Bars show before a pointer is near: a dialog that
/// scrolls is rare, and what follows below is missed without one.
pub fn style(ui: &mut Ui) {
    let p = theme::palette(ui);
    let idle = &mut ui.visuals_mut().widgets.inactive;
    (idle.weak_bg_fill, idle.bg_fill) = (p.panel, p.field);
    idle.bg_stroke = egui::Stroke::new(1.0, p.line);
    let scroll = &mut ui.spacing_mut().scroll;
    (scroll.foreground_color, scroll.dormant_handle_opacity) = (true, 0.3);
}

/// Whether Enter was pressed for the dialog's own button: not held since before, and not for another button that has the keyboard.
pub fn is_confirmed(ui: &Ui) -> bool {
    let on_button = ui.memory(|memory| memory.focused()).is_some() && !ui.ctx().text_edit_focused();
    !on_button
        && ui.input_mut(|input| {
            let mut found = false;
            input.events.retain(|event| {
                let Event::Key { key: Key::Enter, pressed: true, repeat, modifiers, .. } = event else { return true };
                let is_plain = !modifiers.any();
                found |= is_plain && !repeat;
                !is_plain
            });
            found
        })
}

/// The effect of the Enter key in a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Enter {
    /// Gives the first answer, whose button is coloured.
    First,
    Ignored,
}

/// Asks a question with two answers and returns the one that was given: `true` for the first. Closing the dialog is the second.
pub fn question(ui: &Ui, title: &str, answers: [&str; 2], enter: Enter, body: impl FnOnce(&mut Ui)) -> Option<bool> {
    let width = WIDTH.min(ui.ctx().content_rect().width() - 48.0);
    let mut given = None;
    let modal = Modal::new(Id::new(title)).frame(frame(ui)).show(ui.ctx(), |ui| {
        ui.set_width(width);
        style(ui);
        let p = theme::palette(ui);
        ui.add(Label::new(RichText::new(title).heading()).selectable(false));
        ui.add_space(8.0);
        body(ui);
        ui.add_space(12.0);
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 32.0), Layout::right_to_left(Align::Center), |ui| {
            let size = vec2(120.0, 32.0);
            let [first, second] = answers;
            let is_default = enter == Enter::First;
            let first = match is_default {
                true => Button::new(RichText::new(first).color(p.on_accent).strong()).fill(p.accent),
                false => Button::new(first),
            };
            if ui.add(first.min_size(size)).clicked() || is_default && is_confirmed(ui) {
                given = Some(true);
            }
            if ui.add(Button::new(second).min_size(size)).clicked() {
                given = Some(false);
            }
        });
    });
    given.or(modal.should_close().then_some(false))
}
