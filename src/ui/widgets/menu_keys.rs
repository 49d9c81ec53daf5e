//! The keyboard in menus: arrows go through items and from menu to menu, letters go to the items that begin with them.

use egui::{
    Context, Event, FocusDirection, Id, Key, LayerId, Modifiers, Order, Popup, Response, Ui,
    containers::menu::{MenuState, SubMenu, SubMenuButton},
};

/// Frames that a menu may take until its first item can have the keyboard.
const MAX_TRIES: u8 = 6;

/// A menu that was opened by a key: its first item is to have the keyboard.
#[derive(Clone)]
struct Entering {
    button: Id,
    layer: LayerId,
    tries: u8,
}

/// What is remembered between frames.
#[derive(Clone, Default)]
struct Memory {
    entering: Option<Entering>,
    /// The letter that was typed in this frame.
    letter: Option<char>,
    /// Items that begin with it.
    found: Vec<Id>,
    /// A menu is gone through by keys, downwards in the end.
    is_used: bool,
    goes_down: bool,
    /// What of an open menu takes the keyboard and is no item, with the menu's button.
    backgrounds: Vec<(Id, Id)>,
}

fn with<R>(ctx: &Context, what: impl FnOnce(&mut Memory) -> R) -> R {
    ctx.data_mut(|data| what(data.get_temp_mut_or_default(Id::new("keys in menus"))))
}

/// A menu of a bar.
#[derive(Clone)]
pub struct BarMenu {
    pub button: Response,
    /// The letter that opens it with Alt.
    pub letter: Option<Key>,
}

impl BarMenu {
    fn popup(&self) -> Id {
        Popup::default_response_id(&self.button)
    }

    fn is_open(&self) -> bool {
        Popup::is_id_open(&self.button.ctx, self.popup())
    }
}

/// Call it before the menus of a bar are drawn. `is_open` when one of them was open in the last frame.
pub fn begin(ctx: &Context, is_open: bool) {
    let Memory { entering, backgrounds, goes_down, .. } = with(ctx, |memory| memory.clone());
    let focused = ctx.memory(|memory| memory.focused());
    let is_background = focused.is_some() && backgrounds.iter().any(|(background, _)| Some(*background) == focused);
    if (is_background && goes_down) || entering.is_some_and(|entering| Some(entering.button) == focused) {
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
    }
    with(ctx, |memory| memory.backgrounds.clear());
    if !is_open {
        with(ctx, |memory| {
            memory.is_used &= memory.entering.is_some();
            (memory.letter, memory.found) = (None, Vec::new());
        });
        return;
    }
    let arrow = |key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (down, up) = (arrow(Key::ArrowDown), arrow(Key::ArrowUp));
    let aside = ctx.input(|input| input.key_pressed(Key::ArrowLeft) || input.key_pressed(Key::ArrowRight));
    if down || up || aside {
        // From item to item in their order, and not to what lies near on the panels behind.
        let direction = match (down, up) {
            (true, _) => FocusDirection::Next,
            (_, true) => FocusDirection::Previous,
            _ => FocusDirection::None,
        };
        ctx.memory_mut(|memory| memory.move_focus(direction));
    }
    let letter = ctx.input_mut(|input| {
        let at = input.events.iter().position(|event| {
            let Event::Key { key, pressed: true, modifiers, .. } = event else { return false };
            !modifiers.any() && letter_of(*key).is_some()
        })?;
        let Event::Key { key, .. } = input.events.remove(at) else { return None };
        letter_of(key)
    });
    with(ctx, |memory| {
        memory.is_used |= down || up || aside || letter.is_some();
        memory.goes_down = (memory.goes_down || down) && !up;
        (memory.letter, memory.found) = (letter, Vec::new());
    });
}

/// The letter on a key.
fn letter_of(key: Key) -> Option<char> {
    let mut letters = key.name().chars();
    letters.next().filter(|letter| letters.next().is_none() && letter.is_ascii_alphabetic())
}

/// Says what an item is called, for who types its first letter.
pub fn offer(item: &Response, name: &str) {
    with(&item.ctx, |memory| {
        let first = name.chars().next().map(|first| first.to_ascii_uppercase());
        if memory.letter.is_some() && memory.letter == first && item.enabled() {
            memory.found.push(item.id);
        }
    });
}

