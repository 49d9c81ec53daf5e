//! The roots of the collection, and the collections that have a name.

use crate::{
    library::collection::Collection,
    ui::{
        command::{CollectionCommand, Command, LibraryCommand},
        state::State,
        theme,
        widgets::numbers::counted,
    },
};
use egui::{
    Align, Button, Key, Label, Layout, PopupCloseBehavior, RichText, TextEdit, Ui, WidgetInfo, WidgetType,
    containers::menu::{MenuButton, MenuConfig},
    vec2,
};
use egui_phosphor::regular as icon;

/// Width of the menu, in points.
const WIDTH: f32 = 380.0;
/// Height of a line in it.
const LINE: f32 = 28.0;

/// The button whose menu has them; `name` is what is typed as the name of these roots.
pub fn button(ui: &mut Ui, state: &State, name: &mut String, commands: &mut Vec<Command>) {
    let text = format!("{}  {}", counted(state.core.settings.collection.len(), "folder"), icon::CARET_DOWN);
    let stays = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::new(text).config(stays).ui(ui, |ui| {
        ui.set_width(WIDTH);
        if !state.collection.named.is_empty() {
            ui.label(RichText::new("Collections").size(theme::SMALL).weak());
            for named in &state.collection.named {
                collection(ui, state, named, commands);
            }
            ui.separator();
        }
        ui.label(RichText::new("Folders in this collection").size(theme::SMALL).weak());
        roots(ui, state, commands);
        if ui.button(format!("{}  Open folder…", icon::FOLDERS)).clicked() {
            commands.push(Command::Library(LibraryCommand::OpenFolderDialog));
            ui.close();
        }
        ui.separator();
        keep(ui, state, name, commands);
    });
    button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Folders and collections"));
}

/// Buttons for the collections that have a name, for a page that has nothing else to show.
pub fn to_choose(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    for named in &state.collection.named {
        let button = ui.button(format!("{}  {}", icon::STACK, named.name)).on_hover_text(paths(named));
        button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Collection {}", named.name)));
        if button.clicked() {
            commands.push(Command::Collection(CollectionCommand::SetRoots(named.roots.clone())));
        }
    }
}

/// A line with a button at its right end; whether that was clicked.
fn line(ui: &mut Ui, sign: &str, label: &str, add: impl FnOnce(&mut Ui)) -> bool {
    let mut clicked = false;
    ui.allocate_ui_with_layout(vec2(WIDTH, LINE), Layout::right_to_left(Align::Center), |ui| {
        clicked = theme::icon_button(ui, sign, label).clicked();
        ui.with_layout(Layout::left_to_right(Align::Center), add);
    });
    clicked
}

fn collection(ui: &mut Ui, state: &State, named: &Collection, commands: &mut Vec<Command>) {
    let is_on = state.collection.named_collection(&state.core).is_some_and(|on| on.name == named.name);
    let forgotten = line(ui, icon::TRASH, &format!("Remove the collection {}", named.name), |ui| {
        let sign = if is_on { icon::RADIO_BUTTON } else { icon::CIRCLE };
        let text = format!("{sign}  {}", named.name);
        let count = theme::figures(counted(named.roots.len(), "folder")).weak();
        let row = Button::selectable(is_on, text).truncate().right_text(count);
        let row = ui.add_sized(vec2(ui.available_width(), LINE - 2.0), row).on_hover_text(paths(named));
        let label = format!("Collection {}", named.name);
        row.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, is_on, label.as_str()));
        if row.clicked() && !is_on {
            commands.push(Command::Collection(CollectionCommand::SetRoots(named.roots.clone())));
            ui.close();
        }
    });
    if forgotten {
        commands.push(Command::Collection(CollectionCommand::Forget(named.name.clone())));
    }
}

/// The roots, each with a button that leaves it out.
fn roots(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    egui::ScrollArea::vertical().max_height(LINE * 10.0).auto_shrink([false, true]).show(ui, |ui| {
        for root in &state.core.settings.collection {
            let path = root.display().to_string();
            let is_gone = state.collection.is_gone(root);
            let removed = line(ui, icon::X, &format!("Remove {path}"), |ui| {
                let (sign, color, hover) = match is_gone {
                    true => (icon::PLUGS, p.warning, format!("{path}\nThis folder is missing")),
                    false => (icon::FOLDER, p.text, path.clone()),
                };
                ui.label(RichText::new(sign).color(color));
                let name = root.file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
                // The end of a path says more than its beginning.
                ui.label(RichText::new(name).color(color));
                let above = root.parent().map(|above| above.display().to_string()).unwrap_or_default();
                let above = Label::new(RichText::new(above).size(theme::SMALL).color(p.weak)).truncate();
                ui.add(above).on_hover_text(hover);
            });
            if removed {
                commands.push(Command::Collection(CollectionCommand::Remove(root.clone())));
            }
        }
    });
}

/// The field that gives these roots a name.
fn keep(ui: &mut Ui, state: &State, name: &mut String, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let save = 72.0;
        let edit = TextEdit::singleline(name).hint_text("Collection name").char_limit(100);
        let edit = ui.add(edit.desired_width((WIDTH - save - 16.0).max(80.0)));
        edit.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Collection name"));
        let trimmed = name.trim().to_owned();
        let has_name = !trimmed.is_empty() && !state.core.settings.collection.is_empty();
        let entered = edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        let button = ui.add_enabled(has_name, Button::new("Save").min_size(vec2(save, 0.0)));
        let hover = "Save these folders as a named collection, which `bonebox find` can also search";
        let button = button.on_hover_text(hover).on_disabled_hover_text("Enter a name first");
        if has_name && (entered || button.clicked()) {
            let roots = state.core.settings.collection.clone();
            commands.push(Command::Collection(CollectionCommand::Remember(Collection { name: trimmed, roots })));
            name.clear();
        }
    });
}

fn paths(named: &Collection) -> String {
    named.roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join("\n")
}
