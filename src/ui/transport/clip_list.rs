//! The clips that a model can play, to choose one from while the drawer is closed.

use crate::ui::{
    command::{Command, StageCommand},
    query::Filter,
    state::{ClipItem, State},
    theme,
    transport::clips::{is_found, more_clips},
    widgets::{filter_field, put::put_text, rows::Rows},
};
use egui::{RichText, Ui, vec2};
use egui_phosphor::regular as icon;

/// What clips stand under that could play on the model, while nothing says that they belong to it.
const OTHERS: &str = "Possible matches";

/// Takes the whole width. `filter`: what was typed to find a clip among many.
pub fn show(ui: &mut Ui, state: &State, filter: &mut Filter, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let Some(playback) = state.stages.front.playback() else { return };
    let chosen = playback.current().map_or_else(|| "Select a clip".to_owned(), |c| c.name.clone());
    let text = egui::Button::new(chosen.as_str()).truncate().right_text(RichText::new(icon::CARET_DOWN).size(11.0));
    let button = ui.add_sized(vec2(ui.available_width(), 28.0), text.fill(p.card));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, format!("Clip: {chosen}")));
    let close = egui::PopupCloseBehavior::CloseOnClickOutside;
    egui::Popup::menu(&button).close_behavior(close).show(|ui| {
        ui.set_width(280.0);
        let (many, mut goes_down) = (playback.clips.len() > 8, false);
        if many {
            let field = filter_field::show(ui, &mut filter.text, "Filter clips", f32::INFINITY, "Filter clips");
            goes_down = filter_field::leaves_for_list(ui, &field);
            if !field.has_focus() && ui.memory(|m| m.focused().is_none()) {
                field.request_focus();
            }
        }
        let query = filter.query();
        let clips = playback.clips.iter();
        let found: Vec<&ClipItem> = clips.filter(|clip| !many || is_found(query, state, clip)).collect();
        // Group names are rows between the clips; those that fit by number alone stand under a name of their own.
        let mut rows: Vec<Result<&ClipItem, &str>> = Vec::with_capacity(found.len() + 8);
        for clip in found {
            let last = rows.iter().rev().find_map(|r| r.ok());
            let group = if clip.belongs { clip.group.as_str() } else { OTHERS };
            if last.is_none_or(|l| l.belongs != clip.belongs || clip.belongs && l.group != clip.group) {
                rows.push(Err(group));
            }
            rows.push(Ok(clip));
        }
        if rows.is_empty() {
            ui.weak("No clip matches the filter.");
        }
        if state.collection.has_collection(&state.core) {
            more_clips(ui, commands);
        }
        let list = Rows::new("clips", rows.len()).up_to(theme::ROW * 14.0).enter(goes_down);
        list.show(ui, |ui, row| match rows[row.index] {
            Err(group) => {
                let area = row.rect.with_max_y(row.rect.bottom() + 4.0);
                put_text(ui, area, egui::Align::Min, p.weak, RichText::new(group).small());
            }
            Ok(clip) => {
                let on = state.stages.front.plays(clip.place);
                let sign = if on { icon::PLAY_CIRCLE } else { icon::CIRCLE };
                let text = format!("{sign}  {}", clip.name);
                let response = row.item(ui, egui::WidgetType::Button, on, &text);
                put_text(ui, row.span(8.0, 8.0), egui::Align::Min, if on { p.strong } else { p.text }, text);
                let hover = if clip.belongs { clip.reason.clone() } else { format!("{}\n{}", clip.group, clip.reason) };
                if response.on_hover_text(hover).clicked() {
                    commands.push(Command::Stage(StageCommand::Show(clip.place)));
                    ui.close();
                }
            }
        });
    });
}
