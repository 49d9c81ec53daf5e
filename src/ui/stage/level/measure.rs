//! Measuring in a level, what lies under the pointer, and the question where to go.

use crate::ui::{
    command::{Command, LevelCommand, WindowCommand},
    stage::{
        ask_place::{Answer, Question, ask},
        landscape::projection::{on_screen, place_in},
    },
    state::{LevelStage, State, TypedPlace},
    theme,
    widgets::numbers::decimal,
};
use egui::{FontId, Key, Rect, Response, RichText, Sense, Stroke, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;
use glam::Vec3;

/// How near a corner has to be to count instead, in points.
const SNAP: f32 = 8.0;
/// Width of the card, in points.
const WIDTH: f32 = 232.0;
/// Room for the axes at the bottom left, in points.
const AXES: f32 = 88.0;

/// How near a corner has to be, in heights of the picture.
pub fn snap(rect: Rect) -> f32 {
    SNAP / rect.height().max(1.0)
}

/// All of it; `buttons` is where those are.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    buttons: Rect,
    response: &Response,
    shown: &LevelStage,
    state: &State,
    commands: &mut Vec<Command>,
) {
    let tools = &shown.tools;
    if tools.asks_place {
        ask_place(ui, commands);
    }
    let hover = response.hover_pos().filter(|_| response.contains_pointer() && !response.dragged());
    let snaps = if tools.measures { snap(rect) } else { 0.0 };
    let under = hover.and_then(|at| state.stages.front.point_under(place_in(rect, at, state), snaps));
    if let Some(point) = under.filter(|_| state.stages.front.viewport.steer.is_still()) {
        readout(ui, rect, buttons, shown.map.file_from_scene.transform_point3(point));
        if tools.measures
            && let Some(at) = on_screen(rect, state, point)
        {
            let p = theme::palette(ui);
            ui.painter_at(rect).circle(at, 4.0, p.panel, Stroke::new(2.0, p.accent));
        }
    }
    if tools.measures {
        let listens = !ui.ctx().text_edit_focused() && !egui::Popup::is_any_open(ui.ctx()) && !tools.asks_place;
        if listens && ui.input(|i| i.key_pressed(Key::Escape)) {
            commands.push(Command::Level(LevelCommand::ClearMeasure));
        }
        card(ui, rect, buttons, shown, state, commands);
    }
}

/// The point under the pointer, at the bottom left, over the buttons where there is no room beside them.
fn readout(ui: &Ui, rect: Rect, buttons: Rect, place: Vec3) {
    let p = theme::palette(ui);
    let painter = ui.painter_at(rect);
    let text = axes(place);
    let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(theme::SMALL), p.text);
    let size = galley.size() + vec2(16.0, 10.0);
    let has_room = rect.left() + AXES + size.x < buttons.left() - 8.0;
    let bottom = if has_room { rect.bottom() - 8.0 } else { buttons.top() - 8.0 };
    let area = Rect::from_min_size(pos2(rect.left() + AXES, bottom - size.y), size);
    painter.rect_filled(area, 6.0, p.panel.gamma_multiply(0.88));
    painter.galley(area.min + vec2(8.0, 5.0), galley, p.text);
    let response = ui.interact(area, ui.id().with("under the pointer"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Under the pointer: {text}")));
}

/// The distance and its parts along the file's axes, above the buttons.
fn card(ui: &mut Ui, rect: Rect, buttons: Rect, shown: &LevelStage, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let [distance, parts] = words(state.stages.front.measured(), shown.tools.points.len());
    let size = vec2(WIDTH, 56.0);
    let area = Rect::from_min_size(pos2(rect.right() - 8.0 - size.x, buttons.top() - 8.0 - size.y), size);
    ui.painter_at(rect).rect_filled(area, 6.0, p.panel.gamma_multiply(0.92));
    let spoken = match state.stages.front.measured() {
        Some(_) => format!("Measure: {distance}, {parts}"),
        None => format!("Measure: {parts}"),
    };
    let response = ui.interact(area, ui.id().with("measure"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area.shrink2(vec2(8.0, 4.0))));
    child.spacing_mut().item_spacing = vec2(2.0, 0.0);
    child.horizontal(|ui| {
        ui.label(RichText::new(icon::RULER).color(p.weak));
        ui.label(theme::figures(distance.as_str()).color(p.strong));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if theme::icon_button(ui, icon::X, "Stop measuring").clicked() {
                commands.push(Command::Level(LevelCommand::ToggleMeasure));
            }
            let text = format!("{distance}\n{parts}\n");
            let can = state.stages.front.measured().is_some();
            if ui.add_enabled_ui(can, |ui| theme::icon_button(ui, icon::COPY, "Copy measurement")).inner.clicked() {
                commands.push(Command::Window(WindowCommand::Copy(text)));
            }
        });
    });
    child.label(RichText::new(parts).small().color(p.text));
}

/// The distance in the file's units and its parts along the file's axes; before the second end what to do.
fn words(ends: Option<[Vec3; 2]>, points: usize) -> [String; 2] {
    match ends {
        Some([from, to]) => {
            let distance = format!("{} units", decimal(from.distance(to)));
            [distance, axes(to - from)]
        }
        None if points == 0 => ["Measure".to_owned(), "Click on a surface. Press Esc to stop".to_owned()],
        None => ["Measure".to_owned(), "Click on a second point".to_owned()],
    }
}

fn ask_place(ui: &Ui, commands: &mut Vec<Command>) {
    let question = Question {
        title: "Go to position",
        field: "Coordinates",
        hint: "x, y, z or x, y, z, yaw, pitch",
        wrong: "Enter three numbers, or five with yaw and pitch in degrees",
    };
    let command = match ask(ui, &question, TypedPlace::read) {
        Some(Answer::Place(TypedPlace { place, turn })) => LevelCommand::GoTo(place, turn),
        Some(Answer::GivenUp) => LevelCommand::AskPlace(false),
        None => return,
    };
    commands.push(Command::Level(command));
}

/// `x 512.0  y −64.0  z 0.0`.
pub fn axes(place: Vec3) -> String {
    format!("x {}  y {}  z {}", decimal(place.x), decimal(place.y), decimal(place.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_says_its_distance_and_its_parts() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, -2.0, 3.0)];
        assert_eq!(words(Some(ends), 2), ["5.0 units", "x 3.0  y −4.0  z 0.0"]);
        assert_eq!(words(None, 1)[1], "Click on a second point");
    }
}
