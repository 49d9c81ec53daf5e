//! What makes a picture from above a map: rulers along two sides, a scale, and where north is.

use crate::ui::{
    state::State,
    theme::{self, Palette},
    widgets::numbers::grouped,
};
use egui::{Align2, FontId, Painter, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

/// Height of the ruler along the top and width of the one on the left, in points.
const TOP: f32 = 18.0;

const LEFT: f32 = 56.0;

/// Ticks with a number are at least so far apart, in points.
const APART: f32 = 78.0;

/// The longest that a scale is, in points.
const LONGEST: f32 = 132.0;

const STEPS: [f32; 13] = [1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4];

/// Metres that a point of the picture is wide.
fn metres_of_a_point(rect: Rect, state: &State) -> f32 {
    let camera = &state.stages.front.view.camera;
    2.0 * camera.distance * (camera.fov_y * 0.5).tan() / rect.height().max(1.0)
}

/// Draws the rulers; what they leave of the picture.
pub fn show(ui: &Ui, rect: Rect, state: &State, p: &Palette) -> Rect {
    let inner = Rect::from_min_max(rect.min + vec2(LEFT, TOP), rect.max);
    if inner.width() < 120.0 || inner.height() < 120.0 {
        return rect;
    }
    let metres = metres_of_a_point(rect, state);
    let step = STEPS.into_iter().find(|step| step / metres >= APART).unwrap_or(5e4);
    let painter = ui.painter_at(rect);
    let fill = p.panel.gamma_multiply(0.88);
    painter.rect_filled(rect.with_max_y(inner.top()), 0.0, fill);
    painter.rect_filled(rect.with_max_x(inner.left()).with_min_y(inner.top()), 0.0, fill);
    let line = Stroke::new(1.0, p.line);
    painter.line_segment([inner.left_top(), inner.right_top()], line);
    painter.line_segment([inner.left_top(), inner.left_bottom()], line);
    let font = FontId::proportional(theme::SMALL);
    let tick = Stroke::new(1.0, p.weak);
    let focus = state.stages.front.view.camera.focus;
    let center = rect.center();
    // A fifth of a step has a tick without a number.
    let fine = step / 5.0;
    for (number, east) in multiples(focus.x + (inner.left() - center.x) * metres, inner.width() * metres, fine) {
        let x = center.x + (east - focus.x) / metres;
        let whole = number.rem_euclid(5) == 0;
        painter.line_segment([pos2(x, inner.top() - if whole { 6.0 } else { 3.0 }), pos2(x, inner.top())], tick);
        if whole && x < rect.right() - 24.0 {
            painter.text(pos2(x + 3.0, rect.top() + 2.0), Align2::LEFT_TOP, label(east, step), font.clone(), p.text);
        }
    }
    // As in a mirror, what is farther north is farther down.
    let flipped = state.stages.front.mirror().y;
    let lowest = if flipped { center.y - inner.top() } else { inner.bottom() - center.y };
    let south = -focus.z - lowest * metres;
    for (number, north) in multiples(south, inner.height() * metres, fine) {
        let up = (north + focus.z) / metres;
        let y = if flipped { center.y + up } else { center.y - up };
        let whole = number.rem_euclid(5) == 0;
        painter.line_segment([pos2(inner.left() - if whole { 6.0 } else { 3.0 }, y), pos2(inner.left(), y)], tick);
        if whole && y > inner.top() + 8.0 && y < inner.bottom() - 6.0 {
            let at = pos2(inner.left() - 8.0, y);
            painter.text(at, Align2::RIGHT_CENTER, label(north, step), font.clone(), p.text);
        }
    }
    inner
}

/// The multiples of a step in a range, with their numbers; no more than fit on a screen.
fn multiples(from: f32, len: f32, step: f32) -> impl Iterator<Item = (i64, f32)> {
    let first = (from / step).ceil() as i64;
    let last = ((from + len) / step).floor() as i64;
    (first..=last.min(first.saturating_add(500))).map(move |number| (number, number as f32 * step))
}

/// `1.5 km`, `300 m`: the unit goes by the step, so that all are alike.
fn label(metres: f32, step: f32) -> String {
    if step >= 1000.0 {
        return format!("{} km", signed((metres / 1000.0).round() as i64));
    }
    format!("{} m", signed(metres.round() as i64))
}

fn signed(number: i64) -> String {
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", grouped(number.unsigned_abs() as usize))
}

/// The scale and the arrow to the north, from a corner at the bottom left; the width they take.
pub fn scale(ui: &Ui, rect: Rect, inner: Rect, state: &State, p: &Palette) -> f32 {
    let metres = metres_of_a_point(rect, state);
    let length = STEPS.into_iter().rev().find(|step| step / metres <= LONGEST).unwrap_or(1.0);
    let points = (length / metres).clamp(4.0, LONGEST);
    let text = if length >= 1000.0 { format!("{} km", length / 1000.0) } else { format!("{length} m") };
    let size = vec2(points + 56.0, 40.0);
    let place = Rect::from_min_size(inner.left_bottom() + vec2(8.0, -8.0 - size.y), size);
    let painter = ui.painter_at(rect);
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.85));
    let flipped = state.stages.front.mirror().y;
    arrow(&painter, Rect::from_min_size(place.min + vec2(8.0, 5.0), vec2(18.0, 30.0)), flipped, p);
    let bar = Rect::from_min_size(place.left_top() + vec2(40.0, 24.0), vec2(points, 5.0));
    painter.rect_filled(bar, 0.0, p.strong);
    let half = bar.with_min_x(bar.center().x).shrink2(vec2(1.0, 1.0));
    painter.rect_filled(half, 0.0, p.panel);
    let font = FontId::proportional(theme::SMALL);
    painter.text(bar.left_top() - vec2(0.0, 3.0), Align2::LEFT_BOTTOM, "0", font.clone(), p.text);
    painter.text(bar.right_top() - vec2(-4.0, 3.0), Align2::RIGHT_BOTTOM, text.as_str(), font, p.text);
    let response = ui.interact(place, ui.id().with("scale of the map"), Sense::hover());
    let name = format!("Scale: {text}; north is at the {}", if flipped { "bottom" } else { "top" });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, name.as_str()));
    size.x + 16.0
}

