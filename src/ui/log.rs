//! What happened: findings in the open files, and what the program itself says.

use crate::{
    formats::Severity,
    ui::{
        command::{Command, SelectionCommand, WindowCommand},
        log_buffer::{LogBuffer, ProgramLine},
        query::{Filter, Query},
        state::{Log, LogEntry},
        widgets::{
            diagnostic_card::sign,
            empty, filter_field,
            numbers::grouped,
            put::put,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Button, Label, Layout, RichText, Sense, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;
use std::fmt::Write as _;

const ROW_HEIGHT: f32 = 24.0;

/// What the log panel remembers between frames.
#[derive(Clone, Debug)]
pub struct LogView {
    /// The program's own lines instead of the files' findings.
    pub program: bool,
    /// Which severities show: notes, warnings, errors.
    shown: [bool; 3],
    search: Filter,
}

impl Default for LogView {
    fn default() -> Self {
        Self { program: false, shown: [true; 3], search: Filter::default() }
    }
}

impl LogView {
    fn lets_through(&self, severity: Severity, is_found: impl FnOnce() -> bool) -> bool {
        self.shown[severity as usize] && is_found()
    }
}

/// Whether a line of the files is found; it lies in its file. `offset` is room for that as text.
fn finds_entry(query: &Query, entry: &LogEntry, offset: &mut String) -> bool {
    offset.clear();
    if let Some(at) = entry.offset {
        let _ = write!(offset, "0x{at:X}");
    }
    let word = word_of(entry.severity);
    query.finds_in(&[&entry.message, &entry.file, entry.code, word, offset], &[word, entry.code], &[&entry.file])
}

/// Whether a line of the program is found; it lies in its module.
fn finds_line(query: &Query, line: &ProgramLine) -> bool {
    let level = line.level.as_str();
    query.finds_in(&[&line.message, &line.target, level], &[level], &[&line.target])
}

/// Shows the log.
pub fn show(ui: &mut Ui, log: &Log, program: &LogBuffer, view: &mut LogView, commands: &mut Vec<Command>) {
    if view.program {
        program.with(|lines| {
            let severities = lines.iter().map(|l| severity_of(l.level));
            let wanted: Vec<&ProgramLine> = bar(
                ui,
                severities,
                view,
                commands,
                |view, query| {
                    let is_found = |l: &&ProgramLine| view.lets_through(severity_of(l.level), || finds_line(query, l));
                    lines.iter().filter(is_found).collect()
                },
                |wanted: &Vec<&ProgramLine>| joined(wanted.iter().map(|l| program_text(l))),
            );
            program_rows(ui, &wanted);
        });
        if commands.last() == Some(&Command::Window(WindowCommand::ClearLog)) {
            program.clear();
            commands.pop();
        }
        return;
    }
    let entries = log.entries();
    let wanted: Vec<&LogEntry> = bar(
        ui,
        entries.iter().map(|e| e.severity),
        view,
        commands,
        |view, query| {
            let mut offset = String::new();
            let mut is_found = |e: &&LogEntry| view.lets_through(e.severity, || finds_entry(query, e, &mut offset));
            entries.iter().filter(|e| is_found(e)).collect()
        },
        |wanted: &Vec<&LogEntry>| joined(wanted.iter().map(|e| entry_text(e))),
    );
    entry_rows(ui, &wanted, entries.is_empty(), commands);
}

fn joined(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn severity_of(level: log::Level) -> Severity {
    match level {
        log::Level::Error => Severity::Error,
        log::Level::Warn => Severity::Warning,
        _ => Severity::Info,
    }
}

fn word_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn entry_text(entry: &LogEntry) -> String {
    let word = word_of(entry.severity);
    let offset = entry.offset.map(|o| format!(" at 0x{o:X}")).unwrap_or_default();
    let code = if entry.code.is_empty() { String::new() } else { format!(" [{}]", entry.code) };
    format!("{word}: {}{offset}{code}", entry.text())
}

fn program_text(line: &ProgramLine) -> String {
    format!("{:9.3} s  {:5}  {}: {}", line.time_secs, line.level, line.target, line.message)
}

/// The bar above the lines; gives what the filters let through.
fn bar<T>(
    ui: &mut Ui,
    severities: impl Iterator<Item = Severity>,
    view: &mut LogView,
    commands: &mut Vec<Command>,
    filter: impl FnOnce(&LogView, &Query) -> T,
    text: impl FnOnce(&T) -> String,
) -> T {
    let mut counts = [0_usize; 3];
    severities.for_each(|severity| counts[severity as usize] += 1);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (name, program, tip) in [
            ("Files", false, "Messages about open files"),
            ("Program", true, "Messages from Bonebox and the graphics driver"),
        ] {
            if ui.selectable_label(view.program == program, name).on_hover_text(tip).clicked() {
                view.program = program;
            }
        }
        ui.separator();
        for severity in [Severity::Error, Severity::Warning, Severity::Info] {
            let (glyph, word, color) = sign(ui, severity);
            let shown = &mut view.shown[severity as usize];
            let count = counts[severity as usize];
            let mut job = egui::text::LayoutJob::default();
            let font = egui::TextStyle::Button.resolve(ui.style());
            let weak = ui.visuals().weak_text_color();
            job.append(glyph, 0.0, egui::TextFormat::simple(font.clone(), if *shown { color } else { weak }));
            let number = if *shown { ui.visuals().text_color() } else { weak };
            job.append(&grouped(count), 4.0, egui::TextFormat::simple(font, number));
            let plural = format!("{word}s");
            let chip =
                ui.selectable_label(*shown, job).on_hover_text(format!("Show or hide {}", plural.to_lowercase()));
            let selected = *shown;
            chip.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, selected, plural.as_str()));
            if chip.clicked() {
                *shown = !*shown;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let icon_button = |ui: &mut Ui, glyph: &str, name: &str| {
                let button = ui.add(Button::new(glyph).frame(false)).on_hover_text(name);
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
                button.clicked()
            };
            let clear = icon_button(ui, icon::TRASH, "Clear the log");
            let copy = icon_button(ui, icon::COPY, "Copy visible lines");
            let width = (ui.available_width() - 4.0).clamp(40.0, 220.0);
            filter_field::show(ui, &mut view.search.text, "Filter", width, "Filter the log");
            let query = view.search.query().clone();
            let wanted = filter(view, &query);
            if copy {
                commands.push(Command::Window(WindowCommand::Copy(text(&wanted))));
            }
            if clear {
                commands.push(Command::Window(WindowCommand::ClearLog));
            }
            wanted
        })
        .inner
    })
    .inner
}

