//! Pictures made smaller.

use crate::scene::Image;

/// The picture as large as fits into a box of so many pixels, each pixel the mean of those it stands for; a smaller one as it is.
/// Without `uses_alpha` as if every pixel were opaque.
pub fn reduced(image: &Image, (box_width, box_height): (u32, u32), uses_alpha: bool) -> Image {
    if image.width <= box_width && image.height <= box_height {
        return image.clone();
    }
    // The side that sets the scale, and what it becomes.
    let is_wide = u64::from(image.width) * u64::from(box_height) >= u64::from(image.height) * u64::from(box_width);
    let (whole, small) = if is_wide { (image.width, box_width) } else { (image.height, box_height) };
    let side = |length: u32| (u64::from(length) * u64::from(small) / u64::from(whole.max(1))).max(1) as u32;
    let (width, height) = (side(image.width), side(image.height));
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    let span = |at: u32, whole: u32, small: u32| {
        let bound = |at: u32| u64::from(at) * u64::from(whole) / u64::from(small);
        bound(at)..bound(at + 1).max(bound(at) + 1)
    };
    for y in 0..height {
        for x in 0..width {
            let (mut sum, mut alpha, mut count) = ([0_u64; 3], 0_u64, 0_u64);
            for row in span(y, image.height, height) {
                for column in span(x, image.width, width) {
                    let at = (row * u64::from(image.width) + column) as usize * 4;
                    let Some([r, g, b, a]) = image.rgba.get(at..at + 4) else { continue };
                    // What is cut out lends no colour.
                    let weight = if uses_alpha { u64::from(*a) } else { 255 };
                    for (sum, value) in sum.iter_mut().zip([*r, *g, *b]) {
                        *sum += u64::from(value) * weight;
                    }
                    alpha += weight;
                    count += 1;
                }
            }
            rgba.extend(sum.map(|sum| sum.checked_div(alpha).unwrap_or(0) as u8));
            rgba.push(alpha.checked_div(count).unwrap_or(0) as u8);
        }
    }
    Image { name: image.name.clone(), width, height, rgba: rgba.into(), stored_as: image.stored_as.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, pixel: impl Fn(u32) -> [u8; 4]) -> Image {
        let rgba: Vec<u8> = (0..width * height).flat_map(pixel).collect();
        Image { name: "i".into(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn pictures_are_made_small_and_keep_their_shape_and_colours() {
        const BOX: (u32, u32) = (128, 128);
        let small = reduced(&image(1_000, 10, |_| [10, 20, 30, 255]), BOX, false);
        assert_eq!((small.width, small.height, &small.rgba[..4]), (128, 1, [10, 20, 30, 255].as_slice()));
        let flat = reduced(&image(100, 400, |_| [1; 4]), (80, 40), false);
        assert_eq!((flat.width, flat.height), (10, 40));
        assert_eq!(reduced(&image(100, 128, |_| [1; 4]), BOX, false).width, 100);
        // Columns of red and of nothing: half as opaque, and as red as before.
        let stripes = image(256, 256, |i| if i % 2 == 0 { [200, 0, 0, 255] } else { [0, 255, 0, 0] });
        assert_eq!(&reduced(&stripes, BOX, true).rgba[..4], [200, 0, 0, 127]);
        assert_eq!(&reduced(&stripes, BOX, false).rgba[..4], [100, 127, 0, 255]);
    }
}
