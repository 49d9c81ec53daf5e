//! Cards for what was found: the sign of a severity, and a sentence on what could not be read.

use crate::{
    formats::Severity,
    ui::{
        command::{Command, WindowCommand},
        theme,
    },
};
use egui::{Align, Color32, Frame, Label, Layout, Margin, RichText, Ui};
use egui_phosphor::regular as icon;

/// Icon, word and colour of a severity: the colour is never the only sign.
pub fn sign(ui: &Ui, severity: Severity) -> (&'static str, &'static str, Color32) {
    match severity {
        Severity::Info => (icon::INFO, "Note", ui.visuals().weak_text_color()),
        Severity::Warning => (icon::WARNING, "Warning", ui.visuals().warn_fg_color),
        Severity::Error => (icon::X_CIRCLE, "Error", ui.visuals().error_fg_color),
    }
}

/// Says that something could not be read, with a way to copy the message.
pub fn failure(ui: &mut Ui, message: &str, commands: &mut Vec<Command>) {
    let (glyph, _, color) = sign(ui, Severity::Error);
    card(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.add(Label::new(RichText::new(glyph).size(16.0).color(color)).selectable(false));
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.add(Label::new(format!("This entry cannot be read: {message}")).wrap().selectable(true));
                if ui.small_button("Copy message").clicked() {
                    commands.push(Command::Window(WindowCommand::Copy(message.to_owned())));
                }
            });
        });
    });
}

/// A card as wide as its panel.
pub fn card(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    Frame::new().fill(theme::palette(ui).card).corner_radius(6.0).inner_margin(Margin::same(8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}
