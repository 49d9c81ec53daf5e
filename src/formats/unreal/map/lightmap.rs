//! The light that falls on one surface (formats/unreal.md §9.2): for each light of its list a bitmap of what it
//! reaches.
//!
//! Texel `i` of a light map lies at `Pan + i × Scale` texels of its surface. A texel is the surface's ambient light
//! and, for each light, its colour × the softened bit × what reaches the place with distance and angle
//! ([`Light::reaching`]), held below one. Bits are softened with the eight around them (weights 1 2 1, 2 4 2, 1 2 1,
//! the border repeated).

use super::{light::Light, model::LightMap};
use crate::scene::Image;
use glam::{Mat3, Vec2, Vec3};
use std::sync::Arc;

/// Texels of a light map along one side, at most.
const LARGEST: i32 = 1024;

/// The light on a surface: rows from the texture's top, red, green, blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baked {
    pub width: u32,
    pub height: u32,
    /// Empty where no light was worked out.
    pub rgb: Vec<[u8; 3]>,
}

/// Where a surface and its texture lie, in Unreal's space.
#[derive(Clone, Copy, Debug)]
pub struct TexturePlane {
    pub base: Vec3,
    pub normal: Vec3,
    /// Texels along the surface.
    pub texture_u: Vec3,
    pub texture_v: Vec3,
}

impl TexturePlane {
    /// Texels of the surface at a point, without its pan.
    pub fn texels(&self, point: Vec3) -> [f32; 2] {
        let offset = point - self.base;
        [offset.dot(self.texture_u), offset.dot(self.texture_v)]
    }

    /// Texture coordinates at a point: texels, with the pan, of the picture's size.
    pub fn uv(&self, point: Vec3, [pan_u, pan_v]: [i16; 2], [width, height]: [f32; 2]) -> Vec2 {
        let [u, v] = self.texels(point);
        Vec2::new((u + f32::from(pan_u)) / width, (v + f32::from(pan_v)) / height)
    }

    /// The point of the plane at these texels; the matrix is of [`TexturePlane::point_from_texels`].
    fn point(&self, matrix: &Mat3, u: f32, v: f32) -> Vec3 {
        self.base + *matrix * Vec3::new(u, v, 0.0)
    }

    /// `None` where the texture's axes do not span the plane.
    fn point_from_texels(&self) -> Option<Mat3> {
        let matrix = Mat3::from_cols(self.texture_u, self.texture_v, self.normal).transpose();
        let determinant = matrix.determinant();
        (determinant.is_finite() && determinant.abs() > 1e-12).then(|| matrix.inverse())
    }
}

/// The size of a light map; `None` for one that cannot be.
pub fn size(map: &LightMap) -> Option<[u32; 2]> {
    let [width, height] = map.size;
    let sound = (1..=LARGEST).contains(&width) && (1..=LARGEST).contains(&height);
    let scale = map.scale.iter().all(|s| s.is_finite() && *s != 0.0);
    let pan = map.pan.iter().all(|p| p.is_finite());
    (sound && scale && pan).then_some([width as u32, height as u32])
}

/// Where a point of the surface lies on its light map, in texels from the corner of the first.
pub fn texel(map: &LightMap, texels: [f32; 2]) -> [f32; 2] {
    let [u, v] = texels;
    let ([pan_u, pan_v, _], [scale_u, scale_v]) = (map.pan, map.scale);
    [(u - pan_u) / scale_u + 0.5, (v - pan_v) / scale_v + 0.5]
}

/// Works out the light on a surface. `lights` are those of its list in order, `None` for one that gives no light; `bits` all
/// bitmaps of the model. Bitmaps that lie outside count as unlit.
pub fn bake(
    map: &LightMap,
    plane: &TexturePlane,
    lights: &[Option<Light>],
    bits: &[u8],
    ambient: Vec3,
) -> Option<Baked> {
    let [width, height] = size(map)?;
    let matrix = plane.point_from_texels()?;
    let (columns, rows) = (width as usize, height as usize);
    let pitch = columns.div_ceil(8);
    let bytes = pitch.checked_mul(rows)?;
    let start = usize::try_from(map.data_offset).ok()?;
    let mut light_at = vec![ambient; columns.checked_mul(rows)?];
    for (number, light) in lights.iter().enumerate() {
        let Some(light) = light else { continue };
        let first = number.checked_mul(bytes).and_then(|o| o.checked_add(start));
        let Some(bitmap) = first.and_then(|first| bits.get(first..first.checked_add(bytes)?)) else { continue };
        let mut texels = light_at.iter_mut();
        for row in 0..rows {
            let v = map.pan[1] + row as f32 * map.scale[1];
            for column in 0..columns {
                let Some(texel) = texels.next() else { break };
                let lit = softened(bitmap, pitch, columns, rows, column, row);
                if lit > 0.0 {
                    let u = map.pan[0] + column as f32 * map.scale[0];
                    *texel += light.color * (lit * light.reaching(plane.point(&matrix, u, v), plane.normal));
                }
            }
        }
    }
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let rgb = light_at.iter().map(|c| c.to_array().map(byte)).collect();
    Some(Baked { width, height, rgb })
}

