//! The clips that a model can play: those that belong to it first, each with the reason why it is offered.

use crate::ui::{
    command::{CollectionCommand, Command, StageCommand},
    query::{Filter, Query},
    state::{ClipItem, State},
    theme,
    widgets::{
        empty, filter_field,
        numbers::grouped,
        put::{self, put_text},
        rows::{self, Rows},
    },
};
use egui::{Align, FontId, RichText, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// What the page remembers between frames.
#[derive(Default)]
pub struct ClipsView {
    filter: Filter,
}

/// Shares of the width: the name, the file or group, the reason.
const COLUMNS: [f32; 3] = [0.32, 0.26, 0.42];

/// Names of the groups that clips stand in.
const BELONGS: &str = "Clips of this model";

const MAY_FIT: &str = "Possible matches";

enum Row<'a> {
    Group(&'static str, usize),
    Clip(&'a ClipItem),
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ClipsView, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let Some(playback) = state.stages.front.playback() else { return };
    let clips = &playback.clips;
    egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 2, bottom: 8 }).show(ui, |ui| {
        let (is_long, mut goes_down) = (clips.len() > 8, false);
        if !is_long {
            view.filter.text.clear();
        }
        if is_long || state.collection.has_collection(&state.core) {
            ui.horizontal(|ui| {
                if is_long {
                    let field = filter_field::show(
                        ui,
                        &mut view.filter.text,
                        "Filter clips",
                        220.0,
                        "Filter the list of clips",
                    );
                    goes_down = filter_field::leaves_for_list(ui, &field);
                }
                if state.collection.has_collection(&state.core) {
                    more_clips(ui, commands);
                }
            });
            ui.add_space(2.0);
        }
        let query = view.filter.query();
        let matches = |clip: &&ClipItem| is_found(query, state, clip);
        let mut rows = Vec::with_capacity(clips.len() + 2);
        for name in [BELONGS, MAY_FIT] {
            let found: Vec<&ClipItem> = clips.iter().filter(|clip| group_of(clip) == name).filter(matches).collect();
            if !found.is_empty() {
                rows.push(Row::Group(name, found.len()));
                rows.extend(found.into_iter().map(Row::Clip));
            }
        }
        if rows.is_empty() {
            return empty::show(ui, icon::FUNNEL, "Nothing found", "No clip matches the filter.");
        }
        Rows::new("clips", rows.len()).quiet().enter(goes_down).show(ui, |ui, row| match &rows[row.index] {
            Row::Group(name, count) => {
                let text = RichText::new(format!("{name}  {}", grouped(*count))).size(theme::SMALL);
                let area = row.span(4.0, 0.0).with_max_y(row.rect.bottom() - 3.0);
                put_text(ui, area, Align::Min, p.weak, text);
            }
            Row::Clip(clip) => clip_row(ui, row, state, clip, query, commands),
        });
    });
}

/// Whether a clip is found by its name and its group.
pub(super) fn is_found(query: &Query, state: &State, clip: &ClipItem) -> bool {
    let file = state.core.file(clip.place.file);
    let entry = file.and_then(|file| file.entry(clip.place.entry));
    let class = entry.map_or("", |entry| &*entry.class);
    let file = file.map_or("", |file| file.name.as_str());
    query.finds_in(&[&clip.name, &clip.group], &["clip", class], &[&clip.group, file])
}

fn group_of(clip: &ClipItem) -> &'static str {
    if clip.belongs { BELONGS } else { MAY_FIT }
}

fn clip_row(ui: &Ui, row: &rows::Row<'_>, state: &State, clip: &ClipItem, query: &Query, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let on = state.stages.front.plays(clip.place);
    let response = row.item(ui, WidgetType::Button, on, &format!("Play {}", clip.name));
    let sign = if on { icon::PLAY_CIRCLE } else { icon::CIRCLE };
    put_text(ui, row.span(6.0, 0.0), Align::Min, if on { p.accent } else { p.weak }, sign);
    let body = FontId::proportional(theme::BODY);
    let small = FontId::proportional(theme::SMALL);
    let color = if on { p.strong } else { p.text };
    let (mut left, width) = (row.rect.left() + 26.0, row.rect.width() - 34.0);
    let nothing = Query::default();
    let columns = [
        (&clip.name, body, color, query),
        (&clip.group, small.clone(), p.weak, query),
        (&clip.reason, small, p.weak, &nothing),
    ];
    for ((text, font, color, query), share) in columns.into_iter().zip(COLUMNS) {
        let cell = row.rect.with_min_x(left).with_max_x(left + width * share - 10.0);
        put_text(ui, cell, Align::Min, color, put::marked_line(text, query, font, color, &p));
        left += width * share;
    }
    let clicked = response.clicked();
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(&clip.name).strong());
        ui.label(&clip.group);
        ui.label(&clip.reason);
    });
    if clicked {
        commands.push(Command::Stage(StageCommand::Show(clip.place)));
    }
}

/// The item that asks the collection which of its clips fit the model on the stage.
pub fn more_clips(ui: &mut Ui, commands: &mut Vec<Command>) {
    let text = format!("{}  More clips in the collection…", icon::STACK);
    let row = egui::Button::selectable(false, text).min_size(vec2(0.0, theme::ROW));
    let row = ui.add(row).on_hover_text("Clips in the collection that fit this model");
    row.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "More clips in the collection"));
    if row.clicked() {
        commands.push(Command::Collection(CollectionCommand::ShowFits(None)));
        ui.close();
    }
}
