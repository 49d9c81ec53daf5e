//! Keys as people read them.

use egui::{Key, KeyboardShortcut, Modifiers};

/// What is printed on a key.
pub fn key_name(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::PageUp => "PgUp",
        Key::PageDown => "PgDn",
        Key::Escape => "Esc",
        Key::Delete => "Del",
        Key::Insert => "Ins",
        Key::Colon => ":",
        Key::Comma => ",",
        Key::Minus => "-",
        Key::Period => ".",
        Key::Plus => "+",
        Key::Equals => "=",
        Key::Semicolon => ";",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::OpenCurlyBracket => "{",
        Key::CloseCurlyBracket => "}",
        Key::Backtick => "`",
        Key::Backslash | Key::IntlBackslash => "\\",
        Key::Slash => "/",
        Key::Pipe => "|",
        Key::Questionmark => "?",
        Key::Exclamationmark => "!",
        Key::Quote => "'",
        other => other.name(),
    }
}

/// The keys of a shortcut, one by one: `Ctrl`, `P`.
pub fn key_names(keys: &KeyboardShortcut) -> Vec<&'static str> {
    let mac = cfg!(target_os = "macos");
    let held = [
        (keys.modifiers.command || keys.modifiers.ctrl, if mac { "Cmd" } else { "Ctrl" }),
        (keys.modifiers.alt, if mac { "Option" } else { "Alt" }),
        (keys.modifiers.shift, "Shift"),
    ];
    let held = held.into_iter().filter_map(|(is_held, name)| is_held.then_some(name));
    held.chain([key_name(keys.logical_key)]).collect()
}

/// A shortcut as people read it: `Ctrl+[`.
pub fn keys_text(keys: &KeyboardShortcut) -> String {
    key_names(keys).join("+")
}

/// A shortcut as the table of actions writes it.
pub(super) fn shortcut(key: Key, held: Modifiers) -> KeyboardShortcut {
    let mut modifiers = Modifiers::NONE;
    if held.command || held.ctrl {
        modifiers |= Modifiers::COMMAND;
    }
    if held.alt {
        modifiers |= Modifiers::ALT;
    }
    if held.shift && !is_symbol(key) {
        modifiers |= Modifiers::SHIFT;
    }
    KeyboardShortcut::new(modifiers, key)
}

/// Whether a key may need Shift on this keyboard: it comes with Shift held, or without.
pub(super) fn is_symbol(key: Key) -> bool {
    matches!(
        key,
        Key::Questionmark
            | Key::Plus
            | Key::Colon
            | Key::Pipe
            | Key::Exclamationmark
            | Key::OpenCurlyBracket
            | Key::CloseCurlyBracket
    )
}

pub(super) fn is_modifier(key: Key) -> bool {
    matches!(
        key,
        Key::ShiftLeft
            | Key::ShiftRight
            | Key::ControlLeft
            | Key::ControlRight
            | Key::AltLeft
            | Key::AltRight
            | Key::SuperLeft
            | Key::SuperRight
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::ACTIONS;

    #[test]
    fn a_key_is_shown_as_what_is_printed_on_it() {
        let of = |modifiers, key| keys_text(&KeyboardShortcut::new(modifiers, key));
        assert_eq!(of(Modifiers::NONE, Key::OpenBracket), "[");
        assert_eq!(of(Modifiers::NONE, Key::PageUp), "PgUp");
        assert_eq!(of(Modifiers::ALT, Key::ArrowUp), "Alt+↑");
        assert_eq!(of(Modifiers::SHIFT, Key::F12), "Shift+F12");
        if !cfg!(target_os = "macos") {
            assert_eq!(of(Modifiers::COMMAND | Modifiers::SHIFT, Key::Comma), "Ctrl+Shift+,");
        }
        // No key is shown by the word for its sign.
        for action in ACTIONS {
            for keys in action.keys {
                let name = key_name(keys.logical_key);
                assert!(!["Bracket", "Arrow", "Page", "Equals", "Minus"].iter().any(|word| name.contains(word)));
            }
        }
    }
}
