//! The key sheet: every key, over the window.

use super::palette::key_caps;
use crate::ui::command::{Action, Command, actions};
use egui::{
    Align, Button, Id, Label, Layout, Modal, RichText, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 24.0;
const COLUMN_WIDTH: f32 = 272.0;
const COLUMN_SPACE: f32 = 24.0;

/// What the mouse does in the viewport; it has no command to come from.
const MOUSE: [(&str, &str); 5] = [
    ("Turn around the model", "Drag"),
    ("Move sideways", "Middle drag"),
    ("Move sideways", "Shift+Drag"),
    ("Nearer and farther", "Wheel"),
    ("Choose a bone", "Click"),
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
            ui.label(RichText::new("Keys").heading());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = ui.add(Button::new(icon::X).frame(false)).on_hover_text("Close");
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Close the keys"));
                close = button.clicked();
            });
        });
        ui.add_space(8.0);
        ScrollArea::vertical().max_height(screen.height() - 140.0).auto_shrink([false, true]).show(ui, |ui| {
            sheet(ui, columns);
        });
        close
    });
    if modal.inner || modal.backdrop_response.clicked() || modal.should_close() {
        commands.push(Command::ToggleKeys);
    }
}

/// A titled run of lines.
struct Group {
    title: &'static str,
    /// What is done, and the keys for it, several where there are several.
    lines: Vec<(String, Vec<String>)>,
}

fn groups(ctx: &egui::Context) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for Action { group, name, keys, .. } in actions() {
        if keys.is_empty() {
            continue;
        }
        let mut texts: Vec<String> = keys.iter().map(|k| ctx.format_shortcut(k)).collect();
        texts.dedup();
        texts.truncate(2);
        let line = (name.to_owned(), texts);
        match groups.iter_mut().find(|g| g.title == group) {
            Some(found) => found.lines.push(line),
            None => groups.push(Group { title: group, lines: vec![line] }),
        }
    }
    let mouse = MOUSE.iter().map(|(name, keys)| ((*name).to_owned(), vec![(*keys).to_owned()])).collect();
    groups.push(Group { title: "Mouse", lines: mouse });
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
                    for (name, keys) in &group.lines {
                        line(ui, name, keys);
                    }
                    ui.add_space(12.0);
                }
            });
        }
    });
}

fn line(ui: &mut Ui, name: &str, keys: &[String]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let label = format!("{name}: {}", keys.join(" or "));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label.as_str()));
    let builder = UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for keys in keys.iter().rev() {
            key_caps(ui, keys);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(name).weak()).truncate().selectable(false));
        });
    });
}
