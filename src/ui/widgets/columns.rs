//! Columns of tables: their areas and their heads, which sort the rows.

use crate::ui::{theme, widgets::put::put_text};
use egui::{Align, FontId, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// Height of the heads, in points.
pub const HEAD: f32 = 20.0;

/// A column: its key, its title, its width in points (if negative, its share of the remaining width), and whether it has numbers.
pub type Column<C> = (C, &'static str, f32, bool);

/// The column that sorts the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sort<C> {
    /// The column.
    pub by: C,
    /// Whether the largest value is first.
    pub descending: bool,
}

/// Returns the area of each column in a row or in the heads.
pub fn cells<C>(columns: &[Column<C>], row: Rect) -> impl Iterator<Item = Rect> {
    let fixed: f32 = columns.iter().map(|column| column.2.max(0.0)).sum();
    let mut left = row.left();
    columns.iter().map(move |(_, _, width, _)| {
        let width = if *width < 0.0 { -width * (row.width() - fixed) } else { *width };
        let cell = Rect::from_min_size(pos2(left, row.top()), vec2(width, row.height()));
        left = cell.right();
        cell.shrink2(vec2(4.0, 0.0))
    })
}

/// Allocates the area of the heads: as wide as the rows, which leave room for the scroll bar.
pub fn heads(ui: &mut Ui) -> Rect {
    let width = ui.available_width() - ui.spacing().scroll.allocated_width();
    ui.allocate_exact_size(vec2(width, HEAD), Sense::hover()).0
}

/// Draws the head of a column. A click sorts by the column, a second click reverses the order.
pub fn head<C: Copy + PartialEq>(ui: &Ui, area: Rect, column: &Column<C>, sort: &mut Sort<C>) {
    let (key, title, _, is_number) = *column;
    let response = ui.interact(area, ui.id().with(("sort by", title)), Sense::click());
    let is_on = sort.by == key;
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_on, format!("Sort by {title}")));
    let p = theme::palette(ui);
    let color = if response.hovered() || response.has_focus() || is_on { p.text } else { p.weak };
    let align = if is_number { Align::Max } else { Align::Min };
    put_text(ui, area, align, color, RichText::new(text(column, sort)).size(theme::SMALL));
    if response.clicked() {
        *sort = Sort { by: key, descending: is_on && !sort.descending };
    }
}

/// Returns the width of a head's text, in points.
pub fn head_width<C: Copy + PartialEq>(ui: &Ui, column: &Column<C>, sort: &Sort<C>) -> f32 {
    let font = FontId::proportional(theme::SMALL);
    ui.painter().layout_no_wrap(text(column, sort), font, theme::palette(ui).text).size().x
}

fn text<C: Copy + PartialEq>(&(key, title, ..): &Column<C>, sort: &Sort<C>) -> String {
    match (sort.by == key, sort.descending) {
        (false, _) => title.to_owned(),
        (true, false) => format!("{title} {}", icon::CARET_UP),
        (true, true) => format!("{title} {}", icon::CARET_DOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_share_the_width_that_fixed_ones_leave() {
        let columns = [(0, "a", -0.75, false), (1, "b", 40.0, true), (2, "c", -0.25, false)];
        let row = Rect::from_min_size(pos2(10.0, 0.0), vec2(140.0, 22.0));
        let cells: Vec<_> = cells(&columns, row).map(|cell| (cell.left(), cell.right())).collect();
        assert_eq!(cells, [(14.0, 81.0), (89.0, 121.0), (129.0, 146.0)]);
    }
}
