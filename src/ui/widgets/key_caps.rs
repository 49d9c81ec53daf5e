//! Keys as they are printed on a keyboard.

use crate::ui::theme;
use egui::{FontId, Key, KeyboardShortcut, Rect, Sense, StrokeKind, Ui, os::OperatingSystem, pos2, vec2};
use egui_phosphor::regular as icon;

const HEIGHT: f32 = 18.0;
const SPACE: f32 = 3.0;

/// The caps of a shortcut: `Ctrl`, `P`.
pub fn of(ctx: &egui::Context, keys: &KeyboardShortcut) -> Vec<String> {
    let mac = matches!(ctx.os(), OperatingSystem::Mac | OperatingSystem::IOS);
    let modifiers = [
        (keys.modifiers.command, if mac { icon::COMMAND } else { "Ctrl" }),
        (keys.modifiers.ctrl && !keys.modifiers.command, "Ctrl"),
        (keys.modifiers.alt, if mac { icon::OPTION } else { "Alt" }),
        (keys.modifiers.shift, "Shift"),
    ];
    let held = modifiers.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| (*name).to_owned());
    held.chain([cap(keys.logical_key).to_owned()]).collect()
}

/// What is printed on a key.
fn cap(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => icon::ARROW_LEFT,
        Key::ArrowRight => icon::ARROW_RIGHT,
        Key::ArrowUp => icon::ARROW_UP,
        Key::ArrowDown => icon::ARROW_DOWN,
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Plus => "+",
        Key::Minus => "-",
        Key::Equals => "=",
        Key::Slash => "/",
        Key::Questionmark => "?",
        Key::PageUp => "PgUp",
        Key::PageDown => "PgDn",
        Key::Escape => "Esc",
        other => other.name(),
    }
}

/// The caps as words, for screen readers.
pub fn spoken(keys: &KeyboardShortcut) -> String {
    keys.format(&egui::ModifierNames::NAMES, false)
}

/// Shows caps, one a key.
pub fn show<S: AsRef<str>>(ui: &mut Ui, caps: &[S]) {
    let p = theme::palette(ui);
    let font = FontId::proportional(theme::SMALL);
    let galleys: Vec<_> =
        caps.iter().map(|c| ui.painter().layout_no_wrap(c.as_ref().to_owned(), font.clone(), p.text)).collect();
    let widths: Vec<f32> = galleys.iter().map(|g| (g.size().x + 10.0).ceil().max(20.0)).collect();
    let total = widths.iter().sum::<f32>() + SPACE * galleys.len().saturating_sub(1) as f32;
    let (rect, _) = ui.allocate_exact_size(vec2(total, HEIGHT), Sense::hover());
    let mut left = rect.left();
    for (galley, width) in galleys.into_iter().zip(widths) {
        let cap = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEIGHT));
        ui.painter().rect(cap, 4.0, p.panel, egui::Stroke::new(1.0, p.line), StrokeKind::Inside);
        let place = cap.center() - galley.size() / 2.0;
        ui.painter().galley(place, galley, p.text);
        left += width + SPACE;
    }
}
