//! Parts of the window and what their pixels say.

use image::RgbaImage;
use serde_json::Value;

/// Left, top, width, height of a named part of the window, in pixels from the window's corner.
pub fn rect(status: &Value, name: &str) -> (i64, i64, i64, i64) {
    let rect: Vec<i64> = status["rects"][name]
        .as_array()
        .unwrap_or_else(|| panic!("no rectangle of {name}: {status:#}"))
        .iter()
        .map(|v| v.as_f64().unwrap() as i64)
        .collect();
    (rect[0], rect[1], rect[2], rect[3])
}

/// Pixels of a rectangle that differ between two pictures.
pub fn differing(a: &RgbaImage, b: &RgbaImage, (left, top): (i64, i64), size: (i64, i64)) -> Vec<(i64, i64)> {
    let mut places = Vec::new();
    for y in 0..size.1 {
        for x in 0..size.0 {
            let (px, py) = ((left + x) as u32, (top + y) as u32);
            if a.get_pixel(px, py) != b.get_pixel(px, py) {
                places.push((x, y));
            }
        }
    }
    places
}

/// The share of a rectangle's pixels that are far from grey.
pub fn share_of_color(picture: &RgbaImage, (left, top): (i64, i64), size: (i64, i64)) -> f64 {
    let mut colored = 0;
    for y in top..top + size.1 {
        for x in left..left + size.0 {
            let [r, g, b, _] = picture.get_pixel(x as u32, y as u32).0;
            colored += u32::from(r.max(g).max(b) - r.min(g).min(b) > 40);
        }
    }
    f64::from(colored) / (size.0 * size.1) as f64
}

/// The share of pixels that are magenta, bright or in the shade: what a texture of that colour looks like in any light.
pub fn share_of_dropped_color(picture: &RgbaImage) -> f64 {
    let is_magenta = |[r, g, b, _]: [u8; 4]| r.min(b) > g.saturating_add(40) && r.abs_diff(b) < 40;
    let found = picture.pixels().filter(|pixel| is_magenta(pixel.0)).count();
    found as f64 / f64::from(picture.width() * picture.height())
}

/// The share of pixels that differ by more than rounding between two pictures; all of them when the sizes differ.
pub fn unlike(a: &RgbaImage, b: &RgbaImage) -> f64 {
    if a.dimensions() != b.dimensions() {
        return 1.0;
    }
    let differs = |a: &image::Rgba<u8>, b: &image::Rgba<u8>| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 8);
    let found = a.pixels().zip(b.pixels()).filter(|(a, b)| differs(a, b)).count();
    found as f64 / f64::from(a.width() * a.height())
}
