//! The search through all scripts: a field, and the lines that have what was looked for.

use crate::{
    library::{ScriptMatch, ScriptQuery},
    ui::{
        command::{Command, ScriptsCommand},
        state::{FileId, ScriptSearch, State},
        theme,
        widgets::{
            empty,
            numbers::{counted, grouped},
            put::put_text,
            rows::{Row, Rows, Step},
        },
    },
};
use egui::{
    Align, FontId, Key, Layout, RichText, TextEdit, Ui, WidgetInfo, WidgetType,
    text::{LayoutJob, TextFormat},
};
use egui_phosphor::regular as icon;

/// Width of class and line number, in points.
const PLACE: f32 = 220.0;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct ScriptsView {
    query: ScriptQuery,
    /// The field had the keyboard for this turn.
    focused: u64,
    /// The row that keys go on from.
    cursor: Option<usize>,
    made_for: u64,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ScriptsView, commands: &mut Vec<Command>) {
    let search = &state.lookups.scripts;
    if view.made_for != search.turn {
        view.made_for = search.turn;
        view.cursor = None;
        view.query = search.query.clone();
    }
    egui::Frame::new().inner_margin(8.0).show(ui, |ui| {
        field(ui, search, view, commands);
        ui.add_space(4.0);
        summary(ui, search, commands);
        ui.add_space(4.0);
        if search.found.is_empty() {
            let (title, sentence) = match search.work {
                _ if search.query.is_empty() => {
                    ("Search in scripts", "Type a word to search the source of all classes in the open files.")
                }
                Some(_) => ("Searching…", "Results will appear here."),
                None => ("No results", "No script in the open files matches."),
            };
            empty::show(ui, icon::MAGNIFYING_GLASS, title, sentence);
        } else {
            rows(ui, state, view, commands);
        }
    });
}

fn field(ui: &mut Ui, search: &ScriptSearch, view: &mut ScriptsView, commands: &mut Vec<Command>) {
    let before = view.query.clone();
    ui.horizontal(|ui| {
        let hint = format!("{}  Search all scripts", icon::MAGNIFYING_GLASS);
        let width = (ui.available_width() - 260.0).clamp(120.0, 480.0);
        let edit = ui.add(TextEdit::singleline(&mut view.query.words).hint_text(hint).desired_width(width));
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search all scripts"));
        if view.focused != search.focus {
            view.focused = search.focus;
            edit.request_focus();
        }
        if edit.has_focus()
            && let Some(step) = Step::pressed_in_field(ui)
        {
            view.cursor = step.row_after(view.cursor, search.found.len()).or(view.cursor);
        }
        if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) && !search.found.is_empty() {
            commands.push(Command::Scripts(ScriptsCommand::GoTo(view.cursor.unwrap_or(0))));
        }
        for (on, sign, name) in [
            (&mut view.query.case, "Aa", "Match case"),
            (&mut view.query.whole_word, "[ab]", "Match whole words"),
            (&mut view.query.code, "0F", "Include disassembly"),
        ] {
            let toggle = ui.add(egui::Button::new(RichText::new(sign).monospace()).selected(*on)).on_hover_text(name);
            toggle.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, *on, name));
            if toggle.clicked() {
                *on = !*on;
            }
        }
    });
    if view.query != before {
        commands.push(Command::Scripts(ScriptsCommand::Search(view.query.clone())));
    }
}

/// How much was found, and how far the search is.
fn summary(ui: &mut Ui, search: &ScriptSearch, commands: &mut Vec<Command>) {
    if search.query.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        let lines = counted(search.found.len(), "line");
        let more = if search.is_cut() { " or more" } else { "" };
        let classes = counted(search.classes, "class");
        let text = format!("{lines}{more}; searched {classes} in {}", counted(search.files.0, "file"));
        let label = ui.label(theme::figures(text.clone()).weak());
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, text.as_str()));
        if search.cancelled {
            ui.weak("· stopped");
        }
        if search.work.is_some() {
            ui.spinner();
            ui.weak(format!("of {}", grouped(search.files.1)));
            let stop = ui.small_button("Stop");
            stop.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Stop the search"));
            if stop.clicked() {
                commands.push(Command::Scripts(ScriptsCommand::Cancel));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.weak("↓ ↑ to select · Enter to open");
        });
    });
}

fn rows(ui: &mut Ui, state: &State, view: &mut ScriptsView, commands: &mut Vec<Command>) {
    let search = &state.lookups.scripts;
    let rows = Rows::new("scripts", search.found.len()).striped().follow(ui, view.cursor, || view.cursor);
    rows.show(ui, |ui, row| {
        let (file, found) = &search.found[row.index];
        let is_current = view.cursor.or(search.current) == Some(row.index);
        if show_row(ui, row, state, *file, found, is_current) {
            view.cursor = Some(row.index);
            commands.push(Command::Scripts(ScriptsCommand::GoTo(row.index)));
        }
    });
}

/// Draws a result. Returns true if it was clicked.
fn show_row(ui: &Ui, row: &Row<'_>, state: &State, file: FileId, found: &ScriptMatch, is_current: bool) -> bool {
    let p = theme::palette(ui);
    let open = state.core.file(file);
    let name = open.map(|open| open.name.as_str()).unwrap_or_default();
    let class = open.and_then(|open| open.entry(found.entry)).map(|entry| entry.name.to_string()).unwrap_or_default();
    let line = found.line + 1;
    let response = row.selectable(ui, is_current, &format!("{name}, {class}, line {line}: {}", found.text));
    let width = row.rect.width();
    let place = PLACE.min(width * 0.4);
    let mut job = LayoutJob::default();
    job.append(&class, 0.0, TextFormat::simple(FontId::proportional(theme::BODY), p.text));
    job.append(name, 8.0, TextFormat::simple(FontId::proportional(theme::SMALL), p.weak));
    put_text(ui, row.span(8.0, width - (place - 48.0).max(28.0)), Align::Min, p.text, job);
    let code = FontId::monospace(12.0);
    let number = if found.part == 0 { grouped(line) } else { format!("code {}", grouped(line)) };
    put_text(ui, row.span(0.0, width - place), Align::Max, p.weak, RichText::new(number).font(code.clone()));
    let mut job = LayoutJob::default();
    let marked = TextFormat { background: p.accent_soft, ..TextFormat::simple(code.clone(), p.strong) };
    let plain = TextFormat::simple(code, p.text);
    let (text, shown) = (found.text.as_str(), &found.shown);
    job.append(text.get(..shown.start).unwrap_or_default(), 0.0, plain.clone());
    job.append(text.get(shown.clone()).unwrap_or_default(), 0.0, marked);
    job.append(text.get(shown.end..).unwrap_or_default(), 0.0, plain);
    put_text(ui, row.span(place + 16.0, 8.0), Align::Min, p.text, job);
    response.on_hover_text(&found.text).clicked()
}
