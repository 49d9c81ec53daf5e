//! How a file with a disputed layout was read: what was chosen and why, what else it could be, and where its parts are.

mod banner;
mod choices;
mod report;
mod sections;

pub use report::report;

use crate::ui::{
    command::{Command, LibraryCommand, WindowCommand},
    state::FileId,
    theme,
    widgets::{subject::Subject, value_text::counted},
};
use banner::Banner;
use choices::Drafts;
use egui::{Align, Layout, RichText, Ui};
use egui_phosphor::regular as icon;

/// Cards are no wider than lines are well read, in points.
const MAX_WIDTH: f32 = 760.0;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ReadingView {
    /// The file that the rest is about.
    made_for: Option<(FileId, u64)>,
    drafts: Drafts,
    banner: Option<Banner>,
}

/// Shows how the file of the entry was read.
pub fn show(ui: &mut Ui, subject: &Subject<'_>, view: &mut ReadingView, commands: &mut Vec<Command>) {
    let file = subject.place.file;
    if view.made_for != Some((file, subject.revision)) {
        *view = ReadingView { made_for: Some((file, subject.revision)), ..ReadingView::default() };
        view.banner = Banner::of(subject.document, subject.diagnostics);
    }
    head(ui, subject, commands);
    ui.add_space(2.0);
    ui.scope(|ui| {
        ui.set_max_width(MAX_WIDTH.min(ui.available_width()));
        ui.spacing_mut().item_spacing.y = 8.0;
        if let Some(banner) = &view.banner {
            banner::show(ui, subject, banner, commands);
        }
        ui.add_enabled_ui(!subject.is_reread, |ui| {
            for choice in subject.document.reading() {
                choices::show(ui, file, choice, &mut view.drafts, commands);
            }
        });
        sections::show(ui, subject, commands);
    });
}

fn head(ui: &mut Ui, subject: &Subject<'_>, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let overridden = subject.document.reading().iter().filter(|c| c.overridden).count();
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = ui.button(format!("{}  Copy as text", icon::COPY));
            if copy.on_hover_text("All choices and sections, for a report").clicked() {
                commands.push(Command::Window(WindowCommand::Copy(report(subject.file_name, subject.document))));
            }
            if overridden > 0 {
                let back = ui.add_enabled(!subject.is_reread, egui::Button::new("All back to automatic"));
                if back.clicked() {
                    commands.push(Command::Library(LibraryCommand::ForgetReadings(subject.place.file)));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(subject.file_name).strong()).selectable(false).truncate());
                if subject.is_reread {
                    ui.spinner();
                    ui.label(RichText::new("Reading anew…").color(p.weak));
                } else {
                    let count = subject.document.reading().len();
                    let text = match overridden {
                        0 => format!("{}, all decided by the file's bytes", counted(count, "question", "questions")),
                        n => format!("{}, {n} decided by you", counted(count, "question", "questions")),
                    };
                    ui.add(egui::Label::new(RichText::new(text).color(p.weak)).selectable(false).truncate());
                }
            });
        });
    });
}
