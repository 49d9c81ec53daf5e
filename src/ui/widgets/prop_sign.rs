//! What a thing on the ground is, by colour and by letters.

use crate::{
    scene::{PropClass, PropKind},
    ui::theme::{self, Palette},
};
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, vec2};

/// Side of a swatch, in points.
pub const SWATCH: f32 = 10.0;
/// Width of a class's letters, in points.
pub const BADGE: f32 = 22.0;

/// The colour of a type: its own or its class's.
pub fn color(kind: &PropKind) -> Color32 {
    let [r, g, b] = kind.fill.map_or(kind.class.color(), |[r, g, b, _]| [r, g, b]);
    Color32::from_rgb(r, g, b)
}

pub fn class_color(class: PropClass) -> Color32 {
    let [r, g, b] = class.color();
    Color32::from_rgb(r, g, b)
}

/// A square of the type's colour; its middle is at `center`.
pub fn swatch(painter: &Painter, center: Pos2, color: Color32, p: &Palette) {
    let rect = Rect::from_center_size(center, vec2(SWATCH, SWATCH));
    painter.rect_filled(rect, 2.0, color);
    painter.rect_stroke(rect, 2.0, Stroke::new(1.0, p.line), StrokeKind::Outside);
}

/// A class's letters in a frame of its colour.
pub fn badge(painter: &Painter, center: Pos2, class: PropClass, p: &Palette) {
    let rect = Rect::from_center_size(center, vec2(BADGE - 2.0, 14.0));
    let color = class_color(class);
    painter.rect_filled(rect, 3.0, color.gamma_multiply(0.25));
    painter.rect_stroke(rect, 3.0, Stroke::new(1.0, color), StrokeKind::Inside);
    painter.text(center, Align2::CENTER_CENTER, class.letters(), FontId::proportional(theme::SMALL - 1.0), p.strong);
}

/// What a type is called: its name, else its model's, else its number.
pub fn name(kind: &PropKind) -> String {
    let file = kind.model.rsplit(['\\', '/']).next().unwrap_or_default();
    match (kind.name.is_empty(), file.is_empty()) {
        (false, _) => kind.name.clone(),
        (true, false) => file.to_owned(),
        _ => format!("Type {}", kind.id),
    }
}
