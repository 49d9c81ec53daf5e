//! What stands on the ground on show: one list of the things, one of their types.

mod index;
mod kinds;
mod list;

pub use index::ObjectsView;
pub(in crate::ui) use kinds::class_name;

use crate::{
    scene::Terrain,
    ui::{
        command::{Command, TerrainCommand},
        query::{HINT, Query},
        state::{LandscapeStage, State},
        theme,
        widgets::{empty, filter_field, numbers::grouped},
    },
};
use egui::{Align, Key, Layout, Margin, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use index::{KindRow, ObjectIndex, Page};

pub fn show(ui: &mut Ui, state: &State, view: &mut ObjectsView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.landscape() else {
        let sentence = "Open a landscape to list its objects.";
        empty::show(ui, icon::TREE_EVERGREEN, "No landscape", sentence);
        return;
    };
    let p = theme::palette(ui);
    view.update(shown);
    egui::Frame::new().inner_margin(Margin { left: 8, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        let enter = filter_bar(ui, view, shown);
        ui.add_space(4.0);
        tools(ui, state, view, commands);
        if let Some(by) = enter {
            commands.extend(view.step(by));
        }
    });
    view.update(shown);
    if shown.terrain.props.is_empty() && (view.page == Page::Things || shown.terrain.kinds.is_empty()) {
        return empty::note(ui, "This landscape has no objects.");
    }
    match view.page {
        Page::Things => list::show(ui, &p, state, &shown.terrain, view, commands),
        Page::Types => kinds::show(ui, &p, state, &shown.terrain, view, commands),
    }
}

impl ObjectsView {
    /// Makes what is not there yet for the landscape, the filter and the order.
    fn update(&mut self, shown: &LandscapeStage) {
        let terrain: &Terrain = &shown.terrain;
        if self.generation != Some(shown.generation) {
            self.generation = Some(shown.generation);
            self.index = ObjectIndex::of(terrain);
            (self.order, self.rows_for, self.kinds_for, self.anchor) = (None, None, None, None);
        }
        if self.page == Page::Types && self.kinds_for.as_ref() != Some(&self.filter) {
            self.kinds = self.index.kinds(terrain, &Query::of(&self.filter));
            self.kinds_for = Some(self.filter.clone());
        }
        if self.rows_for.as_ref().is_some_and(|(filter, sort)| (filter, *sort) == (&self.filter, self.sort)) {
            return;
        }
        let order = match self.order.take() {
            Some((sort, order)) if sort == self.sort => order,
            _ => self.index.sorted(terrain, self.sort.by, self.sort.descending).into(),
        };
        self.rows = self.index.find(terrain, &Query::of(&self.filter), &order);
        self.order = Some((self.sort, order));
        self.rows_for = Some((self.filter.clone(), self.sort));
    }

    /// Selects and shows the thing that is so many rows below the last one, from the other end again.
    fn step(&mut self, by: isize) -> Option<Command> {
        let count = self.rows.len() as isize;
        if count == 0 {
            return None;
        }
        let at = self.anchor.and_then(|anchor| self.rows.iter().position(|row| *row == anchor));
        let next = at.map_or(0, |at| (at as isize + by).rem_euclid(count));
        let prop = *self.rows.get(next as usize)?;
        self.anchor = Some(prop);
        self.page = Page::Things;
        Some(Command::Terrain(TerrainCommand::FocusProps(vec![prop])))
    }
}

/// Draws the filter with its count. Returns the direction in which Enter moves.
fn filter_bar(ui: &mut Ui, view: &mut ObjectsView, shown: &LandscapeStage) -> Option<isize> {
    let (found, all) = match view.page {
        Page::Things => (view.rows.len(), shown.terrain.props.len()),
        Page::Types => {
            let types = view.kinds.iter().filter(|row| matches!(row, KindRow::Kind(_))).count();
            (types, shown.terrain.kinds.len())
        }
    };
    let count = match view.filter.is_empty() {
        true => (grouped(all), "Total number"),
        false => (format!("{} / {}", grouped(found), grouped(all)), "Matches / total number"),
    };
    let bar = filter_field::Bar {
        label: "Filter the objects",
        hint: if ui.available_width() > 250.0 { "Name, model, type or number" } else { "Number or type" },
        count: Some(count),
        clear: "Clear the object filter",
        room: 0.0,
    };
    let field = bar.show(ui, &mut view.filter);
    let mut enter = None;
    if field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
        enter = Some(if ui.input(|i| i.modifiers.shift) { -1 } else { 1 });
        // The next Enter leads on.
        field.request_focus();
    }
    field.on_hover_text(format!("Enter: next match. Shift+Enter: previous match.\n\n{HINT}"));
    enter
}

/// Which list, and what can be done with all of it.
fn tools(ui: &mut Ui, state: &State, view: &mut ObjectsView, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (page, name) in [(Page::Things, "List"), (Page::Types, "Types")] {
            if ui.selectable_label(view.page == page, name).clicked() {
                view.page = page;
            }
        }
        // A double click focuses an object too.
        let is_narrow = ui.available_width() < 130.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let selected = &state.stages.front.view.terrain.selected;
            let tool = |ui: &mut Ui, enabled: bool, sign: &str, label: &str| {
                ui.add_enabled_ui(enabled, |ui| theme::icon_button(ui, sign, label).clicked()).inner
            };
            if view.page == Page::Types {
                let hides = !state.stages.front.view.terrain.hidden_kinds.is_empty();
                if tool(ui, hides, icon::EYE, "Show all types") {
                    commands.push(Command::Terrain(TerrainCommand::IsolateKinds(None)));
                }
            } else if tool(ui, !view.rows.is_empty(), icon::SELECTION_ALL, "Select all listed objects") {
                view.own = true;
                commands.push(Command::Terrain(TerrainCommand::SelectProps(view.rows.clone())));
            }
            if !is_narrow && tool(ui, !selected.is_empty(), icon::CROSSHAIR, "Focus the selected objects") {
                commands.push(Command::Terrain(TerrainCommand::FocusProps(selected.to_vec())));
            }
            if tool(ui, !selected.is_empty(), icon::SELECTION_SLASH, "Clear the selection") {
                commands.push(Command::Terrain(TerrainCommand::SelectProps(Vec::new())));
            }
            if !selected.is_empty() {
                let whole = format!("{} selected", grouped(selected.len()));
                let text = if ui.available_width() < 84.0 { grouped(selected.len()) } else { whole.clone() };
                let label =
                    ui.add(egui::Label::new(RichText::new(text).size(theme::SMALL)).selectable(false).truncate());
                label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, whole.as_str()));
                label.on_hover_text(&whole);
            }
        });
    });
}
