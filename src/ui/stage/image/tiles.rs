//! Textures of what is seen of an image: squares that are made when they come into sight, a few each frame, so that no picture
//! is too large for the device and none holds the window up.

use crate::scene::Image;
use egui::{Color32, ColorImage, Context, Painter, Rect, TextureFilter, TextureHandle, TextureOptions, pos2};
use std::collections::HashMap;

/// Side of a square, in texels.
const SIDE: u32 = 512;

/// Texels that are made in one frame before the rest waits for the next.
const TEXELS_A_FRAME: usize = 1 << 21;

/// Bytes of textures kept; beyond that those that are out of sight go.
const MAX_BYTES: usize = 64 << 20;

/// What of an image's pixels a texture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pixels {
    /// The colour, whatever the alpha says.
    Opaque,
    /// The colour, cut out by its alpha.
    Cut,
    /// One channel as grey.
    Channel(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    image: u64,
    pixels: Pixels,
    range: Option<[u8; 2]>,
    /// Pixels of the image that become one texel.
    step: u32,
    column: u32,
    row: u32,
}

struct Tile {
    texture: TextureHandle,
    used: u64,
}

/// The textures of the images on show.
#[derive(Default)]
pub struct Tiles {
    made: HashMap<Key, Tile>,
    /// Values that are drawn from black to white; all without.
    pub range: Option<[u8; 2]>,
    frame: u64,
    texels: usize,
}

impl Tiles {
    /// Begins a frame: what was out of sight in the last one may go.
    pub fn begin(&mut self) {
        let last = self.frame;
        let bytes: usize = self.made.values().map(|t| t.texture.byte_size()).sum();
        if bytes > MAX_BYTES {
            self.made.retain(|_, tile| tile.used == last);
        }
        self.frame += 1;
        self.texels = 0;
    }

    /// Lets go of everything.
    pub fn clear(&mut self) {
        self.made.clear();
    }

    /// Draws the part of an image that lies in the painter's clip. `place` is where the whole of it goes; `key` changes whenever
    /// its pixels do; `tint` is multiplied with its colours.
    pub fn paint(&mut self, painter: &Painter, image: &Image, key: u64, place: Rect, pixels: Pixels, tint: Color32) {
        if image.width == 0 || image.height == 0 || !place.is_positive() {
            return;
        }
        let scale = place.width() / image.width as f32 * painter.ctx().pixels_per_point();
        // Far away a texel stands for several pixels: never more than twice as many texels as there is room for.
        let step = (1.0 / scale.max(1e-6)).max(1.0).log2().floor().exp2().min(4096.0) as u32;
        let side = SIDE * step;
        let seen = painter.clip_rect().intersect(place);
        if !seen.is_positive() {
            return;
        }
        let columns = range(seen.left(), seen.right(), place.left(), place.width(), image.width, side);
        let rows = range(seen.top(), seen.bottom(), place.top(), place.height(), image.height, side);
        for row in rows {
            for column in columns.clone() {
                let (left, top) = (column * side, row * side);
                let (right, bottom) = ((left + side).min(image.width), (top + side).min(image.height));
                let at = |x: u32, y: u32| {
                    pos2(
                        place.left() + x as f32 / image.width as f32 * place.width(),
                        place.top() + y as f32 / image.height as f32 * place.height(),
                    )
                };
                let whole = Rect::from_min_max(at(left, top), at(right, bottom));
                let tile_key = Key { image: key, pixels, range: self.range, step, column, row };
                if let Some(texture) = self.texture(painter.ctx(), image, tile_key, [left, top, right, bottom]) {
                    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                    painter.image(texture, whole, uv, tint);
                }
            }
        }
    }

