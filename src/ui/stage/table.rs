//! All entries of a file as a flat list that sorts by any column. Only the visible rows are built.

use crate::{
    formats::{Content, EntryId, Value},
    library::OpenFile,
    ui::{
        command::{Command, SelectionCommand, StageCommand},
        query::{EntryQuery, Query},
        state::{FileId, Place, State, folder_name},
        theme,
        widgets::{
            columns::{self, Sort},
            empty, entry_icon, filter_field,
            numbers::grouped,
            put::{self, put_text},
            rows::Rows,
        },
    },
};
use egui::{Align, FontId, Layout, Rect, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    sort: Sort<Column>,
    /// What the rows were made for.
    made_for: Option<(FileId, u64, String, Sort<Column>)>,
    rows: Vec<EntryId>,
    /// The rows as the keys are given them, once they were.
    list: Option<Arc<[Place]>>,
}

const COLUMNS: [columns::Column<Column>; 6] = [
    (Column::Number, "#", -0.07, true),
    (Column::Path, "Path", -0.39, false),
    (Column::Class, "Class", -0.17, false),
    (Column::Offset, "Offset", -0.11, true),
    (Column::Size, "Size", -0.10, true),
    (Column::Flags, "Flags", -0.16, false),
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
                let edit = filter_field::show(ui, &mut view.filter, "Filter", 180.0, "Filter the entries");
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
    }

    /// The rows for keys to go through.
    fn list(&mut self, file: FileId) -> Arc<[Place]> {
        let places = || self.rows.iter().map(|entry| Place { file, entry: *entry }).collect();
        self.list.get_or_insert_with(places).clone()
    }

    /// Makes the rows anew where something changed; says whether it did.
    fn make_rows(&mut self, id: FileId, file: &OpenFile) -> bool {
        let outline = file.document.outline();
        let key = (id, file.reading, self.filter.clone(), self.sort);
        if self.made_for.as_ref() == Some(&key) {
            return false;
        }
        self.list = None;
        self.query = Query::of(&self.filter);
        let folder = folder_name(&file.path);
        let mut asked = EntryQuery::new(&self.query, outline, &file.name, &folder);
        let entries = outline.entries().iter().skip(1);
        let mut found: Vec<&crate::formats::Entry> = entries.filter(|entry| asked.finds_path(entry)).collect();
        match self.sort.by {
            Column::Number => {}
            Column::Path => found.sort_by_cached_key(|e| e.path().to_lowercase()),
            Column::Class => found.sort_by_cached_key(|e| (e.class.to_lowercase(), e.path().to_lowercase())),
            Column::Offset => found.sort_by_key(|e| e.offset),
            Column::Size => found.sort_by_key(|e| e.size),
            Column::Flags => found.sort_by_cached_key(|e| flags(file, e.id).0),
        }
        if self.sort.descending {
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

fn cells(row: Rect) -> impl Iterator<Item = Rect> {
    columns::cells(&COLUMNS, row.shrink2(vec2(2.0, 0.0)))
}

fn header(ui: &mut Ui, view: &mut EntriesView) {
    let rect = columns::heads(ui);
    ui.painter().rect_filled(rect, 4.0, theme::palette(ui).field);
    for (column, cell) in COLUMNS.iter().zip(cells(rect)) {
        columns::head(ui, cell, column, &mut view.sort);
    }
}

fn rows(ui: &mut Ui, place: Place, file: &OpenFile, view: &mut EntriesView, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let nothing = Query::default();
    let mut clicked = false;
    // Each file's list is scrolled on its own. The selected row stays in view when the rows change.
    let list = Rows::new(("entries", place.file), view.rows.len()).striped().without_keys();
    let list = list.follow(ui, (place, &view.filter, view.sort), || view.rows.iter().position(|e| *e == place.entry));
    list.show(ui, |ui, row| {
        let Some(entry) = file.entry(view.rows[row.index]) else { return };
        let response = row.selectable(ui, entry.id == place.entry, &entry.path());
        let texts = [
            grouped(entry.id.0 as usize),
            entry.path().into_owned(),
            entry.class.to_string(),
            format!("0x{:X}", entry.offset),
            grouped(entry.size as usize),
            flags(file, entry.id).1,
        ];
        for (((column, _, _, right), mut cell), text) in COLUMNS.into_iter().zip(cells(row.rect)).zip(texts) {
            if column == Column::Path {
                let (sign, color) = entry_icon::of(entry, &p);
                put_text(ui, cell, Align::Min, color, RichText::new(sign).size(14.0));
                cell.min.x += 20.0;
            }
            let font = if right { FontId::monospace(12.0) } else { FontId::proportional(theme::BODY) };
            let color = if matches!(column, Column::Flags | Column::Number) { p.weak } else { p.text };
            let is_searched = matches!(column, Column::Path | Column::Class);
            let query = if is_searched { &view.query } else { &nothing };
            let align = if right { Align::Max } else { Align::Min };
            put_text(ui, cell, align, color, put::marked_line(&text, query, font, color, &p));
        }
        let at = Place { file: place.file, entry: entry.id };
        if response.double_clicked() && !matches!(entry.content, Content::None | Content::Bytes) {
            commands.push(Command::Stage(StageCommand::Show(at)));
        } else if response.clicked() {
            commands.push(Command::Selection(SelectionCommand::Select(at)));
            clicked = true;
        }
    });
    if clicked {
        commands.push(Command::Selection(SelectionCommand::TakeList(view.list(place.file))));
    }
}
