//! The data of open dialogs, including exports that are being prepared.

use crate::ui::{
    command::{
        ACTIONS, Action, Ask, ChosenKeys, Command, KeyCommand, LargeExport, Listening, WindowCommand, keys_text, unfit,
    },
    export_draft::ExportDraft,
    jump::Jump,
    picture_draft::PictureDraft,
    settings::Settings,
    state::guide::GuideStep,
    view_file::ReadView,
};
use egui::KeyboardShortcut;
use std::path::PathBuf;

/// The data of the open dialogs. No dialog is open at first.
#[derive(Default)]
pub struct Dialogs {
    pub palette: bool,
    pub keys: bool,
    pub about: bool,
    pub settings: bool,
    /// The open dialog “Jump to”.
    pub jump: Option<Jump>,
    /// The change of a shortcut in progress.
    pub key_change: Option<KeyChange>,
    /// The completed first steps, while their card is shown.
    pub guide: Option<Vec<GuideStep>>,
    /// The question of the built-in file dialog.
    pub file: Option<Ask>,
    /// The screenshot that is saved after its folder was selected; true without background.
    pub(super) picture_after: Option<bool>,
    /// The saved view with files outside its folder, until the question is answered.
    pub asked_view: Option<Box<ReadView>>,
}

impl Dialogs {
    /// Returns which commands can be given by keys. Behind a question, none can.
    pub(super) fn listening(&self) -> Listening {
        let closes = |command| Listening::To(Command::Window(command));
        if self.file.is_some() || self.key_change.is_some() || self.asked_view.is_some() {
            Listening::ToNone
        } else if self.palette {
            closes(WindowCommand::TogglePalette)
        } else if self.jump.is_some() {
            closes(WindowCommand::ToggleJump)
        } else if self.keys {
            closes(WindowCommand::ToggleKeys)
        } else if self.about {
            closes(WindowCommand::ToggleAbout)
        } else if self.settings {
            closes(WindowCommand::ToggleSettings)
        } else {
            Listening::ToAll
        }
    }

    pub(super) fn apply_keys(&mut self, command: KeyCommand, settings: &mut Settings) {
        use KeyCommand as C;
        match command {
            C::Wait { name, besides } => {
                self.key_change =
                    action(name).map(|action| KeyChange { action, besides, conflict: None, refusal: None });
            }
            C::Press(keys) => self.press_key(keys, settings),
            C::TakeOver => {
                if let Some(change) = self.key_change.take()
                    && let Some((keys, _)) = change.conflict
                {
                    settings.keys.take(&keys, change.action);
                    change.give(keys, settings);
                }
            }
            C::Cancel => self.key_change = None,
            C::Clear(name) => {
                if let Some(action) = action(name) {
                    settings.keys.set(action, Vec::new());
                }
            }
            C::Reset(name) => {
                if let Some(action) = action(name) {
                    settings.keys.reset(action);
                }
            }
            C::ResetAll => settings.keys = ChosenKeys::default(),
        }
    }

    fn press_key(&mut self, keys: KeyboardShortcut, settings: &mut Settings) {
        let Some(mut change) = self.key_change.take() else { return };
        if let Some(why) = unfit(&keys) {
            change.refusal = Some(format!("{} cannot be used: {why}.", keys_text(&keys)));
            self.key_change = Some(change);
            return;
        }
        match settings.keys.holder(&keys, change.action) {
            Some(holder) => {
                change.conflict = Some((keys, holder));
                self.key_change = Some(change);
            }
            None => change.give(keys, settings),
        }
    }
}

impl KeyChange {
    fn give(&self, keys: KeyboardShortcut, settings: &mut Settings) {
        let mut all: Vec<KeyboardShortcut> = match self.besides {
            true => settings.keys.of(self.action).to_vec(),
            false => Vec::new(),
        };
        if !all.contains(&keys) {
            all.push(keys);
        }
        settings.keys.set(self.action, all);
    }
}

fn action(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}

/// A change of a shortcut in progress.
#[derive(Clone, Debug)]
pub struct KeyChange {
    pub action: &'static Action,
    /// True if the key is added to the existing keys.
    pub besides: bool,
    /// The pressed key and the other action that has it, until the user confirms.
    pub conflict: Option<(KeyboardShortcut, &'static Action)>,
    /// The reason for which the pressed key cannot be used.
    pub refusal: Option<String>,
}

/// The data of the export dialogs. No export is prepared at first.
#[derive(Default)]
pub struct Exports {
    /// The prepared export.
    pub draft: Option<ExportDraft>,
    /// The prepared image of the stage.
    pub picture: Option<PictureDraft>,
    /// The very large export that waits for confirmation.
    pub large: Option<LargeExport>,
    /// The folder of the last export.
    pub folder: Option<PathBuf>,
}

impl Exports {
    /// Returns true if an export dialog is open.
    pub fn is_open(&self) -> bool {
        self.draft.is_some() || self.picture.is_some() || self.large.is_some()
    }
}
