//! The key sheet: every key, over the window.

use crate::ui::{
    command::{ACTIONS, Action, Command, WindowCommand, key_names, keys_now, keys_text},
    widgets::{
        dialog, menu_item,
        put::{put, put_text},
    },
};
use egui::{Align, Button, Id, Layout, Modal, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 24.0;

const COLUMN_WIDTH: f32 = 272.0;

const COLUMN_SPACE: f32 = 24.0;

/// What the mouse does in the viewport; it has no command to come from.
const MOUSE: [(&str, &str); 7] = [
    ("Orbit", "Drag"),
    ("Pan", "Middle-button drag"),
    ("Pan", "Shift+drag"),
    ("Zoom", "Wheel"),
    ("Select a bone or object", "Click"),
    ("Add to selection", "Ctrl+click"),
    ("Focus a bone or object", "Double-click"),
];

/// What steers the fly camera; held keys have no command to come from.
const FLYING: [(&str, &str); 7] = [
    ("Forward, back", "W+S"),
    ("Left, right", "A+D"),
    ("Up, down", "E+Q"),
    ("4 × faster", "Shift"),
    ("4 × slower", "Ctrl"),
    ("Look around", "Drag"),
    ("Change speed", "Wheel"),
];

/// Shows the key sheet while `is_open`.
pub fn show(ui: &mut Ui, is_open: bool, commands: &mut Vec<Command>) {
    if !is_open {
        return;
    }
    let screen = ui.ctx().content_rect();
    let columns = (((screen.width() - 64.0) / (COLUMN_WIDTH + COLUMN_SPACE)).floor() as usize).clamp(1, 3);
    let width = columns as f32 * COLUMN_WIDTH + (columns - 1) as f32 * COLUMN_SPACE;
    let frame = egui::Frame::popup(ui.style()).inner_margin(16.0).corner_radius(8.0);
    let modal = Modal::new(Id::new("keys")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(width);
        let mut close = false;
        ui.horizontal(|ui| {
            ui.label(RichText::new("Keyboard shortcuts").heading());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = ui.add(Button::new(icon::X).frame(false)).on_hover_text("Close");
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Close keyboard shortcuts"));
                close = button.clicked();
            });
        });
        ui.add_space(8.0);
        let height = screen.height() - 140.0;
        ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height)
            .auto_shrink([false, true])
            .show(ui, |ui| sheet(ui, columns));
        close || dialog::is_confirmed(ui)
    });
    if modal.inner || modal.backdrop_response.clicked() || modal.should_close() {
        commands.push(Command::Window(WindowCommand::ToggleKeys));
    }
}

/// A titled run of lines.
struct Group {
    title: &'static str,
    lines: Vec<Line>,
}

/// What is done, and the keys for it.
struct Line {
    name: &'static str,
    /// As caps; each is a way of its own.
    keys: Vec<Vec<&'static str>>,
    spoken: String,
}

fn groups(ctx: &egui::Context) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let chosen = keys_now(ctx);
    for action in ACTIONS {
        let (Action { group, name, .. }, keys) = (action, chosen.of(action));
        if keys.is_empty() {
            continue;
        }
        let shown = keys.get(..2).unwrap_or(keys);
        let line = Line {
            name,
            keys: shown.iter().map(key_names).collect(),
            spoken: keys.iter().map(keys_text).collect::<Vec<_>>().join(" or "),
        };
        match groups.iter_mut().find(|g| g.title == *group) {
            Some(found) => found.lines.push(line),
            None => groups.push(Group { title: group, lines: vec![line] }),
        }
    }
    for (title, ways) in [("Mouse", MOUSE.as_slice()), ("Flying", &FLYING)] {
        let lines = ways.iter().map(|(name, way)| Line {
            name,
            keys: vec![way.split('+').collect()],
            spoken: (*way).to_owned(),
        });
        groups.push(Group { title, lines: lines.collect() });
    }
    groups
}

/// The groups in columns of about one height; a group never breaks.
fn sheet(ui: &mut Ui, columns: usize) {
    let mut groups = groups(ui.ctx());
    // The longest first, each into the shortest column: the columns come out even.
    groups.sort_by_key(|g| std::cmp::Reverse(g.lines.len()));
    let mut filled: Vec<(usize, Vec<Group>)> = (0..columns).map(|_| (0, Vec::new())).collect();
    for group in groups {
        if let Some(column) = filled.iter_mut().min_by_key(|(lines, _)| *lines) {
            column.0 += group.lines.len() + 2;
            column.1.push(group);
        }
    }
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing = vec2(COLUMN_SPACE, 0.0);
        for (_, groups) in &filled {
            ui.allocate_ui_with_layout(vec2(COLUMN_WIDTH, 0.0), Layout::top_down(Align::LEFT), |ui| {
                ui.set_width(COLUMN_WIDTH);
                for group in groups {
                    ui.label(RichText::new(group.title).strong());
                    ui.add_space(2.0);
                    for shown in &group.lines {
                        line(ui, shown);
                    }
                    ui.add_space(12.0);
                }
            });
        }
    });
}

fn line(ui: &mut Ui, line: &Line) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let label = format!("{}: {}", line.name, line.spoken);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
    put(ui, rect, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for caps in line.keys.iter().rev() {
            menu_item::key_caps(ui, caps);
        }
        let weak = ui.visuals().weak_text_color();
        put_text(ui, ui.available_rect_before_wrap(), Align::Min, weak, RichText::new(line.name));
    });
}
