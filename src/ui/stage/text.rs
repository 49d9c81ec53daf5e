//! Texts and scripts, coloured, with search. Parts of a text stand side by side where there is room, else they are tabs.

use crate::{
    scene::{Language, Text, TextPart},
    ui::{
        command::{Command, LibraryCommand, TextCommand, WindowCommand, with_fixed_keys},
        state::{FileId, Place, State, TextPlace, TextStage},
        theme,
        widgets::{
            code::{self, CodeView, Lines, Marks, Search},
            empty,
            numbers::grouped,
            put::put,
        },
    },
};
use egui::{
    Align, Button, CursorIcon, Key, KeyboardShortcut, Layout, Modifiers, Rect, RichText, Sense, Ui, WidgetInfo,
    WidgetType, vec2,
};
use egui_phosphor::regular as icon;
use std::{ops::Range, sync::Arc};

/// From this width on, two parts stand side by side, in points.
const TWO_COLUMNS: f32 = 560.0;

/// The narrowest that a column may be drawn, in points.
const NARROWEST: f32 = 160.0;

const BAR: f32 = 36.0;

const HEAD: f32 = 26.0;

const NEXT_MATCH: KeyboardShortcut = KeyboardShortcut::new(Modifiers::NONE, Key::F3);

const PREVIOUS_MATCH: KeyboardShortcut = KeyboardShortcut::new(Modifiers::SHIFT, Key::F3);

/// Texts whose places are remembered.
const MAX_LEFT: usize = 50;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct TextView {
    generation: u64,
    place: Option<Place>,
    /// How texts were looked at when they were left, the last one first.
    left: Vec<(Place, Vec<CodeView>)>,
    /// The line that was gone to last, and the bytes that were brought into sight.
    turn: u64,
    marked: Option<Range<u64>>,
    /// Lines of each part that belong to the marked bytes.
    lit: Vec<Vec<(Range<usize>, bool)>>,
    lit_for: Option<(u64, Option<Range<u64>>, Option<TextPlace>)>,
    /// One for each part.
    lines: Vec<Lines>,
    views: Vec<CodeView>,
    search: Search,
    /// The part that shows where one shows, and on the right where two do.
    narrow: usize,
    right: usize,
    /// Where the two columns meet, as a part of the width; `None` until it is moved.
    split: Option<f32>,
    focus_search: bool,
    /// The word was changed: its first match is gone to.
    is_typed: bool,
}

impl TextView {
    /// Lets go of texts whose files are closed.
    pub fn keep_open(&mut self, is_open: impl Fn(FileId) -> bool) {
        self.left.retain(|(place, _)| is_open(place.file));
        if self.place.is_some_and(|place| !is_open(place.file)) {
            (self.place, self.generation) = (None, 0);
            (self.lines, self.views, self.lit, self.lit_for) = Default::default();
        }
    }

    fn take(&mut self, shown: &TextStage) {
        let (text, generation) = (&shown.text, shown.generation);
        if self.generation == generation && self.lines.len() == text.parts.len() {
            return;
        }
        if let Some(before) = self.place {
            self.left.retain(|(place, _)| *place != before);
            self.left.truncate(MAX_LEFT - 1);
            self.left.insert(0, (before, std::mem::take(&mut self.views)));
        }
        self.place = Some(shown.place);
        self.generation = generation;
        self.lines = text.parts.iter().map(|part| Lines::new(&part.text, part.language)).collect();
        let before = self.left.iter().find(|(place, _)| *place == shown.place).map(|(_, views)| views.as_slice());
        let before = before.filter(|views| views.len() == text.parts.len());
        let views = (0..text.parts.len()).map(|part| CodeView::opened(before.and_then(|views| views.get(part))));
        self.views = views.collect();
        (self.narrow, self.right) = (0, 1);
        self.marked = None;
    }

