//! What is measured on the ground: the line, its numbers, and the heights along it. And the question where to go.

use crate::{
    scene::{
        ground_line::{self, Profile, ProfilePoint},
        scene_from_ground,
    },
    ui::{
        command::{Command, TerrainCommand, WindowCommand},
        stage::{
            ask_place::{Answer, Question, ask},
            landscape::projection::on_screen,
        },
        state::{State, coordinates},
        theme::{self, Palette},
        widgets::{
            numbers::{counted, decimal, grouped},
            put::put,
        },
    },
};
use egui::{
    Align, Align2, Color32, FontId, Key, Label, Layout, Pos2, Rect, Sense, Shape, Stroke, TextStyle, TextWrapMode, Ui,
    WidgetInfo, WidgetText, WidgetType, pos2, vec2,
};
use egui_phosphor::regular as icon;
use glam::Vec2;

/// Places along a line whose heights are looked up.
const SAMPLES: usize = 400;

/// Height of the plot, in points.
const PLOT: f32 = 84.0;

/// Least height of the numbers, in points.
const LINE: f32 = 32.0;

/// Width of the buttons beside the numbers, in points.
const BUTTONS: f32 = 128.0;

/// The measure over the picture; `corner` is where its bottom right may be, `pointer` the ground under the pointer.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    inner: Rect,
    corner: Pos2,
    pointer: Option<Vec2>,
    state: &State,
    commands: &mut Vec<Command>,
) {
    let Some(shown) = state.stages.front.landscape() else { return };
    let survey = &shown.survey;
    if survey.asks_place {
        ask_place(ui, commands);
    }
    if !survey.is_on {
        return;
    }
    let p = theme::palette(ui);
    let listens = !ui.ctx().text_edit_focused() && !egui::Popup::is_any_open(ui.ctx()) && !survey.asks_place;
    if listens && ui.input(|i| i.key_pressed(Key::Escape)) {
        commands.push(Command::Terrain(TerrainCommand::ClearMeasure));
    }
    let grid = &shown.terrain.grid;
    let profile = grid.profile(&survey.points, SAMPLES);
    let spoken = words(&survey.points, &profile);
    let has_plot = profile.points.len() > 1;
    let width = (inner.width() - 16.0).min(620.0);
    let numbers = theme::figures(spoken.as_str()).color(p.text);
    let galley = WidgetText::from(numbers.clone()).into_galley(
        ui,
        Some(TextWrapMode::Wrap),
        width - 16.0 - BUTTONS,
        TextStyle::Body,
    );
    // In a narrow stage the numbers take two lines.
    let line_height = (galley.size().y + 12.0).max(LINE);
    let size = vec2(width, if has_plot { line_height + PLOT } else { line_height });
    let card = Rect::from_min_size(corner - size, size);
    let read = has_plot.then(|| {
        let plot = Rect::from_min_max(card.min + vec2(8.0, line_height), card.max - vec2(8.0, 6.0));
        (plot, ui.interact(plot, ui.id().with("height profile"), Sense::hover()))
    });
    let at = read.as_ref().and_then(|(plot, response)| nearest(&profile, *plot, response.hover_pos()?));
    line(ui, rect, pointer, &profile, at, state, &p);
    let painter = ui.painter_at(rect);
    painter.rect_filled(card, 6.0, p.panel.gamma_multiply(0.94));
    let response = ui.interact(card.with_max_y(card.top() + line_height), ui.id().with("measure"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Measure: {spoken}")));
    put(
        ui,
        card.with_max_y(card.top() + line_height).shrink2(vec2(8.0, 2.0)),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (sign, name, can, command) in [
                (icon::X, "Stop measuring", true, Command::Terrain(TerrainCommand::ToggleMeasure)),
                (
                    icon::ERASER,
                    "Clear measurement",
                    !survey.points.is_empty(),
                    Command::Terrain(TerrainCommand::ClearMeasure),
                ),
                (icon::CHECK, "Finish measuring", survey.is_open(), Command::Terrain(TerrainCommand::EndMeasure)),
                (
                    icon::COPY,
                    "Copy measurement",
                    !survey.points.is_empty(),
                    Command::Window(WindowCommand::Copy(table(&survey.points, &spoken))),
                ),
            ] {
                if ui.add_enabled_ui(can, |ui| theme::icon_button(ui, sign, name)).inner.clicked() {
                    commands.push(command);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(numbers).wrap().selectable(false));
            });
        },
    );
    if let Some((plot, response)) = read {
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "Height profile"));
        draw_profile(&painter, plot, &profile, at, &p);
    }
}