/// As [`bake`], of the same size and without its texels.
pub fn unlit(map: &LightMap, plane: &TexturePlane) -> Option<Baked> {
    let [width, height] = size(map)?;
    plane.point_from_texels()?;
    usize::try_from(map.data_offset).ok()?;
    Some(Baked { width, height, rgb: Vec::new() })
}

/// How much of a texel a light reaches, by its bit and those around it.
fn softened(bitmap: &[u8], pitch: usize, columns: usize, rows: usize, column: usize, row: usize) -> f32 {
    let around =
        |at: usize, count: usize| [at.saturating_sub(1), at, at.saturating_add(1).min(count.saturating_sub(1))];
    let mut sum = 0_u8;
    for (y, weight_y) in around(row, rows).into_iter().zip([1_u8, 2, 1]) {
        for (x, weight_x) in around(column, columns).into_iter().zip([1_u8, 2, 1]) {
            let byte = bitmap.get(y.saturating_mul(pitch).saturating_add(x / 8)).copied().unwrap_or(0);
            if byte & (1 << (x % 8)) != 0 {
                sum = sum.saturating_add(weight_x.saturating_mul(weight_y));
            }
        }
    }
    f32::from(sum) / 16.0
}

/// Pixels of a page along one side, at most.
const MAX_ATLAS: u32 = 2048;
/// Pixels around each patch that repeat its border, so that reading between texels never meets a neighbour.
const BORDER: u32 = 1;

/// Where a light map has its place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Patch {
    /// Into [`Atlas::pages`].
    pub page: u32,
    /// Pixels of the page to the light map's own first texel.
    pub x: u32,
    pub y: u32,
}

/// The pages and what is where on them.
#[derive(Clone, Debug, Default)]
pub struct Atlas {
    pub pages: Vec<Arc<Image>>,
    /// One for each light map; `None` where there was none.
    pub patches: Vec<Option<Patch>>,
}

impl Atlas {
    /// Lays out light maps in rows, the highest first.
    pub fn of(maps: &[Option<Baked>]) -> Self {
        let padded = |size: u32| size.saturating_add(2_u32.saturating_mul(BORDER));
        let mut order: Vec<usize> = (0..maps.len()).collect();
        let height = |index: &usize| maps.get(*index).and_then(Option::as_ref).map_or(0, |m| m.height);
        order.sort_by_key(|index| std::cmp::Reverse(height(index)));
        let area: u64 =
            maps.iter().flatten().map(|m| u64::from(padded(m.width)).saturating_mul(u64::from(padded(m.height)))).sum();
        let widest = maps.iter().flatten().map(|m| padded(m.width)).max().unwrap_or(1);
        let side = ((area as f64).sqrt() as u32).saturating_add(1).max(widest).next_power_of_two().min(MAX_ATLAS);
        let mut atlas = Self { pages: Vec::new(), patches: vec![None; maps.len()] };
        let mut pages: Vec<u32> = Vec::new();
        let (mut x, mut y, mut row_height) = (0_u32, 0_u32, 0_u32);
        for index in order {
            let Some(map) = maps.get(index).and_then(Option::as_ref) else { continue };
            let (width, height) = (padded(map.width), padded(map.height));
            if width > side || height > MAX_ATLAS {
                continue;
            }
            if x.saturating_add(width) > side {
                (x, y, row_height) = (0, y.saturating_add(row_height), 0);
            }
            if pages.is_empty() || y.saturating_add(height) > MAX_ATLAS {
                pages.push(0);
                (x, y, row_height) = (0, 0, 0);
            }
            let page = pages.len().saturating_sub(1);
            let patch = Patch { page: page as u32, x: x.saturating_add(BORDER), y: y.saturating_add(BORDER) };
            if let Some(slot) = atlas.patches.get_mut(index) {
                *slot = Some(patch);
            }
            x = x.saturating_add(width);
            row_height = row_height.max(height);
            if let Some(used) = pages.get_mut(page) {
                *used = (*used).max(y.saturating_add(row_height));
            }
        }
        let is_lit = maps.iter().flatten().any(|map| !map.rgb.is_empty());
        for (number, used) in pages.into_iter().enumerate() {
            let height = used.max(1);
            let pixels = if is_lit { (side as usize).saturating_mul(height as usize) } else { 0 };
            let mut rgba = vec![0_u8; pixels.saturating_mul(4)];
            for (map, patch) in maps.iter().zip(&atlas.patches).filter(|_| is_lit) {
                if let (Some(map), Some(patch)) = (map, patch)
                    && patch.page as usize == number
                {
                    draw(&mut rgba, side, map, patch);
                }
            }
            let name = format!("light map atlas {number}");
            let stored_as = "light maps".to_owned();
            atlas.pages.push(Arc::new(Image { name, width: side, height, rgba: rgba.into(), stored_as }));
        }
        atlas
    }

