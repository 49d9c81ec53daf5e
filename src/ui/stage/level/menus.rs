//! The menus of the buttons over a level.

use crate::{
    scene::Map,
    ui::{
        command::{Command, LevelCommand},
        map_overlays::MapOverlay,
        saved_view::{GAMMAS, ViewToggle},
        settings::FLY_SPEEDS,
        stage::view_menus::{item_of, staying_item, view_action},
        state::{LevelStage, State},
        theme,
        widgets::menu_item::{choice, heading},
    },
};
use egui::{Align, Color32, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 200.0;

/// Height of a list of names at most, in points.
const LIST: f32 = 280.0;

/// What of the level is drawn, and how bright.
pub fn drawn(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    use LevelCommand as L;
    ui.set_width(WIDTH);
    let view = &state.stages.front.view;
    for (name, command) in [
        ("Meshes", L::ToggleMeshes),
        ("Sprites", L::ToggleSprites),
        ("Glows around lights", L::ToggleCoronas),
        ("Sky and mirrors", L::ToggleWindows),
        ("Brush outlines", L::ToggleBrushes),
    ] {
        staying_item(ui, state, name, Command::Level(command), commands);
    }
    for option in [ViewToggle::Hidden, ViewToggle::Textures, ViewToggle::Wireframe] {
        if let Some(action) = view_action(state, option) {
            staying_item(ui, state, action.name, action.command.clone(), commands);
        }
    }
    ui.separator();
    heading(ui, "Brightness");
    let mut gamma = view.options.gamma;
    let slider = rail(ui, |ui| ui.add(egui::Slider::new(&mut gamma, GAMMAS).fixed_decimals(2).trailing_fill(true)));
    slider.widget_info(|| WidgetInfo::slider(true, f64::from(view.options.gamma), "Brightness"));
    if slider.double_clicked() {
        gamma = 1.0;
    }
    if gamma != view.options.gamma {
        commands.push(Command::Level(L::SetGamma(gamma)));
    }
}

/// A slider that is seen on the card of a menu.
fn rail<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope(|ui| {
        ui.spacing_mut().slider_width = WIDTH - 64.0;
        ui.visuals_mut().widgets.inactive.bg_fill = theme::palette(ui).line;
        add(ui)
    })
    .inner
}

/// What is drawn over the level, each with its colour.
pub fn overlays(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_width(WIDTH);
    for overlay in MapOverlay::ALL {
        let on = state.stages.front.view.options.overlays.shows(overlay);
        let [r, g, b] = overlay.color();
        let sign = if on { icon::CHECK } else { "    " };
        let dot = RichText::new(icon::LINE_SEGMENT).color(Color32::from_rgb(r, g, b));
        let button = egui::Button::new(format!("{sign}  {}", overlay.name())).right_text(dot);
        let response = ui.add(button);
        response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, overlay.name()));
        if response.on_hover_text(overlay.about()).clicked() {
            commands.push(Command::Level(LevelCommand::ToggleOverlay(overlay)));
        }
    }
    ui.separator();
    let none = Command::Level(LevelCommand::ClearOverlays);
    item_of(ui, state, &none, commands);
    let note = match state.stages.front.overlays_are_cut(&state.core) {
        true => RichText::new("Too many lines: only some are drawn").small().color(theme::palette(ui).warning),
        false => RichText::new("The lines of the selected actor are always drawn").small().weak(),
    };
    ui.add(egui::Label::new(note).selectable(false));
}

pub fn starts(ui: &mut Ui, state: &State, shown: &LevelStage, commands: &mut Vec<Command>) {
    ui.set_width(WIDTH);
    item_of(ui, state, &Command::Level(LevelCommand::StepStart(1)), commands);
    item_of(ui, state, &Command::Level(LevelCommand::StepStart(-1)), commands);
    ui.separator();
    egui::ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
        for index in 0..shown.map.starts.len() {
            let name = format!("Player start {}", index + 1);
            let on = shown.tools.start == Some(index);
            let command = Command::Level(LevelCommand::GoToStart(index));
            choice(ui, on, &name, None, command, WidgetType::RadioButton, commands);
        }
    });
}

/// Bookmarks of the level, and a field for the name of another.
pub fn bookmarks(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_width(WIDTH + 20.0);
    let id = egui::Id::new("name of a bookmark");
    let mut name: String = ui.data_mut(|d| d.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let edit = egui::TextEdit::singleline(&mut name).hint_text("Bookmark name").desired_width(WIDTH - 32.0);
        let field = ui.add(edit.char_limit(crate::ui::bookmark::MAX_NAME));
        field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Bookmark name"));
        let entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if theme::icon_button(ui, icon::PLUS, "Bookmark this view").clicked() || entered {
            commands.push(Command::Level(LevelCommand::AddBookmark(std::mem::take(&mut name))));
        }
    });
    ui.data_mut(|d| d.insert_temp(id, name));
    let kept = state.stages.front.bookmarks(&state.core);
    if kept.is_empty() {
        heading(ui, "No bookmarks");
        return;
    }
    ui.separator();
    egui::ScrollArea::vertical().max_height(LIST).show(ui, |ui| {
        for (index, bookmark) in kept {
            ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if theme::icon_button(ui, icon::X, &format!("Remove {}", bookmark.name)).clicked() {
                        commands.push(Command::Level(LevelCommand::RemoveBookmark(index)));
                    }
                    let on = state.stages.front.level().is_some_and(|shown| shown.tools.bookmark == Some(index));
                    let button = egui::Button::new(bookmark.name.as_str()).selected(on).truncate();
                    let whole = Layout::left_to_right(Align::Center).with_main_justify(true);
                    if ui.with_layout(whole, |ui| ui.add(button)).inner.clicked() {
                        commands.push(Command::Level(LevelCommand::GoToBookmark(index)));
                    }
                });
            });
        }
    });
}

/// Coordinates in and out.
pub fn coordinates(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_width(WIDTH);
    item_of(ui, state, &Command::Level(LevelCommand::AskPlace(true)), commands);
    item_of(ui, state, &Command::Level(LevelCommand::CopyPlace), commands);
}

/// How fast one flies.
pub fn speed(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    ui.set_width(WIDTH);
    heading(ui, "Units per second");
    let now = state.stages.front.view.level_speed;
    let mut speed = now;
    let slider = egui::Slider::new(&mut speed, FLY_SPEEDS).logarithmic(true).trailing_fill(true);
    let slider = rail(ui, |ui| ui.add(slider.custom_formatter(|speed, _| format!("{speed:.0}"))));
    slider.widget_info(|| WidgetInfo::slider(true, f64::from(now), "Fly speed"));
    if speed != now {
        commands.push(Command::Level(LevelCommand::SetFlySpeed(speed)));
    }
    let walks = now == Map::WALK_SPEED;
    let walk = Command::Level(LevelCommand::SetFlySpeed(Map::WALK_SPEED));
    choice(ui, walks, "Player walking speed", None, walk, WidgetType::RadioButton, commands);
}