fn arrow(painter: &Painter, rect: Rect, flipped: bool, p: &Palette) {
    let middle = rect.center().x;
    let (top, bottom) = if flipped { (rect.bottom(), rect.bottom() - 18.0) } else { (rect.top(), rect.top() + 18.0) };
    let notch = pos2(middle, if flipped { bottom + 5.0 } else { bottom - 5.0 });
    let left = vec![pos2(middle, top), pos2(middle - 6.0, bottom), notch];
    let right = vec![pos2(middle, top), pos2(middle + 6.0, bottom), notch];
    painter.add(Shape::convex_polygon(left, p.strong, Stroke::NONE));
    painter.add(Shape::convex_polygon(right, p.weak, Stroke::NONE));
    let font = FontId::proportional(theme::SMALL);
    let (at, align) = match flipped {
        true => (rect.top() - 1.0, Align2::CENTER_TOP),
        false => (rect.bottom() + 1.0, Align2::CENTER_BOTTOM),
    };
    painter.text(pos2(middle, at), align, "N", font, p.strong);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulers_have_round_numbers() {
        let at = |from, len, step| multiples(from, len, step).collect::<Vec<_>>();
        assert_eq!(at(-30.0, 60.0, 20.0), [(-1, -20.0), (0, 0.0), (1, 20.0)]);
        assert!(at(f32::NAN, 1.0, 20.0).len() <= 501);
        assert_eq!(label(12_000.0, 1000.0), "12 km");
        assert_eq!(label(12_300.0, 100.0), "12,300 m");
        assert_eq!(label(-400.0, 200.0), "−400 m");
    }
}
