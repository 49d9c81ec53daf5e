//! What the clip that plays calls at its moments: functions of a script, sounds by number.

use crate::{
    scene::Marker,
    ui::{
        command::{Command, ModelCommand},
        state::State,
        theme,
        widgets::{
            empty,
            put::put_text,
            rows::{Row, Rows},
        },
    },
};
use egui::{Align, Ui, WidgetType};
use egui_phosphor::regular as icon;

/// From the left, in points: the seconds and the name.
const SECONDS: f32 = 84.0;
const NAME: f32 = 160.0;

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.curves().and_then(|curves| curves.shown.as_ref()) else {
        let why = "Play a clip to see its notifications.";
        return empty::show(ui, icon::FLAG, "No notifications", why);
    };
    let markers = &shown.clip.markers;
    if markers.is_empty() {
        let why = "In Unreal clips, notifications call functions; in J3D clips, they start sounds.";
        return empty::show(ui, icon::FLAG, "This clip has no notifications", why);
    }
    let rate_hz = state.stages.front.curves_rate_hz();
    // The last that was passed is the one that is marked.
    let frame = state.stages.front.curves_frame();
    let passed = markers.partition_point(|marker| marker.frame <= frame + 1e-3).checked_sub(1);
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 12, top: 2, bottom: 8 }).show(ui, |ui| {
        Rows::new("notifications", markers.len()).quiet().show(ui, |ui, row| {
            show_row(ui, row, &markers[row.index], rate_hz, passed == Some(row.index), commands);
        });
    });
    if state.stages.front.curves_play() {
        ui.ctx().request_repaint();
    }
}

/// Frame, seconds and name; a press goes there.
fn show_row(ui: &Ui, row: &Row<'_>, marker: &Marker, rate_hz: f32, on: bool, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let label = format!("{} at frame {:.1}", marker.name, marker.frame);
    let response = row.item(ui, WidgetType::Button, on, &label);
    let figures = |text: String| theme::figures(text).size(theme::SMALL);
    let frame = row.span(0.0, row.rect.width() - 64.0);
    put_text(ui, frame, Align::Max, p.text, figures(format!("{:.1}", marker.frame)));
    if rate_hz > 0.0 {
        let secs = figures(format!("{:.2} s", marker.frame / rate_hz));
        put_text(ui, row.span(SECONDS, 0.0), Align::Min, p.weak, secs);
    }
    put_text(ui, row.span(NAME, 0.0), Align::Min, if on { p.strong } else { p.text }, &marker.name);
    if response.clicked() {
        commands.push(Command::Model(ModelCommand::SeekCurves(marker.frame)));
    }
}
