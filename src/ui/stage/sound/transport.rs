//! Play, loop, where it is, how loud.

use crate::ui::{
    command::{Command, SoundCommand},
    stage::sound::ruler::clock,
    state::{ShownSound, State},
    theme::{self, Palette},
};
use egui::{Align, Layout, RichText, Slider, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

pub fn show(ui: &mut Ui, state: &State, shown: &ShownSound, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 28.0), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let is_ready = shown.peaks.is_some();
        ui.add_enabled_ui(is_ready, |ui| {
            if theme::icon_button(ui, icon::SKIP_BACK, "To the start (Home)").clicked() {
                commands.push(Command::Sound(SoundCommand::Seek(0)));
            }
            play(ui, state, is_ready, &p, commands);
        });
        let looping = state.settings.loop_sounds;
        let name = if looping { "Loop: on (L)" } else { "Loop: off (L)" };
        if theme::icon_toggle(ui, icon::REPEAT, name, looping).clicked() {
            commands.push(Command::Sound(SoundCommand::ToggleLoop));
        }
        ui.add_space(8.0);
        if let Some(pcm) = shown.pcm() {
            let rate_hz = f64::from(pcm.rate_hz.max(1));
            let at = clock(state.stage.sound_player().position() as f64 / rate_hz, true);
            let all = clock(pcm.frames() as f64 / rate_hz, true);
            let label = ui.label(theme::figures(at.as_str()).size(13.0).color(p.strong));
            label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("At {at} of {all}")));
            ui.label(theme::figures(format!("/ {all}")).color(p.weak));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            volume(ui, state, &p, commands);
            if ui.available_width() > 190.0 {
                place(ui, state, shown, &p);
            }
        });
    });
}

fn play(ui: &mut Ui, state: &State, is_ready: bool, p: &Palette, commands: &mut Vec<Command>) {
    let playing = state.stage.sound_player().is_playing();
    let (sign, name) = if playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
    let text = RichText::new(sign).size(18.0).color(p.on_accent);
    let button = ui.add(egui::Button::new(text).fill(p.accent).min_size(vec2(40.0, 28.0)));
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, is_ready, name));
    if button.on_hover_text(format!("{name} (Space)")).clicked() {
        commands.push(Command::Sound(SoundCommand::TogglePlay));
    }
}

fn volume(ui: &mut Ui, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let mut volume = state.settings.volume;
    ui.spacing_mut().slider_width = 88.0;
    let slider = ui.add(Slider::new(&mut volume, 0.0..=1.0).show_value(false));
    slider.widget_info(|| WidgetInfo::slider(true, f64::from(volume), "Volume"));
    if slider.on_hover_text(format!("Volume {:.0} %", volume * 100.0)).changed() {
        commands.push(Command::Sound(SoundCommand::SetVolume(volume)));
    }
    let sign = match volume {
        v if v <= 0.0 => icon::SPEAKER_NONE,
        v if v < 0.5 => icon::SPEAKER_LOW,
        _ => icon::SPEAKER_HIGH,
    };
    ui.add(egui::Label::new(RichText::new(sign).size(16.0).color(p.weak)).selectable(false));
    ui.add_space(8.0);
}

/// Order, pattern and row of the music that plays.
fn place(ui: &mut Ui, state: &State, shown: &ShownSound, p: &Palette) {
    let Some(rendering) = &shown.rendering else { return };
    let frame = state.stage.sound_player().position();
    let Some(at) = rendering.position_at(frame).or(rendering.positions.first()) else { return };
    // From the right: the layout runs that way.
    let several = rendering.positions.last().is_some_and(|last| last.song > 0);
    let song = several.then_some(("Song", at.song + 1, 1));
    let places = [("Row", at.row, 3), ("Pattern", at.pattern, 3), ("Order", at.order, 3)];
    for (name, value, width) in places.into_iter().chain(song) {
        let figures = ui.label(theme::figures(format!("{value:>width$}")).color(p.strong));
        figures.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("{name} {value}")));
        ui.add(egui::Label::new(RichText::new(name).size(theme::SMALL).color(p.weak)).selectable(false));
        ui.add_space(4.0);
    }
}
