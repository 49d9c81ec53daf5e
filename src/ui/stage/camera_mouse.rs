//! The mouse and the keys that move the camera.

use crate::{
    scene::camera::Steer,
    ui::{
        command::{CameraCommand, Command, Listening},
        state::State,
        widgets::numbers::grouped,
    },
};
use egui::{Key, PointerButton, Rect, Response, Ui};

/// Radians that the height of the picture is for turning the head.
pub const LOOK: f32 = 2.2;

/// Turning, moving and nearing with the mouse.
pub fn orbit_mouse(ui: &Ui, rect: Rect, response: &Response, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    let (shift, delta) = ui.input(|i| (i.modifiers.shift, i.pointer.delta()));
    let delta = glam::vec2(delta.x, delta.y) / height;
    if delta != glam::Vec2::ZERO {
        let pans = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Secondary)
            || (response.dragged_by(PointerButton::Primary) && shift);
        if pans {
            commands.push(Command::Camera(CameraCommand::Pan(delta)));
        } else if response.dragged_by(PointerButton::Primary) {
            // Half a turn over the height of the picture, and the model follows the hand.
            let turn = std::f32::consts::PI;
            commands.push(Command::Camera(CameraCommand::Orbit(glam::vec2(-delta.x * turn, delta.y * turn))));
        }
    }
    wheel(ui, rect, response, commands);
}

/// Nearing with the wheel: what is under the cursor stays under it.
pub fn wheel(ui: &Ui, rect: Rect, response: &Response, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    if let Some(at) = response.hover_pos().filter(|_| response.contains_pointer()) {
        let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
        let factor = (-scroll * 0.004).exp() / pinch.max(0.01);
        if (factor - 1.0).abs() > 1e-4 {
            let from_center = (at - rect.center()) / height;
            let shift = 1.0 - factor.clamp(0.2, 5.0);
            commands
                .push(Command::Camera(CameraCommand::Pan(glam::vec2(-from_center.x * shift, -from_center.y * shift))));
            commands.push(Command::Camera(CameraCommand::Zoom(factor)));
        }
    }
}

/// Turning the head, moving sideways and changing the speed with the mouse.
pub fn fly_mouse(ui: &Ui, rect: Rect, response: &Response, commands: &mut Vec<Command>) {
    let height = rect.height().max(1.0);
    let delta = ui.input(|i| i.pointer.delta()) / height;
    let delta = glam::vec2(delta.x, delta.y);
    if delta != glam::Vec2::ZERO {
        if response.dragged_by(PointerButton::Middle) {
            commands.push(Command::Camera(CameraCommand::Pan(delta)));
        } else if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Secondary) {
            commands.push(Command::Camera(CameraCommand::Look(glam::vec2(delta.x, -delta.y) * LOOK)));
        }
    }
    if response.contains_pointer() {
        let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
        if scroll != 0.0 {
            commands.push(Command::Camera(CameraCommand::ChangeFlySpeed((scroll * 0.006).exp())));
        }
        if (pinch - 1.0).abs() > 1e-4 {
            commands.push(Command::Camera(CameraCommand::Zoom(pinch.max(0.01).recip())));
        }
    }
}

/// Held keys become the way the camera goes.
pub fn steer(ui: &Ui, state: &State, commands: &mut Vec<Command>) {
    let ctx = ui.ctx();
    let listens = state.stages.front.flies()
        && state.listening() == Listening::ToAll
        && !ctx.text_edit_focused()
        && !egui::Popup::is_any_open(ctx);
    let mut steer = if listens { ui.input(steer_of) } else { Steer::default() };
    if state.stages.front.mirror().x {
        steer.right = -steer.right;
    }
    if steer != state.stages.front.viewport.steer && !(steer.is_still() && state.stages.front.viewport.steer.is_still())
    {
        commands.push(Command::Camera(CameraCommand::Steer(steer)));
    }
}

pub fn steer_of(input: &egui::InputState) -> Steer {
    let modifiers = input.modifiers;
    let axis = |more: &[Key], less: &[Key]| {
        let held = |keys: &[Key]| f32::from(u8::from(keys.iter().any(|key| input.key_down(*key))));
        held(more) - held(less)
    };
    let factor = if modifiers.shift { 4.0 } else { 1.0 } * if modifiers.command { 0.25 } else { 1.0 };
    Steer {
        right: axis(&[Key::D], &[Key::A]),
        up: axis(&[Key::E, Key::Space], &[Key::Q]),
        forward: axis(&[Key::W], &[Key::S]),
        factor,
    }
}

/// Two figures are enough.
pub fn speed(units: f32) -> String {
    if units < 10.0 { format!("{units:.1}") } else { grouped(units.round() as usize) }
}
