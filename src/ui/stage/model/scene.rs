//! What surrounds the model in the viewport: the background, and the lamps and the fog that games set for materials of the
//! GameCube's chip.

use crate::{
    gpu::{GxLights, GxSettings},
    ui::{
        command::{Command, ViewCommand},
        saved_view::ViewToggle,
        state::{LightPreset, State},
        theme::{self, Palette},
    },
};
use egui::{Align2, Color32, FontId, Pos2, RichText, Sense, Stroke, Ui, Vec2, vec2};
use egui_phosphor::regular as icon;

/// Radius of the ball that turns the lamp, in points.
const BALL: f32 = 38.0;

pub const NAME: &str = "Light and background";

pub const SIGN: &str = icon::SLIDERS_HORIZONTAL;

/// Whether anything differs from how scenes come.
pub fn is_changed(state: &State) -> bool {
    let gx = state.stages.front.view.options.gx;
    let view = &state.stages.front.view;
    let is_lit_otherwise = view.options.light != LightPreset::Studio || !view.options.shadow;
    view.options.background.is_some()
        || is_lit_otherwise
        || (state.stages.front.shown_gx().is_some() && gx != GxSettings::default())
}

/// The settings as a menu.
pub fn menu(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.set_min_width(230.0);
    if let Some(traits) = state.stages.front.shown_gx() {
        lamps(ui, state, traits.has_lamps, &p, commands);
        ui.add_space(2.0);
        fog(ui, state, traits.has_fog, commands);
        ui.separator();
    }
    presets(ui, state, &p, commands);
    ui.separator();
    background(ui, state, &p, commands);
}

/// Where the light comes from, and the shadow.
fn presets(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let view = &state.stages.front.view;
    for preset in LightPreset::ALL {
        if choice(ui, view.options.light == preset, preset.name(), true, "This lighting turns with the camera") {
            commands.push(Command::View(ViewCommand::SetLight(preset)));
        }
    }
    ui.label(RichText::new("Ground").small().color(p.weak));
    if choice(ui, view.options.shadow, "Shadow", true, "Draw a soft shadow below the model") {
        commands.push(Command::View(ViewCommand::Toggle(ViewToggle::Shadow)));
    }
}

/// A row with a tick, as in the other menus; this one stays open.
fn choice(ui: &mut Ui, on: bool, name: &str, enabled: bool, hint: &str) -> bool {
    let sign = if on { icon::CHECK } else { "    " };
    let response = ui.add_enabled(enabled, egui::Button::new(format!("{sign}  {name}")));
    response.widget_info(|| egui::WidgetInfo::selected(egui::WidgetType::RadioButton, enabled, on, name));
    response.on_hover_text(hint).on_disabled_hover_text(hint).clicked()
}

/// Colours that can be read over the background.
pub fn palette_over(state: &State, ui: &Ui) -> Palette {
    match state.stages.front.view.options.background {
        Some([r, g, b]) => Palette::of(u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b) < 1280),
        None => theme::palette(ui),
    }
}

fn lamps(ui: &mut Ui, state: &State, has_lamps: bool, p: &Palette, commands: &mut Vec<Command>) {
    let gx = state.stages.front.view.options.gx;
    ui.label(RichText::new("Light").small().color(p.weak));
    ui.horizontal(|ui| {
        ui.vertical(|ui| {
            ui.set_width(140.0);
            for (lights, name, hint) in [
                (GxLights::Key, "Key light", "One light that turns with the camera, instead of the game's lights"),
                (GxLights::Off, "None", "Textures and colours without lighting"),
                (GxLights::File, "The file's lights", "Lights stored in the materials. Games do not use them"),
            ] {
                let enabled = lights != GxLights::File || has_lamps;
                let hint = if enabled { hint } else { "The materials of this file have no lights" };
                if choice(ui, gx.lights == lights, name, enabled, hint) {
                    commands.push(Command::View(ViewCommand::SetGx(GxSettings { lights, ..gx })));
                }
            }
        });
        ball(ui, gx, p, commands);
    });
}

