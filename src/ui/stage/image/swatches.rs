//! Palettes: a strip below a picture, and a page of swatches.

use crate::{
    scene::Palette,
    ui::{
        command::{Command, WindowCommand},
        stage::image::{
            readout,
            view::{bar_at, canvas_rect},
        },
        theme,
        widgets::numbers::counted,
    },
};
use egui::{
    Align2, Color32, FontId, Pos2, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;

/// Rows of the strip below a picture.
const STRIP_ROWS: usize = 4;

const STRIP_ROW_HEIGHT: f32 = 9.0;

/// Swatches in a row of the page.
const COLUMNS: usize = 16;

/// Side of a swatch on the page, in points, at most.
const MAX_SIDE: f32 = 34.0;

/// All colours in a few rows; the one of `marked` is framed. The one under the cursor is told.
pub fn strip(ui: &mut Ui, palette: &Palette, marked: Option<u8>) {
    let columns = palette.colors.len().div_ceil(STRIP_ROWS).max(1);
    let rows = palette.colors.len().div_ceil(columns);
    let size = vec2(ui.available_width(), rows as f32 * STRIP_ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let name = format!("Palette {}, {}", palette.name, counted(palette.colors.len(), "colour"));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, name.as_str()));
    let cell = vec2(rect.width() / columns as f32, STRIP_ROW_HEIGHT);
    let place = |index: usize| {
        let corner = vec2((index % columns) as f32 * cell.x, (index / columns) as f32 * cell.y);
        Rect::from_min_size(rect.min + corner, cell)
    };
    let hovered = response.hover_pos().and_then(|at| index_at(at, rect, cell, columns, palette.colors.len()));
    paint(ui, rect, palette, place, hovered, marked.map(usize::from));
    if let Some(index) = hovered {
        response.on_hover_ui_at_pointer(|ui| tell(ui, palette, index));
    }
}

fn index_at(at: Pos2, rect: Rect, cell: egui::Vec2, columns: usize, count: usize) -> Option<usize> {
    if !rect.contains(at) {
        return None;
    }
    let from = at - rect.min;
    let column = (from.x / cell.x) as usize;
    let index = (from.y / cell.y) as usize * columns + column;
    (column < columns && index < count).then_some(index)
}

fn paint(
    ui: &Ui,
    rect: Rect,
    palette: &Palette,
    place: impl Fn(usize) -> Rect,
    hovered: Option<usize>,
    marked: Option<usize>,
) {
    let p = theme::palette(ui);
    let painter = ui.painter_at(rect.expand(2.0));
    for (index, [r, g, b, _]) in palette.colors.iter().enumerate() {
        painter.rect_filled(place(index), 0.0, Color32::from_rgb(*r, *g, *b));
    }
    for (index, color) in [(hovered, p.strong), (marked, p.accent)] {
        if let Some(index) = index.filter(|i| *i < palette.colors.len()) {
            painter.rect_stroke(place(index), 0.0, Stroke::new(3.0, p.base), StrokeKind::Outside);
            painter.rect_stroke(place(index), 0.0, Stroke::new(1.5, color), StrokeKind::Outside);
        }
    }
}

/// Number and colour.
fn tell(ui: &mut Ui, palette: &Palette, index: usize) {
    let Some(color) = palette.colors.get(index) else { return };
    ui.horizontal(|ui| {
        readout::swatch(ui, *color);
        ui.label(theme::figures(text_of(index, *color)));
    });
}

fn text_of(index: usize, [r, g, b, a]: [u8; 4]) -> String {
    format!("{index:>3}  #{r:02X}{g:02X}{b:02X}  R {r}  G {g}  B {b}  A {a}")
}

/// The whole panel: 16 swatches a row, numbered at the left and the top.
pub fn page(ui: &mut Ui, palette: &Palette, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let rows = palette.colors.len().div_ceil(COLUMNS);
    if rows == 0 {
        crate::ui::widgets::empty::show(ui, icon::PALETTE, "No colours", "The palette is empty.");
        return;
    }
    bar_at(ui, false, "palette facts", |ui| {
        readout::facts(ui, &palette.name, &[counted(palette.colors.len(), "colour"), "palette".to_owned()]);
    });
    let room = canvas_rect(ui).shrink(12.0);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let head = 28.0;
        let side = ((room.width() - head) / COLUMNS as f32).min((room.height() - 48.0) / 16.0).clamp(12.0, MAX_SIDE);
        let size = vec2(head + side * COLUMNS as f32, side * rows as f32 + 20.0);
        ui.add_space(8.0);
        let left = ((ui.available_width() - size.x) / 2.0).max(8.0).floor();
        ui.horizontal(|ui| {
            ui.add_space(left);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            let name = format!("Palette {}, {}", palette.name, counted(palette.colors.len(), "colour"));
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, name.as_str()));
            let grid = Rect::from_min_max(rect.min + vec2(head, 20.0), rect.max);
            let font = FontId::monospace(10.0);
            for column in 0..COLUMNS {
                let at = pos2(grid.left() + side * (column as f32 + 0.5), grid.top() - 4.0);
                ui.painter().text(at, Align2::CENTER_BOTTOM, column, font.clone(), p.weak);
            }
            for row in 0..rows {
                let at = pos2(grid.left() - 6.0, grid.top() + side * (row as f32 + 0.5));
                ui.painter().text(at, Align2::RIGHT_CENTER, row * COLUMNS, font.clone(), p.weak);
            }
            let place = |index: usize| {
                let corner = vec2((index % COLUMNS) as f32, (index / COLUMNS) as f32) * side;
                Rect::from_min_size(grid.min + corner, vec2(side, side)).shrink(1.0)
            };
            let cell = vec2(side, side);
            let hovered = response.hover_pos().and_then(|at| index_at(at, grid, cell, COLUMNS, palette.colors.len()));
            paint(ui, rect, palette, place, hovered, None);
            let Some(index) = hovered else { return };
            if response.clicked()
                && let Some([r, g, b, _]) = palette.colors.get(index)
            {
                commands.push(Command::Window(WindowCommand::Copy(format!("#{r:02X}{g:02X}{b:02X}"))));
            }
            response.on_hover_ui_at_pointer(|ui| {
                tell(ui, palette, index);
                ui.label(RichText::new("Click to copy").small().color(p.weak));
            });
        });
    });
}
