//! What lies behind the curves: the grid with its numbers, the ruler of frames, the clip's length and its markers.

use crate::{
    scene::{Clip, Marker},
    ui::{
        theme::Palette,
        transport::curves::window::{Scale, round_step},
        widgets::value_text::decimals,
    },
};
use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

/// What the values at the left are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Any,
    Degrees,
    Whole,
    /// Shares of each curve's own extent.
    Share,
}

/// Height of the ruler above the curves, in points.
pub const RULER: f32 = 22.0;

/// Width of the numbers at the left of the curves, in points.
pub const GUTTER: f32 = 46.0;

/// How far apart grid lines are, in points.
const FRAME_STEP: f64 = 76.0;

const VALUE_STEP: f64 = 46.0;

/// Steps of degrees.
const DEGREES: [f64; 8] = [1.0, 2.0, 5.0, 15.0, 30.0, 45.0, 90.0, 180.0];

/// The grid, its numbers at the left (`beside`), and the stretch that the clip takes.
pub fn grid(painter: &Painter, beside: &Painter, scale: Scale, clip: &Clip, kind: Values, p: &Palette) {
    let rect = scale.rect;
    let (start, end) = (scale.x(0.0), scale.x(f64::from(clip.frame_count)));
    // Outside the clip nothing plays.
    let outside = p.panel.gamma_multiply(0.75);
    painter.rect_filled(rect.with_max_x(start.clamp(rect.left(), rect.right())), 0.0, outside);
    painter.rect_filled(rect.with_min_x(end.clamp(rect.left(), rect.right())), 0.0, outside);
    let (left, right) = scale.window.frames;
    let step = frame_step(scale);
    let mut frame = (left / step).ceil() * step;
    while frame <= right {
        painter.vline(scale.x(frame), rect.y_range(), Stroke::new(1.0, p.line.gamma_multiply(0.55)));
        frame += step;
    }
    let (low, high) = scale.window.values;
    let step = value_step(scale, kind);
    let places = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
    let mut index = (low / step).ceil();
    while index * step <= high {
        let value = index * step;
        let y = scale.y(value);
        let zero = index == 0.0;
        let line = if zero { p.weak.gamma_multiply(0.55) } else { p.line.gamma_multiply(0.55) };
        painter.hline(rect.x_range(), y, Stroke::new(1.0, line));
        if y - 6.0 > rect.top() && y + 6.0 < rect.bottom() {
            let text = match kind {
                Values::Degrees => format!("{}°", decimals(value as f32, places)),
                Values::Share => format!("{} %", decimals(value as f32 * 100.0, 0)),
                Values::Any | Values::Whole => decimals(value as f32, places),
            };
            let at = pos2(rect.left() - 6.0, y);
            beside.text(at, Align2::RIGHT_CENTER, text, FontId::monospace(10.0), p.weak);
        }
        index += 1.0;
    }
    for x in [start, end] {
        if rect.x_range().contains(x) {
            painter.vline(x, rect.y_range(), Stroke::new(1.0, p.weak.gamma_multiply(0.45)));
        }
    }
}

fn frame_step(scale: Scale) -> f64 {
    let (left, right) = scale.window.frames;
    round_step(right - left, f64::from(scale.rect.width()) / FRAME_STEP, right - left > 4.0)
}

fn value_step(scale: Scale, kind: Values) -> f64 {
    let (low, high) = scale.window.values;
    let count = (f64::from(scale.rect.height()) / VALUE_STEP).max(1.0);
    let rough = (high - low) / count;
    match DEGREES.into_iter().find(|step| *step >= rough) {
        Some(step) if kind == Values::Degrees && rough > 0.5 => step,
        _ => round_step(high - low, count, kind == Values::Whole),
    }
}

/// Frames above the curves, and what happens at them.
pub fn ruler(painter: &Painter, rect: Rect, scale: Scale, markers: &[Marker], p: &Palette) {
    painter.rect_filled(rect, egui::CornerRadius { nw: 6, ne: 6, sw: 0, se: 0 }, p.card);
    let (left, right) = scale.window.frames;
    let step = frame_step(scale);
    let places = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
    let mut frame = (left / step).ceil() * step;
    while frame <= right {
        let x = scale.x(frame);
        painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, p.weak.gamma_multiply(0.7)));
        let text = decimals(frame as f32, places);
        if x + text.len() as f32 * 6.5 < rect.right() && x >= rect.left() {
            let at = pos2(x + 4.0, rect.center().y - 1.0);
            painter.text(at, Align2::LEFT_CENTER, text, FontId::monospace(10.0), p.weak);
        }
        frame += step;
    }
    for marker in markers {
        let x = scale.x(f64::from(marker.frame));
        if rect.x_range().contains(x) {
            let (top, foot) = (rect.top() + 4.0, rect.bottom());
            painter.vline(x, top..=foot, Stroke::new(1.0, p.strong));
            let flag = vec![pos2(x, top), pos2(x + 7.0, top + 3.5), pos2(x, top + 7.0)];
            painter.add(egui::Shape::convex_polygon(flag, p.strong, Stroke::NONE));
        }
    }
}