    /// Goes to the line that is asked for, and brings what belongs to the marked bytes into sight.
    fn follow(&mut self, state: &State, shown: &TextStage) {
        let text = &*shown.text;
        if let Some(wanted) = shown.wanted.filter(|wanted| wanted.turn != self.turn) {
            self.turn = wanted.turn;
            self.show_part(wanted.part);
            if let (Some(view), Some(lines), Some(part)) =
                (self.views.get_mut(wanted.part), self.lines.get(wanted.part), text.parts.get(wanted.part))
            {
                view.go_to_line(&part.text, lines, wanted.line, wanted.bytes.0..wanted.bytes.1);
            }
        }
        let is_here = state.core.selection.is_some_and(|selected| selected.file == shown.place.file);
        let bytes = state.core.selected_bytes.as_ref().filter(|_| is_here);
        let wanted = (shown.generation, bytes.cloned(), shown.caret);
        if self.lit_for.as_ref() == Some(&wanted) {
            return;
        }
        self.lit = vec![Vec::new(); text.parts.len()];
        for (part, mark) in shown.lit(bytes) {
            let line = mark.line as usize;
            self.lit.get_mut(part).into_iter().for_each(|lit| lit.push((line..line + 1, true)));
            let source = mark.source_lines.start as usize..mark.source_lines.end as usize;
            if let Some(lit) = self.lit.first_mut().filter(|_| !source.is_empty() && part > 0) {
                let sure = source.len() == 1;
                if lit.last() != Some(&(source.clone(), sure)) {
                    lit.push((source, sure));
                }
            }
        }
        // What was clicked is in sight already.
        if self.marked.as_ref() != bytes {
            self.marked = bytes.cloned();
            let clicked = shown
                .caret
                .map(|caret| caret.part)
                .filter(|_| self.lit_for.as_ref().is_some_and(|(.., c)| *c != shown.caret));
            for (part, view) in self.views.iter_mut().enumerate().filter(|(part, _)| Some(*part) != clicked) {
                if let Some((lines, _)) = self.lit.get(part).and_then(|lit| lit.first()) {
                    view.reveal(lines.start);
                }
            }
        }
        self.lit_for = Some(wanted);
    }

    /// Brings a part to the front of the others.
    fn show_part(&mut self, part: usize) {
        self.narrow = part;
        if part > 0 {
            self.right = part;
        }
    }

