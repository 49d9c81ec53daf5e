//! The things one by one. Only the rows in sight are drawn.

use crate::{
    scene::{Prop, Terrain},
    ui::{
        command::{Command, TerrainCommand},
        stage::landscape::objects::{
            Column,
            view::{ObjectsView, nothing},
        },
        state::State,
        theme::{self, Palette},
        widgets::{prop_sign, put::put_text, value_text::decimals},
    },
};
use egui::{Align, Color32, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// Panels narrower than this write each thing in two lines.
const IN_ONE_LINE: f32 = 440.0;

/// Height of a thing in two lines.
const TWO_LINES: f32 = 40.0;

/// Columns from the left: title, width in points (shares of what is left where it is negative), whether it is a number.
const COLUMNS: [(Column, &str, f32, bool); 6] = [
    (Column::Type, "Type", -0.66, false),
    (Column::Name, "Name", -0.34, false),
    (Column::Id, "ID", 64.0, true),
    (Column::East, "East", 76.0, true),
    (Column::North, "North", 76.0, true),
    (Column::Height, "Height", 68.0, true),
];

/// What the swatch takes.
const SIGN: f32 = 20.0;

pub fn show(
    ui: &mut Ui,
    p: &Palette,
    state: &State,
    terrain: &Terrain,
    view: &mut ObjectsView,
    commands: &mut Vec<Command>,
) {
    let wide = ui.available_width() >= IN_ONE_LINE;
    heads(ui, p, view, wide);
    if view.rows.is_empty() {
        return nothing(ui, p, "No object matches the filter.");
    }
    let selected = &state.stages.front.view.terrain.selected;
    let moved = view.selected != *selected;
    // A selection made elsewhere is brought into sight.
    let follows = moved && !std::mem::take(&mut view.own);
    view.selected = selected.clone();
    let target = follows.then(|| view.rows.iter().position(|row| selected.binary_search(row).is_ok())).flatten();
    let height = if wide { theme::ROW } else { TWO_LINES };
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).id_salt("objects").show_rows(
        ui,
        height,
        view.rows.len(),
        |ui, range| {
            if let Some(index) = target {
                let y = ui.min_rect().top() + (index as f32 - range.start as f32) * height;
                let rect = Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, height));
                if !ui.clip_rect().y_range().contains(rect.center().y) {
                    ui.scroll_to_rect(rect, Some(Align::Center));
                }
            }
            for row in range {
                let Some(index) = view.rows.get(row).copied() else { continue };
                let Some(prop) = terrain.props.get(index as usize) else { continue };
                let is_selected = selected.binary_search(&index).is_ok();
                let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
                response.widget_info(|| {
                    WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, label_of(terrain, prop))
                });
                let fill = match (is_selected, response.hovered(), row % 2 == 1) {
                    (true, ..) => p.accent_soft,
                    (_, true, _) => p.hover,
                    (_, _, true) => p.zebra,
                    _ => Color32::TRANSPARENT,
                };
                ui.painter().rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, fill);
                // What is hidden stands back.
                let color = match (is_selected, state.stages.front.view.terrain.shows_kind(prop.kind)) {
                    (true, _) => p.strong,
                    (_, true) => p.text,
                    (_, false) => p.weak,
                };
                match wide {
                    true => in_one_line(ui, p, rect, terrain, prop, color),
                    false => in_two_lines(ui, p, rect, terrain, prop, color),
                }
                let response = response.on_hover_ui(|ui| tip(ui, p, terrain, prop));
                if response.double_clicked() {
                    view.own = true;
                    commands.push(Command::Terrain(TerrainCommand::FocusProps(vec![index])));
                } else if response.clicked() {
                    let modifiers = ui.input(|i| i.modifiers);
                    commands
                        .push(Command::Terrain(TerrainCommand::SelectProps(clicked(view, selected, index, modifiers))));
                    view.own = true;
                }
            }
        },
    );
}

/// What is selected once a row was clicked: it alone, a range of rows with Shift, it besides the others with Ctrl.
fn clicked(view: &mut ObjectsView, selected: &[u32], index: u32, modifiers: egui::Modifiers) -> Vec<u32> {
    let at = |prop: u32| view.rows.iter().position(|row| *row == prop);
    let mut all = if modifiers.command { selected.to_vec() } else { Vec::new() };
    if modifiers.shift
        && let Some((from, to)) = view.anchor.and_then(at).zip(at(index))
    {
        all.extend(view.rows.get(from.min(to)..=from.max(to)).unwrap_or_default());
        return all;
    }
    view.anchor = Some(index);
    match modifiers.command && selected.binary_search(&index).is_ok() {
        true => all.retain(|other| *other != index),
        false => all.push(index),
    }
    all
}

fn type_of(terrain: &Terrain, prop: &Prop) -> String {
    terrain.kind_of(prop).map_or_else(|| format!("Type {}", prop.type_id), prop_sign::name)
}

fn label_of(terrain: &Terrain, prop: &Prop) -> String {
    let name = if prop.name.is_empty() { String::new() } else { format!(", {}", prop.name) };
    format!("{}{name}, {}", type_of(terrain, prop), prop.id)
}

