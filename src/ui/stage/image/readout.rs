//! The lines below a picture: what it is, and the pixel under the cursor.

use crate::ui::theme;
use egui::{Color32, Label, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, vec2};

/// What is read at the cursor.
pub struct Reading {
    pub x: u32,
    pub y: u32,
    /// Red, green, blue, alpha.
    pub rgba: [u8; 4],
    /// Into the palette, with the colour that it has there.
    pub index: Option<(u8, Option<[u8; 4]>)>,
    /// Which of several images; empty when there is but one.
    pub of: String,
}

impl Reading {
    /// `#FF8000 alpha 128 at 3, 7`, for the clipboard.
    pub fn text(&self) -> String {
        let [red, green, blue, alpha] = self.rgba;
        let alpha = if alpha == 255 { String::new() } else { format!(" alpha {alpha}") };
        format!("#{red:02X}{green:02X}{blue:02X}{alpha} at {}, {}", self.x, self.y)
    }
}

/// The pixel under the cursor, or what to do to see one.
pub fn pixel(ui: &mut Ui, reading: Option<&Reading>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.set_height(20.0);
        ui.spacing_mut().item_spacing.x = 12.0;
        let Some(r) = reading else {
            let hint = "Hover over a pixel to see its colour. Scroll to zoom, drag to pan.";
            ui.add(Label::new(RichText::new(hint).small().color(p.weak)).selectable(false).truncate());
            return;
        };
        swatch(ui, r.rgba);
        let [red, green, blue, alpha] = r.rgba;
        let place = format!("x {:<4} y {:<4}", r.x, r.y);
        let hex = format!("#{red:02X}{green:02X}{blue:02X}");
        let values = format!("R {red:<3} G {green:<3} B {blue:<3} A {alpha:<3}");
        for (text, color) in [(&place, p.text), (&hex, p.strong), (&values, p.text)] {
            ui.add(Label::new(theme::figures(text.as_str()).color(color)).selectable(false));
        }
        let mut said = format!("Pixel {}, {}: {hex}, alpha {alpha}", r.x, r.y);
        if let Some((index, color)) = r.index {
            ui.add(Label::new(theme::figures(format!("index {index:<3}")).color(p.text)).selectable(false));
            match color {
                Some(color) if color[..3] != r.rgba[..3] => swatch(ui, color),
                Some(_) => {}
                None => {
                    ui.add(Label::new(RichText::new("not in the palette").small().color(p.warning)).selectable(false));
                }
            }
            said.push_str(&format!(", palette index {index}"));
        }
        if !r.of.is_empty() {
            ui.add(Label::new(RichText::new(&r.of).small().color(p.weak)).selectable(false));
        }
        ui.response().widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, said.as_str()));
    });
}

/// One line of facts.
pub fn facts(ui: &mut Ui, name: &str, parts: &[String]) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.set_height(20.0);
        ui.add(Label::new(RichText::new(name).color(p.strong)).truncate());
        let text = parts.join("  ·  ");
        let label = ui.add(Label::new(RichText::new(text.as_str()).small().color(p.weak)).truncate());
        label.on_hover_text(text);
    });
}

/// A small square of a colour.
pub fn swatch(ui: &mut Ui, [r, g, b, _]: [u8; 4]) {
    let p = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    let rect = Rect::from_center_size(rect.center(), vec2(14.0, 14.0));
    ui.painter().rect_filled(rect, 3.0, Color32::from_rgb(r, g, b));
    ui.painter().rect_stroke(rect, 3.0, Stroke::new(1.0, p.line), StrokeKind::Inside);
}
