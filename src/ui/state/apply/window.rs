//! The window as a whole.

use crate::{
    formats::Severity,
    ui::{
        command::WindowCommand,
        picture_size,
        settings::SCALES,
        state::{State, effect::Effect, log::LogEntry},
    },
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
            C::Screenshot(transparent) => self.take_picture(transparent),
            C::CopyPicture => {
                if self.can_take_picture() {
                    self.effects.push(Effect::CopyPicture);
                }
            }
            C::LoseDevice => self.effects.push(Effect::LoseDevice),
            C::SetDark(dark) => self.set_dark(dark),
            C::ToggleTheme => self.set_dark(!self.settings.dark),
            C::SetUiScale(scale) => {
                let scale = scale.clamp(*SCALES.start(), *SCALES.end());
                self.settings.ui_scale = if scale.is_finite() { scale } else { 1.0 };
                self.effects.push(Effect::Restyle);
            }
            C::SetAutoplay(on) => self.settings.autoplay = on,
            C::ToggleAutoplay => self.settings.autoplay = !self.settings.autoplay,
            C::SetReopenSession(on) => self.settings.reopen_session = on,
            C::SetWatchFiles(on) => self.settings.watch_files = on,
            C::ToggleWatchFiles => self.settings.watch_files = !self.settings.watch_files,
            C::ResetLayout => self.effects.push(Effect::ResetLayout),
            C::ShowLog => self.settings.show_log = true,
            C::ShowFolder(folder) => self.effects.push(Effect::ShowFolder(folder)),
            C::ToggleLog => self.settings.show_log = !self.settings.show_log,
            C::TogglePalette => self.show_palette = !self.show_palette,
            C::ToggleKeys => self.show_keys = !self.show_keys,
            C::ToggleJump => self.toggle_jump(),
            C::ToggleAbout => self.show_about = !self.show_about,
            C::ToggleSettings => {
                self.show_settings = !self.show_settings;
                self.key_change = None;
            }
            C::AskHere(ask) => self.file_dialog = Some(ask),
            C::CloseFileDialog => (self.file_dialog, self.picture_after) = (None, None),
            C::SetOwnDialogs(on) => self.settings.own_dialogs = on,
            C::ToggleGuide => self.guide = if self.guide.is_some() { None } else { Some(Vec::new()) },
            C::SetPictureSize(size) => match size.and_then(picture_size::refusal) {
                Some(why) => self.log.announce(LogEntry::new(Severity::Warning, "", why)),
                None => self.settings.picture_size = size,
            },
            C::AskPictureFolder => {
                self.picture_after = None;
                self.effects.push(Effect::AskPictureFolder);
            }
            C::SetPictureFolder(folder) => {
                let is_chosen = folder.is_some();
                self.settings.picture_folder = folder;
                if let Some(transparent) = self.picture_after.take().filter(|_| is_chosen) {
                    self.take_picture(transparent);
                }
            }
            C::ClearLog => self.log.clear(),
            C::CancelWork(id) => self.cancel(id),
        }
    }

    /// Whether there is a stage that a picture is of; says so where there is none.
    fn can_take_picture(&mut self) -> bool {
        let can = self.stage.content.is_space();
        if !can {
            let text = "There is nothing to capture. Show a model, level or landscape first";
            self.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        can
    }

    /// Saves a picture; the folder is asked for once, and again where it is gone.
    fn take_picture(&mut self, transparent: bool) {
        if !self.can_take_picture() {
            return;
        }
        if self.settings.picture_folder.as_ref().is_some_and(|folder| crate::files::is_dir(folder)) {
            self.effects.push(Effect::Screenshot { transparent });
        } else {
            self.picture_after = Some(transparent);
            self.effects.push(Effect::AskPictureFolder);
        }
    }

    fn set_dark(&mut self, dark: bool) {
        self.settings.dark = dark;
        self.effects.push(Effect::Restyle);
    }
}
