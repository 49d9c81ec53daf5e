//! What is known of a sound: its coding, its length, the names that a composer left.

use crate::ui::{
    state::SoundStage,
    theme::{self, Palette},
    widgets::{numbers::counted, put::put_text, value_text::clock},
};
use egui::{Align, Label, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, vec2};

/// Columns of facts are this wide where there is room.
const COLUMN: f32 = 300.0;

/// Room for the name of a fact.
const NAME: f32 = 84.0;

/// Height of a fact, in points.
const LINE: f32 = 18.0;

/// Space around the facts, in points.
const MARGIN: f32 = 12.0;

pub fn show(ui: &mut Ui, shown: &SoundStage) {
    let p = theme::palette(ui);
    let facts = all(shown);
    let names = shown.names();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        if !facts.is_empty() {
            card(ui, &p, |ui| grid(ui, &facts, &p));
        }
        if !names.is_empty() {
            card(ui, &p, |ui| {
                ui.add(
                    Label::new(RichText::new("Names of instruments and samples").small().color(p.weak))
                        .selectable(false),
                );
                for name in names {
                    ui.add(Label::new(theme::figures(name.as_str()).color(p.text)).truncate());
                }
            });
        }
    });
}

/// Returns the height of the facts where each has one line, without the names of instruments, in points.
pub fn height(ui: &Ui, shown: &SoundStage) -> f32 {
    let facts = all(shown);
    let width = ui.available_width() - 2.0 * MARGIN;
    let (long, rows) = (facts.iter().filter(|fact| is_long(fact)).count(), rows(width, &facts));
    2.0 * MARGIN + (long + rows) as f32 * (LINE + 4.0)
}

fn all(shown: &SoundStage) -> Vec<(String, String)> {
    let mut facts = shown.facts().to_vec();
    if let Some(rendering) = &shown.rendering {
        let length = clock(f64::from(rendering.pcm.duration_secs()), false);
        let cut = if rendering.cut { ", cut at the maximum length" } else { "" };
        facts.push(("Length".to_owned(), format!("{length}{cut}")));
    }
    let rate_hz = shown.pcm().map_or(1, |pcm| pcm.rate_hz.max(1));
    for range in shown.loops() {
        let second = |frame: usize| clock(frame as f64 / f64::from(rate_hz), true);
        let text =
            format!("{} to {} (frames {} to {})", second(range.start), second(range.end), range.start, range.end);
        facts.push(("Loop".to_owned(), text));
    }
    facts.push(("Size".to_owned(), counted(shown.size(), "byte")));
    facts
}

fn card(ui: &mut Ui, p: &Palette, add: impl FnOnce(&mut Ui)) {
    egui::Frame::new().fill(p.card).corner_radius(6.0).inner_margin(MARGIN).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

fn columns(width: f32) -> usize {
    ((width / COLUMN) as usize).clamp(1, 2)
}

/// Whether the value of a fact needs a whole row.
fn is_long((_, value): &(String, String)) -> bool {
    value.len() > 34 || value.contains('\n')
}

/// Returns the number of rows of the facts that need no whole row.
fn rows(width: f32, facts: &[(String, String)]) -> usize {
    let short = facts.iter().filter(|fact| !is_long(fact)).count();
    short.div_ceil(columns(width)).max(1)
}

/// Names and values, in as many columns as there is room for; values that need it have a whole row.
fn grid(ui: &mut Ui, facts: &[(String, String)], p: &Palette) {
    let (long, short): (Vec<_>, Vec<_>) = facts.iter().partition(|fact| is_long(fact));
    let width = ui.available_width();
    let rows = rows(width, facts);
    ui.columns(columns(width), |uis| {
        for (column, part) in uis.iter_mut().zip(short.chunks(rows)) {
            for (name, value) in part {
                fact(column, name, value, p);
            }
        }
    });
    for (name, value) in long {
        fact(ui, name, value, p);
    }
}

fn fact(ui: &mut Ui, name: &str, value: &str, p: &Palette) {
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(NAME, LINE), Sense::hover());
        put_text(ui, rect, Align::Min, p.weak, RichText::new(name));
        let label = ui.add(Label::new(theme::figures(value).color(p.text)).wrap());
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{name}: {value}")));
    });
}
