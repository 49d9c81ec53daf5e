//! The typed fields of the selected entry: lines that fold, and tables among them.

use crate::{
    formats::{Entry, FieldTree, Reference, SharedText},
    ui::{
        command::{BytesCommand, Command, SelectionCommand, WindowCommand},
        query::Filter,
        state::Place,
        widgets::{
            field_json,
            field_lines::{self, Folds, Line, Rows, is_records},
            field_path::{self, FieldPath},
            field_row, filter_field, numbers, record_table,
            subject::Subject,
            value_text,
        },
    },
};
use egui::{Align, Button, Id, Key, Label, Layout, Rect, RichText, Sense, TextEdit, Ui, UiBuilder, pos2, vec2};
use egui_phosphor::regular as icon;
use std::{collections::HashMap, ops::Range};

/// Height of the bar above a table's rows, in points.
const TABLE_BAR: f32 = 28.0;

/// Space that a table leaves below itself.
const TABLE_SPACE: f32 = 8.0;

/// What the fields remember between frames.
#[derive(Default)]
pub struct PropertiesView {
    place: Option<Place>,
    /// Of the open files when the lines were laid out.
    revision: u64,
    search: Filter,
    /// By class, so that one bone opens as the last one was left.
    folds: HashMap<SharedText, Folds>,
    selected: Option<FieldPath>,
    /// The bytes of `selected`: when others are marked, another panel marked them.
    selected_bytes: Option<Range<u64>>,
    lines: Vec<Line>,
    /// Top of each line, and the bottom of the last.
    tops: Vec<f32>,
    stale: bool,
    /// Body height that the lines were laid out for.
    table_height: f32,
    scroll_to: Option<FieldPath>,
    /// Text of the row boxes, by table.
    row_texts: HashMap<FieldPath, String>,
}

/// Notices that another entry is selected, and takes over bytes that the byte view has marked.
pub fn follow(view: &mut PropertiesView, subject: &Subject<'_>, entry: &Entry, tree: Option<&FieldTree>) {
    if view.place != Some(subject.place) {
        view.place = Some(subject.place);
        view.selected = None;
        view.selected_bytes = None;
        view.row_texts.clear();
        view.folds.entry(entry.class.clone()).or_default().open_rows.clear();
        view.stale = true;
    }
    if view.revision != subject.revision {
        // The file may have been read anew.
        view.revision = subject.revision;
        view.stale = true;
    }
    if let Some(tree) = tree {
        follow_marked_bytes(view, subject, entry, tree);
    }
}

/// Shows the fields. `panel_height` is what the section has in sight at most, in points.
pub fn show(
    ui: &mut Ui,
    subject: &Subject<'_>,
    entry: &Entry,
    tree: &FieldTree,
    panel_height: f32,
    view: &mut PropertiesView,
    commands: &mut Vec<Command>,
) {
    if !tree.fields.is_empty() {
        search_box(ui, view);
    }
    // A table may take most of the panel, but the lines around it stay in sight.
    let table_height = (panel_height * 0.62).clamp(120.0, 640.0).round();
    if view.stale || view.table_height != table_height {
        view.table_height = table_height;
        let folds = view.folds.entry(entry.class.clone()).or_default();
        view.lines = field_lines::lines(tree, folds, view.search.query());
        view.tops = tops(&view.lines, table_height);
        view.stale = false;
    }
    if view.lines.is_empty() {
        let sentence = if tree.fields.is_empty() {
            "This entry has no fields. To see its contents, expand it in the library."
        } else {
            "No field matches the filter."
        };
        ui.add(Label::new(RichText::new(sentence).weak()).wrap());
        return;
    }
    shown_lines(ui, subject, entry, tree, view, commands);
}

fn search_box(ui: &mut Ui, view: &mut PropertiesView) {
    let edit = filter_field::show(ui, &mut view.search.text, "Filter fields", f32::INFINITY, "Filter fields");
    if filter_field::is_given_up(ui, &edit) {
        view.search.text.clear();
        view.stale = true;
    }
    view.stale |= edit.changed();
}

/// Takes over bytes that the byte view has marked.
fn follow_marked_bytes(view: &mut PropertiesView, subject: &Subject<'_>, entry: &Entry, tree: &FieldTree) {
    if view.selected_bytes.as_ref() == subject.selected_bytes {
        return;
    }
    view.selected_bytes = subject.selected_bytes.cloned();
    view.selected = subject.selected_bytes.and_then(|bytes| field_path::owner(tree, bytes.start));
    if let Some(path) = &view.selected {
        view.folds.entry(entry.class.clone()).or_default().reveal(tree, path);
        // The object's card at the top says what the row does.
        view.scroll_to = subject.slot.is_none().then(|| path.clone());
        view.search.text.clear();
    }
    view.stale = true;
}

