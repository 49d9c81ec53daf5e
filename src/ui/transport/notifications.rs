//! What the clip that plays calls at its moments: functions of a script, sounds by number.

use crate::{
    scene::Marker,
    ui::{
        command::{Command, ModelCommand},
        state::State,
        theme::{self, Palette},
        widgets::empty,
    },
};
use egui::{Align2, FontId, ScrollArea, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
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
    let p = theme::palette(ui);
    let rate_hz = state.stages.front.curves_rate_hz();
    // The last that was passed is the one that is marked.
    let frame = state.stages.front.curves_frame();
    let passed = markers.partition_point(|marker| marker.frame <= frame + 1e-3).checked_sub(1);
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 12, top: 2, bottom: 8 }).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink([false, false]);
        area.show_rows(ui, theme::ROW, markers.len(), |ui, range| {
            for index in range {
                row(ui, &markers[index], rate_hz, passed == Some(index), &p, commands);
            }
        });
    });
    if state.stages.front.curves_play() {
        ui.ctx().request_repaint();
    }
}

/// Frame, seconds and name; a press goes there.
fn row(ui: &mut Ui, marker: &Marker, rate_hz: f32, on: bool, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let label = format!("{} at frame {:.1}", marker.name, marker.frame);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, &label));
    let painter = ui.painter_at(rect);
    if on || response.hovered() {
        painter.rect_filled(rect, 4.0, if on { p.card } else { p.hover.gamma_multiply(0.5) });
    }
    let figures = FontId::monospace(theme::SMALL);
    let middle = rect.center().y;
    let frame = format!("{:.1}", marker.frame);
    painter.text(pos2(rect.left() + 64.0, middle), Align2::RIGHT_CENTER, frame, figures.clone(), p.text);
    if rate_hz > 0.0 {
        let secs = format!("{:.2} s", marker.frame / rate_hz);
        painter.text(pos2(rect.left() + SECONDS, middle), Align2::LEFT_CENTER, secs, figures, p.weak);
    }
    let color = if on { p.strong } else { p.text };
    let body = FontId::proportional(theme::BODY);
    painter.text(pos2(rect.left() + NAME, middle), Align2::LEFT_CENTER, &marker.name, body, color);
    if response.clicked() {
        commands.push(Command::Model(ModelCommand::SeekCurves(marker.frame)));
    }
}
