//! The triangles of what is selected, as they lie in its texture: a card over the picture.

use crate::{
    scene::{Image, MaterialIndex, ModelPart, ModelPiece, UvLayout},
    ui::{
        command::{Command, ViewCommand},
        saved_view::ViewToggle,
        state::{ModelStage, State},
        theme::{self, Palette},
        widgets::numbers::{counted, grouped},
    },
};
use egui::{Align2, Color32, ColorImage, FontId, Rect, Sense, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};
use egui_phosphor::regular as icon;
use std::sync::Arc;

/// Side of the picture that is made, in pixels.
const SIDE: usize = 640;

/// Largest side of the card, in points, and as shares of the stage.
const MOST: f32 = 320.0;
const SHARES: Vec2 = vec2(0.4, 0.55);

/// Repeats of the texture that are shown beside it.
const REPEATS: f32 = 3.0;

const HEAD: f32 = 24.0;

/// What the picture was made for: the model, its textures, what of it, which set, at which level of detail.
#[derive(Clone, PartialEq)]
struct Wanted {
    generation: u64,
    textures: Option<u64>,
    part: ModelPart,
    set: u32,
    level: u32,
}

/// The picture that was made last.
#[derive(Clone)]
struct Made {
    wanted: Wanted,
    texture: TextureHandle,
    triangles: usize,
    is_cut: bool,
}