/// A ball lit as the model is: dragging on it moves the lamp.
fn ball(ui: &mut Ui, gx: GxSettings, p: &Palette, commands: &mut Vec<Command>) {
    let on = gx.lights != GxLights::Off;
    let sense = if on { Sense::click_and_drag() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(BALL * 2.0 + 4.0), sense);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Slider, on, "Direction of the key light"));
    let painter = ui.painter_at(rect);
    let center = rect.center();
    let (sin, cos) = gx.key_pitch.sin_cos();
    let from = vec2(gx.key_yaw.sin() * cos, -sin);
    if on {
        // Rings from dark to light, drawn towards the lamp.
        for step in 0..24_u8 {
            let t = f32::from(step) / 23.0;
            let shade = 40.0 + 195.0 * t * t.sqrt();
            let radius = BALL * (1.0 - t).max(0.04).sqrt();
            let reach = (BALL - radius) * 0.98;
            painter.circle_filled(center + from * reach, radius, Color32::from_gray(shade as u8));
        }
    } else {
        painter.circle_filled(center, BALL, p.field);
    }
    let edge = if response.hovered() && on { p.weak } else { p.line };
    painter.circle_stroke(center, BALL, Stroke::new(1.0, edge));
    if on {
        let at = center + from * BALL;
        painter.circle(at, 4.5, p.accent, Stroke::new(1.0, p.base));
        if let Some(pointer) = response.interact_pointer_pos() {
            commands.push(Command::View(ViewCommand::SetGx(GxSettings {
                lights: lit(gx.lights),
                ..pointed(gx, center, pointer)
            })));
        }
        response.on_hover_text("Drag to move the light, double-click to reset it").double_clicked().then(|| {
            let GxSettings { key_yaw, key_pitch, .. } = GxSettings::default();
            commands.push(Command::View(ViewCommand::SetGx(GxSettings { key_yaw, key_pitch, ..gx })));
        });
    } else {
        let font = FontId::proportional(theme::SMALL);
        painter.text(center, Align2::CENTER_CENTER, "unlit", font, p.weak);
    }
}

fn lit(lights: GxLights) -> GxLights {
    if lights == GxLights::Off { GxLights::Key } else { lights }
}

/// The lamp over the place of the ball's half that faces the camera.
fn pointed(gx: GxSettings, center: Pos2, pointer: Pos2) -> GxSettings {
    let place = (pointer - center) / BALL;
    let place = if place.length() > 1.0 { place.normalized() } else { place };
    let toward = (1.0 - place.length_sq()).max(0.0).sqrt();
    GxSettings { key_yaw: place.x.atan2(toward), key_pitch: (-place.y).clamp(-1.0, 1.0).asin(), ..gx }
}

fn fog(ui: &mut Ui, state: &State, has_fog: bool, commands: &mut Vec<Command>) {
    let gx = state.stages.front.view.options.gx;
    let hint = if has_fog {
        "Fog stored in the materials. Games set their own fog"
    } else {
        "The materials of this file have no fog"
    };
    if choice(ui, gx.fog && has_fog, "Fog from the file", has_fog, hint) {
        commands.push(Command::View(ViewCommand::ToggleGxFog));
    }
}

fn background(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    ui.label(RichText::new("Background").small().color(p.weak));
    ui.horizontal(|ui| {
        let own = state.stages.front.view.options.background;
        let mut color = own.unwrap_or_else(|| {
            let [r, g, b, _] = p.panel.to_array();
            [r, g, b]
        });
        if choice(ui, own.is_none(), "From the theme", true, "Same as the window") {
            commands.push(Command::View(ViewCommand::SetBackground(None)));
        }
        if choice(ui, own.is_some(), "Colour", true, "A single colour") {
            commands.push(Command::View(ViewCommand::SetBackground(Some(color))));
        }
        let response = egui::color_picker::color_edit_button_srgb(ui, &mut color);
        if response.on_hover_text("Select a colour").changed() {
            commands.push(Command::View(ViewCommand::SetBackground(Some(color))));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn the_lamp_stands_where_the_ball_is_touched() {
        let at = |x: f32, y: f32| {
            let gx = pointed(GxSettings::default(), pos2(50.0, 50.0), pos2(50.0 + x * BALL, 50.0 + y * BALL));
            (gx.key_yaw.to_degrees().round(), gx.key_pitch.to_degrees().round())
        };
        assert_eq!(at(0.0, 0.0), (0.0, 0.0));
        assert_eq!(at(0.5, 0.0), (30.0, 0.0));
        assert_eq!(at(-9.0, 0.0).0, -90.0);
        assert_eq!(at(0.0, -0.5), (0.0, 30.0));
        assert_eq!(at(0.0, 7.0).1, -90.0);
    }
}
