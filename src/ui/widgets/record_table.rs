//! Rows of one record each as a table: only the rows that show are read.

use crate::ui::widgets::{
    field_path::{child, child_count, component_name},
    put::{put, put_text},
    value_text,
};
use crate::{
    formats::{Field, Reference, Table, Value},
    ui::widgets::swatch::swatch,
};
use egui::{Align, Color32, FontId, Layout, Rect, RichText, Sense, TextStyle, Ui, WidgetInfo, WidgetType, vec2};
use egui_extras::{Column as TableColumn, TableBuilder};

/// Height of a row, in points.
pub const ROW_HEIGHT: f32 = 20.0;

/// Rows that are looked at for the width of a column.
const SAMPLED_ROWS: usize = 48;

/// A record with more columns than this shows the rest in its fields below the table.
const MAX_COLUMNS: usize = 24;

/// The columns of a table, from its first row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    list: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq)]
struct Column {
    title: String,
    /// Path from the row to the field; a vector's number is its last step.
    path: Vec<usize>,
    numeric: bool,
    /// Characters of the widest value seen.
    chars: usize,
}

impl Columns {
    pub fn of(table: &dyn Table) -> Self {
        let mut columns = Self::default();
        if let Some(row) = table.row(0) {
            columns.add(&row, &mut Vec::new(), "");
        }
        let step = (table.len() / SAMPLED_ROWS).max(1);
        for index in (0..table.len()).step_by(step) {
            let Some(row) = table.row(index) else { break };
            for column in &mut columns.list {
                let chars = cell(&row, &column.path).map_or(0, |f| value_text::cell(&f).chars().count());
                column.chars = column.chars.max(chars);
            }
        }
        columns
    }

    fn add(&mut self, field: &Field, path: &mut Vec<usize>, name: &str) {
        let count = child_count(field);
        let is_small_vector =
            matches!(&field.value, Value::Floats(v) if v.len() <= 4) || matches!(&field.value, Value::Ints(_));
        let opens = match field.children {
            crate::formats::Children::Fields(_) => true,
            crate::formats::Children::None => is_small_vector && (2..=4).contains(&count),
            crate::formats::Children::Table(_) => false,
        };
        if !opens {
            if self.list.len() < MAX_COLUMNS {
                self.list.push(Column {
                    title: if name.is_empty() { "value".to_owned() } else { name.to_owned() },
                    path: path.clone(),
                    numeric: value_text::is_number(&field.value),
                    chars: 0,
                });
            }
            return;
        }
        for index in 0..count {
            let Some(inner) = child(field, index) else { continue };
            let inner_name = match &field.value {
                Value::None => inner.name.to_string(),
                _ => component_name(index, count).into_owned(),
            };
            let title = if name.is_empty() { inner_name } else { format!("{name}.{inner_name}") };
            path.push(index);
            self.add(&inner, path, &title);
            path.pop();
        }
    }

    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|c| c.title.as_str())
    }
}

fn cell(row: &Field, path: &[usize]) -> Option<Field> {
    let mut field = row.clone();
    for index in path {
        field = child(&field, *index)?.into_owned();
    }
    Some(field)
}

/// What was clicked.
#[derive(Clone, Debug, PartialEq)]
pub enum Clicked {
    Row(usize),
    Link(Reference),
}

/// How a table stands.
pub struct View<'a> {
    /// Read to screen readers: what the rows are.
    pub name: &'a str,
    pub selected: Option<usize>,
    /// Brings a row into view, once.
    pub scroll_to: Option<usize>,
    /// Height of the rows, in points.
    pub body_height: f32,
}

