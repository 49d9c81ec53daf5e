//! What the ground shows as one picture: pictures that are laid over it, or the colours of its heights.

use super::Ground;
use crate::export::Notes;
use crate::scene::{HEIGHT_RAMP, HeightRange, Image, Terrain, TerrainPicture};
use glam::Vec2;
use rayon::prelude::*;
use std::sync::Arc;

/// Pictures that are looked at, as many as the window draws.
const MAX_PICTURES: usize = 64;
/// Pixels along a side of what is put together.
const MAX_SIDE: usize = 4096;

/// A picture over a rectangle of the ground, north up.
pub struct GroundPicture {
    pub image: Arc<Image>,
    /// South-west corner, east and north, in metres.
    offset: Vec2,
    /// East and north, in metres; more than zero.
    size: Vec2,
}

impl GroundPicture {
    /// The pictures that lie over the ground and are there, as one: itself where the topmost hides everything, otherwise all of them
    /// over the colours of heights. `None` without any.
    pub fn laid(terrain: &Terrain, ground: &Ground<'_>, notes: &mut Notes) -> Option<Self> {
        let laid: Vec<(&TerrainPicture, &Arc<Image>)> =
            terrain.pictures.iter().filter(|p| p.visible).filter_map(shown).take(MAX_PICTURES).collect();
        let extent = extent(ground);
        let (top, image) = laid.last()?;
        let covers = top.offset.max_element() <= 0.0 && (top.offset + top.size).cmpge(extent).all();
        if covers && top.transparency == 0 && !image.has_alpha() {
            return Some(Self { image: (*image).clone(), offset: top.offset, size: top.size });
        }
        let texels = |(picture, image): &(&TerrainPicture, &Arc<Image>)| {
            Vec2::new(image.width as f32, image.height as f32) / picture.size
        };
        let per_metre = laid.iter().map(texels).fold(Vec2::splat(1.0 / ground.cell as f32), Vec2::max);
        let wanted = (extent * per_metre).ceil();
        let picture = Self::put_together(terrain, ground, wanted, &laid);
        notes.push(format!(
            "ground images and height colours are combined into one image: {} × {} pixels",
            picture.image.width, picture.image.height
        ));
        Some(picture)
    }

    /// The colours of heights alone.
    pub fn of_heights(terrain: &Terrain, ground: &Ground<'_>) -> Self {
        let samples = Vec2::new(ground.columns as f32, ground.rows as f32);
        Self::put_together(terrain, ground, samples, &[])
    }

    fn put_together(
        terrain: &Terrain,
        ground: &Ground<'_>,
        pixels: Vec2,
        laid: &[(&TerrainPicture, &Arc<Image>)],
    ) -> Self {
        let size = extent(ground);
        // What is not a number is one pixel.
        let [width, height] = pixels.to_array().map(|side| (side as usize).clamp(1, MAX_SIDE));
        let [min, max] = ground.range().unwrap_or_default();
        let range = HeightRange { min, max, mean: 0.0, holes: 0 };
        let mut rgba = vec![255; width * height * 4];
        rgba.par_chunks_mut(width * 4).enumerate().for_each(|(row, line)| {
            let down = (row as f32 + 0.5) / height as f32;
            for (column, pixel) in line.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let place = Vec2::new((column as f32 + 0.5) / width as f32, 1.0 - down) * size;
                let height = terrain.grid.ground_at(place.x, place.y).unwrap_or(min);
                let mut color = HEIGHT_RAMP.color(height, &range).map(f32::from);
                for (picture, image) in laid {
                    let at = (place - picture.offset) / picture.size;
                    let Some([r, g, b, a]) = texel(image, Vec2::new(at.x, 1.0 - at.y)) else { continue };
                    let opacity = a / 255.0 * (1.0 - picture.transparency.min(100) as f32 / 100.0);
                    color = [0, 1, 2].map(|i| color[i] + ([r, g, b][i] - color[i]) * opacity);
                }
                let [r, g, b] = color.map(|channel| channel.round() as u8);
                *pixel = [r, g, b, 255];
            }
        });
        let image = Image {
            name: "Ground".to_owned(),
            width: width as u32,
            height: height as u32,
            rgba: rgba.into(),
            stored_as: String::new(),
        };
        Self { image: Arc::new(image), offset: Vec2::ZERO, size }
    }

    /// Where a place of the ground, in scene space, is in the picture; the north edge is at 0.
    pub fn uv(&self, [x, _, z]: [f32; 3]) -> Vec2 {
        let at = (Vec2::new(x, -z) - self.offset) / self.size;
        Vec2::new(at.x, 1.0 - at.y)
    }
}

/// Metres from the first samples to the last; more than zero.
fn extent(ground: &Ground<'_>) -> Vec2 {
    let sides = [ground.columns, ground.rows].map(|n| (n.saturating_sub(1).max(1) as f64 * ground.cell) as f32);
    Vec2::from(sides).max(Vec2::splat(f32::MIN_POSITIVE)).min(Vec2::splat(f32::MAX))
}

/// One that was found and lies somewhere.
fn shown(picture: &TerrainPicture) -> Option<(&TerrainPicture, &Arc<Image>)> {
    let image = picture.image.as_ref()?;
    let is_whole = image.rgba.len() as u64 == u64::from(image.width) * u64::from(image.height) * 4;
    let lies = picture.offset.is_finite() && picture.size.is_finite() && picture.size.min_element() > 0.0;
    (is_whole && !image.rgba.is_empty() && lies).then_some((picture, image))
}

/// The colour at a place of a picture, mixed of the four texels around it; `None` outside.
fn texel(image: &Image, at: Vec2) -> Option<[f32; 4]> {
    if !(0.0..=1.0).contains(&at.x) || !(0.0..=1.0).contains(&at.y) {
        return None;
    }
    let last = Vec2::new(image.width as f32 - 1.0, image.height as f32 - 1.0);
    let place = (at * (last + 1.0) - 0.5).clamp(Vec2::ZERO, last);
    let (low, share) = (place.floor(), place.fract());
    let high = (low + 1.0).min(last);
    let read = |x: f32, y: f32| -> Option<[f32; 4]> {
        let start = (y as usize * image.width as usize + x as usize) * 4;
        let texel = image.rgba.get(start..)?.first_chunk::<4>()?;
        Some(texel.map(f32::from))
    };
    let mix = |a: [f32; 4], b: [f32; 4], share: f32| [0, 1, 2, 3].map(|i| a[i] + (b[i] - a[i]) * share);
    let top = mix(read(low.x, low.y)?, read(high.x, low.y)?, share.x);
    let bottom = mix(read(low.x, high.y)?, read(high.x, high.y)?, share.x);
    Some(mix(top, bottom, share.y))
}
