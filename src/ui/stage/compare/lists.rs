//! The entries of two files, and the files of two folders.

use crate::ui::stage::compare::signs;
use crate::{
    formats::EntryId,
    library::{
        OpenFile,
        compare::{EntryPair, FilePair, State as Differs},
    },
    ui::{
        command::{Command, CompareCommand},
        state::{ComparedFolders, Comparing},
        theme,
        widgets::{
            numbers::{counted, grouped},
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, CursorIcon, RichText, Ui};

/// The contents of a row.
struct Line<'a> {
    state: Differs,
    text: &'a str,
    /// Stands at the right end.
    note: &'a str,
    is_chosen: bool,
    /// A click leads somewhere.
    leads_on: bool,
}

pub fn entries(
    ui: &mut Ui,
    comparing: &Comparing,
    (left, right): (&OpenFile, &OpenFile),
    all: &[EntryPair],
    commands: &mut Vec<Command>,
) {
    list(ui, "compared entries", &comparing.listed, |ui, row, at| {
        let Some(pair) = all.get(at) else { return };
        let (of_left, of_right) = (name(left, pair.left), name(right, pair.right));
        let text = match (pair.state, of_left, of_right) {
            (_, Some(from), Some(to)) if from != to => format!("{from} → {to}"),
            (_, from, to) => from.or(to).unwrap_or_default(),
        };
        let is_chosen = comparing.chosen == Some(at);
        if show(ui, row, &Line { state: pair.state, text: &text, note: "", is_chosen, leads_on: true }) {
            commands.push(Command::Compare(CompareCommand::Choose(at)));
        }
    });
}

pub fn files(ui: &mut Ui, folders: &ComparedFolders, commands: &mut Vec<Command>) {
    let troubles = &folders.found.troubles;
    if !troubles.is_empty() {
        let p = theme::palette(ui);
        let lines: Vec<String> = troubles.iter().take(20).map(|(file, why)| format!("{file}: {why}")).collect();
        let text = match troubles.len() {
            1 => "1 file cannot be read".to_owned(),
            count => format!("{} files cannot be read", grouped(count)),
        };
        ui.label(egui::RichText::new(text).color(p.warning)).on_hover_text(lines.join("\n"));
        ui.add_space(4.0);
    }
    list(ui, "compared files", &folders.listed, |ui, row, at| {
        let Some(pair) = folders.found.files.get(at) else { return };
        let text = match (&pair.left, &pair.right) {
            (Some(from), Some(to)) if from != to => format!("{from} → {to}"),
            (from, to) => from.clone().or_else(|| to.clone()).unwrap_or_default(),
        };
        let is_chosen = folders.chosen == Some(at);
        let leads_on = pair.left.is_some() && pair.right.is_some();
        if show(ui, row, &Line { state: pair.state, text: &text, note: &sizes(pair), is_chosen, leads_on }) {
            commands.push(Command::Compare(CompareCommand::Choose(at)));
        }
    });
}

/// `12 → 15 bytes`, `12 bytes`.
fn sizes(pair: &FilePair) -> String {
    match (pair.left_size, pair.right_size) {
        (Some(left), Some(right)) if left != right => format!("{} → {} bytes", grouped(left), grouped(right)),
        (left, right) => counted(left.or(right).unwrap_or_default() as usize, "byte"),
    }
}

fn list(ui: &mut Ui, id: &str, listed: &[usize], mut draw: impl FnMut(&Ui, &Row<'_>, usize)) {
    Rows::new(id, listed.len()).show(ui, |ui, row| draw(ui, row, listed[row.index]));
}

fn name(file: &OpenFile, id: Option<EntryId>) -> Option<String> {
    let entry = file.entry(id?)?;
    Some(if entry.id == EntryId::FILE { "whole file".to_owned() } else { entry.path().into_owned() })
}

/// Draws a row. Returns true if it was clicked.
fn show(ui: &Ui, row: &Row<'_>, line: &Line<'_>) -> bool {
    let p = theme::palette(ui);
    let response = row.selectable(ui, line.is_chosen, &format!("{}: {}", line.state.word(), line.text));
    let (sign, color) = signs::of(line.state, &p);
    let sign = RichText::new(sign).monospace().size(14.0);
    put_text(ui, row.span(0.0, row.rect.width() - 24.0), Align::Center, color, sign);
    let note = RichText::new(signs::drawn(line.note)).size(theme::SMALL);
    let width = put_text(ui, row.span(0.0, 8.0), Align::Max, p.weak, note);
    let color = if line.leads_on { p.text } else { color };
    put_text(ui, row.span(26.0, width + 16.0), Align::Min, color, signs::drawn(line.text));
    let only = match line.state {
        Differs::Added => "\nOnly in the right file.",
        Differs::Gone => "\nOnly in the left file.",
        Differs::Same | Differs::Changed | Differs::Moved => "",
    };
    let response = if line.leads_on { response.on_hover_cursor(CursorIcon::PointingHand) } else { response };
    response.on_hover_text(format!("{}{only}", line.text)).clicked()
}
