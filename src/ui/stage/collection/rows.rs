//! What was found in the collection as rows, in sections where that is asked for.

use crate::ui::stage::collection::{
    menu::menu,
    row::{self, ROW, ResultRow},
    sections::{self, Grouping, HEADER, Section},
};
use crate::{
    library::collection::{Row, RowIndex, marks},
    ui::{
        command::{CollectionCommand, Command},
        state::{CollectionFound, State},
        widgets::rows::{Rows, Tops},
    },
};
use egui::Ui;

/// The rows in their order.
#[derive(Default)]
pub struct ResultRows {
    made_for: Option<(u64, Grouping)>,
    /// Into what was found.
    order: Vec<usize>,
    sections: Vec<Section>,
    shown: Vec<Line>,
    tops: Tops,
}

/// A line: a section's name, or a result by its place in the order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Section(usize),
    Result(usize),
}

impl ResultRows {
    /// Puts what was found in order, where that is another search or another grouping.
    pub fn follow(&mut self, found: &CollectionFound, by: Grouping) {
        if self.made_for == Some((found.turn, by)) {
            return;
        }
        self.made_for = Some((found.turn, by));
        self.order = (0..found.len()).collect();
        self.sections = sections::group(&mut self.order, by, &found.catalog, |index| Some(of(found, index)?.1));
        self.shown = match self.sections.is_empty() {
            true => (0..self.order.len()).map(Line::Result).collect(),
            false => {
                let mut next = 0;
                let mut shown = Vec::with_capacity(self.order.len() + self.sections.len());
                for (number, section) in self.sections.iter().enumerate() {
                    shown.push(Line::Section(number));
                    shown.extend((next..next + section.count).map(Line::Result));
                    next += section.count;
                }
                shown
            }
        };
        self.tops = Tops::of(self.shown.iter().map(|line| match line {
            Line::Section(_) => HEADER,
            Line::Result(_) => ROW,
        }));
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// What stands at a place of the order, into what was found.
    pub fn at(&self, place: usize) -> Option<usize> {
        self.order.get(place).copied()
    }
}

/// What a result is of.
fn of(found: &CollectionFound, index: usize) -> Option<(RowIndex, Row<'_>)> {
    let line = index.checked_sub(found.hits.len()).and_then(|at| found.lines.get(at));
    let hit = found.hits.get(index).map(|hit| hit.row);
    let row = hit.or_else(|| line.and_then(|line| found.catalog.row_of(line.file, line.entry)))?;
    Some((row, found.catalog.row(row)?))
}

/// Draws the rows in sight; `cursor` is the one that keys go on from, by its place in the order.
pub fn show(ui: &mut Ui, state: &State, rows: &ResultRows, cursor: &mut Option<usize>, commands: &mut Vec<Command>) {
    let collection = &state.collection;
    let found = &collection.search.found;
    let place_of = |at: usize| rows.shown.iter().position(|line| *line == Line::Result(at));
    let list = Rows::new("collection", rows.shown.len()).tops(&rows.tops).striped();
    list.follow(ui, *cursor, || cursor.and_then(place_of)).show(ui, |ui, at| {
        let place = match rows.shown[at.index] {
            Line::Result(place) => place,
            Line::Section(section) => return sections::header(ui, at, &rows.sections[section]),
        };
        let Some(index) = rows.at(place) else { return };
        let Some((row_index, of)) = of(found, index) else { return };
        let line = index.checked_sub(found.hits.len()).and_then(|at| found.lines.get(at));
        let known = match line {
            Some(line) => format!("{}: {}", line.line.saturating_add(1), line.text),
            None => row::known(&of),
        };
        let shown = ResultRow {
            of: &of,
            known: &known,
            reason: "",
            way: &row::way(&found.catalog, &of),
            marks: marks(&found.query, of.name),
            is_current: *cursor == Some(place),
            is_gone: found.catalog.file(of.file).is_some_and(|file| collection.is_gone(&file.path)),
        };
        let response = row::show(ui, at, &shown);
        let open = Command::Collection(CollectionCommand::Open(index));
        if response.clicked() {
            *cursor = Some(place);
            commands.push(open.clone());
        }
        response.context_menu(|ui| menu(ui, state, (&found.catalog, row_index), ("Open", open), commands));
    });
}
