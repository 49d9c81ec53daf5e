//! A level on the stage and its actors.

pub mod actors;
mod card;
mod class_rows;
mod class_tree;
mod measure;
mod menus;
mod mover_card;
mod surface_card;
mod toolbar;

use crate::ui::{
    command::{Command, LevelCommand},
    map_overlays::MapOverlay,
    stage::{
        camera_mouse::{fly_mouse, orbit_mouse, speed, steer},
        gizmo::gizmo,
        hidden_line,
        landscape::projection::{on_screen, place_in},
        level::measure::axes,
        model::legend as viewport_legend,
    },
    state::{LevelStage, State},
    theme::{self, Palette},
    widgets::{numbers::counted, part_menu},
};
use egui::{Align2, FontId, Rect, Response, Sense, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// Starts that are named in the picture.
const MAX_NAMES: usize = 64;

pub fn show(ui: &mut Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.level() else { return };
    let p = theme::palette(ui);
    mouse(ui, rect, response, state, commands);
    steer(ui, state, commands);
    names_of_starts(ui, rect, shown, state, &p);
    let below = title(ui, rect, shown, state, &p);
    let below = surface_card::show(ui, rect, below, shown, state, commands);
    if !shown.picks_wall() {
        mover_card::show(ui, rect, below, shown, state, commands);
    }
    gizmo(ui, rect, state, shown.map.file_from_scene, ["x", "y", "z"], commands);
    viewport_legend::show(ui, rect, state, commands);
    let buttons = toolbar::show(ui, rect, shown, state, commands);
    measure::show(ui, rect, buttons, response, shown, state, commands);
    card::show(ui, rect, shown, &p);
    hidden_line::show(ui, rect, state, &p, commands);
    egui::Popup::context_menu(response).show(|ui| part_menu::of_actor(ui, state, commands));
}

fn mouse(ui: &Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    if state.stages.front.view.fly.is_some() {
        fly_mouse(ui, rect, response, commands);
    } else {
        orbit_mouse(ui, rect, response, commands);
    }
    let Some(at) = response.interact_pointer_pos() else { return };
    let place = place_in(rect, at, state);
    if state.stages.front.level().is_some_and(|shown| shown.tools.measures) {
        if response.clicked() {
            commands.push(Command::Level(LevelCommand::Measure { place, snap: measure::snap(rect) }));
        }
    } else if response.double_clicked() {
        commands.push(Command::Level(LevelCommand::Focus(place)));
    } else if response.clicked() || response.secondary_clicked() {
        commands.push(Command::Level(LevelCommand::Pick(place)));
    }
}

/// What starts are called, where they stand, while they are drawn.
fn names_of_starts(ui: &Ui, rect: Rect, shown: &LevelStage, state: &State, p: &Palette) {
    if !state.stages.front.view.options.overlays.shows(MapOverlay::Starts) {
        return;
    }
    let painter = ui.painter_at(rect);
    for (number, start) in (1..).zip(shown.map.starts.iter().take(MAX_NAMES)) {
        let Some(at) = on_screen(rect, state, start.location).filter(|at| rect.contains(*at)) else { continue };
        let font = FontId::proportional(theme::SMALL);
        let galley = painter.layout_no_wrap(format!("Player start {number}"), font, p.strong);
        let label = Align2::CENTER_BOTTOM.anchor_size(at - vec2(0.0, 8.0), galley.size());
        painter.rect_filled(label.expand2(vec2(4.0, 1.0)), 3.0, p.base.gamma_multiply(0.7));
        painter.galley(label.min, galley, p.strong);
    }
}

/// Draws it; says where it ends.
fn title(ui: &Ui, rect: Rect, shown: &LevelStage, state: &State, p: &Palette) -> f32 {
    let painter = ui.painter_at(rect);
    let name = state.core.file(shown.place.file).map_or(shown.map.name.as_str(), |f| f.name.as_str());
    let mut facts = [counted(shown.triangles, "triangle"), counted(shown.map.actors.len(), "actor")].join("  ·  ");
    match &state.stages.front.view.fly {
        Some(fly) => facts.push_str(&format!("\n{}  {} units/s", icon::AIRPLANE_TILT, speed(fly.speed))),
        None => facts.push_str(&format!("\n{}  Orbit", icon::ARROWS_CLOCKWISE)),
    }
    if let Some(here) = state.stages.front.place_in_level() {
        facts.push_str(&format!("\n{}  {}", icon::CROSSHAIR, axes(here.place)));
        if let Some([yaw, pitch]) = here.turn {
            let turn = format!("yaw {yaw:.0}°  pitch {pitch:.0}°").replace('-', "−").replace("−0°", "0°");
            facts.push_str(&format!("\n{}  {turn}", icon::COMPASS));
        }
    }
    let selected = state.stages.front.selected_actor(&state.core).and_then(|index| shown.map.actors.get(index));
    if let Some(actor) = selected.filter(|_| !shown.picks_wall()) {
        facts.push_str(&format!("\n{}  {}  ({})", icon::MAP_PIN, actor.name, actor.class));
    }
    let large = FontId::proportional(theme::BODY);
    let small = FontId::proportional(theme::SMALL);
    let name = painter.layout_no_wrap(name.to_owned(), large, p.strong);
    let facts = painter.layout_no_wrap(facts, small, p.text);
    let at = rect.min + vec2(12.0, 10.0);
    let size = vec2(name.size().x.max(facts.size().x), name.size().y + 2.0 + facts.size().y);
    let place = Rect::from_min_size(at, size).expand2(vec2(8.0, 5.0));
    // A level has no plain background that print could stand on.
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.8));
    painter.galley(at, name.clone(), p.strong);
    let spoken = facts.text().to_owned();
    painter.galley(at + vec2(0.0, name.size().y + 2.0), facts, p.text);
    let response = ui.interact(place, ui.id().with("level title"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
    place.bottom()
}
