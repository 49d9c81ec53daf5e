//! Tables of numbers.

use crate::{
    scene::{Terrain, TerrainStatistics},
    ui::{
        command::{Command, TerrainCommand},
        stage::landscape::objects::class_name,
        state::State,
        theme::{self, Palette},
        widgets::{
            numbers::{counted, grouped},
            prop_sign,
            put::put_text,
            value_text::decimals,
        },
    },
};
use egui::{Align, Color32, Label, Margin, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

/// Columns of a table: what they are called, and how wide they are in points; the first one has the rest.
const NUMBERS: [(&str, f32); 3] = [("Types", 72.0), ("Objects", 84.0), ("Per km²", 92.0)];

/// A line of a card.
pub struct Fact<'a> {
    name: &'static str,
    value: String,
    weak: bool,
    /// What it counts: a click selects them.
    props: &'a [u32],
}

impl<'a> Fact<'a> {
    pub fn new(name: &'static str, value: String) -> Self {
        Self { name, value, weak: false, props: &[] }
    }

    /// A count of things.
    pub fn of(name: &'static str, props: &'a [u32]) -> Self {
        Self { name, value: grouped(props.len()), weak: props.is_empty(), props }
    }

    /// What is nothing stands back.
    pub fn weak_if(self, weak: bool) -> Self {
        Self { weak, ..self }
    }
}

fn card(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    let p = theme::palette(ui);
    egui::Frame::new().fill(p.card).corner_radius(6).inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        title(ui, name);
        ui.spacing_mut().item_spacing.y = 0.0;
        add(ui);
    });
}

/// Names with their values at the right.
pub fn facts(ui: &mut Ui, name: &str, facts: &[Fact<'_>], commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    card(ui, name, |ui| {
        for fact in facts {
            let leads = !fact.props.is_empty();
            let sense = if leads { Sense::click() } else { Sense::hover() };
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), sense);
            let label = format!("{}: {}", fact.name, fact.value);
            let kind = if leads { WidgetType::Button } else { WidgetType::Label };
            response.widget_info(|| WidgetInfo::labeled(kind, true, label.as_str()));
            if leads && response.hovered() {
                ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 4.0, p.hover);
            }
            let color = if fact.weak { p.weak } else { p.text };
            let (name, value) = rect.split_left_right_at_fraction(0.55);
            put_text(ui, name, Align::Min, p.weak, RichText::new(fact.name));
            let mut text = theme::figures(&fact.value);
            if leads {
                text = text.underline();
            }
            put_text(ui, value, Align::Max, color, text);
            if leads && response.on_hover_text("Click to select these objects").clicked() {
                commands.push(Command::Terrain(TerrainCommand::SelectProps(fact.props.to_vec())));
            }
        }
    });
}

/// The name's cell and those of the numbers, of which the last `count` are there.
fn cells(rect: Rect, count: usize) -> (Rect, Vec<Rect>) {
    let columns = &NUMBERS[NUMBERS.len() - count..];
    let mut left = rect.right() - columns.iter().map(|c| c.1).sum::<f32>();
    let name = rect.with_max_x(left);
    let cells = columns.iter().map(|(_, width)| {
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(*width, rect.height()));
        left += width;
        cell
    });
    (name, cells.collect())
}

fn heads(ui: &mut Ui, p: &Palette, count: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let (_, numbers) = cells(rect, count);
    for ((title, _), cell) in NUMBERS[NUMBERS.len() - count..].iter().zip(numbers) {
        put_text(ui, cell, Align::Max, p.weak, RichText::new(*title).size(theme::SMALL));
    }
}

/// A row's figures; what is nothing stands back.
fn figures(ui: &Ui, p: &Palette, cells: Vec<Rect>, texts: &[String], color: Color32) {
    for (cell, text) in cells.into_iter().zip(texts) {
        let color = if text == "0" || text == "0.00" { p.weak } else { color };
        put_text(ui, cell, Align::Max, color, theme::figures(text));
    }
}

