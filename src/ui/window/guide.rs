//! First steps: a small card that is ticked while they are taken.

use crate::ui::{
    command::{Command, WindowCommand, keys_of},
    state::{GuideStep, State},
    theme,
};
use egui::{Align2, Area, Id, Label, Order, RichText, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 264.0;

/// Shows the card while it is asked for, at the lower left of the window.
pub fn show(ui: &Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(done) = &state.dialogs.guide else { return };
    let p = theme::palette(ui);
    let area = Area::new(Id::new("first steps")).order(Order::Middle).anchor(Align2::LEFT_BOTTOM, vec2(8.0, -40.0));
    let frame = egui::Frame::popup(ui.style()).fill(p.card).inner_margin(12.0).corner_radius(8.0);
    area.show(ui.ctx(), |ui| {
        frame.show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.horizontal(|ui| {
                let taken = GuideStep::ALL.iter().filter(|step| done.contains(step)).count();
                let title = format!("First steps: {taken} of {}", GuideStep::ALL.len());
                ui.add(Label::new(RichText::new(title).strong()).selectable(false));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if theme::icon_button(ui, icon::X, "Close first steps").clicked() {
                        commands.push(Command::Window(WindowCommand::ToggleGuide));
                    }
                });
            });
            for (number, step) in (1..).zip(GuideStep::ALL) {
                let is_done = done.contains(&step);
                let (sign, color) = if is_done { (icon::CHECK_CIRCLE, p.good) } else { (icon::CIRCLE, p.weak) };
                let keys = step.command().and_then(|command| keys_of(ui.ctx(), &command));
                let keys = keys.map(|keys| format!(" ({keys})")).unwrap_or_default();
                let text = format!("{number}. {}{keys}", step.text());
                let row = ui.horizontal(|ui| {
                    ui.add(Label::new(RichText::new(sign).size(16.0).color(color)).selectable(false));
                    let color = if is_done { p.weak } else { p.text };
                    ui.add(Label::new(RichText::new(&text).color(color)).wrap().selectable(false));
                });
                let label = format!("{}: {}", step.text(), if is_done { "done" } else { "to do" });
                row.response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
            }
            let next = GuideStep::ALL.into_iter().find(|step| !done.contains(step));
            match next.map(|step| (step, step.command())) {
                Some((step, Some(command))) if state.is_possible(&command) => {
                    ui.add_space(4.0);
                    if ui.button(step.button()).clicked() {
                        commands.push(command);
                    }
                }
                Some(_) => {}
                None => {
                    let text = "All done. To find other functions, use “Search commands”.";
                    ui.add(Label::new(RichText::new(text).color(p.weak)).wrap().selectable(false));
                }
            }
        });
    });
}
