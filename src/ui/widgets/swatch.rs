//! Areas of one colour and of a colour ramp.

use egui::{Color32, Mesh, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// A square of a colour, its transparent part over a chequered ground.
pub fn swatch(ui: &mut Ui, [r, g, b, a]: [u8; 4]) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, 3.0, Color32::from_gray(160));
    let half = rect.size() / 2.0;
    for corner in [rect.min, rect.min + half] {
        painter.rect_filled(Rect::from_min_size(corner, half), 0.0, Color32::from_gray(100));
    }
    painter.rect_filled(rect, 3.0, Color32::from_rgba_unmultiplied(r, g, b, a));
    let opaque = Rect::from_min_max(rect.min, pos2(rect.center().x, rect.bottom()));
    painter.rect_filled(opaque, 3.0, Color32::from_rgb(r, g, b));
    painter.rect_stroke(
        rect,
        3.0,
        Stroke::new(1.0, ui.visuals().widgets.noninteractive.bg_stroke.color),
        StrokeKind::Inside,
    );
}

/// Colours that pass into each other, each at its share of the bar.
pub fn ramp(painter: &egui::Painter, bar: Rect, stops: impl IntoIterator<Item = (f32, [u8; 3])>) {
    let mut mesh = Mesh::default();
    for (index, (share, [r, g, b])) in (0_u32..).zip(stops) {
        let x = egui::lerp(bar.x_range(), share);
        for y in [bar.top(), bar.bottom()] {
            mesh.colored_vertex(pos2(x, y), Color32::from_rgb(r, g, b));
        }
        if index > 0 {
            let first = (index - 1) * 2;
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
    }
    painter.add(mesh);
}
