//! Program text: its lines, its colours, and the view that shows them.

mod find;
mod lines;
mod syntax;

pub use find::{Match, Search};
pub use lines::Lines;
pub use syntax::{Kind, Span, spans};

use crate::ui::{
    theme,
    widgets::{
        code::lines::{byte_at, column_of, drawn_out},
        numbers::counted,
    },
};
use egui::{
    Color32, CursorIcon, FontId, Galley, Key, Modifiers, Rect, Response, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
    WidgetType, pos2,
    text::{CCursor, LayoutJob, TextFormat},
    vec2,
};
use std::{ops::Range, sync::Arc};

/// Height of a line, in points.
const LINE: f32 = 18.0;
/// Space left of the text, in points.
const MARGIN: f32 = 8.0;
/// What is drawn of a line; a longer one ends with a sign.
const MAX_COLUMNS: usize = 4_000;

/// A place in a text: line and column, both from 0, tabs drawn out.
type Place = (usize, usize);

/// What a view remembers between frames.
#[derive(Clone, Debug, Default)]
pub struct CodeView {
    /// Where the selection begins and where it was drawn to.
    selection: Option<(Place, Place)>,
    /// Brought into sight in the next frame: a line and its columns.
    wanted: Option<(usize, Range<usize>)>,
    /// The line that was gone to.
    target: Option<usize>,
    /// The name that the pointer rests on, since when, and whether it was asked what it means.
    rests: Option<Rest>,
    /// Scrolled there in the next frame, whatever was shown before: the top of a text, or where it was left.
    start: Option<Vec2>,
    /// How far it is scrolled and what shows, in points.
    offset: Vec2,
    size: Vec2,
}

/// The pointer rests on a name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    line: usize,
    byte: usize,
    since_secs: f64,
    is_asked: bool,
}

/// How long the pointer rests on a name before it is asked what it means, in seconds.
const REST_SECS: f64 = 0.35;

/// What a person did with a text. Lines from 0, bytes of the line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeEvents {
    /// To be put on the clipboard.
    pub copied: Option<String>,
    /// Where the caret was put.
    pub caret: Option<(usize, usize)>,
    /// The name whose definition is to be gone to.
    pub define: Option<(usize, usize)>,
    /// The name that the pointer rests on.
    pub explain: Option<(usize, usize)>,
}

impl CodeView {
    /// A view of a text that shows from its top on, or from where `before` was.
    pub fn opened(before: Option<&Self>) -> Self {
        let start = before.map_or(Vec2::ZERO, |view| view.offset);
        Self { start: Some(start), ..before.cloned().unwrap_or_default() }
    }

    /// Brings a line into sight, and marks it until the caret is put elsewhere.
    pub fn go_to_line(&mut self, text: &str, lines: &Lines, line: usize, bytes: Range<usize>) {
        let line = line.min(lines.len().saturating_sub(1));
        let shown = lines.line(text, line);
        self.target = Some(line);
        self.wanted = Some((line, column_of(shown, bytes.start)..column_of(shown, bytes.end)));
        self.selection =
            (!bytes.is_empty()).then(|| ((line, column_of(shown, bytes.start)), (line, column_of(shown, bytes.end))));
    }

    /// Brings a line into sight.
    pub fn reveal(&mut self, line: usize) {
        self.wanted = Some((line, 0..0));
    }

    /// Brings a match into sight.
    pub fn go_to(&mut self, text: &str, lines: &Lines, found: Match) {
        let line = lines.line(text, found.line);
        self.wanted = Some((found.line, column_of(line, found.start)..column_of(line, found.end)));
    }

    /// The selected text as it is in the text, tabs and all.
    pub fn selected(&self, text: &str, lines: &Lines) -> Option<String> {
        let (first, last) = self.ordered()?;
        let mut out = String::new();
        for number in first.0..=last.0.min(lines.len().saturating_sub(1)) {
            let line = lines.line(text, number);
            let from = if number == first.0 { byte_at(line, first.1) } else { 0 };
            let to = if number == last.0 { byte_at(line, last.1) } else { line.len() };
            out.push_str(line.get(from..to.max(from)).unwrap_or_default());
            if number != last.0 {
                out.push('\n');
            }
        }
        (!out.is_empty()).then_some(out)
    }

    fn ordered(&self) -> Option<(Place, Place)> {
        self.selection.map(|(a, b)| if a <= b { (a, b) } else { (b, a) })
    }

