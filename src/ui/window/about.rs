//! What this program is.

use crate::{
    formats::FORMATS,
    ui::{
        command::{Command, WindowCommand},
        log_buffer::LogBuffer,
        state::State,
        theme,
        widgets::dialog,
    },
};
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;

/// Lines of each log that a report has.
const MAX_LINES: usize = 20;

/// Shows the card while it is asked for.
pub fn show(ui: &Ui, state: &State, program_log: &LogBuffer, commands: &mut Vec<Command>) {
    if !state.dialogs.about {
        return;
    }
    let frame = egui::Frame::popup(ui.style()).inner_margin(20.0).corner_radius(8.0);
    let modal = egui::Modal::new(egui::Id::new("about")).frame(frame).show(ui.ctx(), |ui| {
        let p = theme::palette(ui);
        ui.set_width(340.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new(icon::BONE).size(28.0).color(p.accent));
            ui.label(RichText::new("Bonebox").size(theme::LARGE).color(p.strong));
            ui.label(RichText::new(env!("CARGO_PKG_VERSION")).color(p.weak));
        });
        ui.add_space(8.0);
        ui.label("Views, plays and exports the assets of old games, and shows their bytes.");
        ui.add_space(8.0);
        egui::Grid::new("about facts").num_columns(2).spacing([16.0, 4.0]).show(ui, |ui| {
            let formats: Vec<&str> = FORMATS.iter().map(|f| f.info().name).collect();
            let device = match state.gpu.adapter.as_str() {
                "" => "none".to_owned(),
                name => format!("{name} ({})", state.gpu.backend),
            };
            for (name, value) in
                [("Formats", formats.join(", ")), ("Graphics", device), ("Licence", "MIT or Apache 2.0".to_owned())]
            {
                ui.label(RichText::new(name).color(p.weak));
                ui.add(egui::Label::new(value).wrap());
                ui.end_row();
            }
        });
        ui.add_space(12.0);
        let copy = ui.vertical_centered_justified(|ui| ui.add(egui::Button::new("Copy report").fill(p.field))).inner;
        if copy.on_hover_text("Version, system, driver and the last lines of the log, for a bug report").clicked() {
            commands.push(Command::Window(WindowCommand::Copy(report(state, program_log))));
        }
        let close =
            ui.vertical_centered_justified(|ui| ui.add(egui::Button::new("Close").fill(p.field)).clicked()).inner;
        close || dialog::is_confirmed(ui)
    });
    if modal.inner || modal.should_close() {
        commands.push(Command::Window(WindowCommand::ToggleAbout));
    }
}

/// What somebody who helps wants to know.
pub fn report(state: &State, program_log: &LogBuffer) -> String {
    let of = |text: &str| if text.is_empty() { "none" } else { text }.to_owned();
    let mut lines = vec![
        format!("Bonebox {}", env!("CARGO_PKG_VERSION")),
        format!("System: {} {}", std::env::consts::OS, std::env::consts::ARCH),
        format!("Graphics: {}", of(&state.gpu.adapter)),
        format!("Backend: {}", of(&state.gpu.backend)),
        format!("Driver: {}", of(&state.gpu.driver)),
        "Log:".to_owned(),
    ];
    let entries = state.core.log.entries();
    let last = entries.iter().skip(entries.len().saturating_sub(MAX_LINES));
    lines.extend(last.map(|entry| format!("  {:?} {}", entry.severity, entry.text())));
    lines.push("Program:".to_owned());
    program_log.with(|log| {
        let last = log.iter().skip(log.len().saturating_sub(MAX_LINES));
        lines.extend(last.map(|line| format!("  {} {}: {}", line.level, line.target, line.message)));
    });
    lines.join("\n")
}
