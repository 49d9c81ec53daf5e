//! What was looked for and not found, in the corner of a model: which textures, where they were looked for, and what to do.

use crate::ui::{
    command::{Command, LibraryCommand, ModelCommand},
    state::{EmptySlot, State},
    theme::{self, Palette},
    widgets::numbers::counted,
};
use egui::{Button, Label, Popup, PopupCloseBehavior, Rect, RichText, ScrollArea, Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// Room for the axes at the left, in points.
const AXES: f32 = 92.0;

const HEIGHT: f32 = 28.0;

const WIDTH: f32 = 380.0;

/// Sentences that are listed.
const MAX_SENTENCES: usize = 100;

pub fn show(ui: &mut Ui, rect: Rect, state: &State, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.model().filter(|shown| !shown.model.missing.is_empty()) else { return };
    let slots = state.stages.front.empty_slots();
    let empty = slots.iter().filter(|slot| slot.chosen.is_none()).count();
    let text = match (empty, slots.len()) {
        (0, 0) => format!("{} not found", counted(shown.model.missing.len(), "file")),
        (0, chosen) => format!("{} set manually", counted(chosen, "texture")),
        (empty, _) => format!("{} missing", counted(empty, "texture")),
    };
    let p = theme::palette(ui);
    let color = if empty > 0 { p.warning } else { p.text };
    let label = format!("{}  {text}  {}", if empty > 0 { icon::WARNING } else { icon::IMAGE }, icon::CARET_UP);
    // Over the switches where there is no room beside them.
    let lift = if rect.width() < 680.0 { 48.0 } else { 0.0 };
    let at = rect.left_bottom() + vec2(AXES, -8.0 - HEIGHT - lift);
    let area = Rect::from_min_size(at, vec2(240.0, HEIGHT));
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area));
    let button = Button::new(RichText::new(label).color(color)).fill(p.panel.gamma_multiply(0.88));
    let response = child.add(button.corner_radius(6));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, text.as_str()));
    Popup::menu(&response).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(WIDTH);
        if !slots.is_empty() {
            heading(ui, "Materials with missing textures", &p);
            ScrollArea::vertical().id_salt("slots").max_height(180.0).show(ui, |ui| {
                slots.iter().for_each(|slot| row(ui, slot, &p, commands));
            });
            ui.separator();
        }
        heading(ui, "Not found", &p);
        ScrollArea::vertical().id_salt("missing").max_height(120.0).show(ui, |ui| {
            ui.set_width(ui.available_width());
            for sentence in shown.model.missing.iter().take(MAX_SENTENCES) {
                ui.add(Label::new(RichText::new(sentence).small()).wrap());
            }
            let rest = shown.model.missing.len().saturating_sub(MAX_SENTENCES);
            if rest > 0 {
                ui.add(Label::new(RichText::new(format!("{rest} more in the log")).small().color(p.weak)));
            }
        });
        ui.separator();
        heading(ui, "Searched folders", &p);
        for folder in folders(state) {
            ui.add(Label::new(RichText::new(folder).small()).wrap());
        }
        ui.add_space(4.0);
        if ui.button(format!("{}  Add search folder…", icon::FOLDER_PLUS)).clicked() {
            commands.push(Command::Library(LibraryCommand::SearchFolderDialog));
            ui.close();
        }
    });
}

fn heading(ui: &mut Ui, text: &str, p: &Palette) {
    ui.label(RichText::new(text).small().color(p.weak));
}

fn row(ui: &mut Ui, slot: &EmptySlot, p: &Palette, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let name = if slot.name.is_empty() { format!("material {}", slot.material) } else { slot.name.clone() };
        let choose = ui.button("Select texture…");
        choose.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Select a texture for {name}")));
        if choose.clicked() {
            commands.push(Command::Model(ModelCommand::ChooseTexture(Some(slot.material))));
            ui.close();
        }
        ui.add(Label::new(&name).truncate());
        if let Some(chosen) = &slot.chosen {
            ui.add(Label::new(RichText::new(chosen).small().color(p.weak)).truncate());
        }
    });
}

/// Where files beside the model's are looked for.
fn folders(state: &State) -> Vec<String> {
    let file = state.stages.front.content.subject().file().and_then(|file| state.core.file(file));
    let own = file.and_then(|file| file.path.parent()).map(|folder| match folder.as_os_str().is_empty() {
        true => "The working folder, its subfolders and neighbouring folders".to_owned(),
        false => format!("{}, its subfolders and neighbouring folders", folder.display()),
    });
    let named = state.core.settings.folders.iter().map(|folder| format!("{} and its subfolders", folder.display()));
    own.into_iter().chain(named).collect()
}
