//! Where images are drawn: zoomed about the cursor, moved by the hand, pixel by pixel.

use crate::{
    scene::Image,
    ui::{
        stage::image::tiles::{Pixels, Tiles},
        theme::{self, Palette},
    },
};
use egui::{
    Align2, Color32, ColorImage, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, Vec2, pos2, vec2,
};

/// Physical pixels of the screen for one pixel of an image, at least and at most.
const ZOOMS: std::ops::RangeInclusive<f32> = 1.0 / 64.0..=128.0;

/// A small picture is made at most this large when it is fitted.
const MAX_FIT: f32 = 16.0;

/// Room around a fitted picture, in points.
const MARGIN: f32 = 16.0;

/// From this size on a pixel under the cursor gets a frame, in points.
const FRAMED_PIXEL: f32 = 6.0;

/// Side of the squares behind what is transparent, in points.
const CHECK: f32 = 8.0;

/// An image to draw.
#[derive(Clone, Copy)]
pub struct CanvasImage<'a> {
    pub image: &'a Image,
    /// Changes whenever the pixels do.
    pub key: u64,
    /// How large it is drawn at 1:1, in pixels: a smaller mip is drawn as large as the first.
    pub size: (u32, u32),
    /// Said above it; empty says nothing.
    pub label: &'a str,
}

/// How images are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Red, green, blue, alpha.
    pub channels: [bool; 4],
    /// Transparent where the alpha says so.
    pub uses_alpha: bool,
    /// Three times three copies, to see the seams.
    pub tiled: bool,
    /// Values that are drawn from black to white; all without.
    pub range: Option<[u8; 2]>,
}

impl Look {
    /// What of the pixels is drawn, and the colour that it is multiplied with.
    fn pixels(&self) -> (Pixels, Color32) {
        let on: Vec<usize> = (0..4).filter(|i| self.channels[*i]).collect();
        if let [one] = on.as_slice() {
            return (Pixels::Channel(*one), Color32::WHITE);
        }
        let full = |index: usize| if self.channels[index] { 255 } else { 0 };
        let cut = self.uses_alpha && self.channels[3];
        (if cut { Pixels::Cut } else { Pixels::Opaque }, Color32::from_rgb(full(0), full(1), full(2)))
    }
}

/// A pixel under the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pixel {
    /// Which of the images.
    pub image: usize,
    pub x: u32,
    pub y: u32,
}

/// What became of a canvas in one frame.
pub struct Drawn {
    /// For a menu over it; `None` where nothing is drawn.
    pub response: Option<Response>,
    pub pixel: Option<Pixel>,
    /// Where each image is, the middle copy of a tiled one.
    pub places: Vec<Rect>,
}

/// What part of the images is seen, and their textures.
#[derive(Default)]
pub struct Canvas {
    /// Physical pixels for one pixel of an image; `None` fits them.
    zoom: Option<f32>,
    /// What lies in the middle, in pixels from the middle of the image.
    center: Vec2,
    /// What the zoom was in the last frame.
    last_zoom: f32,
    tiles: Tiles,
    checks: Option<(bool, TextureHandle)>,
}

impl Canvas {
    /// Another picture: fitted, nothing kept.
    pub fn reset(&mut self) {
        self.fit();
        self.tiles.clear();
    }

    /// The same picture with other pixels.
    pub fn forget_tiles(&mut self) {
        self.tiles.clear();
    }

    pub fn fit(&mut self) {
        (self.zoom, self.center) = (None, Vec2::ZERO);
    }

    pub fn one_to_one(&mut self) {
        (self.zoom, self.center) = (Some(1.0), Vec2::ZERO);
    }

    pub fn is_fitted(&self) -> bool {
        self.zoom.is_none()
    }

    /// Physical pixels of the screen for one of an image, as last drawn.
    pub fn zoom(&self) -> f32 {
        self.last_zoom
    }

    /// Nearer or farther, about the middle.
    pub fn zoom_by(&mut self, factor: f32) {
        self.zoom = Some((self.last_zoom * factor).clamp(*ZOOMS.start(), *ZOOMS.end()));
    }

