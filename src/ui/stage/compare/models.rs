//! Two models beside each other or over each other, with one camera.

use crate::{
    scene::Model,
    ui::{
        command::{CameraCommand, Command},
        compared_gpu::{ComparedLook, ComparedModels},
        stage::camera_mouse::orbit_mouse,
        theme,
    },
};
use egui::{Align2, Color32, FontId, Rect, Sense, TextureId, Ui, WidgetInfo, WidgetType, pos2, vec2};
use std::sync::Arc;

/// Between the two pictures, in points.
const GAP: f32 = 4.0;

/// What came of drawing: a picture for each, or one for both.
pub type Drawn = Result<Vec<TextureId>, String>;

/// Draws two models.
pub type DrawModels<'a> = dyn FnMut(&ComparedModels<'_>) -> Drawn + 'a;

/// How the two are looked at.
pub struct ModelsView {
    look: ComparedLook,
}

impl Default for ModelsView {
    fn default() -> Self {
        Self { look: ComparedLook::Beside }
    }
}

pub fn show(
    ui: &mut Ui,
    models: [&Arc<Model>; 2],
    names: [&str; 2],
    view: &mut ModelsView,
    height: f32,
    draw: &mut DrawModels<'_>,
    commands: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        for (name, look) in [("Side by side", ComparedLook::Beside), ("Overlay", ComparedLook::Over)] {
            if ui.selectable_label(view.look == look, name).clicked() {
                view.look = look;
            }
        }
        if view.look == ComparedLook::Over {
            for (name, tint) in names.into_iter().zip(ComparedLook::TINTS) {
                let [r, g, b] = tint.color();
                let (dot, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
                ui.painter().circle_filled(dot.center(), 5.0, Color32::from_rgb(r, g, b));
                ui.add(egui::Label::new(name).truncate());
            }
        }
    });
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let cells = match view.look {
        ComparedLook::Over => vec![rect],
        ComparedLook::Beside => {
            let width = ((rect.width() - GAP) / 2.0).max(1.0);
            let cell = |left: f32| Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
            vec![cell(rect.left()), cell(rect.left() + width + GAP)]
        }
    };
    let Some(first) = cells.first() else { return };
    let size = (first.size() * ui.ctx().pixels_per_point()).round().max(egui::Vec2::splat(1.0));
    let drawn = draw(&ComparedModels { models, look: view.look, size: (size.x as u32, size.y as u32) });
    for (at, cell) in cells.iter().enumerate() {
        let name = match view.look {
            ComparedLook::Over => "",
            ComparedLook::Beside => names.get(at).copied().unwrap_or_default(),
        };
        picture(ui, *cell, at, name, &drawn, commands);
    }
}

fn picture(ui: &mut Ui, cell: Rect, at: usize, name: &str, drawn: &Drawn, commands: &mut Vec<Command>) {
    let p = theme::palette(ui);
    let response = ui.interact(cell, ui.id().with(("compared model", at)), Sense::click_and_drag());
    let label = if at == 0 { "Model on the left" } else { "Model on the right" };
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, label));
    let painter = ui.painter_at(cell);
    match drawn.as_ref().map(|textures| textures.get(at)) {
        Ok(Some(texture)) => {
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(*texture, cell, uv, Color32::WHITE);
        }
        Ok(None) => {}
        Err(reason) => {
            painter.rect_filled(cell, 0.0, p.field);
            painter.text(cell.center(), Align2::CENTER_CENTER, reason, FontId::proportional(theme::BODY), p.weak);
        }
    }
    painter.text(cell.min + vec2(8.0, 6.0), Align2::LEFT_TOP, name, FontId::proportional(theme::SMALL), p.strong);
    orbit_mouse(ui, cell, &response, commands);
    if response.double_clicked() {
        commands.push(Command::Camera(CameraCommand::Frame));
    }
}
