//! The library: a filter with its count, the rows of which only the visible ones are built, and how they are arranged.

use crate::ui::library::{look::RowView, row};
use crate::ui::widgets::{filter_field, numbers::grouped};
use crate::ui::{
    command::{Command, LibraryCommand, SelectionCommand},
    state::{LibraryOrder, State},
    theme::{self, Palette},
};
use egui::{Rect, Ui, UiBuilder, pos2, vec2};
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
            filter_bar(ui, &p, &state.core.library.filter, count, focus_filter, commands);
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
        return empty(ui, "No files are open. This panel lists open files and their contents.");
    }
    let selection = state.core.selection;
    let at = (selection, state.core.library.cursor());
    let last_id = ui.id().with("last selection");
    let moved = ui.data(|d| d.get_temp(last_id)) != Some(at);
    ui.data_mut(|d| d.insert_temp(last_id, at));
    // A selection made elsewhere is brought into sight.
    let target = moved.then(|| state.core.library.row_of(selection)).flatten();
    let playing = state.stages.front.playback().and_then(|playback| playback.playing);
    let shown = state.stages.front.content.place();
    let textured = state.stages.texture_target(&state.core);
    let has_scene = state.stages.front.model().is_some();
    let starred = state.favourites.starred(&state.core);
    let state = &*state;
    let library = &state.core.library;
    let rows = library.listed();
    if rows.is_empty() {
        return empty(ui, "No entry matches the filter.");
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    egui::ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
        if let Some(index) = target {
            let y = ui.min_rect().top() + (index as f32 - range.start as f32) * theme::ROW;
            let rect = Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, theme::ROW));
            if !ui.clip_rect().y_range().contains(rect.center().y) {
                ui.scroll_to_rect(rect, Some(egui::Align::Center));
            }
        }
        for row in rows.get(range).unwrap_or_default() {
            let target = textured.as_ref();
            let view =
                RowView { p, state, row, library, selection, playing, shown, target, has_scene, starred: &starred };
            row::show(ui, &view, commands);
        }
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

fn empty(ui: &mut Ui, text: &str) {
    let p = theme::palette(ui);
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        ui.set_max_width(180.0);
        ui.label(egui::RichText::new(text).color(p.weak));
    });
}

fn filter_bar(
    ui: &mut Ui,
    p: &Palette,
    filter: &str,
    count: Option<usize>,
    focus: &mut bool,
    commands: &mut Vec<Command>,
) {
    let mut text = filter.to_owned();
    let (mut is_entered, mut goes_down) = (false, false);
    egui::Frame::new().fill(p.field).corner_radius(4).inner_margin(egui::Margin::symmetric(8, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new(icon::FUNNEL).color(p.weak));
            let width = (ui.available_width() - 64.0 - COLLAPSE).max(40.0);
            let edit = filter_field::edit(&mut text).hint_text("Filter").frame(egui::Frame::NONE).desired_width(width);
            let field = filter_field::with_hint(ui.add(edit));
            field.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Filter the library"));
            if std::mem::take(focus) {
                field.request_focus();
            }
            if filter_field::is_given_up(ui, &field) {
                text.clear();
            }
            // Enter leaves the field, as everywhere.
            is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            goes_down = filter_field::leaves_for_list(ui, &field);
            let rest = vec2((ui.available_width() - COLLAPSE).max(0.0), ui.available_height());
            ui.allocate_ui_with_layout(rest, egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if let Some(count) = count {
                    let tip = if filter.is_empty() { "Entries in the open files" } else { "Matching entries" };
                    let count = egui::RichText::new(grouped(count)).size(theme::SMALL).color(p.weak);
                    ui.label(count).on_hover_text(tip);
                }
                if !filter.is_empty() {
                    let clear = ui.add(egui::Button::new(icon::X).frame(false).small());
                    clear.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Clear filter"));
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
    if is_entered || goes_down && !filter.is_empty() {
        commands.push(Command::Selection(SelectionCommand::FirstFound));
    } else if goes_down {
        commands.push(Command::Selection(SelectionCommand::Next(0)));
    }
}
