//! Fields of two entries side by side.

use crate::ui::stage::compare::signs;
use crate::{
    library::compare::{FieldRow, State as Differs},
    ui::{
        state::Detail,
        theme::{self, Palette},
        widgets::numbers::grouped,
    },
};
use egui::{
    Align2, Color32, FontId, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2,
    text::{LayoutJob, TextWrapping},
    vec2,
};

/// Width of the names, as a share of the row.
const PATH: f32 = 0.42;
/// Names of a path that are left out, at most.
const MAX_NAMES: usize = 64;

pub fn show(ui: &mut Ui, detail: &Detail, with_same: bool) {
    let p = theme::palette(ui);
    let is_listed = |row: &&FieldRow| with_same || row.state != Differs::Same;
    let rows: Vec<&FieldRow> = detail.fields.rows.iter().filter(is_listed).collect();
    if rows.is_empty() {
        ui.weak("No differences in the fields.");
    }
    let found = &detail.fields;
    let kept = found.rows.iter().filter(|row| row.state != Differs::Same).count();
    if found.differing > kept {
        ui.weak(format!("{} fields differ. Only the first {} are shown.", grouped(found.differing), grouped(kept)));
    }
    if found.cut {
        let text = "Too many fields: only some were compared.";
        ui.label(egui::RichText::new(text).color(p.warning));
    }
    if rows.is_empty() {
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).id_salt("compared fields").show_rows(
        ui,
        theme::ROW,
        rows.len(),
        |ui, range| {
            let first = range.start;
            for (index, row) in rows.get(range).unwrap_or_default().iter().enumerate() {
                field(ui, row, (first + index) % 2 == 1, &p);
            }
        },
    );
}

fn field(ui: &mut Ui, row: &FieldRow, odd: bool, p: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let (left, right) = (value(&row.left), value(&row.right));
    let label = format!("{}: {}: {left}, {right}", row.state.word(), row.path);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
    let painter = ui.painter_at(rect);
    if odd {
        painter.rect_filled(rect, 0.0, p.zebra);
    }
    let (sign, color) = signs::of(row.state, p);
    let middle = rect.center().y;
    painter.text(pos2(rect.left() + 10.0, middle), Align2::CENTER_CENTER, sign, FontId::monospace(13.0), color);
    let (width, start) = (rect.width() - 22.0, rect.left() + 22.0);
    let differs = if row.state == Differs::Same { p.text } else { color };
    let path = ending(ui, &row.path, width * PATH - 8.0);
    let value = (1.0 - PATH) / 2.0;
    for (text, color, from, share) in
        [(&path, p.text, 0.0, PATH), (&left, differs, PATH, value), (&right, differs, PATH + value, value)]
    {
        let mut job = LayoutJob::simple_singleline(signs::drawn(text), FontId::proportional(theme::BODY), color);
        job.wrap = TextWrapping::truncate_at_width((width * share - 8.0).max(8.0));
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        painter.galley(pos2(start + width * from, middle - galley.size().y / 2.0), galley, color);
    }
    response.on_hover_text(label);
}

/// A path, or as many of its last names as there is room for: those say the most.
fn ending(ui: &Ui, path: &str, width: f32) -> String {
    let fits = |text: &str| {
        let job =
            LayoutJob::simple_singleline(text.to_owned(), FontId::proportional(theme::BODY), Color32::PLACEHOLDER);
        ui.fonts_mut(|fonts| fonts.layout_job(job)).size().x <= width
    };
    if fits(path) {
        return path.to_owned();
    }
    let ends = path.match_indices('.').map(|(at, _)| format!("…{}", path.get(at..).unwrap_or_default()));
    // The last one is cut where even that is too long.
    let mut last = path.to_owned();
    for end in ends.take(MAX_NAMES) {
        if fits(&end) {
            return end;
        }
        last = end;
    }
    last
}
