//! The object of a landscape that is selected, as its file has it.

use crate::ui::widgets::{
    diagnostic_card::card,
    put::{put, put_text},
    value_text,
};
use crate::{
    formats::{Children, Field},
    ui::{
        command::{CameraCommand, Command, SelectionCommand, TerrainCommand, with_keys},
        state::{Place, State},
    },
};
use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};
use egui_phosphor::regular as icon;

const ROW_HEIGHT: f32 = 18.0;

/// What the file says of one object.
pub struct SlotCard {
    /// Its place in the file's list.
    slot: u32,
    /// Its type's name and entry.
    kind: Option<(String, Option<Place>)>,
    /// Into [`crate::scene::Terrain::kinds`].
    kind_index: u32,
    row: Field,
}

/// The card of the selected object, read once for each.
#[derive(Default)]
pub struct SelectedSlot {
    made_for: Option<(u64, u32)>,
    card: Option<SlotCard>,
}

impl SelectedSlot {
    /// `None` unless one object is selected, and the entry that lists the objects.
    pub fn card(&mut self, state: &State, place: Place) -> Option<&SlotCard> {
        let shown = state.stages.front.landscape()?;
        let [prop] = state.stages.front.view.terrain.selected[..] else { return None };
        let wanted = Some((shown.generation, prop));
        if self.made_for != wanted {
            self.made_for = wanted;
            self.card = SlotCard::new(state, prop);
        }
        self.card.as_ref().filter(|_| state.stages.front.objects_entry(&state.core) == Some(place))
    }
}

impl SlotCard {
    fn new(state: &State, prop: u32) -> Option<Self> {
        let shown = state.stages.front.landscape()?;
        let row = state.stages.front.slot_of(&state.core, prop)?;
        let prop = shown.terrain.props.get(prop as usize)?;
        let kind = shown.terrain.kind_of(prop).map(|kind| {
            let entry = kind.source.map(crate::formats::EntryId::from);
            (super::prop_sign::name(kind), entry.map(|entry| Place { file: shown.place.file, entry }))
        });
        Some(Self { slot: prop.slot, kind, kind_index: prop.kind, row })
    }
}

/// Shows the fields of the object's row, and where its type is.
pub fn show(ui: &mut Ui, slot: &SlotCard, commands: &mut Vec<Command>) {
    card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.horizontal(|ui| {
            let title = RichText::new(format!("{}  Object {}", icon::CUBE, slot.slot)).strong();
            ui.add(Label::new(title).selectable(false));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let all = ui.add(egui::Button::new(icon::SELECTION_ALL).frame(false));
                all.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Select all of this type"));
                if all.on_hover_text("Select all of this type").clicked() {
                    commands.push(Command::Terrain(TerrainCommand::SelectKind(slot.kind_index)));
                }
                let focus = ui.add(egui::Button::new(icon::FRAME_CORNERS).frame(false));
                focus.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Focus object"));
                let frame = Command::Camera(CameraCommand::Frame);
                if focus.on_hover_text(with_keys(ui.ctx(), "Focus object", &frame)).clicked() {
                    commands.push(frame);
                }
            });
        });
        ui.add_space(2.0);
        if let Some((name, place)) = &slot.kind {
            row(ui, "Type", |ui| match place {
                Some(place) => {
                    if ui.link(name).on_hover_text("Go to type").clicked() {
                        commands.push(Command::Selection(SelectionCommand::Select(*place)));
                    }
                }
                None => {
                    ui.add(Label::new(name).truncate());
                }
            });
        }
        let Children::Fields(fields) = &slot.row.children else { return };
        for field in fields {
            let text = value_text::cell(field);
            if text.is_empty() && matches!(field.children, Children::None) {
                continue;
            }
            let response = row(ui, &field.name, |ui| {
                ui.add(Label::new(RichText::new(text.as_str()).monospace().size(11.0)).truncate());
            });
            let whole = value_text::whole(&field.value);
            response.on_hover_text(if whole.is_empty() { text } else { whole });
        }
    });
}

/// A name and what stands beside it.
fn row(ui: &mut Ui, name: &str, value: impl FnOnce(&mut Ui)) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let split = rect.left() + rect.width() * 0.42;
    let weak = ui.visuals().weak_text_color();
    let left = Rect::from_min_max(rect.min, pos2(split - 6.0, rect.bottom()));
    put_text(ui, left, Align::Min, weak, RichText::new(name));
    let right = Rect::from_min_max(pos2(split, rect.top()), rect.max);
    put(ui, right, Layout::left_to_right(Align::Center), value);
    response
}
