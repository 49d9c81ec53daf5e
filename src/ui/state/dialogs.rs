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

/// What the open dialogs contain; nothing is open at first.
#[derive(Default)]
pub struct Dialogs {
    pub palette: bool,
    pub keys: bool,
    pub about: bool,
    pub settings: bool,
    /// The jump that is being asked for.
    pub jump: Option<Jump>,
    /// The change of keys that is being made.
    pub key_change: Option<KeyChange>,
    /// First steps that were taken, while their card is shown.
    pub guide: Option<Vec<GuideStep>>,
    /// What our own file dialog asks for.
    pub file: Option<Ask>,
    /// The picture that is saved once its folder is chosen: without background, or with it.
    pub(super) picture_after: Option<bool>,
    /// The view whose files outside its folder wait for an answer.
    pub asked_view: Option<Box<ReadView>>,
}

impl Dialogs {
    /// The commands that keys give. Behind a question, keys give none.
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

/// The change that a person is about to make.
#[derive(Clone, Debug)]
pub struct KeyChange {
    pub action: &'static Action,
    /// The action keeps the keys that it has.
    pub besides: bool,
    /// The key that was pressed, and the other action that has it; the person says whether it is to be taken.
    pub conflict: Option<(KeyboardShortcut, &'static Action)>,
    /// Why the key that was pressed cannot be had.
    pub refusal: Option<String>,
}

/// What the dialogs of exports contain; nothing is prepared at first.
#[derive(Default)]
pub struct Exports {
    /// The export that is being prepared.
    pub draft: Option<ExportDraft>,
    /// The picture of the stage that is being prepared.
    pub picture: Option<PictureDraft>,
    /// The export that waits for an answer because of its size.
    pub large: Option<LargeExport>,
    /// The folder of the last export.
    pub folder: Option<PathBuf>,
}

impl Exports {
    /// Whether a dialog of an export is open.
    pub fn is_open(&self) -> bool {
        self.draft.is_some() || self.picture.is_some() || self.large.is_some()
    }
}