/// `4 points, length 1,000.0 m, area 120,000 m² (12 ha), …`; before the first point what to do.
fn words(points: &[Vec2], profile: &Profile) -> String {
    let long = |value: f64| format!("{} m", decimal(value as f32));
    match points {
        [] => "Click on the ground to add points. Double-click or press Enter to finish, Esc to clear".to_owned(),
        [one] => format!("1 point at {}, {}; click to add more points", long(one.x.into()), long(one.y.into())),
        _ => {
            let mut parts =
                vec![counted(points.len(), "point"), format!("length {}", long(ground_line::length(points)))];
            let area = ground_line::area(points);
            if area > 0.0 {
                parts.push(format!("area {}", square_metres(area)));
            }
            match profile.range {
                Some([low, high]) => {
                    parts.push(format!("height {} to {}", long(low.into()), long(high.into())));
                    parts.push(format!("ascent {}, descent {}", long(profile.climb), long(profile.descent)));
                }
                None => parts.push("no ground".to_owned()),
            }
            parts.join(", ")
        }
    }
}

/// With hectares or square kilometres where they are easier to grasp.
fn square_metres(area: f64) -> String {
    let whole = if area < 1e15 { grouped(area.round() as usize) } else { format!("{area:.2e}") };
    if area >= 1e6 {
        return format!("{whole} m² ({:.2} km²)", area / 1e6);
    }
    if area >= 1e4 {
        return format!("{whole} m² ({:.1} ha)", area / 1e4);
    }
    format!("{whole} m²")
}

/// The numbers, and east and north of each point, a line each.
fn table(points: &[Vec2], spoken: &str) -> String {
    let lines = points.iter().map(|point| format!("{:.2}\t{:.2}\n", point.x, point.y));
    std::iter::once(format!("{spoken}\n")).chain(lines).collect()
}

/// Draws the line over the ground, its corners, and how its outline closes.
fn line(
    ui: &Ui,
    rect: Rect,
    pointer: Option<Vec2>,
    profile: &Profile,
    at: Option<ProfilePoint>,
    state: &State,
    p: &Palette,
) {
    let Some(shown) = state.stages.front.landscape() else { return };
    let survey = &shown.survey;
    let painter = ui.painter_at(rect);
    let up = state.stages.front.view.terrain.exaggeration;
    let ground = |place: Vec2| {
        let height = shown.terrain.grid.ground_at(place.x, place.y).unwrap_or(0.0);
        on_screen(rect, state, scene_from_ground(place.x, height * up, place.y))
    };
    let seen: Vec<Pos2> = profile
        .points
        .iter()
        .filter_map(|point| {
            let height = point.height.unwrap_or(0.0) * up;
            on_screen(rect, state, scene_from_ground(point.place.x, height, point.place.y))
        })
        .collect();
    painter.add(Shape::line(seen.clone(), Stroke::new(4.0, p.base.gamma_multiply(0.7))));
    painter.add(Shape::line(seen, Stroke::new(2.0, p.accent)));
    let thin = Stroke::new(1.5, p.accent.gamma_multiply(0.8));
    let ends = survey.points.last().copied().zip(survey.points.first().copied());
    if let Some((last, first)) = ends {
        let dashed = |from: Pos2, to: Pos2| painter.extend(Shape::dashed_line(&[from, to], thin, 6.0, 5.0));
        let next = pointer.filter(|_| survey.is_open());
        if let Some((from, to)) = next.and_then(|next| ground(last).zip(ground(next))) {
            dashed(from, to);
        }
        if survey.points.len() > 2
            && let Some((from, to)) = ground(last).zip(ground(first))
        {
            dashed(from, to);
        }
    }
    for place in survey.points.iter().filter_map(|point| ground(*point)) {
        painter.circle(place, 4.0, p.panel, Stroke::new(2.0, p.accent));
    }
    if let Some(place) = at.and_then(|at| ground(at.place)) {
        painter.circle(place, 5.0, p.accent, Stroke::new(2.0, p.strong));
    }
}

/// The place of the profile under the pointer.
fn nearest(profile: &Profile, plot: Rect, pointer: Pos2) -> Option<ProfilePoint> {
    let whole = profile.points.last()?.along;
    let share = f64::from((pointer.x - plot.left()) / plot.width().max(1.0)).clamp(0.0, 1.0);
    let apart = |point: &ProfilePoint| (point.along - whole * share).abs();
    profile.points.iter().copied().min_by(|a, b| apart(a).total_cmp(&apart(b)))
}

