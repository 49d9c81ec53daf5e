//! The window as a whole.

use crate::{
    formats::Severity,
    ui::{
        command::WindowCommand,
        picture_size,
        settings::SCALES,
        state::{State, core::Core, dialogs::Dialogs, effect::Effect, log::LogEntry, stage::Stage},
    },
};

impl State {
    pub(crate) fn apply_window(&mut self, command: WindowCommand) {
        use WindowCommand as C;
        match command {
            C::Quit => self.core.effects.push(Effect::Quit),
            C::ShowTab(tab) => self.core.effects.push(Effect::ShowTab(tab)),
            C::ShowSection(section) => self.stages.front.show_section(&mut self.core, section),
            C::SetSection(section, open) => self.core.settings.sections.set(section, open),
            C::Copy(text) => self.core.effects.push(Effect::Copy(text)),
            C::Screenshot(transparent) => {
                self.dialogs.take_picture(&mut self.core, &mut self.stages.front, transparent)
            }
            C::CopyPicture => {
                if self.stages.front.can_take_picture(&mut self.core) {
                    self.core.effects.push(Effect::CopyPicture);
                }
            }
            C::LoseDevice => self.core.effects.push(Effect::LoseDevice),
            C::SetDark(dark) => self.core.set_dark(dark),
            C::ToggleTheme => self.core.set_dark(!self.core.settings.dark),
            C::SetUiScale(scale) => {
                let scale = scale.clamp(*SCALES.start(), *SCALES.end());
                self.core.settings.ui_scale = if scale.is_finite() { scale } else { 1.0 };
                self.core.effects.push(Effect::Restyle);
            }
            C::SetAutoplay(on) => self.core.settings.autoplay = on,
            C::ToggleAutoplay => self.core.settings.autoplay = !self.core.settings.autoplay,
            C::SetReopenSession(on) => self.core.settings.reopen_session = on,
            C::SetWatchFiles(on) => self.core.settings.watch_files = on,
            C::ToggleWatchFiles => self.core.settings.watch_files = !self.core.settings.watch_files,
            C::ResetLayout => self.core.effects.push(Effect::ResetLayout),
            C::ShowLog => self.core.settings.show_log = true,
            C::ShowFolder(folder) => self.core.effects.push(Effect::ShowFolder(folder)),
            C::ToggleLog => self.core.settings.show_log = !self.core.settings.show_log,
            C::TogglePalette => self.dialogs.palette = !self.dialogs.palette,
            C::ToggleKeys => self.dialogs.keys = !self.dialogs.keys,
            C::ToggleJump => self.dialogs.toggle_jump(),
            C::ToggleAbout => self.dialogs.about = !self.dialogs.about,
            C::ToggleSettings => {
                self.dialogs.settings = !self.dialogs.settings;
                self.dialogs.key_change = None;
            }
            C::AskHere(ask) => self.dialogs.file = Some(ask),
            C::CloseFileDialog => (self.dialogs.file, self.dialogs.picture_after) = (None, None),
            C::SetOwnDialogs(on) => self.core.settings.own_dialogs = on,
            C::ToggleGuide => self.dialogs.guide = if self.dialogs.guide.is_some() { None } else { Some(Vec::new()) },
            C::SetPictureSize(size) => match size.and_then(picture_size::refusal) {
                Some(why) => self.core.log.announce(LogEntry::new(Severity::Warning, "", why)),
                None => self.core.settings.picture_size = size,
            },
            C::AskPictureFolder => {
                self.dialogs.picture_after = None;
                self.core.effects.push(Effect::AskPictureFolder);
            }
            C::SetPictureFolder(folder) => {
                let is_chosen = folder.is_some();
                self.core.settings.picture_folder = folder;
                if let Some(transparent) = self.dialogs.picture_after.take().filter(|_| is_chosen) {
                    self.dialogs.take_picture(&mut self.core, &mut self.stages.front, transparent);
                }
            }
            C::ClearLog => self.core.log.clear(),
            C::CancelWork(id) => self.cancel(id),
        }
    }
}

impl Dialogs {
    /// Saves a picture; the folder is asked for once, and again where it is gone.
    fn take_picture(&mut self, core: &mut Core, stage: &mut Stage, transparent: bool) {
        if !stage.can_take_picture(core) {
            return;
        }
        if core.settings.picture_folder.as_ref().is_some_and(|folder| crate::files::is_dir(folder)) {
            core.effects.push(Effect::Screenshot { transparent });
        } else {
            self.picture_after = Some(transparent);
            core.effects.push(Effect::AskPictureFolder);
        }
    }
}

impl Stage {
    /// Whether there is a stage that a picture is of; says so where there is none.
    fn can_take_picture(&mut self, core: &mut Core) -> bool {
        let can = self.content.is_space();
        if !can {
            let text = "There is nothing to capture. Show a model, level or landscape first";
            core.log.announce(LogEntry::new(Severity::Info, "", text));
        }
        can
    }
}

impl Core {
    fn set_dark(&mut self, dark: bool) {
        self.settings.dark = dark;
        self.effects.push(Effect::Restyle);
    }
}
