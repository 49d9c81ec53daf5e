//! A landscape on the stage, its objects and its numbers.

pub mod legend;
pub mod menus;
pub mod objects;
pub mod projection;
pub mod rulers;
pub mod statistics;
mod survey;

use crate::{
    scene::{Prop, PropClass, Terrain, TerrainHit, scene_from_ground},
    ui::{
        command::{CameraCommand, Command, TerrainCommand},
        stage::{
            camera_mouse::{fly_mouse, orbit_mouse, speed, steer, wheel},
            gizmo::gizmo,
            landscape::{
                legend as landscape_legend, menus as landscape_menus,
                projection::{mirrored, on_screen, place_in},
                rulers as viewport_rulers,
            },
            view_menus::direction_items,
        },
        state::{LandscapeStage, State},
        theme::{self, Palette},
        widgets::{
            menu_item::toggle,
            numbers::{counted, decimal, grouped},
            prop_sign,
        },
    },
};
use egui::{
    Align, Align2, FontId, Layout, PointerButton, Pos2, Rect, Response, Sense, Ui, UiBuilder, WidgetInfo, WidgetType,
    pos2, vec2,
};
use egui_phosphor::regular as icon;
use glam::{Affine3A, Vec3};

/// Most names drawn at once.
const MAX_NAMES: usize = 200;

/// The file's axes: east, up and north.
const FILE_FROM_SCENE: Vec3 = Vec3::new(1.0, 1.0, -1.0);

/// Room for the axes at the bottom left, in points.
const AXES: f32 = 88.0;

pub fn show(ui: &mut Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.landscape() else { return };
    let p = theme::palette(ui);
    mouse(ui, rect, response, state, commands);
    steer(ui, state, commands);
    let is_map = state.stages.front.is_map() && state.stages.front.view.tween.is_none();
    names(ui, rect, shown, state, &p);
    let inner = if is_map { viewport_rulers::show(ui, rect, state, &p) } else { rect };
    let title = title(ui, inner, shown, state, &p);
    if state.stages.front.view.terrain_legend {
        let right_top = inner.right_top() + vec2(-8.0, 8.0);
        let left = inner.with_min_x(title.right() + 8.0);
        if left.width() > 220.0 {
            landscape_legend::show(ui, rect, right_top, shown, state, commands);
        }
    }
    let taken = if is_map {
        viewport_rulers::scale(ui, rect, inner, state, &p)
    } else {
        let axes = Affine3A::from_scale(FILE_FROM_SCENE);
        gizmo(ui, rect, state, axes, ["E", "U", "N"], commands);
        AXES
    };
    let buttons = buttons(ui, inner, shown, state, commands);
    let hit = hovered(rect, response, state);
    let pointer = hit.as_ref().map(|hit| glam::vec2(hit.position.x, -hit.position.z));
    survey::show(ui, rect, inner, buttons.right_top() - vec2(0.0, 8.0), pointer, state, commands);
    if let Some(hit) = hit {
        let beside = pos2(inner.left() + taken, inner.bottom() - 8.0);
        let over = pos2(if is_map { inner.left() + 8.0 } else { beside.x }, buttons.top() - 8.0);
        readout(ui, rect, [beside, over], buttons, shown, &hit, &p);
    }
}

fn mouse(ui: &Ui, rect: Rect, response: &Response, state: &State, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    let all = commands;
    let commands = &mut Vec::new();
    if state.stages.front.view.fly.is_some() {
        fly_mouse(ui, rect, response, commands);
    } else if state.stages.front.is_map() {
        let delta = ui.input(|i| i.pointer.delta()) / height;
        let buttons = [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary];
        if delta != egui::Vec2::ZERO && buttons.iter().any(|button| response.dragged_by(*button)) {
            commands.push(Command::Camera(CameraCommand::Pan(glam::vec2(delta.x, delta.y))));
        }
        wheel(ui, rect, response, commands);
    } else {
        orbit_mouse(ui, rect, response, commands);
    }
    all.extend(commands.drain(..).map(|command| mirrored(command, state)));
    let commands = all;
    if let Some(at) = response.interact_pointer_pos() {
        let place = place_in(rect, at, state);
        if state.stages.front.landscape().is_some_and(|shown| shown.survey.is_on) {
            // The first click of two has added the place.
            if response.double_clicked() {
                commands.push(Command::Terrain(TerrainCommand::EndMeasure));
            } else if response.clicked() {
                commands.push(Command::Terrain(TerrainCommand::Measure(place)));
            }
        } else if response.double_clicked() {
            commands.push(Command::Terrain(TerrainCommand::Focus(place)));
        } else if response.clicked() {
            let add = ui.input(|i| i.modifiers.shift || i.modifiers.command);
            commands.push(Command::Terrain(TerrainCommand::Pick { place, add }));
        }
    }
}

