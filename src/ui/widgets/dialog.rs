//! What dialogs have in common.

use egui::{Event, Frame, Key, Ui};

/// The card that a dialog is.
pub fn frame(ui: &Ui) -> Frame {
    Frame::popup(ui.style()).inner_margin(16.0).corner_radius(8.0)
}

/// On a card, what is pressed and ticked stands out by the panel's colour and a line.
pub fn style(ui: &mut Ui) {
    let p = crate::ui::theme::palette(ui);
    let idle = &mut ui.visuals_mut().widgets.inactive;
    (idle.weak_bg_fill, idle.bg_fill) = (p.panel, p.field);
    idle.bg_stroke = egui::Stroke::new(1.0, p.line);
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
