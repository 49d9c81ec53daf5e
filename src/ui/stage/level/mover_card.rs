//! The movers of the selected actor: itself, or those that its event sets off.

use crate::{
    scene::MapMover,
    ui::{
        command::{Command, LevelCommand},
        stage::level::card::WIDTH,
        state::{LevelStage, State},
        theme::{self, Palette},
        widgets::numbers::counted,
    },
};
use egui::{Align, Layout, Rect, RichText, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use egui_phosphor::regular as icon;

/// Things that are listed.
const MAX_LISTED: usize = 12;

pub fn show(ui: &mut Ui, rect: Rect, top: f32, shown: &LevelStage, state: &State, commands: &mut Vec<Command>) {
    let Some(selected) = state.stages.front.selected_actor(&state.core).and_then(|index| u32::try_from(index).ok())
    else {
        return;
    };
    let Some(actor) = shown.map.actors.get(selected as usize) else { return };
    let set_off = state.stages.front.set_off_by(selected);
    let (movers, actors) = (&set_off.movers, &set_off.actors);
    if movers.is_empty() && actors.is_empty() {
        return;
    }
    let p = theme::palette(ui);
    let area =
        Rect::from_min_max(pos2(rect.left() + 4.0, top + 8.0), pos2(rect.left() + 4.0 + WIDTH, rect.bottom() - 96.0));
    if area.height() < 60.0 {
        return;
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.9)).corner_radius(6).inner_margin(8).show(&mut child, |ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        ui.set_width(WIDTH - 16.0);
        egui::ScrollArea::vertical().max_height(area.height() - 16.0).show(ui, |ui| {
            if !actors.is_empty() {
                let head =
                    format!("{}  Event “{}” triggers {}", icon::LIGHTNING, actor.event, counted(actors.len(), "actor"));
                ui.label(RichText::new(head).small().color(p.strong));
                if movers.len() > 1 && ui.button(format!("{}  Play all movers", icon::PLAY)).clicked() {
                    commands.extend(movers.iter().map(|mover| Command::Level(LevelCommand::RunMover(*mover))));
                }
            }
            for index in movers.iter().take(MAX_LISTED) {
                if let Some(mover) = shown.map.movers.get(*index as usize) {
                    of_mover(ui, &p, shown, *index, mover, commands);
                }
            }
            for other in set_off.others.iter().take(MAX_LISTED) {
                if let Some(actor) = shown.map.actors.get(*other as usize)
                    && ui.link(RichText::new(format!("{}  ({})", actor.name, actor.class)).small()).clicked()
                {
                    commands.push(Command::Level(LevelCommand::SelectActor(*other)));
                }
            }
        });
    });
}

/// A mover's name, its place on its way, and what sets it off.
fn of_mover(ui: &mut Ui, p: &Palette, shown: &LevelStage, index: u32, mover: &MapMover, commands: &mut Vec<Command>) {
    let name = shown.map.actors.get(mover.actor as usize).map_or("", |actor| actor.name.as_str());
    let end = mover.end();
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{}  {name}", icon::ELEVATOR)).color(p.strong));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(counted(mover.keys.len(), "key")).small().color(p.weak));
        });
    });
    if end <= 0.0 {
        ui.label(RichText::new("This mover has one key and does not move").small().color(p.weak));
        return;
    }
    ui.horizontal(|ui| {
        let now = shown.moment.mover_position(&shown.map.movers, index);
        let runs = shown.runs.iter().any(|run| run.mover == index);
        let (sign, label) = match runs {
            true => (icon::ARROW_U_DOWN_LEFT, format!("Reverse {name}")),
            false if now >= end => (icon::ARROW_U_DOWN_LEFT, format!("Play {name} in reverse")),
            false => (icon::PLAY, format!("Play {name}")),
        };
        if theme::icon_button(ui, sign, &label).clicked() {
            commands.push(Command::Level(LevelCommand::RunMover(index)));
        }
        let mut position = now;
        ui.spacing_mut().slider_width = ui.available_width() - 44.0;
        ui.visuals_mut().widgets.inactive.bg_fill = p.line;
        let slider = ui.add(egui::Slider::new(&mut position, 0.0..=end).show_value(false).trailing_fill(true));
        slider.widget_info(|| WidgetInfo::slider(true, f64::from(now), format!("Key position of {name}")));
        if slider.changed() {
            commands.push(Command::Level(LevelCommand::SetMover { mover: index, position }));
        }
        ui.label(theme::figures(format!("{now:.1}")).color(p.weak));
    });
}
