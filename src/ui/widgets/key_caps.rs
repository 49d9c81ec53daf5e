//! Keys as they are printed on a keyboard.

use crate::ui::theme;
use egui::{FontId, Rect, Sense, StrokeKind, Ui, pos2, vec2};

const HEIGHT: f32 = 18.0;
const SPACE: f32 = 3.0;

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