/// What lies under the pointer while it rests on the picture.
fn hovered(rect: Rect, response: &Response, state: &State) -> Option<TerrainHit> {
    let at = response.hover_pos().filter(|_| response.contains_pointer() && !response.dragged())?;
    state.stages.front.hit_in_terrain(place_in(rect, at, state))
}

/// What a prop is called: its own name, or its type's.
fn name_of(terrain: &Terrain, prop: &Prop) -> String {
    match (prop.name.as_str(), terrain.kind_of(prop)) {
        ("", Some(kind)) => prop_sign::name(kind),
        (name, _) => name.to_owned(),
    }
}

fn class_of(terrain: &Terrain, prop: &Prop) -> PropClass {
    terrain.kind_of(prop).map_or(PropClass::Unresolved, |kind| kind.class)
}

/// Position, height, slope and cell under the pointer, and the object there. `corners` are where its bottom left may be:
/// beside the buttons, and over them where there is no room for it.
fn readout(
    ui: &Ui,
    rect: Rect,
    corners: [Pos2; 2],
    buttons: Rect,
    shown: &LandscapeStage,
    hit: &TerrainHit,
    p: &Palette,
) {
    let terrain = &shown.terrain;
    let (east, north) = (hit.position.x, -hit.position.z);
    let grid = &terrain.grid;
    let precise = |value: f32| {
        let whole = format!("{:.1}", value.abs());
        let (whole, tenth) = whole.split_once('.').unwrap_or((whole.as_str(), "0"));
        let sign = if value < -0.05 { "−" } else { "" };
        format!("{sign}{}.{tenth}", grouped(whole.parse().unwrap_or(0)))
    };
    let mut fields = vec![("East", format!("{} m", precise(east))), ("North", format!("{} m", precise(north)))];
    let ground = grid.ground_at(east, north);
    fields.push(("Ground", ground.map_or("none".to_owned(), |height| format!("{} m", precise(height)))));
    if let Some(slope) = grid.slope_at(east, north) {
        fields.push(("Slope", format!("{slope:.0}°")));
    }
    let cell = |metres: f32| grouped((metres / grid.cell).max(0.0) as usize);
    if ground.is_some() {
        fields.push(("Cell", format!("{}, {}", cell(east), cell(north))));
    }
    let small = FontId::proportional(theme::SMALL);
    let painter = ui.painter_at(rect);
    let prop = hit.prop.and_then(|index| terrain.props.get(index as usize));
    let object = prop.map(|prop| {
        let kind = terrain.kind_of(prop).map(prop_sign::name).unwrap_or_default();
        let class = class_of(terrain, prop);
        let name = name_of(terrain, prop);
        let of_type = if name == kind { String::new() } else { format!("  {kind}") };
        format!("{}  {name}{of_type}  ·  {} ({})  ·  object {}", icon::CUBE, class.name(), class.letters(), prop.slot)
    });
    let spoken = fields.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
    let spoken =
        format!("Under the pointer: {spoken}{}", object.as_ref().map(|o| format!("; {o}")).unwrap_or_default());
    // One line where there is room for it, two otherwise.
    let widths: Vec<(f32, f32)> = fields
        .iter()
        .map(|(name, value)| {
            let width = |text: &str| painter.layout_no_wrap(text.to_owned(), small.clone(), p.text).size().x;
            (width(name), width(value).max(if *name == "Slope" { 20.0 } else { 52.0 }))
        })
        .collect();
    let whole: f32 = widths.iter().map(|(name, value)| name + value + 16.0).sum();
    let room = buttons.left() - 8.0 - corners[0].x;
    let per_line = if whole <= room { fields.len() } else { fields.len().div_ceil(2) };
    let rows = fields.len().div_ceil(per_line) + usize::from(object.is_some());
    let row = 16.0;
    let columns: Vec<(f32, f32)> = (0..per_line)
        .map(|column| {
            let of_column = widths.iter().skip(column).step_by(per_line);
            of_column.fold((0.0, 0.0), |all: (f32, f32), one| (all.0.max(one.0), all.1.max(one.1)))
        })
        .collect();
    let object = object.map(|text| painter.layout_no_wrap(text, small.clone(), p.strong));
    let inside: f32 = columns.iter().map(|(name, value)| name + value + 16.0).sum::<f32>() - 10.0;
    let width = inside.max(object.as_ref().map_or(0.0, |o| o.size().x)) + 16.0;
    let from = corners[usize::from(corners[0].x + width > buttons.left() - 4.0)];
    let size = vec2(width, rows as f32 * row + 8.0);
    let place = Rect::from_min_size(pos2(from.x, from.y - size.y), size);
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.88));
    let mut y = place.top() + 4.0;
    for (fields, widths) in fields.chunks(per_line).zip(widths.chunks(per_line)) {
        let mut x = place.left() + 8.0;
        for (((name, value), _), (name_width, value_width)) in fields.iter().zip(widths).zip(&columns) {
            painter.text(pos2(x, y + 2.0), Align2::LEFT_TOP, *name, small.clone(), p.weak);
            x += name_width + 6.0;
            painter.text(pos2(x, y + 2.0), Align2::LEFT_TOP, value, small.clone(), p.text);
            x += value_width + 10.0;
        }
        y += row;
    }
    if let Some(object) = object {
        painter.galley(pos2(place.left() + 8.0, y + 2.0), object, p.strong);
    }
    let response = ui.interact(place, ui.id().with("under the pointer"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
}

/// What is shown, in small print at the top left; the place it takes.
fn title(ui: &Ui, rect: Rect, shown: &LandscapeStage, state: &State, p: &Palette) -> Rect {
    let terrain = &shown.terrain;
    let name = state.core.file(shown.place.file).map_or(terrain.name.as_str(), |file| file.name.as_str());
    let mut facts = format!(
        "{}\n{}  ·  {}",
        size_of(terrain),
        counted(terrain.props.len(), "object"),
        counted(terrain.kinds.len(), "type")
    );
    let how = match &state.stages.front.view.fly {
        Some(fly) => format!("{}  {} m/s", icon::AIRPLANE_TILT, speed(fly.speed)),
        None if state.stages.front.is_map() => format!("{}  Top-down map", icon::MAP_TRIFOLD),
        None => format!("{}  Orbit", icon::ARROWS_CLOCKWISE),
    };
    facts.push_str(&format!("\n{how}"));
    if state.stages.front.view.terrain.exaggeration != 1.0 {
        facts.push_str(&format!("  ·  vertical exaggeration {} ×", state.stages.front.view.terrain.exaggeration));
    }
    if state.stages.front.view.flipped {
        facts.push_str("  ·  north and south flipped");
    }
    if let Some(selected) = selected(shown, state) {
        facts.push_str(&format!("\n{}  {selected}", icon::CUBE));
    }
    let painter = ui.painter_at(rect);
    let name = painter.layout_no_wrap(name.to_owned(), FontId::proportional(theme::BODY), p.strong);
    let facts = painter.layout_no_wrap(facts, FontId::proportional(theme::SMALL), p.text);
    let at = rect.min + vec2(16.0, 13.0);
    let size = vec2(name.size().x.max(facts.size().x), name.size().y + 2.0 + facts.size().y);
    let place = Rect::from_min_size(at, size).expand2(vec2(8.0, 5.0));
    painter.rect_filled(place, 6.0, p.panel.gamma_multiply(0.88));
    painter.galley(at, name.clone(), p.strong);
    let below = at + vec2(0.0, name.size().y + 2.0);
    let spoken = facts.text().to_owned();
    painter.galley(below, facts, p.text);
    let response = ui.interact(place, ui.id().with("terrain title"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, spoken.as_str()));
    place
}

/// Samples and size: `256 × 256 cells  ·  2.56 × 2.56 km`.
pub fn size_of(terrain: &Terrain) -> String {
    let grid = &terrain.grid;
    let (columns, rows) = (grouped(grid.columns as usize), grouped(grid.rows as usize));
    format!("{columns} × {rows} cells  ·  {} × {} km", kilometres(grid.width()), kilometres(grid.depth()))
}

/// With no more decimals than it needs, and two at most.
fn kilometres(metres: f32) -> String {
    let text = format!("{:.2}", metres / 1000.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// What is selected, in a few words.
fn selected(shown: &LandscapeStage, state: &State) -> Option<String> {
    let view = &state.stages.front.view.terrain;
    let props = || view.selected.iter().filter_map(|index| shown.terrain.props.get(*index as usize));
    let first = props().next()?;
    if view.selected.len() == 1 {
        return Some(format!("{}  ·  object {}", name_of(&shown.terrain, first), first.slot));
    }
    let bounds = props().map(|prop| view.bounds_of(&shown.terrain, prop)).reduce(crate::scene::Aabb::union)?;
    let size = bounds.max - bounds.min;
    Some(format!("{}  ·  {} × {} m", counted(view.selected.len(), "object"), decimal(size.x), decimal(size.z)))
}

/// Names of what is selected and of zones, where they stand.
fn names(ui: &Ui, rect: Rect, shown: &LandscapeStage, state: &State, p: &Palette) {
    let view = &state.stages.front.view.terrain;
    let terrain = &shown.terrain;
    let painter = ui.painter_at(rect);
    let mut taken: Vec<Rect> = Vec::new();
    let mut write = |text: &str, at: Pos2, color: egui::Color32| {
        let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(theme::SMALL), color);
        let label = Rect::from_center_size(at - vec2(0.0, 10.0), galley.size()).expand2(vec2(4.0, 1.0));
        if taken.len() >= MAX_NAMES || !rect.contains(at) || taken.iter().any(|r| r.intersects(label)) {
            return;
        }
        taken.push(label);
        painter.rect_filled(label, 3.0, p.base.gamma_multiply(0.7));
        painter.galley(label.min + vec2(4.0, 1.0), galley, color);
    };
    if state.stages.front.view.prop_names && view.props {
        let props = view.selected.iter().filter_map(|index| terrain.props.get(*index as usize));
        for prop in props.filter(|prop| view.shows(prop)).take(MAX_NAMES * 4) {
            let bounds = terrain.box_of(prop, view.bodies);
            let top = bounds.center().with_y(bounds.max.y);
            if let Some(at) = on_screen(rect, state, view.world_from_prop(terrain, prop).transform_point3(top)) {
                write(&name_of(terrain, prop), at, p.accent);
            }
        }
    }
    for zone in terrain.zones.iter().filter(|zone| view.zones && zone.visible && !zone.name.is_empty()) {
        let count = zone.polygon.len() as f32;
        if count == 0.0 {
            continue;
        }
        let middle = zone.polygon.iter().sum::<glam::Vec2>() / count;
        let up = terrain.grid.ground_at(middle.x, middle.y).unwrap_or(0.0) * view.exaggeration;
        if let Some(at) = on_screen(rect, state, scene_from_ground(middle.x, up, middle.y)) {
            write(&zone.name, at, p.strong);
        }
    }
}

/// Switches at the bottom right; the place they take.
fn buttons(ui: &mut Ui, rect: Rect, shown: &LandscapeStage, state: &State, commands: &mut Vec<Command>) -> Rect {
    let p = theme::palette(ui);
    let size = vec2(286.0, 36.0);
    let area = Rect::from_min_size(rect.right_bottom() - size - vec2(8.0, 8.0), size);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).layout(Layout::right_to_left(Align::Center)));
    let frame = egui::Frame::new().fill(p.panel.gamma_multiply(0.88)).corner_radius(6).inner_margin(3);
    let shown = frame.show(&mut child, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let stays = egui::PopupCloseBehavior::CloseOnClickOutside;
        let directions = theme::icon_button(ui, icon::CUBE, "Viewpoint");
        egui::Popup::menu(&directions).show(|ui| direction_items(ui, state, commands));
        let objects = theme::icon_button(ui, icon::TREE, "Landscape objects");
        egui::Popup::menu(&objects).close_behavior(stays).show(|ui| {
            landscape_menus::objects(ui, shown, state, commands);
        });
        let ground = theme::icon_button(ui, icon::MOUNTAINS, "Ground");
        egui::Popup::menu(&ground).close_behavior(stays).show(|ui| {
            landscape_menus::ground(ui, shown, state, commands);
        });
        ui.add(egui::Separator::default().spacing(6.0));
        let go = Command::Terrain(TerrainCommand::AskPlace(true));
        toggle(ui, icon::CROSSHAIR, "Go to coordinates", false, go, commands);
        let measure = Command::Terrain(TerrainCommand::ToggleMeasure);
        toggle(ui, icon::RULER, "Measure", shown.survey.is_on, measure, commands);
        toggle(
            ui,
            icon::AIRPLANE_TILT,
            "Fly",
            state.stages.front.view.fly.is_some(),
            Command::Camera(CameraCommand::ToggleFly),
            commands,
        );
        let map = Command::Terrain(TerrainCommand::ToggleMap);
        toggle(ui, icon::MAP_TRIFOLD, "Top-down map", state.stages.front.is_map(), map, commands);
    });
    shown.response.rect
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(decimal(12.34), "12.3");
        assert_eq!(decimal(-0.01), "0.0");
        assert_eq!(decimal(-1234.5), "−1,235");
        assert_eq!(kilometres(2560.0), "2.56");
        assert_eq!(kilometres(10_240.0), "10.24");
        assert_eq!(kilometres(20_000.0), "20");
        assert_eq!(kilometres(500.0), "0.5");
    }
}
