//! The bar at the bottom: what is shown, what runs, what went wrong.

use crate::ui::{
    command::{Command, WindowCommand, with_keys},
    state::State,
    theme,
    widgets::numbers::{counted, grouped},
};
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;

/// Work shorter than this is not worth a word, in seconds.
const SHOW_AFTER_SECS: f32 = 0.2;

/// Work longer than this can be stopped, in seconds.
const CANCEL_AFTER_SECS: f32 = 1.0;

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.set_min_height(20.0);
        let mut parts = Vec::new();
        if let Some(shown) = state.stages.front.model() {
            parts.push(counted(shown.model.joint_count(), "bone"));
            parts.push(counted(shown.model.triangle_count(), "triangle"));
        }
        if let Some(shown) = state.stages.front.level() {
            parts.push(counted(shown.map.actors.len(), "actor"));
            parts.push(counted(shown.triangles, "triangle"));
        }
        if let Some(shown) = state.stages.front.landscape() {
            parts.push(crate::ui::stage::landscape::size_of(&shown.terrain));
            parts.push(counted(shown.terrain.props.len(), "object"));
            parts.push(counted(shown.terrain.kinds.len(), "type"));
            if !state.stages.front.view.terrain.selected.is_empty() {
                parts.push(format!("{} selected", grouped(state.stages.front.view.terrain.selected.len())));
            }
        }
        match state.gpu.adapter.as_str() {
            "" => parts.push("no GPU".to_owned()),
            adapter => parts.push(short(adapter)),
        }
        if state.stages.is_moving() && state.stages.front.viewport.fps > 0.0 {
            parts.push(format!("{:.0} fps", state.stages.front.viewport.fps));
        }
        ui.label(RichText::new(parts.join("  ·  ")).small().color(p.weak));
        working(ui, state, commands);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let log = RichText::new(format!("{}  Log", icon::LIST_BULLETS)).small();
            let log = ui.add(egui::Button::new(log).small().selected(state.core.settings.show_log));
            let toggle = Command::Window(WindowCommand::ToggleLog);
            if log.on_hover_text(with_keys(ui.ctx(), "Show or hide the log", &toggle)).clicked() {
                commands.push(Command::Window(WindowCommand::ToggleLog));
            }
            let (warnings, errors) = state.core.log.counts();
            for (count, sign, one, color) in
                [(warnings, icon::WARNING, "warning", p.warning), (errors, icon::X_CIRCLE, "error", p.error)]
            {
                if count > 0 {
                    let text = RichText::new(format!("{sign}  {}", counted(count, one))).small().color(color);
                    if ui.add(egui::Button::new(text).small().frame(false)).clicked() {
                        commands.push(Command::Window(WindowCommand::ShowLog));
                    }
                }
            }
        });
    });
}

fn working(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let Some(work) = state.core.works.iter().find(|w| w.age_secs() >= SHOW_AFTER_SECS) else { return };
    let progress = work.progress();
    ui.add(egui::Spinner::new().size(12.0).color(p.weak));
    let text = match (progress.total, progress.step.as_str()) {
        (0, _) => work.title().to_owned(),
        (total, step) => {
            let (done, total) = (grouped(progress.done.min(total)), grouped(total));
            format!("{}: {done} of {total} {step}", work.title())
        }
    };
    ui.add(egui::Label::new(RichText::new(text).small()).truncate());
    if work.age_secs() >= CANCEL_AFTER_SECS && ui.small_button("Cancel").clicked() {
        commands.push(Command::Window(WindowCommand::CancelWork(work.id)));
    }
}

/// An adapter's name without what follows in brackets.
fn short(adapter: &str) -> String {
    let name = adapter.split(['(', '/']).next().unwrap_or(adapter).trim();
    name.chars().take(32).collect()
}
