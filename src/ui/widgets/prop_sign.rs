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

/// What a type is called: its name without the folders that it mostly starts with, else its model's, else its number.
pub fn name(kind: &PropKind) -> String {
    let last = |path: &str| path.rsplit(['\\', '/']).next().unwrap_or_default().to_owned();
    let names = [last(&kind.name), last(&kind.model)];
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| format!("Type {}", kind.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{PropMarker, SizeSource};

    #[test]
    fn types_are_called_by_the_last_part_of_their_name() {
        let called = |name: &str, model: &str| {
            super::name(&PropKind {
                id: 7,
                name: name.into(),
                model: model.into(),
                class: PropClass::Natural,
                marker: PropMarker::Ellipse,
                outline: None,
                fill: None,
                size: glam::Vec3::ONE,
                size_source: SizeSource::Class,
                source: None,
                body: None,
            })
        };
        assert_eq!(called(r"ca\plants\oak", r"ca\plants\oak.p3d"), "oak");
        assert_eq!(called("", r"ca\plants\oak.p3d"), "oak.p3d");
        assert_eq!(called("House", ""), "House");
        assert_eq!(called("", r"ca\"), "Type 7");
    }
}
