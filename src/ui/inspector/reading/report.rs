//! The reading of a file as text, for a report.

use crate::{
    formats::{Choice, Document, Section},
    ui::{
        inspector::reading::choices::sentence,
        widgets::numbers::{counted, grouped},
    },
};
use std::{fmt::Write as _, ops::Range};

/// The parts of a file: each ends where the next begins.
pub fn parts(sections: &[Section], size: u64) -> Vec<(&'static str, Range<u64>)> {
    let mut sorted = sections.to_vec();
    sorted.sort_by_key(|s| s.offset);
    let ends: Vec<u64> = sorted.iter().skip(1).map(|s| s.offset).chain([size]).collect();
    sorted.iter().zip(ends).map(|(s, end)| (s.name, s.offset..end.max(s.offset))).collect()
}

/// All choices and sections.
pub fn report(file_name: &str, document: &dyn Document) -> String {
    let size = document.source().len();
    let mut text = format!("{file_name}: {}, {}\n", document.format().name, counted(size, "byte"));
    for choice in document.reading() {
        add_choice(&mut text, choice);
    }
    let parts = parts(document.sections(), size as u64);
    if !parts.is_empty() {
        let widest = parts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        text.push_str("\nSections\n");
        for (name, range) in parts {
            let size = grouped(range.end - range.start);
            let _ = writeln!(text, "  0x{:08X}  {name:widest$}  {size:>11} bytes", range.start);
        }
    }
    text
}

fn add_choice(text: &mut String, choice: &Choice) {
    let unit = choice.number.map(|unit| format!(" {unit}")).unwrap_or_default();
    let by = if choice.overridden { " (set manually)" } else { "" };
    let _ = writeln!(text, "\n{} ({}): {}{unit}{by}", choice.label, choice.id, choice.value);
    if !choice.evidence.is_empty() {
        let _ = writeln!(text, "  {}", sentence(&choice.evidence));
    }
    for rival in &choice.rivals {
        let _ = writeln!(text, "  Alternative {}{unit}: {}", rival.value, sentence(&rival.evidence));
    }
}
