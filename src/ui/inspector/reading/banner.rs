//! Says how far a damaged file was read, and leads to the bytes that were not understood.

use crate::{
    formats::{Children, Diagnostic, Document, Field, Severity, Value},
    ui::{
        command::{Command, SelectionCommand},
        theme,
        widgets::{diagnostic_card::sign, numbers::counted, subject::Subject},
    },
};
use egui::{Align, Label, Layout, Margin, RichText, Ui};
use std::ops::Range;

/// Entries whose fields are looked through for what was not understood.
const MAX_ENTRIES: usize = 4096;

/// What is said.
pub struct Banner {
    /// The first thing that is wrong.
    message: String,
    more: usize,
    /// Up to here all was read.
    end: Option<u64>,
    /// Bytes that no field explains, and the largest range of them.
    unknown: u64,
    largest: Option<Range<u64>>,
}

impl Banner {
    /// `None` for a file without damage.
    pub fn of(document: &dyn Document, diagnostics: &[Diagnostic]) -> Option<Self> {
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        let first = errors.iter().min_by_key(|d| d.offset.unwrap_or(u64::MAX))?;
        let mut ranges = Vec::new();
        for entry in document.outline().entries().iter().take(MAX_ENTRIES) {
            if let Ok(tree) = document.fields(entry.id) {
                tree.fields.iter().for_each(|field| opaque(field, &mut ranges));
            }
        }
        // An entry and what lies in it may both name a range.
        ranges.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
        ranges.dedup_by(|next, before| next.end <= before.end);
        // What lies before the damage is as little understood in files that have none.
        ranges.retain(|r| first.offset.is_none_or(|offset| r.end > offset));
        let unknown = ranges.iter().map(|r| r.end - r.start).sum();
        let largest = ranges.into_iter().max_by_key(|r| r.end - r.start);
        let (message, more) = (first.message.clone(), errors.len() - 1);
        Some(Self { message, more, end: first.offset, unknown, largest })
    }

    fn title(&self) -> String {
        let bytes = || counted(usize::try_from(self.unknown).unwrap_or(usize::MAX), "byte");
        match (self.end, self.unknown) {
            (Some(end), 0) => format!("Read up to 0x{end:X}"),
            (Some(end), _) => format!("Read up to 0x{end:X}; {} not decoded", bytes()),
            (None, 0) => "Part of this file cannot be read".to_owned(),
            (None, _) => format!("{} not decoded", bytes()),
        }
    }
}

/// The ranges of a field that are kept as they are. Rows of tables are not looked at: there may be any number of them.
fn opaque(field: &Field, ranges: &mut Vec<Range<u64>>) {
    if let Value::Opaque(_) = field.value {
        ranges.push(field.offset..field.offset.saturating_add(field.size));
    }
    if let Children::Fields(fields) = &field.children {
        fields.iter().for_each(|field| opaque(field, ranges));
    }
}

pub fn show(ui: &mut Ui, subject: &Subject<'_>, banner: &Banner, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let (glyph, _, color) = sign(ui, Severity::Error);
    let size = subject.document.source().len() as u64;
    let from_end = banner.end.filter(|end| *end < size).map(|end| end..end.saturating_add(1));
    let target = banner.largest.clone().or(from_end);
    let frame = egui::Frame::new().fill(p.card).stroke(egui::Stroke::new(1.0, color)).corner_radius(6);
    frame.inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.add(Label::new(RichText::new(glyph).size(18.0).color(color)).selectable(false));
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                if let Some(range) = target {
                    let tip = format!("0x{:X}, {}", range.start, counted((range.end - range.start) as usize, "byte"));
                    if ui.button("Show bytes").on_hover_text(tip).clicked() {
                        commands.push(Command::Selection(SelectionCommand::ShowBytes(subject.place.file, range)));
                    }
                }
                ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    ui.add(Label::new(RichText::new(banner.title()).strong()).wrap());
                    let more = match banner.more {
                        0 => String::new(),
                        n => format!(" ({} in the log)", counted(n, "more error")),
                    };
                    ui.add(Label::new(RichText::new(format!("{}{more}", banner.message)).color(p.weak)).wrap());
                });
            });
        });
    });
}
