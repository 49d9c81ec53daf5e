//! The textures of a material: a small picture each, its name and what its header says.

use crate::{
    scene::Image,
    ui::{
        command::{Command, LibraryCommand, StageCommand},
        state::{Place, Thumbnail},
        theme,
        widgets::surface::card::TextureMap,
    },
};
use egui::{Align, Color32, ColorImage, Label, Layout, Rect, RichText, Sense, TextureHandle, TextureOptions, Ui, vec2};
use std::sync::Arc;

/// Side of a picture, in points.
const SIDE: f32 = 64.0;

pub fn show(ui: &mut Ui, maps: &[TextureMap], commands: &mut Vec<Command>) {
    for map in maps {
        ui.horizontal(|ui| {
            picture(ui, map);
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.horizontal(|ui| {
                    ui.label(RichText::new(format!("TEX{}", map.slot)).small().weak());
                    match map.place {
                        Some(place) => {
                            let link = ui.add(egui::Link::new(RichText::new(&map.name)));
                            if link.on_hover_text("Show this texture").clicked() {
                                commands.push(Command::Stage(StageCommand::Show(place)));
                            }
                        }
                        None => drop(ui.add(Label::new(&map.name).truncate())),
                    }
                    if map.animated {
                        ui.label(RichText::new("animated").small().weak());
                    }
                });
                ui.add(Label::new(RichText::new(&map.facts).small().weak()).wrap());
            });
        });
    }
    let missing: Vec<Place> = maps.iter().filter(|m| m.wanted).filter_map(|m| m.place).collect();
    if !missing.is_empty() {
        commands.push(Command::Library(LibraryCommand::WantThumbnails(missing)));
    }
}

fn picture(ui: &mut Ui, map: &TextureMap) {
    let (rect, _) = ui.allocate_exact_size(vec2(SIDE, SIDE), Sense::hover());
    let p = theme::palette(ui);
    ui.painter().rect_filled(rect, 4.0, p.field);
    let Some(thumbnail) = &map.thumbnail else { return };
    let texture = texture_of(ui, map.place, thumbnail);
    let pixels = vec2(thumbnail.image.width as f32, thumbnail.image.height as f32);
    let size = pixels * (SIDE / pixels.max_elem().max(1.0));
    let uv = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
    ui.painter().image(texture.id(), Rect::from_center_size(rect.center(), size), uv, Color32::WHITE);
}

/// A thumbnail on the window's device, kept for as long as it is the same.
fn texture_of(ui: &Ui, place: Option<Place>, thumbnail: &Thumbnail) -> TextureHandle {
    let id = egui::Id::new(("surface texture", place));
    let kept: Option<(Arc<Image>, TextureHandle)> = ui.data(|d| d.get_temp(id));
    if let Some((image, texture)) = kept
        && Arc::ptr_eq(&image, &thumbnail.image)
    {
        return texture;
    }
    let image = &thumbnail.image;
    let color = |p: &[u8]| match (p, thumbnail.uses_alpha) {
        (&[r, g, b, a], true) => Color32::from_rgba_unmultiplied(r, g, b, a),
        (&[r, g, b, _], false) => Color32::from_rgb(r, g, b),
        _ => Color32::TRANSPARENT,
    };
    let size = [image.width as usize, image.height as usize];
    let pixels = ColorImage::new(size, image.rgba.chunks_exact(4).map(color).collect());
    let texture = ui.ctx().load_texture("surface texture", pixels, TextureOptions::LINEAR);
    ui.data_mut(|d| d.insert_temp(id, (image.clone(), texture.clone())));
    texture
}
