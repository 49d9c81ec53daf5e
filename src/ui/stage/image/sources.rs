//! What a computed texture is made of, beside it: its parameters, its sparks or drops.

use crate::{
    scene::procedural::Procedural,
    ui::{
        layout,
        theme::{self, Palette},
    },
};
use egui::{Align, Layout, RichText, Ui};
use egui_extras::{Column, TableBuilder};

/// Rows of parameters that are seen without scrolling where there are sparks below.
const FACTS_HEIGHT: f32 = 230.0;

/// A row of the table: what it is, what it does, its seven bytes, and what the last four are to it.
struct Row {
    kind: &'static str,
    meaning: &'static str,
    bytes: [u8; 7],
    uses: [&'static str; 4],
}

/// A panel on the right with both.
pub fn beside(ui: &mut Ui, texture: &Procedural) {
    let p = theme::palette(ui);
    let sparks = texture.program.sparks();
    let drops = texture.program.drops();
    let rows = sparks.len().max(drops.len());
    if rows == 0 && texture.facts.is_empty() {
        return;
    }
    let frame = egui::Frame::new().fill(p.panel).inner_margin(8.0);
    let panel = egui::Panel::right(ui.id().with("computed sources")).frame(frame).resizable(true);
    let width = layout::panel_size(ui.ctx(), "sources").unwrap_or(360.0).clamp(240.0, 520.0);
    let shown = panel.default_size(width).size_range(240.0..=520.0).show(ui, |ui| {
        let most = if rows == 0 { f32::INFINITY } else { FACTS_HEIGHT };
        if !texture.facts.is_empty() {
            heading(ui, "Parameters", &p);
            facts(ui, &texture.facts, most, &p);
        }
        if rows > 0 {
            ui.add_space(12.0);
            let (title, heat) = if sparks.is_empty() { ("Drops", "Depth") } else { ("Sparks", "Heat") };
            heading(ui, &format!("{title} ({rows})"), &p);
            let row = |index: usize| {
                let spark = sparks.get(index).map(|s| Row {
                    kind: s.kind.name(),
                    meaning: s.kind.meaning(),
                    bytes: [s.heat, s.x, s.y, s.a, s.b, s.c, s.d],
                    uses: s.kind.uses(),
                });
                spark.or_else(|| {
                    drops.get(index).map(|d| Row {
                        kind: d.kind.name(),
                        meaning: d.kind.meaning(),
                        bytes: [d.depth, d.x, d.y, d.a, d.b, d.c, d.d],
                        uses: d.kind.uses(),
                    })
                })
            };
            table(ui, rows, heat, row, &p);
        }
    });
    layout::note_panel_size(ui.ctx(), "sources", shown.response.rect.width());
}

fn heading(ui: &mut Ui, text: &str, p: &Palette) {
    ui.label(RichText::new(text).strong().color(p.strong));
    ui.add_space(4.0);
}

fn facts(ui: &mut Ui, facts: &[(String, String)], most: f32, p: &Palette) {
    egui::ScrollArea::vertical().id_salt("computed facts").max_height(most).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = 18.0;
        for (index, (name, value)) in facts.iter().enumerate() {
            let fill = if index % 2 == 1 { p.zebra } else { egui::Color32::TRANSPARENT };
            egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(4, 1)).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.set_height(18.0);
                    ui.label(RichText::new(name).color(p.weak));
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ui.add(egui::Label::new(theme::figures(value.as_str()).color(p.text)).truncate());
                    });
                });
            });
        }
    });
}

fn table(ui: &mut Ui, count: usize, heat: &str, row: impl Fn(usize) -> Option<Row>, p: &Palette) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let number = Column::exact(26.0);
    let builder = TableBuilder::new(ui)
        .id_salt("computed sources")
        .striped(true)
        .auto_shrink([false, false])
        .column(Column::remainder().at_least(72.0).clip(true))
        .column(Column::exact(36.0))
        .columns(number, 6);
    let small = |text: &str| RichText::new(text).small().color(p.weak);
    let header = builder.header(18.0, |mut header| {
        for (index, title) in ["Type", heat, "x", "y", "a", "b", "c", "d"].into_iter().enumerate() {
            header.col(|ui| {
                let layout = if index == 0 { Layout::left_to_right(Align::Center) } else { right() };
                ui.with_layout(layout, |ui| ui.label(small(title)));
            });
        }
    });
    header.body(|body| {
        body.rows(20.0, count, |mut line| {
            let Some(row) = row(line.index()) else { return };
            line.col(|ui| {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let label = ui.add(egui::Label::new(RichText::new(row.kind).color(p.text)).truncate());
                    label.on_hover_text(format!("{}: {}", row.kind, row.meaning));
                });
            });
            for (index, byte) in row.bytes.into_iter().enumerate() {
                line.col(|ui| {
                    ui.with_layout(right(), |ui| {
                        let used = index.checked_sub(3).map(|field| row.uses[field]);
                        let color = if used == Some("") { p.weak.gamma_multiply(0.6) } else { p.text };
                        let label = ui.label(theme::figures(byte.to_string()).color(color));
                        match used {
                            Some("") => drop(label.on_hover_text("Not used by this type")),
                            Some(meaning) => drop(label.on_hover_text(meaning)),
                            None => {}
                        }
                    });
                });
            }
        });
    });
}

fn right() -> Layout {
    Layout::right_to_left(Align::Center)
}
