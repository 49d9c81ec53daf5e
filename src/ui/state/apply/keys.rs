//! The keys of actions.

use crate::ui::{
    command::{ACTIONS, Action, ChosenKeys, KeyCommand, keys_text, unfit},
    state::{State, key_change::KeyChange},
};
use egui::KeyboardShortcut;

impl State {
    pub(in crate::ui::state) fn apply_keys(&mut self, command: KeyCommand) {
        use KeyCommand as C;
        match command {
            C::Wait { name, besides } => {
                self.key_change =
                    action(name).map(|action| KeyChange { action, besides, conflict: None, refusal: None });
            }
            C::Press(keys) => self.press_key(keys),
            C::TakeOver => {
                if let Some(change) = self.key_change.take()
                    && let Some((keys, _)) = change.conflict
                {
                    self.settings.keys.take(&keys, change.action);
                    self.give_key(&change, keys);
                }
            }
            C::Cancel => self.key_change = None,
            C::Clear(name) => {
                if let Some(action) = action(name) {
                    self.settings.keys.set(action, Vec::new());
                }
            }
            C::Reset(name) => {
                if let Some(action) = action(name) {
                    self.settings.keys.reset(action);
                }
            }
            C::ResetAll => self.settings.keys = ChosenKeys::default(),
        }
    }

    fn press_key(&mut self, keys: KeyboardShortcut) {
        let Some(mut change) = self.key_change.take() else { return };
        if let Some(why) = unfit(&keys) {
            change.refusal = Some(format!("{} cannot be used: {why}.", keys_text(&keys)));
            self.key_change = Some(change);
            return;
        }
        match self.settings.keys.holder(&keys, change.action) {
            Some(holder) => {
                change.conflict = Some((keys, holder));
                self.key_change = Some(change);
            }
            None => self.give_key(&change, keys),
        }
    }

    fn give_key(&mut self, change: &KeyChange, keys: KeyboardShortcut) {
        let mut all: Vec<KeyboardShortcut> = match change.besides {
            true => self.settings.keys.of(change.action).to_vec(),
            false => Vec::new(),
        };
        if !all.contains(&keys) {
            all.push(keys);
        }
        self.settings.keys.set(change.action, all);
    }
}

fn action(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}
