//! Time along a waveform.

use crate::ui::{
    theme::Palette,
    widgets::time_text::{SECONDS_BETWEEN_MARKS, clock},
};
use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 18.0;

/// Marks from `first` to `last` seconds.
pub fn paint(painter: &Painter, rect: Rect, first: f64, last: f64, p: &Palette) {
    let width = f64::from(rect.width());
    let span = (last - first).max(1e-9);
    let Some(step) = SECONDS_BETWEEN_MARKS.into_iter().find(|step| step / span * width >= 72.0) else { return };
    let mut mark = (first / step).ceil();
    while mark * step <= last {
        let seconds = mark * step;
        let x = rect.left() + ((seconds - first) / span * width) as f32;
        painter.vline(x, rect.bottom() - 5.0..=rect.bottom(), Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
        let text = clock(seconds, step < 1.0);
        if x + text.len() as f32 * 6.0 < rect.right() {
            let at = pos2(x + 3.0, rect.top() + 2.0);
            painter.text(at, Align2::LEFT_TOP, text, FontId::monospace(9.5), p.weak);
        }
        mark += 1.0;
    }
}
