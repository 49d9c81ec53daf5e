//! The surface that was clicked on: what it shows, where else that is shown, and what it was cut from.

use crate::{
    scene::{MapSurface, SourceEntry},
    ui::{
        command::{Command, LevelCommand, SelectionCommand},
        stage::level::card::WIDTH,
        state::{LevelStage, Place, State},
        theme,
        widgets::numbers::{counted, grouped},
    },
};
use egui::{Rect, RichText, Ui, UiBuilder, pos2, vec2};
use egui_phosphor::regular as icon;

/// Gives where it ends; `top` where there is none.
pub fn show(ui: &mut Ui, rect: Rect, top: f32, shown: &LevelStage, state: &State, commands: &mut Vec<Command>) -> f32 {
    let p = theme::palette(ui);
    let Some(index) = shown.picked.as_ref().and_then(|picked| picked.surface) else { return top };
    let Some(surface) = shown.map.surfaces.get(index as usize) else { return top };
    let area = Rect::from_min_size(pos2(rect.left() + 4.0, top + 8.0), vec2(WIDTH, 150.0)).intersect(rect);
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    let frame = egui::Frame::new().fill(p.panel.gamma_multiply(0.9)).corner_radius(6).inner_margin(8);
    let drawn = frame.show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.spacing_mut().interact_size.y = 16.0;
        ui.label(RichText::new(format!("{}  Surface {}", icon::POLYGON, surface.number)).color(p.strong));
        let texture = if surface.texture.is_empty() { "none" } else { &surface.texture };
        line(ui, "Texture", texture, way_to_texture(shown, surface), &surface.texture_path, commands);
        let mut about = format!("{}", surface.zone);
        if !surface.traits.is_empty() {
            about.push_str(&format!("  ·  {}", surface.traits));
        }
        line(ui, "Zone", &about, None, "", commands);
        if let Some(brush) = surface.brush.and_then(|brush| shown.map.actors.get(brush as usize)) {
            line(ui, "Brush", &brush.name, Some(select(shown, brush.source)), "", commands);
        }
        if !surface.texture.is_empty() {
            ui.add_space(4.0);
            alike(ui, index, state, commands);
        }
    });
    drawn.response.rect.bottom()
}

fn select(shown: &LevelStage, entry: SourceEntry) -> Command {
    Command::Selection(SelectionCommand::Select(Place { file: shown.place.file, entry: entry.into() }))
}

/// What goes to a surface's texture, in this file or another.
fn way_to_texture(shown: &LevelStage, surface: &MapSurface) -> Option<Command> {
    let path = Some(&surface.texture_path).filter(|path| !path.is_empty());
    let elsewhere = || {
        let path = path?.clone();
        Some(Command::Selection(SelectionCommand::FollowPath(shown.place.file, path)))
    };
    surface.texture_source.map(|entry| select(shown, entry)).or_else(elsewhere)
}

/// A name and its value, which is a link where it leads somewhere.
fn line(ui: &mut Ui, name: &str, value: &str, way: Option<Command>, tip: &str, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).small().color(p.weak));
        let text = RichText::new(value).small();
        let Some(way) = way else {
            ui.label(text);
            return;
        };
        let mut link = ui.link(text.color(p.accent));
        if !tip.is_empty() {
            link = link.on_hover_text(tip);
        }
        if link.clicked() {
            commands.push(way);
        }
    });
}

/// Shows all places of the texture, or says how many there are.
fn alike(ui: &mut Ui, surface: u32, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let toggle = Command::Level(LevelCommand::ToggleAlike);
    let (text, tip) = match state.stages.front.level().and_then(|shown| shown.tools.alike.as_ref()) {
        Some(alike) => {
            let places = counted(alike.outlines.surfaces, "surface");
            let cut = if alike.outlines.is_cut { " Too many outlines: only some are drawn." } else { "" };
            (
                format!("{}  {places} with {}  {}", icon::SELECTION_ALL, alike.texture, icon::X),
                format!("The surfaces are outlined.{cut} Click to clear the outlines"),
            )
        }
        None => {
            let count = state.stages.front.count_alike(surface);
            let text = match count {
                0 | 1 => format!("{}  Texture used on this surface only", icon::SELECTION_ALL),
                many => format!("{}  Outline all {} surfaces", icon::SELECTION_ALL, grouped(many)),
            };
            (text, "Outline every surface with this texture".to_owned())
        }
    };
    let is_on = state.stages.front.level().is_some_and(|shown| shown.tools.alike.is_some());
    let button =
        egui::Button::new(RichText::new(text).small()).selected(is_on).fill(if is_on { p.accent_soft } else { p.card });
    if ui.add(button).on_hover_text(tip).clicked() {
        commands.push(toggle);
    }
}