fn entry_rows(ui: &mut Ui, entries: &[&LogEntry], nothing_logged: bool, commands: &mut Vec<Command>) {
    if entries.is_empty() {
        let (title, sentence) = if nothing_logged {
            ("No messages", "Messages about open files appear here.")
        } else {
            ("No matching messages", "Change the filters to show other messages.")
        };
        empty::show(ui, icon::CHECK_CIRCLE, title, sentence);
        return;
    }
    rows(ui, entries.len(), |ui, row| {
        let entry = entries[row.index];
        let (glyph, word, color) = sign(ui, entry.severity);
        ui.add(Label::new(RichText::new(glyph).color(color)).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // The log is already shown.
            let action =
                entry.action.as_ref().filter(|(_, command)| *command != Command::Window(WindowCommand::ShowLog));
            if let Some((name, command)) = action
                && ui.small_button(&**name).clicked()
            {
                commands.push(command.clone());
            }
            if let Some(place) = entry.place {
                let text = entry.offset.map_or("Show".to_owned(), |o| format!("0x{o:X}"));
                let link = ui.link(RichText::new(text)).on_hover_text("Select the entry and its bytes");
                link.widget_info(|| WidgetInfo::labeled(WidgetType::Link, true, format!("Go to: {}", entry.message)));
                if link.clicked() {
                    commands.push(Command::Selection(SelectionCommand::Select(place)));
                    commands.extend(
                        entry.offset.map(|o| Command::Selection(SelectionCommand::Bytes(Some(o..o.saturating_add(1))))),
                    );
                }
            }
            let room = ui.available_width();
            if !entry.code.is_empty() && room > 420.0 {
                ui.add(Label::new(RichText::new(entry.code).small().weak()).selectable(false));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if !entry.file.is_empty() && room > 320.0 {
                    ui.add(Label::new(RichText::new(&entry.file).strong()).selectable(false));
                }
                ui.add(Label::new(entry.message.as_str()).truncate().selectable(true));
            });
        });
        menu(ui, row, &format!("{word}: {}", entry.text()), entry_text(entry), commands);
    });
}

fn program_rows(ui: &mut Ui, lines: &[&ProgramLine]) {
    if lines.is_empty() {
        empty::show(
            ui,
            icon::TERMINAL_WINDOW,
            "No messages",
            "Messages from Bonebox and the graphics driver appear here.",
        );
        return;
    }
    rows(ui, lines.len(), |ui, row| {
        let line = lines[row.index];
        let (glyph, _, color) = sign(ui, severity_of(line.level));
        ui.add(Label::new(RichText::new(glyph).color(color)).selectable(false));
        let time = RichText::new(format!("{:9.3}", line.time_secs)).monospace().weak();
        ui.add(Label::new(time).selectable(false));
        if ui.available_width() > 320.0 {
            ui.add(Label::new(RichText::new(&line.target).weak()).selectable(false));
        }
        ui.add(Label::new(line.message.as_str()).truncate().selectable(true));
    });
}

/// Draws the lines in view.
fn rows(ui: &mut Ui, count: usize, mut line: impl FnMut(&mut Ui, &Row<'_>)) {
    Rows::new("log", count).height(ROW_HEIGHT).striped().stick_to_end().show(ui, |ui, row| {
        row.stripe(ui);
        put(ui, row.span(6.0, 6.0), Layout::left_to_right(Align::Center), |ui| line(ui, row));
    });
}

fn menu(ui: &Ui, row: &Row<'_>, label: &str, text: String, commands: &mut Vec<Command>) {
    let info = || WidgetInfo::labeled(WidgetType::Label, true, label);
    let response = row.interact(ui, Sense::hover(), info);
    response.context_menu(|ui| {
        if ui.button(format!("{}  Copy line", icon::COPY)).clicked() {
            commands.push(Command::Window(WindowCommand::Copy(text)));
            ui.close();
        }
    });
}
