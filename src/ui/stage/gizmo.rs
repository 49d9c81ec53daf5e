//! The axes of the file, as they lie in the picture.

use crate::{
    gpu::AXIS_COLORS,
    scene::camera::ViewDirection,
    ui::{
        command::{CameraCommand, Command},
        state::State,
        theme::{self},
    },
};
use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2, vec2};
use glam::{Affine3A, Vec3};

/// The file's axes, as they lie in the picture; a click on an end looks from there.
pub fn gizmo(
    ui: &mut Ui,
    rect: Rect,
    state: &State,
    file_from_scene: Affine3A,
    names: [&'static str; 3],
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let center = rect.left_bottom() + vec2(44.0, -44.0);
    let (right, up) = state.stages.front.view.camera.right_up();
    let toward = right.cross(up);
    let turn = state.stages.front.view.options.up_axis.world_from_model().matrix3 * file_from_scene.inverse().matrix3;
    let colors = AXIS_COLORS.map(|[r, g, b]| Color32::from_rgb(r, g, b));
    let mut ends: Vec<(f32, Pos2, Vec3, &str, Color32)> = [Vec3::X, Vec3::Y, Vec3::Z]
        .into_iter()
        .zip(names)
        .zip(colors)
        .map(|((axis, name), color)| {
            let world = Vec3::from(turn * glam::Vec3A::from(axis)).normalize_or_zero();
            let at = state.stages.front.mirrored_way(glam::vec2(world.dot(right), -world.dot(up)));
            let at = center + vec2(at.x, at.y) * 26.0;
            (world.dot(toward), at, world, name, color)
        })
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (depth, at, world, name, color) in ends {
        let color = if depth < -0.2 { color.gamma_multiply(0.55) } else { color };
        let hit = Rect::from_center_size(at, Vec2::splat(16.0));
        let response = ui.interact(hit, ui.id().with(("axis", name)), Sense::click());
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, format!("Look along {name}")));
        let painter = ui.painter_at(rect);
        painter.line_segment([center, at], Stroke::new(2.0, color));
        painter.circle_filled(at, if response.hovered() { 8.5 } else { 7.0 }, color);
        painter.text(at, Align2::CENTER_CENTER, name, FontId::proportional(theme::SMALL), p.base);
        if response.clicked() {
            commands.push(Command::Camera(CameraCommand::LookFrom(direction_of(world))));
        }
    }
}

pub fn direction_of(world: Vec3) -> ViewDirection {
    [
        (Vec3::X, ViewDirection::Right),
        (Vec3::NEG_X, ViewDirection::Left),
        (Vec3::Y, ViewDirection::Top),
        (Vec3::NEG_Y, ViewDirection::Bottom),
        (Vec3::Z, ViewDirection::Front),
        (Vec3::NEG_Z, ViewDirection::Back),
    ]
    .into_iter()
    .max_by(|a, b| a.0.dot(world).total_cmp(&b.0.dot(world)))
    .map_or(ViewDirection::Front, |(_, direction)| direction)
}
