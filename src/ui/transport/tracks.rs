//! The keys of the clip that plays: a row for each thing that it drives, a tick for each key.

use crate::{
    scene::{Clip, FileAxes},
    ui::{
        command::{Command, ModelCommand, SelectionCommand, TransportCommand},
        query::Filter,
        state::State,
        theme,
        transport::curves::lines::{Lines, key_frames},
        widgets::{
            empty, filter_field,
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// Width of the names, in points.
const NAMES: f32 = 180.0;

/// Ticks nearer to each other than this are left out, in points.
const TICK_DISTANCE: f32 = 4.0;

/// From the middle of a key's diamond to its corners, in points.
const KEY: f32 = 3.0;

/// What the page remembers between frames.
#[derive(Default)]
pub struct TracksView {
    /// What the rows were made for: the clip and the model.
    made_for: Option<(u64, Option<u64>)>,
    rows: Vec<Track>,
    filter: Filter,
}

/// All keys of one joint, material or the like.
struct Track {
    name: String,
    /// The joint of the model that it is.
    joint: Option<u32>,
    /// Frames with keys, ascending.
    frames: Arc<[f32]>,
}

impl Track {
    /// What a filter by type finds it by.
    fn kind(&self) -> &'static str {
        if self.joint.is_some() { "bone" } else { "" }
    }
}

pub fn show(ui: &mut Ui, state: &State, view: &mut TracksView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.curves().and_then(|curves| curves.shown.as_ref()) else {
        return empty::show(ui, icon::DIAMONDS_FOUR, "No tracks", "Play a clip to see its keys.");
    };
    let wanted = (shown.generation, state.stages.front.curves_model());
    if view.made_for != Some(wanted) {
        view.made_for = Some(wanted);
        view.rows = tracks_of(&shown.clip, state);
    }
    if view.rows.is_empty() {
        return empty::show(ui, icon::DIAMONDS_FOUR, "No tracks", "The clip has no keys.");
    }
    let last = shown.clip.last_frame().max(1e-3);
    let selected = state.stages.front.selected().joint;
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 12, top: 2, bottom: 8 }).show(ui, |ui| {
        let goes_down = header(ui, &mut view.filter.text, commands);
        let query = view.filter.query();
        let found: Vec<&Track> =
            view.rows.iter().filter(|track| query.finds_in(&[&track.name], &[track.kind()], &[])).collect();
        if found.is_empty() {
            return empty::show(ui, icon::FUNNEL, "Nothing found", "No track matches the filter.");
        }
        let own = |track: &&Track| track.joint.is_some() && track.joint == selected;
        let rows = Rows::new("tracks", found.len()).quiet().enter(goes_down);
        let rows = rows.follow(ui, (wanted, selected), || selected.and_then(|_| found.iter().position(own)));
        rows.show(ui, |ui, row| show_row(ui, row, state, found[row.index], last, commands));
    });
    if state.stages.front.curves_play() {
        ui.ctx().request_repaint();
    }
}

/// Draws the filter and the buttons that move to the next keys. Returns true if Down was pressed in the filter.
fn header(ui: &mut Ui, filter: &mut String, commands: &mut Vec<Command>) -> bool {
    let mut goes_down = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let field = filter_field::show(ui, filter, "Filter tracks", 220.0, "Filter the tracks");
        goes_down = filter_field::leaves_for_list(ui, &field);
        for (sign, name, by) in [(icon::CARET_LINE_LEFT, "Previous key", -1), (icon::CARET_LINE_RIGHT, "Next key", 1)] {
            if theme::icon_button(ui, sign, name).clicked() {
                commands.push(Command::Transport(TransportCommand::StepKey(by)));
            }
        }
    });
    ui.add_space(2.0);
    goes_down
}

/// Draws a track.
fn show_row(ui: &Ui, row: &Row<'_>, state: &State, track: &Track, last: f32, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let rect = row.rect;
    let on = track.joint.is_some() && track.joint == state.stages.front.selected().joint;
    let label = format!("Keys of {}", track.name);
    let info = || WidgetInfo::selected(WidgetType::Button, true, on, label.as_str());
    let response = row.interact(ui, Sense::click_and_drag(), info);
    row.fill(ui, &response, on);
    let names = rect.with_max_x(rect.left() + NAMES.min(rect.width() * 0.4));
    let bar = Rect::from_min_max(pos2(names.right() + 8.0, rect.top() + 2.0), rect.max - vec2(0.0, 2.0));
    let color = if on { p.strong } else { p.text };
    let name = names.with_min_x(names.left() + 6.0).with_max_x(names.right() - 2.0);
    put_text(ui, name, Align::Min, color, RichText::new(&track.name).size(theme::SMALL));
    let painter = ui.painter_at(bar.expand2(vec2(5.0, 0.0)));
    painter.rect_filled(bar, 3.0, p.field);
    let x_of = |frame: f32| bar.left() + frame / last * bar.width();
    let mut free_from = f32::NEG_INFINITY;
    for frame in track.frames.iter().filter(|frame| **frame <= last) {
        let x = x_of(*frame);
        if x >= free_from {
            let at = pos2(x, bar.center().y);
            let corners = [vec2(0.0, -KEY), vec2(KEY, 0.0), vec2(0.0, KEY), vec2(-KEY, 0.0)].map(|corner| at + corner);
            painter.add(egui::Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE));
            free_from = x + TICK_DISTANCE;
        }
    }
    if let Some(range) = state.stages.front.curves_range() {
        // What does not play.
        let dim = p.panel.gamma_multiply(0.65);
        painter.rect_filled(bar.with_max_x(x_of(range.first())), 3.0, dim);
        painter.rect_filled(bar.with_min_x(x_of(range.last())), 3.0, dim);
    }
    let head = x_of(state.stages.front.curves_frame().clamp(0.0, last));
    painter.line_segment([pos2(head, bar.top()), pos2(head, bar.bottom())], Stroke::new(1.5, p.accent));

    if let Some(at) = response.interact_pointer_pos() {
        if at.x >= bar.left() - 4.0 {
            let frame = ((at.x - bar.left()) / bar.width().max(1.0)).clamp(0.0, 1.0) * last;
            commands.push(Command::Model(ModelCommand::SeekCurves(frame)));
        } else if response.clicked()
            && let Some(joint) = track.joint
        {
            commands.push(Command::Selection(SelectionCommand::Joint(Some(joint))));
        }
    }
}

fn tracks_of(clip: &Clip, state: &State) -> Vec<Track> {
    let lines = Lines::new(clip, true, FileAxes::default(), &state.stages.front.curves_joint_names());
    let joints = state.stages.front.model().and_then(|shown| shown.model.skeleton.as_ref());
    let joints = joints.map(|skeleton| skeleton.joints()).unwrap_or_default();
    let named = lines.groups.iter().map(|group| {
        let of_group = lines.list.get(group.lines.clone()).unwrap_or_default();
        let joint = joints.iter().position(|joint| joint.name == group.name);
        Track {
            name: group.name.clone(),
            joint: joint.and_then(|joint| u32::try_from(joint).ok()),
            frames: key_frames(clip, of_group),
        }
    });
    named.collect()
}
