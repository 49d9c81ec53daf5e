//! The keys of every action, and changing them.

use crate::ui::{
    command::{ACTIONS, Action, Command, KeyCommand, keys_text, next_key},
    state::State,
    theme,
    widgets::{dialog, rows::Rows, search},
};
use egui::{Align, Button, Key, Label, Layout, Modifiers, RichText, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 30.0;
const KEYS_WIDTH: f32 = 176.0;

/// A line of the list.
enum Line {
    Group(&'static str),
    Action(&'static Action),
}

fn answers(action: &Action, query: &str) -> bool {
    query.is_empty() || search::score(query, action.name).is_some() || search::score(query, action.group).is_some()
}

/// How many actions answer to a query.
pub fn count(query: &str) -> usize {
    ACTIONS.iter().filter(|action| answers(action, query)).count()
}

/// Gives the key that is waited for to whom it is for, before any widget takes it.
pub fn listen(ui: &Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(change) = &state.dialogs.key_change else { return };
    if change.conflict.is_some() {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            commands.push(Command::Keys(KeyCommand::Cancel));
        } else if dialog::is_confirmed(ui) {
            commands.push(Command::Keys(KeyCommand::TakeOver));
        }
        return;
    }
    if let Some(keys) = next_key(ui.ctx()) {
        let is_escape = keys.logical_key == Key::Escape;
        commands.push(Command::Keys(if is_escape { KeyCommand::Cancel } else { KeyCommand::Press(keys) }));
    }
}

pub fn show(ui: &mut Ui, state: &State, query: &str, commands: &mut Vec<Command>) {
    if query.is_empty() {
        ui.horizontal(|ui| {
            let text = "Click a shortcut to change it.";
            ui.add(Label::new(RichText::new(text).weak()).selectable(false));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let can = !state.core.settings.keys.is_empty();
                if ui.add_enabled(can, Button::new("Reset all shortcuts")).clicked() {
                    commands.push(Command::Keys(KeyCommand::ResetAll));
                }
            });
        });
    }
    asked(ui, state, commands);
    let mut lines = Vec::new();
    let mut groups: Vec<&str> = Vec::new();
    for group in ACTIONS.iter().map(|action| action.group) {
        if groups.contains(&group) {
            continue;
        }
        groups.push(group);
        let actions = ACTIONS.iter().filter(|action| action.group == group && answers(action, query));
        let before = lines.len();
        lines.extend(actions.map(Line::Action));
        if lines.len() > before {
            lines.insert(before, Line::Group(group));
        }
    }
    Rows::new("keys of actions", lines.len()).height(ROW_HEIGHT).show(ui, |ui, row| match lines[row.index] {
        Line::Group(name) => {
            ui.with_layout(Layout::left_to_right(Align::Max), |ui| {
                ui.add(Label::new(RichText::new(name).strong()).selectable(false))
            });
        }
        Line::Action(action) => show_row(ui, state, action, commands),
    });
}

/// What is asked while a key is changed.
fn asked(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(change) = &state.dialogs.key_change else { return };
    let p = theme::palette(ui);
    egui::Frame::new().fill(p.accent_soft).inner_margin(8.0).corner_radius(4.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        match &change.conflict {
            Some((keys, holder)) => {
                let text = format!("{} is already used by “{}”.", keys_text(keys), holder.name);
                ui.add(Label::new(RichText::new(text).color(p.strong)).wrap());
                ui.horizontal(|ui| {
                    if ui.button(format!("Assign to “{}”", change.action.name)).clicked() {
                        commands.push(Command::Keys(KeyCommand::TakeOver));
                    }
                    if ui.button("Cancel").clicked() {
                        commands.push(Command::Keys(KeyCommand::Cancel));
                    }
                });
            }
            None => {
                let text = format!("Press a key for “{}”. Esc cancels.", change.action.name);
                ui.add(Label::new(RichText::new(text).color(p.strong)).wrap());
                if let Some(refusal) = &change.refusal {
                    ui.add(Label::new(RichText::new(refusal).color(p.warning)).wrap());
                }
            }
        }
    });
}

fn show_row(ui: &mut Ui, state: &State, action: &'static Action, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let chosen = &state.core.settings.keys;
    let keys: Vec<String> = chosen.of(action).iter().map(keys_text).collect();
    let is_waiting = state.dialogs.key_change.as_ref().is_some_and(|change| change.action.name == action.name);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let can = chosen.is_changed(action);
        let label = format!("Reset shortcuts for “{}”", action.name);
        let reset = ui.add_enabled_ui(can, |ui| theme::icon_button(ui, icon::ARROW_COUNTER_CLOCKWISE, &label)).inner;
        if reset.clicked() {
            commands.push(Command::Keys(KeyCommand::Reset(action.name)));
        }
        let label = format!("Remove shortcuts for “{}”", action.name);
        if ui.add_enabled_ui(!keys.is_empty(), |ui| theme::icon_button(ui, icon::X, &label)).inner.clicked() {
            commands.push(Command::Keys(KeyCommand::Clear(action.name)));
        }
        let label = format!("Add a shortcut for “{}”", action.name);
        let besides = theme::icon_button(ui, icon::PLUS, &label);
        let text = match (is_waiting, keys.is_empty()) {
            (true, _) => RichText::new("press a key").color(p.accent),
            (false, true) => RichText::new("none").color(p.weak),
            (false, false) => RichText::new(keys.join("   ")),
        };
        let button = ui.add(Button::new(text).selected(is_waiting).min_size(vec2(KEYS_WIDTH, 24.0)).truncate());
        let label = match keys.is_empty() {
            true => format!("Shortcuts for “{}”: none", action.name),
            false => format!("Shortcuts for “{}”: {}", action.name, keys.join(" or ")),
        };
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, label.as_str()));
        for (response, besides) in [(besides, true), (button, false)] {
            if response.clicked() {
                // Enter and Space are keys too, and no click on this button now.
                response.surrender_focus();
                commands.push(Command::Keys(KeyCommand::Wait { name: action.name, besides }));
            }
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let text = format!("{}  {}", action.icon, action.name);
            ui.add(Label::new(text).selectable(false).truncate());
        });
    });
}