fn draw_profile(painter: &egui::Painter, plot: Rect, profile: &Profile, at: Option<ProfilePoint>, p: &Palette) {
    painter.rect_filled(plot, 4.0, p.field);
    let font = FontId::proportional(theme::SMALL);
    let (Some([low, high]), Some(last)) = (profile.range, profile.points.last()) else {
        let text = "No ground below this line";
        painter.text(plot.center(), Align2::CENTER_CENTER, text, font, p.weak);
        return;
    };
    let area = Rect::from_min_max(plot.min + vec2(4.0, 14.0), plot.max - vec2(4.0, 14.0));
    let span = (high - low).max(1e-3);
    let spot = |point: &ProfilePoint, height: f32| {
        let share = (point.along / last.along.max(1e-9)) as f32;
        pos2(area.left() + share * area.width(), area.bottom() - (height - low) / span * area.height())
    };
    // Gaps part the line.
    for run in profile.points.split(|point| point.height.is_none()) {
        let line: Vec<Pos2> = run.iter().filter_map(|point| Some(spot(point, point.height?))).collect();
        for pair in line.windows(2) {
            let below = |at: Pos2| pos2(at.x, area.bottom());
            let shape = vec![pair[0], pair[1], below(pair[1]), below(pair[0])];
            painter.add(Shape::convex_polygon(shape, p.accent.gamma_multiply(0.2), Stroke::NONE));
        }
        painter.add(Shape::line(line, Stroke::new(1.5, p.accent)));
    }
    if low < 0.0 && high > 0.0 {
        let sea = area.bottom() - (0.0 - low) / span * area.height();
        painter.hline(area.x_range(), sea, Stroke::new(1.0, p.weak.gamma_multiply(0.6)));
    }
    let write = |at: Pos2, align: Align2, text: String, color: Color32| {
        painter.text(at, align, text, font.clone(), color);
    };
    let (top, bottom) = (plot.top() + 1.0, plot.bottom() - 1.0);
    write(pos2(area.left(), top), Align2::LEFT_TOP, format!("{} m", decimal(high)), p.weak);
    write(pos2(area.left(), bottom), Align2::LEFT_BOTTOM, format!("{} m", decimal(low)), p.weak);
    write(pos2(area.right(), bottom), Align2::RIGHT_BOTTOM, format!("{} m", decimal(last.along as f32)), p.weak);
    if let Some(at) = at {
        let x = spot(&at, low).x;
        painter.vline(x, area.y_range(), Stroke::new(1.0, p.strong));
        let height = at.height.map_or("no ground".to_owned(), |height| format!("height {} m", decimal(height)));
        let text = format!("{height}, {} m from the start", decimal(at.along as f32));
        write(pos2(area.right(), top), Align2::RIGHT_TOP, text, p.strong);
    }
}

/// Asks for east and north.
fn ask_place(ui: &Ui, commands: &mut Vec<Command>) {
    let question = Question {
        title: "Go to coordinates",
        field: "East and north",
        hint: "East and north in metres, for example 1200, 3400",
        wrong: "Enter two numbers: metres east and metres north",
    };
    let command = match ask(ui, &question, coordinates) {
        Some(Answer::Place(place)) => TerrainCommand::GoTo(place),
        Some(Answer::GivenUp) => TerrainCommand::AskPlace(false),
        None => return,
    };
    commands.push(Command::Terrain(command));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_said_in_what_is_easiest_to_grasp() {
        assert_eq!(square_metres(600.4), "600 m²");
        assert_eq!(square_metres(120_000.0), "120,000 m² (12.0 ha)");
        assert_eq!(square_metres(2_500_000.0), "2,500,000 m² (2.50 km²)");
        assert!(square_metres(f64::MAX).contains("m²"));
    }

    #[test]
    fn measures_of_nothing_say_what_to_do() {
        let none = Profile::default();
        assert!(words(&[], &none).starts_with("Click on the ground"));
        assert!(words(&[Vec2::new(5.0, 7.0)], &none).starts_with("1 point at 5.0 m, 7.0 m"));
        assert_eq!(words(&[Vec2::ZERO, Vec2::X * 3.0], &none), "2 points, length 3.0 m, no ground");
    }
}
