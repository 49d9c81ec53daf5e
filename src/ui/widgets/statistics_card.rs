//! How much there is of a model, and of what is selected of it.

use crate::ui::widgets::{diagnostic_card::card, numbers::grouped, put::put_text, value_text::decimals};
use crate::{scene::ModelStatistics, ui::theme};
use egui::{Align, Color32, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

const ROW_HEIGHT: f32 = 18.0;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatisticsCard {
    pub whole: ModelStatistics,
    /// Of what is selected.
    pub selected: Option<ModelStatistics>,
}

/// Shows the counts, those of the selection in a second column.
pub fn show(ui: &mut Ui, counts: &StatisticsCard) {
    let p = theme::palette(ui);
    card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let heads = [Some("Model"), counts.selected.map(|_| "Selected")].into_iter().flatten();
        row(ui, "", &heads.map(str::to_owned).collect::<Vec<_>>(), p.weak);
        for (name, value) in ROWS {
            let columns = std::iter::once(counts.whole).chain(counts.selected);
            row(ui, name, &columns.map(|counts| value(&counts)).collect::<Vec<_>>(), p.text);
        }
    });
}

type Value = fn(&ModelStatistics) -> String;

static ROWS: &[(&str, Value)] = &[
    ("Parts", |c| grouped(c.parts as u64)),
    ("Triangles", |c| grouped(c.triangles as u64)),
    ("Lines", |c| grouped(c.lines as u64)),
    ("Vertices", |c| grouped(c.vertices as u64)),
    ("Points", |c| grouped(c.points as u64)),
    ("Materials", |c| grouped(c.materials as u64)),
    ("Textures", |c| grouped(c.textures as u64)),
    ("Bones", |c| grouped(c.joints as u64)),
    ("Bones per point (average)", |c| match c.moved_points {
        0 => "none".to_owned(),
        _ => decimals(c.mean_influences(), 2),
    }),
    ("Bones per point (maximum)", |c| grouped(c.max_influences as u64)),
];

/// A name and its numbers, each in its column.
fn row(ui: &mut Ui, name: &str, numbers: &[String], color: Color32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let spoken = format!("{name}: {}", numbers.join(", selected: "));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
    let column = (rect.width() * 0.32).min(112.0);
    let count = numbers.len();
    let name_rect = Rect::from_min_max(rect.min, pos2(rect.right() - count as f32 * column, rect.bottom()));
    put_text(ui, name_rect, Align::Min, color, RichText::new(name));
    for (index, number) in numbers.iter().enumerate() {
        let right = rect.right() - column * (count - 1 - index) as f32;
        let cell = Rect::from_min_max(pos2(right - column, rect.top()), pos2(right, rect.bottom()));
        put_text(ui, cell, Align::Max, color, RichText::new(number).size(11.0));
    }
}
