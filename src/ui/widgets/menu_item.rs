//! Items of menus that do commands.

use crate::ui::{
    command::{Action, Command, keys_of},
    theme,
    widgets::menu_keys,
};
use egui::{RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

pub fn item(ui: &mut Ui, action: &Action, commands: &mut Vec<Command>) {
    let keys = keys_of(ui.ctx(), &action.command).unwrap_or_default();
    let button = egui::Button::new(format!("{}  {}", action.icon, action.name)).shortcut_text(keys);
    let response = ui.add(button);
    menu_keys::offer(&response, action.name);
    if response.clicked() {
        commands.push(action.command.clone());
        ui.close();
    }
}

/// The item of a command that the table of actions names.
pub fn item_of(ui: &mut Ui, command: &Command, commands: &mut Vec<Command>) {
    if let Some(action) = Action::of(command) {
        item(ui, action, commands);
    }
}

/// What stands over items that belong together.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::palette(ui).weak));
}

/// An item with a tick.
pub fn tick(ui: &mut Ui, on: bool, name: &str, command: Command, commands: &mut Vec<Command>) {
    let keys = keys_of(ui.ctx(), &command).unwrap_or_default();
    let sign = if on { icon::CHECK } else { "    " };
    let response = ui.add(egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, on, name));
    menu_keys::offer(&response, name);
    if response.clicked() {
        commands.push(command);
        ui.close();
    }
}

/// An item of a menu that stays open; one that cannot be chosen has the reason.
pub fn choice(
    ui: &mut Ui,
    on: bool,
    name: &str,
    why_not: Option<&str>,
    command: Command,
    kind: WidgetType,
    commands: &mut Vec<Command>,
) {
    let keys = keys_of(ui.ctx(), &command).unwrap_or_default();
    let sign = if on { icon::CHECK } else { "    " };
    let enabled = why_not.is_none();
    let button = egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys);
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| WidgetInfo::selected(kind, enabled, on, name));
    if response.on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
        commands.push(command);
    }
}

/// A menu in a menu.
pub fn submenu<R>(ui: &mut Ui, sign: &str, name: &str, content: impl FnOnce(&mut Ui) -> R) {
    let button = egui::containers::menu::SubMenuButton::new(format!("{sign}  {name}"));
    menu_keys::submenu(ui, button, name, content);
}
