//! What a level says of itself, and its picture.

use crate::{
    scene::MapCard,
    ui::{
        state::LevelStage,
        theme::{self, Palette},
    },
};
use egui::{Align2, CollapsingHeader, FontId, Rect, RichText, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2};

/// Width of the cards, in points.
pub const WIDTH: f32 = 208.0;

/// At the top right; folds away.
pub fn show(ui: &mut Ui, rect: Rect, shown: &LevelStage, p: &Palette) {
    let MapCard { title, author, facts, screenshot } = &shown.map.card;
    if title.is_empty() && author.is_empty() && facts.is_empty() && screenshot.is_none() {
        return;
    }
    if rect.width() < WIDTH * 2.0 + 40.0 {
        return;
    }
    let area =
        Rect::from_min_max(rect.right_top() + vec2(-WIDTH - 8.0, 8.0), pos2(rect.right() - 8.0, rect.bottom() - 60.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area));
    egui::Frame::new().fill(p.panel.gamma_multiply(0.92)).corner_radius(6).inner_margin(8).show(&mut child, |ui| {
        ui.set_width(area.width() - 16.0);
        // In a small view, the card covers most of the level.
        let is_wide = rect.width() >= WIDTH * 3.0;
        let name = if title.is_empty() { &shown.map.name } else { title };
        let header =
            CollapsingHeader::new(RichText::new(name).color(p.strong)).id_salt("level card").default_open(is_wide);
        header.show_unindented(ui, |ui| {
            ui.add_space(4.0);
            egui::ScrollArea::vertical().max_height(area.height() - 48.0).show(ui, |ui| {
                if let Some(texture) = screenshot_of(ui, shown) {
                    let width = ui.available_width();
                    let size = texture.size_vec2();
                    let size = size * (width / size.x.max(1.0)).min(128.0 / size.y.max(1.0));
                    let picture = egui::Image::new((texture.id(), size)).corner_radius(4);
                    ui.vertical_centered(|ui| {
                        let response = ui.add(picture);
                        response
                            .widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, "Screenshot of the level"));
                    });
                    ui.add_space(4.0);
                }
                let by = (!author.is_empty()).then(|| ("Author".to_owned(), author.clone()));
                for (name, value) in by.iter().chain(facts) {
                    fact(ui, p, name, value);
                }
            });
        });
    });
}

/// A name over or beside its value.
fn fact(ui: &mut Ui, p: &Palette, name: &str, value: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let (rect, _) = ui.allocate_exact_size(vec2(72.0, 14.0), egui::Sense::hover());
        let small = FontId::proportional(theme::SMALL);
        ui.painter_at(rect).text(rect.left_top(), Align2::LEFT_TOP, name, small, p.weak);
        ui.add(egui::Label::new(RichText::new(value).small()).wrap());
    });
}

/// The screenshot on the window's device; kept for as long as its level is shown.
fn screenshot_of(ui: &Ui, shown: &LevelStage) -> Option<egui::TextureHandle> {
    let image = shown.map.card.screenshot.as_ref()?;
    let id = egui::Id::new("level screenshot");
    let kept: Option<(u64, egui::TextureHandle)> = ui.data(|d| d.get_temp(id));
    if let Some((generation, texture)) = kept
        && generation == shown.generation
    {
        return Some(texture);
    }
    let size = [image.width as usize, image.height as usize];
    if image.width == 0 || image.height == 0 || image.rgba.len() != size[0] * size[1] * 4 {
        return None;
    }
    // The first colour of a palette is stored without cover; a picture of a level has no holes.
    let opaque: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &opaque);
    let texture = ui.ctx().load_texture("level screenshot", pixels, egui::TextureOptions::LINEAR);
    ui.data_mut(|d| d.insert_temp(id, (shown.generation, texture.clone())));
    Some(texture)
}