/// Shows a table in what is left of `ui`.
pub fn show(ui: &mut Ui, table: &dyn Table, columns: &Columns, view: &View<'_>) -> Option<Clicked> {
    let mut clicked = None;
    let font = FontId::monospace(TextStyle::Small.resolve(ui.style()).size.max(11.0));
    let digit = ui.fonts_mut(|f| f.glyph_width(&font, '0'));
    let weak = ui.visuals().weak_text_color();
    let small = FontId::proportional(TextStyle::Small.resolve(ui.style()).size);
    let painter = ui.painter().clone();
    let ui_width = |text: &str| painter.layout_no_wrap(text.to_owned(), small.clone(), weak).size().x;
    let number_width = digit * table.len().saturating_sub(1).to_string().len().max(2) as f32 + 12.0;
    egui::ScrollArea::horizontal().auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        let mut builder = TableBuilder::new(ui)
            .striped(true)
            .sense(Sense::click())
            .animate_scrolling(false)
            .auto_shrink([false, false])
            .min_scrolled_height(view.body_height)
            .max_scroll_height(view.body_height)
            .column(TableColumn::exact(number_width));
        for (index, column) in columns.list.iter().enumerate() {
            let title = ui_width(&column.title);
            let width = (digit * column.chars.clamp(3, 40) as f32).max(title) + 14.0;
            let is_last = index + 1 == columns.list.len();
            // The last one takes what is left, so that the rows reach the panel's edge.
            builder = builder.column(if is_last {
                TableColumn::remainder().at_least(width).clip(true)
            } else {
                TableColumn::initial(width).at_least(28.0).clip(true).resizable(true)
            });
        }
        if let Some(row) = view.scroll_to {
            builder = builder.scroll_to_row(row, Some(Align::Center));
        }
        builder
            .header(ROW_HEIGHT, |mut header| {
                header.col(|ui| cell_text(ui, "#", &small, weak, true));
                for column in &columns.list {
                    header.col(|ui| cell_text(ui, &column.title, &small, weak, column.numeric));
                }
            })
            .body(|body| {
                body.rows(ROW_HEIGHT, table.len(), |mut shown| {
                    let index = shown.index();
                    shown.set_selected(view.selected == Some(index));
                    let row = table.row(index);
                    shown.col(|ui| cell_text(ui, &index.to_string(), &font, weak, true));
                    for column in &columns.list {
                        shown.col(|ui| {
                            let Some(field) = row.as_ref().and_then(|row| cell(row, &column.path)) else { return };
                            if let Some(link) = cell_value(ui, &field, &font, column.numeric) {
                                clicked = Some(Clicked::Link(link));
                            }
                        });
                    }
                    let response = shown.response();
                    let label = format!("{} {index}", view.name);
                    let selected = view.selected == Some(index);
                    response.widget_info(|| {
                        WidgetInfo::selected(WidgetType::SelectableLabel, true, selected, label.as_str())
                    });
                    if response.clicked() && clicked.is_none() {
                        clicked = Some(Clicked::Row(index));
                    }
                });
            });
    });
    clicked
}

fn cell_text(ui: &Ui, text: &str, font: &FontId, color: Color32, right: bool) {
    let align = if right { Align::Max } else { Align::Min };
    put_text(ui, cell_rect(ui), align, color, RichText::new(text).font(font.clone()));
}

fn cell_rect(ui: &Ui) -> Rect {
    let cell = ui.max_rect();
    Rect::from_min_size(cell.min, vec2(cell.width(), ROW_HEIGHT)).shrink2(vec2(6.0, 0.0))
}

/// One cell; gives the reference whose link was clicked.
fn cell_value(ui: &mut Ui, field: &Field, font: &FontId, right: bool) -> Option<Reference> {
    let color = ui.visuals().text_color();
    match &field.value {
        Value::Reference(reference) if reference.resolved && !reference.path.is_empty() => {
            let text = RichText::new(&reference.path).font(font.clone());
            put(ui, cell_rect(ui), Layout::left_to_right(Align::Center), |ui| ui.link(text).clicked())
                .then(|| reference.clone())
        }
        Value::Color(rgba) => {
            put(ui, cell_rect(ui), Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new(value_text::whole(&field.value)).font(font.clone()).color(color));
                swatch(ui, *rgba);
            });
            None
        }
        _ => {
            cell_text(ui, &value_text::cell(field), font, color, right);
            None
        }
    }
}
