//! The question whether a view may open files outside its folder.

use crate::ui::{
    command::{Command, LibraryCommand},
    named_file::NamedFile,
    view_file::ReadView,
    widgets::{
        dialog::{self, Enter},
        rows::Rows,
    },
};
use egui::{Label, RichText, Ui};

const MAX_HEIGHT: f32 = 240.0;

/// Lists the paths in the view that are outside its folder, and asks whether to open them. Enter gives no answer: a person may still press
/// it for an earlier dialog.
pub fn show(ui: &Ui, asked: Option<&ReadView>, commands: &mut Vec<Command>) {
    let Some(asked) = asked else { return };
    let paths: Vec<String> = asked
        .named()
        .filter_map(|named| if let NamedFile::Outside(paths) = named { Some(paths) } else { None })
        .flatten()
        // One line each, whatever their characters.
        .map(|path| path.to_string_lossy().replace(|c: char| c.is_control(), "\u{FFFD}"))
        .collect();
    let answer = dialog::question(ui, "Open files in other folders?", ["Open", "Skip"], Enter::Ignored, |ui| {
        ui.add(Label::new(format!("{} refers to files outside its folder:", asked.name)).wrap());
        ui.add_space(8.0);
        let row_height = ui.text_style_height(&egui::TextStyle::Monospace);
        let spacing = ui.spacing().item_spacing.y;
        let rows = Rows::new("paths", paths.len()).height(row_height + spacing).up_to(MAX_HEIGHT).sideways();
        rows.show(ui, |ui, row| {
            ui.add(Label::new(RichText::new(&paths[row.index]).monospace()).extend());
        });
    });
    commands.extend(answer.map(|open| Command::Library(LibraryCommand::AnswerView(open))));
}
