//! Keys that a person chose for actions, in the place of those that the table of actions gives them.

use crate::ui::command::{
    ACTIONS, Action,
    key_names::{is_modifier, keys_text, shortcut},
    other_words::renamed,
};
use egui::{Key, KeyboardShortcut, Modifiers};
use std::collections::BTreeMap;

/// Keys of one action.
const MAX_KEYS: usize = 8;

/// The actions whose keys were changed, by name, and the keys that they have instead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChosenKeys(BTreeMap<&'static str, Vec<KeyboardShortcut>>);

impl ChosenKeys {
    /// The keys of an action, the one that is shown first.
    pub fn of(&self, action: &Action) -> &[KeyboardShortcut] {
        self.0.get(action.name).map_or(action.keys, Vec::as_slice)
    }

    /// Whether an action has other keys than by default.
    pub fn is_changed(&self, action: &Action) -> bool {
        self.0.contains_key(action.name)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The other action that has these keys.
    pub fn holder(&self, keys: &KeyboardShortcut, except: &Action) -> Option<&'static Action> {
        ACTIONS.iter().find(|action| action.name != except.name && self.of(action).contains(keys))
    }

    /// Gives an action these keys; those that it has by default are no change.
    pub fn set(&mut self, action: &Action, mut keys: Vec<KeyboardShortcut>) {
        let Some(action) = ACTIONS.iter().find(|known| known.name == action.name) else { return };
        keys.truncate(MAX_KEYS);
        if keys == action.keys {
            self.0.remove(action.name);
        } else {
            self.0.insert(action.name, keys);
        }
    }

    /// Takes keys from whichever other action has them.
    pub fn take(&mut self, keys: &KeyboardShortcut, except: &Action) {
        while let Some(holder) = self.holder(keys, except) {
            let left = self.of(holder).iter().copied().filter(|own| own != keys).collect();
            self.set(holder, left);
        }
    }

    /// Gives an action its own keys again, taken from those that have them by now.
    pub fn reset(&mut self, action: &Action) {
        self.0.remove(action.name);
        for keys in action.keys {
            self.take(keys, action);
        }
    }

    /// The changes as text: names of actions with their keys.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.0.iter().map(|(name, keys)| (*name, keys.iter().map(written).collect::<Vec<_>>().join(" ")))
    }

    /// Reads a change. `None` when no action is called that; an error when the text names no keys.
    pub fn read(&mut self, name: &str, text: &str) -> Option<Result<(), NoKeys>> {
        let name = renamed(name).unwrap_or(name);
        let action = ACTIONS.iter().find(|action| action.name == name)?;
        let keys: Option<Vec<KeyboardShortcut>> = text.split_whitespace().take(MAX_KEYS).map(parse).collect();
        Some(keys.map(|keys| self.set(action, keys)).ok_or(NoKeys))
    }

    /// Leaves no keys with two actions, and says where they were: a change goes before what an action has by default, an
    /// earlier action of the table before a later one.
    pub fn settle(&mut self) -> Vec<String> {
        let mut findings = Vec::new();
        let (changed, others): (Vec<&Action>, _) = ACTIONS.iter().partition(|action| self.is_changed(action));
        let mut taken: Vec<(KeyboardShortcut, &str)> = Vec::new();
        for action in changed.into_iter().chain(others) {
            let mut left: Vec<KeyboardShortcut> = Vec::new();
            for keys in self.of(action) {
                match taken.iter().find(|(other, _)| other == keys) {
                    Some((_, holder)) => findings.push(format!(
                        "Shortcut {} is already used by “{holder}” and was removed from “{}”",
                        keys_text(keys),
                        action.name
                    )),
                    None if !left.contains(keys) => left.push(*keys),
                    None => {}
                }
            }
            taken.extend(left.iter().map(|keys| (*keys, action.name)));
            if left != self.of(action) {
                self.set(action, left);
            }
        }
        findings
    }
}

/// A text that names no keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoKeys;

/// Why an action cannot have these keys, where it cannot.
pub fn unfit(keys: &KeyboardShortcut) -> Option<&'static str> {
    let key = keys.logical_key;
    if matches!(key, Key::Tab | Key::Escape) {
        return Some("Tab and Esc are reserved for moving between fields and closing dialogs");
    }
    let copies = keys.modifiers.command && matches!(key, Key::C | Key::X | Key::V);
    if copies || matches!(key, Key::Copy | Key::Cut | Key::Paste) {
        return Some("Ctrl+C, Ctrl+X and Ctrl+V are reserved for copy, cut and paste");
    }
    is_modifier(key).then_some("a modifier alone cannot be a shortcut")
}

/// As it is kept: `Ctrl+OpenBracket`.
fn written(keys: &KeyboardShortcut) -> String {
    let held = [(keys.modifiers.command, "Ctrl+"), (keys.modifiers.alt, "Alt+"), (keys.modifiers.shift, "Shift+")];
    let held: String = held.into_iter().filter_map(|(is_held, name)| is_held.then_some(name)).collect();
    format!("{held}{}", keys.logical_key.name())
}

