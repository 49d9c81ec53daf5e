//! The buttons over a level.

use crate::ui::{
    command::{CameraCommand, Command, LevelCommand},
    stage::{
        camera_mouse::speed,
        level::menus,
        view_menus::{direction_items, shading_items, shading_name},
    },
    state::{LevelStage, Shading, State},
    theme,
    widgets::menu_item::toggle,
};
use egui::{Align, Layout, PopupCloseBehavior, Rect, Response, Ui, UiBuilder, vec2};
use egui_phosphor::regular as icon;

/// Switches and menus at the bottom right; the place they take.
pub fn show(ui: &mut Ui, rect: Rect, shown: &LevelStage, state: &State, commands: &mut Vec<Command>) -> Rect {
    let p = theme::palette(ui);
    let size = vec2(440.0, 36.0).min(rect.size());
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(8.0, 8.0), size);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center)));
    let frame = egui::Frame::new().fill(p.panel.gamma_multiply(0.85)).corner_radius(6).inner_margin(3);
    let drawn = frame.show(&mut child, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        looks(ui, state, commands);
        ui.add(egui::Separator::default().spacing(6.0));
        places(ui, shown, state, commands);
        ui.add(egui::Separator::default().spacing(6.0));
        let view = &state.stages.front.view;
        let units = format!("Fly speed: {} units/s", speed(view.level_speed));
        stays(&theme::icon_button(ui, icon::GAUGE, &units), |ui| menus::speed(ui, state, commands));
        toggle(ui, icon::AIRPLANE_TILT, "Fly", view.fly.is_some(), Command::Camera(CameraCommand::ToggleFly), commands);
        if shown.map.moves() {
            let (sign, name) = if shown.plays { (icon::PAUSE, "Pause level") } else { (icon::PLAY, "Play level") };
            toggle(ui, sign, name, shown.plays, Command::Level(LevelCommand::TogglePlay), commands);
        }
    });
    drawn.response.rect
}

/// A menu that stays open while its switches are used.
fn stays(button: &Response, content: impl FnOnce(&mut Ui)) {
    egui::Popup::menu(button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(content);
}

/// How the level is drawn.
fn looks(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let view = &state.stages.front.view;
    let (name, sign) = shading_name(view.options.shading);
    let shading = theme::icon_toggle(ui, sign, &format!("Shading: {name}"), view.options.shading != Shading::Lit);
    egui::Popup::menu(&shading).show(|ui| shading_items(ui, state, commands));
    let drawn = theme::icon_button(ui, icon::EYE, "Show or hide level elements");
    stays(&drawn, |ui| menus::drawn(ui, state, commands));
    let overlays = theme::icon_toggle(ui, icon::STACK, "Overlays", view.options.overlays.is_any());
    stays(&overlays, |ui| menus::overlays(ui, state, commands));
}

/// Where to look from, and measuring.
fn places(ui: &mut Ui, shown: &LevelStage, state: &State, commands: &mut Vec<Command>) {
    let directions = theme::icon_button(ui, icon::CUBE, "Viewpoint");
    egui::Popup::menu(&directions).show(|ui| direction_items(ui, state, commands));
    let starts = ui
        .add_enabled_ui(!shown.map.starts.is_empty(), |ui| theme::icon_button(ui, icon::PERSON, "Go to player start"));
    stays(&starts.inner, |ui| menus::starts(ui, state, shown, commands));
    let bookmarks = theme::icon_button(ui, icon::BOOKMARK_SIMPLE, "Bookmarks");
    stays(&bookmarks, |ui| menus::bookmarks(ui, state, commands));
    let go = theme::icon_button(ui, icon::CROSSHAIR, "Camera position");
    egui::Popup::menu(&go).show(|ui| menus::coordinates(ui, state, commands));
    let measure = Command::Level(LevelCommand::ToggleMeasure);
    toggle(ui, icon::RULER, "Measure", shown.tools.measures, measure, commands);
}
