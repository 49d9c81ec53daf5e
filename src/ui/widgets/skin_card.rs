//! A material with one texture: what it looks like, and what to do about it.

use crate::{
    scene::{Image, MaterialIndex},
    ui::{
        command::{Command, ModelCommand},
        theme,
        widgets::diagnostic_card::card,
    },
};
use egui::{Align, Color32, ColorImage, Label, Layout, Rect, RichText, Sense, TextureHandle, TextureOptions, Ui, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// Side of the picture, in points.
const SIDE: f32 = 72.0;

/// Longest side of what is put on the device for it, in pixels.
const MAX_SIDE: u32 = 256;

/// A material of the model on show.
pub struct SkinCard {
    pub material: MaterialIndex,
    pub name: String,
    /// What it looks like; `None` for one without a texture.
    pub image: Option<Arc<Image>>,
    /// A person has put it there.
    pub chosen: bool,
}

pub fn show(ui: &mut Ui, skin: &SkinCard, commands: &mut Vec<Command>) {
    card(ui, |ui| {
        ui.horizontal(|ui| {
            picture(ui, skin);
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.add(Label::new(RichText::new(&skin.name).strong()).truncate());
                let facts = match &skin.image {
                    Some(image) => {
                        let by_hand = if skin.chosen { "  ·  replaced" } else { "" };
                        format!("{}\n{} × {}  ·  {}{by_hand}", image.name, image.width, image.height, image.stored_as)
                    }
                    None => "No texture".to_owned(),
                };
                ui.add(Label::new(RichText::new(facts).small().weak()).wrap());
            });
        });
        ui.horizontal_wrapped(|ui| {
            let open = egui::Button::new(format!("{}  Open image", icon::IMAGE));
            if ui.add_enabled(skin.image.is_some(), open).clicked() {
                commands.push(Command::Model(ModelCommand::OpenTexture(skin.material)));
            }
            if ui.button(format!("{}  Select texture…", icon::PAINT_BUCKET)).clicked() {
                commands.push(Command::Model(ModelCommand::ChooseTexture(Some(skin.material))));
            }
        });
    });
}

fn picture(ui: &mut Ui, skin: &SkinCard) {
    let (rect, _) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::hover());
    let p = theme::palette(ui);
    ui.painter().rect_filled(rect, 4.0, p.field);
    let Some(image) = &skin.image else {
        let font = egui::FontId::proportional(24.0);
        ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, icon::IMAGE_BROKEN, font, p.weak);
        return;
    };
    let texture = texture_of(ui, image);
    let pixels = vec2(image.width as f32, image.height as f32);
    let size = pixels * (SIDE / pixels.max_elem().max(1.0));
    let uv = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
    ui.painter().image(texture.id(), Rect::from_center_size(rect.center(), size), uv, Color32::WHITE);
}

/// The image on the window's device, every so many pixels of it, kept for as long as it is the same.
fn texture_of(ui: &Ui, image: &Arc<Image>) -> TextureHandle {
    let id = egui::Id::new("skin card");
    let kept: Option<(Arc<Image>, TextureHandle)> = ui.data(|d| d.get_temp(id));
    if let Some((known, texture)) = kept
        && Arc::ptr_eq(&known, image)
    {
        return texture;
    }
    let step = image.width.max(image.height).div_ceil(MAX_SIDE).max(1) as usize;
    let row_bytes = (image.width as usize * 4).max(4);
    let rows = image.rgba.chunks_exact(row_bytes).step_by(step);
    let pixel = |p: &[u8]| match p {
        &[r, g, b, _] => Color32::from_rgb(r, g, b),
        _ => Color32::TRANSPARENT,
    };
    let colors: Vec<Color32> = rows.flat_map(|row| row.chunks_exact(4).step_by(step).map(pixel)).collect();
    let size = [(image.width as usize).div_ceil(step), (image.height as usize).div_ceil(step)];
    let colors = if colors.len() == size[0] * size[1] { colors } else { vec![Color32::TRANSPARENT; size[0] * size[1]] };
    let texture = ui.ctx().load_texture("skin card", ColorImage::new(size, colors), TextureOptions::LINEAR);
    ui.data_mut(|d| d.insert_temp(id, (image.clone(), texture.clone())));
    texture
}
