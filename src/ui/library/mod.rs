//! The open files and what is in them.

mod look;
mod menus;
mod row;

use crate::ui::{
    command::{Command, LibraryCommand, SelectionCommand},
    library::look::RowView,
    state::{LibraryOrder, State},
    theme::{self, Palette},
    widgets::{empty, filter_field, numbers::grouped, rows::Rows},
};
use egui::{Rect, Ui, UiBuilder, pos2};
use egui_phosphor::regular as icon;

/// Height of the line below the rows.
const FOOT: f32 = 32.0;
/// Width of the button behind the filter, with the frame's margin.
const COLLAPSE: f32 = 38.0;

pub fn show(ui: &mut Ui, state: &mut State, focus_filter: &mut bool, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let count = state.core.library.rows().1;
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 4, top: 8, bottom: 4 }).show(ui, |ui| {
        let count = (!state.core.library.files.is_empty()).then_some(count);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            filter_bar(ui, &state.core.library.filter, count, focus_filter, commands);
            if theme::icon_button(ui, icon::ARROWS_IN_LINE_VERTICAL, "Collapse all library rows").clicked() {
                commands.push(Command::Library(LibraryCommand::CollapseAll));
            }
        });
    });
    let whole = ui.available_rect_before_wrap();
    let foot_top = (whole.bottom() - FOOT).max(whole.top());
    let above = Rect::from_min_max(whole.min, pos2(whole.right(), foot_top));
    ui.scope_builder(UiBuilder::new().max_rect(above), |ui| list(ui, &p, state, commands));
    let below = Rect::from_min_max(pos2(whole.left(), foot_top), whole.max);
    ui.scope_builder(UiBuilder::new().max_rect(below), |ui| foot(ui, &p, state.core.library.order(), commands));
}

/// The rows, or what would be there.
fn list(ui: &mut Ui, p: &Palette, state: &mut State, commands: &mut Vec<Command>) {
    if state.core.library.files.is_empty() {
        return empty::note(ui, "No files are open. This panel lists open files and their contents.");
    }
    let selection = state.core.selection;
    let at = (selection, state.core.library.cursor());
    let count = state.core.library.rows().0.len();
    // A selection made elsewhere is brought into view.
    let list = Rows::new("library", count).margin(4.0).without_keys();
    let list = list.follow(ui, at, || state.core.library.row_of(selection));
    let playing = state.stages.front.playback().and_then(|playback| playback.playing);
    let shown = state.stages.front.content.place();
    let textured = state.stages.texture_target(&state.core);
    let has_scene = state.stages.front.model().is_some();
    let starred = state.favourites.starred(&state.core);
    let state = &*state;
    let library = &state.core.library;
    let rows = library.listed();
    if rows.is_empty() {
        return empty::note(ui, "No entry matches the filter.");
    }
    list.show(ui, |ui, line| {
        let (row, target) = (&rows[line.index], textured.as_ref());
        let view = RowView { p, state, row, library, selection, playing, shown, target, has_scene, starred: &starred };
        row::show(ui, line, &view, commands);
    });
}

/// The switch between what is in files and how they are built.
fn foot(ui: &mut Ui, p: &Palette, order: LibraryOrder, commands: &mut Vec<Command>) {
    let line = ui.max_rect();
    ui.painter().hline(line.x_range(), line.top() + 0.5, egui::Stroke::new(1.0, p.line));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        for (choice, name, tip) in [
            (LibraryOrder::Meaning, "Contents", "Show parts, bones, materials and clips"),
            (LibraryOrder::Structure, "File layout", "Show chunks, sections and exports"),
        ] {
            if ui.selectable_label(order == choice, name).on_hover_text(tip).clicked() {
                commands.push(Command::Library(LibraryCommand::SetOrder(choice)));
            }
        }
    });
}

/// Draws the filter; Enter and Down lead to the rows.
fn filter_bar(ui: &mut Ui, filter: &str, count: Option<usize>, focus: &mut bool, commands: &mut Vec<Command>) {
    let mut text = filter.to_owned();
    let tip = if filter.is_empty() { "Entries in the open files" } else { "Matching entries" };
    let bar = filter_field::Bar {
        label: "Filter the library",
        hint: "Filter",
        count: count.map(|count| (grouped(count), tip)),
        clear: "Clear filter",
        room: COLLAPSE,
    };
    let field = filter_field::with_hint(bar.show(ui, &mut text));
    if std::mem::take(focus) {
        field.request_focus();
    }
    // Enter leaves the field, as everywhere.
    let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    let goes_down = filter_field::leaves_for_list(ui, &field);
    if text != filter {
        commands.push(Command::Library(LibraryCommand::SetFilter(text)));
    }
    if is_entered || goes_down && !filter.is_empty() {
        commands.push(Command::Selection(SelectionCommand::FirstFound));
    } else if goes_down {
        commands.push(Command::Selection(SelectionCommand::Next(0)));
    }
}
