//! The list at the left: what moves, with the colour and the value of each line, and which of them are shown.

use crate::{
    scene::Clip,
    ui::{
        query::Query,
        theme::{self, Palette},
        transport::curves::{colors, lines::Lines, view::CurvesView},
        widgets::{filter_field, numbers::counted, value_text::decimals},
    },
};
use egui::{Align2, FontId, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// Width of the eye at the right end of a row, in points.
const EYE: f32 = 24.0;

/// Rows narrower than this leave out the values, in points.
const WITH_VALUES: f32 = 170.0;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Group(usize),
    Line(usize, usize),
}

/// Draws the list; returns the line that is pointed at.
pub fn show(ui: &mut Ui, clip: &Clip, frame: f32, view: &mut CurvesView) -> Option<usize> {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let width = (ui.available_width() - 58.0).max(40.0);
        let field = filter_field::edit(&mut view.filter.text).hint_text("Filter").desired_width(width);
        let field = ui.add_sized(vec2(width, 26.0), field.vertical_align(egui::Align::Center));
        let field = filter_field::with_hint(field);
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter curves"));
        if theme::icon_button(ui, icon::EYE, "Show all matching curves").clicked() {
            view.show_found(true);
        }
        if theme::icon_button(ui, icon::EYE_SLASH, "Hide all matching curves").clicked() {
            view.show_found(false);
        }
    });
    ui.add_space(4.0);
    let rows = rows(view);
    if rows.is_empty() {
        ui.weak("No curve matches the filter.");
        return None;
    }
    let mut pointed = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = egui::ScrollArea::vertical().auto_shrink(false);
    if let Some(group) = view.scroll_to.take()
        && let Some(at) = rows.iter().position(|row| *row == Row::Group(group))
    {
        area = area.vertical_scroll_offset(at as f32 * theme::ROW);
    }
    area.show_rows(ui, theme::ROW, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
            match *row {
                Row::Group(group) => group_row(ui, rect, group, view, &p),
                Row::Line(group, line) => {
                    if line_row(ui, rect, group, line, clip, frame, view, &p) {
                        pointed = Some(line);
                    }
                }
            }
        }
    });
    pointed
}

/// Lines of these that a query finds by their name or their group's. A line lies in its group.
pub fn found(lines: &Lines, query: &Query) -> Vec<(usize, Vec<usize>)> {
    let mut found = Vec::new();
    for (index, group) in lines.groups.iter().enumerate() {
        let has = |line: &usize| {
            let name = lines.list.get(*line).map_or("", |line| line.name.as_str());
            query.finds_in(&[&group.name, name], &["curve", name], &[&group.name])
        };
        let list: Vec<usize> = group.lines.clone().filter(has).collect();
        if !list.is_empty() {
            found.push((index, list));
        }
    }
    found
}

fn rows(view: &mut CurvesView) -> Vec<Row> {
    let mut rows = Vec::new();
    // What was looked for is seen.
    let query = view.filter.query();
    let searching = !query.is_empty();
    for (group, list) in found(&view.lines, query) {
        rows.push(Row::Group(group));
        if searching || view.open.get(group) == Some(&true) {
            rows.extend(list.into_iter().map(|line| Row::Line(group, line)));
        }
    }
    rows
}

