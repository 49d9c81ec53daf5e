//! What is wrong with a row of the library, at its right end.

use crate::ui::library::look::{Look, RowView};
use crate::ui::widgets::numbers::{counted, grouped};
use crate::ui::{theme, widgets::diagnostic_card};
use egui::{Align2, FontId, Painter, Sense, Ui, WidgetInfo, WidgetType, pos2};

/// Sentences that a badge tells.
const MAX_FINDINGS: usize = 4;

/// What is wrong with the row: a sign and how much of it, its right end at `at`. Returns where the room for text ends and whether
/// the pointer is on it.
pub fn show(ui: &Ui, painter: &Painter, view: &RowView<'_>, look: &Look<'_>, at: egui::Pos2) -> (f32, bool) {
    let Some((severity, count)) = view.row.trouble.worst() else { return (at.x, false) };
    let (sign, word, color) = diagnostic_card::sign(ui, severity);
    let number = painter.text(at, Align2::RIGHT_CENTER, count, FontId::monospace(theme::SMALL), color);
    let place = pos2(number.left() - 2.0, at.y);
    let drawn = painter.text(place, Align2::RIGHT_CENTER, sign, FontId::proportional(14.0), color);
    let area = drawn.union(number);
    let id = ui.id().with(("trouble", view.row.id));
    let response = ui.interact(area.expand(2.0), id, Sense::hover());
    let told = format!("{} in {}", counted(usize::from(count), &word.to_lowercase()), look.name);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &told));
    let is_pointed_at = response.contains_pointer();
    response.on_hover_ui(|ui| {
        ui.set_max_width(360.0);
        let trouble = view.row.trouble;
        let all = usize::from(trouble.errors) + usize::from(trouble.warnings);
        let findings = view.library.findings(view.row, MAX_FINDINGS);
        for (severity, message) in &findings {
            let (sign, word, color) = diagnostic_card::sign(ui, *severity);
            ui.horizontal_top(|ui| {
                ui.label(egui::RichText::new(sign).color(color));
                ui.add(egui::Label::new(format!("{word}: {message}")).wrap());
            });
        }
        if all > findings.len() {
            let text = format!("{} more", grouped(all - findings.len()));
            ui.label(egui::RichText::new(text).color(view.p.weak));
        }
    });
    (area.left() - 6.0, is_pointed_at)
}