    /// Draws images side by side in `rect`.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, images: &[CanvasImage<'_>], look: &Look) -> Drawn {
        let p = theme::palette(ui);
        ui.painter().rect_filled(rect, 0.0, p.base);
        self.tiles.begin();
        self.tiles.range = look.range;
        let response = ui.interact(rect, ui.id().with("canvas"), Sense::click_and_drag());
        let name = images.first().map_or("Image", |i| i.image.name.as_str());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Image, true, format!("Image {name}")));
        let width = rect.width() / images.len().max(1) as f32;
        let cells: Vec<Rect> = (0..images.len())
            .map(|i| Rect::from_min_size(pos2(rect.left() + width * i as f32, rect.top()), vec2(width, rect.height())))
            .collect();
        let (Some(first), Some(cell)) = (images.first(), cells.first()) else {
            return Drawn { response: None, pixel: None, places: Vec::new() };
        };
        let scale = ui.ctx().pixels_per_point();
        let copies = if look.tiled { 3.0 } else { 1.0 };
        let zoom = self.zoom.unwrap_or_else(|| fitted(cell.size() * scale, first.size, copies, MARGIN * scale));
        self.last_zoom = zoom;
        self.mouse(ui, &response, &cells, zoom / scale);
        let zoom = self.zoom.unwrap_or(zoom);
        let mut drawn = Drawn { response: None, pixel: None, places: Vec::with_capacity(images.len()) };
        let pointer = response.hover_pos().filter(|_| response.contains_pointer());
        for (index, (item, cell)) in images.iter().zip(&cells).enumerate() {
            let place = self.place(cell, item.size, zoom / scale, scale);
            drawn.places.push(place);
            self.image(ui, *cell, place, item, look);
            if let Some((x, y)) = pointer.filter(|at| cell.contains(*at)).and_then(|at| pixel_at(at, place, item, look))
            {
                drawn.pixel = Some(Pixel { image: index, x, y });
            }
        }
        if let Some(pixel) = drawn.pixel {
            self.frame_pixel(ui, &cells, &drawn.places, images, pixel, &p);
        }
        for pair in cells.windows(2) {
            ui.painter().vline(pair[1].left(), rect.y_range(), Stroke::new(1.0, p.line));
        }
        drawn.response = Some(response);
        drawn
    }

    /// Draws one more image where another one is, as far as `clip` goes.
    pub fn paint(&mut self, ui: &Ui, clip: Rect, place: Rect, item: &CanvasImage<'_>, look: &Look) {
        self.image(ui, clip, place, item, look);
    }

    fn mouse(&mut self, ui: &Ui, response: &Response, cells: &[Rect], points: f32) {
        let dragged = response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle);
        if dragged && response.drag_delta() != Vec2::ZERO {
            self.center -= response.drag_delta() / points;
            self.zoom.get_or_insert(self.last_zoom);
        }
        if let Some(at) = response.hover_pos().filter(|_| response.contains_pointer())
            && let Some(cell) = cells.iter().find(|cell| cell.contains(at))
        {
            let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
            let factor = (scroll * 0.004).exp() * pinch.max(0.01);
            if (factor - 1.0).abs() > 1e-4 {
                let zoom = (self.last_zoom * factor).clamp(*ZOOMS.start(), *ZOOMS.end());
                // What is under the cursor stays under it.
                let from_center = (at - cell.center()) / points;
                self.center += from_center * (1.0 - self.last_zoom / zoom);
                self.zoom = Some(zoom);
            }
        }
        if response.double_clicked() {
            if self.is_fitted() { self.one_to_one() } else { self.fit() }
        }
    }

    /// Where an image goes in its cell, on whole physical pixels.
    fn place(&self, cell: &Rect, size: (u32, u32), points: f32, scale: f32) -> Rect {
        let size = vec2(size.0 as f32, size.1 as f32) * points;
        let corner = cell.center() - self.center * points - size / 2.0;
        let whole = |x: f32| (x * scale).round() / scale;
        Rect::from_min_size(pos2(whole(corner.x), whole(corner.y)), size)
    }

    fn image(&mut self, ui: &Ui, cell: Rect, place: Rect, item: &CanvasImage<'_>, look: &Look) {
        let p = theme::palette(ui);
        let painter = ui.painter_at(cell);
        let (pixels, tint) = look.pixels();
        let around: i32 = i32::from(look.tiled);
        let all = place.expand2(place.size() * around as f32);
        if pixels == Pixels::Cut {
            let checks = self.checks(ui);
            let seen = all.intersect(cell);
            let uv = Rect::from_min_max(
                ((seen.min - all.min) / (CHECK * 2.0)).to_pos2(),
                ((seen.max - all.min) / (CHECK * 2.0)).to_pos2(),
            );
            if seen.is_positive() {
                painter.image(checks, seen, uv, Color32::WHITE);
            }
        }
        for row in -around..=around {
            for column in -around..=around {
                let place = place.translate(vec2(place.width() * column as f32, place.height() * row as f32));
                self.tiles.paint(&painter, item.image, item.key, place, pixels, tint);
            }
        }
        painter.rect_stroke(all, 0.0, Stroke::new(1.0, p.line), StrokeKind::Outside);
        if look.tiled {
            painter.rect_stroke(place, 0.0, Stroke::new(1.0, p.accent), StrokeKind::Outside);
        }
        if !item.label.is_empty() {
            let at = cell.min + vec2(12.0, 10.0);
            let galley = painter.layout_no_wrap(item.label.to_owned(), FontId::proportional(theme::SMALL), p.strong);
            let back = Rect::from_min_size(at, galley.size()).expand2(vec2(6.0, 3.0));
            painter.rect_filled(back, 4.0, p.panel.gamma_multiply(0.9));
            painter.galley(at, galley, p.strong);
        }
    }

    /// Two tones of grey that repeat.
    fn checks(&mut self, ui: &Ui) -> egui::TextureId {
        let dark = ui.visuals().dark_mode;
        if self.checks.as_ref().is_none_or(|(made_for, _)| *made_for != dark) {
            let tones = if dark { [0x2a, 0x38] } else { [0xd4, 0xe4] };
            let colors = [tones[0], tones[1], tones[1], tones[0]].map(Color32::from_gray);
            let texture = ui.ctx().load_texture(
                "checks",
                ColorImage::new([2, 2], colors.to_vec()),
                TextureOptions::NEAREST_REPEAT,
            );
            self.checks = Some((dark, texture));
        }
        self.checks.as_ref().map(|(_, texture)| texture.id()).unwrap_or_default()
    }

    /// A frame around the pixel under the cursor, on every image.
    fn frame_pixel(
        &self,
        ui: &Ui,
        cells: &[Rect],
        places: &[Rect],
        images: &[CanvasImage<'_>],
        pixel: Pixel,
        p: &Palette,
    ) {
        let Some(over) = images.get(pixel.image) else { return };
        for ((cell, place), item) in cells.iter().zip(places).zip(images) {
            let side = vec2(place.width() / item.image.width as f32, place.height() / item.image.height as f32);
            if side.x < FRAMED_PIXEL {
                continue;
            }
            // The same part of another mip or form.
            let x = u64::from(pixel.x) * u64::from(item.image.width) / u64::from(over.image.width.max(1));
            let y = u64::from(pixel.y) * u64::from(item.image.height) / u64::from(over.image.height.max(1));
            let corner = place.min + vec2(x as f32 * side.x, y as f32 * side.y);
            let rect = Rect::from_min_size(corner, side);
            let painter = ui.painter_at(*cell);
            painter.rect_stroke(rect, 0.0, Stroke::new(2.0, p.base), StrokeKind::Outside);
            painter.rect_stroke(rect, 0.0, Stroke::new(1.0, p.accent), StrokeKind::Outside);
        }
    }
}