pub fn show(ui: &Ui, rect: Rect, state: &State, p: &Palette, commands: &mut Vec<Command>) {
    let id = ui.id().with("uv layout");
    let Some(shown) = state
        .stages
        .front
        .model()
        .filter(|shown| state.stages.front.view.options.uv_layout && shown.uv_set_count() > 0)
    else {
        ui.data_mut(|data| data.remove::<Made>(id));
        return;
    };
    let side = MOST.min(rect.width() * SHARES.x).min(rect.height() * SHARES.y).max(80.0);
    // Over the switches; the scene is at the left.
    let corner = pos2(rect.right() - 12.0 - side, rect.bottom() - 56.0 - side);
    let card = Rect::from_min_size(corner - vec2(0.0, HEAD), vec2(side, side + HEAD));
    // Nothing under it is clicked or dragged.
    let under = ui.interact(card, id.with("card"), Sense::click_and_drag());
    under.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, "UV layout"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(card.expand(4.0), 6.0, p.panel.gamma_multiply(0.95));
    let made = made(ui, id, state, shown);
    let picture = Rect::from_min_size(corner, Vec2::splat(side));
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(made.texture.id(), picture, whole, Color32::WHITE);

    let set = made.wanted.set + 1;
    let what = name_of(state, shown, made.wanted.part);
    let triangles = counted(made.triangles, "triangle");
    let cut = if made.is_cut { ", only some are drawn" } else { "" };
    let text = format!("{what}  ·  set {set} of {}  ·  {triangles}{cut}", grouped(shown.uv_set_count()));
    let font = FontId::proportional(theme::SMALL);
    let room = Rect::from_min_max(card.min, pos2(card.right() - 22.0, corner.y));
    let left = painter.with_clip_rect(room);
    left.text(room.left_center() + vec2(2.0, 0.0), Align2::LEFT_CENTER, &text, font.clone(), p.text);
    let close = Rect::from_center_size(pos2(card.right() - 10.0, card.top() + HEAD / 2.0), Vec2::splat(20.0));
    let response = ui.interact(close, id.with("close"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Close the UV layout"));
    let color = if response.hovered() { p.strong } else { p.weak };
    painter.text(close.center(), Align2::CENTER_CENTER, icon::X, font, color);
    if response.clicked() {
        commands.push(Command::View(ViewCommand::Toggle(ViewToggle::UvLayout)));
    }
}

/// What is unwrapped: the selected surfaces, or else those of the first material.
fn part_of(state: &State, shown: &ModelStage) -> ModelPart {
    match state.stages.front.selected_piece() {
        Some(ModelPiece::Surfaces(part)) => part,
        _ if shown.model.materials.is_empty() => ModelPart::default(),
        Some(ModelPiece::Joint(_)) | None => ModelPart { material: Some(MaterialIndex(0)), mesh: None },
    }
}

/// The picture, made anew when anything about it has changed.
fn made(ui: &Ui, id: egui::Id, state: &State, shown: &ModelStage) -> Made {
    let worn = shown.worn();
    let wanted = Wanted {
        generation: shown.generation,
        textures: worn.map(|(number, _)| number),
        part: part_of(state, shown),
        set: state.stages.front.shown_uv_set(),
        level: state.stages.front.view.options.level,
    };
    if let Some(made) = ui.data(|data| data.get_temp::<Made>(id)).filter(|made| made.wanted == wanted) {
        return made;
    }
    let model = worn.map_or(&shown.model, |(_, model)| model);
    let layout = UvLayout::of(model, wanted.part, wanted.set, wanted.level);
    let picture = drawn(image_of(model, wanted.part).map(|image| &**image), &layout, SIDE);
    let texture = ui.ctx().load_texture("uv layout", picture, TextureOptions::LINEAR);
    let made = Made { wanted, texture, triangles: layout.triangles, is_cut: layout.is_cut };
    ui.data_mut(|data| data.insert_temp(id, made.clone()));
    made
}

/// The texture of a part's material; of a mesh, that of its first surface.
fn image_of(model: &crate::scene::Model, part: ModelPart) -> Option<&Arc<Image>> {
    let of_mesh = || {
        let mesh = model.meshes.get(part.mesh?.as_usize())?;
        Some(MaterialIndex(mesh.surfaces.first()?.material))
    };
    let material = part.material.or_else(of_mesh)?;
    let image = model.materials.get(material.as_usize())?.basic().image?;
    model.images.get(image as usize)
}

fn name_of(state: &State, shown: &ModelStage, part: ModelPart) -> String {
    let name = state.stages.front.name_of_piece(ModelPiece::Surfaces(part)).filter(|name| !name.is_empty());
    name.unwrap_or(&shown.model.name).to_owned()
}

/// Edges over a texture that repeats, in a square picture; grey where there is no texture.
fn drawn(image: Option<&Image>, layout: &UvLayout, side: usize) -> ColorImage {
    let (low, high) = layout.extent(REPEATS);
    // The longer way fills the picture.
    let span = (high - low).max_element().max(1e-6);
    let low = (low + high) * 0.5 - span * 0.5;
    let mut pixels = vec![Color32::from_gray(58); side * side];
    let texel = |image: &Image, u: f32, v: f32| {
        if image.width == 0 || image.height == 0 {
            return None;
        }
        let at = |share: f32, size: u32| ((share.rem_euclid(1.0) * size as f32) as u32).min(size.saturating_sub(1));
        let index = (at(v, image.height) as usize * image.width as usize + at(u, image.width) as usize) * 4;
        let rgba = image.rgba.get(index..index + 4)?;
        Some(Color32::from_rgb(rgba[0], rgba[1], rgba[2]))
    };
    for (index, pixel) in pixels.iter_mut().enumerate() {
        let share = |step: usize| (step as f32 + 0.5) / side as f32 * span;
        let (u, v) = (low.x + share(index % side), low.y + share(index / side));
        if let Some(color) = image.and_then(|image| texel(image, u, v)) {
            // Repeats are darker than the texture itself.
            let is_own = (0.0..1.0).contains(&u) && (0.0..1.0).contains(&v);
            *pixel = if is_own { color } else { dimmed(color) };
        }
    }
    let place = |uv: glam::Vec2| (uv - low) / span * side as f32;
    for [from, to] in &layout.edges {
        let (from, to) = (place(*from), place(*to));
        let steps = (to - from).abs().max_element().ceil().clamp(1.0, side as f32 * 8.0) as usize;
        for step in 0..=steps {
            let at = from.lerp(to, step as f32 / steps as f32);
            if !at.is_finite() || at.x < 0.0 || at.y < 0.0 || at.x >= side as f32 || at.y >= side as f32 {
                continue;
            }
            if let Some(pixel) = pixels.get_mut(at.y as usize * side + at.x as usize) {
                // Seen over light and dark.
                let bright = u32::from(pixel.r()) + u32::from(pixel.g()) + u32::from(pixel.b()) > 420;
                let line = if bright { Color32::from_rgb(16, 60, 160) } else { Color32::from_rgb(120, 220, 255) };
                *pixel = pixel.lerp_to_gamma(line, 0.8);
            }
        }
    }
    ColorImage::new([side, side], pixels)
}

fn dimmed(color: Color32) -> Color32 {
    let [r, g, b] = [color.r(), color.g(), color.b()].map(|channel| (f32::from(channel) * 0.45) as u8);
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    fn layout(edges: &[[(f32, f32); 2]]) -> UvLayout {
        let vec = |(x, y): (f32, f32)| Vec2::new(x, y);
        let edges = edges.iter().map(|ends| ends.map(vec)).collect();
        UvLayout { edges, triangles: 0, is_cut: false }
    }

    fn image(texels: &[[u8; 4]], width: u32) -> Image {
        let height = texels.len() as u32 / width;
        let rgba: Vec<u8> = texels.concat();
        Image { name: "image".into(), width, height, rgba: rgba.into(), stored_as: "test".into() }
    }

    #[test]
    fn lines_lie_where_their_coordinates_say() {
        let red = image(&[[200, 0, 0, 255], [0, 0, 0, 255]], 2);
        let found = drawn(Some(&red), &layout(&[[(0.0, 0.55), (1.0, 0.55)]]), 20);
        let at = |x: usize, y: usize| found.pixels[y * 20 + x];
        // The left half is red, the right one black; the line is in the twelfth row.
        assert_eq!((at(3, 3), at(15, 3)), (Color32::from_rgb(200, 0, 0), Color32::BLACK));
        assert!((0..20).all(|x| at(x, 11) != at(x, 3) && at(x, 10) == at(x, 3)));
    }

    #[test]
    fn what_repeats_is_darker_and_anything_can_be_drawn() {
        let white = image(&[[255; 4]], 1);
        let found = drawn(Some(&white), &layout(&[[(0.5, 0.5), (1.9, 0.5)]]), 38);
        let at = |x: usize, y: usize| found.pixels[y * 38 + x];
        assert_eq!(at(5, 12), Color32::WHITE);
        assert!(at(30, 12).r() < 140, "{:?}", at(30, 12));
        let wild = layout(&[[(-1e30, 2.0), (1e30, f32::MAX)], [(0.0, 0.0), (0.0, 0.0)]]);
        assert_eq!(drawn(None, &wild, 8).pixels.len(), 64);
        let none = Image { width: 0, height: 0, ..image(&[[0; 4]], 1) };
        assert_eq!(drawn(Some(&none), &layout(&[]), 8).pixels[0], Color32::from_gray(58));
    }
}
