//! Sounds and music: the waveform, seeking in it, what is known of them.

mod facts;
mod waveform;

use crate::ui::{
    command::{Command, ExportCommand, SoundCommand, WindowCommand},
    state::{SoundStage, State},
    theme::{self, Palette},
    widgets::{empty, put::put, value_text::clock},
};
use egui::{Align, Label, Layout, Rect, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use waveform::Window;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct SoundView {
    /// Of the sound that the rest belongs to.
    generation: u64,
    window: Window,
}

pub fn show(ui: &mut Ui, state: &State, view: &mut SoundView, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.sound() else {
        empty::show(ui, icon::MUSIC_NOTE, "No sound", "Select a sound or music entry in the library.");
        return;
    };
    if view.generation != shown.generation {
        *view = SoundView { generation: shown.generation, window: Window::default() };
    }
    let p = theme::palette(ui);
    egui::Frame::new().inner_margin(12.0).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        header(ui, shown, &p, commands);
        // The facts have what they need, as long as the waveform is high enough to read.
        let room = ui.available_height();
        let height = (room * 0.5).min(room - facts::height(ui, shown) - 8.0).clamp(96.0, 360.0);
        let size = vec2(ui.available_width(), height);
        match &shown.peaks {
            Some(peaks) => waveform::show(ui, size, shown, peaks, &mut view.window, commands),
            None => {
                let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
                ui.painter().rect_filled(rect, 6.0, p.field);
                waiting(ui, rect, state, shown, &p, commands);
            }
        }
        if let Some(trouble) = &shown.trouble {
            notice(ui, icon::SPEAKER_SLASH, trouble, &p);
        } else if let (Some(problem), Some(_)) = (&shown.problem, &shown.peaks) {
            notice(ui, icon::WARNING, problem, &p);
        }
        facts::show(ui, shown);
    });
    if shown.player.is_playing() {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(16));
    }
}

/// The name, the encoding, and the way out of the program.
fn header(ui: &mut Ui, shown: &SoundStage, p: &Palette, commands: &mut Vec<Command>) {
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 28.0), Layout::right_to_left(Align::Center), |ui| {
        if theme::icon_button(ui, icon::EXPORT, "Export the sound…").clicked() {
            commands.push(Command::Export(ExportCommand::Prepare(shown.place)));
        }
        if !shown.encoding().is_empty() {
            let text = RichText::new(shown.encoding()).size(theme::SMALL).color(p.text);
            egui::Frame::new().fill(p.card).corner_radius(4.0).inner_margin(egui::Margin::symmetric(8, 3)).show(
                ui,
                |ui| {
                    ui.add(Label::new(text).selectable(false));
                },
            );
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let sign = if shown.rendering.is_some() || shown.is_music() { icon::MUSIC_NOTES } else { icon::WAVEFORM };
            ui.add(Label::new(RichText::new(sign).size(18.0).color(p.weak)).selectable(false));
            ui.add(Label::new(RichText::new(shown.name()).heading().color(p.strong)).truncate());
        });
    });
}

/// What is shown while there is no waveform: how far the work is, or why there is none.
fn waiting(ui: &mut Ui, rect: Rect, state: &State, shown: &SoundStage, p: &Palette, commands: &mut Vec<Command>) {
    let work = shown.work.and_then(|id| state.core.works.get(id));
    let size = vec2((rect.width() - 32.0).min(360.0), 84.0_f32.min(rect.height()));
    let place = Rect::from_center_size(rect.center(), size);
    put(ui, place, Layout::top_down(Align::Center), |ui| match work {
        Some(work) => {
            let progress = work.progress();
            let share = if progress.total > 0 { progress.done as f32 / progress.total as f32 } else { 0.0 };
            let (done, total) = (clock(progress.done as f64, false), clock(progress.total as f64, false));
            ui.add(Label::new(RichText::new(format!("Rendering music: {done} of {total}")).color(p.text)));
            ui.add(egui::ProgressBar::new(share).desired_width(size.x).desired_height(6.0).fill(p.accent));
            if ui.button("Cancel").clicked() {
                commands.push(Command::Window(WindowCommand::CancelWork(work.id)));
            }
        }
        None => {
            let problem = shown.problem.as_deref().unwrap_or("This sound has no samples");
            ui.add(Label::new(RichText::new(icon::SPEAKER_SLASH).size(24.0).color(p.weak)).selectable(false));
            ui.add(Label::new(RichText::new(problem).color(p.text)).wrap());
            if shown.can_render() {
                if ui.button("Render").clicked() {
                    commands.push(Command::Sound(SoundCommand::RenderMusic));
                }
            } else if shown.size() > 0 && ui.button("Export…").clicked() {
                commands.push(Command::Export(ExportCommand::Prepare(shown.place)));
            }
        }
    });
}

/// One sentence about what is not as it should be.
fn notice(ui: &mut Ui, sign: &str, text: &str, p: &Palette) {
    ui.horizontal(|ui| {
        ui.add(Label::new(RichText::new(sign).size(16.0).color(p.warning)).selectable(false));
        ui.add(Label::new(RichText::new(text).color(p.text)).wrap());
    });
}
