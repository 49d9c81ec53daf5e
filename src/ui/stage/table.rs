//! All entries of a file as a flat list that sorts by any column. Only the visible rows are built.

use crate::{
    formats::{Content, EntryId, Value},
    library::OpenFile,
    ui::{
        command::{Command, SelectionCommand, StageCommand},
        query::{EntryQuery, Query},
        state::{FileId, Place, State, folder_name},
        theme,
        widgets::numbers::grouped,
        widgets::{empty, entry_icon, filter_field, marked},
    },
};
use egui::{Align, Align2, FontId, Layout, Rect, RichText, Sense, Ui, pos2, vec2};
use egui_phosphor::regular as icon;
use std::{collections::HashMap, sync::Arc};

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Column {
    #[default]
    Number,
    Path,
    Class,
    Offset,
    Size,
    Flags,
}

/// What the panel remembers between frames.
#[derive(Default)]
pub struct EntriesView {
    filter: String,
    /// What the filter asks for.
    query: Query,
    column: Column,
    descending: bool,
    /// What the rows were made for.
    made_for: Option<(FileId, u64, String, Column, bool)>,
    rows: Vec<EntryId>,
    /// The rows as the keys are given them, once they were.
    list: Option<Arc<[Place]>>,
    /// The selection that was last brought into sight.
    followed: Option<Place>,
    /// The file that is listed, and how far each file's list is scrolled, in points.
    file: Option<FileId>,
    offsets: HashMap<FileId, f32>,
}

/// Columns from the left: title, share of the width, whether numbers stand at its right.
const COLUMNS: [(Column, &str, f32, bool); 6] = [
    (Column::Number, "#", 0.07, true),
    (Column::Path, "Path", 0.39, false),
    (Column::Class, "Class", 0.17, false),
    (Column::Offset, "Offset", 0.11, true),
    (Column::Size, "Size", 0.10, true),
    (Column::Flags, "Flags", 0.16, false),
];

pub fn show(ui: &mut Ui, state: &State, view: &mut EntriesView, commands: &mut Vec<Command>) {
    let place = state
        .core
        .selection
        .or_else(|| state.core.library.files.first().map(|f| Place { file: f.id, entry: EntryId::FILE }));
    let Some((place, file)) = place.and_then(|p| Some((p, state.core.file(p.file)?))) else {
        let sentence = "Open a file to list its entries here.";
        empty::show(ui, icon::LIST_BULLETS, "No entries", sentence);
        return;
    };
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        let mut goes_down = false;
        ui.horizontal(|ui| {
            ui.add(egui::Label::new(RichText::new(&file.name).strong()).selectable(false));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let shown = grouped(view.rows.len());
                let all = grouped(file.document.outline().entries().len().saturating_sub(1));
                ui.label(theme::figures(format!("{shown} of {all}")).weak());
                let edit = filter_field::edit(&mut view.filter).hint_text(format!("{} Filter", icon::FUNNEL));
                let edit = filter_field::with_hint(ui.add(edit.desired_width(180.0)));
                edit.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Filter the entries"));
                goes_down = filter_field::leaves_for_list(ui, &edit);
            });
        });
        ui.add_space(4.0);
        let in_hand = view.list.as_ref().zip(state.stages.list_of_stage());
        let was_in_hand = in_hand.is_some_and(|(own, taken)| Arc::ptr_eq(own, &taken));
        if view.make_rows(place.file, file) && was_in_hand {
            commands.push(Command::Selection(SelectionCommand::TakeList(view.list(place.file))));
        }
        if goes_down && let Some(first) = view.rows.first() {
            let entry = if view.rows.contains(&place.entry) { place.entry } else { *first };
            commands.push(Command::Selection(SelectionCommand::Select(Place { entry, ..place })));
            commands.push(Command::Selection(SelectionCommand::TakeList(view.list(place.file))));
        }
        header(ui, view);
        rows(ui, place, file, view, commands);
    });
}

impl EntriesView {
    /// Lets go of the list of a file that is closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        if self.made_for.as_ref().is_some_and(|(file, ..)| !is_open(*file)) {
            (self.made_for, self.list, self.rows) = (None, None, Vec::new());
        }
        self.offsets.retain(|file, _| is_open(*file));
    }

    /// The rows for keys to go through.
    fn list(&mut self, file: FileId) -> Arc<[Place]> {
        let places = || self.rows.iter().map(|entry| Place { file, entry: *entry }).collect();
        self.list.get_or_insert_with(places).clone()
    }

    /// Makes the rows anew where something changed; says whether it did.
    fn make_rows(&mut self, id: FileId, file: &OpenFile) -> bool {
        let outline = file.document.outline();
        let key = (id, file.reading, self.filter.clone(), self.column, self.descending);
        if self.made_for.as_ref() == Some(&key) {
            return false;
        }
        // What is selected stays in sight among the others.
        (self.list, self.followed) = (None, None);
        self.query = Query::of(&self.filter);
        let folder = folder_name(&file.path);
        let mut asked = EntryQuery::new(&self.query, outline, &file.name, &folder);
        let entries = outline.entries().iter().skip(1);
        let mut found: Vec<&crate::formats::Entry> = entries.filter(|entry| asked.finds_path(entry)).collect();
        match self.column {
            Column::Number => {}
            Column::Path => found.sort_by_cached_key(|e| e.path().to_lowercase()),
            Column::Class => found.sort_by_cached_key(|e| (e.class.to_lowercase(), e.path().to_lowercase())),
            Column::Offset => found.sort_by_key(|e| e.offset),
            Column::Size => found.sort_by_key(|e| e.size),
            Column::Flags => found.sort_by_cached_key(|e| flags(file, e.id).0),
        }
        if self.descending {
            found.reverse();
        }
        self.rows = found.iter().map(|e| e.id).collect();
        self.made_for = Some(key);
        true
    }
}

