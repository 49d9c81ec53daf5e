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
        widgets::numbers::{counted, grouped},
    },
};
use egui::{
    Align2, Color32, CursorIcon, FontId, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2,
    text::{LayoutJob, TextWrapping},
    vec2,
};

/// One row of a list.
struct Row<'a> {
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
    list(ui, "compared entries", &comparing.listed, |ui, at| {
        let Some(pair) = all.get(at) else { return };
        let (of_left, of_right) = (name(left, pair.left), name(right, pair.right));
        let text = match (pair.state, of_left, of_right) {
            (_, Some(from), Some(to)) if from != to => format!("{from} → {to}"),
            (_, from, to) => from.or(to).unwrap_or_default(),
        };
        let is_chosen = comparing.chosen == Some(at);
        if row(ui, &Row { state: pair.state, text: &text, note: "", is_chosen, leads_on: true }) {
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
    list(ui, "compared files", &folders.listed, |ui, at| {
        let Some(pair) = folders.found.files.get(at) else { return };
        let text = match (&pair.left, &pair.right) {
            (Some(from), Some(to)) if from != to => format!("{from} → {to}"),
            (from, to) => from.clone().or_else(|| to.clone()).unwrap_or_default(),
        };
        let is_chosen = folders.chosen == Some(at);
        let leads_on = pair.left.is_some() && pair.right.is_some();
        if row(ui, &Row { state: pair.state, text: &text, note: &sizes(pair), is_chosen, leads_on }) {
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

fn list(ui: &mut Ui, id: &str, listed: &[usize], mut row: impl FnMut(&mut Ui, usize)) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical().auto_shrink(false).id_salt(id);
    area.show_rows(ui, theme::ROW, listed.len(), |ui, range| {
        listed.get(range).unwrap_or_default().iter().for_each(|at| row(ui, *at));
    });
}

fn name(file: &OpenFile, id: Option<EntryId>) -> Option<String> {
    let entry = file.entry(id?)?;
    Some(if entry.id == EntryId::FILE { "whole file".to_owned() } else { entry.path().into_owned() })
}

/// Draws a row; says whether it was clicked.
fn row(ui: &mut Ui, row: &Row<'_>) -> bool {
    let p = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let label = format!("{}: {}", row.state.word(), row.text);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, row.is_chosen, label.as_str()));
    let fill = match (row.is_chosen, response.hovered()) {
        (true, _) => p.accent_soft,
        (_, true) => p.hover,
        _ => Color32::TRANSPARENT,
    };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, fill);
    let (sign, color) = signs::of(row.state, &p);
    let middle = rect.center().y;
    let at = pos2(rect.left() + 12.0, middle);
    painter.text(at, Align2::CENTER_CENTER, sign, FontId::monospace(14.0), color);
    let small = FontId::proportional(theme::SMALL);
    let note =
        painter.text(pos2(rect.right() - 8.0, middle), Align2::RIGHT_CENTER, signs::drawn(row.note), small, p.weak);
    let color = if row.leads_on { p.text } else { color };
    let mut job = LayoutJob::simple_singleline(signs::drawn(row.text), FontId::proportional(theme::BODY), color);
    job.wrap = TextWrapping::truncate_at_width((note.left() - rect.left() - 34.0).max(16.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    painter.galley(pos2(rect.left() + 26.0, middle - galley.size().y / 2.0), galley, color);
    let only = match row.state {
        Differs::Added => "\nOnly in the right file.",
        Differs::Gone => "\nOnly in the left file.",
        Differs::Same | Differs::Changed | Differs::Moved => "",
    };
    let response = if row.leads_on { response.on_hover_cursor(CursorIcon::PointingHand) } else { response };
    response.on_hover_text(format!("{}{only}", row.text)).clicked()
}