    /// Texture coordinates of a place on a light map, given in its own texels.
    pub fn uv(&self, patch: &Patch, [x, y]: [f32; 2]) -> [f32; 2] {
        let Some(page) = self.pages.get(patch.page as usize) else { return [0.0; 2] };
        [(patch.x as f32 + x) / page.width as f32, (patch.y as f32 + y) / page.height as f32]
    }
}

/// Draws a light map with its border repeated around it.
fn draw(rgba: &mut [u8], side: u32, map: &Baked, patch: &Patch) {
    let (width, height) = (i64::from(map.width), i64::from(map.height));
    let border = i64::from(BORDER);
    for y in border.saturating_neg()..height.saturating_add(border) {
        for x in border.saturating_neg()..width.saturating_add(border) {
            let inside = y.clamp(0, height.saturating_sub(1)).saturating_mul(width);
            let from = inside.saturating_add(x.clamp(0, width.saturating_sub(1)));
            let row = i64::from(patch.y).saturating_add(y).saturating_mul(i64::from(side));
            let to = row.saturating_add(i64::from(patch.x)).saturating_add(x).saturating_mul(4);
            let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else { continue };
            if let (Some([r, g, b]), Some(pixel)) = (map.rgb.get(from), rgba.get_mut(to..to.saturating_add(4))) {
                pixel.copy_from_slice(&[*r, *g, *b, 255]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::unreal::map::light::{Spread, color};

    /// A floor in the plane z = 0 of 4 × 4 light map texels, 32 units apart, one light straight above its texel (1, 1).
    fn floor() -> (LightMap, TexturePlane, Light) {
        let map = LightMap { data_offset: 1, pan: [0.0; 3], size: [4, 4], scale: [32.0; 2], first_light: 0 };
        let plane = TexturePlane { base: Vec3::ZERO, normal: Vec3::Z, texture_u: Vec3::X, texture_v: Vec3::Y };
        let light = Light {
            location: Vec3::new(32.0, 32.0, 800.0),
            color: color(0, 255, 255),
            radius: 1600.0,
            spread: Spread::All,
        };
        (map, plane, light)
    }

    #[test]
    fn a_lit_texel_is_what_hand_arithmetic_says() {
        let (map, plane, light) = floor();
        // A byte before the bitmap, which the offset leaves out; then all lit.
        let bits = [0, 0xF, 0xF, 0xF, 0xF];
        let baked = bake(&map, &plane, &[Some(light)], &bits, Vec3::ZERO).unwrap();
        // White of 255 is 0.8213; half way, straight below: × 0.5 = 0.41065, × 255 = 104.7.
        assert_eq!(baked.rgb[5], [105; 3]);
        // With ambient light of 0.1 it is 130.2.
        let ambient = bake(&map, &plane, &[Some(light)], &bits, Vec3::splat(0.1)).unwrap();
        assert_eq!(ambient.rgb[5], [130; 3]);
        // Held below one.
        let many = bake(&map, &plane, &[Some(light)], &bits, Vec3::splat(0.9)).unwrap();
        assert_eq!(many.rgb[5], [255; 3]);
    }

    #[test]
    fn shadows_are_where_bits_are_clear_with_soft_edges() {
        let (map, plane, light) = floor();
        // The two columns on the left are lit: bits 0 and 1.
        let bits = [0, 3, 3, 3, 3];
        let full = bake(&map, &plane, &[Some(light)], &[0, 0xF, 0xF, 0xF, 0xF], Vec3::ZERO).unwrap();
        let half = bake(&map, &plane, &[Some(light)], &bits, Vec3::ZERO).unwrap();
        assert_eq!(half.rgb[4], full.rgb[4]);
        assert_eq!(half.rgb[7], [0; 3]);
        // At the edge three quarters and one quarter.
        assert!(f32::from(half.rgb[5][0]) / f32::from(full.rgb[5][0]) - 0.75 < 0.01);
        assert!((f32::from(half.rgb[6][0]) / f32::from(full.rgb[6][0]) - 0.25).abs() < 0.01);
    }

    #[test]
    fn each_light_has_its_own_bitmap_and_one_that_is_out_keeps_its_place() {
        let (map, plane, light) = floor();
        let bits = [0, 0xF, 0xF, 0xF, 0xF, 0, 0, 0, 0, 0xF, 0xF, 0xF, 0xF];
        let red = Light { color: Vec3::new(1.0, 0.0, 0.0), ..light };
        let baked = bake(&map, &plane, &[None, Some(light), Some(red)], &bits, Vec3::ZERO).unwrap();
        assert_eq!(baked.rgb[5], [128, 0, 0]);
    }

    #[test]
    fn damage_is_dark_or_nothing() {
        let (map, plane, light) = floor();
        let short = bake(&map, &plane, &[Some(light)], &[0, 0xF], Vec3::ZERO).unwrap();
        assert!(short.rgb.iter().all(|c| *c == [0; 3]));
        let huge = LightMap { size: [i32::MAX, i32::MAX], ..map };
        assert_eq!(bake(&huge, &plane, &[], &[], Vec3::ZERO), None);
        assert_eq!(size(&LightMap { scale: [f32::NAN, 1.0], ..map }), None);
        let flat = TexturePlane { texture_v: Vec3::X, ..plane };
        assert_eq!(bake(&map, &flat, &[], &[], Vec3::ZERO), None);
    }

    fn map(width: u32, height: u32, value: u8) -> Option<Baked> {
        Some(Baked { width, height, rgb: vec![[value; 3]; (width * height) as usize] })
    }

    #[test]
    fn patches_do_not_meet_and_have_a_border_of_their_own() {
        let maps: Vec<Option<Baked>> = (0..200).map(|i| map(1 + i % 13, 1 + i % 7, i as u8 + 1)).collect();
        let atlas = Atlas::of(&maps);
        assert_eq!(atlas.pages.len(), 1);
        let page = &atlas.pages[0];
        for (map, patch) in maps.iter().zip(&atlas.patches) {
            let (map, patch) = (map.as_ref().unwrap(), patch.unwrap());
            for y in patch.y - 1..patch.y + map.height + 1 {
                for x in patch.x - 1..patch.x + map.width + 1 {
                    assert_eq!(page.rgba[((y * page.width + x) * 4) as usize], map.rgb[0][0]);
                }
            }
        }
    }

    #[test]
    fn what_one_page_cannot_hold_goes_on_the_next() {
        let maps = vec![map(1000, 1000, 1); 9];
        let atlas = Atlas::of(&maps);
        assert_eq!(atlas.pages.len(), 3);
        assert!(atlas.pages.iter().all(|p| p.width <= 2048 && p.height <= 2048));
        assert!(atlas.patches.iter().all(Option::is_some));
    }

    #[test]
    fn the_middle_of_a_texel_is_read_at_its_middle() {
        let atlas = Atlas::of(&[map(2, 2, 9), None]);
        assert_eq!(atlas.patches[1], None);
        let patch = atlas.patches[0].unwrap();
        let page = &atlas.pages[0];
        let [u, v] = atlas.uv(&patch, [1.5, 0.5]);
        assert_eq!((u * page.width as f32, v * page.height as f32), (2.5, 1.5));
        assert!(Atlas::of(&[]).pages.is_empty());
    }
}
