//! Menu items and buttons for commands, and how their keys are drawn.

use crate::ui::{
    command::{Action, Command, keys_of, with_keys},
    theme,
    widgets::menu_keys,
};
use egui::{FontId, Rect, Response, RichText, Sense, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// What a command would do now, as a menu shows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    /// Whether the option of the command is on; `None` for a command without an option.
    pub on: Option<bool>,
    /// True if the command has no effect.
    pub idle: bool,
}

/// Draws the item of an action.
pub fn item(ui: &mut Ui, action: &Action, now: Now, commands: &mut Vec<Command>) {
    let (name, command) = (action.name, &action.command);
    let is_clicked = match now.on {
        Some(on) => tick_response(ui, on, name, command, now.idle).clicked(),
        None => {
            let keys = keys_of(ui.ctx(), command).unwrap_or_default();
            let button = egui::Button::new(format!("{}  {name}", action.icon)).shortcut_text(keys);
            let response = ui.add_enabled(!now.idle, button);
            menu_keys::offer(&response, name);
            response.clicked()
        }
    };
    if is_clicked {
        commands.push(command.clone());
        ui.close();
    }
}

/// What stands over items that belong together.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(theme::palette(ui).weak));
}

/// Draws an item with a tick.
pub fn tick(ui: &mut Ui, on: bool, name: &str, command: Command, commands: &mut Vec<Command>) {
    if tick_response(ui, on, name, &command, false).clicked() {
        commands.push(command);
        ui.close();
    }
}

fn tick_response(ui: &mut Ui, on: bool, name: &str, command: &Command, idle: bool) -> Response {
    let keys = keys_of(ui.ctx(), command).unwrap_or_default();
    let sign = if on { icon::CHECK } else { "    " };
    let response = ui.add_enabled(!idle, egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, !idle, on, name));
    menu_keys::offer(&response, name);
    response
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

pub fn toggle(ui: &mut Ui, sign: &str, name: &str, on: bool, command: Command, commands: &mut Vec<Command>) {
    if theme::icon_toggle(ui, sign, &with_keys(ui.ctx(), name, &command), on).clicked() {
        commands.push(command);
    }
}

const HEIGHT: f32 = 18.0;
const SPACE: f32 = 3.0;

/// Shows caps, one a key.
pub fn key_caps<S: AsRef<str>>(ui: &mut Ui, caps: &[S]) {
    let p = theme::palette(ui);
    let font = FontId::proportional(theme::SMALL);
    let galleys: Vec<_> =
        caps.iter().map(|c| ui.painter().layout_no_wrap(c.as_ref().to_owned(), font.clone(), p.text)).collect();
    let widths: Vec<f32> = galleys.iter().map(|g| (g.size().x + 10.0).ceil().max(20.0)).collect();
    let total = widths.iter().sum::<f32>() + SPACE * galleys.len().saturating_sub(1) as f32;
    let (rect, _) = ui.allocate_exact_size(vec2(total, HEIGHT), Sense::hover());
    let mut left = rect.left();
    for (galley, width) in galleys.into_iter().zip(widths) {
        let cap = Rect::from_min_size(pos2(left, rect.top()), vec2(width, HEIGHT));
        ui.painter().rect(cap, 4.0, p.panel, egui::Stroke::new(1.0, p.line), StrokeKind::Inside);
        let place = cap.center() - galley.size() / 2.0;
        ui.painter().galley(place, galley, p.text);
        left += width + SPACE;
    }
}
