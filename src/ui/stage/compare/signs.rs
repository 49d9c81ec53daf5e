use crate::{library::compare::State, ui::theme::Palette};
use egui::Color32;
use egui_phosphor::regular as icon;

/// Sign and colour of a state.
pub fn of(state: State, p: &Palette) -> (&'static str, Color32) {
    let color = match state {
        State::Same => p.weak,
        State::Changed => p.warning,
        State::Added => p.good,
        State::Gone => p.error,
        State::Moved => p.accent,
    };
    let sign = if state == State::Same { " " } else { state.sign() };
    (sign, color)
}

/// A text with the arrow that the fonts have.
pub fn drawn(text: &str) -> String {
    text.replace('→', icon::ARROW_RIGHT)
}
