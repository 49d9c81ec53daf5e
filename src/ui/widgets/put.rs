//! Text and widgets at given places, and text with marked matches.

use crate::ui::{query::Query, theme::Palette};
use egui::{
    Align, Color32, FontSelection, Layout, Rect, Stroke, TextWrapMode, Ui, UiBuilder, WidgetText, pos2,
    text::{LayoutJob, TextFormat},
};

/// Adds to `rect` without moving anything around it, and draws nothing outside of it.
pub fn put<R>(ui: &mut Ui, rect: Rect, layout: Layout, add: impl FnOnce(&mut Ui) -> R) -> R {
    let mut inner = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    add(&mut inner)
}

/// Draws one line of text in `rect`, cut with an ellipsis where it is too long. Screen readers read the row that it belongs
/// to instead. Returns the width of the text.
pub fn put_text(ui: &Ui, rect: Rect, align: Align, color: Color32, text: impl Into<WidgetText>) -> f32 {
    let text = text.into().color(color);
    let galley = text.into_galley(ui, Some(TextWrapMode::Truncate), rect.width().max(0.0), FontSelection::Default);
    let left = match align {
        Align::Min => rect.left(),
        Align::Center => rect.center().x - galley.size().x / 2.0,
        Align::Max => rect.right() - galley.size().x,
    };
    let width = galley.size().x;
    ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color);
    width
}

/// Adds a text to a line; what the query looks for in it is underlined in the accent.
pub fn append_marked(job: &mut LayoutJob, text: &str, query: &Query, plain: &TextFormat, p: &Palette) {
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
pub fn marked_line(text: &str, query: &Query, font: egui::FontId, color: egui::Color32, p: &Palette) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    append_marked(&mut job, text, query, &TextFormat::simple(font, color), p);
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
        let job = marked_line("Hand_L", &Query::of("and l"), font.clone(), p.text, &p);
        assert_eq!(job.text, "Hand_L");
        let marked: Vec<&str> = job
            .sections
            .iter()
            .filter(|section| section.format.underline != Stroke::NONE)
            .map(|section| &job.text[section.byte_range.start.0..section.byte_range.end.0])
            .collect();
        assert_eq!(marked, ["and", "L"]);
        assert_eq!(marked_line("", &Query::of("x"), font, p.text, &p).text, "");
    }
}
