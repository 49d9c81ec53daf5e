//! What is known of a sound: its coding, its length, the names that a composer left.

use crate::ui::{
    state::ShownSound,
    theme::{self, Palette},
};
use egui::{Label, RichText, ScrollArea, Ui, vec2};

/// Columns of facts are this wide where there is room.
const COLUMN: f32 = 300.0;

pub fn show(ui: &mut Ui, shown: &ShownSound) {
    let p = theme::palette(ui);
    let facts = all(shown);
    let names = shown.names();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        if !facts.is_empty() {
            card(ui, &p, |ui| grid(ui, "sound facts", &facts, &p));
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

fn all(shown: &ShownSound) -> Vec<(String, String)> {
    let mut facts = shown.facts().to_vec();
    if let Some(rendering) = &shown.rendering {
        let length = super::ruler::clock(f64::from(rendering.pcm.duration_secs()), false);
        let cut = if rendering.cut { ", cut off there" } else { "" };
        facts.push(("Length".to_owned(), format!("{length}{cut}")));
    }
    let rate_hz = shown.pcm().map_or(1, |pcm| pcm.rate_hz.max(1));
    for range in shown.loops() {
        let second = |frame: usize| super::ruler::clock(frame as f64 / f64::from(rate_hz), true);
        let text =
            format!("{} to {} (frames {} to {})", second(range.start), second(range.end), range.start, range.end);
        facts.push(("Loop".to_owned(), text));
    }
    facts.push(("Size".to_owned(), format!("{} bytes", shown.size())));
    facts
}

fn card(ui: &mut Ui, p: &Palette, add: impl FnOnce(&mut Ui)) {
    egui::Frame::new().fill(p.card).corner_radius(6.0).inner_margin(12.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

/// Names and values, in as many columns as there is room for.
fn grid(ui: &mut Ui, id: &str, facts: &[(String, String)], p: &Palette) {
    let columns = ((ui.available_width() / COLUMN) as usize).clamp(1, 2);
    let (long, short): (Vec<_>, Vec<_>) = facts.iter().partition(|(_, value)| value.len() > 34 || value.contains('\n'));
    let rows = short.len().div_ceil(columns);
    let width = ui.available_width() / columns as f32 - 8.0;
    egui::Grid::new(id).num_columns(columns).spacing([16.0, 4.0]).min_col_width(width).show(ui, |ui| {
        for row in 0..rows {
            for column in 0..columns {
                if let Some((name, value)) = short.get(column * rows + row) {
                    fact(ui, name, value, p);
                }
            }
            ui.end_row();
        }
    });
    for (name, value) in long {
        fact(ui, name, value, p);
    }
}

fn fact(ui: &mut Ui, name: &str, value: &str, p: &Palette) {
    ui.horizontal_top(|ui| {
        ui.add_sized(vec2(80.0, 16.0), |ui: &mut Ui| {
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(Label::new(RichText::new(name).color(p.weak)).truncate())
            })
            .inner
        });
        ui.add(Label::new(theme::figures(value).color(p.text)).wrap());
    });
}
