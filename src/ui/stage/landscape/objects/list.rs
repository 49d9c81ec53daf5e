//! The things one by one. Only the rows in sight are drawn.

use crate::{
    scene::{Prop, Terrain},
    ui::{
        command::{Command, TerrainCommand},
        stage::landscape::objects::index::{Column, ObjectsView},
        state::State,
        theme::{self, Palette},
        widgets::{
            columns, empty, prop_sign,
            put::put_text,
            rows::{self, Rows},
            value_text::decimals,
        },
    },
};
use egui::{Align, Color32, Rect, RichText, Ui, pos2, vec2};

/// Panels narrower than this write each thing in two lines.
const IN_ONE_LINE: f32 = 440.0;

/// Height of a thing in two lines.
const TWO_LINES: f32 = 40.0;

/// Columns from the left: title, width in points (shares of what is left where it is negative), whether it is a number.
const COLUMNS: [columns::Column<Column>; 6] = [
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
    heads(ui, view, wide);
    if view.rows.is_empty() {
        return empty::note(ui, "No object matches the filter.");
    }
    let selected = &state.stages.front.view.terrain.selected;
    let height = if wide { theme::ROW } else { TWO_LINES };
    // A selection made elsewhere is brought into view.
    let target = || match std::mem::take(&mut view.own) {
        true => None,
        false => view.rows.iter().position(|row| selected.binary_search(row).is_ok()),
    };
    let rows = Rows::new("objects", view.rows.len()).height(height).striped().margin(4.0);
    rows.follow(ui, selected, target).show(ui, |ui, row| {
        let index = view.rows[row.index];
        let Some(prop) = terrain.props.get(index as usize) else { return };
        let is_selected = selected.binary_search(&index).is_ok();
        let response = row.selectable(ui, is_selected, &label_of(terrain, prop));
        // Hidden objects are paler.
        let color = match (is_selected, state.stages.front.view.terrain.shows_kind(prop.kind)) {
            (true, _) => p.strong,
            (_, true) => p.text,
            (_, false) => p.weak,
        };
        match wide {
            true => in_one_line(ui, p, row.rect, terrain, prop, color),
            false => in_two_lines(ui, p, row.rect, terrain, prop, color),
        }
        let response = response.on_hover_ui(|ui| tip(ui, p, terrain, prop));
        if response.double_clicked() {
            view.own = true;
            commands.push(Command::Terrain(TerrainCommand::FocusProps(vec![index])));
        } else if response.clicked() {
            let modifiers = ui.input(|i| i.modifiers);
            let before = selected.iter().copied();
            let now = rows::select(&view.rows, before, &mut view.anchor, index, modifiers);
            commands.push(Command::Terrain(TerrainCommand::SelectProps(now)));
            view.own = true;
        }
    });
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

/// Returns the area of each column.
fn cells(row: Rect) -> impl Iterator<Item = Rect> {
    columns::cells(&COLUMNS, row.shrink2(vec2(8.0, 0.0)))
}

/// Draws the heads of the columns: next to each other if a row has two lines.
fn heads(ui: &mut Ui, view: &mut ObjectsView, wide: bool) {
    let rect = columns::heads(ui);
    let mut left = rect.left() + 12.0;
    for (column, cell) in COLUMNS.iter().zip(cells(rect)) {
        let area = match (wide, column.0) {
            (true, Column::Type) => cell.with_min_x(cell.left() + SIGN),
            (true, _) => cell,
            (false, _) => {
                let right = left + columns::head_width(ui, column, &view.sort) + 4.0;
                let area = rect.with_min_x(left).with_max_x(right);
                left = right + 4.0;
                area
            }
        };
        let is_number = wide && column.3;
        columns::head(ui, area, &(column.0, column.1, column.2, is_number), &mut view.sort);
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
        let (align, text) = if right { (Align::Max, theme::figures(text)) } else { (Align::Min, RichText::new(text)) };
        put_text(ui, cell, align, color, text);
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
    // Three columns: east, north, height.
    let column = (lower.width() - SIGN) / 3.0;
    let mut left = lower.left() + SIGN;
    let number = |value| decimals(value, usize::from(column >= 52.0));
    let values = [
        (Align::Min, format!("E {}", number(at.x))),
        (Align::Max, format!("N {}", number(at.z))),
        (Align::Max, format!("{} m", number(at.y))),
    ];
    for (align, value) in values {
        let cell = Rect::from_min_size(pos2(left, lower.top()), vec2(column, lower.height()));
        put_text(ui, cell, align, p.weak, figures(value));
        left += column;
    }
}

fn sign(ui: &Ui, p: &Palette, cell: Rect, terrain: &Terrain, prop: &Prop) {
    let [r, g, b, _] = terrain.fill_of(prop);
    prop_sign::swatch(ui.painter(), pos2(cell.left() + 6.0, cell.center().y), Color32::from_rgb(r, g, b), p);
}
