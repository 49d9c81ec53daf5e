//! Menus of where to look from and how surfaces are coloured.

use crate::ui::{
    command::{ACTIONS, Action, CameraCommand, Command, ViewCommand, keys_of},
    saved_view::ViewToggle,
    state::{ColorChannel, State},
    widgets::menu_item::{Now, choice, item, tick},
};
use egui::{Ui, WidgetType};
use egui_phosphor::regular as icon;

/// The ways surfaces are coloured.
pub fn shading_items(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use crate::ui::state::Shading;
    ui.set_min_width(180.0);
    // Levels have zones, models have bones and skins.
    let has = |shading: &Shading| match shading {
        Shading::Weights | Shading::ListKinds => state.stages.front.level().is_none(),
        Shading::Zones | Shading::Light => state.stages.front.level().is_some(),
        Shading::PartId => state.stages.front.level().is_none(),
        _ => true,
    };
    for shading in Shading::ALL.into_iter().filter(has) {
        let (name, _) = shading_name(shading);
        let on = state.stages.front.drawn_shading() == shading;
        let keys = keys_of(ui.ctx(), &Command::View(ViewCommand::ToggleShading(shading))).unwrap_or_default();
        let sign = if on { icon::CHECK } else { "    " };
        let response = ui.add(egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys));
        response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, on, name));
        if response.clicked() {
            commands.push(Command::View(ViewCommand::SetShading(shading)));
            ui.close();
        }
    }
    let view = &state.stages.front.view;
    if view.options.shading == Shading::VertexColors {
        ui.separator();
        for channel in ColorChannel::ALL {
            let command = Command::View(ViewCommand::SetChannel(channel));
            option_item(ui, state, channel_name(channel), command, commands);
        }
    }
    if state.stages.front.model().is_some() {
        ui.separator();
        for option in [ViewToggle::NormalLines, ViewToggle::UvLayout] {
            if let Some(action) = view_action(state, option) {
                lasting_item(ui, state, action, commands);
            }
        }
    }
}

/// Draws the menu item of an action: with a tick if it has an option, and greyed out if it has no effect now.
pub fn action_item(ui: &mut Ui, state: &State, action: &Action, commands: &mut Vec<Command>) {
    let (on, idle) = (state.is_on(&action.command), !state.is_possible(&action.command));
    item(ui, action, Now { on, idle }, commands);
}

/// Draws the menu item of an option that the next model uses too: it is never greyed out.
pub fn lasting_item(ui: &mut Ui, state: &State, action: &Action, commands: &mut Vec<Command>) {
    item(ui, action, Now { on: state.is_on(&action.command), idle: false }, commands);
}

/// Draws the menu item of a command that is in the table of actions.
pub fn item_of(ui: &mut Ui, state: &State, command: &Command, commands: &mut Vec<Command>) {
    if let Some(action) = Action::of(command) {
        action_item(ui, state, action, commands);
    }
}

/// Draws the menu item of a command that has another name in a menu than in the table of actions.
pub fn option_item(ui: &mut Ui, state: &State, name: &str, command: Command, commands: &mut Vec<Command>) {
    tick(ui, state.is_on(&command).unwrap_or_default(), name, command, commands);
}

/// Draws an item of a menu that stays open, with a tick.
pub fn staying_item(ui: &mut Ui, state: &State, name: &str, command: Command, commands: &mut Vec<Command>) {
    let on = state.is_on(&command).unwrap_or_default();
    choice(ui, on, name, None, command, WidgetType::Checkbox, commands);
}

/// Returns the action of an option of the view, if the option has an effect on what the stage shows.
pub fn view_action(state: &State, option: ViewToggle) -> Option<&'static Action> {
    use ViewToggle as T;
    let command = Command::View(ViewCommand::Toggle(option));
    // The next model uses these, whatever the stage shows.
    let is_general =
        matches!(option, T::Textures | T::Wireframe | T::VertexColors | T::Grid | T::Culling | T::Nearest | T::Hidden);
    Action::of(&command).filter(|_| is_general || state.is_possible(&command))
}

/// Name of a channel of vertex colours.
pub fn channel_name(channel: ColorChannel) -> &'static str {
    match channel {
        ColorChannel::All => "All channels",
        ColorChannel::Red => "Red channel",
        ColorChannel::Green => "Green channel",
        ColorChannel::Blue => "Blue channel",
        ColorChannel::Alpha => "Alpha channel",
    }
}

/// Name and icon of a shading.
pub fn shading_name(shading: crate::ui::state::Shading) -> (&'static str, &'static str) {
    use crate::ui::state::Shading;
    match shading {
        Shading::Lit => ("Lit", icon::LIGHTBULB),
        Shading::Unlit => ("Unlit", icon::SUN),
        Shading::Flat => ("Flat shading", icon::POLYGON),
        Shading::Normals => ("Normals", icon::ARROWS_OUT),
        Shading::Uv => ("Texture coordinates", icon::CHECKERBOARD),
        Shading::VertexColors => ("Vertex colours only", icon::DROP_HALF),
        Shading::PartId => ("Colour by part", icon::SHAPES),
        Shading::Overdraw => ("Overdraw", icon::STACK_SIMPLE),
        Shading::MaterialId => ("Colour by material", icon::PALETTE),
        Shading::Weights => ("Bone weights", icon::THERMOMETER),
        Shading::ListKinds => ("Skin lists", icon::STACK),
        Shading::Zones => ("Zones", icon::MAP_TRIFOLD),
        Shading::Light => ("Baked light only", icon::LAMP),
    }
}

/// The directions to look from.
pub fn direction_items(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_min_width(160.0);
    for action in ACTIONS.iter().filter(|a| {
        matches!(
            a.command,
            Command::Camera(CameraCommand::LookFrom(_))
                | Command::Camera(CameraCommand::Frame)
                | Command::Camera(CameraCommand::Reset)
        )
    }) {
        action_item(ui, state, action, commands);
    }
    ui.separator();
    if let Some(action) = Action::of(&Command::Camera(CameraCommand::ToggleOrtho)) {
        lasting_item(ui, state, action, commands);
    }
}
