//! A level in the viewport: flying through it, pointing at things, and what is drawn over the picture.

use crate::ui::{
    command::{Command, LevelCommand},
    map_overlays::MapOverlay,
    stage::{
        camera_mouse::{fly_mouse, orbit_mouse, steer},
        gizmo::gizmo,
        hidden_line,
        landscape::projection::{on_screen, place_in},
        level::{card, measure, mover_card, surface_card, title, toolbar},
        model::legend as viewport_legend,
    },
    state::{LevelStage, State},
    theme::{self, Palette},
    widgets::part_menu,
};
use egui::{Align2, FontId, Rect, Response, Ui, vec2};

/// Starts that are named in the picture.
const MAX_NAMES: usize = 64;

pub fn show(ui: &mut Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.level() else { return };
    let p = theme::palette(ui);
    mouse(ui, rect, response, state, commands);
    steer(ui, state, commands);
    names_of_starts(ui, rect, shown, state, &p);
    let below = title::show(ui, rect, shown, state, &p);
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
