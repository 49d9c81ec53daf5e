//! The search of the byte view: what to look for, how it is written, and which of the places found is marked.

use crate::{
    bytes::search::{Hits, Kind, Width},
    ui::{
        byte_search::{ByteScope, ByteSearch},
        command::{BytesCommand, Command},
        theme,
        widgets::{filter_field, numbers::grouped},
    },
};
use egui::{Align, ComboBox, Id, Key, Label, Layout, Modifiers, RichText, TextEdit, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;
use std::ops::Range;

/// Characters that the field takes: more than the longest pattern has, written apart.
const MAX_CHARS: usize = 4 * crate::bytes::search::MAX_PATTERN;

/// Shows the search. `is_current`: it is over the bytes that are shown, which `scope` is.
pub fn show(
    ui: &mut Ui,
    search: &ByteSearch,
    scope: ByteScope,
    is_current: bool,
    marked: Option<&Range<u64>>,
    commands: &mut Vec<Command>,
) {
    let (mut text, mut kind) = (search.text.clone(), search.kind);
    ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if theme::icon_button(ui, icon::X, "Close search").clicked() {
                commands.push(Command::Bytes(BytesCommand::CloseSearch));
            }
            for (sign, label, by) in [(icon::CARET_DOWN, "Next match", 1), (icon::CARET_UP, "Previous match", -1)] {
                if theme::icon_button(ui, sign, label).clicked() {
                    commands.push(Command::Bytes(BytesCommand::Step(by)));
                }
            }
            field(ui, search, &mut text, kind, commands);
        });
    });
    ui.horizontal(|ui| {
        for (name, choice) in
            [("Hex", Kind::Hex), ("Text", Kind::Text { case: false }), ("Number", Kind::Number(Width::Any))]
        {
            let is_on = std::mem::discriminant(&kind) == std::mem::discriminant(&choice);
            let label = ui.selectable_label(is_on, name);
            label.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, is_on, format!("Search {name}")));
            if label.clicked() && !is_on {
                kind = choice;
            }
        }
        match &mut kind {
            Kind::Hex => {}
            Kind::Text { case } => {
                let label = ui.selectable_label(*case, "Aa").on_hover_text("Match case");
                let is_on = *case;
                label.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, is_on, "Match case"));
                if label.clicked() {
                    *case = !*case;
                }
            }
            Kind::Number(width) => {
                let combo = ComboBox::from_id_salt("width").selected_text(width.name()).width(84.0);
                let shown = combo.show_ui(ui, |ui| {
                    for choice in Width::ALL {
                        ui.selectable_value(width, choice, choice.name());
                    }
                });
                shown.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, "Number width"));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let told = told(search, marked);
            ui.add(Label::new(RichText::new(&told).small().weak()).truncate()).on_hover_text(&told);
        });
    });
    let is_changed = text != search.text || kind != search.kind;
    if is_changed || !is_current && !text.is_empty() {
        commands.push(Command::Bytes(BytesCommand::Search { text, kind, scope, marks: is_changed }));
    }
}

fn field(ui: &mut Ui, search: &ByteSearch, text: &mut String, kind: Kind, commands: &mut Vec<Command>) {
    let hint = match kind {
        Kind::Hex => "41 43 ?? 58",
        Kind::Text { .. } => "Text in any encoding",
        Kind::Number(_) => "496, -1, 0x1f0, 0.5",
    };
    let id = Id::new("byte search");
    // Enter goes on; the field keeps the keyboard.
    let steps = |ui: &Ui| {
        if !ui.memory(|memory| memory.has_focus(id)) {
            return 0;
        }
        ui.input_mut(|input| {
            let back = i32::from(input.consume_key(Modifiers::SHIFT, Key::Enter));
            i32::from(input.consume_key(Modifiers::NONE, Key::Enter)) - back
        })
    };
    let by = steps(ui);
    if by != 0 {
        commands.push(Command::Bytes(BytesCommand::Step(by)));
    }
    let edit = TextEdit::singleline(text).id(id).hint_text(hint).char_limit(MAX_CHARS);
    let field = ui.add(edit.desired_width(ui.available_width()));
    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search the bytes"));
    if search.wants_keyboard {
        field.request_focus();
        commands.push(Command::Bytes(BytesCommand::SearchHasKeyboard));
    }
    if filter_field::is_given_up(ui, &field) {
        commands.push(Command::Bytes(BytesCommand::CloseSearch));
    }
    field.on_hover_text("Enter: next match. Shift+Enter: previous match. ? matches any hexadecimal digit");
}

/// How many places were found, and which of them is marked.
fn told(search: &ByteSearch, marked: Option<&Range<u64>>) -> String {
    if !search.problem.is_empty() {
        return search.problem.clone();
    }
    let Some(hits) = &search.hits else {
        return if search.work.is_some() { "Searching…".to_owned() } else { String::new() };
    };
    let Hits { places, is_cut } = hits.as_ref();
    let more = if *is_cut { "+" } else { "" };
    let count = format!("{}{more}", grouped(places.len()));
    match (places.is_empty(), search.at(marked)) {
        (true, _) => "No matches".to_owned(),
        (_, Some(at)) => format!("{} of {count}", grouped(at + 1)),
        (_, None) => format!("{count} found"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::search::MAX_HITS;
    use std::sync::Arc;

    #[test]
    fn the_number_of_places_says_whether_there_are_more() {
        let search = |places: usize, is_cut| ByteSearch {
            hits: Some(Arc::new(Hits { places: (0..places as u64).map(|at| at..at + 1).collect(), is_cut })),
            ..ByteSearch::default()
        };
        assert_eq!(told(&search(0, false), None), "No matches");
        assert_eq!(told(&search(17, false), Some(&(2..3))), "3 of 17");
        assert_eq!(told(&search(17, false), Some(&(2..4))), "17 found");
        assert_eq!(told(&search(MAX_HITS, true), Some(&(0..1))), "1 of 100,000+");
        assert_eq!(told(&ByteSearch::default(), None), "");
    }
}
