//! What the selected entry is: its sign, name, class, size and path, and what can be copied of it.

use crate::{
    export::json::{Inspection, Show},
    formats::{Entry, FieldTree},
    ui::{
        command::{Command, SelectionCommand, WindowCommand},
        theme,
        widgets::{entry_icon, numbers, subject::Subject},
    },
};
use egui::{Align, Button, Label, Layout, RichText, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

pub fn show(ui: &mut Ui, subject: &Subject<'_>, entry: &Entry, tree: Option<&FieldTree>, commands: &mut Vec<Command>) {
    let path = if entry.path().is_empty() { subject.file_name } else { &entry.path() };
    ui.horizontal(|ui| {
        let (glyph, color) = entry_icon::of(entry, &theme::palette(ui));
        ui.add(Label::new(RichText::new(glyph).size(18.0).color(color)).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if button(ui, icon::COPY, "Copy the path", true) {
                commands.push(Command::Window(WindowCommand::Copy(path.to_owned())));
            }
            if button(ui, icon::BRACKETS_CURLY, "Copy the fields as JSON", tree.is_some())
                && let Some(text) = tree.and_then(|tree| json(subject, entry, tree))
            {
                commands.push(Command::Window(WindowCommand::Copy(text)));
            }
            if button(ui, icon::ARROW_BEND_DOWN_LEFT, "Find references", true) {
                commands.push(Command::Selection(SelectionCommand::FindUses(subject.place)));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(subject.name()).heading();
                ui.add(Label::new(name).truncate().selectable(true));
            });
        });
    });
    let facts = format!(
        "{}  ·  {}  ·  at 0x{:X}",
        entry.class,
        numbers::counted(usize::try_from(entry.size).unwrap_or(usize::MAX), "byte"),
        entry.offset
    );
    ui.add(Label::new(RichText::new(facts).weak()).truncate().selectable(true));
    if path != subject.name() {
        ui.add(Label::new(RichText::new(path).weak()).truncate().selectable(true));
    }
}

fn button(ui: &mut Ui, glyph: &str, name: &str, enabled: bool) -> bool {
    let button = ui.add_enabled(enabled, Button::new(glyph).frame(false)).on_hover_text(name);
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, name));
    button.clicked()
}

/// What `inspect --json` says of the entry: the first rows of its tables, for there may be any number.
fn json(subject: &Subject<'_>, entry: &Entry, tree: &FieldTree) -> Option<String> {
    let show = Show { document: subject.document, entry: entry.id, full: false };
    serde_json::to_string_pretty(&Inspection::new(subject.file_name, entry, tree, show)).ok()
}
