//! The clips that a model can play: those that belong to it first, each with the reason why it is offered.

use crate::ui::{
    command::{Command, StageCommand},
    query::{Filter, Query},
    state::{ClipItem, State},
    theme::{self, Palette},
    transport::more_clips,
    widgets::{empty, filter_field, marked, numbers::grouped},
};
use egui::{Align2, FontId, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
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
        let is_long = clips.len() > 8;
        if !is_long {
            view.filter.text.clear();
        }
        if is_long || state.collection.has_collection(&state.core) {
            ui.horizontal(|ui| {
                if is_long {
                    let edit = filter_field::edit(&mut view.filter.text);
                    let edit = edit.hint_text(format!("{}  Filter clips", icon::FUNNEL)).desired_width(220.0);
                    let field = filter_field::with_hint(ui.add(edit));
                    field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter the list of clips"));
                }
                if state.collection.has_collection(&state.core) {
                    more_clips::show(ui, commands);
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
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink([false, false]).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
            for row in &rows[range] {
                match row {
                    Row::Group(name, count) => {
                        let text = format!("{name}  {}", grouped(*count));
                        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
                        let at = pos2(rect.left() + 4.0, rect.bottom() - 6.0);
                        let font = FontId::proportional(theme::SMALL);
                        ui.painter().text(at, Align2::LEFT_BOTTOM, text, font, p.weak);
                    }
                    Row::Clip(clip) => clip_row(ui, state, clip, query, &p, commands),
                }
            }
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

fn clip_row(ui: &mut Ui, state: &State, clip: &ClipItem, query: &Query, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let on = state.stages.front.plays(clip.place);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, format!("Play {}", clip.name)));
    if on || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, if on { p.card } else { p.hover.gamma_multiply(0.5) });
    }
    let sign = if on { icon::PLAY_CIRCLE } else { icon::CIRCLE };
    let body = FontId::proportional(theme::BODY);
    let small = FontId::proportional(theme::SMALL);
    let color = if on { p.strong } else { p.text };
    let middle = rect.center().y;
    let sign_color = if on { p.accent } else { p.weak };
    ui.painter().text(pos2(rect.left() + 6.0, middle), Align2::LEFT_CENTER, sign, body.clone(), sign_color);
    let mut left = rect.left() + 26.0;
    let width = rect.width() - 34.0;
    let nothing = Query::default();
    let columns = [
        (&clip.name, body, color, query),
        (&clip.group, small.clone(), p.weak, query),
        (&clip.reason, small, p.weak, &nothing),
    ];
    for ((text, font, color, query), share) in columns.into_iter().zip(COLUMNS) {
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width * share - 10.0, rect.bottom()));
        let job = marked::line(text, query, font, color, p, cell.width());
        let galley = ui.painter().layout_job(job);
        let at = pos2(cell.left(), middle - galley.size().y * 0.5);
        ui.painter().galley(at, galley, color);
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