    /// The columns of a line that are selected; past its end where the selection goes on.
    fn columns_in(&self, line: usize) -> Option<Range<usize>> {
        let (first, last) = self.ordered()?;
        if !(first.0..=last.0).contains(&line) || first == last {
            return None;
        }
        let from = if line == first.0 { first.1 } else { 0 };
        let to = if line == last.0 { last.1 } else { usize::MAX };
        Some(from..to)
    }

    fn select_word(&mut self, line: &str, at: Place) {
        let word = word_at(line, byte_at(line, at.1));
        self.selection = Some(((at.0, column_of(line, word.start)), (at.0, column_of(line, word.end))));
    }
}

/// The word around a byte of a line; empty where none stands.
fn word_at(line: &str, byte: usize) -> Range<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let before = line[..byte].char_indices().rev().take_while(|(_, c)| word(*c)).last().map_or(byte, |(at, _)| at);
    let after = line[byte..].find(|c| !word(c)).map_or(line.len(), |length| byte + length);
    before..after
}

/// What is found in the part that is shown, and what of it is marked.
#[derive(Clone, Copy)]
pub struct Marks<'a> {
    pub search: &'a Search,
    pub part: usize,
    /// Lines that belong to what is marked elsewhere; `true` where that is sure.
    pub lit: &'a [(Range<usize>, bool)],
    /// The name that it is known of what it means, by line and byte, and what is said of it.
    pub explained: Option<(usize, usize, &'a str)>,
    /// Names lead to their definitions.
    pub has_names: bool,
}

/// Shows a text in the room that is left. `name` is what screen readers call it. Gives what a person did.
pub fn show(ui: &mut Ui, name: &str, text: &str, lines: &Lines, view: &mut CodeView, marks: Marks<'_>) -> CodeEvents {
    let font = FontId::monospace(12.5);
    let sample = ui.painter().layout_no_wrap("0".repeat(64), font.clone(), Color32::WHITE);
    let cell = sample.size().x / 64.0;
    let digits = lines.len().to_string().len().max(2);
    let gutter = cell * digits as f32 + 2.0 * MARGIN;
    let whole = ui.available_rect_before_wrap();
    let p = theme::palette(ui);
    ui.painter().rect_filled(whole, 0.0, p.field);
    let content = vec2(
        MARGIN * 2.0 + cell * (lines.columns.min(MAX_COLUMNS) + 1) as f32,
        LINE * lines.len() as f32 + 2.0 * theme::GRID,
    );

    let mut area = ScrollArea::both().id_salt((name, marks.part)).auto_shrink(false);
    if let Some(start) = view.start.take() {
        area = area.scroll_offset(start);
        view.offset = start;
        view.size = whole.size();
    }
    if let Some((line, columns)) = view.wanted.take() {
        area = area.scroll_offset(offset_for(view, line, columns, cell));
    }
    let inner = whole.with_min_x((whole.left() + gutter).min(whole.right()));
    let mut events = CodeEvents::default();
    let mut child = ui.new_child(egui::UiBuilder::new().id_salt((name, marks.part)).max_rect(inner));
    child.set_clip_rect(inner.intersect(ui.clip_rect()));
    let output = area.show_viewport(&mut child, |ui, viewport| {
        ui.set_min_size(content);
        let origin = ui.min_rect().min + vec2(0.0, theme::GRID);
        let mut page = Page { ui, text, lines, font: font.clone(), origin, viewport };
        let galleys = page.galleys();
        page.select(name, &galleys, view, marks, cell, &mut events);
        page.draw(&galleys, view, marks, cell);
    });
    view.offset = output.state.offset;
    view.size = output.inner_rect.size();
    ui.advance_cursor_after_rect(whole);
    numbers(ui, whole.with_max_x(inner.left()), lines.len(), view.offset.y, &font);
    events
}

/// How far to scroll so that columns of a line show, about a third below the top.
fn offset_for(view: &CodeView, line: usize, columns: Range<usize>, cell: f32) -> Vec2 {
    let top = line as f32 * LINE;
    let shows = top >= view.offset.y && top + 2.0 * LINE <= view.offset.y + view.size.y;
    let y = if shows { view.offset.y } else { (top - view.size.y / 3.0).max(0.0) };
    let (left, right) = (cell * columns.start as f32, MARGIN * 2.0 + cell * columns.end as f32);
    let x = if right <= view.size.x || view.size.x <= 0.0 {
        0.0
    } else if left >= view.offset.x && right <= view.offset.x + view.size.x {
        view.offset.x
    } else {
        (left - view.size.x / 3.0).max(0.0)
    };
    vec2(x, y)
}

