//! The list at the left: what moves, with the colour and the value of each line, and which of them are shown.

use crate::{
    scene::Clip,
    ui::{
        query::Query,
        theme,
        transport::curves::{colors, lines::Lines, view::CurvesView},
        widgets::{
            filter_field,
            numbers::counted,
            put::put_text,
            rows::{Row, Rows},
            value_text::decimals,
        },
    },
};
use egui::{Align, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// Width of the eye at the right end of a row, in points.
const EYE: f32 = 24.0;

/// Rows narrower than this leave out the values, in points.
const WITH_VALUES: f32 = 170.0;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Group(usize),
    Curve(usize, usize),
}

/// Draws the list; returns the line that is pointed at.
pub fn show(ui: &mut Ui, clip: &Clip, frame: f32, view: &mut CurvesView) -> Option<usize> {
    let mut goes_down = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let width = (ui.available_width() - 58.0).max(40.0);
        let field = filter_field::edit(&mut view.filter.text).hint_text("Filter").desired_width(width);
        let field = ui.add_sized(vec2(width, 26.0), field.vertical_align(Align::Center));
        let field = filter_field::with_hint(field);
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter curves"));
        goes_down = filter_field::leaves_for_list(ui, &field);
        if theme::icon_button(ui, icon::EYE, "Show all matching curves").clicked() {
            view.show_found(true);
        }
        if theme::icon_button(ui, icon::EYE_SLASH, "Hide all matching curves").clicked() {
            view.show_found(false);
        }
    });
    ui.add_space(4.0);
    let lines = rows(view);
    if lines.is_empty() {
        ui.weak("No curve matches the filter.");
        return None;
    }
    let mut pointed = None;
    let group = view.scroll_to.take().map(Line::Group);
    let top = group.and_then(|group| lines.iter().position(|line| *line == group));
    Rows::new("curves", lines.len()).enter(goes_down).scroll_to_top(top).show(ui, |ui, row| match lines[row.index] {
        Line::Group(group) => group_row(ui, row, group, view),
        Line::Curve(group, line) => {
            let of = view.lines.groups.get(group).map_or(String::new(), |group| group.name.clone());
            let value = view.lines.list.get(line).and_then(|line| line.value(clip, frame));
            if line_row(ui, row, &of, line, value, view) {
                pointed = Some(line);
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

fn rows(view: &mut CurvesView) -> Vec<Line> {
    let mut rows = Vec::new();
    // What was looked for is seen.
    let query = view.filter.query();
    let searching = !query.is_empty();
    for (group, list) in found(&view.lines, query) {
        rows.push(Line::Group(group));
        if searching || view.open.get(group) == Some(&true) {
            rows.extend(list.into_iter().map(|line| Line::Curve(group, line)));
        }
    }
    rows
}

fn group_row(ui: &Ui, row: &Row<'_>, index: usize, view: &mut CurvesView) {
    let p = theme::palette(ui);
    let Some(group) = view.lines.groups.get(index).cloned() else { return };
    let open = view.open.get(index) == Some(&true);
    let shown = group.lines.clone().filter(|l| view.shown.get(*l) == Some(&true)).count();
    let eye = row.span(row.rect.width() - EYE, 0.0);
    let name = group.name.as_str();
    let body =
        row.interact(ui, Sense::click(), || WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, name));
    let toggle = ui.interact(eye, ui.id().with("eye"), Sense::click());
    let label = format!("Show the curves of {name}");
    toggle.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, shown > 0, label.as_str()));
    if body.hovered() || body.has_focus() || toggle.hovered() {
        row.paint(ui, p.hover);
    }
    row.triangle(ui, 10.0, open, &p);
    put_text(ui, row.span(20.0, EYE + 2.0), Align::Min, if shown > 0 { p.strong } else { p.text }, name);
    let sign = if shown > 0 { icon::EYE } else { icon::EYE_SLASH };
    let color = if shown > 0 { p.accent } else { p.weak.gamma_multiply(0.7) };
    put_text(ui, eye, Align::Center, color, RichText::new(sign).size(14.0));
    if toggle.on_hover_text("Show or hide these curves").clicked() {
        for line in group.lines.clone() {
            view.set_shown(line, shown == 0);
        }
        view.window.fits = true;
    }
    // A press on the caret unfolds; on the name it shows these curves alone.
    let on_caret = body.interact_pointer_pos().is_some_and(|at| at.x < row.rect.left() + 20.0);
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

/// Draws a curve. Returns true if the pointer is on the row.
fn line_row(ui: &Ui, row: &Row<'_>, group: &str, index: usize, value: Option<f32>, view: &mut CurvesView) -> bool {
    let p = theme::palette(ui);
    let Some(line) = view.lines.list.get(index) else { return false };
    let shown = view.shown.get(index) == Some(&true);
    let label = format!("{group} {}", line.name);
    let info = || WidgetInfo::selected(WidgetType::Checkbox, true, shown, label.as_str());
    let response = row.interact(ui, Sense::click(), info);
    let hovered = response.hovered();
    if hovered || response.has_focus() || view.near == Some(index) {
        row.paint(ui, p.hover);
    }
    let color = colors::of(line.hue, ui.visuals().dark_mode);
    let swatch = Rect::from_center_size(row.at(26.0), vec2(10.0, 10.0));
    if shown {
        ui.painter().rect_filled(swatch, 3.0, color);
    } else {
        ui.painter().rect_stroke(swatch, 3.0, Stroke::new(1.5, color.gamma_multiply(0.6)), StrokeKind::Inside);
    }
    // In a narrow list the name is worth more.
    let places = if line.whole { 0 } else { 2 };
    let value = value.filter(|_| row.rect.width() >= WITH_VALUES);
    let value = value.map(|v| format!("{}{}", decimals(v, places), line.unit)).unwrap_or_default();
    let color = if line.key_count < 2 { p.weak } else { p.text };
    let value = theme::figures(value).size(theme::SMALL);
    let width = put_text(ui, row.span(38.0, 6.0), Align::Max, color, value);
    let color = if shown { p.strong } else { p.weak };
    put_text(ui, row.span(38.0, width + 12.0), Align::Min, color, &line.name);
    let keys = match line.key_count {
        0 | 1 => "constant".to_owned(),
        count => counted(count, "key"),
    };
    if response.on_hover_text(format!("{label}: {keys}")).clicked() {
        view.set_shown(index, !shown);
    }
    hovered
}
