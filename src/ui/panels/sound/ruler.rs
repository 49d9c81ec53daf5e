//! Time along a waveform.

use crate::ui::theme::Palette;
use egui::{Align2, FontId, Painter, Rect, Stroke, pos2};

/// Height of the ruler, in points.
pub const HEIGHT: f32 = 18.0;

/// Steps between two marks, in seconds.
pub const STEPS: [f64; 17] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0];

/// `1:02`, with thousandths `1:02.345`.
pub fn clock(seconds: f64, thousandths: bool) -> String {
    let millis = (seconds.max(0.0) * 1000.0).round() as u64;
    let (minutes, rest) = (millis / 60_000, millis % 60_000);
    if thousandths {
        format!("{minutes}:{:02}.{:03}", rest / 1000, rest % 1000)
    } else {
        format!("{minutes}:{:02}", rest / 1000)
    }
}

/// Marks from `first` to `last` seconds.
pub fn paint(painter: &Painter, rect: Rect, first: f64, last: f64, p: &Palette) {
    let width = f64::from(rect.width());
    let span = (last - first).max(1e-9);
    let Some(step) = STEPS.into_iter().find(|step| step / span * width >= 72.0) else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_on_a_player() {
        assert_eq!(clock(62.345, true), "1:02.345");
        assert_eq!(clock(59.9996, true), "1:00.000");
        assert_eq!(clock(-1.0, false), "0:00");
    }
}