fn table_body_height(rows: &Rows, table_height: f32) -> f32 {
    (rows.table.len() as f32 * record_table::ROW_HEIGHT).min(table_height)
}

fn line_height(line: &Line, table_height: f32) -> f32 {
    field_row::ROW_HEIGHT
        + line.table.as_ref().map_or(0.0, |rows| {
            // Header, the rows, and the horizontal bar.
            TABLE_BAR + record_table::ROW_HEIGHT + table_body_height(rows, table_height) + 12.0 + TABLE_SPACE
        })
}

fn tops(lines: &[Line], table_height: f32) -> Vec<f32> {
    let mut tops = Vec::with_capacity(lines.len() + 1);
    let mut y = 0.0;
    for line in lines {
        tops.push(y);
        y += line_height(line, table_height);
    }
    tops.push(y);
    tops
}

fn shown_lines(
    ui: &mut Ui,
    subject: &Subject<'_>,
    entry: &Entry,
    tree: &FieldTree,
    view: &mut PropertiesView,
    commands: &mut Vec<Command>,
) {
    let total = view.tops.last().copied().unwrap_or_default();
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), total), Sense::hover());
    let scroll_to = view.scroll_to.take();
    if let Some(path) = &scroll_to {
        // The line itself, or the table that its row lies in.
        let found = view.lines.iter().rposition(|line| path.starts_with(&line.path));
        if let Some((top, _)) = found.and_then(|i| Some((*view.tops.get(i)?, ()))) {
            let rect = Rect::from_min_size(pos2(area.left(), area.top() + top), vec2(1.0, field_row::ROW_HEIGHT));
            ui.scroll_to_rect(rect.expand2(vec2(0.0, 8.0)), None);
        }
    }
    let visible = ui.clip_rect();
    let first = view.tops.partition_point(|top| area.top() + top < visible.top()).saturating_sub(1);
    let lines = std::mem::take(&mut view.lines);
    for (index, line) in lines.iter().enumerate().skip(first) {
        let Some(top) = view.tops.get(index).map(|top| area.top() + top) else { break };
        if top > visible.bottom() {
            break;
        }
        let rect = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), field_row::ROW_HEIGHT));
        let is_selected = view.selected.as_ref() == Some(&line.path);
        let done = field_row::show(ui, rect, line, is_selected);
        if let Some(response) = done.response {
            let response = response.on_hover_ui_at_pointer(|ui| tip(ui, line));
            let mut is_toggled = false;
            response.context_menu(|ui| is_toggled = menu(ui, tree, line, line.table.is_some(), commands));
            if is_toggled {
                view.folds.entry(entry.class.clone()).or_default().toggle_table(&line.path);
                view.stale = true;
            }
        }
        if done.toggled {
            view.folds.entry(entry.class.clone()).or_default().toggle(&line.path);
            view.stale = true;
        }
        if let Some(reference) = done.followed {
            go_to(subject, &reference, commands);
        } else if done.selected && !done.toggled {
            select(view, line.path.clone(), line.field.offset..line.field.offset + line.field.size, commands);
        }
        if let Some(rows) = &line.table {
            let below = Rect::from_min_max(
                pos2(rect.left() + 4.0, rect.bottom()),
                pos2(rect.right(), top + line_height(line, view.table_height) - TABLE_SPACE),
            );
            let builder = UiBuilder::new().max_rect(below).id_salt(("table", &line.path));
            ui.scope_builder(builder, |ui| {
                table(ui, subject, entry, line, rows, view, scroll_to.as_ref(), commands);
            });
        }
    }
    view.lines = lines;
    if view.stale {
        ui.ctx().request_repaint();
    }
}

