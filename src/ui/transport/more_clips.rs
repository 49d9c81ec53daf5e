//! The way from the clips of a model to those of the collection.

use crate::ui::{
    command::{CollectionCommand, Command},
    theme,
};
use egui::{Ui, WidgetInfo, WidgetType, vec2};
use egui_phosphor::regular as icon;

/// The item that asks the collection which of its clips fit the model on the stage.
pub fn show(ui: &mut Ui, commands: &mut Vec<Command>) {
    let text = format!("{}  More clips in the collection…", icon::STACK);
    let row = egui::Button::selectable(false, text).min_size(vec2(0.0, theme::ROW));
    let row = ui.add(row).on_hover_text("Clips in the collection that fit this model");
    row.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "More clips in the collection"));
    if row.clicked() {
        commands.push(Command::Collection(CollectionCommand::ShowFits(None)));
        ui.close();
    }
}
