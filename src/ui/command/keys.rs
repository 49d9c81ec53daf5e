//! Keys that were pressed become commands.

use super::{ACTIONS, Action, Command};
use egui::{Key, KeyboardShortcut};

/// The keys of a command as text: `Ctrl+O`.
pub fn keys_of(ctx: &egui::Context, command: &Command) -> Option<String> {
    Action::of(command)?.keys.first().map(|k| ctx.format_shortcut(k))
}

/// Commands whose keys were pressed. Nothing while a text field has the keyboard, or is about to (`typing`), except keys with a
/// modifier.
/// While the camera flies (`flies`), its own keys steer it and mean nothing else; on the move (`moves`) not even with Ctrl,
/// which slows it down.
pub fn pressed(ctx: &egui::Context, typing: bool, flies: bool, moves: bool, commands: &mut Vec<Command>) {
    // A focused list or button takes keys such as Space only while a text field does not have them; menus take arrows.
    let typing = typing || ctx.text_edit_focused() || egui::Popup::is_any_open(ctx);
    ctx.input_mut(|input| {
        for action in ACTIONS {
            for keys in action.keys {
                let plain = !keys.modifiers.command && !keys.modifiers.alt && !is_function_key(keys.logical_key);
                let steers = STEERING.contains(&keys.logical_key) && !keys.modifiers.alt;
                // In a text field they take back what was typed, and go from word to word.
                let edits =
                    keys.modifiers.command && matches!(keys.logical_key, Key::Z | Key::ArrowLeft | Key::ArrowRight);
                if (typing && (plain || edits)) || (flies && steers && (plain || moves)) {
                    continue;
                }
                if consume(input, keys) {
                    commands.push(action.command.clone());
                    break;
                }
            }
        }
    });
}

/// Keys that steer the fly camera.
pub const STEERING: [Key; 7] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E, Key::Space];

fn is_function_key(key: Key) -> bool {
    matches!(key, Key::F1 | Key::F12)
}

/// Exact modifiers: `Shift+B` is not `B`, `Ctrl+1` is not `1`. Keys repeat while they are held only where that makes sense.
fn consume(input: &mut egui::InputState, keys: &KeyboardShortcut) -> bool {
    let mut found = false;
    input.events.retain(|event| {
        let egui::Event::Key { key, physical_key: _, pressed: true, repeat, modifiers } = event else { return true };
        let wanted = keys.modifiers;
        let same = modifiers.shift == wanted.shift
            && modifiers.alt == wanted.alt
            && modifiers.command == (wanted.command || wanted.ctrl);
        // A key that needs Shift on this keyboard (`?`, `+`) comes with Shift held.
        let symbol = matches!(key, Key::Questionmark | Key::Plus) && !modifiers.alt && !modifiers.command;
        if *key == keys.logical_key && (same || symbol) {
            let repeats = matches!(
                key,
                Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown | Key::Plus | Key::Minus | Key::Equals
            );
            found |= !repeat || repeats;
            return false;
        }
        true
    });
    found
}
