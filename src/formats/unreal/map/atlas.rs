//! Many small light maps on a few large pictures.

use super::lightmap::Baked;
use crate::scene::Image;
use std::sync::Arc;

/// Pixels of a page along one side, at most.
const LARGEST: u32 = 2048;
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
        let side = ((area as f64).sqrt() as u32).saturating_add(1).max(widest).next_power_of_two().min(LARGEST);
        let mut atlas = Self { pages: Vec::new(), patches: vec![None; maps.len()] };
        let mut pages: Vec<u32> = Vec::new();
        let (mut x, mut y, mut row_height) = (0_u32, 0_u32, 0_u32);
        for index in order {
            let Some(map) = maps.get(index).and_then(Option::as_ref) else { continue };
            let (width, height) = (padded(map.width), padded(map.height));
            if width > side || height > LARGEST {
                continue;
            }
            if x.saturating_add(width) > side {
                (x, y, row_height) = (0, y.saturating_add(row_height), 0);
            }
            if pages.is_empty() || y.saturating_add(height) > LARGEST {
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
