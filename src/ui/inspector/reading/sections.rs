//! Where the parts of a file are: a bar to scale and a table.

use crate::ui::{
    command::{Command, SelectionCommand},
    inspector::reading::report::parts,
    theme::{self, Palette},
    widgets::{
        numbers::{counted, grouped},
        put::put_text,
        subject::Subject,
    },
};
use egui::{Align, Color32, Label, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2};
use std::ops::Range;

/// Height of the bar, in points.
const BAR: f32 = 28.0;

/// Columns from the left: title, share of the width, whether numbers stand at its right.
const COLUMNS: [(&str, f32, bool); 4] =
    [("Name", 0.46, false), ("Offset", 0.18, true), ("Bytes", 0.20, true), ("Share", 0.16, true)];

pub fn show(ui: &mut Ui, subject: &Subject<'_>, commands: &mut Vec<Command>) {
    let size = subject.document.source().len() as u64;
    let parts = parts(subject.document.sections(), size);
    if parts.is_empty() || size == 0 {
        return;
    }
    let p = theme::palette(ui);
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add(Label::new(RichText::new("Sections").strong()).selectable(false));
        let text = format!("{}, drawn to scale", counted(size as usize, "byte"));
        ui.add(Label::new(RichText::new(text).color(p.weak)).selectable(false));
    });
    let is_marked = |range: &Range<u64>| subject.selected_bytes == Some(range);
    if let Some(range) = bar(ui, &p, &parts, size, is_marked) {
        commands.push(Command::Selection(SelectionCommand::ShowBytes(subject.place.file, range)));
    }
    if let Some(range) = table(ui, &p, &parts, size, is_marked) {
        commands.push(Command::Selection(SelectionCommand::ShowBytes(subject.place.file, range)));
    }
}

/// Colours that neighbours differ in; the same as the byte view's.
fn color_of(index: usize, p: &Palette) -> Color32 {
    const HUES: [[u8; 3]; 6] =
        [[88, 140, 214], [196, 148, 74], [96, 168, 118], [176, 110, 176], [200, 112, 104], [92, 168, 176]];
    let [r, g, b] = HUES.get(index % HUES.len()).copied().unwrap_or_default();
    let dark = p.base.r() < 128;
    Color32::from_rgb(r, g, b).gamma_multiply(if dark { 0.8 } else { 0.9 })
}

/// The file to scale; gives the part that was clicked.
fn bar(
    ui: &mut Ui,
    p: &Palette,
    parts: &[(&'static str, Range<u64>)],
    size: u64,
    is_marked: impl Fn(&Range<u64>) -> bool,
) -> Option<Range<u64>> {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Sections to scale"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, p.field);
    let x_of = |offset: u64| rect.left() + rect.width() * (offset as f64 / size as f64) as f32;
    let spot = |range: &Range<u64>| {
        let (left, right) = (x_of(range.start), x_of(range.end));
        // Something small is still seen.
        Rect::from_min_max(pos2(left, rect.top()), pos2(right.max(left + 1.0), rect.bottom()))
    };
    for (index, (name, range)) in parts.iter().enumerate().filter(|(_, (_, range))| !range.is_empty()) {
        let area = spot(range);
        painter.rect_filled(area, 0.0, color_of(index, p));
        if area.width() > 60.0 {
            let color = Color32::from_rgb(0x12, 0x11, 0x10);
            let text = RichText::new(*name).size(theme::SMALL);
            put_text(ui, area.shrink2(vec2(6.0, 0.0)), Align::Min, color, text);
        }
    }
    for (_, range) in parts.iter().filter(|(_, range)| is_marked(range)) {
        let area = spot(range).expand2(vec2(1.0, 0.0));
        painter.rect_stroke(area, 2.0, Stroke::new(2.0, p.strong), StrokeKind::Inside);
    }
    let pointer = response.hover_pos().or(response.interact_pointer_pos())?;
    // The part whose picture is nearest, the smallest among equals: a part of one pixel can be hit, too.
    let distance = |range: &Range<u64>| {
        let area = spot(range).expand(1.0);
        (area.left() - pointer.x).max(pointer.x - area.right()).max(0.0)
    };
    let near = parts.iter().filter(|(_, range)| !range.is_empty());
    let near = near.min_by(|(_, a), (_, b)| {
        (distance(a), a.end - a.start).partial_cmp(&(distance(b), b.end - b.start)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let (name, range) = near?;
    let clicked = response.clicked();
    response.on_hover_ui_at_pointer(|ui| {
        ui.label(RichText::new(*name).strong());
        let bytes = counted((range.end - range.start) as usize, "byte");
        ui.label(theme::figures(format!("0x{:X}  {bytes}", range.start)).color(p.weak));
    });
    clicked.then(|| range.clone())
}

fn cells(rect: Rect) -> impl Iterator<Item = Rect> {
    let mut left = rect.left();
    COLUMNS.into_iter().map(move |(_, share, _)| {
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(rect.width() * share, rect.height()));
        left = cell.right();
        cell.shrink2(vec2(8.0, 0.0))
    })
}

/// One row a part; gives the one that was clicked.
fn table(
    ui: &mut Ui,
    p: &Palette,
    parts: &[(&'static str, Range<u64>)],
    size: u64,
    is_marked: impl Fn(&Range<u64>) -> bool,
) -> Option<Range<u64>> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut clicked = None;
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    for ((title, _, right), cell) in COLUMNS.into_iter().zip(cells(head)) {
        let align = if right { Align::Max } else { Align::Min };
        put_text(ui, cell, align, p.weak, RichText::new(title).size(theme::SMALL));
    }
    for (index, (name, range)) in parts.iter().enumerate() {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
        let (marked, bytes) = (is_marked(range), range.end - range.start);
        let label = format!("{name}, {} at 0x{:X}", counted(bytes as usize, "byte"), range.start);
        response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, marked, label.as_str()));
        let fill = match (marked, response.hovered(), index % 2 == 1) {
            (true, ..) => p.accent_soft,
            (_, true, _) => p.hover,
            (_, _, true) => p.zebra,
            _ => Color32::TRANSPARENT,
        };
        ui.painter().rect_filled(rect, 4.0, fill);
        let share = format!("{:.1} %", bytes as f64 / size as f64 * 100.0);
        let texts = [(*name).to_owned(), format!("0x{:X}", range.start), grouped(bytes), share];
        for (column, (((_, _, right), mut cell), text)) in COLUMNS.into_iter().zip(cells(rect)).zip(texts).enumerate() {
            if column == 0 {
                let swatch = Rect::from_center_size(pos2(cell.left() + 5.0, cell.center().y), vec2(10.0, 10.0));
                ui.painter().rect_filled(swatch, 2.0, color_of(index, p));
                cell.min.x += 18.0;
            }
            let text = if right { theme::figures(text) } else { RichText::new(text) };
            put_text(ui, cell, if right { Align::Max } else { Align::Min }, p.text, text);
        }
        if response.on_hover_text("Show these bytes").clicked() {
            clicked = Some(range.clone());
        }
    }
    clicked
}
