//! What is hidden of a model or a level, in the middle at the top of its picture, and the way back.

use crate::ui::{
    command::{Command, PartsCommand, keys_of},
    state::State,
    theme::{self, Palette},
};
use egui::{FontId, Rect, Ui, pos2, vec2};
use egui_phosphor::regular as icon;

/// Says what is hidden; a click shows everything again.
pub fn show(ui: &Ui, rect: Rect, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let Some(hidden) = state.stages.front.hidden_words() else { return };
    let alone = state.stages.front.name_of_alone().filter(|name| !name.is_empty());
    let text = alone.map_or(hidden, |name| format!("Isolated: {name}"));
    let size = vec2(260.0_f32.min(rect.width() - 16.0), 26.0);
    let area = Rect::from_center_size(pos2(rect.center().x, rect.top() + 8.0 + size.y / 2.0), size);
    let font = FontId::proportional(theme::SMALL);
    let text = format!("{}  {text}  ·  Show all", icon::EYE_SLASH);
    let painter = ui.painter_at(rect);
    let galley = painter.layout(text.clone(), font, p.strong, size.x - 16.0);
    let place = Rect::from_center_size(area.center(), galley.size() + vec2(16.0, 10.0));
    let response = ui.interact(place, ui.id().with("hidden parts"), egui::Sense::click());
    let spoken = text.trim_start_matches(icon::EYE_SLASH).trim();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, spoken));
    let back = if response.hovered() { p.hover } else { p.panel.gamma_multiply(0.9) };
    painter.rect_filled(place, 6.0, back);
    painter.galley(place.center() - galley.size() / 2.0, galley, p.strong);
    let keys = keys_of(ui.ctx(), &Command::Parts(PartsCommand::ShowAll)).unwrap_or_default();
    if response.on_hover_text(format!("Show all ({keys})")).clicked() {
        commands.push(Command::Parts(PartsCommand::ShowAll));
    }
}
