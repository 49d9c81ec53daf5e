//! The search through all scripts: a field, and the lines that have what was looked for.

use crate::{
    library::{ScriptMatch, ScriptQuery},
    ui::{
        command::{Command, ScriptsCommand},
        state::{FileId, ScriptSearch, State},
        theme::{self, Palette},
        widgets::{
            empty,
            numbers::{counted, grouped},
        },
    },
};
use egui::{
    Align, Align2, FontId, Key, Layout, RichText, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, WidgetType, pos2,
    text::{LayoutJob, TextFormat},
    vec2,
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
        if edit.has_focus() {
            let by =
                ui.input(|i| isize::from(i.key_pressed(Key::ArrowDown)) - isize::from(i.key_pressed(Key::ArrowUp)));
            if by != 0 && !search.found.is_empty() {
                let last = search.found.len() as isize - 1;
                let at = view.cursor.map_or(if by > 0 { 0 } else { last }, |at| (at as isize + by).clamp(0, last));
                view.cursor = Some(at as usize);
            }
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
    let p = theme::palette(ui);
    let search = &state.lookups.scripts;
    ui.spacing_mut().item_spacing.y = 0.0;
    let moved = view.cursor.filter(|_| ui.input(|i| i.key_pressed(Key::ArrowDown) || i.key_pressed(Key::ArrowUp)));
    ScrollArea::vertical().auto_shrink(false).id_salt("scripts").show_rows(
        ui,
        theme::ROW,
        search.found.len(),
        |ui, range| {
            if let Some(at) = moved {
                let y = ui.min_rect().top() + (at as f32 - range.start as f32) * theme::ROW;
                let rect = egui::Rect::from_min_size(pos2(ui.min_rect().left(), y), vec2(1.0, theme::ROW));
                ui.scroll_to_rect(rect, None);
            }
            let first = range.start;
            for (index, (file, found)) in search.found.get(range).unwrap_or_default().iter().enumerate() {
                let index = first + index;
                let is_current = view.cursor.or(search.current) == Some(index);
                if row(ui, &p, state, *file, found, is_current, index % 2 == 1) {
                    view.cursor = Some(index);
                    commands.push(Command::Scripts(ScriptsCommand::GoTo(index)));
                }
            }
        },
    );
}

/// Draws a result; says whether it was clicked.
fn row(
    ui: &mut Ui,
    p: &Palette,
    state: &State,
    file: FileId,
    found: &ScriptMatch,
    is_current: bool,
    odd: bool,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let open = state.core.file(file);
    let name = open.map(|open| open.name.as_str()).unwrap_or_default();
    let class = open.and_then(|open| open.entry(found.entry)).map(|entry| entry.name.to_string()).unwrap_or_default();
    let line = found.line + 1;
    let label = format!("{name}, {class}, line {line}: {}", found.text);
    response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_current, label.as_str()));
    let painter = ui.painter_at(rect);
    let fill = match (is_current, response.hovered(), odd) {
        (true, ..) => p.accent_soft,
        (_, true, _) => p.hover,
        (_, _, true) => p.zebra,
        _ => egui::Color32::TRANSPARENT,
    };
    painter.rect_filled(rect, 4.0, fill);
    let (middle, font) = (rect.center().y, FontId::proportional(theme::SMALL));
    let place = PLACE.min(rect.width() * 0.4);
    let mut job = LayoutJob::default();
    job.append(&class, 0.0, TextFormat::simple(FontId::proportional(theme::BODY), p.text));
    job.append(name, 8.0, TextFormat::simple(font, p.weak));
    job.wrap = egui::text::TextWrapping::truncate_at_width((place - 56.0).max(20.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    painter.galley(pos2(rect.left() + 8.0, middle - galley.size().y / 2.0), galley, p.text);
    let code = FontId::monospace(12.0);
    let number = if found.part == 0 { grouped(line) } else { format!("code {}", grouped(line)) };
    painter.text(pos2(rect.left() + place, middle), Align2::RIGHT_CENTER, number, code.clone(), p.weak);
    let mut job = LayoutJob::default();
    let marked = TextFormat { background: p.accent_soft, ..TextFormat::simple(code.clone(), p.strong) };
    let plain = TextFormat::simple(code, p.text);
    let (text, shown) = (found.text.as_str(), &found.shown);
    job.append(text.get(..shown.start).unwrap_or_default(), 0.0, plain.clone());
    job.append(text.get(shown.clone()).unwrap_or_default(), 0.0, marked);
    job.append(text.get(shown.end..).unwrap_or_default(), 0.0, plain);
    job.wrap = egui::text::TextWrapping::truncate_at_width((rect.right() - rect.left() - place - 24.0).max(20.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    painter.galley(pos2(rect.left() + place + 16.0, middle - galley.size().y / 2.0), galley, p.text);
    response.on_hover_text(&found.text).clicked()
}