    /// Goes to a match, in whichever part it is.
    fn go(&mut self, text: &Text, by: isize) {
        let Some(found) = self.search.go(by) else { return };
        self.narrow = found.part;
        if found.part > 0 {
            self.right = found.part;
        }
        if let (Some(view), Some(lines), Some(part)) =
            (self.views.get_mut(found.part), self.lines.get(found.part), text.parts.get(found.part))
        {
            view.go_to(&part.text, lines, found);
        }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut TextView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.text() else {
        empty::show(ui, icon::TEXT_ALIGN_LEFT, "No text", "Select a text or script class in the library.");
        return;
    };
    // While the text is in front, the key that searches means the text.
    if commands.contains(&Command::Library(LibraryCommand::FocusFilter)) && ui.input(|i| i.modifiers.command) {
        commands.retain(|command| *command != Command::Library(LibraryCommand::FocusFilter));
        view.focus_search = true;
    }
    let text: Arc<Text> = shown.text.clone();
    view.take(shown);
    view.follow(state, shown);
    let whole = ui.available_rect_before_wrap();
    let (top, rest) = whole.split_top_bottom_at_y((whole.top() + BAR).min(whole.bottom()));
    let wide = rest.width() >= TWO_COLUMNS && text.parts.len() > 1;
    put(ui, top.shrink2(vec2(8.0, 4.0)), Layout::left_to_right(Align::Center), |ui| {
        bar(ui, &text, view, wide, commands)
    });
    if text.parts.is_empty() {
        put(ui, rest, Layout::top_down(Align::Center), |ui| {
            empty::show(ui, icon::TEXT_ALIGN_LEFT, "Empty text", "This entry contains no text.");
        });
    } else if wide {
        columns(ui, rest, shown, view, commands);
    } else {
        let (head, body) = rest.split_top_bottom_at_y(rest.top() + if text.parts.len() > 1 { HEAD } else { 0.0 });
        if text.parts.len() > 1 {
            let mut part = view.narrow;
            tabs(ui, head, &text, 0, &mut part);
            view.narrow = part;
        }
        page(ui, body, shown, view, view.narrow, commands);
    }
    ui.advance_cursor_after_rect(whole);
}

/// The name of the text, what is searched, and copying.
fn bar(ui: &mut Ui, text: &Text, view: &mut TextView, wide: bool, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let parts: Vec<(&str, &Lines)> = text.parts.iter().map(|p| p.text.as_str()).zip(&view.lines).collect();
    let searched = view.search.update(&parts, view.generation);
    if searched && std::mem::take(&mut view.is_typed) && !view.search.query.is_empty() {
        view.go(text, 1);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if theme::icon_button(ui, icon::COPY, "Copy the text").clicked() {
            let part = if wide { 0 } else { view.narrow };
            commands.extend(text.parts.get(part).map(|p| Command::Window(WindowCommand::Copy(p.text.clone()))));
        }
        let some = !view.search.matches.is_empty();
        let name = with_fixed_keys(ui.ctx(), "Next match", &NEXT_MATCH);
        let next = ui.add_enabled_ui(some, |ui| theme::icon_button(ui, icon::CARET_DOWN, &name));
        let name = with_fixed_keys(ui.ctx(), "Previous match", &PREVIOUS_MATCH);
        let previous = ui.add_enabled_ui(some, |ui| theme::icon_button(ui, icon::CARET_UP, &name));
        let mut by = isize::from(next.inner.clicked()) - isize::from(previous.inner.clicked());
        let count = counted(&view.search);
        let label = ui.add_sized(
            vec2(64.0, 20.0),
            egui::Label::new(RichText::new(&count).small().weak()).selectable(false).truncate(),
        );
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Matches: {count}")));
        let width = (ui.available_width() - 80.0).clamp(60.0, 220.0);
        let hint = format!("{} Find in the text", icon::MAGNIFYING_GLASS);
        let edit = ui.add(egui::TextEdit::singleline(&mut view.search.query).hint_text(hint).desired_width(width));
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Find in the text"));
        if edit.changed() {
            view.is_typed = true;
            ui.request_repaint();
        }
        if std::mem::take(&mut view.focus_search) {
            edit.request_focus();
        }
        let shift = ui.input(|i| i.modifiers.shift);
        if edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            by = if shift { -1 } else { 1 };
            edit.request_focus();
        }
        if edit.has_focus() && ui.input(|i| i.key_pressed(Key::Escape)) {
            view.search.query.clear();
        }
        // Shift first: a key without modifiers is found with Shift too.
        by += ui.input_mut(|i| {
            let back = isize::from(i.consume_shortcut(&PREVIOUS_MATCH));
            isize::from(i.consume_shortcut(&NEXT_MATCH)) - back
        });
        if by != 0 {
            view.go(text, by);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(&text.name).strong()).selectable(false).truncate());
        });
    });
}

fn counted(search: &Search) -> String {
    match (search.matches.len(), search.current) {
        _ if search.query.is_empty() => String::new(),
        (0, _) => "not found".to_owned(),
        (count, Some(at)) => format!("{} of {}", grouped(at + 1), grouped(count)),
        (count, None) => grouped(count),
    }
}