/// Reads what [`written`] writes, and what is printed on keys: `ctrl+[`.
fn parse(text: &str) -> Option<KeyboardShortcut> {
    let (held, key) = match text.strip_suffix('+') {
        Some(held) => (held.strip_suffix('+').unwrap_or(held), "+"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    let mut modifiers = Modifiers::NONE;
    for name in held.split('+').filter(|_| !held.is_empty()) {
        modifiers |= match name.to_ascii_lowercase().as_str() {
            "ctrl" | "control" | "cmd" | "command" => Modifiers::COMMAND,
            "alt" | "option" => Modifiers::ALT,
            "shift" => Modifiers::SHIFT,
            _ => return None,
        };
    }
    let named = match key {
        "PgUp" => Some(Key::PageUp),
        "PgDn" => Some(Key::PageDown),
        "Del" => Some(Key::Delete),
        "Ins" => Some(Key::Insert),
        "↑" => Some(Key::ArrowUp),
        "↓" => Some(Key::ArrowDown),
        "←" => Some(Key::ArrowLeft),
        "→" => Some(Key::ArrowRight),
        other => Key::from_name(other),
    };
    Some(shortcut(named?, modifiers)).filter(|keys| unfit(keys).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(name: &str) -> &'static Action {
        ACTIONS.iter().find(|action| action.name == name).unwrap()
    }

    #[test]
    fn every_key_is_read_as_it_is_written() {
        for action in ACTIONS {
            for keys in action.keys {
                // Two signs that need Shift are one key with it and without.
                let expected = shortcut(keys.logical_key, keys.modifiers);
                assert_eq!(parse(&written(keys)), Some(expected), "{}", written(keys));
                assert_eq!(parse(&keys_text(keys)), Some(expected), "{}", keys_text(keys));
            }
        }
        for text in ["", "+", "Ctrl+", "Ctrl++", "Hyper+A", "Ctrl+Nothing", "Esc", "Tab", "Ctrl+C", "ShiftLeft", "++"] {
            let plus = ["+", "++", "Ctrl+", "Ctrl++"].contains(&text);
            assert_eq!(parse(text).is_some(), plus, "{text}");
        }
    }

    #[test]
    fn keys_are_changed_taken_and_given_back() {
        let (wireframe, quit) = (action("Wireframe"), action("Quit"));
        let mut chosen = ChosenKeys::default();
        let ctrl_q = quit.keys[0];
        assert_eq!(chosen.holder(&ctrl_q, wireframe).map(|a| a.name), Some("Quit"));
        chosen.take(&ctrl_q, wireframe);
        chosen.set(wireframe, vec![ctrl_q]);
        assert_eq!((chosen.of(wireframe), chosen.of(quit)), ([ctrl_q].as_slice(), [].as_slice()));
        let lines: Vec<_> = chosen.lines().collect();
        assert_eq!(lines, [("Quit", String::new()), ("Wireframe", "Ctrl+Q".to_owned())]);
        let mut read = ChosenKeys::default();
        for (name, text) in &lines {
            assert_eq!(read.read(name, text), Some(Ok(())));
        }
        assert_eq!(read, chosen);
        assert!(read.settle().is_empty());
        // Quit has its key again, and nobody else.
        chosen.reset(quit);
        assert_eq!((chosen.of(wireframe), chosen.of(quit)), ([].as_slice(), quit.keys));
        chosen.reset(wireframe);
        assert!(chosen.is_empty());
    }

    #[test]
    fn no_keys_are_left_with_two_actions() {
        let mut chosen = ChosenKeys::default();
        assert_eq!(chosen.read("Wireframe", "Ctrl+Q F5 F5"), Some(Ok(())));
        assert_eq!(chosen.read("Grid", "F5 F6"), Some(Ok(())));
        assert_eq!(chosen.read("Grid", "Ctrl+What"), Some(Err(NoKeys)));
        assert_eq!(chosen.read("Of tomorrow", "F7"), None);
        let findings = chosen.settle();
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].contains("F5") && findings[0].contains("Wireframe") && findings[0].contains("Grid"));
        assert!(findings[1].contains("Quit"), "{findings:?}");
        let keys = |name| chosen.of(action(name)).iter().map(keys_text).collect::<Vec<_>>();
        assert_eq!((keys("Wireframe").len(), keys("Grid"), keys("Quit").len()), (2, vec!["F6".to_owned()], 0));
        assert!(chosen.clone().settle().is_empty());
    }

    #[test]
    fn shortcuts_under_an_earlier_name_are_read() {
        let mut chosen = ChosenKeys::default();
        assert_eq!(chosen.read("Unfold the row", "F9"), Some(Ok(())));
        assert_eq!(chosen.lines().collect::<Vec<_>>(), [("Expand", "F9".to_owned())]);
    }
}
