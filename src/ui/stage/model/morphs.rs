//! A weight for each of the model's morphs, over the viewport.

use crate::ui::{
    command::{Command, ModelCommand},
    state::State,
    theme::Palette,
    widgets::rows::Rows,
};
use egui::{Align, Layout, Rect, RichText, Ui, pos2, vec2};
use egui_phosphor::regular as icon;

/// Widths in points.
const RAIL: f32 = 64.0;

const NUMBER: f32 = 56.0;

const SHORTEST_NAME: f32 = 64.0;

const LONGEST_NAME: f32 = 132.0;

const MARGIN: f32 = 8.0;

/// Height of a morph's row.
const ROW: f32 = 20.0;

pub const RESET: &str = "Reset morphs";

/// Room that the title at the left takes, in points.
const TITLE: f32 = 220.0;

const TITLE_HEIGHT: f32 = 44.0;

/// The morphs, folded away at the top right; only rows in sight are made.
pub fn show(ui: &mut Ui, rect: Rect, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let Some(shown) = state.stages.front.model() else { return };
    let names = shown.model.morph_names();
    if names.is_empty() {
        return;
    }
    let weights = &shown.playback.player.morph_weights;
    let any_set = weights.iter().any(|w| *w != 0.0);
    let column = name_column(ui, &names);
    let width = column + RAIL + NUMBER + 3.0 * ui.spacing().item_spacing.x + 2.0 * MARGIN;
    // Beside another stage there is no room at the side of the title.
    let top = if rect.width() < width + TITLE { MARGIN + TITLE_HEIGHT } else { MARGIN };
    let corner = rect.right_top() + vec2(-width - MARGIN, top);
    let area = Rect::from_min_max(corner, pos2(rect.right() - MARGIN, rect.bottom() - 60.0));
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area));
    let card = egui::Frame::new().fill(p.panel.gamma_multiply(0.9)).corner_radius(6).inner_margin(MARGIN);
    card.show(&mut child, |ui| {
        ui.set_width(area.width() - 2.0 * MARGIN);
        let header = egui::CollapsingHeader::new(format!("Morphs  {}", names.len())).show(ui, |ui| {
            let height = (area.height() - 48.0).max(ROW);
            let pitch = ROW + ui.spacing().item_spacing.y;
            Rows::new("morphs", names.len()).height(pitch).up_to(height).show(ui, |ui, row| {
                let weight = weights.get(row.index).copied().unwrap_or_default();
                show_row(ui, row.index, names[row.index], weight, column, p, commands);
            });
        });
        if any_set {
            // At the right end of the header's line.
            let line = header.header_response.rect;
            let right = area.right() - MARGIN;
            let place = Rect::from_min_max(pos2(right - 24.0, line.top()), pos2(right, line.bottom()));
            let layout = Layout::right_to_left(Align::Center);
            let mut corner = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(layout));
            let sign = RichText::new(icon::ARROW_COUNTER_CLOCKWISE).size(14.0);
            let reset = corner.add(egui::Button::new(sign).frame(false));
            reset.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, RESET));
            if reset.on_hover_text(RESET).clicked() {
                commands.push(Command::Model(ModelCommand::ResetMorphs));
            }
        }
    });
}

/// As wide as the longest name, within bounds.
fn name_column(ui: &Ui, names: &[&str]) -> f32 {
    let longest = names.iter().max_by_key(|name| name.len()).copied().unwrap_or_default();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(longest.to_owned(), font, egui::Color32::WHITE);
    text.size().x.ceil().clamp(SHORTEST_NAME, LONGEST_NAME)
}

fn show_row(ui: &mut Ui, index: usize, name: &str, set: f32, column: f32, p: &Palette, commands: &mut Vec<Command>) {
    let mut weight = set;
    // Names in a column of their own, the rail told apart from the card.
    ui.allocate_ui_with_layout(vec2(column, ROW), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(column);
        ui.add(egui::Label::new(name).truncate().selectable(false));
    });
    ui.spacing_mut().slider_width = RAIL;
    ui.spacing_mut().interact_size.y = 18.0;
    ui.visuals_mut().widgets.inactive.bg_fill = p.line;
    let slider = egui::Slider::new(&mut weight, 0.0..=1.0).fixed_decimals(2).trailing_fill(true);
    let response = ui.add(slider);
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(set), name));
    if response.double_clicked() {
        weight = 0.0;
    }
    if weight != set {
        commands.push(Command::Model(ModelCommand::SetMorph(index, weight)));
    }
}
