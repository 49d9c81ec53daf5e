//! The two ends of the stretch that plays, on the ruler.

use crate::ui::{
    command::{Command, TransportCommand},
    theme::Palette,
    transport::{
        ruler_scale::Scale,
        time_bar::{PlayRange, Unit},
    },
};
use egui::{CursorIcon, Painter, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

/// Width of a handle, in points: as much as the ruler leaves free at its ends, so that frames can be pressed up to there.
const WIDTH: f32 = 7.0;
const NAMES: [&str; 2] = ["Start of the range", "End of the range"];

/// Takes the light off what does not play.
pub fn shade(painter: &Painter, rect: Rect, scale: Scale, range: PlayRange, p: &Palette) {
    if range.is_part {
        let (first, last) = (scale.x(range.first), scale.x(range.last));
        let dim = p.panel.gamma_multiply(0.65);
        painter.rect_filled(rect.with_max_x(first), 4.0, dim);
        painter.rect_filled(rect.with_min_x(last), 4.0, dim);
        let band = Rect::from_x_y_ranges(first..=last, rect.top()..=rect.top() + 2.0);
        painter.rect_filled(band, 0.0, p.accent);
    }
}

/// The handles outside of the range, which drags move by whole frames. Gives the place and the words for the one that the
/// pointer is on.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    scale: Scale,
    end: f64,
    range: PlayRange,
    unit: Unit,
    commands: &mut Vec<Command>,
) -> Option<(f32, String)> {
    let p = crate::ui::theme::palette(ui);
    let mut told = None;
    for (name, at, side) in [(NAMES[0], range.first, -1.0), (NAMES[1], range.last, 1.0)] {
        let x = scale.x(at);
        let inner = x + side * (8.0 - WIDTH);
        let handle =
            Rect::from_x_y_ranges(inner.min(inner + side * WIDTH)..=inner.max(inner + side * WIDTH), rect.y_range());
        let response = ui.interact(handle, ui.id().with(name), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::slider(true, at, name));
        let is_held = response.dragged() || response.is_pointer_button_down_on();
        let color = match (is_held || response.hovered(), range.is_part) {
            (true, _) => p.accent,
            (false, true) => p.accent.gamma_multiply(0.8),
            (false, false) => p.weak.gamma_multiply(0.5),
        };
        let painter = ui.painter_at(rect);
        painter.vline(x, rect.y_range(), Stroke::new(if range.is_part { 2.0 } else { 1.0 }, color));
        let grip = Rect::from_center_size(pos2(x + side * 3.0, rect.center().y), vec2(4.0, 12.0));
        painter.rect_filled(grip, 1.5, color);
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            // It is held by its middle.
            let wanted = scale.position(pointer.x - side * 4.5, end).round();
            let (first, last) = if side < 0.0 {
                (wanted.min(range.last), range.last)
            } else {
                (range.first, wanted.clamp(range.first, end))
            };
            if (first, last) != (range.first, range.last) {
                commands.push(Command::Transport(TransportCommand::SetRange(first as f32, last as f32)));
            }
        }
        if is_held || response.hovered() {
            told = Some((x, format!("{name}: {}", unit.hint(at))));
        }
        response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    }
    told
}