pub fn classes(ui: &mut Ui, numbers: &TerrainStatistics) {
    if numbers.classes.is_empty() {
        return;
    }
    let p = theme::palette(ui);
    card(ui, "By class", |ui| {
        heads(ui, &p, 3);
        for (row, class) in numbers.classes.iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
            let name = class_name(class.class);
            let label = format!("{name}: {}", counted(class.props as usize, "object"));
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
            zebra(ui, &p, rect, row);
            let (left, cells) = cells(rect, 3);
            prop_sign::badge(ui.painter(), pos2(left.left() + 10.0, left.center().y), class.class, &p);
            put_text(ui, left.with_min_x(left.left() + 28.0), Align::Min, p.text, RichText::new(name));
            let texts = [grouped(class.kinds as usize), grouped(class.props as usize), density(class.per_km2)];
            figures(ui, &p, cells, &texts, p.text);
        }
    });
}

/// All types, the most frequent first; a click selects one. Only the rows in sight are drawn.
pub fn kinds(ui: &mut Ui, state: &State, terrain: &Terrain, numbers: &TerrainStatistics, commands: &mut Vec<Command>) {
    if numbers.kinds.is_empty() {
        return;
    }
    let p = theme::palette(ui);
    let selected =
        state.stages.front.view.terrain.selected.first().and_then(|i| terrain.props.get(*i as usize)).map(|p| p.kind);
    card(ui, "By type", |ui| {
        heads(ui, &p, 2);
        let count = numbers.kinds.len();
        let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW * count as f32), Sense::hover());
        let seen = ui.clip_rect().y_range();
        let row_at = |y: f32| ((y - area.top()) / theme::ROW).floor().clamp(0.0, count as f32) as usize;
        for row in row_at(seen.min)..(row_at(seen.max) + 1).min(count) {
            let counted_kind = &numbers.kinds[row];
            let Some(kind) = terrain.kinds.get(counted_kind.kind as usize) else { continue };
            let top = area.top() + row as f32 * theme::ROW;
            let rect = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), theme::ROW));
            let response = ui.interact(rect, ui.id().with(("type", row)), Sense::click());
            let is_selected = selected == Some(counted_kind.kind) && counted_kind.props > 0;
            let name = prop_sign::name(kind);
            let label = format!("{name}: {}", counted(counted_kind.props as usize, "object"));
            response
                .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_selected, label.as_str()));
            if is_selected {
                ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 4.0, p.accent_soft);
            } else if response.hovered() {
                ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 4.0, p.hover);
            } else {
                zebra(ui, &p, rect, row);
            }
            let (left, cells) = cells(rect, 2);
            let middle = left.center().y;
            prop_sign::badge(ui.painter(), pos2(left.left() + 10.0, middle), kind.class, &p);
            prop_sign::swatch(ui.painter(), pos2(left.left() + 32.0, middle), prop_sign::color(kind), &p);
            let color = if counted_kind.props == 0 { p.weak } else { p.text };
            put_text(ui, left.with_min_x(left.left() + 44.0), Align::Min, color, RichText::new(name));
            let texts = [grouped(counted_kind.props as usize), density(counted_kind.per_km2)];
            figures(ui, &p, cells, &texts, color);
            let tip = format!("{}\nClick to select all objects of this type", kind.model);
            if response.on_hover_text(tip.trim()).clicked() {
                commands.push(Command::Terrain(TerrainCommand::SelectKind(counted_kind.kind)));
            }
        }
    });
}

/// Things in a square kilometre.
pub fn density(per_km2: f64) -> String {
    if per_km2 >= 1000.0 { grouped(per_km2.round() as usize) } else { decimals(per_km2 as f32, 2) }
}

fn zebra(ui: &Ui, p: &Palette, rect: Rect, row: usize) {
    if row % 2 == 1 {
        ui.painter().rect_filled(rect.expand2(vec2(6.0, 0.0)), 4.0, p.hover.gamma_multiply(0.35));
    }
}

/// A heading over a card.
pub(in crate::ui) fn title(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).strong()).selectable(false));
}
