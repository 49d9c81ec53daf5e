//! The small timeline of a picture that moves.

use crate::ui::{
    command::{Command, PictureCommand},
    state::PicturePlayer,
    theme::{self, Palette},
};
use egui::{Rect, RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

/// Play, step and scrub through `count` frames, of which number `at` is shown.
pub fn timeline(
    ui: &mut Ui,
    player: &PicturePlayer,
    at: usize,
    count: usize,
    rate_hz: f32,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        play_button(ui, player.playing, &p, commands);
        if theme::icon_button(ui, icon::CARET_LEFT, "Previous frame").clicked() {
            commands.push(Command::Picture(PictureCommand::Step(-1)));
        }
        if theme::icon_button(ui, icon::CARET_RIGHT, "Next frame").clicked() {
            commands.push(Command::Picture(PictureCommand::Step(1)));
        }
        let digits = count.to_string().len();
        let text = format!("{:>digits$} / {count}   {rate_hz:.1} Hz", at + 1);
        let width = text.len() as f32 * 7.6 + 12.0;
        let bar = vec2((ui.available_width() - width).max(40.0), 24.0);
        scrub(ui, bar, at, count, &p, commands);
        let label = ui.label(theme::figures(text.as_str()).color(p.text));
        label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Frame {} of {count}", at + 1)));
        label.on_hover_text("Frame of the flip-book, and how many pass a second");
    });
    repaint_for(ui, player, rate_hz);
}

/// The window is drawn again when the next frame is due, and not before.
pub fn repaint_for(ui: &Ui, player: &PicturePlayer, rate_hz: f32) {
    if player.playing {
        let wait = player.until_next_secs(rate_hz);
        ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(wait.clamp(0.0, 1.0)));
    }
}

/// The button that starts and holds it.
pub fn play_button(ui: &mut Ui, playing: bool, p: &Palette, commands: &mut Vec<Command>) {
    let (sign, name) = if playing { (icon::PAUSE, "Pause") } else { (icon::PLAY, "Play") };
    let text = RichText::new(sign).size(16.0).color(p.on_accent);
    let play = ui.add(egui::Button::new(text).fill(p.accent).min_size(vec2(34.0, 26.0)));
    play.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
    if play.on_hover_text(format!("{name} (Space)")).clicked() {
        commands.push(Command::Picture(PictureCommand::TogglePlay));
    }
}

fn scrub(ui: &mut Ui, size: egui::Vec2, at: usize, count: usize, p: &Palette, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, at as f64, "Flip-book frame"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, p.field);
    let cell = rect.width() / count.max(1) as f32;
    let place = |index: usize| {
        Rect::from_min_size(pos2(rect.left() + index as f32 * cell, rect.top()), vec2(cell, rect.height()))
    };
    if cell >= 6.0 {
        for index in 1..count {
            let x = place(index).left();
            painter.vline(x, rect.y_range().shrink(6.0), Stroke::new(1.0, p.line));
        }
    }
    let mark = place(at).shrink2(vec2(1.0, 2.0));
    painter.rect_filled(mark.with_max_x(mark.right().max(mark.left() + 3.0)), 3.0, p.accent);
    if let Some(pointer) = response.interact_pointer_pos() {
        let wanted = ((pointer.x - rect.left()) / cell).clamp(0.0, count as f32 - 1.0) as u64;
        if wanted != at as u64 || response.drag_started() {
            commands.push(Command::Picture(PictureCommand::Seek(wanted)));
        }
    }
}
