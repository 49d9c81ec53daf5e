//! Fields that filters are typed into: what all of them have in common.

use crate::ui::query::{HINT, MAX_CHARS};
use egui::{Key, Modifiers, Response, TextEdit, Ui};

/// A field for a filter, which takes no more than what counts.
pub fn edit(filter: &mut String) -> TextEdit<'_> {
    TextEdit::singleline(filter).char_limit(MAX_CHARS)
}

/// Says the grammar of filters while the pointer rests on the field. Where something is being typed the list below is looked at.
pub fn with_hint(field: Response) -> Response {
    if field.has_focus() { field } else { field.on_hover_text(HINT) }
}

/// Whether Escape was pressed in a field: egui has taken the keyboard from it by then.
pub fn is_given_up(ui: &Ui, field: &Response) -> bool {
    (field.has_focus() || field.lost_focus()) && ui.input(|input| input.key_pressed(Key::Escape))
}

/// Whether Down was pressed in a field: the keyboard leaves it for the list below.
pub fn leaves_for_list(ui: &Ui, field: &Response) -> bool {
    let is_left = field.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
    if is_left {
        field.surrender_focus();
    }
    is_left
}
