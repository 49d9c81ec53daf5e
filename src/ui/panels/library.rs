//! The open files as a tree.

use crate::ui::{command::Command, state::State, theme};
use egui_phosphor::regular as icon;

pub fn show(ui: &mut egui::Ui, state: &mut State, focus_filter: &mut bool, commands: &mut Vec<Command>) {
    let mut filter = state.library.filter.clone();
    let field = ui.text_edit_singleline(&mut filter);
    if std::mem::take(focus_filter) {
        field.request_focus();
    }
    if field.changed() {
        commands.push(Command::SetFilter(filter));
    }
    let files = state.library.files.clone();
    let (rows, count) = state.library.rows();
    ui.weak(format!("{count}"));
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            let Some(file) = files.iter().find(|f| f.id == row.place.file) else { continue };
            let Some(entry) = file.file.entry(row.place.entry) else { continue };
            let name = if entry.parent.is_none() { &file.file.name } else { &entry.name };
            if ui.button(format!("{} {name}", icon::FILE)).double_clicked() {
                commands.push(Command::Show(row.place));
            }
        }
    });
}
