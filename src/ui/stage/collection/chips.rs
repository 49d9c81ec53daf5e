//! Kinds of entries to choose from, each with how many of them were found, and how results are arranged.

use crate::ui::stage::collection::sections::{GROUPINGS, Grouping};
use crate::ui::{
    command::{CollectionCommand, Command},
    state::{KINDS, State},
    theme,
    widgets::numbers::grouped,
};
use egui::{ComboBox, Ui, WidgetInfo, WidgetType};
use egui_phosphor::regular as icon;

pub fn show(ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
    let (chosen, found) = (state.collection.search.kind, &state.collection.search.found);
    let p = theme::palette(ui);
    ui.horizontal_wrapped(|ui| {
        let kinds = KINDS.iter().enumerate().map(|(at, (name, kind))| (*name, Some(*kind), found.counts.get(at)));
        // Counts end with that of everything.
        for (name, kind, count) in std::iter::once(("All", None, found.counts.last())).chain(kinds) {
            let on = chosen == kind;
            let mut chip = egui::Button::new(name).selected(on);
            if let Some(count) = count {
                let color = if *count > 0 { p.accent } else { p.weak };
                chip = chip.right_text(theme::figures(grouped(count)).size(theme::SMALL).color(color));
            }
            let chip = ui.add(chip);
            chip.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, on, label(name, count)));
            if chip.clicked() && !on {
                commands.push(Command::Collection(CollectionCommand::SetKind(kind)));
            }
        }
    });
}

/// Rows or pictures, and what sections are made by; from the right end of a line to its left.
pub fn arrangement(ui: &mut Ui, state: &State, grouping: &mut Grouping, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let shown = state.collection.pictures.are_shown;
    for (sign, label, pictures) in [(icon::GRID_FOUR, "Grid view", true), (icon::LIST, "List view", false)] {
        if theme::icon_toggle(ui, sign, label, shown == pictures).clicked() {
            commands.push(Command::Collection(CollectionCommand::ShowPictures(pictures)));
        }
    }
    let text = GROUPINGS.iter().find(|(by, _)| by == grouping).map_or("", |(_, text)| text);
    let combo = ComboBox::from_id_salt("grouping").selected_text(format!("Group by: {text}")).width(148.0);
    let combo = combo.show_ui(ui, |ui| {
        for (by, text) in GROUPINGS {
            ui.selectable_value(grouping, by, text);
        }
    });
    combo.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, format!("Group by: {text}")));
}

fn label(name: &str, count: Option<&usize>) -> String {
    match count {
        Some(count) => format!("List: {name}, {}", grouped(count)),
        None => format!("List: {name}"),
    }
}
