//! The clips that a model can play: those that belong to it first, each with the reason why it is offered.

use crate::ui::{
    command::{Command, ModelCommand, StageCommand},
    state::{ClipItem, State},
    theme::{self, Palette},
    widgets::empty,
};
use egui::{Align2, FontId, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// What the page remembers between frames.
#[derive(Default)]
pub struct ClipsView {
    filter: String,
}

/// Shares of the width: the name, the file or group, the reason.
const COLUMNS: [f32; 3] = [0.32, 0.26, 0.42];

/// Names of the groups that clips stand in.
const BELONGS: &str = "Belong to this model";

const COULD_PLAY: &str = "Could play on it";

const OTHER_FILES: &str = "In other places";

enum Row<'a> {
    Group(&'static str, usize),
    Clip(&'a ClipItem),
}

pub fn show(ui: &mut Ui, state: &State, view: &mut ClipsView, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let clips = &state.stage.playback.clips;
    egui::Frame::new().inner_margin(egui::Margin { left: 10, right: 10, top: 2, bottom: 8 }).show(ui, |ui| {
        if clips.len() > 8 {
            let edit = TextEdit::singleline(&mut view.filter).hint_text(format!("{}  Filter clips", icon::FUNNEL));
            let field = ui.add(edit.desired_width(220.0));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Filter the list of clips"));
            ui.add_space(2.0);
        } else {
            view.filter.clear();
        }
        let words: Vec<String> = view.filter.split_whitespace().map(str::to_lowercase).collect();
        let matches = |clip: &&ClipItem| {
            let text = format!("{} {}", clip.name, clip.group).to_lowercase();
            words.iter().all(|word| text.contains(word.as_str()))
        };
        let mut rows = Vec::with_capacity(clips.len() + 2);
        for name in [BELONGS, COULD_PLAY, OTHER_FILES] {
            let found: Vec<&ClipItem> = clips.iter().filter(|clip| group_of(clip) == name).filter(matches).collect();
            if !found.is_empty() {
                rows.push(Row::Group(name, found.len()));
                rows.extend(found.into_iter().map(Row::Clip));
            }
        }
        if rows.is_empty() {
            return empty::show(ui, icon::FUNNEL, "Nothing found", "No clip has all of these words in its name.");
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink([false, false]).show_rows(ui, theme::ROW, rows.len(), |ui, range| {
            for row in &rows[range] {
                match row {
                    Row::Group(name, count) => {
                        let text = format!("{name}  {count}");
                        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
                        let at = pos2(rect.left() + 4.0, rect.bottom() - 6.0);
                        let font = FontId::proportional(theme::SMALL);
                        ui.painter().text(at, Align2::LEFT_BOTTOM, text, font, p.weak);
                    }
                    Row::Clip(clip) => clip_row(ui, state, clip, &p, commands),
                }
            }
        });
    });
}

fn group_of(clip: &ClipItem) -> &'static str {
    match clip {
        ClipItem { likely: true, .. } => BELONGS,
        ClipItem { related: true, .. } => COULD_PLAY,
        _ => OTHER_FILES,
    }
}

fn clip_row(ui: &mut Ui, state: &State, clip: &ClipItem, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let on = state.stage.plays(clip.place);
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
    let columns = [(&clip.name, body, color), (&clip.group, small.clone(), p.weak), (&clip.reason, small, p.weak)];
    for ((text, font, color), share) in columns.into_iter().zip(COLUMNS) {
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width * share - 10.0, rect.bottom()));
        let mut job = egui::text::LayoutJob::simple_singleline(text.clone(), font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(cell.width());
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
        // Whatever stands in the list plays; what fits badly says so there.
        commands.push(if clip.fit.plays() {
            Command::Stage(StageCommand::Show(clip.place))
        } else {
            Command::Model(ModelCommand::PlayAnyway(clip.place))
        });
    }
}