fn numbers(ui: &Ui, rect: Rect, count: usize, scrolled: f32, font: &FontId) {
    let p = theme::palette(ui);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let top = rect.top() + theme::GRID;
    for line in in_sight(scrolled, rect.height(), count) {
        let at = pos2(rect.right() - MARGIN, top - scrolled + (line as f32 + 0.5) * LINE);
        painter.text(at, egui::Align2::RIGHT_CENTER, line + 1, font.clone(), p.weak.gamma_multiply(0.8));
    }
    painter.vline(rect.right() - 0.5, rect.y_range(), egui::Stroke::new(1.0, p.line));
}

/// The lines that show.
fn in_sight(scrolled: f32, height: f32, count: usize) -> Range<usize> {
    let first = ((scrolled - theme::GRID) / LINE).floor().max(0.0) as usize;
    let last = ((scrolled + height) / LINE).ceil().max(0.0) as usize;
    first.min(count)..last.min(count)
}

/// The lines in sight of a view.
struct Page<'a> {
    ui: &'a mut Ui,
    text: &'a str,
    lines: &'a Lines,
    font: FontId,
    /// Top left of the first line of the text.
    origin: egui::Pos2,
    /// What shows of the text's whole area.
    viewport: Rect,
}

impl Page<'_> {
    fn galleys(&self) -> Vec<(usize, Arc<Galley>)> {
        let lines = in_sight(self.viewport.top(), self.viewport.height(), self.lines.len());
        lines.map(|line| (line, self.galley(line))).collect()
    }

    fn galley(&self, number: usize) -> Arc<Galley> {
        let dark = self.ui.visuals().dark_mode;
        let plain = self.ui.visuals().text_color();
        let line = self.lines.line(self.text, number);
        let cut = line.char_indices().nth(MAX_COLUMNS).map(|(at, _)| at);
        let line = &line[..cut.unwrap_or(line.len())];
        let mut job = LayoutJob::default();
        let mut column = 0;
        for span in spans(self.lines.language, line, self.lines.starts_in_comment(number)).0 {
            let format = TextFormat::simple(self.font.clone(), span.kind.color(dark, plain));
            job.append(&drawn_out(&line[span.range], &mut column), 0.0, format);
        }
        if cut.is_some() {
            job.append(" …", 0.0, TextFormat::simple(self.font.clone(), self.ui.visuals().weak_text_color()));
        }
        self.ui.painter().layout_job(job)
    }

    fn line_rect(&self, line: usize) -> Rect {
        let top = self.origin.y + line as f32 * LINE;
        let (left, right) = (self.origin.x + self.viewport.left(), self.origin.x + self.viewport.right());
        Rect::from_x_y_ranges(left..=right, top..=top + LINE)
    }

    /// Where columns of a line stand.
    fn columns_rect(&self, line: usize, galley: &Galley, columns: Range<usize>, cell: f32) -> Rect {
        let x = |column: usize| self.origin.x + MARGIN + galley.pos_from_cursor(CCursor::new(column)).min.x;
        let rect = self.line_rect(line);
        // A selected line end shows as a half cell.
        let right = if columns.end == usize::MAX { x(usize::MAX) + cell * 0.5 } else { x(columns.end) };
        Rect::from_x_y_ranges(x(columns.start)..=right, rect.y_range())
    }

    fn place_at(&self, at: egui::Pos2, galleys: &[(usize, Arc<Galley>)]) -> Place {
        let line = ((at.y - self.origin.y) / LINE).floor().max(0.0) as usize;
        let line = line.min(self.lines.len().saturating_sub(1));
        let x = at.x - self.origin.x - MARGIN;
        let found = galleys.iter().find(|(number, _)| *number == line);
        let made = found.is_none().then(|| self.galley(line));
        let Some(galley) = found.map(|(_, galley)| galley).or(made.as_ref()) else { return (line, 0) };
        (line, galley.cursor_from_pos(vec2(x, galley.size().y / 2.0)).index.0)
    }

    /// Lets the mouse select, copy, and go to definitions.
    fn select(
        &mut self,
        name: &str,
        galleys: &[(usize, Arc<Galley>)],
        view: &mut CodeView,
        marks: Marks<'_>,
        cell: f32,
        events: &mut CodeEvents,
    ) {
        let rect = self.ui.clip_rect();
        let response = self.ui.interact(rect, self.ui.id().with("text"), Sense::click_and_drag());
        let count = self.lines.len();
        let label = format!("{name}: {}", counted(count, "line"));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, &label));
        if response.hovered() {
            self.ui.set_cursor_icon(CursorIcon::Text);
        }
        let jumps = marks.has_names && self.ui.input(|i| i.modifiers.command);
        if jumps && response.clicked() {
            events.define = response.interact_pointer_pos().and_then(|at| self.name_at(at, galleys));
        } else {
            self.press(&response, galleys, view, events);
        }
        self.rest(&response, galleys, view, marks, jumps, cell, events);
        let mut copied = None;
        if response.has_focus() {
            let (copy, all) = self.ui.input_mut(|input| {
                let copy = input.events.iter().any(|e| matches!(e, egui::Event::Copy));
                (copy, input.consume_key(Modifiers::COMMAND, Key::A))
            });
            if all {
                view.selection = Some(((0, 0), (count.saturating_sub(1), usize::MAX)));
            }
            if copy {
                copied = view.selected(self.text, self.lines);
            }
        }
        response.context_menu(|ui| {
            use egui_phosphor::regular as icon;
            let selected = view.selected(self.text, self.lines);
            if ui.add_enabled(selected.is_some(), egui::Button::new(format!("{}  Copy", icon::COPY))).clicked() {
                copied = selected;
                ui.close();
            }
            if ui.button(format!("{}  Copy all", icon::COPY)).clicked() {
                copied = Some(self.text.to_owned());
                ui.close();
            }
            let caret = view.selection.map(|(_, to)| (to.0, byte_at(self.lines.line(self.text, to.0), to.1)));
            let definition = egui::Button::new(format!("{}  Go to definition", icon::ARROW_SQUARE_RIGHT));
            if marks.has_names && ui.add_enabled(caret.is_some(), definition).clicked() {
                events.define = caret;
                ui.close();
            }
        });
        events.copied = copied;
    }

    /// The line and the byte where the name at a point begins.
    fn name_at(&self, at: egui::Pos2, galleys: &[(usize, Arc<Galley>)]) -> Option<(usize, usize)> {
        let (line, column) = self.place_at(at, galleys);
        let text = self.lines.line(self.text, line);
        let right = self.origin.x + MARGIN + galleys.iter().find(|(number, _)| *number == line)?.1.size().x;
        let word = word_at(text, byte_at(text, column));
        (at.x <= right && !word.is_empty()).then_some((line, word.start))
    }

    /// The pointer rests on a name: asks what it means, and says so; while Ctrl is held the name is a link.
    #[expect(clippy::too_many_arguments, reason = "needs the drawn lines and the state of the view")]
    fn rest(
        &mut self,
        response: &Response,
        galleys: &[(usize, Arc<Galley>)],
        view: &mut CodeView,
        marks: Marks<'_>,
        jumps: bool,
        cell: f32,
        events: &mut CodeEvents,
    ) {
        let pointer = response.hover_pos().filter(|_| marks.has_names && !response.is_pointer_button_down_on());
        let Some((line, byte)) = pointer.and_then(|at| self.name_at(at, galleys)) else {
            view.rests = None;
            return;
        };
        let now = self.ui.input(|i| i.time);
        let rests = view.rests.filter(|rests| (rests.line, rests.byte) == (line, byte));
        let mut rests = rests.unwrap_or(Rest { line, byte, since_secs: now, is_asked: false });
        let left = REST_SECS - (now - rests.since_secs);
        if left > 0.0 {
            self.ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(left));
        } else if !std::mem::replace(&mut rests.is_asked, true) {
            events.explain = Some((line, byte));
        }
        view.rests = Some(rests);
        if jumps && let Some((_, galley)) = galleys.iter().find(|(number, _)| *number == line) {
            let text = self.lines.line(self.text, line);
            let word = word_at(text, byte);
            let rect = self.columns_rect(line, galley, column_of(text, word.start)..column_of(text, word.end), cell);
            let stroke = egui::Stroke::new(1.0, theme::palette(self.ui).accent);
            self.ui.painter().hline(rect.x_range(), rect.bottom() - 2.0, stroke);
            self.ui.set_cursor_icon(CursorIcon::PointingHand);
        }
        if let Some((_, _, says)) = marks.explained.filter(|(at, start, _)| (*at, *start) == (line, byte)) {
            response.clone().on_hover_ui_at_pointer(|ui| {
                ui.label(egui::RichText::new(says).monospace());
                ui.weak("Ctrl+click to go to definition");
            });
        }
    }

    fn press(
        &self,
        response: &Response,
        galleys: &[(usize, Arc<Galley>)],
        view: &mut CodeView,
        events: &mut CodeEvents,
    ) {
        let Some(at) = response.interact_pointer_pos() else { return };
        let primary = self.ui.input(|i| i.pointer.primary_down());
        if response.double_clicked() {
            let place = self.place_at(at, galleys);
            view.select_word(self.lines.line(self.text, place.0), place);
        } else if response.triple_clicked() {
            let line = self.place_at(at, galleys).0;
            view.selection = Some(((line, 0), (line, usize::MAX)));
        } else if primary && (response.drag_started() || response.is_pointer_button_down_on()) {
            let place = self.place_at(at, galleys);
            let pressed = self.ui.input(|i| i.pointer.primary_pressed());
            match &mut view.selection {
                Some((_, to)) if !pressed || self.ui.input(|i| i.modifiers.shift) => *to = place,
                selection => *selection = Some((place, place)),
            }
            if pressed {
                view.target = None;
                events.caret = Some((place.0, byte_at(self.lines.line(self.text, place.0), place.1)));
            }
            response.request_focus();
            // Drawing past the edge scrolls.
            self.ui.scroll_to_rect(Rect::from_center_size(at, vec2(1.0, LINE)), None);
        }
    }

    fn draw(&mut self, galleys: &[(usize, Arc<Galley>)], view: &CodeView, marks: Marks<'_>, cell: f32) {
        let p = theme::palette(self.ui);
        let current = marks.search.shown();
        for (line, galley) in galleys {
            let rect = self.line_rect(*line);
            let source = self.lines.line(self.text, *line);
            let response = self.ui.interact(rect, self.ui.id().with(("line", *line)), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, source));
            let painter = self.ui.painter();
            let lit = marks.lit.iter().filter(|(lines, _)| lines.contains(line)).map(|(_, sure)| *sure).max();
            if let Some(sure) = lit {
                let strength = if sure { 0.55 } else { 0.22 };
                painter.rect_filled(rect, 0.0, p.accent_soft.gamma_multiply(strength));
                let bar = egui::Stroke::new(if sure { 3.0 } else { 1.0 }, p.accent);
                painter.vline(rect.left() + 1.5, rect.y_range(), bar);
            }
            if view.target == Some(*line) {
                painter.rect_stroke(rect, 2.0, egui::Stroke::new(1.0, p.accent), egui::StrokeKind::Inside);
            }
            if let Some(columns) = view.columns_in(*line) {
                painter.rect_filled(self.columns_rect(*line, galley, columns, cell), 0.0, p.accent_soft);
            }
            for found in marks.search.in_line(marks.part, *line) {
                let columns = column_of(source, found.start)..column_of(source, found.end);
                let rect = self.columns_rect(*line, galley, columns, cell).shrink2(vec2(0.0, 1.0));
                painter.rect_filled(rect, 2.0, p.accent_soft);
                if current == Some(*found) {
                    painter.rect_stroke(rect, 2.0, egui::Stroke::new(1.5, p.accent), egui::StrokeKind::Outside);
                }
            }
            let at = pos2(self.origin.x + MARGIN, rect.center().y - galley.size().y / 2.0);
            painter.galley(at, galley.clone(), p.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Language;

    #[test]
    fn a_selection_is_copied_as_it_stands_in_the_text() {
        let text = "one\n\ttwo\nthree";
        let lines = Lines::new(text, Language::Plain);
        let mut view = CodeView { selection: Some(((2, 2), (0, 1))), ..CodeView::default() };
        assert_eq!(view.selected(text, &lines).unwrap(), "ne\n\ttwo\nth");
        view.selection = Some(((1, 4), (1, 6)));
        assert_eq!(view.selected(text, &lines).unwrap(), "tw");
        view.selection = Some(((0, 0), (99, usize::MAX)));
        assert_eq!(view.selected(text, &lines).unwrap(), "one\n\ttwo\nthree\n");
        view.selection = Some(((1, 4), (1, 4)));
        assert_eq!(view.selected(text, &lines), None);
        view.select_word(lines.line(text, 1), (1, 5));
        assert_eq!(view.selected(text, &lines).unwrap(), "two");
    }

    #[test]
    fn only_lines_in_sight_are_asked_for() {
        assert_eq!(in_sight(0.0, 100.0, 30_000), 0..6);
        assert_eq!(in_sight(30_000.0 * LINE - 90.0, 90.0, 30_000), 29_994..30_000);
        assert_eq!(in_sight(1e9, 100.0, 10), 10..10);
        assert_eq!(in_sight(0.0, 100.0, 0), 0..0);
    }
}
