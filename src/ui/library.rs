//! The open files as a tree: a filter with its count, and rows of which only the visible ones are built.

use crate::{
    formats::{Content, Entry, EntryId, Role},
    library::OpenFile,
    ui::{
        command::{
            Command, ExportCommand, LibraryCommand, ModelCommand, SelectionCommand, StageCommand, WindowCommand,
        },
        state::{LibraryRow, State, TextureTarget},
        theme::{self, Palette},
        widgets::entry_icon,
    },
};
use egui::{Align2, FontId, Rect, Sense, Ui, Vec2, pos2, vec2};
use egui_phosphor::regular as icon;

pub fn show(ui: &mut Ui, state: &mut State, focus_filter: &mut bool, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        let count = state.library.rows().1;
        let count = (!state.library.files.is_empty()).then_some(count);
        filter_field(ui, &p, &state.library.filter, count, focus_filter, commands);
    });
    if state.library.files.is_empty() {
        empty(ui, "Nothing is open. Files and what is inside them are listed here.");
        return;
    }
    let files = state.library.files.clone();
    let playing = state.stage.playback.playing;
    let shown = state.place_on_show();
    let selection = state.selection;
    let target = state.texture_target();
    let last_id = ui.id().with("last selection");
    let moved = ui.data(|d| d.get_temp(last_id)) != Some(selection);
    ui.data_mut(|d| d.insert_temp(last_id, selection));
    let (rows, count) = state.library.rows();
    if count == 0 && rows.is_empty() {
        empty(ui, "No entry has all of these words in its name or class.");
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
        // A selection made elsewhere is brought into sight.
        if moved && let Some(index) = rows.iter().position(|r| Some(r.place) == selection) {
            let y = ui.min_rect().top() + (index as f32 - range.start as f32) * theme::ROW;
            let rect = Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, theme::ROW));
            if !ui.clip_rect().y_range().contains(rect.center().y) {
                ui.scroll_to_rect(rect, Some(egui::Align::Center));
            }
        }
        for row in &rows[range] {
            let Some(opened) = files.iter().find(|f| f.id == row.place.file) else { continue };
            let Some(entry) = opened.file.entry(row.place.entry) else { continue };
            let marks = Marks {
                selected: selection == Some(row.place),
                playing: playing == Some(row.place),
                shown: shown == Some(row.place)
                    || (entry.id == EntryId::FILE && shown.is_some_and(|s| s.file == opened.id)),
            };
            tree_row(ui, &p, row, &opened.file, entry, marks, target.as_ref(), commands);
        }
    });
}

fn empty(ui: &mut Ui, text: &str) {
    let p = theme::palette(ui);
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.set_max_width(180.0);
        ui.label(egui::RichText::new(text).color(p.weak));
    });
}

fn filter_field(
    ui: &mut Ui,
    p: &Palette,
    filter: &str,
    count: Option<usize>,
    focus: &mut bool,
    commands: &mut Vec<Command>,
) {
    let mut text = filter.to_owned();
    egui::Frame::new().fill(p.field).corner_radius(4).inner_margin(egui::Margin::symmetric(8, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new(icon::FUNNEL).color(p.weak));
            let width = (ui.available_width() - 64.0).max(40.0);
            let edit =
                egui::TextEdit::singleline(&mut text).hint_text("Filter").frame(egui::Frame::NONE).desired_width(width);
            let field = ui.add(edit);
            field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Filter the library"));
            if std::mem::take(focus) {
                field.request_focus();
            }
            if field.has_focus() && ui.input(|i| i.key_pressed(egui::Key::Escape)) {
                text.clear();
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if let Some(count) = count {
                    let tip = if filter.is_empty() { "Entries in the open files" } else { "Entries that match" };
                    let count = egui::RichText::new(grouped(count)).size(theme::SMALL).color(p.weak);
                    ui.label(count).on_hover_text(tip);
                }
                if !filter.is_empty() {
                    let clear = ui.add(egui::Button::new(icon::X).frame(false).small());
                    clear.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Clear the filter"));
                    if clear.clicked() {
                        text.clear();
                    }
                }
            });
        });
    });
    if text != filter {
        commands.push(Command::Library(LibraryCommand::SetFilter(text)));
    }
}

struct Marks {
    selected: bool,
    playing: bool,
    shown: bool,
}