/// An entry's flags as a number and as words.
fn flags(file: &OpenFile, entry: EntryId) -> (u64, String) {
    match file.document.ask(entry, |can, entry| can.facts?.flags(entry)) {
        Some(Value::Flags { value, names }) => (value, names.join(" ")),
        _ => (0, String::new()),
    }
}

/// Where each column starts and ends.
fn cells(rect: Rect) -> impl Iterator<Item = Rect> {
    let mut left = rect.left();
    COLUMNS.into_iter().map(move |(_, _, share, _)| {
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(rect.width() * share, rect.height()));
        left = cell.right();
        cell.shrink2(vec2(6.0, 0.0))
    })
}

fn header(ui: &mut Ui, view: &mut EntriesView) {
    let p = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    ui.painter().rect_filled(rect, 4.0, p.field);
    for ((column, title, _, right), cell) in COLUMNS.into_iter().zip(cells(rect)) {
        let response = ui.interact(cell, ui.id().with(("entries", title)), Sense::click());
        let sorted = view.column == column;
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::WidgetType::Button, true, sorted, format!("Sort by {title}"))
        });
        let arrow = match (sorted, view.descending) {
            (false, _) => "",
            (true, false) => icon::CARET_UP,
            (true, true) => icon::CARET_DOWN,
        };
        let (at, align) = match right {
            true => (cell.right_center(), Align2::RIGHT_CENTER),
            false => (cell.left_center(), Align2::LEFT_CENTER),
        };
        let color = if sorted { p.strong } else { p.weak };
        ui.painter_at(cell).text(at, align, format!("{title} {arrow}"), FontId::proportional(theme::BODY), color);
        if response.clicked() {
            view.descending = sorted && !view.descending;
            view.column = column;
        }
    }
}

fn rows(ui: &mut Ui, place: Place, file: &OpenFile, view: &mut EntriesView, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let moved = view.followed != Some(place);
    view.followed = Some(place);
    let mut scroll = egui::ScrollArea::vertical().auto_shrink(false).id_salt("entries");
    let start = (view.file.replace(place.file) != Some(place.file))
        .then(|| view.offsets.get(&place.file).copied().unwrap_or_default());
    if let Some(start) = start {
        scroll = scroll.vertical_scroll_offset(start);
    }
    if moved && let Some(index) = view.rows.iter().position(|e| *e == place.entry) {
        let offset = index as f32 * theme::ROW;
        let seen = ui.data(|d| d.get_temp::<(f32, f32)>(ui.id().with("entries seen"))).unwrap_or((0.0, 0.0));
        let seen = start.map_or(seen, |start| (start, start + ui.available_height()));
        if offset < seen.0 || offset + theme::ROW > seen.1 {
            scroll = scroll.vertical_scroll_offset((offset - ui.available_height() / 2.0).max(0.0));
        }
    }
    let id = ui.id().with("entries seen");
    let nothing = Query::default();
    let mut clicked = false;
    let output = scroll.show_rows(ui, theme::ROW, view.rows.len(), |ui, range| {
        for (number, entry) in range.clone().zip(view.rows.get(range).unwrap_or_default()) {
            let Some(entry) = file.entry(*entry) else { continue };
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
            let selected = entry.id == place.entry;
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::WidgetType::SelectableLabel, true, selected, entry.path())
            });
            let painter = ui.painter_at(rect);
            if selected {
                painter.rect_filled(rect, 4.0, p.accent_soft);
            } else if response.hovered() {
                painter.rect_filled(rect, 4.0, p.hover);
            } else if number % 2 == 1 {
                painter.rect_filled(rect, 0.0, p.field.gamma_multiply(0.4));
            }
            let texts = [
                grouped(entry.id.0 as usize),
                entry.path().into_owned(),
                entry.class.to_string(),
                format!("0x{:X}", entry.offset),
                grouped(entry.size as usize),
                flags(file, entry.id).1,
            ];
            for (((column, _, _, right), cell), text) in COLUMNS.into_iter().zip(cells(rect)).zip(texts) {
                let mut cell = cell;
                if column == Column::Path {
                    let (sign, color) = entry_icon::of(entry, &p);
                    painter.text(cell.left_center(), Align2::LEFT_CENTER, sign, FontId::proportional(14.0), color);
                    cell.min.x += 20.0;
                }
                let font = if right { FontId::monospace(12.0) } else { FontId::proportional(theme::BODY) };
                let color = if matches!(column, Column::Flags | Column::Number) { p.weak } else { p.text };
                let is_searched = matches!(column, Column::Path | Column::Class);
                let query = if is_searched { &view.query } else { &nothing };
                let job = marked::line(&text, query, font, color, &p, cell.width());
                let galley = ui.fonts_mut(|f| f.layout_job(job));
                let x = if right { cell.right() - galley.size().x } else { cell.left() };
                painter.galley(pos2(x, cell.center().y - galley.size().y / 2.0), galley, color);
            }
            let at = Place { file: place.file, entry: entry.id };
            if response.double_clicked() && !matches!(entry.content, Content::None | Content::Bytes) {
                commands.push(Command::Stage(StageCommand::Show(at)));
            } else if response.clicked() {
                commands.push(Command::Selection(SelectionCommand::Select(at)));
                clicked = true;
            }
        }
    });
    if clicked {
        commands.push(Command::Selection(SelectionCommand::TakeList(view.list(place.file))));
    }
    let top = output.state.offset.y;
    view.offsets.insert(place.file, top);
    ui.data_mut(|d| d.insert_temp(id, (top, top + output.inner_rect.height())));
}