    fn texture(
        &mut self,
        ctx: &Context,
        image: &Image,
        key: Key,
        [left, top, right, bottom]: [u32; 4],
    ) -> Option<egui::TextureId> {
        if let Some(tile) = self.made.get_mut(&key) {
            tile.used = self.frame;
            return Some(tile.texture.id());
        }
        let size = [(right - left).div_ceil(key.step) as usize, (bottom - top).div_ceil(key.step) as usize];
        if self.texels > 0 && self.texels + size[0] * size[1] > TEXELS_A_FRAME {
            ctx.request_repaint();
            return None;
        }
        self.texels += size[0] * size[1];
        let mut colors = Vec::with_capacity(size[0] * size[1]);
        for y in (top..bottom).step_by(key.step as usize) {
            let line = (y as usize * image.width as usize + left as usize) * 4;
            let line = image.rgba.get(line..line + (right - left) as usize * 4).unwrap_or_default();
            colors.extend(
                line.chunks_exact(4).step_by(key.step as usize).map(|p| color(&stretched(p, key.range), key.pixels)),
            );
        }
        colors.resize(size[0] * size[1], Color32::TRANSPARENT);
        let options = TextureOptions {
            magnification: TextureFilter::Nearest,
            minification: TextureFilter::Linear,
            ..TextureOptions::NEAREST
        };
        let texture = ctx.load_texture("picture", ColorImage::new(size, colors), options);
        let id = texture.id();
        self.made.insert(key, Tile { texture, used: self.frame });
        Some(id)
    }
}

/// The squares that what is seen touches.
fn range(from: f32, to: f32, start: f32, length: f32, pixels: u32, side: u32) -> std::ops::Range<u32> {
    let at = |x: f32| ((x - start) / length * pixels as f32).clamp(0.0, pixels as f32);
    let first = at(from) as u32 / side;
    let last = (at(to).ceil() as u32).div_ceil(side).max(first + 1);
    first..last.min(pixels.div_ceil(side))
}

/// A pixel with the values of its colour stretched; its alpha stays.
fn stretched(pixel: &[u8], range: Option<[u8; 2]>) -> [u8; 4] {
    let &[r, g, b, a] = pixel else { return [0; 4] };
    let Some([low, high]) = range.filter(|[low, high]| low < high) else { return [r, g, b, a] };
    let (low, span) = (i32::from(low), i32::from(high) - i32::from(low));
    let stretch = |value: u8| (((i32::from(value) - low) * 255 + span / 2) / span).clamp(0, 255) as u8;
    [stretch(r), stretch(g), stretch(b), a]
}

fn color(pixel: &[u8], pixels: Pixels) -> Color32 {
    let &[r, g, b, a] = pixel else { return Color32::TRANSPARENT };
    match pixels {
        Pixels::Opaque => Color32::from_rgb(r, g, b),
        Pixels::Cut => Color32::from_rgba_unmultiplied(r, g, b, a),
        Pixels::Channel(index) => Color32::from_gray([r, g, b, a][index.min(3)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stretched_between_black_and_white() {
        let pixel = [100, 150, 200, 40];
        assert_eq!(stretched(&pixel, None), pixel);
        assert_eq!(stretched(&pixel, Some([100, 200])), [0, 128, 255, 40]);
        assert_eq!(stretched(&pixel, Some([150, 151])), [0, 0, 255, 40]);
        assert_eq!(stretched(&pixel, Some([9, 9])), pixel);
        assert_eq!(stretched(&[1], None), [0; 4]);
    }

    #[test]
    fn only_squares_in_sight_are_asked_for() {
        // An image of 2,000 pixels drawn from 100 to 1,100; 300 to 400 is seen: pixels 400 to 600.
        assert_eq!(range(300.0, 400.0, 100.0, 1_000.0, 2_000, 512), 0..2);
        assert_eq!(range(700.0, 720.0, 100.0, 1_000.0, 2_000, 512), 2..3);
        assert_eq!(range(0.0, 5_000.0, 100.0, 1_000.0, 2_000, 512), 0..4);
        assert_eq!(range(1_099.0, 1_100.0, 100.0, 1_000.0, 2_000, 512), 3..4);
    }

    #[test]
    fn pixels_become_what_is_asked_for() {
        let pixel = [10, 20, 30, 0];
        assert_eq!(color(&pixel, Pixels::Opaque), Color32::from_rgb(10, 20, 30));
        assert_eq!(color(&pixel, Pixels::Cut), Color32::TRANSPARENT);
        assert_eq!(color(&pixel, Pixels::Channel(1)), Color32::from_gray(20));
        assert_eq!(color(&pixel, Pixels::Channel(3)), Color32::from_gray(0));
    }
}
