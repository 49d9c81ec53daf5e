use crate::scene::Image;

/// Two pictures, pixel by pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureDifference {
    /// Width and height in pixels.
    pub left: (u32, u32),
    pub right: (u32, u32),
    /// Pixels that differ; `None` for pictures of different sizes.
    pub pixels: Option<usize>,
    /// The largest difference of a channel, 0 to 255.
    pub largest: u8,
}

impl PictureDifference {
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

    pub fn is_same(&self) -> bool {
        self.pixels == Some(0)
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
        let found = PictureDifference::of(&left, &image(1, &[0; 12]));
        assert_eq!((found.left, found.right, found.pixels), ((3, 1), (1, 3), None));
    }
}
