//! The settings: every one of them in one place, with what it is by default.

mod keys_page;
mod rows;

use crate::ui::{
    command::{Command, KeyCommand, LibraryCommand, WindowCommand},
    picture_draft,
    state::State,
    theme,
    widgets::{
        dialog,
        put::{put, put_text},
        search,
    },
};
use egui::{
    Align, Button, ComboBox, Id, Label, Layout, Modal, RichText, ScrollArea, Sense, Slider, TextEdit, Ui, WidgetInfo,
    WidgetType, vec2,
};
use egui_phosphor::regular as icon;
use rows::{Control, Page, ROWS, Row};

const SIZE: egui::Vec2 = vec2(760.0, 520.0);
const PAGES_WIDTH: f32 = 128.0;
const NAME_WIDTH: f32 = 200.0;
const DEFAULT_WIDTH: f32 = 150.0;
const ROW_HEIGHT: f32 = 32.0;

/// What the window of settings remembers.
#[derive(Default)]
pub struct SettingsView {
    page: Page,
    search: String,
    /// The size of pictures that is being typed.
    typed_size: String,
    is_open: bool,
    /// Frames in which the field asks for the keyboard: the first one of a dialog is not seen.
    asks_focus: u8,
}

/// Shows the settings while they are asked for.
pub fn show(ui: &Ui, state: &State, view: &mut SettingsView, commands: &mut Vec<Command>) {
    let opens = state.dialogs.settings && !view.is_open;
    view.is_open = state.dialogs.settings;
    if !state.dialogs.settings {
        return;
    }
    if opens {
        view.search.clear();
        view.asks_focus = 3;
    }
    let screen = ui.ctx().content_rect();
    let size = SIZE.min(screen.size() - vec2(48.0, 72.0));
    let modal = Modal::new(Id::new("settings")).frame(dialog::frame(ui)).show(ui.ctx(), |ui| {
        ui.set_width(size.x);
        dialog::style(ui);
        keys_page::listen(ui, state, commands);
        let is_typing = !view.typed_size.is_empty();
        let close = heading(ui, view);
        ui.add_space(8.0);
        let (rect, _) = ui.allocate_exact_size(vec2(size.x, size.y - 96.0), Sense::hover());
        let (left, right) = rect.split_left_right_at_x(rect.left() + PAGES_WIDTH);
        put(ui, left, Layout::top_down(Align::Min), |ui| pages(ui, view));
        ui.painter().vline(right.left() + 8.0, rect.y_range(), ui.visuals().widgets.noninteractive.bg_stroke);
        put(ui, right.with_min_x(right.left() + 16.0), Layout::top_down(Align::Min), |ui| {
            if view.search.trim().is_empty() && view.page == Page::Keys {
                keys_page::show(ui, state, "", commands);
            } else {
                settings(ui, state, view, commands);
            }
        });
        ui.add_space(8.0);
        close | foot(ui, state, is_typing, commands)
    });
    if modal.inner || modal.should_close() {
        ui.memory_mut(egui::Memory::stop_text_input);
        commands.push(Command::Window(WindowCommand::ToggleSettings));
    }
}

/// Whether the window is to be closed.
fn heading(ui: &mut Ui, view: &mut SettingsView) -> bool {
    ui.horizontal(|ui| {
        ui.add(Label::new(RichText::new("Settings").heading()).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.add(Button::new(icon::X).frame(false)).on_hover_text("Close");
            button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Close settings"));
            let hint = format!("{} Search settings", icon::MAGNIFYING_GLASS);
            let id = Id::new("search the settings");
            if view.asks_focus > 0 {
                view.asks_focus -= 1;
                ui.memory_mut(|memory| memory.request_focus(id));
            }
            let field = ui.add(TextEdit::singleline(&mut view.search).id(id).hint_text(hint).desired_width(240.0));
            field.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, "Search settings"));
            button.clicked()
        })
        .inner
    })
    .inner
}

