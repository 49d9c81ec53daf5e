//! A value that is typed over where it stands.

use crate::ui::theme::{self, Palette};
use egui::{
    Align, FontId, Frame, Id, Key, Margin, Rect, TextEdit, Ui, WidgetInfo, WidgetType,
    text::{CCursor, CCursorRange},
    text_edit::TextEditState,
    vec2,
};

const MAX_LETTERS: usize = 40;

/// What was typed so far, and what stood there before.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    before: String,
}

/// Shows `value` at the right end of `rect`. A click makes it a field; the text that is left there with Enter or by going
/// elsewhere is given back, Esc leaves all as it was. A value that changes meanwhile does not disturb the typing.
pub fn show(ui: &mut Ui, rect: Rect, id: Id, value: &str, name: &str, hint: &str) -> Option<String> {
    let p = theme::palette(ui);
    let is_typing = ui.memory(|memory| memory.has_focus(id));
    let kept = is_typing.then(|| ui.data(|data| data.get_temp::<Draft>(id))).flatten();
    let mut draft = kept.unwrap_or_else(|| Draft { text: value.to_owned(), before: value.to_owned() });
    let edit = TextEdit::singleline(&mut draft.text)
        .id(id)
        .char_limit(MAX_LETTERS)
        .font(FontId::monospace(13.0))
        .text_color(p.strong)
        .horizontal_align(Align::Max)
        .vertical_align(Align::Center)
        .frame(frame(ui, rect, is_typing, &p))
        .desired_width(rect.width() - 8.0)
        .min_size(vec2(rect.width(), 24.0));
    let place = Rect::from_center_size(rect.center(), vec2(rect.width(), 24.0));
    let response = ui.put(place, edit);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, name));
    if response.gained_focus() {
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(draft.text.chars().count()));
        let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
    }
    if response.lost_focus() {
        ui.data_mut(|data| data.remove::<Draft>(id));
        let is_given_up = ui.input(|input| input.key_pressed(Key::Escape));
        return (!is_given_up && draft.text != draft.before).then_some(draft.text);
    }
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, draft));
    } else {
        response.on_hover_text(hint);
    }
    None
}

/// None until the pointer is there: it stands among other figures.
fn frame(ui: &Ui, rect: Rect, is_typing: bool, p: &Palette) -> Frame {
    let margin = Margin::symmetric(4, 2);
    let frame = Frame::NONE.inner_margin(margin).corner_radius(4.0);
    if is_typing {
        frame.fill(p.field).stroke(egui::Stroke::new(1.0, p.accent))
    } else if ui.rect_contains_pointer(rect) {
        frame.fill(p.card)
    } else {
        frame
    }
}
