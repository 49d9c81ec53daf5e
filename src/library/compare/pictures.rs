use crate::scene::Image;
use std::sync::Arc;

/// How bright the smallest differences are, of 255.
const DARKEST: f32 = 48.0;

/// Two pictures, pixel by pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureDifference {
    /// Width and height of the left picture in pixels.
    pub left: (u32, u32),
    /// Width and height of the right picture in pixels.
    pub right: (u32, u32),
    /// Pixels that differ; `None` for pictures of different sizes.
    pub pixels: Option<usize>,
    /// The largest difference of a channel, 0 to 255.
    pub largest: u8,
}

impl PictureDifference {
    /// Compares two pictures of the same size by pixel. Of other pictures, only the sizes are compared.
    pub fn of(left: &Image, right: &Image) -> Self {
        let size = |image: &Image| (image.width, image.height);
        let mut found = Self { left: size(left), right: size(right), ..Self::default() };
        if found.left == found.right {
            let mut count = 0;
            for (a, b) in left.rgba.chunks_exact(4).zip(right.rgba.chunks_exact(4)) {
                let largest = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                count += usize::from(largest > 0);
                found.largest = found.largest.max(largest);
            }
            found.pixels = Some(count);
        }
        found
    }

    /// Returns `true` if both pictures have the same size and pixels.
    pub fn is_same(&self) -> bool {
        self.pixels == Some(0)
    }
}

/// Two pictures with what differs between them.
#[derive(Clone, Debug)]
pub struct ComparedPictures {
    /// The differences as numbers.
    pub difference: PictureDifference,
    /// The left picture.
    pub left: Arc<Image>,
    /// The right picture.
    pub right: Arc<Image>,
    /// How far each channel is apart: the largest difference is white, and the smallest still to be seen. `None` where nothing
    /// differs, and for pictures of different sizes. What differs in alpha is grey.
    pub picture: Option<Arc<Image>>,
}

impl ComparedPictures {
    /// Compares two pictures and draws the differences.
    pub fn of(left: Arc<Image>, right: Arc<Image>) -> Self {
        let difference = PictureDifference::of(&left, &right);
        let picture = difference.pixels.filter(|count| *count > 0).map(|_| Arc::new(apart(&left, &right, &difference)));
        Self { difference, left, right, picture }
    }
}

fn apart(left: &Image, right: &Image, found: &PictureDifference) -> Image {
    let largest = f32::from(found.largest.max(1));
    let bright = |distance: u8| match distance {
        0 => 0,
        _ => (DARKEST + (255.0 - DARKEST) * (f32::from(distance) / largest).sqrt()).round() as u8,
    };
    let pixels = left.rgba.chunks_exact(4).zip(right.rgba.chunks_exact(4)).flat_map(|(a, b)| {
        let apart = |channel: usize| a.get(channel).zip(b.get(channel)).map_or(0, |(a, b)| a.abs_diff(*b));
        let alpha = apart(3);
        [0, 1, 2].map(|channel| bright(apart(channel).max(alpha))).into_iter().chain([255])
    });
    let rgba: Vec<u8> = pixels.collect();
    Image {
        name: left.name.clone(),
        width: left.width,
        height: left.height,
        rgba: rgba.into(),
        stored_as: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, rgba: &[u8]) -> Image {
        let height = rgba.len() as u32 / 4 / width;
        Image { name: String::new(), width, height, rgba: rgba.into(), stored_as: String::new() }
    }

    #[test]
    fn pixels_that_differ_are_counted() {
        let left = image(3, &[0, 0, 0, 255, 9, 9, 9, 255, 7, 7, 7, 7]);
        let right = image(3, &[0, 0, 0, 255, 9, 2, 9, 255, 7, 7, 7, 9]);
        let found = PictureDifference::of(&left, &right);
        assert_eq!((found.pixels, found.largest), (Some(2), 7));
        assert!(PictureDifference::of(&left, &left).is_same());
        let both = ComparedPictures::of(left.clone().into(), right.into());
        // 7 is the largest difference; alpha is 2 apart.
        let grey = (48.0 + 207.0 * (2.0_f32 / 7.0).sqrt()).round() as u8;
        let wanted = [0, 0, 0, 255, 0, 255, 0, 255, grey, grey, grey, 255];
        assert_eq!(&*both.picture.unwrap().rgba, &wanted[..]);
        assert!(ComparedPictures::of(left.clone().into(), left.clone().into()).picture.is_none());
        let found = PictureDifference::of(&left, &image(1, &[0; 12]));
        assert_eq!((found.left, found.right, found.pixels), ((3, 1), (1, 3), None));
    }
}