fn pages(ui: &mut Ui, view: &mut SettingsView) {
    ui.vertical(|ui| {
        ui.set_width(PAGES_WIDTH);
        for page in Page::ALL {
            let is_on = view.page == page && view.search.trim().is_empty();
            let button = Button::selectable(is_on, page.name()).min_size(vec2(PAGES_WIDTH, 28.0));
            let response = ui.add(button);
            let label = format!("{} settings", page.name());
            response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, is_on, label.as_str()));
            if response.clicked() {
                view.page = page;
                view.search.clear();
            }
        }
    });
}

/// The settings of the page, or those that are searched for.
fn settings(ui: &mut Ui, state: &State, view: &mut SettingsView, commands: &mut Vec<Command>) {
    let (search_text, page) = (view.search.clone(), view.page);
    let query = search_text.trim();
    let answers = |row: &&Row| match query {
        "" => row.page == page,
        query => {
            let text = format!("{} {} {} {}", row.name, row.also, row.section, row.page.name());
            search::score(query, row.name).is_some() || contains_all(query, &text)
        }
    };
    let found: Vec<&Row> = ROWS.iter().filter(answers).collect();
    let keys = if query.is_empty() { 0 } else { keys_page::count(query) };
    if found.is_empty() && keys == 0 {
        ui.add(Label::new(RichText::new("No matching settings.").weak()).selectable(false));
        return;
    }
    if !found.is_empty() {
        ScrollArea::vertical().id_salt("settings").auto_shrink([false, keys > 0]).show(ui, |ui| {
            let mut section = "";
            for row in found {
                if row.section != section {
                    section = row.section;
                    ui.add_space(4.0);
                    let title = match query {
                        "" => section.to_owned(),
                        _ => format!("{} › {section}", row.page.name()),
                    };
                    ui.add(Label::new(RichText::new(title).weak()).selectable(false));
                }
                setting(ui, state, row, &mut view.typed_size, commands);
            }
        });
    }
    if keys > 0 {
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new("Shortcuts").weak()).selectable(false));
        keys_page::show(ui, state, query, commands);
    }
}

