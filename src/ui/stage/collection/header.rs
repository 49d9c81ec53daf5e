//! What the collection holds, its roots, and what cannot be read of it.

use crate::ui::stage::collection::roots;
use crate::ui::{
    command::{CollectionCommand, Command},
    state::State,
    theme,
    widgets::numbers::{counted, grouped},
};
use egui::{Align, Label, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

/// Files with problems that are named.
const MAX_TROUBLES: usize = 12;

pub fn show(ui: &mut Ui, state: &State, name: &mut String, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    ui.horizontal(|ui| {
        let title = state.collection.named_collection(&state.core).map_or("Collection", |named| &named.name);
        ui.scope(|ui| {
            ui.set_max_width(ui.available_width() * 0.35);
            ui.add(Label::new(RichText::new(title).size(theme::LARGE).strong()).truncate());
        });
        if let Some(catalog) = &collection.catalog {
            let entries = catalog.row_count().saturating_sub(catalog.files().len());
            let files = counted(catalog.files().len(), "file");
            let text = format!("{files} · {}", counted(entries, "entry"));
            let label = ui.label(theme::figures(text.clone()).weak());
            label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
        }
        troubles(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if theme::icon_button(ui, icon::ARROWS_CLOCKWISE, "Update the collection").clicked() {
                commands.push(Command::Collection(CollectionCommand::Update));
            }
            roots::button(ui, state, name, commands);
            if let Some(work) = state.core.works.iter().find(|work| Some(work.id) == collection.work) {
                let progress = work.progress();
                if progress.total > 0 {
                    let done = progress.done as f32 / progress.total as f32;
                    let text = format!("{} of {}", grouped(progress.done), counted(progress.total, "file"));
                    ui.add(egui::ProgressBar::new(done).desired_width(180.0).text(text));
                } else {
                    ui.spinner();
                }
            }
        });
    });
}

fn troubles(ui: &mut Ui, state: &State) {
    let collection = &state.collection;
    let p = theme::palette(ui);
    if let Some(problem) = &collection.problem {
        ui.label(RichText::new(format!("{}  Cannot read the index", icon::WARNING)).color(p.warning))
            .on_hover_text(problem);
    }
    if !collection.gone.is_empty() {
        let text = match collection.gone.len() {
            1 => "1 folder is missing".to_owned(),
            many => format!("{} folders are missing", grouped(many)),
        };
        let paths: Vec<String> = collection.gone.iter().map(|root| root.display().to_string()).collect();
        let why = format!(
            "{}\nEntries from missing folders stay in the index until you remove the folders from the collection",
            paths.join("\n")
        );
        let label = ui.label(RichText::new(format!("{}  {text}", icon::PLUGS)).color(p.warning)).on_hover_text(why);
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
    }
    // Roots that are gone are named already.
    let troubles = || collection.troubles.iter().filter(|(path, _)| !collection.gone.contains(path));
    let count = troubles().count();
    if count == 0 {
        return;
    }
    let text = format!("{}  {}", icon::WARNING, counted(count, "problem"));
    let lines = troubles().take(MAX_TROUBLES).map(|(path, why)| format!("{}: {why}", path.display()));
    let mut lines: Vec<String> = lines.collect();
    let more = count.saturating_sub(lines.len());
    if more > 0 {
        lines.push(format!("and {} more", grouped(more)));
    }
    ui.label(RichText::new(text).color(p.warning)).on_hover_text(lines.join("\n"));
}
