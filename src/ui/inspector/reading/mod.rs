//! How a file with a disputed layout was read: what was chosen and why, what else it could be, and where its parts are.

mod banner;
mod choices;
mod report;
mod sections;

pub use report::report;

use crate::ui::{
    command::{Command, LibraryCommand, WindowCommand},
    state::FileId,
    widgets::{numbers::counted, subject::Subject},
};
use banner::Banner;
use choices::Drafts;
use egui::{RichText, Ui};
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

/// How many questions there are and who answered them; below it what can be done with all of them.
fn head(ui: &mut Ui, subject: &Subject<'_>, commands: &mut Vec<Command>) {
    let questions = subject.document.reading();
    let overridden = questions.iter().filter(|choice| choice.overridden).count();
    ui.horizontal(|ui| {
        let count = counted(questions.len(), "setting");
        let text = match overridden {
            _ if subject.is_reread => "Reloading…".to_owned(),
            0 => format!("{count}, all automatic"),
            n => format!("{count}, {n} set manually"),
        };
        if subject.is_reread {
            ui.spinner();
        }
        ui.add(egui::Label::new(RichText::new(text).weak()).selectable(false).truncate());
    });
    ui.horizontal_wrapped(|ui| {
        let copy = ui.button(format!("{}  Copy as text", icon::COPY));
        if copy.on_hover_text("Copy all settings and sections for a bug report").clicked() {
            commands.push(Command::Window(WindowCommand::Copy(report(subject.file_name, subject.document))));
        }
        if overridden > 0 {
            let back = ui.add_enabled(!subject.is_reread, egui::Button::new("Reset all to automatic"));
            if back.clicked() {
                commands.push(Command::Library(LibraryCommand::ForgetReadings(subject.place.file)));
            }
        }
    });
}