/// Whether a text has every word of a query.
fn contains_all(query: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    query.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

fn setting(ui: &mut Ui, state: &State, row: &Row, typed: &mut String, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let now = &state.core.settings;
    let reset = row.control.reset(now);
    ui.horizontal(|ui| {
        ui.set_min_height(ROW_HEIGHT);
        let label = |response: &egui::Response, of: WidgetType| {
            response.widget_info(|| WidgetInfo::labeled(of, true, row.name));
        };
        let (name, _) = ui.allocate_exact_size(vec2(NAME_WIDTH, ROW_HEIGHT), Sense::hover());
        put_text(ui, name, Align::Min, p.text, RichText::new(row.name));
        match &row.control {
            Control::Switch { get, set } => {
                let mut on = get(now);
                let response = ui.checkbox(&mut on, "");
                response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, row.name));
                if response.changed() {
                    commands.push(set(on));
                }
            }
            Control::Choice { names, get, set } => {
                let (at, shown) = (get(now), row.control.value_text(now));
                let combo = ComboBox::from_id_salt(row.setting).selected_text(&shown).width(150.0).show_ui(ui, |ui| {
                    for (index, name) in names.iter().enumerate() {
                        if ui.selectable_label(index == at, *name).clicked() && index != at {
                            commands.push(set(index));
                        }
                    }
                });
                let text = format!("{}: {shown}", row.name);
                combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, text.as_str()));
            }
            Control::Percent { most, get, set } => {
                let mut percent = (get(now) * 100.0).round();
                let slider = ui.add(Slider::new(&mut percent, 0.0..=*most as f32).suffix(" %").integer());
                label(&slider, WidgetType::Slider);
                if slider.changed() {
                    commands.push(set(percent / 100.0));
                }
            }
            Control::PictureSize => {
                let shown = row.control.value_text(now);
                let set = |size| Command::Window(WindowCommand::SetPictureSize(size));
                let combo = ComboBox::from_id_salt(row.setting).selected_text(&shown).width(116.0).show_ui(ui, |ui| {
                    if ui.selectable_label(now.picture_size.is_none(), "same as view").clicked() {
                        commands.push(set(None));
                    }
                    for size in picture_draft::OFFERED_SIZES {
                        let name = format!("{} × {}", size[0], size[1]);
                        if ui.selectable_label(now.picture_size == Some(size), name).clicked() {
                            commands.push(set(Some(size)));
                        }
                    }
                });
                let text = format!("{}: {shown}", row.name);
                combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, text.as_str()));
                let hint = TextEdit::singleline(typed).hint_text("W × H").desired_width(76.0);
                let field = ui.add(hint).on_hover_text("Type a size and press Enter");
                label(&field, WidgetType::TextEdit);
                if field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    // What is no size is refused like one that cannot be.
                    commands.push(set(Some(picture_draft::parse_size(typed).unwrap_or_default())));
                    typed.clear();
                }
            }
            Control::PictureFolder => {
                let folder = row.control.value_text(now);
                let button = ui.add(Button::new(&folder).min_size(vec2(150.0, 24.0)).truncate());
                let text = format!("{}: {folder}", row.name);
                button.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, text.as_str()));
                if button.on_hover_text("Select a folder").clicked() {
                    commands.push(Command::Window(WindowCommand::AskPictureFolder));
                }
            }
            Control::Folders => {
                if ui.button(format!("{}  Add search folder…", icon::PLUS)).clicked() {
                    commands.push(Command::Library(LibraryCommand::SearchFolderDialog));
                }
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = format!("Reset “{}”", row.name);
            let can = !reset.is_empty();
            let button =
                ui.add_enabled_ui(can, |ui| theme::icon_button(ui, icon::ARROW_COUNTER_CLOCKWISE, &text)).inner;
            if button.clicked() {
                commands.extend(reset);
            }
            let default = format!("Default: {}", row.control.value_text(&Default::default()));
            ui.allocate_ui_with_layout(vec2(DEFAULT_WIDTH, ROW_HEIGHT), Layout::right_to_left(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(default).small().color(p.weak)).selectable(false).truncate());
            });
        });
    });
    if matches!(row.control, Control::Folders) {
        for folder in &now.folders {
            ui.horizontal(|ui| {
                ui.add_space(16.0);
                let path = folder.display().to_string();
                if theme::icon_button(ui, icon::X, &format!("Remove {path}")).clicked() {
                    commands.push(Command::Library(LibraryCommand::RemoveSearchFolder(folder.clone())));
                }
                ui.add(Label::new(path).truncate());
            });
        }
    }
}

/// Whether the window is to be closed.
fn foot(ui: &mut Ui, state: &State, is_typing: bool, commands: &mut Vec<Command>) -> bool {
    let p = theme::palette(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 32.0), Layout::right_to_left(Align::Center), |ui| {
        let text = RichText::new("Done").color(p.on_accent).strong();
        let done = ui.add(Button::new(text).fill(p.accent).min_size(vec2(104.0, 32.0))).clicked();
        let resets: Vec<Command> = ROWS.iter().flat_map(|row| row.control.reset(&state.core.settings)).collect();
        let can = !resets.is_empty() || !state.core.settings.keys.is_empty();
        let all = ui.add_enabled(can, Button::new("Reset all").min_size(vec2(104.0, 32.0)));
        if all.on_hover_text("Reset all settings and shortcuts to their defaults").clicked() {
            commands.extend(resets);
            commands.push(Command::Keys(KeyCommand::ResetAll));
        }
        done || (state.dialogs.key_change.is_none() && !is_typing && dialog::is_confirmed(ui))
    })
    .inner
}
