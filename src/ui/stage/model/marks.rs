//! Names of sockets and the size of the box, over the picture of a model.

use crate::ui::{
    state::State,
    theme::{self, Palette},
    widgets::value_text::decimals,
};
use egui::{Align2, FontId, Painter, Pos2, Rect, pos2, vec2};
use glam::Vec3;

/// Most names of sockets that are drawn at once.
const MAX_NAMES: usize = 400;

/// Where a point of the model is on the screen.
pub fn place_of(rect: Rect, state: &State, point: Vec3) -> Option<Pos2> {
    let world = state.stages.front.view.options.up_axis.world_from_model().transform_point3(point);
    place_in_world(rect, state, world)
}

fn place_in_world(rect: Rect, state: &State, world: Vec3) -> Option<Pos2> {
    let at = state.stages.front.view.camera.project(world, rect.width() / rect.height().max(1.0))?;
    Some(pos2(rect.left() + at.x * rect.width(), rect.top() + at.y * rect.height()))
}

/// The socket whose cross is within so many points of a place, while they are drawn.
pub fn socket_near(rect: Rect, at: Pos2, state: &State, distance: f32) -> Option<u32> {
    let sockets = state.stages.front.sockets().into_iter().filter(|_| state.stages.front.view.options.sockets);
    let near = sockets.filter_map(|socket| Some((socket.index, place_of(rect, state, socket.place)?.distance(at))));
    let nearest = near.filter(|(_, away)| *away <= distance).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(index, _)| index)
}

pub fn show(painter: &Painter, rect: Rect, state: &State, p: &Palette) {
    if state.stages.front.view.options.sockets {
        sockets(painter, rect, state, p);
    }
    if state.stages.front.view.options.bounds {
        size(painter, rect, state, p);
    }
}

fn sockets(painter: &Painter, rect: Rect, state: &State, p: &Palette) {
    let mut taken: Vec<Rect> = Vec::new();
    for socket in state.stages.front.sockets() {
        let Some(at) = place_of(rect, state, socket.place).filter(|at| rect.contains(*at)) else { continue };
        let selected = state.stages.front.selected().socket == Some(socket.index);
        let color = if selected { p.accent } else { p.strong };
        let galley = painter.layout_no_wrap(socket.name.to_owned(), FontId::proportional(theme::SMALL), color);
        let label = Rect::from_min_size(at + vec2(8.0, -galley.size().y / 2.0), galley.size());
        if taken.len() >= MAX_NAMES || (!selected && taken.iter().any(|other| other.intersects(label))) {
            continue;
        }
        taken.push(label);
        painter.rect_filled(label.expand2(vec2(3.0, 1.0)), 3.0, p.base.gamma_multiply(0.7));
        painter.galley(label.min, galley, color);
    }
}

/// Width, height and depth above the middle of the box.
fn size(painter: &Painter, rect: Rect, state: &State, p: &Palette) {
    let Some(bounds) = state.stages.front.shown_bounds() else { return };
    let bounds = state.stages.front.in_world(bounds);
    let size = bounds.max - bounds.min;
    let [x, y, z] = size.to_array().map(|length| decimals(length, 2));
    let text = format!("{x} wide  ·  {y} high  ·  {z} deep");
    let galley = painter.layout_no_wrap(text, FontId::proportional(theme::SMALL), p.strong);
    let top = Vec3::new(bounds.center().x, bounds.max.y, bounds.center().z);
    let at = place_in_world(rect, state, top).unwrap_or(rect.center_top());
    let half = galley.size() / 2.0 + vec2(8.0, 4.0);
    let inner = rect.shrink2(half + vec2(4.0, 4.0));
    let at = (at - vec2(0.0, 18.0)).clamp(inner.min, inner.max.max(inner.min));
    let card = Rect::from_center_size(at, half * 2.0);
    painter.rect_filled(card, 6.0, p.panel.gamma_multiply(0.85));
    painter.galley(Align2::CENTER_CENTER.anchor_size(at, galley.size()).min, galley, p.strong);
}