/// The zoom at which a picture fits, in whole steps when it is made larger.
fn fitted(room: Vec2, size: (u32, u32), copies: f32, margin: f32) -> f32 {
    let room = (room - Vec2::splat(margin * 2.0)).max(Vec2::splat(8.0));
    let fit = (room.x / (size.0.max(1) as f32 * copies)).min(room.y / (size.1.max(1) as f32 * copies));
    if fit > 1.0 { fit.floor().min(MAX_FIT) } else { fit.max(*ZOOMS.start()) }
}

fn pixel_at(at: Pos2, place: Rect, item: &CanvasImage<'_>, look: &Look) -> Option<(u32, u32)> {
    if !place.is_positive() {
        return None;
    }
    let around = f32::from(u8::from(look.tiled));
    let from = (at - place.min) / place.size();
    if from.min_elem() < -around || from.max_elem() >= 1.0 + around {
        return None;
    }
    let (width, height) = (item.image.width, item.image.height);
    let x = (from.x.rem_euclid(1.0) * width as f32) as u32;
    let y = (from.y.rem_euclid(1.0) * height as f32) as u32;
    (width > 0 && height > 0).then(|| (x.min(width - 1), y.min(height - 1)))
}

/// A message in the middle of a canvas that has nothing to draw.
pub fn nothing(ui: &Ui, rect: Rect, sentence: &str) {
    let p = theme::palette(ui);
    ui.painter().rect_filled(rect, 0.0, p.base);
    let font = FontId::proportional(theme::BODY);
    ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, sentence, font, p.weak);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pictures_are_fitted_in_whole_steps_and_large_ones_whole() {
        assert_eq!(fitted(vec2(732.0, 532.0), (64, 64), 1.0, 16.0), 7.0);
        assert_eq!(fitted(vec2(732.0, 532.0), (4, 4), 1.0, 16.0), MAX_FIT);
        assert_eq!(fitted(vec2(732.0, 532.0), (1_400, 500), 1.0, 16.0), 0.5);
        assert_eq!(fitted(vec2(732.0, 532.0), (64, 64), 3.0, 16.0), 2.0);
        assert!(fitted(vec2(1.0, 1.0), (0, 0), 1.0, 16.0).is_finite());
    }

    #[test]
    fn one_channel_is_grey_and_alpha_cuts_only_when_both_say_so() {
        let look = |channels, uses_alpha| Look { channels, uses_alpha, tiled: false, range: None }.pixels();
        assert_eq!(look([true; 4], true), (Pixels::Cut, Color32::WHITE));
        assert_eq!(look([true; 4], false), (Pixels::Opaque, Color32::WHITE));
        assert_eq!(look([true, true, true, false], true), (Pixels::Opaque, Color32::WHITE));
        assert_eq!(look([true, false, true, true], true), (Pixels::Cut, Color32::from_rgb(255, 0, 255)));
        assert_eq!(look([false, false, true, false], true), (Pixels::Channel(2), Color32::WHITE));
        assert_eq!(look([false, false, false, true], false), (Pixels::Channel(3), Color32::WHITE));
    }

    #[test]
    fn the_pixel_under_the_cursor_is_that_of_the_copy_it_is_on() {
        let image =
            Image { name: String::new(), width: 4, height: 2, rgba: vec![0; 32].into(), stored_as: String::new() };
        let item = CanvasImage { image: &image, key: 1, size: (4, 2), label: "" };
        let place = Rect::from_min_size(pos2(100.0, 100.0), vec2(40.0, 20.0));
        let look = Look { channels: [true; 4], uses_alpha: false, tiled: false, range: None };
        assert_eq!(pixel_at(pos2(100.0, 100.0), place, &item, &look), Some((0, 0)));
        assert_eq!(pixel_at(pos2(139.9, 119.9), place, &item, &look), Some((3, 1)));
        assert_eq!(pixel_at(pos2(140.5, 110.0), place, &item, &look), None);
        let tiled = Look { tiled: true, ..look };
        assert_eq!(pixel_at(pos2(145.0, 95.0), place, &item, &tiled), Some((0, 1)));
        assert_eq!(pixel_at(pos2(181.0, 95.0), place, &item, &tiled), None);
    }
}
