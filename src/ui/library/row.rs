//! One row of the library.

use crate::ui::library::{
    badge,
    look::{Look, RowView, Subject},
    menus, row_text,
};
use crate::ui::widgets::{numbers::counted, rows};
use crate::{
    formats::{Content, EntryId, Role},
    ui::{
        command::{Command, LibraryCommand, PartsCommand, SelectionCommand, StageCommand},
        state::RowId,
        theme,
    },
};
use egui::{Align2, FontId, Rect, Response, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// How far a row stands to the right of the one that it lies in; far down, where names would have no room, less.
const STEP: f32 = 14.0;
const SMALL_STEP: f32 = 5.0;
/// Levels with the large step.
const MAX_LARGE_STEPS: u16 = 6;
/// Width that is left for sign and name, however deep a row lies.
const LEAST_WIDTH: f32 = 120.0;

/// Draws a row and adds the commands of clicks on it.
pub fn show(ui: &mut Ui, line: &rows::Row<'_>, view: &RowView<'_>, commands: &mut Vec<Command>) {
    let (p, row, rect) = (view.p, view.row, line.rect);
    let Some(look) = view.look() else { return };
    let response = line.selectable(ui, view.is_selected(), &view.label(&look));
    let painter = ui.painter_at(rect);
    if row.place().is_none() && view.library.cursor() == Some(row.id) {
        let back = rect.shrink2(vec2(4.0, 0.0));
        painter.rect_stroke(back, 4.0, Stroke::new(1.0, p.accent), egui::StrokeKind::Inside);
    }
    let middle = rect.center().y;
    let left = 8.0 + indent(row.depth).min((rect.width() - LEAST_WIDTH).max(0.0));
    let caret = if row.has_children { line.triangle(ui, left + 7.0, row.open, p) } else { Rect::NOTHING };
    // A flat list has nothing to expand.
    let mut x = rect.left() + left + if view.library.is_filtered() { 4.0 } else { 18.0 };
    let (sign, color) = look.sign;
    painter.text(pos2(x, middle), Align2::LEFT_CENTER, sign, FontId::proportional(15.0), color);
    x += 20.0;
    let mut right = rect.right() - 12.0;
    if view.is_playing() || view.is_shown() {
        let (mark, color) = if view.is_playing() { (icon::PLAY_CIRCLE, p.accent) } else { (icon::EYE, p.weak) };
        let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, mark, FontId::proportional(14.0), color);
        right = drawn.left() - 6.0;
    }
    if let Some(left) = eye(ui, view, &look, rect, right, commands) {
        right = left;
    }
    if view.is_starred() {
        let font = FontId::proportional(12.0);
        let drawn = painter.text(pos2(right, middle), Align2::RIGHT_CENTER, icon::STAR, font, p.weak);
        right = drawn.left() - 6.0;
    }
    let (right, is_on_badge) = badge::show(ui, &painter, view, &look, pos2(right, middle));
    let is_cut = row_text::show(ui, &painter, view, &look, pos2(x, middle), right);
    react(&response, view, &look, caret, commands);
    response.context_menu(|ui| match &look.subject {
        Subject::Entry(opened, entry) => menus::of_entry(ui, view, &opened.file, entry, commands),
        Subject::Folder(_) | Subject::Group => menus::of_fold(ui, view, commands),
    });
    // The badge has a hint of its own.
    if !is_on_badge {
        response.on_hover_ui(|ui| hint(ui, view, &look, is_cut));
    }
}

/// The eye of a part of the model on the stage: closed while it is hidden, open while the pointer is on the row. Says where it
/// begins.
fn eye(
    ui: &Ui,
    view: &RowView<'_>,
    look: &Look<'_>,
    row: Rect,
    right: f32,
    commands: &mut Vec<Command>,
) -> Option<f32> {
    let place = view.row.place()?;
    let is_hidden = view.state.stages.front.is_hidden(place)?;
    let area = Rect::from_min_max(pos2(right - 18.0, row.top()), pos2(right + 4.0, row.bottom()));
    let response = ui.interact(area, ui.id().with(("eye", view.row.id)), Sense::click());
    let label = format!("{} is shown", look.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, !is_hidden, label.as_str()));
    if response.clicked() {
        commands.push(Command::Parts(PartsCommand::Hide(place, !is_hidden)));
    }
    if is_hidden || ui.rect_contains_pointer(row) {
        let sign = if is_hidden { icon::EYE_SLASH } else { icon::EYE };
        let color = if response.hovered() { view.p.strong } else { view.p.weak };
        let at = pos2(right, row.center().y);
        ui.painter().text(at, Align2::RIGHT_CENTER, sign, FontId::proportional(14.0), color);
    }
    response.on_hover_text(if is_hidden { "Unhide" } else { "Hide" });
    Some(area.left())
}

fn indent(depth: u16) -> f32 {
    let large = depth.min(MAX_LARGE_STEPS);
    f32::from(large) * STEP + f32::from(depth - large) * SMALL_STEP
}

fn react(response: &Response, view: &RowView<'_>, look: &Look<'_>, caret: Rect, commands: &mut Vec<Command>) {
    let row = view.row;
    let pointer = response.interact_pointer_pos();
    let on_caret = row.has_children && pointer.is_some_and(|at| at.x < caret.right());
    let fold = Command::Library(LibraryCommand::Expand(row.id, !row.open));
    let Subject::Entry(_, entry) = &look.subject else {
        if response.clicked() {
            commands.push(fold);
        }
        return;
    };
    let Some(place) = row.place() else { return };
    if response.clicked() && on_caret {
        commands.push(fold);
        return;
    }
    if response.clicked() {
        commands.push(match row.id {
            RowId::Branch { .. } => Command::Selection(SelectionCommand::Row(row.id)),
            _ => Command::Selection(SelectionCommand::Select(place)),
        });
    }
    if response.double_clicked() {
        // A bone of the shown model comes into view.
        let shows = !matches!(entry.content, Content::None | Content::Bytes | Content::Actor)
            || entry.id == EntryId::FILE
            || entry.role == Role::Bone;
        let is_branch = matches!(row.id, RowId::Branch { .. });
        let shows = (shows || !row.has_children) && !is_branch;
        commands.push(if shows { Command::Stage(StageCommand::Show(place)) } else { fold });
    }
}

fn hint(ui: &mut Ui, view: &RowView<'_>, look: &Look<'_>, is_cut: bool) {
    let weak = view.p.weak;
    match &look.subject {
        Subject::Folder(path) => {
            ui.label(path);
            let files = counted(view.row.count.unwrap_or_default() as usize, "file");
            ui.label(theme::figures(files).color(weak));
        }
        Subject::Group => {
            ui.label(view.label(look));
        }
        Subject::Entry(opened, entry) => {
            if entry.id == EntryId::FILE {
                ui.label(opened.file.path.display().to_string());
            } else if view.library.is_filtered() {
                ui.label(entry.path());
            } else if is_cut {
                ui.label(&look.name);
            }
            let unpacked = opened.file.document.container().and_then(|container| container.unpacked_size(entry.id));
            let text = format!("{}  {}", entry.class, counted(unpacked.unwrap_or(entry.size) as usize, "byte"));
            ui.label(theme::figures(text).color(weak));
        }
    }
}