#[expect(clippy::too_many_arguments, reason = "drawing a table requires the state of the list that contains the table")]
fn table(
    ui: &mut Ui,
    subject: &Subject<'_>,
    entry: &Entry,
    line: &Line,
    rows: &Rows,
    view: &mut PropertiesView,
    scroll_to: Option<&FieldPath>,
    commands: &mut Vec<Command>,
) {
    let row_in = |path: &FieldPath| path.strip_prefix(line.path.as_slice()).and_then(|rest| rest.first().copied());
    let mut scroll_row = scroll_to.and_then(row_in);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), TABLE_BAR), Layout::left_to_right(Align::Center), |ui| {
        ui.label(RichText::new("Go to row").weak());
        let text = view.row_texts.entry(line.path.clone()).or_default();
        let edit = ui.add(TextEdit::singleline(text).desired_width(64.0).hint_text("0").id(Id::new((
            "row box",
            subject.place,
            &line.path,
        ))));
        let name = format!("Row of {}", line.field.name);
        edit.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, name.as_str()));
        ui.label(RichText::new(format!("of {}", numbers::grouped(rows.table.len() as u64))).weak());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let name = format!("Copy {} as CSV", line.field.name);
            let copy = ui.add(Button::new(icon::TABLE).frame(false)).on_hover_text("Copy as CSV");
            copy.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, name.as_str()));
            if copy.clicked() {
                commands.push(Command::Bytes(BytesCommand::CopyRecords(subject.place, line.path.clone())));
            }
        });
        if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            scroll_row = text.trim().replace(',', "").parse().ok().filter(|row| *row < rows.table.len());
        }
    });
    let jumped = scroll_row.filter(|_| scroll_to.is_none());
    let shown = record_table::View {
        name: line.field.name.as_ref(),
        selected: view.selected.as_ref().and_then(row_in),
        scroll_to: scroll_row,
        body_height: table_body_height(rows, view.table_height),
    };
    let clicked = record_table::show(ui, rows.table.as_ref(), &rows.columns, &shown);
    let row = match clicked {
        Some(record_table::Clicked::Link(reference)) => {
            go_to(subject, &reference, commands);
            return;
        }
        Some(record_table::Clicked::Row(row)) => Some(row),
        None => jumped,
    };
    if let Some((index, row)) = row.and_then(|index| Some((index, rows.table.row(index)?))) {
        view.folds.entry(entry.class.clone()).or_default().open_rows.insert(line.path.clone(), index);
        view.stale = true;
        let mut path = line.path.clone();
        path.push(index);
        select(view, path, row.offset..row.offset + row.size, commands);
    }
}

fn select(view: &mut PropertiesView, path: FieldPath, bytes: Range<u64>, commands: &mut Vec<Command>) {
    let bytes = (bytes.end > bytes.start).then_some(bytes);
    view.selected = Some(path);
    view.selected_bytes = bytes.clone();
    commands.push(Command::Selection(SelectionCommand::Bytes(bytes)));
}

fn go_to(subject: &Subject<'_>, reference: &Reference, commands: &mut Vec<Command>) {
    commands.push(match reference.entry {
        Some(entry) => Command::Selection(SelectionCommand::Select(Place { file: subject.place.file, entry })),
        None => Command::Selection(SelectionCommand::Follow(subject.place.file, reference.clone())),
    });
}

fn tip(ui: &mut Ui, line: &Line) {
    ui.label(RichText::new(line.field.name.as_ref()).strong());
    let value = value_text::whole(&line.field.value);
    if !value.is_empty() {
        let shown: String = value.chars().take(400).collect();
        ui.label(shown);
    }
    let bytes = numbers::counted(usize::try_from(line.field.size).unwrap_or(usize::MAX), "byte");
    ui.label(RichText::new(format!("{}  ·  {bytes} at 0x{:X}", line.field.kind, line.field.offset)).weak());
}

/// What can be done with a field; says whether its records are to be shown the other way, as a table or as fields.
fn menu(ui: &mut Ui, tree: &FieldTree, line: &Line, is_table: bool, commands: &mut Vec<Command>) -> bool {
    let mut copy = |ui: &mut Ui, glyph: &str, name: &str, text: &dyn Fn() -> Option<String>| {
        if ui.button(format!("{glyph}  {name}")).clicked() {
            commands.extend(text().map(|it| Command::Window(WindowCommand::Copy(it))));
            ui.close();
        }
    };
    if !matches!(line.field.value, crate::formats::Value::None) {
        copy(ui, icon::COPY, "Copy value", &|| Some(value_text::whole(&line.field.value)));
    }
    copy(ui, icon::BRACKETS_CURLY, "Copy as JSON", &|| {
        let field = field_path::at(tree, &line.path)?;
        serde_json::to_string_pretty(&field_json::json_of(&field)).ok()
    });
    copy(ui, icon::HASH, "Copy offset", &|| Some(format!("0x{:X}", line.field.offset)));
    copy(ui, icon::PATH, "Copy field path", &|| Some(field_path::names(tree, &line.path)));
    let has_records = line.open.is_some() && field_path::at(tree, &line.path).is_some_and(|field| is_records(&field));
    let name = if is_table { "Show as fields" } else { "Show as a table" };
    let is_toggled = has_records && ui.button(format!("{}  {name}", icon::TABLE)).clicked();
    if is_toggled {
        ui.close();
    }
    is_toggled
}