fn group_row(ui: &mut Ui, rect: Rect, index: usize, view: &mut CurvesView, p: &Palette) {
    let Some(group) = view.lines.groups.get(index).cloned() else { return };
    let open = view.open.get(index) == Some(&true);
    let shown = group.lines.clone().filter(|l| view.shown.get(*l) == Some(&true)).count();
    let eye = rect.with_min_x(rect.right() - EYE);
    let body = ui.interact(rect.with_max_x(eye.left()), ui.id().with(("group", index)), Sense::click());
    let name = group.name.clone();
    body.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, name.as_str()));
    let toggle = ui.interact(eye, ui.id().with(("eye", index)), Sense::click());
    let label = format!("Show the curves of {}", group.name);
    toggle.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, shown > 0, label.as_str()));
    let painter = ui.painter_at(rect);
    if body.hovered() || toggle.hovered() {
        painter.rect_filled(rect, 4.0, p.hover);
    }
    let caret = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
    let font = FontId::proportional(theme::BODY);
    let middle = rect.center().y;
    painter.text(pos2(rect.left() + 10.0, middle), Align2::CENTER_CENTER, caret, FontId::proportional(11.0), p.weak);
    let color = if shown > 0 { p.strong } else { p.text };
    let clipped = painter.with_clip_rect(rect.with_max_x(eye.left() - 2.0));
    clipped.text(pos2(rect.left() + 20.0, middle), Align2::LEFT_CENTER, &group.name, font, color);
    let sign = if shown > 0 { icon::EYE } else { icon::EYE_SLASH };
    let color = if shown > 0 { p.accent } else { p.weak.gamma_multiply(0.7) };
    painter.text(eye.center(), Align2::CENTER_CENTER, sign, FontId::proportional(14.0), color);
    if toggle.on_hover_text("Show or hide these curves").clicked() {
        for line in group.lines.clone() {
            view.set_shown(line, shown == 0);
        }
        view.window.fits = true;
    }
    // A press on the caret unfolds; on the name it shows these curves alone.
    let on_caret = body.interact_pointer_pos().is_some_and(|at| at.x < rect.left() + 20.0);
    let adds = ui.input(|i| i.modifiers.command || i.modifiers.shift);
    let clicked = body.clicked();
    body.on_hover_text("Click to show only these curves, Ctrl+click to add them");
    if clicked && on_caret {
        view.set_open(index, !open);
    } else if clicked {
        if !adds {
            view.shown.fill(false);
        }
        for line in group.lines {
            view.set_shown(line, true);
        }
        view.set_open(index, true);
        view.window.fits = true;
    }
}

/// Returns whether it is pointed at.
#[expect(clippy::too_many_arguments, reason = "a row needs its position, its curve and the state of the view")]
fn line_row(
    ui: &mut Ui,
    rect: Rect,
    group: usize,
    index: usize,
    clip: &Clip,
    frame: f32,
    view: &mut CurvesView,
    p: &Palette,
) -> bool {
    let Some(line) = view.lines.list.get(index) else { return false };
    let shown = view.shown.get(index) == Some(&true);
    let response = ui.interact(rect, ui.id().with(("line", index)), Sense::click());
    let group = view.lines.groups.get(group).map_or("", |g| g.name.as_str());
    let label = format!("{group} {}", line.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, shown, label.as_str()));
    let painter = ui.painter_at(rect);
    let hovered = response.hovered();
    if hovered || view.near == Some(index) {
        painter.rect_filled(rect, 4.0, p.hover);
    }
    let middle = rect.center().y;
    let color = colors::of(line.hue, ui.visuals().dark_mode);
    let swatch = Rect::from_center_size(pos2(rect.left() + 26.0, middle), vec2(10.0, 10.0));
    if shown {
        painter.rect_filled(swatch, 3.0, color);
    } else {
        painter.rect_stroke(swatch, 3.0, Stroke::new(1.5, color.gamma_multiply(0.6)), StrokeKind::Inside);
    }
    // In a narrow list the name is worth more.
    let places = if line.whole { 0 } else { 2 };
    let value = line.value(clip, frame).filter(|_| rect.width() >= WITH_VALUES);
    let value = value.map(|v| format!("{}{}", decimals(v, places), line.unit)).unwrap_or_default();
    let quiet = line.key_count < 2;
    let number = if quiet { p.weak } else { p.text };
    let numbers = FontId::monospace(theme::SMALL);
    let drawn = painter.text(pos2(rect.right() - 6.0, middle), Align2::RIGHT_CENTER, value, numbers, number);
    let text = if shown { p.strong } else { p.weak };
    let clipped = painter.with_clip_rect(rect.with_max_x(drawn.left() - 6.0));
    let font = FontId::proportional(theme::BODY);
    clipped.text(pos2(rect.left() + 38.0, middle), Align2::LEFT_CENTER, &line.name, font, text);
    let keys = match line.key_count {
        0 | 1 => "constant".to_owned(),
        count => counted(count, "key"),
    };
    if response.on_hover_text(format!("{label}: {keys}")).clicked() {
        view.set_shown(index, !shown);
    }
    hovered
}
