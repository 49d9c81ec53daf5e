//! Switches of the ground and of what stands on it, as menus of the viewport and of the window.

use crate::{
    scene::{PropColors, TerrainTint},
    ui::{
        command::{CONTOUR_STEPS, Command, EXAGGERATIONS, PartsCommand, TerrainCommand, keys_of},
        saved_view::ViewToggle,
        stage::view_menus::{staying_item, view_action},
        state::{LandscapeStage, State},
        widgets::menu_item::{choice, heading},
    },
};
use egui::{Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 244.0;

fn action(ui: &mut Ui, sign: &str, name: &str, why_not: Option<&str>, command: Command, commands: &mut Vec<Command>) {
    let keys = keys_of(ui.ctx(), &command).unwrap_or_default();
    let button = egui::Button::new(format!("{sign}  {name}")).shortcut_text(keys);
    let response = ui.add_enabled(why_not.is_none(), button);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, why_not.is_none(), name));
    if response.on_disabled_hover_text(why_not.unwrap_or_default()).clicked() {
        commands.push(command);
    }
}

/// A row of short choices.
fn row(ui: &mut Ui, choices: impl IntoIterator<Item = (bool, String, String, Command)>, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(2.0, 2.0);
        ui.spacing_mut().button_padding.x = 6.0;
        for (on, text, spoken, command) in choices {
            let response = ui.add(egui::Button::new(text).selected(on));
            response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, on, spoken.as_str()));
            if response.clicked() {
                commands.push(command);
            }
        }
    });
}

/// The menu of the ground.
pub fn ground(ui: &mut Ui, shown: &LandscapeStage, state: &State, commands: &mut Vec<Command>) {
    use TerrainCommand as T;
    ui.set_width(WIDTH);
    let view = &state.stages.front.view.terrain;
    heading(ui, "Ground colours");
    for (tint, name) in
        [(TerrainTint::Height, "By height"), (TerrainTint::Slope, "By slope"), (TerrainTint::Plain, "Plain")]
    {
        let command = Command::Terrain(T::SetTint(tint));
        choice(ui, view.tint == tint, name, None, command, WidgetType::RadioButton, commands);
    }
    ui.separator();
    staying_item(ui, state, "Contour lines", Command::Terrain(T::ToggleContours), commands);
    let steps = CONTOUR_STEPS.into_iter().map(|step| {
        let on = view.contours && view.contour_step == step;
        let text = if step == 0.0 { "auto".to_owned() } else { format!("{step}") };
        let spoken = match step {
            0.0 => "Automatic contour interval".to_owned(),
            step => format!("Contour interval {step} m"),
        };
        (on, text, spoken, Command::Terrain(T::SetContourStep(step)))
    });
    row(ui, steps, commands);
    ui.separator();
    staying_item(ui, state, "Water", Command::Terrain(T::ToggleWater), commands);
    for option in [ViewToggle::Grid, ViewToggle::Wireframe] {
        if let Some(action) = view_action(state, option) {
            staying_item(ui, state, action.name, action.command.clone(), commands);
        }
    }
    let none = |is_empty: bool, why: &'static str| is_empty.then_some(why);
    let zones = none(shown.terrain.zones.is_empty(), "This file has no named zones");
    let command = Command::Terrain(T::ToggleZones);
    choice(ui, view.zones, "Named zones", zones, command, WidgetType::Checkbox, commands);
    let pictures = none(shown.terrain.pictures.is_empty(), "This file has no background images");
    let command = Command::Terrain(T::TogglePictures);
    choice(ui, view.pictures, "Background images", pictures, command, WidgetType::Checkbox, commands);
    staying_item(ui, state, "Legend", Command::Terrain(T::ToggleLegend), commands);
    staying_item(ui, state, "Flip north and south", Command::Terrain(T::ToggleFlip), commands);
    ui.separator();
    heading(ui, "Vertical exaggeration");
    let times = EXAGGERATIONS.into_iter().map(|times| {
        let spoken = format!("Vertical exaggeration {times} ×");
        (view.exaggeration == times, format!("{times} ×"), spoken, Command::Terrain(T::SetExaggeration(times)))
    });
    row(ui, times, commands);
}

/// The menu of what stands on the ground.
pub fn objects(ui: &mut Ui, shown: &LandscapeStage, state: &State, commands: &mut Vec<Command>) {
    use TerrainCommand as T;
    ui.set_width(WIDTH);
    let view = &state.stages.front.view.terrain;
    let has_props = !shown.terrain.props.is_empty();
    let no_props = (!has_props).then_some("This landscape has no objects");
    let command = Command::Terrain(T::ToggleProps);
    choice(ui, view.props, "Show objects", no_props, command, WidgetType::Checkbox, commands);
    let has_bodies = shown.terrain.kinds.iter().any(|kind| kind.body.is_some());
    let no_bodies = (!has_bodies).then_some("No models found. Add the game's data folder to the search folders");
    let command = Command::Terrain(T::ToggleBodies);
    let on = view.bodies && has_bodies;
    choice(ui, on, "Models instead of boxes", no_bodies, command, WidgetType::Checkbox, commands);
    staying_item(ui, state, "Names of selected objects", Command::Terrain(T::ToggleNames), commands);
    ui.separator();
    heading(ui, "Object colours");
    for (colors, name) in
        [(PropColors::File, "From the file"), (PropColors::Class, "By class"), (PropColors::Kind, "By type")]
    {
        let command = Command::Terrain(T::SetColors(colors));
        choice(ui, view.prop_colors == colors, name, None, command, WidgetType::RadioButton, commands);
    }
    ui.separator();
    let none = view.selected.is_empty().then_some("Select an object first");
    for (sign, name, command) in [
        (icon::SELECTION_ALL, "Select all of this type", Command::Terrain(T::SelectSameKinds)),
        (icon::EYE_SLASH, "Hide this type", Command::Parts(PartsCommand::HideSelected)),
        (icon::EYE, "Isolate this type", Command::Parts(PartsCommand::IsolateSelected)),
    ] {
        action(ui, sign, name, none, command, commands);
    }
    let hidden = view.hidden_kinds.iter().filter(|hidden| **hidden).count();
    let name = if hidden == 0 { "Show all types".to_owned() } else { format!("Show all types ({hidden} hidden)") };
    let all = (hidden == 0).then_some("No type is hidden");
    action(ui, icon::EYE, &name, all, Command::Parts(PartsCommand::ShowAll), commands);
}
