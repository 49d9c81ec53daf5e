//! Keys that were pressed become commands.

use crate::ui::command::{
    ACTIONS, Action, ChosenKeys, Command,
    key_names::{is_modifier, is_symbol, keys_text, shortcut},
};
use egui::{Context, Id, Key, KeyboardShortcut};
use std::sync::Arc;

/// Keeps which keys a person chose, for everything that shows keys.
pub fn show_keys(ctx: &Context, chosen: &ChosenKeys) {
    if *keys_now(ctx) != *chosen {
        ctx.data_mut(|data| data.insert_temp(Id::new("chosen keys"), Arc::new(chosen.clone())));
    }
}

/// Which keys a person chose.
pub fn keys_now(ctx: &Context) -> Arc<ChosenKeys> {
    ctx.data(|data| data.get_temp(Id::new("chosen keys"))).unwrap_or_default()
}

/// The keys of a command as text: `Ctrl+O`.
pub fn keys_of(ctx: &Context, command: &Command) -> Option<String> {
    keys_now(ctx).of(Action::of(command)?).first().map(keys_text)
}

/// A name with the keys of a command behind it, as hovers show it: `Fly (V)`.
pub fn with_keys(ctx: &Context, name: &str, command: &Command) -> String {
    match keys_of(ctx, command) {
        Some(keys) => format!("{name} ({keys})"),
        None => name.to_owned(),
    }
}

/// A name with keys of a panel, which no person can choose, unless a command has them by now.
pub fn with_fixed_keys(ctx: &Context, name: &str, keys: &KeyboardShortcut) -> String {
    let chosen = keys_now(ctx);
    match ACTIONS.iter().any(|action| chosen.of(action).contains(keys)) {
        true => name.to_owned(),
        false => format!("{name} ({})", keys_text(keys)),
    }
}

/// Which commands keys give.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Listening {
    #[default]
    ToAll,
    /// A dialog lies over the window: it has the keyboard, and the keys that opened it close it.
    To(Command),
    /// A dialog that has no keys lies over the window, or a key is waited for.
    ToNone,
}

/// Who else wants keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyboard {
    /// A text field has the keyboard, or is about to.
    pub typing: bool,
    /// The camera flies: its own keys steer it and mean nothing else.
    pub flies: bool,
    /// It is on the move: not even with Ctrl, which slows it down.
    pub moves: bool,
}

/// Commands whose keys were pressed. In a text field only keys with a modifier count.
pub fn pressed(
    ctx: &Context,
    chosen: &ChosenKeys,
    listening: &Listening,
    keyboard: Keyboard,
    commands: &mut Vec<Command>,
) {
    if *listening == Listening::ToNone {
        return;
    }
    // A focused list or button takes keys such as Space only while a text field does not have them; menus take arrows.
    let typing = keyboard.typing || ctx.text_edit_focused() || egui::Popup::is_any_open(ctx);
    let focused = ctx.memory(|memory| memory.focused());
    let is_in_list = focused.is_some() && focused == ctx.data(|data| data.get_temp(Id::new("row with the keyboard")));
    ctx.input_mut(|input| {
        for action in ACTIONS {
            if matches!(listening, Listening::To(command) if *command != action.command) {
                continue;
            }
            for keys in chosen.of(action) {
                let plain = !keys.modifiers.command && !keys.modifiers.alt && !is_function_key(keys.logical_key);
                let steers = STEERING.contains(&keys.logical_key) && !keys.modifiers.alt;
                // In a text field they take back what was typed, and go from word to word.
                let edits =
                    keys.modifiers.command && matches!(keys.logical_key, Key::Z | Key::ArrowLeft | Key::ArrowRight);
                let moves_in_list = is_in_list && keys.modifiers.is_none() && LIST_KEYS.contains(&keys.logical_key);
                if moves_in_list
                    || (typing && (plain || edits))
                    || (keyboard.flies && steers && (plain || keyboard.moves))
                {
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

/// Keys that move through a list and press its rows.
const LIST_KEYS: [Key; 7] = [Key::ArrowUp, Key::ArrowDown, Key::PageUp, Key::PageDown, Key::Home, Key::End, Key::Enter];

/// Leaves these keys to the list whose row has the keyboard.
pub fn leave_list_keys(ctx: &Context, row: Id) {
    ctx.data_mut(|data| data.insert_temp(Id::new("row with the keyboard"), row));
}

/// Keys that steer the fly camera.
pub const STEERING: [Key; 7] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E, Key::Space];

/// The key that was pressed in this frame and not held since, for whoever waits for one. Takes it from everybody else.
pub fn next_key(ctx: &Context) -> Option<KeyboardShortcut> {
    ctx.input_mut(|input| {
        let mut found = None;
        input.events.retain(|event| {
            let egui::Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            if is_modifier(*key) {
                return true;
            }
            if found.is_none() && !repeat {
                found = Some(shortcut(*key, *modifiers));
            }
            false
        });
        found
    })
}

fn is_function_key(key: Key) -> bool {
    (Key::F1..=Key::F35).contains(&key)
}

/// Exact modifiers: `Shift+B` is not `B`, `Ctrl+1` is not `1`. Keys repeat while they are held only where that makes sense.
fn consume(input: &mut egui::InputState, keys: &KeyboardShortcut) -> bool {
    let mut found = false;
    input.events.retain(|event| {
        let egui::Event::Key { key, physical_key: _, pressed: true, repeat, modifiers } = event else { return true };
        let wanted = keys.modifiers;
        let same = (modifiers.shift == wanted.shift || is_symbol(*key))
            && modifiers.alt == wanted.alt
            && modifiers.command == (wanted.command || wanted.ctrl);
        if *key == keys.logical_key && same {
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
