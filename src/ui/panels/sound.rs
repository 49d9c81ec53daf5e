//! Sounds and music: the waveform, playing and seeking.

use crate::ui::{command::Command, state::State, widgets::empty};
use egui::Ui;
use egui_phosphor::regular as icon;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct SoundView;

pub fn show(ui: &mut Ui, state: &State, view: &mut SoundView, commands: &mut Vec<Command>) {
    let _ = (state, view, commands);
    empty::show(ui, icon::MUSIC_NOTE, "No sound", "Select a sound or a piece of music in the library.");
}
