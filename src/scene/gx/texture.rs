use crate::scene::Image;
use std::sync::Arc;

/// What a texture coordinate outside 0..1 reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The texel at the nearest edge.
    #[default]
    Clamp,
    /// The texture, repeated.
    Repeat,
    /// The texture, repeated; every second repetition is mirrored.
    Mirror,
}

/// How texels are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// Nearest texel of the largest mip.
    Near,
    /// Blend of four neighbouring texels of the largest mip.
    #[default]
    Linear,
    /// Nearest texel of the nearest mip.
    NearMipNear,
    /// Blend of four neighbouring texels of the nearest mip.
    LinearMipNear,
    /// Nearest texels of the two nearest mips, blended.
    NearMipLinear,
    /// Blends of four neighbouring texels of the two nearest mips, blended.
    LinearMipLinear,
}

impl Filter {
    /// From the chip's code; codes that do not exist count as linear.
    pub fn of_code(code: u8) -> Self {
        match code {
            0 => Self::Near,
            2 => Self::NearMipNear,
            3 => Self::LinearMipNear,
            4 => Self::NearMipLinear,
            5 => Self::LinearMipLinear,
            _ => Self::Linear,
        }
    }

    /// Texels of one mip are mixed.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Linear | Self::LinearMipNear | Self::LinearMipLinear)
    }

    /// Mips are used at all.
    pub fn uses_mips(self) -> bool {
        !matches!(self, Self::Near | Self::Linear)
    }

    /// Two mips are mixed.
    pub fn mixes_mips(self) -> bool {
        matches!(self, Self::NearMipLinear | Self::LinearMipLinear)
    }
}

impl Wrap {
    /// From the chip's code; codes that do not exist count as clamp.
    pub fn of_code(code: u8) -> Self {
        match code {
            1 => Self::Repeat,
            2 => Self::Mirror,
            _ => Self::Clamp,
        }
    }
}

/// A picture with the sampler that reads it (formats/j3d.md §9).
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// Name as stored in the file.
    pub name: String,
    /// The largest first, each half as large as the one before; empty for a texture without data, which reads white.
    pub mips: Vec<Arc<Image>>,
    /// Wrap mode along S.
    pub wrap_s: Wrap,
    /// Wrap mode along T.
    pub wrap_t: Wrap,
    /// Filter for a texture that is shown smaller.
    pub min_filter: Filter,
    /// Filter for a texture that is shown larger.
    pub mag_filter: Filter,
    /// Minimum level of detail; 0 is the largest mip.
    pub min_lod: f32,
    /// Maximum level of detail.
    pub max_lod: f32,
    /// Number of levels that is added to the level of detail.
    pub lod_bias: f32,
    /// 1, 2 or 4.
    pub max_anisotropy: u8,
}

impl Texture {
    /// Pixels of the largest mip; 1 × 1 without data.
    pub fn size(&self) -> (u32, u32) {
        self.mips.first().map_or((1, 1), |image| (image.width.max(1), image.height.max(1)))
    }
}

/// The largest mip; a white pixel for a texture without data.
pub fn first_image(texture: &Texture) -> Arc<Image> {
    texture.mips.first().cloned().unwrap_or_else(|| {
        Arc::new(Image {
            name: texture.name.clone(),
            width: 1,
            height: 1,
            rgba: [255; 4].into(),
            stored_as: "no data".to_owned(),
        })
    })
}

/// The largest mip of a texture at a place in texels from its top left corner, filtered as when it is seen from near; a texture
/// without data is white.
pub fn sample(texture: &Texture, [s, t]: [f32; 2]) -> [u8; 4] {
    let Some(image) = texture.mips.first() else { return [255; 4] };
    let column = |x: f32| wrapped(x as i64, image.width, texture.wrap_s);
    let row = |y: f32| wrapped(y as i64, image.height, texture.wrap_t);
    if !texture.mag_filter.is_linear() {
        return texel(image, column(s.floor()), row(t.floor()));
    }
    let (x, y) = ((s - 0.5).floor(), (t - 0.5).floor());
    let (right, down) = (s - 0.5 - x, t - 0.5 - y);
    let (columns, rows) = ([column(x), column(x + 1.0)], [row(y), row(y + 1.0)]);
    let corners = [
        (texel(image, columns[0], rows[0]), (1.0 - right) * (1.0 - down)),
        (texel(image, columns[1], rows[0]), right * (1.0 - down)),
        (texel(image, columns[0], rows[1]), (1.0 - right) * down),
        (texel(image, columns[1], rows[1]), right * down),
    ];
    let mut sum = [0.5; 4];
    for (color, share) in corners {
        for (sum, value) in sum.iter_mut().zip(color) {
            *sum += f32::from(value) * share;
        }
    }
    sum.map(|value| value as u8)
}

