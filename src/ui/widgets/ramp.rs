//! A bar that runs through colours.

use egui::{Color32, Mesh, Rect, pos2};

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
