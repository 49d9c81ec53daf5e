//! What is seen through a camera: the picture of a model, a level or a landscape, and what lies over it.

use crate::ui::{
    command::Command,
    stage::{landscape, level, model},
    state::State,
    theme,
};
use egui::{Align2, Color32, FontId, Rect, Sense, Ui, pos2};

/// Draws the viewport's contents: `picture` is what the renderer made of the scene for `rect`.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    picture: Result<egui::TextureId, String>,
    state: &State,
    commands: &mut Vec<Command>,
) {
    let p = theme::palette(ui);
    let response = ui.interact(rect, ui.id().with("viewport"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, "Viewport"));
    let painter = ui.painter_at(rect);
    match &picture {
        Ok(texture) => {
            // A landscape may be seen as in a mirror.
            let (from, to) =
                (state.stages.front.mirrored(glam::Vec2::ZERO), state.stages.front.mirrored(glam::Vec2::ONE));
            let uv = Rect { min: pos2(from.x, from.y), max: pos2(to.x, to.y) };
            painter.image(*texture, rect, uv, Color32::WHITE);
        }
        Err(reason) => {
            painter.rect_filled(rect, 0.0, p.field);
            painter.text(rect.center(), Align2::CENTER_CENTER, reason, FontId::proportional(theme::BODY), p.weak);
        }
    }
    // Each draws nothing where the stage shows something else.
    level::show(ui, rect, &response, state, commands);
    landscape::show(ui, rect, &response, state, commands);
    model::show(ui, rect, &response, state, commands);
}