fn texel(image: &Image, column: usize, row: usize) -> [u8; 4] {
    let at = row.saturating_mul(image.width as usize).saturating_add(column).saturating_mul(4);
    let rgba = image.rgba.get(at..).and_then(|rest| rest.first_chunk::<4>());
    rgba.copied().unwrap_or([255; 4])
}

/// A texel's place along one side; 0 for a side without texels.
fn wrapped(place: i64, size: u32, wrap: Wrap) -> usize {
    let size = i64::from(size.max(1));
    let last = size.saturating_sub(1);
    let place = match wrap {
        Wrap::Clamp => place.clamp(0, last),
        Wrap::Repeat => turned(place, size),
        Wrap::Mirror => {
            let turn = turned(place, size.saturating_mul(2));
            if turn < size { turn } else { last.saturating_sub(turn.saturating_sub(size)) }
        }
    };
    place as usize
}

/// The rest of a division, never negative. Sizes of textures are powers of two as a rule, where that is a mask.
fn turned(place: i64, size: i64) -> i64 {
    if size.count_ones() == 1 { place & size.saturating_sub(1) } else { place.rem_euclid(size.max(1)) }
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use super::*;
    use std::sync::Arc;

    /// 4 × 2 texels: red is 40 times the column, green 100 times the row.
    fn texture(wrap: Wrap, mag_filter: Filter) -> Texture {
        let rgba: Vec<u8> = (0..2u8).flat_map(|y| (0..4u8).map(move |x| [x * 40, y * 100, 7, 255])).flatten().collect();
        let image = Image { name: String::new(), width: 4, height: 2, rgba: rgba.into(), stored_as: "test".into() };
        Texture { mips: vec![Arc::new(image)], wrap_s: wrap, wrap_t: wrap, mag_filter, ..Texture::default() }
    }

    #[test]
    fn nearest_and_wrapped() {
        let columns = |wrap| {
            let texture = texture(wrap, Filter::Near);
            [-5.5, -0.01, 0.0, 2.99, 4.0, 5.5, 9.5].map(|s| sample(&texture, [s, 0.5])[0] / 40)
        };
        assert_eq!(columns(Wrap::Clamp), [0, 0, 0, 2, 3, 3, 3]);
        assert_eq!(columns(Wrap::Repeat), [2, 3, 0, 2, 0, 1, 1]);
        // 0 1 2 3 3 2 1 0 0 1 …, and backwards from −1: 0 1 2 3 3 2.
        assert_eq!(columns(Wrap::Mirror), [2, 0, 0, 2, 3, 2, 1]);
        assert_eq!(sample(&texture(Wrap::Repeat, Filter::Near), [0.5, -0.5]), [0, 100, 7, 255]);
    }

    #[test]
    fn linear() {
        let at = |s, t, wrap| sample(&texture(wrap, Filter::Linear), [s, t]);
        assert_eq!(at(1.5, 0.5, Wrap::Clamp), [40, 0, 7, 255]);
        assert_eq!(at(1.75, 0.75, Wrap::Clamp), [50, 25, 7, 255]);
        assert_eq!(at(0.25, 1.9, Wrap::Clamp), [0, 100, 7, 255]);
        // Half of the first and the last column.
        assert_eq!(at(0.0, 0.5, Wrap::Repeat), [60, 0, 7, 255]);
        assert_eq!(at(4.0, 0.5, Wrap::Mirror), [120, 0, 7, 255]);
    }

    #[test]
    fn rests_are_those_of_a_division() {
        for size in [1, 2, 3, 12, 16] {
            assert!((-40..40).all(|place| turned(place, size) == place.rem_euclid(size)), "{size}");
        }
    }

    #[test]
    fn without_data() {
        assert_eq!(sample(&Texture::default(), [3.0, f32::NAN]), [255; 4]);
        assert_eq!(sample(&texture(Wrap::Mirror, Filter::Near), [f32::INFINITY, f32::NEG_INFINITY]).len(), 4);
    }
}