/// All that there is to a thing.
fn tip(ui: &mut Ui, p: &Palette, terrain: &Terrain, prop: &Prop) {
    if !prop.name.is_empty() {
        ui.label(RichText::new(&prop.name).strong());
    }
    ui.label(type_of(terrain, prop));
    let weak = |ui: &mut Ui, text: String| ui.label(RichText::new(text).color(p.weak));
    if let Some(kind) = terrain.kind_of(prop).filter(|kind| !kind.model.is_empty()) {
        weak(ui, kind.model.clone());
    }
    weak(ui, format!("Object {}, type {}, index {} in the file", prop.id, prop.type_id, prop.slot));
    let turn = prop.heading.to_degrees().rem_euclid(360.0);
    let above = decimals(prop.above_ground, 2);
    weak(ui, format!("Heading {turn:.0}°, scale {:.2}, {above} m above the ground", prop.scale));
    weak(ui, "Double-click to focus this object".to_owned());
}

/// Where the columns are.
fn cells(rect: Rect) -> impl Iterator<Item = Rect> {
    let rect = rect.with_min_x(rect.left() + 8.0).with_max_x(rect.right() - 8.0);
    let fixed: f32 = COLUMNS.iter().map(|c| c.2.max(0.0)).sum();
    let mut left = rect.left();
    COLUMNS.into_iter().map(move |(_, _, width, _)| {
        let width = if width < 0.0 { -width * (rect.width() - fixed) } else { width };
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
        left = cell.right();
        cell.shrink2(vec2(4.0, 0.0))
    })
}

/// The columns' heads; a click sorts by one, another one turns it round.
fn heads(ui: &mut Ui, p: &Palette, view: &mut ObjectsView, wide: bool) {
    // As wide as the rows, which leave room for the scroll bar.
    let width = ui.available_width() - ui.spacing().scroll.allocated_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 20.0), Sense::hover());
    let mut left = rect.left() + 12.0;
    for ((column, name, _, right), cell) in COLUMNS.into_iter().zip(cells(rect)) {
        let on = view.column == column;
        let arrow = match (on, view.descending) {
            (false, _) => "",
            (true, false) => icon::CARET_UP,
            (true, true) => icon::CARET_DOWN,
        };
        let text = if on { format!("{name} {arrow}") } else { name.to_owned() };
        let font = egui::FontId::proportional(theme::SMALL);
        let area = if wide {
            if column == Column::Type { cell.with_min_x(cell.left() + SIGN) } else { cell }
        } else {
            // Side by side, as wide as they are.
            let width = ui.painter().layout_no_wrap(text.clone(), font, p.text).size().x + 4.0;
            let area = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
            left = area.right() + 4.0;
            area
        };
        let response = ui.interact(area, ui.id().with(("objects by", name)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, format!("Sort by {name}")));
        let color = if response.hovered() || on { p.text } else { p.weak };
        let align = if wide && right { Align::Max } else { Align::Min };
        put_text(ui, area, align, color, RichText::new(text).size(theme::SMALL));
        if response.clicked() {
            view.descending = on && !view.descending;
            view.column = column;
        }
    }
}

fn in_one_line(ui: &Ui, p: &Palette, rect: Rect, terrain: &Terrain, prop: &Prop, color: Color32) {
    let at = prop.file_position;
    let texts = [
        type_of(terrain, prop),
        prop.name.clone(),
        prop.id.to_string(),
        decimals(at.x, 2),
        decimals(at.z, 2),
        decimals(at.y, 2),
    ];
    for (((column, _, _, right), mut cell), text) in COLUMNS.into_iter().zip(cells(rect)).zip(texts) {
        if column == Column::Type {
            sign(ui, p, cell, terrain, prop);
            cell.min.x += SIGN;
        }
        match right {
            true => put_text(ui, cell, Align::Max, color, theme::figures(text)),
            false => put_text(ui, cell, Align::Min, color, RichText::new(text)),
        }
    }
}

fn in_two_lines(ui: &Ui, p: &Palette, rect: Rect, terrain: &Terrain, prop: &Prop, color: Color32) {
    let inner = rect.with_min_x(rect.left() + 12.0).with_max_x(rect.right() - 12.0);
    // The lines of one thing are closer to each other than to those of the next.
    let (upper, lower) = inner.shrink2(vec2(0.0, 4.0)).split_top_bottom_at_fraction(0.56);
    sign(ui, p, upper, terrain, prop);
    let id = theme::figures(prop.id.to_string()).size(theme::SMALL);
    let (name, number) = upper.split_left_right_at_x(upper.right() - 58.0);
    // Few have a name of their own: it says more than the type, which many share.
    let named = if prop.name.is_empty() { String::new() } else { format!("{}  ", prop.name) };
    let text = RichText::new(format!("{named}{}", type_of(terrain, prop)));
    put_text(ui, name.with_min_x(name.left() + SIGN), Align::Min, color, text);
    put_text(ui, number, Align::Max, p.weak, id);
    let at = prop.file_position;
    let figures = |text: String| theme::figures(text).size(theme::SMALL);
    // Numbers stand below each other: east, north, height.
    let column = (lower.width() - SIGN) / 3.0;
    let mut left = lower.left() + SIGN;
    for value in
        [format!("E {}", decimals(at.x, 1)), format!("N {}", decimals(at.z, 1)), format!("{} m", decimals(at.y, 1))]
    {
        let cell = Rect::from_min_size(pos2(left, lower.top()), vec2(column, lower.height()));
        put_text(ui, cell, Align::Max, p.weak, figures(value));
        left += column;
    }
}

fn sign(ui: &Ui, p: &Palette, cell: Rect, terrain: &Terrain, prop: &Prop) {
    let [r, g, b, _] = terrain.fill_of(prop);
    prop_sign::swatch(ui.painter(), pos2(cell.left() + 6.0, cell.center().y), Color32::from_rgb(r, g, b), p);
}