/// The first part on the left, one of the others on the right.
fn columns(ui: &mut Ui, rect: Rect, shown: &TextStage, view: &mut TextView, commands: &mut Vec<Command>) {
    let text = &*shown.text;
    let split = view.split.unwrap_or(0.5);
    let middle = (rect.left() + rect.width() * split).clamp(rect.left() + NARROWEST, rect.right() - NARROWEST).round();
    let left = rect.with_max_x(middle - 2.0);
    let right = rect.with_min_x(middle + 2.0);
    let handle = Rect::from_x_y_ranges(middle - 2.0..=middle + 2.0, rect.y_range());
    let grip = ui.interact(handle.expand2(vec2(2.0, 0.0)), ui.id().with("split"), Sense::click_and_drag());
    grip.widget_info(|| WidgetInfo::labeled(WidgetType::ResizeHandle, true, "Resize the columns"));
    let p = theme::palette(ui);
    let color = if grip.dragged() {
        p.accent
    } else if grip.hovered() {
        p.hover
    } else {
        p.base
    };
    if grip.hovered() || grip.dragged() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    ui.painter().rect_filled(handle, 0.0, color);
    if let (true, Some(at)) = (grip.dragged(), grip.interact_pointer_pos()) {
        view.split = Some(((at.x - rect.left()) / rect.width()).clamp(0.05, 0.95));
    }
    if grip.double_clicked() {
        view.split = None;
    }
    let (head, body) = left.split_top_bottom_at_y(left.top() + HEAD);
    heading(ui, head, text);
    page(ui, body, shown, view, 0, commands);
    let (head, body) = right.split_top_bottom_at_y(right.top() + HEAD);
    view.right = view.right.clamp(1, text.parts.len() - 1);
    let mut part = view.right;
    tabs(ui, head, text, 1, &mut part);
    view.right = part;
    page(ui, body, shown, view, part, commands);
}

/// What the left column holds.
fn heading(ui: &mut Ui, rect: Rect, text: &Text) {
    let Some(part) = text.parts.first() else { return };
    put(ui, rect.shrink2(vec2(8.0, 0.0)), Layout::left_to_right(Align::Center), |ui| {
        ui.add(egui::Label::new(RichText::new(&part.title).strong()).selectable(false).truncate());
    });
}

/// The parts from the `first` on, of which one shows.
fn tabs(ui: &mut Ui, rect: Rect, text: &Text, first: usize, shown: &mut usize) {
    let p = theme::palette(ui);
    put(ui, rect.shrink2(vec2(2.0, 1.0)), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        for (index, part) in text.parts.iter().enumerate().skip(first) {
            let on = *shown == index;
            let title = RichText::new(&part.title).color(if on { p.strong } else { p.weak });
            let title = if on { title.strong() } else { title };
            let tab = ui.add(Button::new(title).fill(egui::Color32::TRANSPARENT));
            tab.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, on, &part.title));
            if on && text.parts.len() > first + 1 {
                let below = tab.rect.x_range().shrink(6.0);
                ui.painter().hline(below, rect.bottom() - 1.0, egui::Stroke::new(2.0, p.accent));
            }
            if tab.clicked() {
                *shown = index;
            }
        }
    });
}

fn page(ui: &mut Ui, rect: Rect, shown: &TextStage, view: &mut TextView, part: usize, commands: &mut Vec<Command>) {
    let (Some(TextPart { title, text, language, .. }), Some(lines), Some(own)) =
        (shown.text.parts.get(part), view.lines.get(part), view.views.get_mut(part))
    else {
        return;
    };
    let explained = shown.explained.as_ref().filter(|explained| explained.at.part == part);
    put(ui, rect, Layout::top_down(Align::Min), |ui| {
        let marks = Marks {
            search: &view.search,
            part,
            lit: view.lit.get(part).map(Vec::as_slice).unwrap_or_default(),
            explained: explained.and_then(|said| Some((said.at.line, said.at.byte, said.says.as_deref()?))),
            has_names: *language != Language::Plain,
        };
        let events = code::show(ui, title, text, lines, own, marks);
        let at = |(line, byte): (usize, usize)| TextPlace { part, line, byte };
        commands.extend(events.copied.map(|text| Command::Window(WindowCommand::Copy(text))));
        let asked = [
            events.caret.map(|place| TextCommand::SetCaret(at(place))),
            events.explain.map(|place| TextCommand::Explain(at(place))),
            events.define.map(|place| TextCommand::Define(at(place))),
        ];
        commands.extend(asked.into_iter().flatten().map(Command::Text));
    });
}
