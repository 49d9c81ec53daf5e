//! The window as a whole.

use crate::ui::{
    command::WindowCommand,
    settings::SCALES,
    state::{State, effect::Effect},
};

impl State {
    pub(in crate::ui::state) fn apply_window(&mut self, command: WindowCommand) {
        use WindowCommand as C;
        match command {
            C::Quit => self.effects.push(Effect::Quit),
            C::ShowTab(tab) => self.effects.push(Effect::ShowTab(tab)),
            C::ShowSection(section) => self.show_section(section),
            C::SetSection(section, open) => self.settings.sections.set(section, open),
            C::Copy(text) => self.effects.push(Effect::Copy(text)),
            C::Screenshot(transparent) => self.effects.push(Effect::Screenshot { transparent }),
            C::LoseDevice => self.effects.push(Effect::LoseDevice),
            C::SetDark(dark) => self.set_dark(dark),
            C::ToggleTheme => self.set_dark(!self.settings.dark),
            C::SetUiScale(scale) => {
                let scale = scale.clamp(*SCALES.start(), *SCALES.end());
                self.settings.ui_scale = if scale.is_finite() { scale } else { 1.0 };
                self.effects.push(Effect::Restyle);
            }
            C::SetAutoplay(on) => self.settings.autoplay = on,
            C::SetReopenSession(on) => self.settings.reopen_session = on,
            C::SetWatchFiles(on) => self.settings.watch_files = on,
            C::ToggleWatchFiles => self.settings.watch_files = !self.settings.watch_files,
            C::ResetLayout => self.effects.push(Effect::ResetLayout),
            C::ToggleLog => self.settings.show_log = !self.settings.show_log,
            C::TogglePalette => self.show_palette = !self.show_palette,
            C::ToggleKeys => self.show_keys = !self.show_keys,
            C::ToggleJump => self.toggle_jump(),
            C::ToggleAbout => self.show_about = !self.show_about,
            C::ClearLog => self.log.clear(),
            C::CancelWork(id) => self.cancel(id),
        }
    }

    fn set_dark(&mut self, dark: bool) {
        self.settings.dark = dark;
        self.effects.push(Effect::Restyle);
    }
}