#[expect(clippy::too_many_arguments, reason = "a row speaks of all that is known of its entry")]
fn tree_row(
    ui: &mut Ui,
    p: &Palette,
    row: &LibraryRow,
    file: &OpenFile,
    entry: &Entry,
    marks: Marks,
    target: Option<&TextureTarget>,
    commands: &mut Vec<Command>,
) {
    let is_file = entry.id == EntryId::FILE;
    let name = if is_file { &file.name } else { &entry.name };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let label = if marks.playing { format!("{name}, playing") } else { name.clone() };
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, marks.selected, label.as_str())
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let painter = ui.painter_at(rect);
    if marks.selected {
        painter.rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, p.accent_soft);
    } else if response.hovered() {
        painter.rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, p.hover);
    }
    let mut x = rect.left() + 8.0 + f32::from(row.depth) * 14.0;
    let middle = rect.center().y;
    let caret = Rect::from_center_size(pos2(x + 7.0, middle), Vec2::splat(16.0));
    if row.has_children {
        let sign = if row.open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        painter.text(caret.center(), Align2::CENTER_CENTER, sign, FontId::proportional(11.0), p.weak);
    }
    x += 18.0;
    let (sign, color) = entry_icon::of(entry, p);
    painter.text(pos2(x, middle), Align2::LEFT_CENTER, sign, FontId::proportional(15.0), color);
    x += 20.0;

    // What stands at the right end: a mark, a number or a class.
    let mut right = rect.right() - 12.0;
    if marks.playing || marks.shown {
        let (mark, color) = if marks.playing { (icon::PLAY_CIRCLE, p.accent) } else { (icon::EYE, p.weak) };
        let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, mark, FontId::proportional(14.0), color);
        right = drawn.left() - 6.0;
    } else if row.has_children {
        let count = file.document.outline().children(entry.id).len();
        if !is_file {
            let font = FontId::monospace(11.0);
            let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, grouped(count), font, p.weak);
            right = drawn.left() - 6.0;
        }
    }
    let text_color = if marks.selected || is_file { p.strong } else { p.text };
    let width = (right - x).max(8.0);
    let mut job = egui::text::LayoutJob::simple_singleline(name.clone(), FontId::proportional(theme::BODY), text_color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    let galley = ui.fonts_mut(|f| f.layout_job(job));
    let cut = galley.elided;
    painter.galley(pos2(x, middle - galley.size().y / 2.0), galley, text_color);

    let pointer = response.interact_pointer_pos();
    let on_caret = row.has_children && pointer.is_some_and(|at| at.x < caret.right());
    if response.clicked() && on_caret {
        commands.push(Command::Library(LibraryCommand::Expand(row.place, !row.open)));
    } else if response.clicked() {
        commands.push(Command::Selection(SelectionCommand::Select(row.place)));
    }
    if response.double_clicked() && !on_caret {
        // A bone of the shown model comes into view.
        let is_bone = entry.role == Role::Bone;
        let shows = !matches!(entry.content, Content::None | Content::Bytes | Content::Actor) || is_file || is_bone;
        commands.push(if shows || !row.has_children {
            Command::Stage(StageCommand::Show(row.place))
        } else {
            Command::Library(LibraryCommand::Expand(row.place, !row.open))
        });
    }
    response.context_menu(|ui| menu(ui, row, file, entry, target, commands));
    response.on_hover_ui(|ui| {
        if cut || is_file {
            ui.label(if is_file { file.path.display().to_string() } else { name.clone() });
        }
        ui.label(theme::figures(format!("{}  {} bytes", entry.class, grouped(entry.size as usize))).color(p.weak));
    });
}

fn menu(
    ui: &mut Ui,
    row: &LibraryRow,
    file: &OpenFile,
    entry: &Entry,
    target: Option<&TextureTarget>,
    commands: &mut Vec<Command>,
) {
    let mut item = |ui: &mut Ui, sign: &str, name: &str, command: Command| {
        if ui.button(format!("{sign}  {name}")).clicked() {
            commands.push(command);
            ui.close();
        }
    };
    match entry.content {
        Content::Model => item(ui, icon::EYE, "Show", Command::Stage(StageCommand::Show(row.place))),
        Content::Clip => {
            item(ui, icon::PLAY, "Play", Command::Stage(StageCommand::Show(row.place)));
            item(ui, icon::PLAY_CIRCLE, "Play anyway", Command::Model(ModelCommand::PlayAnyway(row.place)));
        }
        _ => item(ui, icon::EYE, "Show", Command::Stage(StageCommand::Show(row.place))),
    }
    if let Some(target) = target.filter(|_| entry.content == Content::Image) {
        let name = if entry.id == EntryId::FILE { &file.name } else { &entry.name };
        let places = target.places(name, true);
        if !places.is_empty() {
            let text = format!("Use as texture of {}", target.words(&places));
            item(ui, icon::PAINT_BRUSH, &text, Command::Model(ModelCommand::UseAsTexture(row.place)));
        }
    }
    item(ui, icon::EXPORT, "Export…", Command::Export(ExportCommand::Prepare(row.place)));
    if entry.id == EntryId::FILE {
        item(ui, icon::EXPORT, "Export all of it…", Command::Export(ExportCommand::AllDialog(Some(row.place.file))));
    }
    if is_unpackable(file, entry) {
        item(ui, icon::FOLDER_OPEN, "Unpack…", Command::Export(ExportCommand::UnpackDialog(row.place)));
    }
    ui.separator();
    let path = if entry.path.is_empty() { file.path.display().to_string() } else { entry.path.clone() };
    item(ui, icon::COPY, "Copy path", Command::Window(WindowCommand::Copy(path)));
    let name = if entry.path.is_empty() { file.name.clone() } else { entry.name.clone() };
    item(ui, icon::COPY, "Copy name", Command::Window(WindowCommand::Copy(name)));
    ui.separator();
    item(ui, icon::X, "Close file", Command::Library(LibraryCommand::CloseFile(row.place.file)));
}

/// Whether an entry is an archive or a folder of one.
fn is_unpackable(file: &OpenFile, entry: &Entry) -> bool {
    let document = file.document.as_ref();
    let mut below = vec![entry.id];
    // A file of an archive has only its own parts below it.
    while let Some(id) = below.pop() {
        for child in document.outline().children(id) {
            if document.is_member(*child) {
                return !document.is_member(entry.id);
            }
            below.push(*child);
        }
    }
    false
}

/// 12345 as `12,345`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `3 bones`, `1 bone`.
pub fn counted(count: usize, one: &str) -> String {
    format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_in_threes() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "bone"), "1 bone");
    }
}
