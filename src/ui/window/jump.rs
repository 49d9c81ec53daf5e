//! Small dialogs: where to go to, and what to do with a view of other files.

use crate::ui::{
    command::{Command, LibraryCommand, SelectionCommand, WindowCommand},
    jump::Jump,
    named_file::NamedFile,
    query::MAX_CHARS,
    theme,
    view_file::ReadView,
    widgets::{
        dialog::{self, Enter},
        rows::Rows,
    },
};
use egui::{Align2, Id, Key, Label, Modal, Modifiers, RichText, TextEdit, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

const WIDTH: f32 = 420.0;

/// What the dialog remembers while it is open.
#[derive(Default)]
pub struct JumpView {
    text: String,
    is_open: bool,
}

/// Shows the dialog over the window while a jump is asked for.
pub fn show(ui: &Ui, jump: Option<&Jump>, view: &mut JumpView, commands: &mut Vec<Command>) {
    let Some(jump) = jump else {
        if std::mem::take(&mut view.is_open) {
            // Else the field that is gone would take the next frame's keys.
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        return;
    };
    if !view.is_open {
        *view = JumpView { is_open: true, ..JumpView::default() };
    }
    let screen = ui.ctx().content_rect();
    let area = egui::Area::new(Id::new("jump"))
        .order(egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.2).round()))
        .interactable(true);
    let frame = egui::Frame::popup(ui.style()).inner_margin(12.0).corner_radius(8.0);
    let modal = Modal::new(Id::new("jump")).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(WIDTH.min(screen.width() - 32.0));
        let p = theme::palette(ui);
        let is_entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let id = Id::new("jump target");
        // It has the keyboard from its first frame on.
        ui.memory_mut(|memory| memory.request_focus(id));
        let edit = ui.add(
            TextEdit::singleline(&mut view.text)
                .id(id)
                .hint_text(format!("{} 0x1f0, 1f0h, 496, #12, path or name", icon::ARROW_BEND_UP_RIGHT))
                .char_limit(MAX_CHARS)
                .desired_width(f32::INFINITY)
                .margin(egui::Margin::symmetric(8, 6))
                .lock_focus(true),
        );
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Jump to"));
        ui.add_space(6.0);
        if jump.problem.is_empty() {
            let help =
                "Offset in the selected file, or the number, path or name of an entry.\nEnter  jump      Esc  close";
            ui.add(Label::new(RichText::new(help).small().color(p.weak)).wrap().selectable(false));
        } else {
            ui.add(Label::new(RichText::new(&jump.problem).color(p.text)).wrap());
        }
        is_entered
    });
    if modal.inner {
        commands.push(Command::Selection(SelectionCommand::Jump(view.text.clone())));
    } else if modal.backdrop_response.clicked() || modal.should_close() {
        commands.push(Command::Window(WindowCommand::ToggleJump));
    }
}

const MAX_HEIGHT: f32 = 240.0;

/// Lists the paths in the view that are outside its folder, and asks whether to open them. Enter gives no answer: a person may still press
/// it for an earlier dialog.
pub fn view_question(ui: &Ui, asked: Option<&ReadView>, commands: &mut Vec<Command>) {
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