/// Call it after the menus of a bar were drawn, in their order. `listens` when nothing lies over the window.
pub fn end(ctx: &Context, menus: &[BarMenu], listens: bool) {
    let open = menus.iter().position(BarMenu::is_open);
    if let Some(menu) = open.and_then(|at| menus.get(at)) {
        with(ctx, |memory| memory.backgrounds.push((background(menu.popup()), menu.button.id)));
    }
    let Memory { entering, letter, found, is_used, goes_down, backgrounds } = with(ctx, |memory| memory.clone());
    let pressed = |modifiers, key| ctx.input_mut(|input| input.consume_key(modifiers, key));
    let by_letter = listens
        .then(|| menus.iter().position(|menu| menu.letter.is_some_and(|key| pressed(Modifiers::ALT, key))))
        .flatten();
    let wanted = by_letter.or_else(|| {
        let open = open?;
        let count = menus.len();
        if pressed(Modifiers::NONE, Key::ArrowRight) {
            Some((open + 1) % count)
        } else if pressed(Modifiers::NONE, Key::ArrowLeft) {
            Some((open + count - 1) % count)
        } else {
            None
        }
    });
    if let Some(menu) = wanted.and_then(|at| menus.get(at)) {
        Popup::open_id(ctx, menu.popup());
        enter(ctx, &menu.button);
        return;
    }
    let focused = ctx.memory(|memory| memory.focused());
    if letter.is_some() && !found.is_empty() {
        // The next one of them after the one that has the keyboard.
        let at = focused.and_then(|focused| found.iter().position(|item| *item == focused));
        if let Some(next) = found.get(at.map_or(0, |at| (at + 1) % found.len())) {
            ctx.memory_mut(|memory| memory.request_focus(*next));
        }
        return;
    }
    let layer_of = |id: Id| ctx.read_response(id).map(|response| response.layer_id);
    let on_background = backgrounds.iter().find(|(background, _)| Some(*background) == focused);
    if let Some((_, button)) = on_background {
        // The next frame goes on to the first item.
        if !goes_down {
            ctx.memory_mut(|memory| memory.request_focus(*button));
        }
        ctx.request_repaint();
    } else if let Some(Entering { button, layer, tries }) = entering {
        let is_inside =
            focused.is_some_and(|id| layer_of(id).is_some_and(|at| at != layer && at.order >= Order::Middle));
        let goes_on = !is_inside && tries < MAX_TRIES;
        with(ctx, |memory| memory.entering = goes_on.then_some(Entering { button, layer, tries: tries + 1 }));
        if goes_on {
            ctx.memory_mut(|memory| memory.request_focus(button));
            ctx.request_repaint();
        }
    } else if let (Some(menu), true) = (open.and_then(|at| menus.get(at)), is_used) {
        // Behind the last item comes the first one again.
        let stays = focused.is_some_and(|id| {
            id == menu.button.id || layer_of(id).is_some_and(|layer| layer.order >= Order::Foreground)
        });
        if !stays {
            enter(ctx, &menu.button);
        }
    }
}

/// What of a menu takes the keyboard without being an item: the area that it lies on.
fn background(popup: Id) -> Id {
    popup.with("move")
}

/// Gives the keyboard to the first item of a button's menu, as soon as it is there.
fn enter(ctx: &Context, button: &Response) {
    ctx.memory_mut(|memory| memory.request_focus(button.id));
    with(ctx, |memory| {
        memory.entering = Some(Entering { button: button.id, layer: button.layer_id, tries: 0 });
        (memory.is_used, memory.goes_down) = (true, true);
    });
    ctx.request_repaint();
}

/// A menu in a menu. Right opens it and Left closes it.
pub fn submenu<R>(ui: &mut Ui, button: SubMenuButton<'_>, name: &str, content: impl FnOnce(&mut Ui) -> R) {
    let id = SubMenu::id_from_widget_id(ui.next_auto_id());
    let is_open = |ui: &Ui| MenuState::from_ui(ui, |state, _| state.open_item == Some(id));
    let has_focus = ui.memory(|memory| memory.has_focus(ui.next_auto_id()));
    let opens = has_focus && !is_open(ui) && ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::ArrowRight));
    if opens {
        // As Enter does.
        let enter = Event::Key {
            key: Key::Enter,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        ui.input_mut(|input| input.events.push(enter));
    }
    let (response, shown) = button.ui(ui, content);
    if opens {
        ui.input_mut(|input| _ = input.events.pop());
    }
    offer(&response, name);
    if response.clicked() && response.has_focus() && is_open(ui) {
        enter(ui.ctx(), &response);
    }
    if let Some(shown) = shown {
        with(ui.ctx(), |memory| memory.backgrounds.push((background(id), response.id)));
        let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
        let is_inside = focused.is_some_and(|item| item.layer_id == shown.response.layer_id);
        if is_inside && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowLeft)) {
            MenuState::from_ui(ui, |state, _| state.open_item = None);
            ui.memory_mut(|memory| memory.request_focus(response.id));
        }
    }
}
