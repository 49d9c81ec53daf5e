//! Names with what a filter found in them marked.

use crate::ui::{query::Query, theme::Palette};
use egui::{
    Stroke,
    text::{LayoutJob, TextFormat},
};

/// Adds a text to a line; what the query looks for in it is underlined in the accent.
pub fn append(job: &mut LayoutJob, text: &str, query: &Query, plain: &TextFormat, p: &Palette) {
    let mut done = 0;
    if !query.is_empty() {
        let marked = TextFormat { color: p.accent, underline: Stroke::new(1.0, p.accent), ..plain.clone() };
        for mark in query.marks(text) {
            job.append(text.get(done..mark.start).unwrap_or_default(), 0.0, plain.clone());
            job.append(text.get(mark.clone()).unwrap_or_default(), 0.0, marked.clone());
            done = mark.end;
        }
    }
    job.append(text.get(done..).unwrap_or_default(), 0.0, plain.clone());
}

/// A line of one text, with what the query looks for in it marked.
pub fn line(text: &str, query: &Query, font: egui::FontId, color: egui::Color32, p: &Palette) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    append(&mut job, text, query, &TextFormat::simple(font, color), p);
    job
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme;

    #[test]
    fn the_whole_text_is_there_and_what_was_found_is_underlined() {
        let p = theme::Palette::of(true);
        let font = egui::FontId::proportional(12.0);
        let job = line("Hand_L", &Query::of("and l"), font.clone(), p.text, &p);
        assert_eq!(job.text, "Hand_L");
        let marked: Vec<&str> = job
            .sections
            .iter()
            .filter(|section| section.format.underline != Stroke::NONE)
            .map(|section| &job.text[section.byte_range.start.0..section.byte_range.end.0])
            .collect();
        assert_eq!(marked, ["and", "L"]);
        assert_eq!(line("", &Query::of("x"), font, p.text, &p).text, "");
    }
}
