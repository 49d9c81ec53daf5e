//! Fields of two entries side by side.

use crate::ui::stage::compare::signs;
use crate::{
    library::compare::{FieldRow, State as Differs},
    ui::{
        state::Detail,
        theme::{self, Palette},
        widgets::{
            numbers::grouped,
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Color32, FontId, RichText, Ui, text::LayoutJob};

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
    Rows::new("compared fields", rows.len()).striped().show(ui, |ui, row| field(ui, row, rows[row.index], &p));
}

fn field(ui: &Ui, row: &Row<'_>, field: &FieldRow, p: &Palette) {
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let (left, right) = (value(&field.left), value(&field.right));
    let label = format!("{}: {}: {left}, {right}", field.state.word(), field.path);
    let response = row.label(ui, &label);
    let (sign, color) = signs::of(field.state, p);
    let sign = RichText::new(sign).monospace().size(13.0);
    put_text(ui, row.span(0.0, row.rect.width() - 20.0), Align::Center, color, sign);
    let texts = row.span(22.0, 0.0);
    let differs = if field.state == Differs::Same { p.text } else { color };
    let path = ending(ui, &field.path, texts.width() * PATH - 8.0);
    let value = (1.0 - PATH) / 2.0;
    let mut start = texts.left();
    for (text, color, share) in [(&path, p.text, PATH), (&left, differs, value), (&right, differs, value)] {
        let end = start + texts.width() * share;
        put_text(ui, texts.with_min_x(start).with_max_x(end - 8.0), Align::Min, color, signs::drawn(text));
        start = end;
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
